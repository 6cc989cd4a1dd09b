"""Amazon Q, and Kiro before it kept files of rows: conversations in one database, or one saved to a file."""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from service.sources.amazonq_database import MAGIC, log_of, read_database
from service.sources.amazonq_talk import read_talk
from service.sources.kinds import DocumentFormat, Environ, PathFormat, Place
from service.sources.latest import LatestTime
from service.sources.rows import parse_document
from service.sources.session import Session
from service.sources.text import as_text, headline

AGENT = "amazonq"
KIRO = "kiro"

# A conversation is decoded whole, which takes several times its size in memory.
MAX_VALUE_BYTES = 64 * 1024 * 1024
_TABLES = ("conversations_v2", "conversations")
_TABLE_NAMES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('conversations_v2', 'conversations')"
_BY_FOLDER_AND_ID = "SELECT key, value, updated_at FROM conversations_v2 WHERE length(value) <= ? ORDER BY updated_at"
_BY_FOLDER = "SELECT key, value, NULL FROM conversations WHERE length(value) <= ?"
_STATEMENTS = dict(zip(_TABLES, (_BY_FOLDER_AND_ID, _BY_FOLDER), strict=True))


def claims_export(value: object) -> bool:
    """Whether a document is a conversation that was saved to a file."""
    if not isinstance(value, Mapping) or not as_text(value.get("conversation_id")):
        return False
    return isinstance(value.get("history"), list) or isinstance(value.get("transcript"), list)


def read_export(value: Any, path: Path) -> tuple[Session, ...]:
    return (conversation(value, AGENT, fallback_id=path.stem),)


def claims_database(path: Path, head: bytes) -> bool:
    """Whether a database holds conversations; raises OSError where it is locked or torn."""
    return head.startswith(MAGIC) and bool(read_database(path, _tables))


def read_sessions(path: Path) -> tuple[Session, ...]:
    """Every conversation of a database, each once, though both tables may hold it."""
    agent = KIRO if "kiro" in path.absolute().parent.name.lower() else AGENT
    found: dict[str, Session] = {}
    for session in read_database(path, lambda connection: list(_sessions(connection, agent))):
        found.setdefault(session.session_id, session)
    return tuple(found.values())


def conversation(
    value: Mapping[str, object],
    agent: str,
    *,
    fallback_id: str,
    project: str | None = None,
    updated: str | None = None,
) -> Session:
    """One stored conversation; `updated` is when its row was written, for versions that keep no times inside."""
    talk = read_talk(value)
    first = next((message.content for message in talk.messages if message.by_person), None)
    unprompted = "only programs spoke" if talk.messages else "opened, never used"
    return Session(
        agent=agent,
        session_id=as_text(value.get("conversation_id")) or fallback_id,
        messages=talk.messages,
        title=headline(first or ""),
        project=project or talk.project,
        branch=None,
        last_activity=talk.last_activity or updated,
        last_turn=talk.last_turn,
        unprompted=None if first is not None else unprompted,
    )


def _tables(connection: sqlite3.Connection) -> list[str]:
    there = {name.decode() for (name,) in connection.execute(_TABLE_NAMES)}
    return [name for name in _TABLES if name in there]


def _sessions(connection: sqlite3.Connection, agent: str) -> Iterator[Session]:
    """The newer table first: what the older one still holds of the same conversation is older."""
    for table in _tables(connection):
        for key, data, updated in connection.execute(_STATEMENTS[table], (MAX_VALUE_BYTES,)):
            value = parse_document(data) if isinstance(data, bytes) else None
            if isinstance(value, Mapping):
                folder = key.decode("utf-8", "replace") if isinstance(key, bytes) else ""
                yield conversation(
                    value, agent, fallback_id=folder or "unnamed", project=folder or None, updated=_iso(updated)
                )


def _iso(epoch: object) -> str | None:
    latest = LatestTime()
    latest.note(str(epoch) if isinstance(epoch, int) else None)
    return latest.iso


def _data_roots(folder: str, environ: Environ, home: Path) -> tuple[Path, ...]:
    named = environ.get("XDG_DATA_HOME", "")
    data = Path(named).expanduser() if named else home / ".local" / "share"
    return (data / folder, home / "Library" / "Application Support" / folder)


def _roots(environ: Environ, home: Path) -> tuple[Path, ...]:
    return _data_roots("amazon-q", environ, home)


def _kiro_roots(environ: Environ, home: Path) -> tuple[Path, ...]:
    return _data_roots("kiro-cli", environ, home)


EXPORT = DocumentFormat(name=AGENT, claims=claims_export, read=read_export)
DATABASE = PathFormat(
    name="amazonq-database",
    claims=claims_database,
    read=read_sessions,
    parts=lambda path: (path, log_of(path)),
)
PLACE = Place(agent=AGENT, roots=_roots, patterns=("data.sqlite3",))
KIRO_PLACE = Place(agent=KIRO, roots=_kiro_roots, patterns=("data.sqlite3",))
