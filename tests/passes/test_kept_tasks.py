"""Tasks that nobody sees end: one that breaks begins anew, and says so meanwhile."""

import asyncio

import pytest

from service.passes.kept_tasks import KeptTasks
from tests.support.wait import wait_until


class Clumsy:
    """Breaks so many times, then works on."""

    def __init__(self, breaks: int) -> None:
        self.breaks = breaks
        self.begun = 0

    async def work(self) -> None:
        self.begun += 1
        if self.begun <= self.breaks:
            raise ZeroDivisionError
        await asyncio.Event().wait()


async def test_a_work_that_breaks_begins_anew(caplog: pytest.LogCaptureFixture) -> None:
    """Each break is in the log with the work's name, and the other work never noticed."""
    clumsy, steady = Clumsy(2), Clumsy(0)
    tasks = KeptTasks({"clumsy": clumsy.work, "steady": steady.work}, pause_seconds=0)
    tasks.start()
    await wait_until(lambda: clumsy.begun == 3)
    await tasks.close()
    assert caplog.messages == ["task_broke task=clumsy error=ZeroDivisionError"] * 2
    assert steady.begun == 1


async def test_a_work_that_waits_to_begin_anew_is_not_at_work() -> None:
    """Before the start, while one of them waits, and after the end, nothing is said to be done."""
    clumsy = Clumsy(1)
    tasks = KeptTasks({"clumsy": clumsy.work, "steady": Clumsy(0).work}, pause_seconds=60)
    assert tasks.are_at_work is False
    tasks.start()
    assert tasks.are_at_work is True
    await wait_until(lambda: not tasks.are_at_work)
    assert tasks.are_started is True
    await tasks.close()
    await tasks.close()
    assert tasks.are_at_work is False
