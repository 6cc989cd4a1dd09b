"""The database while no service runs."""

import asyncio
import os
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa

from service.store import tokens
from service.store.engine import Database
from service.store.offline import (
    DatabaseUnusableError,
    bring_up_to_date,
    opened_for_writing,
    read_once,
    read_revisions,
)
from tests.support.threads import connection_threads


async def test_an_empty_file_is_outdated_until_it_is_migrated(tmp_path: Path) -> None:
    """Bringing it up to date gives it this release's newest revision."""
    path = tmp_path / "a.db"
    assert (await read_once(path, read_revisions)).outdated
    await bring_up_to_date(path)
    found = await read_once(path, read_revisions)
    assert (found.outdated, found.file) == (False, found.newest)


async def test_a_later_releases_file_is_left_alone(db: Database) -> None:
    """Its revision is unknown here, and it is read as it is."""
    await db.write(lambda w: w.execute(sa.text("UPDATE alembic_version SET version_num = '9999'")))
    found = await read_once(db.path, read_revisions)
    assert (found.file, found.outdated) == ("9999", False)


async def test_a_read_cannot_write(db: Database) -> None:
    """The connection refuses."""
    with pytest.raises(DatabaseUnusableError, match="readonly"):
        await read_once(db.path, lambda r: r.execute(sa.text("DELETE FROM tokens")))


async def test_what_is_written_is_there_afterwards(tmp_path: Path) -> None:
    """A new file is made, migrated and written; nothing is left in its log."""
    path = tmp_path / "a.db"
    async with opened_for_writing(path) as db:
        await db.write(lambda w: tokens.add_token(w, "digest", "app", 1))
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT app FROM tokens").fetchall() == [("app",)]
    connection.close()
    assert os.listdir(tmp_path) == ["a.db"]


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    """It is said in words, whatever was wanted of it."""
    path = tmp_path / "a.db"
    path.write_bytes(b"no database, but long enough to look at" * 50)
    with pytest.raises(DatabaseUnusableError, match="file is not a database"):
        await read_once(path, read_revisions)
    with pytest.raises(DatabaseUnusableError, match="file is not a database"):
        await bring_up_to_date(path)


async def test_a_read_that_is_broken_off_ends_its_connection(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Ctrl-C may come while the file is being opened, read or closed: nothing is left running, and nothing is said."""
    path = tmp_path / "a.db"
    await bring_up_to_date(path)
    before = connection_threads()
    for steps in range(40):
        reading = asyncio.ensure_future(read_once(path, read_revisions))
        for _ in range(steps):
            await asyncio.to_thread(int)
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        for thread in connection_threads() - before:
            thread.join(timeout=2)
        assert connection_threads() <= before, steps
    assert caplog.messages == []
