"""What the file system says of a file and its other parts, to tell an untouched one from one to be looked at."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

# The largest whole number of SQLite, and of most else.
LARGEST = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the file system says of a file; equal stamps mean an untouched file, for nobody can set `ctime_ns` back.

    `beside` holds the stamps of its other parts, None for one that is missing: a database's log grows while the
    database file does not.
    """

    inode: int = 0
    size: int = 0
    mtime_ns: int = 0
    ctime_ns: int = 0
    beside: tuple["Stamp | None", ...] = ()

    @property
    def modified_ns(self) -> int:
        """When the file or any other part of it was written last."""
        return max(self.mtime_ns, *(one.mtime_ns for one in self.beside if one), 0)

    @property
    def alone(self) -> "Stamp":
        """Of the file itself."""
        return replace(self, beside=())


NO_STAMP = Stamp()


def stamp_of(path: Path, parts: Sequence[Path] = ()) -> Stamp:
    """The stamp of a file and its other parts. Raises OSError where the file itself is missing or closed."""
    return stamp_from(os.stat(path), tuple(map(_stamp_of_part, parts)))


def _stamp_of_part(part: Path) -> Stamp | None:
    """SQLite, run by root, sets the owner of a log that it merely reads: the time of that is no change of the log."""
    found = stamp_or_none(part)
    if found is None or not part.name.endswith("-wal"):
        return found
    return replace(found, ctime_ns=found.mtime_ns)


def stamp_or_none(path: Path) -> Stamp | None:
    """The stamp of one file, None where it is missing or closed."""
    try:
        return stamp_from(os.stat(path))
    except (OSError, ValueError):
        return None


def stamp_from(found: os.stat_result, beside: tuple[Stamp | None, ...] = ()) -> Stamp:
    """The stamp in the system's answer about the file itself, in whole numbers that a database can hold.

    Some file systems number their files with all 64 bits, and any of them may have been told an absurd time.
    """
    modified, changed = (max(-LARGEST, min(ns, LARGEST)) for ns in (found.st_mtime_ns, found.st_ctime_ns))
    return Stamp(found.st_ino & LARGEST, found.st_size, modified, changed, beside)
