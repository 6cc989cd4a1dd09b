"""One look at one agent's file: what it says is made true in the store."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic

from service.config import ConfigFile
from service.domain.characters import encodable
from service.domain.redact import redact
from service.domain.source_filter import SourceFilter
from service.passes.copies import Copies
from service.passes.found_files import FileReport, FoundFiles
from service.passes.looks import LIVE, Look, Occasion, TakenIn
from service.passes.mirror_session import Before, Refused
from service.passes.session_intake import Kept, SessionIntake
from service.passes.skipping import ODD_NAME, UNDECIDED, broke, why_skipped
from service.sources import codex
from service.sources.codex_titles import CodexTitles
from service.sources.follow import Advance, FollowedFile, Verdict
from service.sources.presence import is_gone, is_storable
from service.sources.session import Session
from service.sources.stamps import NO_STAMP, stamp_or_none
from service.store import sources
from service.store.engine import Database, StoreBusyError, StoreFullError

log = logging.getLogger(__name__)

# Readers are kept for so many files, so that an append costs what was appended; others are read anew when they change.
_KEPT_READERS = 64
# A file of a backlog that was written longer ago than this is not likely to grow soon.
_WARM_NS = 600 * 1_000_000_000
# To read a large one anew takes so long that whoever takes up yesterday's work would wait for the first summary.
_WARM_LARGE_NS = 2 * 86_400 * 1_000_000_000
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

    def __init__(
        self,
        db: Database,
        config: ConfigFile,
        now: Callable[[], float],
        purge_soon: Callable[[], None] = lambda: None,
    ) -> None:
        self.files = FoundFiles()
        self.titles = CodexTitles()
        self._db = db
        self._config = config
        self._now = now
        self._purge_soon = purge_soon
        self._chosen: SourceFilter | None = None
        self._last_good: SourceFilter | None = None
        self._is_cleared = True
        self._copies = Copies()
        self._sessions = SessionIntake(db, self._copies, self._now_ns)
        self._is_closing = False
        self._loaded = False
        self._load_lock = asyncio.Lock()
        self._followed: OrderedDict[Path, _Followed] = OrderedDict()
        self._backlog = asyncio.Semaphore(_READ_AT_ONCE)
        self._live = asyncio.Semaphore(_READ_AT_ONCE)
        self._large = asyncio.Semaphore(1)

    @property
    def chosen(self) -> SourceFilter:
        """Which agents and projects are taken in: what the settings say, or said before they became unusable."""
        if self._chosen is not None:
            return self._chosen
        said = self._config.current().sources
        if said.usable:
            self._last_good = said
        return self._last_good or said

    def is_settled(self, chosen: SourceFilter) -> bool:
        """Whether these are taken in alone, and what had to go for it is gone."""
        return self._is_cleared and chosen == self._chosen

    async def choose(self, chosen: SourceFilter) -> None:
        """From now on takes in these alone; sessions of projects that are left out go, as if their files had gone.

        What is stored of an agent that is not followed any more stays; of an unusable choice nothing is made.
        """
        if not chosen.usable:
            return
        if self._chosen is not None:
            self._sessions.choice_changed()
        self._chosen, self._is_cleared = chosen, False
        self._followed.clear()
        await self.clear_left_out()
        self._is_cleared = True

    async def clear_left_out(self) -> None:
        """Removes what may not be stored; a look that was under way when the choice changed may have stored some."""
        chosen = self.chosen
        if chosen.usable:
            projects = await self._db.read(sources.read_projects)
            await self._let_all_go([key for key, project in projects if not chosen.allows(project)])

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
        await self._sessions.settled()

    def expect_turns(self, keys: frozenset[str]) -> None:
        """The turns of these sessions ran when the service ended, and may run still."""
        self._sessions.expect_turns(keys)

    def end_backlog(self) -> None:
        """What was there at start has been looked at."""
        self._copies.end_backlog()

    async def take_in(self, path: Path, occasion: Occasion = LIVE) -> Look:
        """What the file's sessions have become. Raises StoreBusyError or StoreFullError, and starts over next time."""
        await self.load()
        if not is_storable(path):
            self.files.note(path, FileReport((ODD_NAME,)))
            return Look(stamp=stamp_or_none(path) or NO_STAMP)
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
            return Look(stamp=stamp or NO_STAMP, parts=advance.parts, is_read=advance.verdict is not Verdict.UNREADABLE)
        taken, again = await self._take_all(path, followed, advance, occasion)
        warm_ns = _WARM_LARGE_NS if advance.stamp.size > _LARGE_BYTES else _WARM_NS
        if not occasion.backlog or self._now_ns() - advance.stamp.modified_ns < warm_ns:
            self._remember(path, followed)
        return Look(taken, again, advance.stamp, advance.parts, 0.0 if followed.file.is_read_on else seconds)

    async def set_titles(self, roots: Iterable[Path]) -> None:
        """Passes on what Codex calls its sessions, where that is news; it stands in no session's own file."""
        changed = await asyncio.to_thread(self._changed_titles, tuple(roots))
        if changed:
            await self._db.write(lambda w: sources.set_titles(w, codex.AGENT, changed, self._now_ns()))

    def _changed_titles(self, roots: Sequence[Path]) -> Mapping[str, str]:
        changed = self.titles.changed(roots).items()
        return {f"{codex.AGENT}:{key}": redact(encodable(title)) for key, title in changed}

    async def _take_all(
        self, path: Path, followed: _Followed, advance: Advance, occasion: Occasion
    ) -> tuple[tuple[TakenIn, ...], frozenset[Path]]:
        taken: list[TakenIn] = []
        skipped: list[str] = []
        kept: set[str] = set()
        untouched = await self._sessions.restamp(path, advance, followed.taken, occasion)
        followed.taken |= untouched
        for session in await self._titled(path, advance.result.sessions):
            why = why_skipped(session, self.chosen, self.files.held_by(path))
            if why is None or why in UNDECIDED:
                kept.add(session.key)
            if why is None and session.key in untouched:
                continue
            outcome = why or await self._take(path, followed, advance, session, occasion)
            if isinstance(outcome, str):
                skipped.append(outcome)
            elif outcome is not None:
                taken.append(outcome)
        again = await self._release(path, self.files.held_by(path) - kept)
        self._report(path, advance, skipped or ([] if advance.result.sessions else [advance.result.why_empty]))
        return tuple(taken), again

    async def _take(
        self, path: Path, followed: _Followed, advance: Advance, session: Session, occasion: Occasion
    ) -> TakenIn | str | None:
        """How the session stands, None where nothing is new or another file has it; why it is not stored."""
        try:
            before, is_stored = followed.taken.get(session.key), self.files.has_holder(session.key)
            kept = await self._sessions.take(path, advance, session, before, occasion, is_stored=is_stored)
        except (StoreBusyError, StoreFullError):
            raise
        except Exception as error:
            # Something in it that the store cannot hold: the other sessions of the file must not wait behind it.
            log.error("session_broke file=%r error=%s", path.name, type(error).__name__)
            followed.taken.pop(session.key, None)
            return broke(error)
        if isinstance(kept, Kept):
            followed.taken[session.key] = kept.before
            self.files.note_holder(session.key, path)
            return kept.news
        if kept is not None:
            followed.taken.pop(session.key, None)
        if kept is Refused.OUTDONE:
            self.files.note_other(session.key, path)
            return None
        return kept

    async def _release(self, path: Path, keys: frozenset[str]) -> frozenset[Path]:
        """Sessions that a file no longer holds go, but for those another file has: it is to be looked at again."""
        again: set[Path] = set()
        for key in keys:
            others = {other for other in self.files.others(key) if not is_gone(other)}
            again |= others
            if others:
                await self._db.write(lambda w, key=key: sources.release_source(w, key, path))  # type: ignore[misc] # bound per loop
                self.files.release(key, path)
            else:
                again |= await self._give_back(key, path)
                await self._let_all_go([key], path)
        for other in again:
            self._followed.pop(other, None)
        return frozenset(again)

    async def _give_back(self, key: str, path: Path) -> set[Path]:
        """Files that were copied from a session whose own is gone: what they had of it is theirs before it goes.

        Each is to be looked at again, for this look was none of those that follow one another.
        """
        files = [file for file in await self._db.read(lambda r: sources.find_borrowers(r, key)) if file != path]
        with self._copies.without(key):
            for file in files:
                self._followed.pop(file, None)
                await self.take_in(file, Occasion(backlog=True))
        return set(files)

    async def _let_all_go(self, keys: Iterable[str], file: Path | None = None) -> None:
        """What is stored of them is removed, and their words leave the disk as soon as no reader holds the log."""
        gone = False
        try:
            for key in keys:
                forget = partial(sources.forget_session, key=key, now_ns=self._now_ns(), file=file)
                active_ns = await self._db.write(forget)
                self.files.release(key, file)
                if active_ns is not None:
                    gone = True
                    self._sessions.note_gone(key, active_ns)
        finally:
            if gone:
                self._purge_soon()

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
        if self._report(path, advance, [problem]):
            log.info("source_skipped file=%r problem=%s", path.name, problem)

    def _report(self, path: Path, advance: Advance, skipped: Iterable[str]) -> bool:
        """Whether that is news."""
        counts = advance.result.counts
        return self.files.note(path, FileReport(tuple(skipped), counts.broken, counts.too_large))

    def _remember(self, path: Path, followed: _Followed) -> None:
        self._followed[path] = followed
        while len(self._followed) > _KEPT_READERS:
            self._followed.popitem(last=False)

    def _now_ns(self) -> int:
        return int(self._now() * 1_000_000_000)
