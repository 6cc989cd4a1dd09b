"""pi: one JSON Lines file a session, a tree of entries of which the branch up from the newest counts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service.sources.conversation import Conversation
from service.sources.kinds import Environ, Place, RowFormat
from service.sources.latest import LatestTime
from service.sources.openclaw_speech import PI, Speech
from service.sources.pi_tools import ToolCalls, typed_command
from service.sources.pi_tree import NOWHERE, EntryTree
from service.sources.session import LastTurn, Session
from service.sources.text import as_stamp, as_text, blocks, headline, iso_stamp, text_of

SUMMARY_LABEL = "[the agent's own summary of the conversation before this file begins]"

_ROLES = frozenset({"user", "assistant", "toolResult", "bashExecution", "custom", "branchSummary", "compactionSummary"})
_ENDS = {
    "stop": LastTurn.COMPLETED,
    "length": LastTurn.COMPLETED,
    "aborted": LastTurn.INTERRUPTED,
    "error": LastTurn.FAILED,
}
# Names and marks are given days later, which is no activity.
_MARKS = frozenset({"session_info", "label"})
_FAR_FUTURE = 10**15
_SILENT = (
    frozenset({"model_change", "thinking_level_change", "branch_summary", "custom", "custom_message", "leaf"}) | _MARKS
)


def claims(row: Mapping[str, Any]) -> bool:
    """Whether a row can only be pi's or OpenClaw's: a header, or an entry that holds a message."""
    if row.get("type") == "session":
        return isinstance(row.get("id"), str) and ("cwd" in row or "version" in row)
    message = row.get("message")
    return row.get("type") == "message" and isinstance(message, dict) and as_text(message.get("role")) in _ROLES


class PiReader:
    """Takes the entries of one file; what does not stand on the live branch was taken back."""

    def __init__(self, path: Path, *, is_openclaw: bool = False) -> None:
        self.unknown_rows = 0
        self._stem = path.name.partition(".")[0]
        self._first_row: str | None = None
        self._conversation = Conversation()
        self._speech = Speech(path, self._conversation, is_openclaw=is_openclaw)
        self._tools = ToolCalls()
        self._tree = EntryTree()
        self._turns: list[LastTurn] = []  # how each entry leaves the turn, as far as could be told when it was read
        self._telling: set[int] = set()  # the entries that tell so themselves
        self._latest = LatestTime()
        self._session_id = ""
        self._copied_from: str | None = None
        self._born: str | None = None
        self._name = ""
        self._project: str | None = None

    def add(self, row: Mapping[str, Any]) -> None:
        kind, entry_id = as_text(row.get("type")), as_text(row.get("id"))
        if kind == "session":
            self._header(row)
        elif entry_id and self._tree.knows(entry_id):
            return
        elif kind in ("message", "compaction") or kind in _SILENT:
            self._entry(kind, row)
        else:
            self.unknown_rows += 1
            self._latest.note(_stamp(row))
            self._place(row)

    def session(self) -> Session:
        if self._tree.settle():
            self._conversation.forget()
        messages = self._conversation.messages(self._tree.is_live)
        first = next((message.content for message in messages if message.by_person), None)
        sub_agent = self._speech.sub_agent
        return Session(
            agent=self._speech.agent,
            session_id=self._session_id or self._stem.rpartition("_")[2],
            messages=messages,
            title=headline(self._name) or headline(first or ""),
            project=self._project,
            branch=None,
            last_activity=self._latest.iso,
            last_turn=self._last_turn(),
            sub_agent=sub_agent,
            unprompted=None if first is not None else _why_unprompted(sub_agent=sub_agent, spoken=bool(messages)),
            first_row=self._first_row,
            copied_from=self._copied_from,
            born=self._born,
        )

    def _last_turn(self) -> LastTurn:
        """How the newest entry leaves it; what stood before its parent was read without knowing what came before it."""
        node = self._tree.tip
        while self._tree.has_late and node != NOWHERE and node not in self._telling:
            node = self._tree.parent(node)
        return LastTurn.NONE if node == NOWHERE else self._turns[node]

    def _header(self, row: Mapping[str, Any]) -> None:
        """The first header names the session; a fork's file may repeat its parent's."""
        if self._session_id:
            return
        self._session_id = as_text(row.get("id"))
        self._project = as_text(row.get("cwd")) or None
        self._copied_from = _id_in(as_text(row.get("parentSession"))) or None
        self._born = _stamp(row)
        self._latest.note(_stamp(row))
        self._speech.entry(row)

    def _entry(self, kind: str, row: Mapping[str, Any]) -> None:
        node = self._place(row)
        if kind not in _MARKS:
            self._latest.note(_stamp(row))
        if kind == "message":
            self._first_row = self._first_row or as_text(row.get("id")) or None
            self._message(row, node)
        elif kind == "compaction":
            self._compacted(row, row, node)
        elif kind == "session_info":
            self._name = as_text(row.get("name"))
        else:
            self._speech.entry(row)

    def _place(self, row: Mapping[str, Any]) -> int:
        """The entry's node; until its message says otherwise it leaves the turn as its parent did."""
        parent_id = as_text(row.get("parentId"))
        node = self._tree.add(as_text(row.get("id")), parent_id, at_root="parentId" in row and row["parentId"] is None)
        parent = self._tree.parent(node)
        self._turns.append(LastTurn.NONE if parent == NOWHERE else self._turns[parent])
        return node

    def _message(self, row: Mapping[str, Any], node: int) -> None:
        message = row.get("message")
        if not isinstance(message, Mapping):
            return
        match message.get("role"):
            case "user":
                self._asked(message, _stamp(row), node)
            case "assistant":
                self._replied(message, _stamp(row), node)
            case "toolResult":
                self._conversation.note(*self._tools.answered(message))
                if self._turns[node] in (LastTurn.WORKING, LastTurn.TOOL_OPEN):
                    self._leave(node, self._working())
            case "bashExecution":
                self._conversation.note(*typed_command(message))
            case "compactionSummary":
                self._compacted(message, row, node)

    def _asked(self, message: Mapping[str, Any], ts: str | None, node: int) -> None:
        content = message.get("content")
        has_picture = any(block.get("type") == "image" for block in blocks(content))
        self._speech.say(text_of(content), ts, node=node, has_picture=has_picture)
        self._tools.open.clear()
        self._leave(node, LastTurn.WORKING)

    def _replied(self, message: Mapping[str, Any], ts: str | None, node: int) -> None:
        text = text_of(message.get("content")).strip()
        if text:
            self._conversation.by_assistant(text, ts, node=node)
        calls = [block for block in blocks(message.get("content")) if block.get("type") == "toolCall"]
        for call in calls:
            self._tools.called(call)
        stopped = as_text(message.get("stopReason"))
        if stopped in _ENDS:
            self._tools.open.clear()
            self._leave(node, _ENDS[stopped])
        else:
            self._leave(node, LastTurn.REPLIED if text and not calls and not stopped else self._working())

    def _leave(self, node: int, turn: LastTurn) -> None:
        self._turns[node] = turn
        self._telling.add(node)

    def _compacted(self, source: Mapping[str, Any], row: Mapping[str, Any], node: int) -> None:
        """The model's own summary counts only where it is all there is of what went before."""
        summary = as_text(source.get("summary"))
        if summary.strip() and not self._conversation.has_shown:
            self._conversation.by_assistant(f"{SUMMARY_LABEL}\n{summary}", _stamp(row), node=node)

    def _working(self) -> LastTurn:
        return LastTurn.TOOL_OPEN if self._tools.open else LastTurn.WORKING


def _id_in(path: str) -> str:
    """The session's id at the end of a file's name, behind the file's time; a bare id stands for itself."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return name.removesuffix(".jsonl").rpartition("_")[2]


def _stamp(row: Mapping[str, Any]) -> str | None:
    """The entry's time, which rows of a database may give in milliseconds."""
    value = row.get("timestamp")
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return as_stamp(str(value)) if value < _FAR_FUTURE else None
    return iso_stamp(value)


def _why_unprompted(*, sub_agent: bool, spoken: bool) -> str:
    if sub_agent:
        return "a sub-agent's file"
    return "only programs spoke" if spoken else "opened, never used"


def _roots(environ: Environ, home: Path) -> tuple[Path, ...]:
    named = environ.get("PI_CODING_AGENT_DIR", "")
    return (Path(named).expanduser() if named else home / ".pi" / "agent",)


FORMAT = RowFormat(name=PI, claims=claims, open_reader=PiReader)
PLACE = Place(agent=PI, roots=_roots, patterns=("sessions/*/*.jsonl",))
