"""GitHub Copilot CLI: one JSON Lines file of events a session, with a name in a small file beside it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service.domain.messages import Origin
from service.sources.conversation import Conversation, Entry
from service.sources.copilot_tools import ToolCalls
from service.sources.copilot_workspace import name_of, parts_of
from service.sources.kinds import Environ, Place, RowFormat
from service.sources.latest import LatestTime
from service.sources.session import LastTurn, Session
from service.sources.text import as_text, headline, iso_stamp

AGENT = "copilot"
ATTACHED = "[attachments without words]"

_FAMILIES = ("session.", "user.", "assistant.", "tool.", "hook.", "system.", "subagent.", "skill.", "permission.")
_CLAIMED_FAMILIES = ("session.", "user.message", "assistant.", "tool.execution_", "hook.", "system.message")
_INSTRUCTIONS = "skill-"
_OVER = frozenset({LastTurn.NONE, LastTurn.COMPLETED, LastTurn.INTERRUPTED, LastTurn.FAILED})


def claims(row: Mapping[str, Any]) -> bool:
    """Whether a row can only be an event of Copilot CLI's."""
    is_event = isinstance(row.get("data"), dict) and "timestamp" in row and "id" in row
    return is_event and as_text(row.get("type")).startswith(_CLAIMED_FAMILIES)


