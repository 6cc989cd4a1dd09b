"""OpenCode before 1.2: a storage tree with a file for each session, message and part."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from service.sources import opencode_database
from service.sources.kinds import PathFormat
from service.sources.opencode import AGENT, session_from
from service.sources.opencode_messages import Part
from service.sources.opened import open_regular
from service.sources.rows import MAX_ROW_BYTES, parse_document
from service.sources.session import Session
from service.sources.text import as_text

# Only the newest messages are still being written; older ones are noticed by the folder that gains files.
_GROWING_MESSAGES = 2


def claims(path: Path, head: bytes) -> bool:
    """Whether a file is a session of a storage tree: by where it lies among the tree's folders, and what it holds."""
    if len(path.parents) < 3 or (path.parents[1].name, path.parents[2].name) != ("session", "storage"):
        return False
    info = parse_document(head) or _document(path)  # the head of a long file is no whole value
    return isinstance(info, Mapping) and isinstance(info.get("id"), str) and isinstance(info.get("time"), Mapping)


def read(path: Path) -> tuple[Session, ...]:
    """The session, or none where the database beside the tree took it over; raises OSError where a file is closed."""
    info = _document(path)
    session_id = as_text(info.get("id"))
    if not session_id or opencode_database.knows(path.parents[3] / "opencode.db", session_id):
        return ()
    return (session_from(info, _messages(path)),)


def _messages(path: Path) -> Iterator[tuple[Mapping[str, Any], Sequence[Part]]]:
    """A session's messages in the order of their birth, with one message's parts held at a time."""
    for file, _ in sorted(
        ((file, _born(file)) for file in _message_files(path)), key=lambda one: (one[1], one[0].stem)
    ):
        info = {"id": file.stem, **_document(file)}
        yield info, _parts(path, file.stem)


def _born(file: Path) -> float:
    times = _document(file).get("time")
    created = times.get("created") if isinstance(times, Mapping) else None
    return float(created) if isinstance(created, int | float) else 0.0


def _parts(path: Path, message_id: str) -> list[Part]:
    return [{"id": file.stem, **_document(file)} for file in _files(path.parents[2] / "part" / message_id)]


def _message_files(path: Path) -> list[Path]:
    return _files(path.parents[2] / "message" / path.stem)


def _files(folder: Path) -> list[Path]:
    """The folder's JSON files in the order of their ids, which grow with time."""
    return sorted(file for file in folder.glob("*.json") if file.is_file())


def _document(file: Path) -> dict[str, Any]:
    """The object in a file; one that vanished, is torn or beyond any message's size counts as empty."""
    try:
        with open_regular(file) as stream:
            data = stream.read(MAX_ROW_BYTES + 1)
    except FileNotFoundError:
        return {}
    found = parse_document(data) if len(data) <= MAX_ROW_BYTES else None
    return found if isinstance(found, dict) else {}


def _parts_of_tree(path: Path) -> tuple[Path, ...]:
    """The session's file, its folder of messages, and whatever belongs to the newest ones."""
    found, storage = [path, path.parents[2] / "message" / path.stem], path.parents[2]
    for message in _message_files(path)[-_GROWING_MESSAGES:]:
        folder = storage / "part" / message.stem
        found += [message, folder, *_files(folder)]
    return tuple(found)


TREE = PathFormat(
    name=AGENT, claims=claims, read=read, parts=_parts_of_tree, why_empty="its session is in the database beside it"
)
