"""Brings a database file to the newest revision, or leaves it exactly as it was."""

import logging
from importlib.resources import files
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import DatabaseError

import service
from service.store.engine import opened_engine
from service.store.folder import DataFolder
from service.store.trouble import is_corrupt

log = logging.getLogger(__name__)

# A start may take 2 s; looking through a file takes 0.8 s a gigabyte (measured with the file in memory).
_MOST_CHECKED_BYTES = 512 << 20


class DamagedError(Exception):
    """SQLite can open the file, and finds that its pages do not fit together."""


def script_location() -> Path:
    """The migrations: inside the package once installed, beside it in a checkout."""
    packaged = Path(str(files("service"))) / "migrations"
    return packaged if packaged.is_dir() else Path(str(service.__file__)).parents[1] / "migrations"


def config_for(connection: sa.Connection) -> Config:
    """Alembic's configuration, bound to one connection and its transaction."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(script_location()).replace("%", "%%"))
    return config


async def open_for_serving(folder: DataFolder, now: float) -> None:
    """Migrates the folder's database; one that SQLite cannot read is moved aside, never deleted, and a new one made."""
    try:
        await migrate(folder.database, looked_through=True)
        return
    except (DatabaseError, DamagedError) as error:
        if isinstance(error, DatabaseError) and not is_corrupt(error):
            raise
    moved = folder.set_database_aside(now)
    log.error("database_unreadable moved_aside=%s", ",".join(file.name for file in moved))
    await migrate(folder.database)


async def migrate(path: Path, *, looked_through: bool = False) -> None:
    """Upgrades the file, creating it where there is none; processes that start at once wait for each other.

    Foreign keys are off meanwhile: batch mode drops and renames tables, and a drop would cascade into their children.
    """
    pragmas = ("synchronous=FULL", "secure_delete=ON")
    async with opened_engine(path, begin="BEGIN IMMEDIATE", pragmas=pragmas) as engine, engine.begin() as connection:
        if looked_through:
            await connection.run_sync(_look_through)
        await connection.run_sync(_upgrade)
        broken = (await connection.exec_driver_sql("PRAGMA foreign_key_check")).all()
        if broken:
            raise RuntimeError(f"{len(broken)} rows lost their parent in the migration; nothing was changed")


def _look_through(connection: sa.Connection) -> None:
    pages, page_bytes = (
        int(connection.exec_driver_sql(f"PRAGMA {n}").scalar_one()) for n in ("page_count", "page_size")
    )
    if pages * page_bytes > _MOST_CHECKED_BYTES:
        return
    if connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() != "ok":
        raise DamagedError


def _upgrade(connection: sa.Connection) -> None:
    """A file that a later release migrated is left as it is: its tables can still be read."""
    config = config_for(connection)
    known = {revision.revision for revision in ScriptDirectory.from_config(config).walk_revisions()}
    at = set(MigrationContext.configure(connection).get_current_heads())
    if at <= known:
        command.upgrade(config, "head")
    else:
        log.warning("database_of_a_later_release revision=%s", ",".join(sorted(at)))
