"""One look after another at each file, at some files at once; what changes during its look is looked at again."""

import asyncio
import logging
import weakref
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from service.sources.session import LastTurn
from service.sources.stamps import NO_STAMP, Stamp

log = logging.getLogger(__name__)

# So many files of a backlog are under way at once, so that they share commits; changes do not wait behind them.
_BACKLOG_AT_ONCE = 32
# A file that takes this long to read is not read for more than a fifth of the time, however often it changes.
_SLOW_SECONDS = 0.5
_REST = 4.0
_LONGEST_REST_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class TakenIn:
    """How a session stands after a look: `moved` where messages or the turn's standing changed.

    `running` is None where the look told nothing new about the turn; not `live` is what happened before the service
    began. `row_at` is when the file gave its newest row, in epoch seconds.
    """

    key: str
    last_turn: LastTurn
    running: bool | None
    row_at: float
    moved: bool
    live: bool


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at one file came to.

    `again` are other files that have sessions this one held until then, `parts` those in which a change may show too;
    `seconds` is how long it took to read a file that is read whole at every change. What could not be read is to be
    looked at again even if nothing changes.
    """

    taken: tuple[TakenIn, ...] = ()
    again: frozenset[Path] = frozenset()
    stamp: Stamp = NO_STAMP
    parts: tuple[Path, ...] = ()
    seconds: float = 0.0
    is_read: bool = True

    @property
    def is_there(self) -> bool:
        """Whether there was a file to look at."""
        return self.stamp != NO_STAMP


@dataclass(frozen=True, slots=True)
class Occasion:
    """Why a file is looked at: what is found in a `backlog` ended before the service began.

    Where a turn `is_answered` somebody has said that it is over, and a closing text is taken for its end.
    """

    backlog: bool = False
    is_answered: bool = False


LIVE = Occasion()

LookAt = Callable[[Path, Occasion], Awaitable[Look]]
NoteBroken = Callable[[Path, Exception], None]


class Looks:
    """Owns every look from its asking to its end."""

    def __init__(self, look_at: LookAt, note_broken: NoteBroken = lambda _path, _error: None) -> None:
        self._look_at = look_at
        self._note_broken = note_broken
        self._locks: weakref.WeakValueDictionary[Path, asyncio.Lock] = weakref.WeakValueDictionary()
        self._backlog = asyncio.Semaphore(_BACKLOG_AT_ONCE)
        self._asked: set[Path] = set()
        self._rested_at: dict[Path, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def now(self, path: Path, occasion: Occasion = LIVE) -> None:
        """A look that begins after any that is under way, and is over when this returns."""
        lock = self._locks.get(path)
        if lock is None:
            lock = self._locks[path] = asyncio.Lock()
        async with lock:
            self._asked.discard(path)
            try:
                look = await self._look_at(path, occasion)
            except Exception as error:
                # A reader that breaks is a defect of ours: it must neither end the following nor pass in silence.
                log.error("look_broke file=%r error=%s", path.name, type(error).__name__)
                self._note_broken(path, error)
            else:
                # What was there at start does not make the first change wait.
                self._note_time(path, 0.0 if occasion.backlog else look.seconds)

    async def of_backlog(self, path: Path, occasion: Occasion) -> None:
        """The same, after others of the backlog."""
        async with self._backlog:
            await self.now(path, occasion)

    def soon(self, path: Path) -> None:
        """Asks for a look at a file that changed; until it begins, asking again changes nothing."""
        if path not in self._asked:
            self._asked.add(path)
            task = asyncio.create_task(self._when_rested(path))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Ends what was asked for; may be called twice."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _when_rested(self, path: Path) -> None:
        await asyncio.sleep(max(0.0, self._rested_at.get(path, 0.0) - monotonic()))
        await self.now(path)

    def _note_time(self, path: Path, seconds: float) -> None:
        if seconds > _SLOW_SECONDS:
            self._rested_at[path] = monotonic() + min(_REST * seconds, _LONGEST_REST_SECONDS)
        else:
            self._rested_at.pop(path, None)
