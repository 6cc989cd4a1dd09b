"""Leaving no deleted text behind, neither in the database file nor in its write-ahead log.

`secure_delete` overwrites what a deletion frees, but not the copies that SQLite leaves in the unused middle of a page
when it moves rows to another one (seen in 1 of 60 trials of 400 writes each, SQLite 3.40.1). Only rebuilding the file
gets rid of those: 6 ms a megabyte, during which writes wait and reads go on.
"""

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from service.store.trouble import sqlite_name

log = logging.getLogger(__name__)

Execute = Callable[[str], Awaitable[list[tuple[int, ...]]]]
Own = Callable[[Awaitable[bool]], asyncio.Future[bool]]

_FIRST_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 0.5
# The file's own number is the only place that needs no table; the other one says which redaction rules were applied.
_MOST_OWED = 1 << 30


async def owe_purge(write: AsyncConnection) -> None:
    """Notes in the file, in the transaction that removes text, that a purge is owed: a kill does not forget it."""
    owed = int(await write.scalar(sa.text("PRAGMA application_id")) or 0)
    await write.exec_driver_sql(f"PRAGMA application_id={owed % _MOST_OWED + 1}")


class Purge:
    """Works on the one writing connection, outside any transaction, whenever it is that connection's turn."""

    def __init__(self, writer: AsyncEngine, turn: asyncio.Lock) -> None:
        self._writer = writer
        self._turn = turn
        self._rebuilt_at = 0

    async def finish(self, own: Own) -> bool:
        """Tries until nothing is left, a step at a time; each step is a task of the database's own."""
        pause = _FIRST_PAUSE_SECONDS
        # Whether a reader still holds the log only the next try can tell; there is no event to wait for.
        while not await asyncio.shield(own(self.once())):
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
        return True

    async def once(self) -> bool:
        """One try; False where a reader holds the log, or the disk takes nothing: the purge stays owed."""
        try:
            async with self._raw_writer() as execute:
                return await self._emptied(execute)
        except (sqlite3.Error, DBAPIError) as error:
            log.warning("purge_failed error=%s", sqlite_name(error) or type(error).__name__)
            return False

    async def _emptied(self, execute: Execute) -> bool:
        (owed,) = (await execute("PRAGMA application_id"))[0]
        if owed and owed != self._rebuilt_at:
            await _rebuild(execute)
            self._rebuilt_at = owed
        busy, _, _ = (await execute("PRAGMA wal_checkpoint(TRUNCATE)"))[0]
        if busy:
            return False
        if owed:
            # The writer's turn was never given up since `owed` was read: no deletion can have come in between.
            await execute("PRAGMA application_id=0")
            self._rebuilt_at = 0
        return True

    @contextlib.asynccontextmanager
    async def _raw_writer(self) -> AsyncIterator[Execute]:
        async with self._turn, self._writer.connect() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
            if driver is None:
                raise sqlite3.InterfaceError("the writing connection is closed")
            # A reader is waited for between tries, not while the only writing connection is held.
            await driver.execute_fetchall("PRAGMA busy_timeout=20")
            try:
                yield driver.execute_fetchall
            finally:
                await driver.execute_fetchall("PRAGMA busy_timeout=5000")


async def _rebuild(execute: Execute) -> None:
    # The copy may be as large as the database: it belongs into an unlinked file, not into memory.
    await execute("PRAGMA temp_store=FILE")
    try:
        await execute("VACUUM")
    finally:
        await execute("PRAGMA temp_store=MEMORY")