class CopilotReader:
    """Takes the events of one session; those of its helpers are not its own."""

    def __init__(self, path: Path) -> None:
        self.unknown_rows = 0
        self._path = path
        self._conversation = Conversation()
        self._tools = ToolCalls()
        self._latest = LatestTime()
        self._turn = LastTurn.NONE
        self._prompts: dict[str, Entry] = {}
        self._seen: set[str] = set()
        self._session_id = ""
        self._title = ""
        self._project: str | None = None
        self._branch: str | None = None

    def add(self, row: Mapping[str, Any]) -> None:
        kind, data = as_text(row.get("type")), row.get("data")
        if kind != "abort" and not kind.startswith(_FAMILIES):
            self.unknown_rows += 1
            return
        if (event_id := as_text(row.get("id"))) in self._seen:
            return
        if event_id:
            self._seen.add(event_id)
        self._latest.note(iso_stamp(row.get("timestamp")))
        fields = data if isinstance(data, Mapping) else {}
        if not _is_of_helper(row, fields):
            self._take(kind, fields, row)

    def session(self) -> Session:
        messages = self._conversation.messages()
        first = next((message.content for message in messages if message.by_person), None)
        return Session(
            agent=AGENT,
            session_id=self._session_id or _id_in_name(self._path),
            messages=messages,
            title=headline(name_of(self._path)) or headline(self._title) or headline(first or ""),
            project=self._project,
            branch=self._branch,
            last_activity=self._latest.iso,
            last_turn=self._turn,
            unprompted=None if first is not None else _why_unprompted(spoken=bool(messages)),
        )

    def _take(self, kind: str, data: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        match kind:
            case "session.start" | "session.resume" | "session.context_changed":
                self._place(kind, data)
            case "session.title_changed":
                self._title = as_text(data.get("title")) or self._title
            case "session.snapshot_rewind":
                self._rewind(as_text(data.get("upToEventId")))
            case "user.message":
                self._asked(data, row)
            case "assistant.message":
                self._replied(data, row)
            case "tool.execution_start" if self._turn not in _OVER:
                self._tools.called(data)
                self._turn = LastTurn.TOOL_OPEN
            case "tool.execution_complete":
                self._conversation.note(*self._tools.answered(data))
                if self._turn is LastTurn.TOOL_OPEN:
                    self._working()
            case _:
                self._end(kind, data)

    def _place(self, kind: str, data: Mapping[str, Any]) -> None:
        """Where the session runs; its start names it, a resumed one keeps the name."""
        if kind != "session.context_changed":
            self._forget_calls()
        if kind == "session.start":
            self._session_id = self._session_id or as_text(data.get("sessionId"))
        context = data if kind == "session.context_changed" else data.get("context")
        if isinstance(context, Mapping):
            self._project = as_text(context.get("cwd")) or as_text(context.get("gitRoot")) or self._project
            self._branch = as_text(context.get("branch")) or self._branch

    def _forget_calls(self) -> None:
        """What a program that was killed had called, the one started after it never answers."""
        self._tools.open.clear()
        if self._turn is LastTurn.TOOL_OPEN:
            self._working()

    def _asked(self, data: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        """`content` is what was typed; `transformedContent` has context around it."""
        source = as_text(data.get("source"))
        if source.startswith(_INSTRUCTIONS):
            return
        words = as_text(data.get("content")).strip() or (ATTACHED if data.get("attachments") else "")
        if not words:
            return
        by_person = source in ("", "user") and data.get("isAutopilotContinuation") is not True
        origin = Origin.PERSON if by_person else Origin.AUTOMATION
        entry = self._conversation.by_user(words, origin, iso_stamp(row.get("timestamp")))
        if event_id := as_text(row.get("id")):
            self._prompts[event_id] = entry
        if self._turn in _OVER:
            self._tools.open.clear()
        self._working()

    def _replied(self, data: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        text = as_text(data.get("content")).strip()
        if text:
            self._conversation.by_assistant(text, iso_stamp(row.get("timestamp")))
        requests = data.get("toolRequests")
        for request in requests if isinstance(requests, list) else ():
            if isinstance(request, Mapping):
                self._tools.requested(request)
        if self._turn is LastTurn.INTERRUPTED:  # a late row of the call that was stopped
            self._tools.open.clear()
        elif text and not requests:
            # The model speaks again only when its calls are answered, whether or not the rows of the answers are here.
            self._tools.open.clear()
            self._turn = LastTurn.REPLIED
        else:
            self._working()

    def _end(self, kind: str, data: Mapping[str, Any]) -> None:
        """A model call's end closes the turn only behind a closing text: one prompt takes many calls."""
        match kind:
            case "assistant.turn_end" | "session.idle" if self._turn is LastTurn.REPLIED:
                self._turn = LastTurn.COMPLETED
            case "session.task_complete" if self._turn not in _OVER:
                self._end_turn(LastTurn.COMPLETED)
            case "abort":
                self._end_turn(LastTurn.INTERRUPTED)
            case "session.error" if self._turn not in _OVER:
                self._end_turn(LastTurn.FAILED)
            case "session.shutdown" if self._turn not in _OVER:
                self._end_turn(_at_shutdown(self._turn, data))

    def _end_turn(self, how: LastTurn) -> None:
        self._turn = how
        self._tools.open.clear()

    def _rewind(self, event_id: str) -> None:
        """A prompt that the person went back before does not count, nor does what followed it."""
        first = self._prompts.get(event_id)
        if first is None:
            return
        self._conversation.hide_from(first)
        self._end_turn(LastTurn.COMPLETED if self._conversation.has_shown else LastTurn.NONE)

    def _working(self) -> None:
        self._turn = LastTurn.TOOL_OPEN if self._tools.open else LastTurn.WORKING


def _is_of_helper(row: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    return any(holder.get(field) for holder in (row, data) for field in ("agentId", "parentToolCallId"))


def _at_shutdown(turn: LastTurn, data: Mapping[str, Any]) -> LastTurn:
    if turn is LastTurn.REPLIED:
        return LastTurn.COMPLETED
    return LastTurn.FAILED if data.get("shutdownType") == "error" else LastTurn.INTERRUPTED


def _why_unprompted(*, spoken: bool) -> str:
    return "only programs spoke" if spoken else "opened, never used"


def _id_in_name(path: Path) -> str:
    """A session's folder bears its id; before there were folders, its file did."""
    return path.parent.name if path.stem == "events" and path.parent.name else path.name.partition(".")[0]


def _roots(environ: Environ, home: Path) -> tuple[Path, ...]:
    named = environ.get("COPILOT_HOME", "")
    return (Path(named).expanduser() if named else home / ".copilot",)


FORMAT = RowFormat(name=AGENT, claims=claims, open_reader=CopilotReader, parts=parts_of)
PLACE = Place(
    agent=AGENT,
    roots=_roots,
    patterns=("session-state/*/events.jsonl", "session-state/*.jsonl", "history-session-state/*.jsonl"),
)
