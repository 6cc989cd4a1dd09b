"""`doctor`: what is found on this machine, what is in force, and what is wrong."""

import os
import platform
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from service.cli.output import say_json, say_lines, width
from service.cli.place import AsJson, ConfigPath, DataDir, config_path, data_folder
from service.cli.reach import Json
from service.config import read_config
from service.domain.lines import Line, Span, Tone, wrapped
from service.store.folder import DataFolder, find_serving

_PACKAGES = ("session-summary", "sqlalchemy", "starlette", "uvicorn", "pydantic", "anthropic")
_LABEL_WIDTH = 12


def doctor(
    quick: Annotated[bool, typer.Option("--quick", help="Count the agents' files without looking into them.")] = False,
    data_dir: DataDir = None,
    config: ConfigPath = None,
    as_json: AsJson = False,
) -> None:
    """Tell what is found, what is in force and what is wrong: agents, database, engine, settings, versions.

    \b
    Examples:
      session-summary doctor
      session-summary doctor --json | jq .agents
    """
    folder = data_folder(data_dir)
    report = examine(folder, config_path(folder, config), look_inside=not quick)
    if as_json:
        say_json(report)
    else:
        say_lines(_lines(report))


def examine(folder: DataFolder, config: Path, *, look_inside: bool) -> Json:
    """The whole report, for programs."""
    from service.cli.agents import found_agents
    from service.cli.engine import engine_words
    from service.passes.engines import engine_in_force

    settings = read_config(config)
    return {
        "service": _service(folder),
        "database": _database(folder),
        "engine": {"in_force": engine_in_force(settings, os.environ), "why": engine_words(settings, os.environ)},
        "settings": {
            "file": str(config),
            "exists": config.is_file(),
            "enabled": settings.enabled,
            "warnings": list(settings.warnings),
        },
        "agents": found_agents(settings.sources, os.environ, Path.home(), look_inside=look_inside),
        "versions": _versions(),
    }


def _service(folder: DataFolder) -> Json:
    serving = find_serving(folder)
    return {"running": serving is not None, "pid": serving and serving.pid, "url": serving and serving.url}


def _database(folder: DataFolder) -> Json:
    """The file and its revision; `problem` says what keeps it from being read."""
    import asyncio

    from service.store.offline import DatabaseUnusableError, read_once, read_revisions

    path = folder.database
    report: Json = {"file": str(path), "exists": path.is_file(), "bytes": None, "revision": None, "newest": None}
    report["problem"] = None
    if not report["exists"]:
        return report
    try:
        found = asyncio.run(read_once(path, read_revisions))
    except DatabaseUnusableError as error:
        return report | {"problem": str(error)}
    return report | {"bytes": path.stat().st_size, "revision": found.file, "newest": found.newest}


def _versions() -> Json:
    from importlib.metadata import PackageNotFoundError, version

    versions: Json = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in _PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = None
    return versions


def _lines(report: Json) -> Iterator[Line]:
    yield from _row("service", _service_words(report["service"]))
    yield from _row("database", *_database_words(report["database"]))
    yield from _row("engine", report["engine"]["why"])
    yield from _row("summaries", "on" if report["settings"]["enabled"] else "off")
    yield from _row("settings", report["settings"]["file"] + ("" if report["settings"]["exists"] else " (defaults)"))
    for warning in report["settings"]["warnings"]:
        yield from _row("", warning, Tone.ATTENTION)
    versions = report["versions"]
    yield from _row("versions", ", ".join(f"{name} {version}" for name, version in versions.items() if version))
    yield ()
    yield (Span("Agents' sessions on this machine", Tone.STRONG),)
    for agent in report["agents"]:
        yield from _agent(agent)


def _row(label: str, words: str, tone: Tone = Tone.PLAIN, label_tone: Tone = Tone.STRONG) -> Iterator[Line]:
    """The words beside their label, in as many lines as they need."""
    for line in wrapped(words, width() - _LABEL_WIDTH):
        yield Span(f"{label:<{_LABEL_WIDTH}}", label_tone), Span(line, tone)
        label = ""


def _service_words(service: Json) -> str:
    return f"running at {service['url']} (process {service['pid']})" if service["running"] else "not running"


def _database_words(database: Json) -> tuple[str, Tone]:
    if database["problem"]:
        return database["problem"], Tone.ATTENTION
    if not database["exists"]:
        return f"{database['file']} (none yet)", Tone.QUIET
    step = f"revision {database['revision']}"
    if database["revision"] != database["newest"]:
        step += f", this release has {database['newest']}"
    return f"{database['file']} ({step}, {database['bytes'] // 1024} KiB)", Tone.PLAIN


def _agent(agent: Json) -> Iterator[Line]:
    tone = Tone.GOOD if agent["files"] and agent["read"] else Tone.QUIET
    yield from _row(agent["agent"], _agent_words(agent), tone, Tone.PLAIN if agent["files"] else Tone.QUIET)
    for place, folder in enumerate(agent["folders"]):
        yield from _row("", f"{'or' if place else 'in'} {folder}", Tone.QUIET)
    if agent["note"]:
        yield from _row("", agent["note"], Tone.QUIET)
    for skipped in agent.get("skipped", ()):
        yield from _skipped(skipped)
    for trouble in _troubles(agent):
        yield from _row("", trouble, Tone.ATTENTION)


def _agent_words(agent: Json) -> str:
    words = _counted(agent["files"], "file") if agent["files"] else "none found"
    if agent["files"] and "examined" in agent:
        words += f", {_counted(agent['sessions'], 'session')}"
        words += f" in the newest {agent['examined']}" if agent["examined"] < agent["files"] else ""
    return words + ("" if agent["read"] else ", not read (setting)")


def _skipped(skipped: Json) -> Iterator[Line]:
    """What is left alone on purpose is counted in silence; all else has an example, so that it can be looked into."""
    from service.cli.agents import is_deliberate

    words = f"{skipped['count']} skipped: {skipped['why']}"
    if is_deliberate(skipped["why"]):
        return _row("", words, Tone.QUIET)
    return _row("", f"{words}, such as {skipped['such_as'][0]}", Tone.ATTENTION)


def _troubles(agent: Json) -> Iterator[str]:
    if broken := agent.get("broken_rows"):
        yield f"{_counted(broken, 'broken row')} stepped over"
    if large := agent.get("large_rows"):
        yield f"{_counted(large, 'row')} stepped over as too large"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
