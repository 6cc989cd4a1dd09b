"""Calls for one-line titles, beside HTTP."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from service.config import ConfigFile, set_value
from service.passes.titles import Titles
from service.passes.worker import QUEUE_BOUND, Worker
from service.store import transcripts
from service.store.access import DASHBOARD
from service.store.engine import Database
from service.store.tables import Pass
from service.summarizers.outline import Outline
from tests.support.stored import NOW_NS, open_slot, replied, said


@pytest.fixture
def config(tmp_path: Path) -> ConfigFile:
    """The feature on, one pass at a time."""
    for key, value in (("session_summary.enabled", True), ("max_passes", 1), ("pass_deadline_seconds", 1)):
        set_value(tmp_path / "config.json", key, value)
    return ConfigFile(tmp_path / "config.json")


@pytest.fixture
async def worker(config: ConfigFile) -> AsyncIterator[Worker]:
    """The worker that bounds what runs at once."""
    worker = Worker(lambda: config.current().max_passes)
    yield worker
    await worker.close()


@pytest.fixture
def titles(db: Database, config: ConfigFile, worker: Worker) -> Titles:
    """Titles by the outline, which needs no model."""
    return Titles(db, config, worker, lambda _: Outline())


async def reasons(db: Database) -> list[str | None]:
    async with asyncio.timeout(5):
        return [row[0] for row in await db.read(lambda r: r.execute(sa.select(Pass.reason).order_by(Pass.id)))]


async def test_the_agents_file_is_read_first(db: Database, titles: Titles) -> None:
    """What the file holds beyond the mirror is taken in before the identity is: the line is fresh afterwards."""
    await open_slot(db, "s", said("Sort the imports of the shop"))
    pending = [said("Now write the docs of the warehouse")]

    async def catch_up(key: str) -> None:
        if pending:
            news = [replied("Sorted, committed and pushed."), pending.pop()]
            await db.write(lambda w: transcripts.append_messages(w, key, news, NOW_NS + 1))

    titles.catch_up_with(catch_up)
    lines = await titles.lines(["s"], DASHBOARD)
    assert lines is not None
    assert "warehouse" in lines["s"]
    assert await titles.lines(["s"], DASHBOARD) == lines
    assert await reasons(db) == [None]


async def test_a_call_that_takes_too_long_ends(db: Database, titles: Titles) -> None:
    """A file that cannot be read in time: no line, reason deadline, and the next request is free to try again."""
    await open_slot(db, "s", said("Sort the imports of the shop"))
    never = asyncio.Event()

    async def catch_up(_: str) -> None:
        await never.wait()

    titles.catch_up_with(catch_up)
    assert await titles.lines(["s"], DASHBOARD) == {}
    never.set()
    assert set(await titles.lines(["s"], DASHBOARD) or {}) == {"s"}
    assert await reasons(db) == ["deadline", None]


async def test_no_more_wait_than_may(db: Database, titles: Titles, worker: Worker) -> None:
    """With the queue full a line is left out, and the ledger says why."""
    await open_slot(db, "s", said("Sort the imports of the shop"))
    busy = asyncio.Event()

    async def job() -> object:
        await busy.wait()
        raise AssertionError("cut short before")

    for _ in range(QUEUE_BOUND + 1):
        worker.submit(job)  # type: ignore[arg-type] # it never comes to a result
    assert await titles.lines(["s"], DASHBOARD) == {}
    assert await reasons(db) == ["queue_full"]


async def test_a_stopping_service_ends_its_calls(db: Database, titles: Titles, worker: Worker) -> None:
    """Whoever waits for a line is answered, and the ledger has the row."""
    await open_slot(db, "s", said("Sort the imports of the shop"))
    started = asyncio.Event()

    async def catch_up(_: str) -> None:
        started.set()
        await asyncio.Event().wait()

    titles.catch_up_with(catch_up)
    waiting = asyncio.create_task(titles.lines(["s"], DASHBOARD))
    await started.wait()
    await worker.close()
    assert await waiting == {}
    assert await reasons(db) == ["deadline"]
