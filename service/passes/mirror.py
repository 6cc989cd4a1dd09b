"""Follows the agents' folders: what is there at start, what changes, and the turns that end there."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from watchfiles import awatch

from service.passes.generate import Passes
from service.passes.mirrored import is_open, stop_reason
from service.passes.take_in import FileIntake, TakenIn
from service.sources.formats import PLACES, find_files
from service.sources.places import belongs
from service.sources.session import LastTurn
from service.store import sources
from service.store.engine import Database, StoreBusyError, StoreFullError
from service.store.sources import SourceRow

log = logging.getLogger(__name__)

_QUIET_CHECK_SECONDS = 2.0
_LOOK_FOR_AGENTS_SECONDS = 30.0
_PROGRESS_EVERY = 200

Stamp = tuple[int, int, int]


class Mirror:
    """Reads agents' files and never writes to their folders; turn ends are acted on only where they happen."""

    def __init__(
        self,
        db: Database,
        intake: FileIntake,
        passes: Passes,
        environ: Mapping[str, str],
        home: Path,
        now: Callable[[], float],
    ) -> None:
        self._db = db
        self._intake = intake
        self._passes = passes
        self._environ = environ
        self._home = home
        self._now = now
        self._began_ns = int(now() * 1_000_000_000)
        self._looked_once = False
        # Files that hold no session of a person have no row in the store: their stamps are remembered here.
        self._looked: dict[Path, Stamp] = {}
        self._open: dict[str, TakenIn] = {}
        self._one_file = asyncio.Lock()
        self._stop = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins with what is there, the file that changed last first, then follows what changes."""
        self._tasks = [asyncio.create_task(self._run()), asyncio.create_task(self._end_quiet_turns())]

    async def close(self) -> None:
        """Stops following; may be called twice."""
        self._stop.set()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def catch_up(self, transcript_key: str) -> None:
        """Takes in what the file behind a transcript holds beyond the mirror; a host's transcript has none."""
        source = await self._db.read(lambda r: sources.find_source(r, transcript_key))
        if source is not None:
            await self._take_in(_file_of(source), backlog=True)

    async def _run(self) -> None:
        while not self._stop.is_set():
            roots = self._roots()
            try:
                if roots:
                    await self._follow(roots)
                    continue
            except (OSError, StoreBusyError, StoreFullError) as error:
                # Without a watcher (its limit reached, say) a look every half minute takes its place.
                log.warning("mirror_interrupted error=%s", type(error).__name__)
            await self._pause(_LOOK_FOR_AGENTS_SECONDS)

    def _roots(self) -> list[Path]:
        return [root for place in PLACES for root in place.roots(self._environ, self._home) if root.is_dir()]

    async def _follow(self, roots: Sequence[Path]) -> None:
        """Takes in what is there and what changes, until the set of agents' folders is another one."""
        changes = awatch(
            *roots,
            watch_filter=None,
            stop_event=self._stop,
            step=50,
            debounce=200,
            rust_timeout=int(_LOOK_FOR_AGENTS_SECONDS * 1000),
            yield_on_timeout=True,
            ignore_permission_denied=True,
        )
        # The watcher begins before the first look, so that no change can fall between the two.
        next_changes = asyncio.ensure_future(anext(changes, None))
        await asyncio.sleep(0)
        try:
            await self._take_in_what_is_there()
            while (changed := await next_changes) is not None and set(self._roots()) == set(roots):
                next_changes = asyncio.ensure_future(anext(changes, None))
                await self._take_in_changes({Path(name) for _, name in changed})
        finally:
            next_changes.cancel()
            await asyncio.gather(next_changes, return_exceptions=True)
            await changes.aclose()

    async def _take_in_changes(self, paths: set[Path]) -> None:
        """What the watcher named, and a look at everything where it may have missed something.

        It names a new folder, but not what was written there before it could watch it; on some file systems it names
        nothing at all, so half a minute of silence is looked behind as well.
        """
        if not paths or any(path.is_dir() for path in paths):
            await self._take_in_what_is_there()
        for path in sorted(paths):
            if any(belongs(place, path, self._environ, self._home) for place in PLACES):
                await self._act_on(await self._take_in(path))

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._stop.wait()
        except TimeoutError:
            return

    async def _take_in_what_is_there(self) -> None:
        """Every file that is not as it was read; a turn that ended before the service began asks no model anything."""
        await self._end_stored_turns()
        known = {row.path: row for row in await self._db.read(sources.read_sources)}
        found = await asyncio.to_thread(self._find)
        there = {str(path) for path, _ in found}
        for row in known.values():
            if str(_file_of(row)) not in there:
                await self._take_in(_file_of(row), backlog=True)
        changed = [
            (path, stamp)
            for path, stamp in found
            if self._looked.get(path) != stamp and not _is_known(known.get(str(path)), stamp)
        ]
        for done, (path, stamp) in enumerate(changed, 1):
            backlog = stamp[2] < self._began_ns
            taken = await self._take_in(path, backlog=backlog)
            self._looked[path] = stamp
            if not backlog:
                await self._act_on(taken)
            if done % _PROGRESS_EVERY == 0 or done == len(changed):
                log.info("mirror_progress done=%d of=%d files=%d", done, len(changed), len(found))

    async def _end_stored_turns(self) -> None:
        """A turn that was running when the service ended is not known to run; once, before the first look."""
        if not self._looked_once:
            await self._db.write(sources.end_mirrored_turns)
            self._looked_once = True

    def _find(self) -> list[tuple[Path, Stamp]]:
        """Every agent's file with its stamp, the one that changed last first."""
        found = []
        for place in PLACES:
            for path in find_files(place, self._environ, self._home):
                try:
                    stat = path.stat()
                except OSError:
                    continue
                found.append((path, (stat.st_ino, stat.st_size, stat.st_mtime_ns)))
        return sorted(found, key=lambda entry: -entry[1][2])

    async def _take_in(self, path: Path, *, backlog: bool = False) -> list[TakenIn]:
        async with self._one_file:
            try:
                taken = await self._intake.take_in(path, backlog=backlog)
            except (StoreBusyError, StoreFullError) as error:
                # The next change, or the next start, takes it in: the file is compared with what is stored.
                log.warning("mirror_delayed error=%s", type(error).__name__)
                return []
        for one in taken:
            if one.running:
                self._open[one.key] = one
            else:
                self._open.pop(one.key, None)
        return taken

    async def _act_on(self, taken: Sequence[TakenIn]) -> None:
        for one in taken:
            if one.moved and one.last_turn is LastTurn.COMPLETED:
                await self._passes.turn_ended(one.key)

    async def _end_quiet_turns(self) -> None:
        """A turn without an end marker is over once its file has been quiet for long enough."""
        while not self._stop.is_set():
            await self._pause(_QUIET_CHECK_SECONDS)
            for one in tuple(self._open.values()):
                if not is_open(one.last_turn, self._now() - one.last_row_at):
                    await self._end_quiet_turn(one)

    async def _end_quiet_turn(self, one: TakenIn) -> None:
        now_ns, reason = int(self._now() * 1_000_000_000), stop_reason(one.last_turn)
        try:
            await self._db.write(
                lambda w: sources.set_mirrored_turn(w, one.key, running=False, stop_reason=reason, now_ns=now_ns)
            )
        except (StoreBusyError, StoreFullError) as error:
            log.warning("turn_end_delayed error=%s", type(error).__name__)
            return
        self._open.pop(one.key, None)
        await self._passes.turn_ended(one.key)


def _file_of(source: SourceRow) -> Path:
    """The file itself: a row of one session among several names it behind a `#`."""
    return Path(source.path.removesuffix(f"#{source.transcript_key.partition(':')[2]}"))


def _is_known(row: SourceRow | None, stamp: Stamp) -> bool:
    return row is not None and (row.inode, row.size, row.mtime_ns) == stamp
