"""Brings a database file to the newest revision, or leaves it exactly as it was."""

from importlib.resources import files
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

import service
from service.store.engine import open_engine


def script_location() -> Path:
    """The migrations: inside the package once installed, beside it in a checkout."""
    packaged = Path(str(files("service"))) / "migrations"
    return packaged if packaged.is_dir() else Path(str(service.__file__)).parents[1] / "migrations"


def config_for(connection: sa.Connection) -> Config:
    """Alembic's configuration, bound to one connection and its transaction."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(script_location()).replace("%", "%%"))
    return config


async def migrate(path: Path) -> None:
    """Upgrades the file, creating it where there is none; processes that start at once wait for each other.

    Foreign keys are off meanwhile: batch mode drops and renames tables, and a drop would cascade into their children.
    """
    engine = open_engine(path, begin="BEGIN IMMEDIATE", pragmas=("synchronous=FULL", "secure_delete=ON"), pool_size=1)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade)
            broken = (await connection.exec_driver_sql("PRAGMA foreign_key_check")).all()
            if broken:
                raise RuntimeError(f"{len(broken)} rows lost their parent in the migration; nothing was changed")
    finally:
        await engine.dispose()


def _upgrade(connection: sa.Connection) -> None:
    command.upgrade(config_for(connection), "head")
