"""The shapes a format can have, and where an agent keeps its files; `formats.py` holds the table made of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from service.sources.session import Reader, Session

Environ = Mapping[str, str]

NO_SESSION = "holds no session"
SUB_AGENT = "a sub-agent's session"


@dataclass(frozen=True, slots=True)
class Place:
    """Where an agent's files lie: the folders to look in, and the patterns below them.

    `left_out` names files there that are deliberately not read, each pattern with the reason; `note` says where other
    files of the agent may lie.
    """

    agent: str
    roots: Callable[[Environ, Path], tuple[Path, ...]]
    patterns: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    note: str | None = None


@dataclass(frozen=True, slots=True)
class RowFormat:
    """JSON Lines: recognised by the first row that `claims` accepts, then read row by row, so it can be followed.

    `parts` names the files a change may show in, such as one beside the rows that tells how turns ended.
    """

    name: str
    claims: Callable[[Mapping[str, Any]], bool]
    open_reader: Callable[[Path], Reader]
    parts: Callable[[Path], tuple[Path, ...]] = lambda path: (path,)


@dataclass(frozen=True, slots=True)
class DocumentFormat:
    """One JSON value that is rewritten whole; `read` gets the decoded value."""

    name: str
    claims: Callable[[object], bool]
    read: Callable[[Any, Path], tuple[Session, ...]]


@dataclass(frozen=True, slots=True)
class TextFormat:
    """Plain text such as Markdown, perhaps with several sessions; `claims` sees the first 64 KiB."""

    name: str
    claims: Callable[[str], bool]
    read: Callable[[str, Path], tuple[Session, ...]]


@dataclass(frozen=True, slots=True)
class PathFormat:
    """A database or a folder: `claims` and `read` get the path itself and open it on their own, read-only.

    `parts` names the files a change may show in, such as a database's log; `why_empty` says why one gave no session.
    `open_reader` makes a `read` for one path that is read again and again, where not all of it has to be read anew.
    """

    name: str
    claims: Callable[[Path, bytes], bool]
    read: Callable[[Path], tuple[Session, ...]]
    parts: Callable[[Path], tuple[Path, ...]] = lambda path: (path,)
    why_empty: str = NO_SESSION
    open_reader: Callable[[], Callable[[Path], tuple[Session, ...]]] | None = None


Format = RowFormat | DocumentFormat | TextFormat | PathFormat
