"""What agents left on this machine: where, how much, and what of it can be read."""

import os
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from service.cli.reach import Json
from service.config import SourceFilter
from service.sources.formats import PLACES, Trouble, find_files, identify
from service.sources.kinds import Place

# Counting stops here, and only the newest are looked into: the report is for a person who waits for it.
_MOST_COUNTED = 20_000
_MOST_EXAMINED = 200
_MOST_NAMED = 3


def found_agents(wanted: SourceFilter, environ: Mapping[str, str], home: Path, *, look_inside: bool) -> list[Json]:
    """One entry per known agent, in the order of the table; nothing is written to and no file is read whole."""
    return [_agent(place, wanted, environ, home, look_inside=look_inside) for place in PLACES]


def _agent(place: Place, wanted: SourceFilter, environ: Mapping[str, str], home: Path, *, look_inside: bool) -> Json:
    files = list(islice(find_files(place, environ, home), _MOST_COUNTED))
    entry: Json = {
        "agent": place.agent,
        "folders": [str(root) for root in place.roots(environ, home)],
        "read": wanted.agents is None or place.agent in wanted.agents,
        "files": len(files),
    }
    return entry | _examined(sorted(files, key=_modified, reverse=True)[:_MOST_EXAMINED]) if look_inside else entry


def _examined(files: list[Path]) -> Json:
    """How many of the files are recognised by their content, and why others are not, with a few of them named."""
    problems: Counter[str] = Counter()
    named: dict[str, list[str]] = {}
    for path in files:
        found = identify(path)
        if isinstance(found, Trouble):
            problems[found.problem.value] += 1
            named.setdefault(found.problem.value, []).append(str(path))
    return {
        "examined": len(files),
        "readable": len(files) - problems.total(),
        "unreadable": [
            {"why": why, "files": count, "such_as": named[why][:_MOST_NAMED]} for why, count in problems.items()
        ],
    }


def _modified(path: Path) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
