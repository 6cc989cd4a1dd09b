"""An agent's SQLite database, read without leaving a trace: no file is made, changed or locked for long."""

import errno
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from service.sources.opened import open_regular

MAGIC = b"SQLite format 3\0"

_WAL_FORMAT_AT = 18  # byte 18 of the file header is 2 for a database with a write-ahead log
_BUSY_SECONDS = 2.0
_TRIES = 3
# Copied is a database whose log holds rows that cannot be read in place, as after its agent was killed.
_MAX_COPIED = 1024 * 1024 * 1024

_Stamps = tuple[tuple[int, int, int] | None, ...]
Result = TypeVar("Result")


def log_of(path: Path) -> Path:
    """The write-ahead log of a database, in which new rows stand first."""
    return path.with_name(f"{path.name}-wal")


def read_database(path: Path, read: Callable[[sqlite3.Connection], Result]) -> Result:
    """What `read` makes of the database as it stands at one moment; raises OSError where it is locked or torn."""
    trouble = "it changes while it is read"
    _check_regular(path)
    for attempt in range(_TRIES):
        before = _stamps(path)
        try:
            with _opened(path, in_place=attempt == 0) as (connection, is_guarded):
                found = read(connection)
        except sqlite3.Error as error:
            trouble = str(error)
            if _stamps(path) == before and not (attempt == 0 and _size(log_of(path))):
                break
            continue
        if is_guarded or _stamps(path) == before:
            return found
    raise OSError(errno.EIO, trouble)


@contextmanager
def _opened(path: Path, *, in_place: bool) -> Iterator[tuple[sqlite3.Connection, bool]]:
    """A connection, and whether its reads are safe from a writer; otherwise the caller looks for changes itself.

    An ordinary read-only connection makes -wal and -shm files where there are none. So a log in use is read through the
    -shm file that is there, a log left behind from a copy, and a database without one as if nobody could change it.
    """
    if _size(log_of(path)):
        if in_place and path.with_name(f"{path.name}-shm").exists():
            with closing(_connect(path, "mode=ro&readonly_shm=1")) as connection:
                yield connection, True
        else:
            with _copied(path) as copy, closing(_connect(copy, "mode=rw")) as connection:
                yield connection, False
        return
    options = "mode=ro&immutable=1" if _has_log_format(path) else "mode=ro"
    with closing(_connect(path, options)) as connection:
        yield connection, False


def _check_regular(path: Path) -> None:
    """SQLite opens a database and the files beside it by their names, and would wait at a pipe for ever."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        try:
            mode = path.with_name(f"{path.name}{suffix}").stat().st_mode
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, f"not a regular file: {suffix or 'the database'}")


def _connect(path: Path, options: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{options}", uri=True, timeout=_BUSY_SECONDS)
    # Text that is no UTF-8 must not stop the reading; who takes a value decodes it.
    connection.text_factory = bytes
    return connection


@contextmanager
def _copied(path: Path) -> Iterator[Path]:
    """A private copy of a database and its log, outside the agent's folder."""
    if path.stat().st_size + _size(log_of(path)) > _MAX_COPIED:
        raise OSError(errno.EFBIG, "too large to be read beside its log")
    with tempfile.TemporaryDirectory(prefix="session-summary-") as folder:
        copy = Path(folder) / "copy.sqlite3"
        shutil.copyfile(path, copy)
        shutil.copyfile(log_of(path), log_of(copy))
        yield copy


def _has_log_format(path: Path) -> bool:
    with open_regular(path) as stream:
        head = stream.read(_WAL_FORMAT_AT + 1)
    return head[_WAL_FORMAT_AT:] == b"\x02"


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _stamps(path: Path) -> _Stamps:
    return tuple(_stamp(one) for one in (path, log_of(path)))


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
