"""What must happen some time: emptying the log after a deletion, bounding history and ledger."""

import asyncio
import logging
from collections.abc import Callable

from service.store.engine import Database, StoreBusyError, StoreFullError, Write
from service.store.events import prune_events
from service.store.ledger import prune_skips

log = logging.getLogger(__name__)

_PRUNE_SECONDS = 600.0
_PURGE_SECONDS = 5.0


class Upkeep:
    """Two tasks of the service; at start the log is always emptied, since a kill may have left text of a deletion."""

    def __init__(self, db: Database, now: Callable[[], float]) -> None:
        self._db = db
        self._now = now
        self._wanted = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins both tasks."""
        self._wanted.set()
        self._tasks = [asyncio.create_task(self._purge()), asyncio.create_task(self._prune())]

    def purge_soon(self) -> None:
        """Asks for the log to be emptied as soon as no reader holds it."""
        self._wanted.set()

    async def close(self) -> None:
        """Ends both tasks; closing the database empties the log once more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _purge(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            if not await self._db.purge(_PURGE_SECONDS):
                log.warning("purge_delayed")
                self._wanted.set()

    async def _prune(self) -> None:
        while True:
            try:
                await self._db.write(self._prune_once)
            except (StoreBusyError, StoreFullError) as error:
                log.warning("prune_delayed error=%s", type(error).__name__)
            await asyncio.sleep(_PRUNE_SECONDS)
            # Sessions whose files an agent removed went without anybody waiting for their purge.
            self._wanted.set()

    async def _prune_once(self, write: Write) -> None:
        now = self._now()
        await prune_events(write, int(now * 1_000_000_000))
        await prune_skips(write, now)
