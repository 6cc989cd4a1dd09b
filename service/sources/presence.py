"""What is there of the agents' folders: what is closed to us is told, and is neither there nor gone."""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

_WILD = frozenset("*?[")

# Told of each folder that could not be looked into, in the system's own words.
Closed = Callable[[Path, str], None]


def is_folder(path: Path) -> bool:
    """Whether there is a folder that can be seen; never raises."""
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def is_gone(path: Path) -> bool:
    """Whether the path is known to be nothing: where a folder above is closed, or a disk fails, nobody knows."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def is_storable(path: Path) -> bool:
    """Whether the path is text: file systems take any bytes as a name, and the database takes UTF-8."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(path: Path | str) -> str:
    """The path as text that can be sent and printed, with what is no text in it spelled out."""
    return str(path).encode("utf-8", "backslashreplace").decode()


def has_wildcard(part: str) -> bool:
    """Whether a part of a pattern can stand for more than one name."""
    return not _WILD.isdisjoint(part)


def matching(root: Path, pattern: str, closed: Closed) -> Iterator[Path]:
    """Every path below the root that fits the pattern; one closed folder or odd entry hides no other.

    Not by `Path.glob`, which ends at a folder it may not look into, or raises, and tells nobody.
    """
    yield from _below(root, pattern.split("/"), closed)


def _below(folder: Path, parts: Sequence[str], closed: Closed) -> Iterator[Path]:
    first, rest = parts[0], parts[1:]
    for path in _entries(folder, first, closed):
        if not rest:
            yield path
        else:
            yield from _below(path, rest, closed)


def _entries(folder: Path, part: str, closed: Closed) -> Iterator[Path]:
    try:
        if not has_wildcard(part):
            os.stat(folder / part)
            yield folder / part
            return
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if fnmatchcase(entry.name, part)]
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError) as error:
        closed(folder, getattr(error, "strerror", None) or str(error))
        return
    yield from (folder / name for name in names)
