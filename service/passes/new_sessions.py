"""Sessions that are found for the first time: those that wait are stored together, so that thousands take seconds."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from service.passes.copies import Copies
from service.passes.mirror_session import Sighting, Stored
from service.passes.mirrored import is_open, stop_reason
from service.sources.session import LastTurn
from service.store.engine import Database, StoreBusyError, StoreFullError, Write
from service.store.new_sessions import NewSession, insert_sessions, without_known

_MOST_TOGETHER = 64


@dataclass(frozen=True, slots=True)
class _Waiting:
    session: NewSession
    done: asyncio.Future[Stored | None]


class NewSessions:
    """Takes sessions that begin like no other; any other is to be compared with what is stored, one by one."""

    def __init__(self, db: Database, copies: Copies, now_ns: Callable[[], int]) -> None:
        self._db = db
        self._copies = copies
        self._now_ns = now_ns
        self._waiting: deque[_Waiting] = deque()
        self._storing: asyncio.Task[None] | None = None

    async def store(self, sighting: Sighting) -> Stored | None:
        """What came of it, None where the session is not new. Raises StoreBusyError or StoreFullError."""
        if sighting.before is not None or self._copies.begins_like_another(sighting.seen.row):
            await self.settled()
            return None
        waiting = _Waiting(self._new(sighting), asyncio.get_running_loop().create_future())
        self._copies.note(sighting.seen.row, sighting.seen.session)
        self._waiting.append(waiting)
        if self._storing is None or self._storing.done():
            self._storing = asyncio.create_task(self._store_waiting())
        return await asyncio.shield(waiting.done)

    async def settled(self) -> None:
        """Returns when what waits is stored: a session may be a copy of one that waits."""
        if self._storing is not None and not self._storing.done():
            await asyncio.wait([self._storing])

    def _new(self, sighting: Sighting) -> NewSession:
        seen, turn = sighting.seen, sighting.seen.session.last_turn
        running = is_open(turn, (self._now_ns() - seen.row_at_ns) / 1e9)
        running = running and not (seen.is_answered and turn is LastTurn.REPLIED)
        return NewSession(seen.facts, seen.row, sighting.texts, running, None if running else stop_reason(turn))

    async def _store_waiting(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), _MOST_TOGETHER))]
            new = await self._inserted(batch)
            if not isinstance(new, BaseException) or isinstance(new, StoreBusyError | StoreFullError):
                _settle(batch, new)
                continue
            # One of them holds what the store does not take; the others must not wait behind it.
            for one in batch:
                _settle([one], await self._inserted([one]))

    async def _inserted(self, batch: Sequence[_Waiting]) -> list[NewSession] | BaseException:
        (new,) = await asyncio.gather(self._insert(batch), return_exceptions=True)
        return new

    async def _insert(self, batch: Sequence[_Waiting]) -> list[NewSession]:
        async def write(w: Write) -> list[NewSession]:
            new = await without_known(w, [one.session for one in batch])
            await insert_sessions(w, new, self._now_ns())
            return new

        return await self._db.write(write)


def _settle(batch: Sequence[_Waiting], new: list[NewSession] | BaseException) -> None:
    for one in batch:
        if isinstance(new, BaseException):
            one.done.set_exception(new)
        else:
            is_new = any(one.session is session for session in new)
            one.done.set_result(Stored(one.session.row, True, one.session.running) if is_new else None)
