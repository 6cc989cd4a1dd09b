"""The two engines on one SQLite file, and the only way to read or write it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NewType, TypeVar

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

# One connection class, two types: a function that says Write can only be handed to Database.write.
Read = NewType("Read", AsyncConnection)
Write = NewType("Write", AsyncConnection)

T = TypeVar("T")

_COMMON = ("journal_mode=WAL", "busy_timeout=5000", "mmap_size=0", "temp_store=MEMORY")
_WRITER = ("synchronous=FULL", "secure_delete=ON", "foreign_keys=ON")
# Readers never checkpoint: before SQLite 3.51.3 two connections that do so at once can corrupt the file.
_READERS = ("query_only=ON", "wal_autocheckpoint=0")
_READER_COUNT = 4
_PURGE_RETRY_SECONDS = 0.05


class StoreBusyError(Exception):
    """Somebody else holds the database for longer than a write may wait."""


class StoreFullError(Exception):
    """The disk takes no more: full, read-only or failing."""


def open_engine(path: Path, *, begin: str, pragmas: tuple[str, ...], pool_size: int) -> AsyncEngine:
    """An engine whose transactions begin exactly as said; the driver's own notion of them is switched off."""
    url = sa.URL.create("sqlite+aiosqlite", database=str(path))
    engine = create_async_engine(url, pool_size=pool_size, max_overflow=0, hide_parameters=True)

    @event.listens_for(engine.sync_engine, "connect")
    def connect(dbapi: sa.engine.interfaces.DBAPIConnection, _: object) -> None:
        dbapi.isolation_level = None
        cursor = dbapi.cursor()
        for pragma in (*_COMMON, *pragmas):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def start(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


class Database:
    """Reads and writes run as tasks of their own: a cancelled caller neither halves nor blocks a transaction."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writer = open_engine(path, begin="BEGIN IMMEDIATE", pragmas=_WRITER, pool_size=1)
        self._readers = open_engine(path, begin="BEGIN", pragmas=_READERS, pool_size=_READER_COUNT)
        self._running: set[asyncio.Future[Any]] = set()
        self._listeners: list[Callable[[], None]] = []
        self._waiting_writes = 0
        self._closed = False

    @property
    def waiting_writes(self) -> int:
        """How many writes are queued or under way."""
        return self._waiting_writes

    def on_commit(self, listener: Callable[[], None]) -> None:
        """Calls `listener` after every commit; what was committed it reads from the rows."""
        self._listeners.append(listener)

    async def write(self, work: Callable[[Write], Awaitable[T]]) -> T:
        """Runs `work` in one immediate transaction: all of it is committed, or nothing.

        Raises StoreBusyError or StoreFullError where the database could not be written.
        """

        async def transact() -> T:
            self._waiting_writes += 1
            try:
                with _store_errors():
                    async with self._writer.begin() as connection:
                        result = await work(Write(connection))
            finally:
                self._waiting_writes -= 1
            for listener in self._listeners:
                listener()
            return result

        return await self._own(transact())

    async def read(self, work: Callable[[Read], Awaitable[T]]) -> T:
        """Runs `work` in one read transaction: every statement in it sees the same state."""

        async def transact() -> T:
            with _store_errors():
                async with self._readers.begin() as connection:
                    return await work(Read(connection))

        return await self._own(transact())

    async def _own(self, transaction: Awaitable[T]) -> T:
        task = asyncio.ensure_future(transaction)
        self._running.add(task)
        task.add_done_callback(self._forget)
        return await asyncio.shield(task)

    def _forget(self, task: asyncio.Future[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # a caller that went away does not read it

    async def purge(self, deadline_seconds: float) -> bool:
        """Empties the write-ahead log, so that no deleted text is left in it; False where readers held it that long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(deadline_seconds):
                # Whether a reader still holds the log only the next try can tell; there is no event to wait for.
                while not await self._own(self._truncate_log()):  # noqa: ASYNC110
                    await asyncio.sleep(_PURGE_RETRY_SECONDS)
                return True
        return False

    async def _truncate_log(self) -> bool:
        with _store_errors():
            async with self._raw_writer() as execute:
                # A reader is waited for between tries, not while the only writing connection is held.
                await execute("PRAGMA busy_timeout=20")
                try:
                    busy, _, _ = (await execute("PRAGMA wal_checkpoint(TRUNCATE)"))[0]
                finally:
                    await execute("PRAGMA busy_timeout=5000")
                return bool(busy == 0)

    @contextlib.asynccontextmanager
    async def _raw_writer(self) -> AsyncIterator[Callable[[str], Awaitable[list[tuple[int, ...]]]]]:
        """The writer's connection outside any transaction, as checkpoints need it."""
        async with self._writer.connect() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
            if driver is None:
                raise StoreBusyError
            yield driver.execute_fetchall

    async def close(self) -> None:
        """Waits for what runs, empties the log, leaves no thread behind; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        while self._running:
            await asyncio.gather(*self._running, return_exceptions=True)
        await self._readers.dispose()
        with contextlib.suppress(StoreBusyError, StoreFullError):
            await self._truncate_log()
        await self._writer.dispose()


@contextlib.contextmanager
def _store_errors() -> Iterator[None]:
    try:
        yield
    except PoolTimeout as error:
        raise StoreBusyError("no connection became free") from error
    except DBAPIError as error:
        kind = str(getattr(error.orig, "sqlite_errorname", ""))
        if kind.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise StoreBusyError(kind) from error
        if kind.startswith(("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN")):
            raise StoreFullError(kind) from error
        raise
