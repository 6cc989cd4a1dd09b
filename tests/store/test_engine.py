"""Reads and writes: whole or not at all, whoever goes away, whatever else is going on."""

import asyncio
import gc
import os
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, IntegrityError, OperationalError

from service.store.engine import Database, Read, StoreBusyError, StoreFullError, Write
from tests.support.threads import connection_threads


@pytest.fixture
async def numbers(tmp_path: Path) -> AsyncIterator[Database]:
    """A database with one table of numbers."""
    db = Database(tmp_path / "numbers.db")
    await db.write(lambda w: w.execute(sa.text("CREATE TABLE numbers (n INTEGER PRIMARY KEY CHECK (n >= 0)) STRICT")))
    yield db
    await db.close()


async def add(w: Write, n: int) -> int:
    await w.execute(sa.text("INSERT INTO numbers VALUES (:n)"), {"n": n})
    return n


async def stored(db: Database) -> list[int]:
    return list(await db.read(lambda r: r.scalars(sa.text("SELECT n FROM numbers ORDER BY n"))))


async def test_writes_that_wait_are_each_answered_with_their_own_result(numbers: Database) -> None:
    """Two hundred writes at once: each gets what it gave back, and all of them are there."""
    given = await asyncio.gather(*(numbers.write(lambda w, n=n: add(w, n)) for n in range(200)))  # type: ignore[misc] # bound per loop
    assert given == list(range(200))
    assert await stored(numbers) == list(range(200))


async def test_writes_that_wait_share_commits(numbers: Database) -> None:
    """A hundred writes that come while one is under way need a few commits, not a hundred."""
    commits = 0

    def count() -> None:
        nonlocal commits
        commits += 1

    numbers.on_commit(count)
    await asyncio.gather(*(numbers.write(lambda w, n=n: add(w, n)) for n in range(100)))  # type: ignore[misc] # bound per loop
    assert commits <= 4


async def test_a_write_that_fails_harms_no_other(numbers: Database) -> None:
    """Every third write breaks in its middle: it alone is told so and leaves nothing, the others are there."""

    async def twice(w: Write, n: int) -> int:
        await add(w, n)
        return await add(w, 1000 + n if n % 3 else -1)

    outcomes = await asyncio.gather(
        *(numbers.write(lambda w, n=n: twice(w, n)) for n in range(60)),  # type: ignore[misc] # bound per loop
        return_exceptions=True,
    )
    assert all(isinstance(outcome, IntegrityError) == (n % 3 == 0) for n, outcome in enumerate(outcomes))
    good = [n for n in range(60) if n % 3]
    assert await stored(numbers) == [*good, *(1000 + n for n in good)]


