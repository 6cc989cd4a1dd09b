"""One look at one agent's file: what it says is made true in the store."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from service.config import ConfigFile
from service.domain.messages import Message
from service.passes.intake import redacted_messages, redacted_text
from service.passes.mirrored import Difference, activity_ns, difference, is_open, is_wanted, stop_reason
from service.sources.follow import Advance, FollowedFile, Verdict
from service.sources.session import LastTurn, Session
from service.store import sources, transcripts
from service.store.engine import Database, Write
from service.store.events import EventType, announce
from service.store.sources import Mirrored, SourceRow

log = logging.getLogger(__name__)

# Readers are kept for so many files, so that an append costs what was appended; others are read anew when they change.
_KEPT_READERS = 64


@dataclass(frozen=True, slots=True)
class TakenIn:
    """How a session stands after a look: `moved` where messages or the turn's standing changed."""

    key: str
    last_turn: LastTurn
    running: bool
    last_row_at: float
    moved: bool


@dataclass(slots=True)
class _Followed:
    """One file, and the messages of each of its sessions as they were last taken in."""

    file: FollowedFile
    messages: dict[str, tuple[Message, ...]] = field(default_factory=dict)


class FileIntake:
    """Holds the readers of the files that changed last; the caller takes in one file at a time."""

    def __init__(self, db: Database, config: ConfigFile, now: Callable[[], float]) -> None:
        self._db = db
        self._config = config
        self._now = now
        self._followed: OrderedDict[Path, _Followed] = OrderedDict()

    async def take_in(self, path: Path, *, backlog: bool = False) -> list[TakenIn]:
        """What the file's sessions have become. Raises StoreBusyError or StoreFullError, and starts over next time.

        In a `backlog` the rows' own times count as well as the file's: a copied file is new, its turns are not.
        """
        followed = self._followed.pop(path, None) or _Followed(FollowedFile(path))
        advance = await asyncio.to_thread(followed.file.advance)
        if advance.verdict is Verdict.GONE:
            await self._db.write(lambda w: sources.forget_file(w, str(path), self._now_ns()))
            return []
        if advance.verdict is Verdict.SAME and followed.messages:
            self._remember(path, followed)
            return []
        if advance.result.trouble is not None:
            log.info("source_skipped file=%r problem=%s", path.name, advance.result.trouble.problem)
        wanted = self._config.current().sources
        sessions = [session for session in advance.result.sessions if is_wanted(session, wanted)]
        taken = [await self._store(path, followed, advance, session, backlog=backlog) for session in sessions]
        if sessions:
            self._remember(path, followed)
        return [one for one in taken if one is not None]

    def _remember(self, path: Path, followed: _Followed) -> None:
        self._followed[path] = followed
        while len(self._followed) > _KEPT_READERS:
            self._followed.popitem(last=False)

    async def _store(
        self, path: Path, followed: _Followed, advance: Advance, session: Session, *, backlog: bool
    ) -> TakenIn | None:
        changed = await self._changes(followed.messages.get(session.key), session)
        facts = await self._mirrored(session, advance)
        row_at = min(self._now(), advance.stamp.mtime_ns / 1e9, facts.sort_ns / 1e9 if backlog else self._now())
        running = is_open(session.last_turn, self._now() - row_at)
        ended_as = None if running else stop_reason(session.last_turn)
        now_ns = self._now_ns()

        async def write(w: Write) -> bool | None:
            if not await sources.mirror_session(w, facts, now_ns):
                return None
            if changed is not None and changed.kept is None:
                await transcripts.rewrite_messages(w, session.key, changed.messages, now_ns)
            elif changed is not None:
                await transcripts.append_messages(
                    w, session.key, changed.messages, now_ns, kept=changed.kept, sort_ns=facts.sort_ns
                )
            if await sources.set_metadata(w, facts) and changed is None:
                await announce(w, EventType.CHANGED, session.key, now_ns)
            await sources.remember_source(w, _source_row(path, advance, session))
            return await sources.set_mirrored_turn(w, session.key, running=running, stop_reason=ended_as, now_ns=now_ns)

        turned = await self._db.write(write)
        followed.messages[session.key] = session.messages
        if turned is None:
            return None
        return TakenIn(session.key, session.last_turn, running, row_at, moved=turned or changed is not None)

    async def _changes(self, before: tuple[Message, ...] | None, session: Session) -> Difference | None:
        """What is to be stored, redacted: compared with the last look, or with the store where this is the first."""
        if before is None:
            stored = await self._db.read(lambda r: transcripts.load_messages(r, session.key))
            return difference(stored, await redacted_messages(session.messages))
        changed = difference(before, session.messages)
        return None if changed is None else Difference(changed.kept, await redacted_messages(changed.messages))

    async def _mirrored(self, session: Session, advance: Advance) -> Mirrored:
        return Mirrored(
            key=session.key,
            source=session.agent,
            title=await redacted_text(session.title),
            project=await redacted_text(session.project),
            unprompted=session.unprompted,
            last_activity=session.last_activity,
            sort_ns=activity_ns(session, advance.stamp.mtime_ns),
        )

    def _now_ns(self) -> int:
        return int(self._now() * 1_000_000_000)


def _source_row(path: Path, advance: Advance, session: Session) -> SourceRow:
    """A file with several sessions has a row for each; only the first can tell by its size that the file has grown."""
    several = len(advance.result.sessions) > 1
    return SourceRow(
        path=f"{path}#{session.session_id}" if several else str(path),
        transcript_key=session.key,
        format=advance.result.format or "",
        inode=advance.stamp.inode,
        size=advance.stamp.size,
        mtime_ns=advance.stamp.mtime_ns,
        offset=advance.offset,
        digest=advance.digest,
    )
