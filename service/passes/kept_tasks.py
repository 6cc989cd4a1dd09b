"""Tasks that go on until they are closed: one that breaks is told and begins anew."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[None]]

_PAUSE_SECONDS = 5.0


class KeptTasks:
    """Owns endless works; what each of them waits for it asks for anew when it begins again."""

    def __init__(self, works: Mapping[str, Work], pause_seconds: float = _PAUSE_SECONDS) -> None:
        self._works = works
        self._pause_seconds = pause_seconds
        self._at_work: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def are_started(self) -> bool:
        """Whether they were begun at all."""
        return bool(self._tasks)

    @property
    def are_at_work(self) -> bool:
        """Whether all of them do their work at this moment, so that none waits to begin anew."""
        return self.are_started and self._at_work == self._works.keys()

    def start(self) -> None:
        """Begins all of them."""
        self._at_work = set(self._works)
        self._tasks = [asyncio.create_task(self._keep(name, work)) for name, work in self._works.items()]

    async def close(self) -> None:
        """Ends all of them; may be called twice."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep(self, name: str, work: Work) -> None:
        try:
            while True:
                self._at_work.add(name)
                await self._once(name, work)
                self._at_work.discard(name)
                await asyncio.sleep(self._pause_seconds)
        finally:
            self._at_work.discard(name)

    async def _once(self, name: str, work: Work) -> None:
        try:
            await work()
        except Exception as error:
            # A defect of ours, or a system that refuses what it never refused: nobody would see that the work ended.
            log.error("task_broke task=%s error=%s", name, type(error).__name__)