async def test_where_the_whole_transaction_is_lost_everybody_is_told(numbers: Database) -> None:
    """SQLite took back the transaction that several writes shared: none of them is told that it was stored."""

    async def lose(w: Write) -> None:
        await w.exec_driver_sql("ROLLBACK")
        await w.exec_driver_sql("SELECT broken")

    works = (lambda w: add(w, 1)), lose, (lambda w: add(w, 2))
    await numbers.write(lambda w: add(w, 0))
    outcomes = await asyncio.gather(*(numbers.write(work) for work in works), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [OperationalError] * 3
    assert await stored(numbers) == [0]


async def test_a_caller_that_goes_away_halves_nothing(numbers: Database) -> None:
    """Callers cancelled at any moment: each write is there whole or not at all, and the next one goes through."""

    async def pair(w: Write, n: int) -> None:
        await add(w, 2 * n)
        await add(w, 2 * n + 1)

    tasks = []
    for n in range(100):
        tasks.append(asyncio.create_task(numbers.write(lambda w, n=n: pair(w, n))))  # type: ignore[misc] # bound per loop
        for _ in range(n % 7):
            await asyncio.sleep(0)
        tasks[-1].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await numbers.write(lambda w: add(w, 1000))
    found = await stored(numbers)
    assert found[-1] == 1000
    assert all((n ^ 1) in found for n in found[:-1])


async def test_a_write_to_the_end_is_known_even_to_a_cancelled_caller(numbers: Database) -> None:
    """Whoever must know how its write ended is told, though it was cancelled while it waited."""
    task = asyncio.create_task(numbers.write_to_the_end(lambda w: add(w, 5)))
    await asyncio.sleep(0)
    task.cancel()
    assert await task == 5


async def test_readers_go_on_while_a_write_is_under_way(numbers: Database) -> None:
    """Twenty reads end while a write holds its transaction open, and see what was before."""
    may_end = asyncio.Event()

    async def slow(w: Write) -> None:
        await add(w, 1)
        await may_end.wait()

    writing = asyncio.create_task(numbers.write(slow))
    async with asyncio.timeout(5):
        assert await asyncio.gather(*(stored(numbers) for _ in range(20))) == [[]] * 20
    may_end.set()
    await writing
    assert await stored(numbers) == [1]


async def test_a_reader_cannot_write(numbers: Database) -> None:
    """A read that tries to write is refused by the database itself."""
    with pytest.raises(StoreFullError, match="READONLY"):
        await numbers.read(lambda r: add(Write(r), 1))


async def test_a_lock_held_elsewhere_is_busy_for_all_that_wait(numbers: Database) -> None:
    """Another process holds the database: whatever waits is told so together, reads go on, and later writes succeed."""
    other = sqlite3.connect(numbers.path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    began = asyncio.get_running_loop().time()
    writes = [asyncio.create_task(numbers.write(lambda w, n=n: add(w, n))) for n in range(10)]  # type: ignore[misc] # bound per loop
    assert await stored(numbers) == []
    outcomes = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StoreBusyError] * 10
    # One wait for all that had queued, not one each.
    assert asyncio.get_running_loop().time() - began < 20
    other.rollback()
    other.close()
    assert await numbers.write(lambda w: add(w, 7)) == 7


async def test_closing_lets_what_runs_end_and_turns_the_rest_away(numbers: Database) -> None:
    """A write under way at close is stored; one that comes later is refused; closing twice is nothing special."""
    running = asyncio.create_task(numbers.write(lambda w: add(w, 1)))
    await asyncio.sleep(0)
    await numbers.close()
    assert await running == 1
    for refused in (numbers.write(lambda w: add(w, 2)), numbers.read(_nothing)):
        with pytest.raises(StoreBusyError):
            await refused
    assert not await numbers.purge(1)
    await numbers.close()
    with sqlite3.connect(numbers.path) as connection:
        assert connection.execute("SELECT n FROM numbers").fetchall() == [(1,)]
    connection.close()


async def _nothing(_: Read) -> None:
    return None


async def test_fifty_databases_leave_no_thread_and_no_file_handle(tmp_path: Path) -> None:
    """Opening, using and closing fifty times leaves threads and file handles as they were."""

    async def one_round(n: int) -> None:
        db = Database(tmp_path / "rounds.db")
        await db.write(lambda w: w.exec_driver_sql(f"CREATE TABLE t{n} (x)"))
        await asyncio.gather(*(db.read(_nothing) for _ in range(4)))
        await db.close()

    await one_round(0)
    gc.collect()
    before = threading.active_count(), len(os.listdir("/dev/fd"))
    for n in range(1, 51):
        await one_round(n)
    gc.collect()
    # What earlier tests left to the collector may have gone meanwhile, so there may be fewer.
    assert threading.active_count() <= before[0]
    assert len(os.listdir("/dev/fd")) <= before[1]


def _as_a_folder(path: Path) -> None:
    path.mkdir()


def _as_something_else(path: Path) -> None:
    path.write_bytes(b"no database, but long enough to look at" * 50)


@pytest.mark.parametrize("prepare", [_as_a_folder, _as_something_else])
async def test_a_file_that_cannot_be_opened_leaves_no_thread(tmp_path: Path, prepare: Callable[[Path], None]) -> None:
    """The thread of a failed connection is gone once the failure is told: it cannot speak to a loop that has ended."""
    prepare(tmp_path / "a.db")
    before = connection_threads()
    for _ in range(20):
        db = Database(tmp_path / "a.db")
        with pytest.raises((StoreFullError, DatabaseError)) as raised:
            await db.read(_nothing)
        assert connection_threads() <= before, raised
        await db.close()
