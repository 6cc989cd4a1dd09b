"""`list`, `show`, `open-items` and `delete`: the sessions, through the running service or on the database itself."""

import shlex
import sys
import time
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from service.cli.ending import CommandError
from service.cli.output import advise, busy, is_terminal, say, say_json, say_lines, width
from service.cli.place import AsJson, ConfigPath, DataDir, config_path, data_folder, repeated_options
from service.cli.reach import Data, Json, WantedSlots, reach
from service.domain.lines import visible

if TYPE_CHECKING:
    from service.domain.markdown import About

State = Literal["needs-you", "in-progress", "done", "dropped"]
Source = Literal[
    "host",
    "claude-code",
    "codex",
    "gemini",
    "opencode",
    "pi",
    "openclaw",
    "copilot",
    "kiro",
    "amazonq",
    "kirocrew",
    "cursor",
    "aider",
]
Format = Literal["text", "markdown", "json"]
Limit = Annotated[int, typer.Option(min=0, metavar="N", help="How many at most; 0 shows all.")]
SlotKey = Annotated[str, typer.Argument(metavar="SLOT", help="The session's key, as `list` shows it.")]

OFF = "Summaries are off, so none is shown; on with: session-summary config set{} session_summary.enabled true"


def list_sessions(
    query: Annotated[
        str | None, typer.Option("--query", "-q", metavar="WORDS", help="Part of a key, title or project.")
    ] = None,
    state: Annotated[State | None, typer.Option(help="Sessions with a goal in this state first of all.")] = None,
    source: Annotated[
        Source | None, typer.Option(metavar="AGENT", help="One agent's sessions, such as codex, or host's.")
    ] = None,
    project: Annotated[str | None, typer.Option(metavar="PROJECT", help="One project's sessions.")] = None,
    limit: Limit = 50,
    data_dir: DataDir = None,
    config: ConfigPath = None,
    as_json: AsJson = False,
) -> None:
    """List the sessions, newest activity first.

    \b
    Examples:
      session-summary list
      session-summary list --state needs-you
      session-summary list -q checkout --limit 10
      session-summary list --json | jq -r '.slots[].key'
    """
    from service.cli.tables import session_lines

    folder = data_folder(data_dir)
    with reach(folder, config_path(folder, config)) as data:
        found = data.slots(WantedSlots(limit or None, query, source, project, state))
        enabled = data.enabled()
    if as_json:
        say_json(found)
    else:
        narrowed = any(option is not None for option in (query, state, source, project))
        say_lines(session_lines(found["slots"], time.time(), width(), narrowed=narrowed))
    _advise_on_list(found, "slots", enabled=enabled, advice=repeated_options(data_dir, config))


def show(
    slot: SlotKey,
    make: Annotated[
        bool, typer.Option("--make", help="Make one first where there is none, or the session moved on.")
    ] = False,
    format_: Annotated[Format, typer.Option("--format", help="How the summary is printed.")] = "text",
    data_dir: DataDir = None,
    config: ConfigPath = None,
    as_json: AsJson = False,
) -> None:
    """Show the stored summary of a session, or make one now with --make; an unchanged session costs nothing.

    \b
    Examples:
      session-summary show claude-code:1f2e3d4c
      session-summary show claude-code:1f2e3d4c --make
      session-summary show my-slot --format markdown > brief.md
      session-summary show my-slot --json | jq .intents[0]
    """
    folder, options = data_folder(data_dir), repeated_options(data_dir, config)
    with reach(folder, config_path(folder, config)) as data:
        summary = _made(data, slot, options) if make else data.summary(slot)
        row = row_of(data, slot)
    if as_json or format_ == "json":
        say_json(summary)
        return
    if not summary["enabled"]:
        raise CommandError(OFF.format(options))
    if not summary["intents"]:
        raise CommandError(f"there is no summary of this session{_why_none(summary, row, slot, options)}")
    _print(summary, _about(row, slot), format_)


def _made(data: Data, slot: str, options: str) -> Json:
    if not data.enabled():
        raise CommandError(OFF.format(options))
    row = row_of(data, slot)
    if row is not None and row["reason"]:
        raise CommandError(f"no summary was made: {row['reason']}")
    with busy(f"making a summary of {slot}"):
        return data.make(slot)


