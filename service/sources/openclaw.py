"""OpenClaw: pi's tree of entries in files of its own, since 2026.7.2 in one SQLite database per agent."""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from service.sources.amazonq_database import MAGIC, log_of, read_database
from service.sources.kinds import Environ, PathFormat, Place, RowFormat
from service.sources.openclaw_speech import OPENCLAW, shows_openclaw
from service.sources.openclaw_wrappers import is_unmistakable
from service.sources.pi import PiReader
from service.sources.pi import claims as claims_entry
from service.sources.rows import MAX_ROW_BYTES, parse_document
from service.sources.session import Session
from service.sources.text import as_text, text_of

_TABLE = "transcript_events"
_COLUMNS = frozenset({b"session_id", b"seq", b"event_json"})
_DATABASE_NAME = "openclaw-agent.sqlite"
# A live file is named by its id, perhaps with a chat's topic behind it; copies beside it have more after a dot.
_BESIDE = "what the agent keeps beside a session"
_ID = "-".join("?" * count for count in (8, 4, 4, 4, 12))


def claims(row: Mapping[str, Any]) -> bool:
    """Whether a row can only be OpenClaw's and not pi's."""
    if as_text(row.get("type")) in ("session", "custom", "custom_message"):
        return "id" in row and shows_openclaw(row)
    message = row.get("message")
    if not claims_entry(row) or not isinstance(message, Mapping) or message.get("role") != "user":
        return False
    return is_unmistakable(text_of(message.get("content")))


def claims_database(path: Path, head: bytes) -> bool:
    """Whether a database has OpenClaw's table; one that cannot be looked into is known by its name."""
    if not head.startswith(MAGIC):
        return False
    try:
        return read_database(path, _columns) >= _COLUMNS
    except OSError:
        return path.name == _DATABASE_NAME


def _read_database(path: Path) -> tuple[Session, ...]:
    """All sessions in the order of their ids; raises OSError where the database is locked or torn."""
    return read_database(path, _sessions)


def _columns(database: sqlite3.Connection) -> set[bytes]:
    return {row[1] for row in database.execute(f"PRAGMA table_info({_TABLE})")}


def _sessions(database: sqlite3.Connection) -> tuple[Session, ...]:
    readers: dict[str, PiReader] = {}
    for session_id, row in _events(database):
        if session_id not in readers:
            readers[session_id] = PiReader(Path(session_id.replace("/", "-")), is_openclaw=True)
        readers[session_id].add(row)
    return tuple(reader.session() for reader in readers.values())


def _events(database: sqlite3.Connection) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every entry, session by session; one beyond any row's size is stepped over without being held."""
    query = "SELECT session_id, CASE WHEN length(event_json) <= ? THEN event_json END FROM transcript_events"
    for session_id, event in database.execute(f"{query} ORDER BY session_id, seq", (MAX_ROW_BYTES,)):
        row = parse_document(event) if isinstance(event, bytes) else None
        if isinstance(row, Mapping) and isinstance(session_id, bytes) and session_id:
            yield session_id.decode("utf-8", "replace"), row


def _roots(environ: Environ, home: Path) -> tuple[Path, ...]:
    """The folder the environment names takes the place of the usual one and of the one before it."""
    if named := environ.get("OPENCLAW_STATE_DIR", ""):
        return (Path(named).expanduser(),)
    return (home / ".openclaw", home / ".clawdbot")


def _parts(path: Path) -> tuple[Path, ...]:
    return (path, log_of(path))


FORMAT = RowFormat(name=OPENCLAW, claims=claims, open_reader=PiReader)
DATABASE = PathFormat(name=OPENCLAW, claims=claims_database, read=_read_database, parts=_parts)
PLACE = Place(
    agent=OPENCLAW,
    roots=_roots,
    patterns=(
        f"agents/*/sessions/{_ID}.jsonl",
        f"agents/*/sessions/{_ID}-topic-*.jsonl",
        f"agents/*/agent/{_DATABASE_NAME}",
    ),
    left_out=(
        ("agents/*/sessions/*.jsonl.reset.*", "an earlier life of a session that was reset"),
        ("agents/*/sessions/*.jsonl.deleted.*", "deleted in the agent"),
        ("agents/*/sessions/*.jsonl.bak*", _BESIDE),
        ("agents/*/sessions/*.checkpoint.*.jsonl", _BESIDE),
        ("agents/*/sessions/*.trajectory.jsonl", _BESIDE),
    ),
)
