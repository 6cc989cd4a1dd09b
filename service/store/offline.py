"""The database while no service runs: what commands need of a file that nobody serves."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa
from alembic.script import ScriptDirectory
from sqlalchemy.exc import DatabaseError

from service.store.engine import Database, Read, StoreBusyError, StoreFullError, opened_engine
from service.store.schema import config_for, migrate

T = TypeVar("T")

# A reader never checkpoints: a service that starts meanwhile does, and two at once can corrupt the file.
_PRAGMAS = ("query_only=ON", "wal_autocheckpoint=0")


class DatabaseUnusableError(Exception):
    """The file cannot be used; the message says why."""


@contextlib.asynccontextmanager
async def opened_for_writing(path: Path) -> AsyncIterator[Database]:
    """The database, migrated, for the one process that holds the folder's lock; its log is emptied at the end."""
    await bring_up_to_date(path)
    db = Database(path)
    try:
        yield db
    finally:
        await db.close()


async def bring_up_to_date(path: Path) -> None:
    """Migrates the file; the folder's lock is the caller's to hold. Raises DatabaseUnusableError."""
    with _unusable(path):
        await migrate(path)


async def read_once(path: Path, work: Callable[[Read], Awaitable[T]]) -> T:
    """Runs `work` in one read transaction and changes nothing. Raises DatabaseUnusableError."""
    with _unusable(path):
        async with opened_engine(path, begin="BEGIN", pragmas=_PRAGMAS) as engine, engine.begin() as connection:
            return await work(Read(connection))


@dataclass(frozen=True, slots=True)
class Revisions:
    """The revision a file is at (None: never migrated), the one this release migrates to, and whether it should."""

    file: str | None
    newest: str | None
    outdated: bool


async def read_revisions(read: Read) -> Revisions:
    """How the file stands to this release; a file that a later release migrated is left as it is."""
    known = await read.scalar(sa.text("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"))
    file = await read.scalar(sa.text("SELECT version_num FROM alembic_version")) if known else None
    script = await read.run_sync(lambda sync: ScriptDirectory.from_config(config_for(sync)))
    older = {step.revision for step in script.walk_revisions()} - {script.get_current_head()}
    return Revisions(file, script.get_current_head(), outdated=file is None or file in older)


@contextlib.contextmanager
def _unusable(path: Path) -> Iterator[None]:
    try:
        yield
    except (DatabaseError, StoreBusyError, StoreFullError) as error:
        cause = getattr(error, "orig", None) or error
        raise DatabaseUnusableError(f"{path} cannot be used: {cause}") from error
