"""Turns that run in agents' files, and the clock that ends those whose files say nothing more."""

from collections.abc import Callable

from service.passes.generate import Passes
from service.passes.looks import TakenIn
from service.passes.mirrored import is_open, is_over, stop_reason
from service.sources.session import LastTurn
from service.store import sources
from service.store.engine import Database


class OpenTurns:
    """A turn that ends while the service runs gets the automatic pass; one that was there at start never does."""

    def __init__(self, db: Database, passes: Passes, now: Callable[[], float]) -> None:
        self._db = db
        self._passes = passes
        self._now = now
        self._open: dict[str, TakenIn] = {}

    async def note(self, one: TakenIn) -> None:
        """Takes in how a session stands after a look at its file."""
        if one.running:
            self._open[one.key] = one
        elif one.running is False:
            self._open.pop(one.key, None)
        if one.moved and one.live and is_over(one.last_turn):
            await self._passes.turn_ended(one.key)

    async def end_quiet(self) -> None:
        """A turn without an end marker is over once its file has been quiet for long enough."""
        for one in tuple(self._open.values()):
            if not is_open(one.last_turn, self._now() - one.row_at):
                await self._end(one)
                if one.live:
                    await self._passes.turn_ended(one.key)

    async def end_answered(self, key: str) -> None:
        """A host said that the turn is over, and a look in between took the closing text for one that may go on."""
        one = self._open.get(key)
        if one is not None and one.last_turn is LastTurn.REPLIED:
            await self._end(one)

    async def _end(self, one: TakenIn) -> None:
        now_ns, reason = int(self._now() * 1_000_000_000), stop_reason(one.last_turn)
        await self._db.write(
            lambda w: sources.set_mirrored_turn(w, one.key, running=False, stop_reason=reason, now_ns=now_ns)
        )
        self._open.pop(one.key, None)
