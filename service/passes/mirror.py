"""Follows the agents' folders: what is there at start, what changes, and the turns that end there."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path

from service.config import ConfigFile
from service.domain.source_filter import SourceFilter
from service.passes.found_files import NOTHING, AgentFindings, FileReport, Findings
from service.passes.generate import Passes
from service.passes.kept_tasks import KeptTasks
from service.passes.looks import LIVE, Look, Looks, Occasion, TakenIn
from service.passes.mirrored import is_as_read
from service.passes.open_turns import OpenTurns
from service.passes.skipping import broke
from service.passes.take_in import FileIntake
from service.passes.watching import Watching
from service.sources import codex
from service.sources.places import Places, Unread
from service.sources.presence import is_folder, is_gone
from service.sources.stamps import NO_STAMP, Stamp, stamp_of, stamp_or_none
from service.store import sources
from service.store.engine import Database, StoreBusyError, StoreFullError
from service.store.sources import SourceRow

log = logging.getLogger(__name__)

_TICK_SECONDS = 0.5
# Some file systems tell of no change: half a minute without one is looked behind.
_LOOK_BEHIND_SECONDS = 30.0
_PROGRESS_EVERY = 200
# A person begins few sessions within a moment: more files than this that appear at once were brought from elsewhere.
_MOST_BEGUN_AT_ONCE = 3
_BRINGING_SECONDS = 10.0

_BACKLOG = Occasion(backlog=True)


class Mirror:
    """Reads agents' files and never writes to their folders; turn ends are acted on only where they happen."""

    def __init__(
        self,
        db: Database,
        intake: FileIntake,
        passes: Passes,
        config: ConfigFile,
        environ: Mapping[str, str],
        home: Path,
        now: Callable[[], float],
    ) -> None:
        self._db = db
        self._intake = intake
        self._turns = OpenTurns(db, passes, now)
        self._config = config
        self._environ = environ
        self._home = home
        self._now = now
        self._began_ns = int(now() * 1_000_000_000)
        self._looks = Looks(self._look_at, self._note_broken)
        # How each file and its parts were when they were last looked at; most files are looked at once in their life.
        self._looked: dict[Path, tuple[Stamp, tuple[Path, ...]]] = {}
        self._file_of_part: dict[Path, Path] = {}
        self._found: dict[Path, str] = {}
        self._closed: tuple[Unread, ...] = ()
        self._is_looking = False
        self._looked_at: float | None = None
        self._brought_until = 0.0
        self._next_filter: SourceFilter | None = None
        self._is_chosen_anew = False
        self._look_wanted = asyncio.Event()
        self._watching = Watching(lambda: self._places().folders(), self._look_wanted.set, self._take_in_changes)
        self._has_begun = False
        self._tasks = KeptTasks({"watch": self._watch, "look": self._look_when_wanted, "tick": self._tick})

    def start(self) -> None:
        """Begins with what is there, the file that changed last first, then follows what changes."""
        self._tasks.start()

    async def close(self) -> None:
        """Stops following; may be called twice."""
        self._watching.end()
        await self._tasks.close()
        await self._looks.close()
        await self._intake.close()

    async def catch_up(self, transcript_key: str) -> None:
        """Takes in what the file behind a transcript holds beyond the mirror; a host's transcript has none."""
        await self._catch_up(transcript_key, is_answered=False)

    async def catch_up_after_turn(self, transcript_key: str) -> None:
        """The same for a pass, which is made only of turns that are over: a closing text is not waited behind."""
        await self._catch_up(transcript_key, is_answered=True)
        await self._turns.end_answered(transcript_key)

    async def _catch_up(self, transcript_key: str, *, is_answered: bool) -> None:
        source = await self._db.read(lambda r: sources.find_source(r, transcript_key))
        stamp = None if source is None else await asyncio.to_thread(stamp_or_none, source.file)
        if source is None or (stamp is not None and is_as_read(source, stamp)):
            return
        is_old = not self._tasks.are_started or stamp is None or stamp.modified_ns < self._began_ns
        await self._looks.now(source.file, Occasion(backlog=is_old, is_answered=is_answered))

    async def findings(self) -> Findings:
        """What the last look at each agent's files came to, and what there is that is not read."""
        chosen, places = self._intake.chosen, Places.of(self._environ, self._home)
        left_out = await asyncio.to_thread(places.left_out)
        reports = self._intake.files.report(self._found, (*self._closed, *left_out))
        notes, following = places.notes(), self._tasks.are_at_work
        agents = tuple(
            AgentFindings(
                agent, folders, notes.get(agent), chosen.usable and chosen.follows(agent), reports.get(agent, NOTHING)
            )
            for agent, folders in places.by_agent().items()
        )
        return Findings(agents, following, self._is_looking or (following and not self._looked_at), self._looked_at)

    async def _watch(self) -> None:
        if not self._has_begun:
            # A turn that was running when the service ended is not known to run; the settings may be others since.
            await self._tried(self._end_turns)
            await self._tried(lambda: self._intake.choose(self._config.current().sources))
            self._has_begun = True
        await self._watching.run()

    async def _end_turns(self) -> None:
        self._intake.expect_turns(await self._db.write(sources.end_mirrored_turns))

    def _places(self) -> Places:
        return Places.of(self._environ, self._home, self._intake.chosen.agents)

    async def _tried(self, work: Callable[[], Awaitable[object]]) -> bool:
        """Whether it could be done; what the store did not take, or a disk not give, a later look brings again."""
        try:
            await work()
        except (OSError, StoreBusyError, StoreFullError) as error:
            log.warning("mirror_delayed error=%s", type(error).__name__)
            return False
        return True

    def _take_in_changes(self, paths: set[Path]) -> None:
        """What the watcher named, and a look at everything where it may have missed something.

        It names a new folder, but not what was written there before it could watch it; and a file that is gone may
        have another name by now, under which it must be found first.
        """
        places = self._places()
        files = {found for path in paths if (found := places.file_at(path))}
        files |= {self._file_of_part[part] for path in paths if (part := self._part(path))}
        there = {path for path in files if not is_gone(path)}
        new = {path for path in there if not self._intake.files.knows(path)}
        brought = new if self._are_brought(len(new)) else set()
        for path in sorted(there - brought):
            self._looks.soon(path)
        if brought or files - there or any(is_folder(path) for path in paths - files):
            self._look_wanted.set()

    def _part(self, path: Path) -> Path | None:
        return next((part for part in (path, path.parent) if part in self._file_of_part), None)

    def _are_brought(self, new_files: int) -> bool:
        """Whether new files hold old sessions, of which none is to be summarized unasked."""
        if new_files > _MOST_BEGUN_AT_ONCE:
            self._brought_until = self._now() + _BRINGING_SECONDS
        return self._now() < self._brought_until

    async def _look_when_wanted(self) -> None:
        while True:
            await self._look_wanted.wait()
            self._look_wanted.clear()
            self._is_looking = True
            try:
                await self._tried(self._look_at_everything)
            finally:
                self._is_looking = False

    async def _look_at_everything(self) -> None:
        """Every file that is not as it was read, then what became of the sessions whose files are gone."""
        await self._intake.load()
        known = {row.file: row for row in await self._db.read(sources.read_sources)}
        self._intake.titles.retry()
        search = await asyncio.to_thread(self._places().search)
        self._closed = search.closed
        self._found, stamps = await asyncio.to_thread(self._stamped, search.files)
        changed = [path for path in self._found if not self._is_known(path, stamps[path], known.get(path))]
        await self._look_at_changed(changed, stamps)
        self._intake.end_backlog()
        for path in await asyncio.to_thread(_missing, self._intake.files.holders() - self._found.keys()):
            await self._looks.now(path, _BACKLOG)
        await self._intake.clear_left_out()
        await self._take_titles()
        self._looked_at = self._now()

    async def _look_at_changed(self, changed: Sequence[Path], stamps: Mapping[Path, Stamp]) -> None:
        new = {path for path in changed if not self._intake.files.knows(path)}
        fresh = {path for path in changed if stamps[path].modified_ns >= self._began_ns}
        live = fresh - new if self._are_brought(len(fresh & new)) else fresh
        if self._is_chosen_anew:
            # What happened while it was left out is no news.
            self._is_chosen_anew, live = False, set()
        done = 0

        async def look(path: Path) -> None:
            nonlocal done
            await self._looks.of_backlog(path, LIVE if path in live else _BACKLOG)
            done += 1
            if done % _PROGRESS_EVERY == 0 or done == len(changed):
                log.info("mirror_progress done=%d of=%d", done, len(changed))

        await asyncio.gather(*map(look, changed))

    def _stamped(self, files: Iterable[tuple[str, Path]]) -> tuple[dict[Path, str], dict[Path, Stamp]]:
        """Every agent's file with its stamp, the one that changed last first."""
        found: list[tuple[Path, str, Stamp]] = []
        for agent, path in files:
            _, parts = self._looked.get(path, (None, ()))
            try:
                found.append((path, agent, stamp_of(path, parts)))
            except OSError:
                continue
        found.sort(key=lambda entry: -entry[2].modified_ns)
        return {path: agent for path, agent, _ in found}, {path: stamp for path, _, stamp in found}

    def _is_known(self, path: Path, stamp: Stamp, row: SourceRow | None) -> bool:
        if path in self._looked:
            return self._looked[path][0] == stamp
        return row is not None and is_as_read(row, stamp)

    async def _look_at(self, path: Path, occasion: Occasion) -> Look:
        look = Look()

        async def take_in() -> None:
            nonlocal look
            look = await self._intake.take_in(path, occasion)

        if not await self._tried(take_in):
            return look
        if look.is_there:
            self._looked[path] = (look.stamp if look.is_read else NO_STAMP, look.parts)
            if path not in self._found and (agent := self._places().agent_of(path)):
                self._found[path] = agent
        else:
            self._looked.pop(path, None)
            self._found.pop(path, None)
        self._file_of_part |= dict.fromkeys(look.parts, path)
        for other in look.again:
            self._looked.pop(other, None)
            self._looks.soon(other)
        await self._tried(lambda: self._note_turns(look.taken))
        return look

    async def _note_turns(self, taken: Iterable[TakenIn]) -> None:
        for one in taken:
            await self._turns.note(one)

    def _note_broken(self, path: Path, error: Exception) -> None:
        """Tells of a file that our own code broke at, which is not looked at again before it changes."""
        self._intake.files.note(path, FileReport((broke(error),)))
        self._looked[path] = (stamp_or_none(path) or NO_STAMP, ())

    async def _tick(self) -> None:
        """What only the clock tells."""
        next_look = self._now() + _LOOK_BEHIND_SECONDS
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            await self._tried(self._turns.end_quiet)
            await self._follow_settings()
            await self._watching.look_for_folders()
            if self._looked_at is not None:
                await self._tried(self._take_titles)
            if self._now() >= next_look:
                next_look = self._now() + _LOOK_BEHIND_SECONDS
                self._look_wanted.set()

    async def _follow_settings(self) -> None:
        """Another choice of agents and projects counts once it has stood for a moment: half a file says none."""
        chosen = self._config.current().sources
        if not chosen.usable or self._intake.is_settled(chosen):
            self._next_filter = None
        elif chosen != self._next_filter:
            self._next_filter = chosen
        elif await self._tried(lambda: self._intake.choose(chosen)):
            # What was skipped may be wanted; what was taken in the store knows.
            self._looked.clear()
            self._is_chosen_anew = True
            self._look_wanted.set()

    async def _take_titles(self) -> None:
        roots = [root for place, roots in self._places().places if place.agent == codex.AGENT for root in roots]
        await self._intake.set_titles(roots)


def _missing(paths: Iterable[Path]) -> list[Path]:
    return [path for path in paths if is_gone(path)]
