"""What agents left on this machine: where, how much, what of it can be read, and why the rest cannot."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path

from service.cli.reach import Json
from service.domain.source_filter import SourceFilter
from service.passes.found_files import NOTHING, FileReport, FoundFiles
from service.passes.skipping import LEFT_OUT, NOT_FOLLOWED, ODD_NAME, OUTDONE, why_skipped
from service.sources.formats import PLACES, read_file
from service.sources.kinds import SUB_AGENT
from service.sources.places import Places, Unread
from service.sources.presence import is_storable

# Only so many of an agent's newest files are read: the report is for a person who waits for it.
_MOST_EXAMINED = 200


def found_agents(wanted: SourceFilter, environ: Mapping[str, str], home: Path, *, look_inside: bool) -> list[Json]:
    """One entry per known agent, in the order of the table; nothing is written to."""
    places = Places.of(environ, home)
    search, notes = places.search(), places.notes()
    unread = (*search.closed, *places.left_out())
    files: dict[str, list[Path]] = {}
    for agent, path in search.files:
        files.setdefault(agent, []).append(path)
    return [
        {
            "agent": agent,
            "folders": list(folders),
            "note": notes.get(agent),
            "read": wanted.usable and wanted.follows(agent),
            "files": len(files.get(agent, ())),
        }
        | (_examined if look_inside else _counted)(agent, files.get(agent, []), unread, wanted)
        for agent, folders in places.by_agent().items()
    ]


def is_deliberate(why: str) -> bool:
    """Whether nobody has to look into what was skipped for this reason: the product or the settings want it so."""
    return why in {SUB_AGENT, LEFT_OUT, NOT_FOLLOWED, OUTDONE} or any(
        why == reason for place in PLACES for _, reason in place.left_out
    )


def _counted(agent: str, _files: list[Path], unread: Iterable[Unread], _wanted: SourceFilter) -> Json:
    """What the folders alone tell: what is closed, and what is deliberately not read."""
    report = FoundFiles().report({}, unread).get(agent, NOTHING)
    return {"skipped": asdict(report)["skipped"]}


def _examined(agent: str, files: list[Path], unread: Iterable[Unread], wanted: SourceFilter) -> Json:
    """What the newest files hold, and why others hold nothing, with a few of them named."""
    newest = sorted(files, key=_modified, reverse=True)[:_MOST_EXAMINED]
    found = FoundFiles()
    for path in newest:
        found.note(path, _report(path, wanted, found))
    report = found.report(dict.fromkeys(newest, agent), unread).get(agent, NOTHING)
    return {**asdict(report), "files": len(files), "examined": len(newest)}


def _report(path: Path, wanted: SourceFilter, found: FoundFiles) -> FileReport:
    """Notes which sessions the file holds; the newest file that has a session is taken for the one that does."""
    if not is_storable(path):
        return FileReport((ODD_NAME,))
    result = read_file(path)
    if result.trouble is not None:
        return FileReport((result.trouble.problem.value,))
    skipped = []
    for session in result.sessions:
        if why := why_skipped(session, wanted):
            skipped.append(why)
        else:
            found.note_session(session.key, path)
    return FileReport(
        tuple(skipped) if result.sessions else (result.why_empty,),
        broken_rows=result.counts.broken,
        large_rows=result.counts.too_large,
    )


def _modified(path: Path) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
