"""The table of formats: which agents are known, how a file's content tells whose it is, and reading one whole."""

import stat
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from service.sources import (
    aider,
    amazonq,
    claude_code,
    codex,
    copilot,
    cursor,
    cursor_markdown,
    gemini,
    kiro,
    kirocrew,
    openclaw,
    opencode,
    opencode_database,
    opencode_tree,
    pi,
)
from service.sources.amazonq_database import MAGIC
from service.sources.codex_titles import CodexTitles
from service.sources.kinds import NO_SESSION, DocumentFormat, Environ, Format, PathFormat, Place, RowFormat, TextFormat
from service.sources.opened import open_file, read_blocks
from service.sources.presence import Closed, matching
from service.sources.rows import Counts, RowSplitter, parse_document, read_rows
from service.sources.session import Session

# The order matters only where one file could be claimed twice: the first that claims it has it.
FORMATS: tuple[Format, ...] = (
    claude_code.FORMAT,
    codex.FORMAT,
    gemini.FORMAT,
    gemini.DOCUMENT,
    opencode.EXPORT,
    opencode_database.DATABASE,
    opencode_tree.TREE,
    openclaw.FORMAT,
    openclaw.DATABASE,
    pi.FORMAT,
    copilot.FORMAT,
    kiro.FORMAT,
    amazonq.EXPORT,
    amazonq.DATABASE,
    kirocrew.FORMAT,
    cursor.FORMAT,
    cursor_markdown.FORMAT,
    aider.FORMAT,
)
PLACES: tuple[Place, ...] = (
    claude_code.PLACE,
    codex.PLACE,
    gemini.PLACE,
    opencode.PLACE,
    openclaw.PLACE,
    pi.PLACE,
    copilot.PLACE,
    kiro.PLACE,
    amazonq.PLACE,
    amazonq.KIRO_PLACE,
    kirocrew.PLACE,
    cursor.PLACE,
    aider.PLACE,
)

HEAD_BYTES = 64 * 1024
# What may stand before a file's first words: blanks, and the zero bytes of a crash.
_HOLE = b"\0 \t\r\n"
# A JSON document is decoded whole, which takes several times its size in memory.
MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
# Real files place themselves within a few rows; a foreign file is not read to its end.
MAX_ROWS_TO_PLACE = 1000


class Problem(StrEnum):
    """Why a path gives no session."""

    UNREADABLE = "unreadable"
    EMPTY = "empty"
    UNKNOWN = "unknown"
    FOLDER = "folder"
    BINARY = "binary"
    DATABASE = "database"
    TOO_LARGE = "too_large"


@dataclass(frozen=True, slots=True)
class Trouble:
    """A problem, and what the system said about it where it said something."""

    problem: Problem
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What reading one path gave: its sessions, or the trouble that kept it from giving any."""

    sessions: tuple[Session, ...] = ()
    counts: Counts = field(default_factory=Counts)
    format: str | None = None
    trouble: Trouble | None = None
    why_empty: str = NO_SESSION

    @property
    def session(self) -> Session | None:
        """The session of a file that holds one, the last of one that holds several."""
        return self.sessions[-1] if self.sessions else None


def identify(path: Path) -> Format | Trouble:
    """Whose file this is, by its content alone; never raises."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return _claimed_by_path(path, b"") or Trouble(Problem.FOLDER)
        if not stat.S_ISREG(mode):
            return Trouble(Problem.UNREADABLE, "not a regular file")
        return _identify_content(path, read_head(path))
    except (OSError, ValueError) as error:  # a path with a NUL character is a ValueError
        return unreadable(error)


def read_file(path: Path) -> ReadResult:
    """Reads one path whole: rows in bounded memory, documents and texts at once; never raises."""
    found = identify(path)
    if isinstance(found, Trouble):
        return ReadResult(trouble=found)
    try:
        result = read_as(found, path)
    except OSError as error:
        return ReadResult(format=found.name, trouble=unreadable(error))
    titles = CodexTitles()
    return replace(result, sessions=tuple(titles.titled(session, path) for session in result.sessions))


def read_as(found: Format, path: Path) -> ReadResult:
    """Reads a path whose format is known; raises OSError where it cannot be read."""
    match found:
        case RowFormat():
            return _read_row_file(found, path)
        case DocumentFormat():
            return ReadResult(found.read(parse_document(_read_whole(path)), path), Counts(rows=1), found.name)
        case TextFormat():
            return ReadResult(found.read(_decoded(_read_whole(path).lstrip(b"\0")), path), Counts(), found.name)
        case PathFormat():
            return ReadResult(found.read(path), Counts(), found.name, why_empty=found.why_empty)


