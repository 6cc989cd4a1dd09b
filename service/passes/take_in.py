"""One look at one agent's file: what it says is made true in the store."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

from service.config import ConfigFile, SourceFilter
from service.domain.redact import redact
from service.passes.copies import Copies
from service.passes.found_files import LEFT_OUT, NO_SESSION, SUB_AGENT, FileReport, FoundFiles
from service.passes.intake import redacted_text
from service.passes.looks import LIVE, Look, Occasion, TakenIn
from service.passes.mirror_session import Before, Refused, Seen, SessionWrite, Stored, sighting_after
from service.passes.mirrored import activity_ns, is_wanted
from service.passes.new_sessions import NewSessions
from service.sources import codex
from service.sources.codex_titles import CodexTitles
from service.sources.follow import Advance, FollowedFile, Verdict
from service.sources.session import Session
from service.sources.stamps import NO_STAMP, stamp_or_none
from service.store import sources
from service.store.engine import Database, Write
from service.store.sources import Mirrored, SourceRow

log = logging.getLogger(__name__)

# Readers are kept for so many files, so that an append costs what was appended; others are read anew when they change.
_KEPT_READERS = 64
# A file of a backlog that was written longer ago than this is not likely to grow soon.
_WARM_NS = 600 * 1_000_000_000
# Files beyond this are read one at a time, and never keep a smaller one waiting.
_LARGE_BYTES = 16 * 1024 * 1024
# So many others of a backlog, and as many that changed.
_READ_AT_ONCE = 2


@dataclass(slots=True)
class _Followed:
    """One file, and each of its sessions as it was last taken in."""

    file: FollowedFile
    taken: dict[str, Before] = field(default_factory=dict)


class FileIntake:
    """Holds the readers of the files that changed last; the caller sees to it that one look at a file follows another.

    What the store knows of files is read by `load`, once, before the first look.
    """

    def __init__(self, db: Database, config: ConfigFile, now: Callable[[], float]) -> None:
        self.files = FoundFiles()
        self.titles = CodexTitles()
        self._db = db
        self._config = config
        self._now = now
        self._began_ns = self._now_ns()
        self._wanted: SourceFilter | None = None
        self._copies = Copies()
        self._new = NewSessions(db, self._copies, self._now_ns)
        self._is_closing = False
        self._loaded = False
        self._load_lock = asyncio.Lock()
        self._followed: OrderedDict[Path, _Followed] = OrderedDict()
        self._backlog = asyncio.Semaphore(_READ_AT_ONCE)
        self._live = asyncio.Semaphore(_READ_AT_ONCE)
        self._large = asyncio.Semaphore(1)

    @property
    def wanted(self) -> SourceFilter:
        """Which agents and projects are taken in: what the settings say, until `want` was told otherwise."""
        return self._wanted or self._config.current().sources

    async def want(self, wanted: SourceFilter) -> None:
        """From now on takes in these alone; what is stored of others goes, as if their files had gone."""
        self._wanted = wanted
        self._followed.clear()
        places = await self._db.read(sources.read_places)
        for key in [key for key, agent, project in places if not is_wanted(agent, project, wanted)]:
            await self._let_go(key, None)

    async def load(self) -> None:
        """Takes in what the store knows of files and of how sessions begin."""
        async with self._load_lock:
            if not self._loaded:
                rows = await self._db.read(sources.read_sources)
                for row in rows:
                    self.files.note_holder(row.transcript_key, row.file)
                self._copies.load(rows)
                self._loaded = True

    async def close(self) -> None:
        """Lets what is being read or stored come to its end soon; may be called twice."""
        self._is_closing = True
        await self._new.settled()

    def end_backlog(self) -> None:
        """What was there at start has been looked at."""
        self._copies.end_backlog()

    async def take_in(self, path: Path, occasion: Occasion = LIVE) -> Look:
        """What the file's sessions have become. Raises StoreBusyError or StoreFullError, and starts over next time."""
        await self.load()
        followed = self._followed.pop(path, None) or _Followed(FollowedFile(path, is_closing=lambda: self._is_closing))
        advance, seconds = await self._advance(followed.file, occasion)
        if advance.verdict is Verdict.GONE:
            again = await self._release(path, self.files.held_by(path))
            self.files.forget(path)
            return Look(again=again)
        if advance.verdict is Verdict.UNREADABLE or advance.result.trouble is not None:
            # A file that is being rewritten is empty or torn for a moment: what was read of it still stands.
            self._report_trouble(path, advance)
            stamp = advance.stamp if advance.stamp != NO_STAMP else stamp_or_none(path)
            return Look(stamp=stamp or NO_STAMP, parts=advance.parts)
        taken, again = await self._take_all(path, followed, advance, occasion)
        if not occasion.backlog or self._now_ns() - advance.stamp.modified_ns < _WARM_NS:
            self._remember(path, followed)
        return Look(taken, again, advance.stamp, advance.parts, seconds)

    async def set_titles(self, roots: Iterable[Path]) -> None:
        """Passes on what Codex calls its sessions, where that is news; it stands in no session's own file."""
        changed = await asyncio.to_thread(self._changed_titles, tuple(roots))
        if changed:
            await self._db.write(lambda w: sources.set_titles(w, codex.AGENT, changed, self._now_ns()))

    def _changed_titles(self, roots: Sequence[Path]) -> Mapping[str, str]:
        return {f"{codex.AGENT}:{key}": redact(title) for key, title in self.titles.changed(roots).items()}

    async def _take_all(
        self, path: Path, followed: _Followed, advance: Advance, occasion: Occasion
    ) -> tuple[tuple[TakenIn, ...], frozenset[Path]]:
        taken: list[TakenIn] = []
        skipped: list[str] = []
        kept: set[str] = set()
        for session in await self._titled(path, advance.result.sessions):
            if session.sub_agent or not is_wanted(session.agent, session.project, self.wanted):
                skipped.append(SUB_AGENT if session.sub_agent else LEFT_OUT)
                continue
            kept.add(session.key)
            outcome = await self._take(path, followed, advance, session, occasion)
            if isinstance(outcome, Refused):
                skipped.append(outcome)
            elif outcome is not None:
                taken.append(outcome)
        again = await self._release(path, self.files.held_by(path) - kept)
        self._report(path, advance, skipped or ([] if advance.result.sessions else [NO_SESSION]))
        return tuple(taken), again

    async def _take(
        self, path: Path, followed: _Followed, advance: Advance, session: Session, occasion: Occasion
    ) -> TakenIn | Refused | None:
        """Stores one session; None where nothing of it is new."""
        row, before = _source_row(path, advance, session), followed.taken.get(session.key)
        if before is not None:
            row = replace(row, copied=before.row.copied, copied_digest=before.row.copied_digest)
            if before == Before(session, row):
                return None
        seen, live = await self._seen(advance, session, row, occasion, is_known=before is not None)
        stored = await self._store(seen, None if self._copies.is_undecided(session.key) else before)
        if isinstance(stored, Refused):
            followed.taken.pop(session.key, None)
            if stored is Refused.OUTDONE:
                self.files.note_other(session.key, path)
            return stored
        followed.taken[session.key] = Before(session, stored.row)
        self.files.note_holder(session.key, path)
        return TakenIn(session.key, session.last_turn, stored.running, seen.row_at_ns / 1e9, stored.moved, live)

    async def _seen(
        self, advance: Advance, session: Session, row: SourceRow, occasion: Occasion, *, is_known: bool
    ) -> tuple[Seen, bool]:
        """The session as it may be stored, and whether what it shows happened while the service ran.

        Of many sessions in a file that changed, which one did is known from the last look, else from its rows' times.
        """
        facts = await _mirrored(session, advance)
        is_alone = len(advance.result.sessions) == 1
        live = not occasion.backlog and (is_alone or is_known or facts.sort_ns >= self._began_ns)
        times = [self._now_ns(), advance.stamp.modified_ns] + ([] if live else [facts.sort_ns])
        return Seen(session, facts, row, min(times), occasion.is_answered), live

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

    async def _release(self, path: Path, keys: frozenset[str]) -> frozenset[Path]:
        """Sessions that a file no longer holds go, but for those another file has: it is to be looked at again."""
        again: set[Path] = set()
        for key in keys:
            others = {other for other in self.files.others(key) if other.exists()}
            await self._let_go(key, path, is_held=bool(others))
            again |= others
        for other in again:
            self._followed.pop(other, None)
        return frozenset(again)

    async def _let_go(self, key: str, file: Path | None, *, is_held: bool = False) -> None:
        async def write(w: Write) -> None:
            if is_held and file is not None:
                await sources.release_source(w, key, file)
            else:
                await sources.forget_session(w, key, self._now_ns(), file)

        await self._db.write(write)
        self.files.release(key, file)

    async def _advance(self, file: FollowedFile, occasion: Occasion) -> tuple[Advance, float]:
        """What the file has become, and how many seconds it took to read."""
        small = self._backlog if occasion.backlog else self._live
        async with self._large if file.unread_bytes() > _LARGE_BYTES else small:
            began = monotonic()
            return await asyncio.to_thread(file.advance), monotonic() - began

    async def _titled(self, path: Path, found: tuple[Session, ...]) -> tuple[Session, ...]:
        if all(session.agent != codex.AGENT for session in found):
            return found
        return await asyncio.to_thread(lambda: tuple(self.titles.titled(session, path) for session in found))

    def _report_trouble(self, path: Path, advance: Advance) -> None:
        trouble = advance.result.trouble
        problem = trouble.problem.value if trouble else Verdict.UNREADABLE.value
        log.info("source_skipped file=%r problem=%s", path.name, problem)
        self._report(path, advance, [problem])

    def _report(self, path: Path, advance: Advance, skipped: Iterable[str]) -> None:
        counts, held = advance.result.counts, len(self.files.held_by(path))
        self.files.note(path, FileReport(held, tuple(skipped), counts.broken, counts.too_large))

    def _remember(self, path: Path, followed: _Followed) -> None:
        self._followed[path] = followed
        while len(self._followed) > _KEPT_READERS:
            self._followed.popitem(last=False)

    def _now_ns(self) -> int:
        return int(self._now() * 1_000_000_000)


async def _mirrored(session: Session, advance: Advance) -> Mirrored:
    return Mirrored(
        key=session.key,
        source=session.agent,
        title=await redacted_text(session.title),
        project=await redacted_text(session.project),
        unprompted=session.unprompted,
        last_activity=session.last_activity,
        sort_ns=activity_ns(session, advance.stamp.modified_ns),
    )


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
        first_row=session.first_row or "",
    )
