"""The name of a Copilot CLI session, from the `workspace.yaml` beside its events."""

import json
import re
from pathlib import Path

from service.domain.characters import encodable
from service.sources.opened import open_regular

_FILE = "workspace.yaml"
_MAX_BYTES = 64 * 1024
_LINE = re.compile(r"^(name|summary):[ \t]*(.*)$")
_BLOCKS = ("|", ">")


def name_of(events: Path) -> str:
    """The name given to the session, else its summary; empty where the file has neither."""
    found = _read(events.with_name(_FILE))
    return found.get("name", "") or found.get("summary", "")


def parts_of(events: Path) -> tuple[Path, ...]:
    """The files a change of the session may show in; before there were folders, a session had but one."""
    return (events, events.with_name(_FILE)) if events.stem == "events" else (events,)


def _read(path: Path) -> dict[str, str]:
    """The two keys at the top level, which is all of YAML that is needed here."""
    try:
        with open_regular(path) as stream:
            lines = stream.read(_MAX_BYTES).decode("utf-8", "replace").split("\n")
    except OSError:
        return {}
    found: dict[str, str] = {}
    for at, line in enumerate(lines):
        if key := _LINE.match(line):
            below = lines[at + 1].strip() if at + 1 < len(lines) and lines[at + 1].startswith(" ") else ""
            found[key[1]] = below if key[2].startswith(_BLOCKS) else _unquoted(key[2].strip())
    return found


def _unquoted(value: str) -> str:
    """A plain value, or what stands in quotes of either kind."""
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    if len(value) > 1 and value[0] == value[-1] == '"':
        try:
            return encodable(str(json.loads(value)))
        except ValueError:
            return value[1:-1]
    return "" if value in ("null", "~") else value
