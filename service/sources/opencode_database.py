"""OpenCode since 1.2: every session of an installation in one SQLite database."""

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from service.sources.amazonq_database import MAGIC, log_of, read_database
from service.sources.kinds import PathFormat
from service.sources.opencode import AGENT, session_from
from service.sources.opencode_messages import Part
from service.sources.rows import MAX_ROW_BYTES, parse_document
from service.sources.session import Session

_TABLES = ("session", "message", "part")
_NAMES = ("opencode.db", "opencode-")
_MESSAGES = "SELECT id, time_created, {data} AS data FROM message WHERE session_id = ? ORDER BY time_created, id"
_PARTS_OF_SESSION = (
    "SELECT part.id, message_id, {data} AS data FROM part JOIN (SELECT id AS owner FROM message WHERE session_id = ?)"
    " ON owner = message_id ORDER BY message_id, part.id"
)
# Columns hold what the JSON of the other shapes holds under these names.
_SESSION_NAMES = {"parent_id": "parentID", "project_id": "projectID"}


def claims(path: Path, head: bytes) -> bool:
    """Whether a database has OpenCode's tables; one that cannot be looked into is known by its name."""
    if not head.startswith(MAGIC):
        return False
    try:
        found = read_database(path, _tables)
    except OSError:
        return path.name.startswith(_NAMES)
    return {name.encode() for name in _TABLES} <= found


def read(path: Path) -> tuple[Session, ...]:
    """All sessions, the one that was begun last at the end; raises OSError where the database is locked or torn."""
    return SessionReader()(path)


def knows(path: Path, session_id: str) -> bool:
    """Whether the database holds the session; one that is missing or closed to us holds none."""
    query = "SELECT 1 FROM session WHERE id = ?"
    try:
        return read_database(path, lambda database: bool(database.execute(query, (session_id,)).fetchall()))
    except OSError:
        return False


def _tables(database: sqlite3.Connection) -> set[bytes]:
    return {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


class SessionReader:
    """Reads a database again and again; a session whose rows are what they were is not taken apart again.

    Nothing in a row says for certain that it changed, so all of them are compared, by a digest for each session: that
    costs a tenth of taking them apart.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[bytes, Session]] = {}

    def __call__(self, path: Path) -> tuple[Session, ...]:
        """All sessions, as `read` gives them."""
        self._known = read_database(path, self._sessions)
        return tuple(session for _, session in self._known.values())

    def _sessions(self, database: sqlite3.Connection) -> dict[str, tuple[bytes, Session]]:
        """As of one moment: without a transaction a prompt could be read and the reply before it missed."""
        database.execute("BEGIN")
        infos = map(_session_info, _rows(database, "SELECT * FROM session ORDER BY time_created, id"))
        return {info["id"]: self._session(database, info) for info in infos if info.get("id")}

    def _session(self, database: sqlite3.Connection, info: Mapping[str, Any]) -> tuple[bytes, Session]:
        digest = _digest(database, info)
        known, session = self._known.get(info["id"], (b"", None))
        if session is None or known != digest:
            session = session_from(info, _messages(database, info["id"]))
        return digest, session


def _digest(database: sqlite3.Connection, info: Mapping[str, Any]) -> bytes:
    """Stands for every byte that a session is made from."""
    digest = hashlib.blake2b(repr(info).encode("utf-8", "replace"), digest_size=16)
    for query in (_MESSAGES, _PARTS_OF_SESSION):
        for row in database.execute(_bounded(query), (info["id"],)):
            for value in row:
                data = value if isinstance(value, bytes) else repr(value).encode()
                digest.update(b"%d:" % len(data))
                digest.update(data)
    return digest.digest()


def _messages(database: sqlite3.Connection, session_id: str) -> Iterator[tuple[Mapping[str, Any], Sequence[Part]]]:
    """A session's messages one at a time, so that no more than one message's parts are held."""
    for row in _rows(database, _bounded(_MESSAGES), session_id):
        info = {"time": {"created": row["time_created"]}, **_data(row), "id": row["id"]}
        yield info, _parts(database, row["id"])


def _parts(database: sqlite3.Connection, message_id: str) -> list[Part]:
    query = _bounded("SELECT id, {data} AS data FROM part WHERE message_id = ? ORDER BY id")
    return [{**_data(row), "id": row["id"]} for row in _rows(database, query, message_id)]


def _bounded(query: str) -> str:
    """A row beyond the bound is stepped over without being held."""
    return query.format(data=f"CASE WHEN length(data) <= {MAX_ROW_BYTES} THEN data END")


def _rows(database: sqlite3.Connection, query: str, *values: str) -> Iterator[dict[str, Any]]:
    """Rows by column name, their texts decoded whatever they hold."""
    cursor = database.execute(query, values)
    names = [column[0] for column in cursor.description]
    for row in cursor:
        yield {name: _text(value) if name != "data" else value for name, value in zip(names, row, strict=True)}


def _text(value: object) -> object:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _data(row: Mapping[str, Any]) -> dict[str, Any]:
    return _decoded(row["data"])


def _decoded(value: object) -> dict[str, Any]:
    data = value.encode("utf-8", "replace") if isinstance(value, str) else value
    found = parse_document(data) if isinstance(data, bytes) else None
    return found if isinstance(found, dict) else {}


def _session_info(row: Mapping[str, Any]) -> dict[str, Any]:
    named = {_SESSION_NAMES.get(name, name): value for name, value in row.items()}
    times = {"created": row.get("time_created"), "updated": row.get("time_updated")}
    return {"time": times, **_decoded(row.get("data")), **named, "revert": _decoded(row.get("revert"))}


def _parts_of_file(path: Path) -> tuple[Path, ...]:
    return (path, log_of(path))


DATABASE = PathFormat(name=AGENT, claims=claims, read=read, parts=_parts_of_file, open_reader=SessionReader)
