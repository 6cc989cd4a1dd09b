"""Every revision, up and down, over files that hold rows."""

import logging
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from service.store.engine import open_engine
from service.store.schema import config_for, migrate, script_location

REVISIONS = [revision.revision for revision in reversed(list(ScriptDirectory(str(script_location())).walk_revisions()))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session-summary.db"


async def run(path: Path, work: Callable[[Config], None], *, scripts: Path | None = None) -> None:
    """Runs one of alembic's commands in one transaction, as the service does."""

    def on(connection: sa.Connection) -> None:
        config = config_for(connection)
        if scripts is not None:
            config.set_main_option("script_location", str(scripts))
        work(config)

    engine = open_engine(path, begin="BEGIN IMMEDIATE", pragmas=(), pool_size=1)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(on)
    finally:
        await engine.dispose()


def ask(path: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    found = connection.execute(query).fetchall()
    connection.close()
    return found


def tables(path: Path) -> list[str]:
    names = ask(path, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1")
    return [str(name) for (name,) in names if name != "alembic_version"]


def fill(path: Path) -> dict[str, int]:
    """One row in every table, each pointing at the others; the number of rows by table."""
    connection = sqlite3.connect(path)
    for table in tables(path):
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
        values = {name: {"TEXT": "k", "INTEGER": 1, "REAL": 1.5}[kind] for _, name, kind, *_ in columns}
        marks = ", ".join("?" * len(values))
        connection.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", list(values.values()))  # noqa: S608 - names of ours
    connection.commit()
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    return count(path)


def content(path: Path) -> bytes:
    return path.read_bytes()


def count(path: Path) -> dict[str, int]:
    return {table: len(ask(path, f"SELECT 1 FROM {table}")) for table in tables(path)}  # noqa: S608 - names of ours


async def test_models_and_migrations_agree(path: Path) -> None:
    """A migrated file has exactly the tables, columns and indexes that the code expects."""
    await migrate(path)
    await run(path, command.check)


async def test_down_to_nothing_and_up_again(path: Path) -> None:
    """Every revision can be taken back; what is then left is an empty file, which can be brought up again."""
    await migrate(path)
    first = ask(path, "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2")
    await run(path, lambda config: command.downgrade(config, "base"))
    assert tables(path) == []
    await migrate(path)
    assert ask(path, "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2") == first


@pytest.mark.parametrize("revision", REVISIONS)
async def test_rows_of_every_older_shape_survive(path: Path, revision: str) -> None:
    """A file of an earlier release, with a row in each table, keeps all of them; a second start changes nothing."""
    await run(path, lambda config: command.upgrade(config, revision))
    rows = fill(path)
    await migrate(path)
    assert {table: number for table, number in count(path).items() if table in rows} == rows
    before = content(path)
    await migrate(path)
    assert content(path) == before


@pytest.mark.parametrize("revision", REVISIONS)
async def test_rows_survive_going_back(path: Path, revision: str) -> None:
    """Back to any earlier revision the rows of its tables are still there, children with their parents."""
    await migrate(path)
    rows = fill(path)
    await run(path, lambda config: command.downgrade(config, revision))
    left = count(path)
    assert left == {table: number for table, number in rows.items() if table in left}
    assert ask(path, "PRAGMA foreign_key_check") == []


@pytest.mark.slow
def test_four_processes_that_migrate_at_once_all_end_well(path: Path) -> None:
    """They wait for each other; the file is migrated once."""
    program = (
        "import asyncio, pathlib, sys; from service.store.schema import migrate; "
        "asyncio.run(migrate(pathlib.Path(sys.argv[1])))"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", program, str(path)], stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    ended = [(process.communicate()[1], process.returncode) for process in processes]
    assert [code for _, code in ended] == [0] * 4, ended
    assert ask(path, "SELECT version_num FROM alembic_version") == [(REVISIONS[-1],)]


_BROKEN = """
import sqlalchemy as sa
from alembic import op

revision = "broken"
down_revision = "{newest}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table("half_done", sa.Column("n", sa.Integer()))
    op.execute("DELETE FROM messages")
    op.execute("INSERT INTO nowhere VALUES (1)")


def downgrade() -> None:
    op.drop_table("half_done")
"""


async def test_a_revision_that_fails_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    """A migration that breaks in its middle is taken back whole: revision, tables and rows are as they were."""
    scripts = tmp_path / "migrations"
    shutil.copytree(script_location(), scripts)
    (scripts / "versions" / "broken.py").write_text(_BROKEN.format(newest=REVISIONS[-1]))
    await migrate(path)
    rows = fill(path)
    with pytest.raises(sa.exc.OperationalError, match="nowhere"):
        await run(path, lambda config: command.upgrade(config, "head"), scripts=scripts)
    assert count(path) == rows
    assert ask(path, "SELECT version_num FROM alembic_version") == [(REVISIONS[-1],)]


async def test_a_file_of_a_later_release_is_left_as_it_is(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Going back to an older release works on: the file is not touched, and the log says whose it is."""
    await migrate(path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    before = content(path)
    with caplog.at_level(logging.WARNING, "service"):
        await migrate(path)
    assert "database_of_a_later_release revision=9999" in caplog.text
    assert content(path) == before