def _unheard(_folder: Path, _why: str) -> None:
    """Nobody is told of closed folders."""


def find_files(place: Place, environ: Environ, home: Path, closed: Closed = _unheard) -> Iterator[Path]:
    """Every file or folder of an agent, each once, in no particular order; a missing root gives none."""
    seen: set[Path] = set()
    for root in place.roots(environ, home):
        for pattern in place.patterns:
            for path in matching(root, pattern, closed):
                if path not in seen:
                    seen.add(path)
                    yield path


def read_head(path: Path) -> bytes:
    """The first 64 KiB, unpacked."""
    with open_file(path) as stream:
        return next(read_blocks(stream), b"")[:HEAD_BYTES]


def unreadable(error: Exception) -> Trouble:
    """The trouble an exception of the system stands for, in the system's own words."""
    return Trouble(Problem.UNREADABLE, getattr(error, "strerror", None) or str(error))


def _identify_content(path: Path, head: bytes) -> Format | Trouble:
    if not _decoded(head).strip():
        return Trouble(Problem.EMPTY)
    if by_path := _claimed_by_path(path, head):
        return by_path
    if head.startswith(MAGIC):
        return Trouble(Problem.DATABASE)
    # A crash may leave zero bytes before, between and behind rows that are whole.
    holed, head = b"\0" in head, head.lstrip(_HOLE)
    if holed and not _begins_with_row(head):
        return (None if b"\0" in head else _claimed_by_text(head)) or Trouble(Problem.BINARY)
    if not _looks_like_json(head) and (by_text := _claimed_by_text(head)):
        return by_text
    return _claimed_by_json(path, head)


def _claimed_by_json(path: Path, head: bytes) -> Format | Trouble:
    """Rows before document, unless the first line is no whole value: its inner lines could be mistaken for rows."""
    if parse_document(head.lstrip().partition(b"\n")[0]) is None:
        document = _claimed_by_document(path)
        found = document if _is_format(document) else _claimed_by_rows(path) or document
    else:
        found = _claimed_by_rows(path) or _claimed_by_document(path)
    return found or Trouble(Problem.UNKNOWN)


def _is_format(found: Format | Trouble | None) -> bool:
    return found is not None and not isinstance(found, Trouble)


def _claimed_by_path(path: Path, head: bytes) -> Format | None:
    return next((one for one in FORMATS if isinstance(one, PathFormat) and one.claims(path, head)), None)


def _claimed_by_text(head: bytes) -> Format | None:
    text = _decoded(head)
    return next((one for one in FORMATS if isinstance(one, TextFormat) and one.claims(text)), None)


def _claimed_by_rows(path: Path) -> Format | None:
    splitter = RowSplitter()
    with open_file(path) as stream:
        for row in read_rows(stream, splitter):
            for one in FORMATS:
                if isinstance(one, RowFormat) and one.claims(row):
                    return one
            if splitter.counts.rows > MAX_ROWS_TO_PLACE:
                return None
    return None


def _claimed_by_document(path: Path) -> Format | Trouble | None:
    documents = [one for one in FORMATS if isinstance(one, DocumentFormat)]
    if not documents:
        return None
    if path.stat().st_size > MAX_DOCUMENT_BYTES:
        return Trouble(Problem.TOO_LARGE)
    value = parse_document(_read_whole(path))
    return next((one for one in documents if one.claims(value)), None)


def _read_row_file(found: RowFormat, path: Path) -> ReadResult:
    reader, splitter = found.open_reader(path), RowSplitter()
    with open_file(path) as stream:
        for row in read_rows(stream, splitter):
            reader.add(row)
    splitter.counts.unknown = reader.unknown_rows
    return ReadResult((reader.session(),), splitter.counts, found.name)


def _read_whole(path: Path) -> bytes:
    """At most as much as a document may be: a small pack can hold any amount."""
    data = bytearray()
    with open_file(path) as stream:
        for block in read_blocks(stream):
            data += block
            if len(data) > MAX_DOCUMENT_BYTES:
                break
    return bytes(data)


def _begins_with_row(head: bytes) -> bool:
    line = head.lstrip().partition(b"\n")[0]
    return b"\0" not in line and _looks_like_json(line)


def _looks_like_json(head: bytes) -> bool:
    return _decoded(head).lstrip()[:1] in ("{", "[")


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace").removeprefix("\N{BYTE ORDER MARK}")
