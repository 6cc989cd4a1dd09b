"""One look after another at each file, at some files at once; what changes during its look is looked at again."""

import asyncio
import logging
import weakref
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic

from service.passes.take_in import LIVE, Occasion

log = logging.getLogger(__name__)

LookAt = Callable[[Path, Occasion], Awaitable[None]]

# So many files of a backlog are under way at once, so that they share commits; changes do not wait behind them.
_BACKLOG_AT_ONCE = 32
# A file whose look takes this long is not looked at for more than a fifth of the time, however often it changes.
_SLOW_SECONDS = 0.5
_REST = 4.0
_LONGEST_REST_SECONDS = 60.0


class Looks:
    """Owns every look from its asking to its end."""

    def __init__(self, look_at: LookAt) -> None:
        self._look_at = look_at
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
            began = monotonic()
            try:
                await self._look_at(path, occasion)
            except Exception as error:
                # A reader that breaks is a defect of ours: it must neither end the following nor pass in silence.
                log.error("look_broke file=%r error=%s", path.name, type(error).__name__)
            self._note_time(path, monotonic() - began)

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
