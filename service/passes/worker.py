"""Runs passes as tasks of the service: a bounded queue, so many at once, drained at the end."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable

from service.passes.outcome import CUT_SHORT, MODEL_ERROR, PassResult, failed

log = logging.getLogger(__name__)

Job = Callable[[], Awaitable[PassResult]]

QUEUE_BOUND = 256


class Worker:
    """Owns every pass from its queueing to its end; whoever waits for one may go away without ending it."""

    def __init__(self, most_at_once: Callable[[], int]) -> None:
        self._most_at_once = most_at_once
        self._queue: deque[tuple[Job, asyncio.Future[PassResult]]] = deque()
        self._running: set[asyncio.Task[None]] = set()
        self._closing = False

    @property
    def queued(self) -> int:
        """How many passes wait for their turn."""
        return len(self._queue)

    @property
    def running(self) -> int:
        """How many passes are under way."""
        return len(self._running)

    def submit(self, job: Job) -> "asyncio.Future[PassResult] | None":
        """Queues a pass; None where the queue is full or the service stops. The future always gets a result."""
        if self._closing or len(self._queue) >= QUEUE_BOUND:
            return None
        result: asyncio.Future[PassResult] = asyncio.get_running_loop().create_future()
        self._queue.append((job, result))
        self._start_more()
        return result

    def _start_more(self) -> None:
        while self._queue and not self._closing and len(self._running) < self._most_at_once():
            self._run_next()

    def _run_next(self) -> None:
        task = asyncio.create_task(_run(*self._queue.popleft()))
        self._running.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._start_more()

    async def close(self) -> None:
        """Cancels what runs and what waits, and returns when no pass is left; may be called twice.

        A pass that waits is begun and cut short: it holds a lease and owes the ledger a row, which only it can see to.
        """
        self._closing = True
        while self._queue:
            self._run_next()
        # A task that was cancelled before its first step would never take that step, nor its last.
        await asyncio.sleep(0)
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


async def _run(job: Job, result: asyncio.Future[PassResult]) -> None:
    ended = CUT_SHORT
    try:
        ended = await job()
    except Exception as error:
        # A pass says itself how it ended; what arrives here is a defect of ours, and must not end the worker.
        log.error("pass_broke error=%s", type(error).__name__)
        ended = failed(MODEL_ERROR)
    finally:
        result.set_result(ended)
