"""The two engines on one SQLite file, and the only way to read or write it."""

import asyncio
import contextlib
import functools
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NewType, TypeVar

import aiosqlite
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from service.store.functions import FUNCTIONS
from service.store.purge import Purge
from service.store.trouble import StoreBusyError, StoreFullError, store_trouble

__all__ = ["Database", "Read", "StoreBusyError", "StoreFullError", "Write", "open_engine", "opened_engine"]

# One connection class, two types: a function that says Write can only be handed to Database.write.
Read = NewType("Read", AsyncConnection)
Write = NewType("Write", AsyncConnection)

T = TypeVar("T")

_COMMON = ("journal_mode=WAL", "busy_timeout=5000", "mmap_size=0", "temp_store=MEMORY")
_WRITER = ("synchronous=FULL", "secure_delete=ON", "foreign_keys=ON")
# Readers never checkpoint: before SQLite 3.51.3 two connections that do so at once can corrupt the file.
_READERS = ("query_only=ON", "wal_autocheckpoint=0")
_READER_COUNT = 4
# Beyond this a write is turned away at once: it would wait for longer than anybody wants to.
_MOST_WAITING = 4096
# So many writes share a commit; the last of them is answered no later than all of them take.
_MOST_PER_COMMIT = 64


def open_engine(path: Path, *, begin: str, pragmas: tuple[str, ...], pool_size: int) -> AsyncEngine:
    """An engine whose transactions begin exactly as said; the driver's own notion of them is switched off."""
    engine = create_async_engine(
        sa.URL.create("sqlite+aiosqlite", database=str(path)),
        async_creator=functools.partial(_connected, path, (*_COMMON, *pragmas)),
        pool_size=pool_size,
        max_overflow=0,
        hide_parameters=True,
    )

    @event.listens_for(engine.sync_engine, "begin")
    def start(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


@contextlib.asynccontextmanager
async def opened_engine(path: Path, *, begin: str, pragmas: tuple[str, ...]) -> AsyncIterator[AsyncEngine]:
    """An engine with one connection for the length of a block; it is closed to the end, whoever breaks it off."""
    engine = open_engine(path, begin=begin, pragmas=pragmas, pool_size=1)
    try:
        yield engine
    finally:
        await _to_the_end(asyncio.ensure_future(engine.dispose()))


async def _to_the_end(task: asyncio.Future[T]) -> T:
    """What the task gives back; a caller that is cancelled meanwhile still waits for it."""
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        return await task


async def _connected(path: Path, pragmas: Sequence[str]) -> aiosqlite.Connection:
    """A connection ready for use; one that fails or is broken off on the way has ended, with its thread."""
    connection = aiosqlite.connect(path, isolation_level=None, check_same_thread=False)
    thread = connection._thread
    # A connection that somebody forgot must not keep the process alive.
    thread.daemon = True
    try:
        await connection
        for pragma in pragmas:
            await connection.execute_fetchall(f"PRAGMA {pragma}")
        for name, function in FUNCTIONS.items():
            await connection.create_function(name, 1, function, deterministic=True)
    except BaseException:
        await connection.close()
        # The driver tells the thread of a failed connection to stop and goes on: its last word would then meet a loop
        # that may have been closed.
        await asyncio.to_thread(thread.join)
        raise
    return connection


@dataclass(frozen=True, slots=True)
class _Queued:
    """A write that waits for its turn, and the future its caller waits for."""

    work: Callable[[Write], Awaitable[Any]]
    done: asyncio.Future[Any]

    def settle(self, outcome: object) -> None:
        if isinstance(outcome, BaseException):
            self.done.set_exception(outcome)
            self.done.exception()  # a caller that went away does not read it
        else:
            self.done.set_result(outcome)


class Database:
    """Reads and writes run as tasks of their own: a cancelled caller neither halves nor blocks a transaction."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writer = open_engine(path, begin="BEGIN IMMEDIATE", pragmas=_WRITER, pool_size=1)
        self._readers = open_engine(path, begin="BEGIN", pragmas=_READERS, pool_size=_READER_COUNT)
        # Fair, which the pool is not: a purge gets its turn between two commits however many writes wait.
        self._turn = asyncio.Lock()
        self._purge = Purge(self._writer, self._turn)
        self._queue: deque[_Queued] = deque()
        self._committing: Sequence[_Queued] = ()
        self._drain: asyncio.Future[None] | None = None
        self._running: set[asyncio.Future[Any]] = set()
        self._listeners: list[Callable[[], None]] = []
        self._closed = False

    @property
    def waiting_writes(self) -> int:
        """How many writes are queued or under way."""
        return len(self._queue) + len(self._committing)

    def on_commit(self, listener: Callable[[], None]) -> None:
        """Calls `listener` after every commit; what was committed it reads from the rows."""
        self._listeners.append(listener)

    async def write(self, work: Callable[[Write], Awaitable[T]]) -> T:
        """Runs `work` in an immediate transaction: all of it is committed before this returns, or nothing.

        Writes that wait share a commit, in the order they came. Raises StoreBusyError or StoreFullError where the
        database could not be written.
        """
        if self._closed or len(self._queue) >= _MOST_WAITING:
            raise StoreBusyError("closed" if self._closed else "too many writes wait")
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.append(_Queued(work, done))
        if self._drain is None or self._drain.done():
            self._drain = self._own(self._commit_all())
        return await asyncio.shield(done)

    async def write_to_the_end(self, work: Callable[[Write], Awaitable[T]]) -> T:
        """Like `write`, but a caller that is cancelled meanwhile still learns how it ended."""
        return await _to_the_end(self._own(self.write(work)))

    async def _commit_all(self) -> None:
        while self._queue:
            self._committing = [self._queue.popleft() for _ in range(min(len(self._queue), _MOST_PER_COMMIT))]
            (committed,) = await asyncio.gather(self._commit(self._committing), return_exceptions=True)
            if isinstance(committed, BaseException):
                # Nothing was written, so nobody may be told that it was.
                committed = [committed] * len(self._committing)
            else:
                for listener in self._listeners:
                    listener()
            for queued, outcome in zip(self._committing, committed, strict=True):
                queued.settle(outcome)
            self._committing = ()

    async def _commit(self, writes: Sequence[_Queued]) -> Sequence[object]:
        """What each write gave back, or the error that it alone failed with; raises what made all of them fail."""
        with _store_errors():
            async with self._turn, self._writer.begin() as connection:
                if len(writes) == 1:
                    return [await writes[0].work(Write(connection))]
                return [await _attempt(connection, write) for write in writes]

    async def read(self, work: Callable[[Read], Awaitable[T]]) -> T:
        """Runs `work` in one read transaction: every statement in it sees the same state."""
        if self._closed:
            raise StoreBusyError("closed")

        async def transact() -> T:
            with _store_errors():
                async with self._readers.begin() as connection:
                    return await work(Read(connection))

        return await asyncio.shield(self._own(transact()))

    def _own(self, transaction: Awaitable[T]) -> asyncio.Future[T]:
        task = asyncio.ensure_future(transaction)
        self._running.add(task)
        task.add_done_callback(self._forget)
        return task

    def _forget(self, task: asyncio.Future[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # a caller that went away does not read it

    async def purge(self, deadline_seconds: float) -> bool:
        """Leaves no deleted text in the database or its log; False where that could not be done in time.

        Never raises for a busy or full disk: what was deleted stays deleted, and the purge stays owed.
        """
        if self._closed:
            return False
        # The last step runs to its end even where nobody waits for it any more.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(deadline_seconds):
                return await self._purge.finish(self._own)
        return False

    async def close(self) -> None:
        """Waits for what runs, empties the log, leaves no thread behind; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        while self._running:
            await asyncio.gather(*self._running, return_exceptions=True)
        await self._readers.dispose()
        await self._purge.once()
        await self._writer.dispose()


async def _attempt(connection: AsyncConnection, write: _Queued) -> object:
    """Runs one write of several: a failure takes back what that write did, unless SQLite took back everything."""
    savepoint = await connection.begin_nested()
    outcome: object
    (outcome,) = await asyncio.gather(write.work(Write(connection)), return_exceptions=True)
    if not isinstance(outcome, BaseException):
        await savepoint.commit()
        return outcome
    driver = (await connection.get_raw_connection()).driver_connection
    if driver is None or not driver.in_transaction:
        raise outcome
    await savepoint.rollback()
    return store_trouble(outcome) or outcome


@contextlib.contextmanager
def _store_errors() -> Iterator[None]:
    try:
        yield
    except (PoolTimeout, DBAPIError) as error:
        trouble = store_trouble(error)
        if trouble is None:
            raise
        raise trouble from error
