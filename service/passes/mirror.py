"""Follows the agents' folders: what is there at start, what changes, and the turns that end there."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path

from watchfiles import awatch

from service.config import ConfigFile, SourceFilter
from service.passes.found_files import AgentFindings, Findings
from service.passes.generate import Passes
from service.passes.looks import LIVE, Look, Looks, Occasion
from service.passes.mirrored import is_as_read
from service.passes.open_turns import OpenTurns
from service.passes.take_in import FileIntake
from service.sources import codex
from service.sources.places import Places
from service.sources.stamps import Stamp, stamp_of, stamp_or_none
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
        self._looks = Looks(self._look_at)
        # How each file and its parts were when they were last looked at; most files are looked at once in their life.
        self._looked: dict[Path, tuple[Stamp, tuple[Path, ...]]] = {}
        self._file_of_part: dict[Path, Path] = {}
        self._found: dict[Path, str] = {}
        self._is_looking = False
        self._looked_at: float | None = None
        self._brought_until = 0.0
        self._next_filter: SourceFilter | None = None
        self._watched: frozenset[Path] = frozenset()
        self._folders_changed = asyncio.Event()
        self._look_wanted = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins with what is there, the file that changed last first, then follows what changes."""
        self._tasks = [asyncio.create_task(work()) for work in (self._run, self._look_when_wanted, self._tick)]

    async def close(self) -> None:
        """Stops following; may be called twice."""
        self._folders_changed.set()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
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
        is_old = not self._tasks or stamp is None or stamp.modified_ns < self._began_ns
        await self._looks.now(source.file, Occasion(backlog=is_old, is_answered=is_answered))

    def findings(self) -> Findings:
        """What the last look at each agent's files came to."""
        wanted, reports = self._intake.wanted.agents, self._intake.files.report(self._found)
        agents = tuple(
            AgentFindings(agent, folders, wanted is None or agent in wanted, reports.get(agent))
            for agent, folders in Places.of(self._environ, self._home).by_agent().items()
        )
        return Findings(agents, bool(self._tasks), self._is_looking, self._looked_at)

    async def _run(self) -> None:
        # A turn that was running when the service ended is not known to run; the settings may be others since.
        await self._tried(lambda: self._db.write(sources.end_mirrored_turns))
        await self._tried(lambda: self._intake.want(self._config.current().sources))
        while True:
            self._watched = await asyncio.to_thread(self._folders)
            self._folders_changed.clear()
            try:
                await self._follow()
            except OSError as error:
                # Without a watcher (its limit reached, say) a look every half minute takes its place.
                log.warning("watching_failed error=%s", type(error).__name__)
            await self._folders_changed.wait()

    def _folders(self) -> frozenset[Path]:
        return self._places().folders()

    def _places(self) -> Places:
        return Places.of(self._environ, self._home, self._intake.wanted.agents)

    async def _tried(self, work: Callable[[], Awaitable[object]]) -> bool:
        """Whether it could be done; what the store did not take, or a disk not give, a later look brings again."""
        try:
            await work()
        except (OSError, StoreBusyError, StoreFullError) as error:
            log.warning("mirror_delayed error=%s", type(error).__name__)
            return False
        return True

    async def _follow(self) -> None:
        """Takes in what is there and what changes, until the set of agents' folders is another one."""
        if not self._watched:
            self._look_wanted.set()
            return
        changes = awatch(
            *self._watched,
            watch_filter=None,
            stop_event=self._folders_changed,
            step=50,
            debounce=200,
            ignore_permission_denied=True,
        )
        # The watcher begins before the first look, so that no change can fall between the two.
        next_changes = asyncio.ensure_future(anext(changes, None))
        await asyncio.sleep(0)
        self._look_wanted.set()
        try:
            while (changed := await next_changes) is not None:
                next_changes = asyncio.ensure_future(anext(changes, None))
                self._take_in_changes({Path(name) for _, name in changed})
        finally:
            next_changes.cancel()
            await asyncio.gather(next_changes, return_exceptions=True)
            await changes.aclose()

    def _take_in_changes(self, paths: set[Path]) -> None:
        """What the watcher named, and a look at everything where it may have missed something.

        It names a new folder, but not what was written there before it could watch it; and a file that is gone may
        have another name by now, under which it must be found first.
        """
        places = self._places()
        files = {path for path in paths if places.agent_of(path)}
        files |= {self._file_of_part[part] for path in paths if (part := self._part(path))}
        there = {path for path in files if path.exists()}
        new = {path for path in there if not self._intake.files.knows(path)}
        brought = new if self._are_brought(len(new)) else set()
        for path in sorted(there - brought):
            self._looks.soon(path)
        if brought or files - there or any(path.is_dir() for path in paths - files):
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
            await self._tried(self._look_at_everything)
            self._is_looking = False

    async def _look_at_everything(self) -> None:
        """Every file that is not as it was read, then what became of the sessions whose files are gone."""
        await self._intake.load()
        known = {row.file: row for row in await self._db.read(sources.read_sources)}
        self._found, stamps = await asyncio.to_thread(self._find)
        changed = [path for path in self._found if not self._is_known(path, stamps[path], known.get(path))]
        await self._look_at_changed(changed, stamps)
        self._intake.end_backlog()
        for path in await asyncio.to_thread(_missing, self._intake.files.holders() - self._found.keys()):
            await self._looks.now(path, _BACKLOG)
        await self._take_titles()
        self._looked_at = self._now()

    async def _look_at_changed(self, changed: Sequence[Path], stamps: Mapping[Path, Stamp]) -> None:
        new = {path for path in changed if not self._intake.files.knows(path)}
        fresh = {path for path in changed if stamps[path].modified_ns >= self._began_ns}
        live = fresh - new if self._are_brought(len(fresh & new)) else fresh
        done = 0

        async def look(path: Path) -> None:
            nonlocal done
            await self._looks.of_backlog(path, LIVE if path in live else _BACKLOG)
            done += 1
            if done % _PROGRESS_EVERY == 0 or done == len(changed):
                log.info("mirror_progress done=%d of=%d", done, len(changed))

        await asyncio.gather(*map(look, changed))

    def _find(self) -> tuple[dict[Path, str], dict[Path, Stamp]]:
        """Every agent's file with its stamp, the one that changed last first."""
        found: list[tuple[Path, str, Stamp]] = []
        for agent, path in self._places().files():
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
            self._looked[path] = (look.stamp, look.parts)
            if path not in self._found and (agent := self._places().agent_of(path)):
                self._found[path] = agent
        else:
            self._looked.pop(path, None)
            self._found.pop(path, None)
        self._file_of_part |= dict.fromkeys(look.parts, path)
        for other in look.again:
            self._looked.pop(other, None)
            self._looks.soon(other)
        for one in look.taken:
            await self._turns.note(one)
        return look

    async def _tick(self) -> None:
        """What only the clock tells."""
        next_look = self._now() + _LOOK_BEHIND_SECONDS
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            await self._tried(self._turns.end_quiet)
            await self._follow_settings()
            if await asyncio.to_thread(self._folders) != self._watched:
                self._folders_changed.set()
            if self._looked_at is not None:
                await self._tried(self._take_titles)
            if self._now() >= next_look:
                next_look = self._now() + _LOOK_BEHIND_SECONDS
                self._look_wanted.set()

    async def _follow_settings(self) -> None:
        """Another choice of agents and projects counts once it has stood for a moment: half a file says none."""
        wanted = self._config.current().sources
        if wanted == self._intake.wanted:
            self._next_filter = None
        elif wanted != self._next_filter:
            self._next_filter = wanted
        elif await self._tried(lambda: self._intake.want(wanted)):
            held = self._intake.files.holders()
            self._looked = {path: looked for path, looked in self._looked.items() if path in held}
            self._look_wanted.set()

    async def _take_titles(self) -> None:
        roots = [root for place, roots in self._places().places if place.agent == codex.AGENT for root in roots]
        await self._intake.set_titles(roots)


def _missing(paths: Iterable[Path]) -> list[Path]:
    return [path for path in paths if not path.exists()]
