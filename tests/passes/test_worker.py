"""The queue of passes: its bounds, how many run at once, and its end."""

import asyncio

from service.passes.outcome import CUT_SHORT, MODEL_ERROR, PassResult
from service.passes.worker import QUEUE_BOUND, Job, Worker
from service.store.ledger import Outcome

STORED = PassResult(Outcome.STORED)


async def stored() -> PassResult:
    return STORED


class Gate:
    """Jobs that wait until the test lets them go, and what became of them."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.running = 0
        self.most = 0
        self.books_closed = 0

    def job(self) -> Job:
        async def wait() -> PassResult:
            self.running += 1
            self.most = max(self.most, self.running)
            try:
                await self.open.wait()
            finally:
                self.running -= 1
                await asyncio.sleep(0)
                self.books_closed += 1
            return STORED

        return wait


async def test_so_many_run_at_once_and_no_more() -> None:
    """Ten passes on a worker of three: never more than three at a time, and all of them end."""
    worker, gate = Worker(lambda: 3), Gate()
    results = [worker.submit(gate.job()) for _ in range(10)]
    await asyncio.sleep(0)
    assert (worker.running, worker.queued) == (3, 7)
    gate.open.set()
    assert [await result for result in results if result] == [STORED] * 10
    assert gate.most == 3
    await worker.close()


async def test_a_full_queue_says_so() -> None:
    """Behind the bound a pass is turned away at once."""
    worker, gate = Worker(lambda: 1), Gate()
    results = [worker.submit(gate.job()) for _ in range(QUEUE_BOUND + 1)]
    assert all(results)
    assert worker.submit(gate.job()) is None
    await worker.close()


async def test_a_caller_that_goes_away_ends_no_pass() -> None:
    """Whoever waits may be cancelled; the pass is made all the same."""
    worker, gate = Worker(lambda: 1), Gate()
    result = worker.submit(gate.job())
    assert result is not None
    waiting = asyncio.ensure_future(asyncio.wait({result}))
    await asyncio.sleep(0)
    waiting.cancel()
    gate.open.set()
    assert await result is STORED


async def test_closing_lets_every_pass_close_its_own_books() -> None:
    """What runs, what waits and what was to begin this moment is cut short, each after its last words."""
    worker, gate = Worker(lambda: 2), Gate()
    running = [worker.submit(gate.job()) for _ in range(5)]
    await asyncio.sleep(0)
    await worker.close()
    assert [await result for result in running if result] == [CUT_SHORT] * 5
    assert gate.books_closed == 5
    assert (worker.running, worker.queued) == (0, 0)
    assert worker.submit(stored) is None
    await worker.close()


async def test_closing_right_behind_a_submit_still_answers() -> None:
    """A pass whose task has not taken its first step when the service stops has a result too."""
    worker, gate = Worker(lambda: 1), Gate()
    result = worker.submit(gate.job())
    await worker.close()
    assert result is not None
    assert await result is CUT_SHORT
    assert gate.books_closed == 1


async def test_a_defect_in_a_pass_ends_that_pass_alone() -> None:
    """A pass that raises is a failed one; the next in the queue is made."""

    async def broken() -> PassResult:
        raise ZeroDivisionError

    worker = Worker(lambda: 1)
    results = [worker.submit(broken), worker.submit(stored)]
    assert [(await result).reason for result in results if result] == [MODEL_ERROR, None]
    await worker.close()


async def test_a_raised_limit_counts_from_the_next_pass_on() -> None:
    """`max_passes` is read as each pass begins."""
    limit = 1
    worker, gate = Worker(lambda: limit), Gate()
    results = [worker.submit(gate.job()) for _ in range(2)]
    limit = 4
    results += [worker.submit(gate.job()) for _ in range(2)]
    assert worker.running == 4
    gate.open.set()
    assert [await result for result in results if result] == [STORED] * 4
