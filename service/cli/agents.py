"""What agents left on this machine: where, how much, what of it can be read, and why the rest cannot."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path

from service.cli.reach import Json
from service.domain.source_filter import SourceFilter
from service.passes.found_files import AgentReport, FileReport, FoundFiles
from service.passes.skipping import NO_SESSION, ODD_NAME, why_skipped
from service.sources.formats import read_file
from service.sources.places import ClosedFolder, Places
from service.sources.presence import is_storable

# Only so many of an agent's newest files are read: the report is for a person who waits for it.
_MOST_EXAMINED = 200


def found_agents(wanted: SourceFilter, environ: Mapping[str, str], home: Path, *, look_inside: bool) -> list[Json]:
    """One entry per known agent, in the order of the table; nothing is written to."""
    places = Places.of(environ, home)
    search = places.search()
    files: dict[str, list[Path]] = {}
    for agent, path in search.files:
        files.setdefault(agent, []).append(path)
    return [
        {
            "agent": agent,
            "folders": list(folders),
            "read": wanted.usable and wanted.follows(agent),
            "files": len(files.get(agent, ())),
        }
        | (_examined(agent, files.get(agent, []), search.closed, wanted) if look_inside else {})
        for agent, folders in places.by_agent().items()
    ]


def _examined(agent: str, files: list[Path], closed: Iterable[ClosedFolder], wanted: SourceFilter) -> Json:
    """What the newest files hold, and why others hold nothing, with a few of them named."""
    newest = sorted(files, key=_modified, reverse=True)[:_MOST_EXAMINED]
    found = FoundFiles()
    for path in newest:
        found.note(path, _report(path, wanted))
    own = [one for one in closed if one.agent == agent]
    report = found.report(dict.fromkeys(newest, agent), own).get(agent) or AgentReport(0, 0, (), 0, 0)
    return {**asdict(report), "files": len(files), "examined": len(newest)}


def _report(path: Path, wanted: SourceFilter) -> FileReport:
    if not is_storable(path):
        return FileReport(0, (ODD_NAME,))
    result = read_file(path)
    if result.trouble is not None:
        return FileReport(0, (result.trouble.problem.value,))
    skipped = [why for session in result.sessions if (why := why_skipped(session, wanted))]
    return FileReport(
        len(result.sessions) - len(skipped),
        tuple(skipped) if result.sessions else (NO_SESSION,),
        broken_rows=result.counts.broken,
        large_rows=result.counts.too_large,
    )


def _modified(path: Path) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
