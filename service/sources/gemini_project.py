"""Which folder a Gemini CLI session belongs to: the file itself knows only a hash of the path."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from service.sources.opened import read_regular
from service.sources.rows import parse_document

_PROJECTS = "projects.json"
_MAX_BYTES = 1024 * 1024
_MAX_PROJECTS = 5_000


def project_of(path: Path, project_hash: str) -> str | None:
    """The path that `projects.json` gives for the folder's name, or that has this hash; None where neither does.

    The session lies in `<root>/tmp/<name or hash>/chats/`, and the table in `<root>`.
    """
    if path.parent.name != "chats" or len(path.parents) < 4:
        return None
    folder = path.parents[1].name
    return next(
        (
            project
            for project, name in _known(path.parents[3] / _PROJECTS).items()
            if name == folder or _hash(project) in (folder, project_hash)
        ),
        None,
    )


def _known(table: Path) -> dict[str, object]:
    try:
        found = parse_document(read_regular(table, _MAX_BYTES))
    except OSError:
        return {}
    projects = found.get("projects") if isinstance(found, Mapping) else None
    return dict(list(projects.items())[:_MAX_PROJECTS]) if isinstance(projects, Mapping) else {}


def _hash(project: str) -> str:
    return hashlib.sha256(project.encode("utf-8", "replace")).hexdigest()