def _about(row: Json | None, slot: str) -> "About":
    """The session as its line of the list knows it."""
    from service.domain.markdown import About

    known = row or {}
    return About(title_in(row, slot), slot, known.get("project") or "", known.get("user_turns"))


def _print(summary: Json, about: "About", format_: Format) -> None:
    from service.domain.markdown import as_markdown
    from service.domain.plain_text import as_lines

    if format_ == "markdown":
        say(as_markdown(summary, about).rstrip("\n"))
    else:
        say_lines(as_lines(summary, heading=about.title, width=width()))


def row_of(data: Data, slot: str) -> Json | None:
    """The session's line of the list; None where it is not among those whose words hold the key."""
    listed: list[Json] = data.slots(WantedSlots(limit=200, text=slot))["slots"]
    return next((row for row in listed if row["key"] == slot), None)


def title_in(row: Json | None, slot: str) -> str:
    """What the list calls the session, else its key."""
    return str((row and row["title"]) or slot)


def _why_none(summary: Json, row: Json | None, slot: str, options: str) -> str:
    """What stands in the way, else the command that makes one."""
    if row is not None and row["reason"]:
        return f": {row['reason']}"
    if summary["generate_state"] == "too_few_turns":
        return " yet: it has too few turns of a person (setting session_summary.min_user_turns)"
    if summary["generate_state"] == "unavailable":
        return " yet: one is being made; look again in a moment"
    if row is not None and row["running"]:
        return " yet: the agent is working in it; one is made when its turn ends"
    return f" yet; make one with: session-summary show{options} {shlex.quote(slot)} --make"


def open_items(limit: Limit = 50, data_dir: DataDir = None, config: ConfigPath = None, as_json: AsJson = False) -> None:
    """Show what waits for you in any session, the oldest first.

    \b
    Examples:
      session-summary open-items
      session-summary open-items --json | jq -r '.items[].what'
    """
    from service.cli.tables import open_item_lines

    folder = data_folder(data_dir)
    with reach(folder, config_path(folder, config)) as data:
        found = data.open_items(limit or None)
    enabled = found.get("enabled", True)
    if as_json:
        say_json(found)
    elif enabled:
        say_lines(open_item_lines(found["items"], found.get("unnamed", ()), time.time(), width()))
    _advise_on_list(found, "items", enabled=enabled, advice=repeated_options(data_dir, config))


def delete(
    slot: SlotKey,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> int:
    """Delete a session for good: its messages, facts, summary and title. There is no undo.

    An agent's own file is never touched; the session is not read from it again.

    \b
    Examples:
      session-summary delete my-slot
      session-summary delete claude-code:1f2e3d4c --yes
    """
    with reach(data_folder(data_dir)) as data:
        if not (yes or _is_meant(data, slot)):
            advise("Nothing was deleted.")
            return 1
        receipt = data.delete(slot)
    if as_json:
        say_json(receipt)
    else:
        say(_receipt_words(slot, receipt))
    return 0


def _is_meant(data: Data, slot: str) -> bool:
    if not is_terminal(sys.stdin):
        raise CommandError("deleting cannot be undone and nobody is there to ask; add --yes if that is meant")
    # Nobody is asked about a session that there is not.
    data.summary(slot)
    return typer.confirm(f"Delete {visible(slot)} for good? There is no undo.", err=True)


def _receipt_words(slot: str, receipt: Json) -> str:
    counts = ", ".join(f"{count} {name if count != 1 else _one(name)}" for name, count in receipt["deleted"].items())
    purging = "" if receipt["purged"] else " Its last traces in the database's log are being overwritten."
    return f"Deleted {visible(slot)}: {counts}. There is no undo.{purging}"


def _one(plural: str) -> str:
    return {"summaries": "summary"}.get(plural, plural.removesuffix("s"))


def _advise_on_list(found: Json, rows: str, *, enabled: bool, advice: str) -> None:
    if not enabled:
        advise("Summaries are off, so none is shown; on with:")
        advise(f"  session-summary config set{advice} session_summary.enabled true")
    if found["next"] is not None:
        advise(f"There are more than these {len(found[rows])}; --limit 0 shows all.")
