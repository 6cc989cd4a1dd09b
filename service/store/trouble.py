"""What can be wrong with a database that is not the fault of whoever reads or writes it."""

import sqlite3

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
_FULL = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN")
_CORRUPT = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


class StoreBusyError(Exception):
    """Somebody else holds the database for longer than a write may wait."""


class StoreFullError(Exception):
    """The disk takes no more: full, read-only or failing."""


def store_trouble(error: BaseException) -> StoreBusyError | StoreFullError | None:
    """The error as the store's callers know it; None for one that is a defect of the statement."""
    if isinstance(error, PoolTimeout):
        return StoreBusyError("no connection became free")
    name = sqlite_name(error)
    if name.startswith(_BUSY):
        return StoreBusyError(name)
    if name.startswith(_FULL):
        return StoreFullError(name)
    return None


def is_corrupt(error: BaseException) -> bool:
    """Whether SQLite cannot read the file as a database."""
    return sqlite_name(error).startswith(_CORRUPT)


def sqlite_name(error: BaseException) -> str:
    """SQLite's own word for the error, empty where it is none of SQLite's."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(cause, "sqlite_errorname", "")) if isinstance(cause, sqlite3.Error) else ""
