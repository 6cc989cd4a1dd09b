"""One session of a file that was read: what of it is new is stored, and what came of that is told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from service.domain.characters import encodable
from service.passes.copies import Copies
from service.passes.intake import redacted_text
from service.passes.looks import Occasion, TakenIn
from service.passes.mirror_session import Before, Refused, Seen, SessionWrite, Stored, sighting_after
from service.passes.mirrored import activity_ns
from service.passes.new_sessions import NewSessions
from service.sources.follow import Advance
from service.sources.session import Session
from service.sources.stamps import LARGEST
from service.store import sources
from service.store.engine import Database
from service.store.sources import Mirrored, SourceRow


@dataclass(frozen=True, slots=True)
class Kept:
    """A session that was taken in: what the next look is to be compared with, and how it stands."""

    before: Before
    news: TakenIn


class SessionIntake:
    """Compares a session with what the last look left of it, or with all that is stored."""

    def __init__(self, db: Database, copies: Copies, now_ns: Callable[[], int]) -> None:
        self._db = db
        self._copies = copies
        self._new = NewSessions(db, copies, now_ns)
        self._now_ns = now_ns
        self._began_ns = now_ns()
        self._chosen_ns = 0
        self._cut_off: set[str] = set()
        self._gone: dict[str, int] = {}

    def expect_turns(self, keys: frozenset[str]) -> None:
        """The turns of these sessions ran when the service ended, and may run still."""
        self._cut_off |= keys

    def choice_changed(self) -> None:
        """Sessions that the settings left out until now are old: what happened in them meanwhile is no news."""
        self._chosen_ns = self._now_ns()

    def note_gone(self, key: str, active_ns: int) -> None:
        """The session is stored no more; should it come back as it was, nothing happened in it."""
        self._gone[key] = active_ns

    async def settled(self) -> None:
        """Returns when what waits to be stored with others is stored."""
        await self._new.settled()

    async def restamp(
        self, path: Path, advance: Advance, taken: Mapping[str, Before], occasion: Occasion
    ) -> Mapping[str, Before]:
        """Sessions, of many, that the reader says are the very ones it gave before: only the file's stamp is noted.

        Those of which the store has another idea are left out, and are to be taken in as any other. Raises
        StoreBusyError or StoreFullError.
        """
        sessions = advance.result.sessions
        if occasion.is_answered or len(sessions) == 1:
            return {}
        after = {}
        for session in sessions:
            before = taken.get(session.key)
            if before is not None and before.session is session and session.key not in self._cut_off:
                row = _source_row(path, advance, session)
                row = replace(row, copied=before.row.copied, copied_digest=before.row.copied_digest)
                after[session.key] = Before(session, row)
        rows = [one.row for one in after.values()]
        there = await self._db.write(lambda w: sources.restamp(w, rows)) if rows else frozenset()
        return {key: after[key] for key in there}

    async def take(
        self,
        path: Path,
        advance: Advance,
        session: Session,
        before: Before | None,
        occasion: Occasion,
        *,
        is_stored: bool,
    ) -> Kept | Refused | None:
        """Stores one session; None where nothing of it is new. Raises StoreBusyError or StoreFullError."""
        row = _source_row(path, advance, session)
        if before is not None:
            row = replace(row, copied=before.row.copied, copied_digest=before.row.copied_digest)
            if before == Before(session, row):
                return None
        facts = await _mirrored(session, advance)
        live = not occasion.backlog and self._is_news(advance, facts, is_known=before is not None, is_stored=is_stored)
        seen = self._seen(advance, session, facts, row, occasion, live=live)
        stored = await self._store(seen, None if before is None or before.is_mere_copy else before)
        if isinstance(stored, Refused):
            return stored
        self._cut_off.discard(session.key)
        after = Before(session, stored.row)
        # What was copied from another session has been answered there.
        live = live and not after.is_mere_copy
        news = TakenIn(session.key, session.last_turn, stored.running, seen.row_at_ns / 1e9, stored.moved, live)
        return Kept(after, news)

    def _is_news(self, advance: Advance, facts: Mirrored, *, is_known: bool, is_stored: bool) -> bool:
        """Whether what the session shows happened while the service ran, and was to be seen.

        Of many sessions in a file that changed, which one did is known from the last look, else from its rows' times.
        One that is not stored may be old and have come from elsewhere, or back.
        """
        if not is_known and len(advance.result.sessions) > 1 and facts.sort_ns < self._began_ns:
            return False
        if is_stored:
            return True
        is_back = facts.sort_ns <= self._gone.get(facts.key, -LARGEST)
        return not is_back and advance.stamp.modified_ns >= self._began_ns and facts.sort_ns >= self._chosen_ns

    def _seen(
        self,
        advance: Advance,
        session: Session,
        facts: Mirrored,
        row: SourceRow,
        occasion: Occasion,
        *,
        live: bool,
    ) -> Seen:
        """The session as it may be stored."""
        times = [self._now_ns(), advance.stamp.modified_ns] + ([] if live else [facts.sort_ns])
        was_running = session.key in self._cut_off
        return Seen(session, facts, row, min(times), occasion.is_answered, was_running)

    async def _store(self, seen: Seen, before: Before | None) -> Stored | Refused:
        """By what changed since the last look; where the store is not as that look left it, by a comparison of all."""
        for known in (before, None):
            sighting = await sighting_after(known, seen)
            if sighting.before is None and (new := await self._new.store(sighting)):
                return new
            stored = await self._db.write(SessionWrite(sighting, self._copies, self._now_ns()).run)
            if stored is not Refused.MOVED:
                break
        return stored


async def _mirrored(session: Session, advance: Advance) -> Mirrored:
    return Mirrored(
        key=session.key,
        source=session.agent,
        title=await redacted_text(_storable(session.title)),
        project=await redacted_text(_storable(session.project)),
        unprompted=session.unprompted,
        last_activity=session.last_activity,
        sort_ns=activity_ns(session, advance.stamp.modified_ns),
    )


def _storable(text: str | None) -> str | None:
    return None if text is None else encodable(text)


def _source_row(path: Path, advance: Advance, session: Session) -> SourceRow:
    """A file with several sessions has a row for each; what shows in several files proves nothing by one digest."""
    several = len(advance.result.sessions) > 1
    return SourceRow(
        path=f"{path}#{session.session_id}" if several else str(path),
        transcript_key=session.key,
        format=advance.result.format or "",
        inode=advance.stamp.inode,
        size=advance.stamp.size,
        mtime_ns=advance.stamp.mtime_ns,
        offset=advance.offset,
        digest="" if advance.parts else advance.digest,
        ctime_ns=advance.stamp.ctime_ns,
        first_row=encodable(session.first_row or ""),
    )
