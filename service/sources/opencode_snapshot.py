"""An agent's SQLite database opened for reading, so that nothing beside it is made, changed or removed."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

_BUSY_SECONDS = 1.0
# Byte 18 of a database file says how it is written to: 2 stands for a write-ahead log.
_WRITE_VERSION_AT = 18
_WITH_LOG = 2
_MAX_COPY_BYTES = 1024 * 1024 * 1024


@contextmanager
def opened_read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """The database as of one moment, texts as bytes; raises OSError where it is locked, torn or no database."""
    try:
        with _way_in(path) as uri, closing(sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS)) as database:
            database.isolation_level = None
            database.text_factory = bytes
            database.execute("PRAGMA trusted_schema = OFF")
            database.execute("PRAGMA query_only = ON")
            database.execute("BEGIN")
            yield database
    except sqlite3.Error as error:
        raise OSError(f"the database says: {error}") from error


@contextmanager
def _way_in(path: Path) -> Iterator[str]:
    """How to open it: plain read-only mode would make a log and its index where there are none, or write to them.

    Without a log nobody has it open, so it can be taken as immutable. A log with its index is read without writing to
    the index. A log without its index, as in a copied folder, is read from a copy in a folder of our own.
    """
    log, index = _beside(path, "-wal"), _beside(path, "-shm")
    if not _has_log(path):
        yield f"{path.absolute().as_uri()}?mode=ro"
    elif not log.exists() or log.stat().st_size == 0:
        yield f"{path.absolute().as_uri()}?immutable=1"
    elif index.exists():
        yield f"{path.absolute().as_uri()}?mode=ro&readonly_shm=1"
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield f"{_copied(path, log, Path(folder)).as_uri()}?mode=ro"


def _has_log(path: Path) -> bool:
    with path.open("rb") as stream:
        head = stream.read(_WRITE_VERSION_AT + 1)
    return len(head) > _WRITE_VERSION_AT and head[_WRITE_VERSION_AT] == _WITH_LOG


def _copied(path: Path, log: Path, folder: Path) -> Path:
    if path.stat().st_size + log.stat().st_size > _MAX_COPY_BYTES:
        raise OSError("the database has a log without an index and is too large to be read from a copy")
    copy = folder / "copy.db"
    shutil.copyfile(path, copy)
    shutil.copyfile(log, _beside(copy, "-wal"))
    return copy


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
