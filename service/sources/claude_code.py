"""Claude Code: one JSON Lines file a session, with a tree of rows of which only the live branch counts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service.domain.messages import Origin
from service.sources.claude_queue import Queue
from service.sources.claude_speakers import (
    Speaker,
    Spoken,
    has_tool_result,
    who_speaks,
    who_speaks_beside_results,
)
from service.sources.claude_title import Headings
from service.sources.claude_tools import ToolCalls, results_in
from service.sources.claude_tree import RowKind, RowTree
from service.sources.conversation import Conversation, Entry
from service.sources.kinds import SUB_AGENT, Environ, Place, RowFormat
from service.sources.latest import LatestTime
from service.sources.session import LastTurn, Session
from service.sources.text import as_text, blocks, iso_stamp

AGENT = "claude-code"
SUMMARY_LABEL = "[the agent's own summary of the conversation before this file begins]"

_SYNTHETIC = "<synthetic>"
_END_MARKERS = frozenset({"stop_hook_summary", "turn_duration"})
_HEADING_TYPES = frozenset({"custom-title", "ai-title", "summary"})
# Types that say nothing about the talk itself; they still tell whose file it is.
_SILENT_TYPES = frozenset(
    {
        "progress",
        "file-history-snapshot",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "frame-link",
        "agent-name",
        "bridge-session",
        "tag",
        "worktree-state",
        "content-replacement",
        "marble-origami",
        "synthetic-message",
    }
)
# They come days after the talk, which is no activity.
_MARKS = frozenset({"last-prompt", "mode", "permission-mode", "agent-name", "tag"})
_OWN_FIELDS = frozenset({"sessionId", "uuid", "leafUuid", "messageId"})
_OTHER_TYPES = frozenset({"system", "attachment", "queue-operation"}) | _HEADING_TYPES | _SILENT_TYPES


def claims(row: Mapping[str, Any]) -> bool:
    """Whether a row can only be Claude Code's; output of its print mode spells `session_id` and is another format."""
    if "session_id" in row and "sessionId" not in row:
        return False
    if row.get("type") in ("user", "assistant"):
        message = row.get("message")
        return isinstance(message, dict) and "content" in message
    return as_text(row.get("type")) in _OTHER_TYPES and not _OWN_FIELDS.isdisjoint(row)


class ClaudeCodeReader:
    """Takes the rows of one file and tells who said what on its live branch."""

    def __init__(self, path: Path) -> None:
        self.unknown_rows = 0
        self._stem = path.stem
        self._conversation = Conversation()
        self._tree = RowTree()
        self._tools = ToolCalls()
        self._queue = Queue(self._conversation, lambda: self._tree.last)
        self._headings = Headings()
        self._latest = LatestTime()
        self._reply: tuple[tuple[str, str], Entry] | None = None
        self._turn = LastTurn.NONE
        self._session_ids: dict[str, None] = {}
        self._first_row: str | None = None
        self._copied_from: str | None = None
        self._project: str | None = None
        self._branch: str | None = None
        self._has_sidechain = False
        self._has_main = False

    def add(self, row: Mapping[str, Any]) -> None:
        kind = as_text(row.get("type"))
        if kind in _HEADING_TYPES:
            self._headings.take(kind, row)
        elif row.get("isSidechain") is True:
            self._has_sidechain = True
            self._latest.note(iso_stamp(row.get("timestamp")))
        elif kind in ("user", "assistant") or kind in _OTHER_TYPES:
            self._take(kind, row)
        else:
            self.unknown_rows += 1

    def session(self) -> Session:
        if self._tree.judge():
            self._conversation.forget()
        messages = self._conversation.messages(self._tree.is_live)
        first = next((message.content for message in messages if message.by_person), None)
        sub_agent = self._has_sidechain and not self._has_main
        return Session(
            agent=AGENT,
            session_id=self._session_id(),
            messages=messages,
            title=self._headings.title(self._tree.knows, first),
            project=self._project,
            branch=self._branch,
            last_activity=self._latest.iso,
            last_turn=self._turn,
            sub_agent=sub_agent,
            unprompted=None if first is not None else _why_unprompted(sub_agent=sub_agent, spoken=bool(messages)),
            first_row=self._first_row,
            copied_from=self._copied_from,
        )

    def _take(self, kind: str, row: Mapping[str, Any]) -> None:
        uuid = as_text(row.get("uuid"))
        if uuid and self._tree.knows(uuid):
            return
        self._note_place(kind, row)
        match kind:
            case "user":
                self._user(row)
            case "assistant":
                self._assistant(row)
            case "queue-operation":
                if self._queue.operation(row):
                    self._steered()
            case _:
                self._place(row)
                self._aside(kind, row)

    def _note_place(self, kind: str, row: Mapping[str, Any]) -> None:
        if kind not in _MARKS:
            self._latest.note(iso_stamp(row.get("timestamp")))
        self._project = as_text(row.get("cwd")) or self._project
        self._branch = as_text(row.get("gitBranch")) or self._branch

    def _place(self, row: Mapping[str, Any], kind: RowKind = RowKind.SILENT) -> int:
        """The row's node; rows that stand in no tree, such as titles, take none."""
        uuid = as_text(row.get("uuid"))
        if not uuid and kind is RowKind.SILENT:
            return self._tree.last
        parent = as_text(row.get("parentUuid")) or as_text(row.get("logicalParentUuid"))
        return self._tree.add(uuid, parent, at_root=not parent and "parentUuid" in row, kind=kind)

    def _message_seen(self, row: Mapping[str, Any]) -> None:
        if not isinstance(row.get("message"), Mapping):
            return
        self._has_main = True
        self._first_row = self._first_row or as_text(row.get("uuid")) or None
        if session_id := as_text(row.get("sessionId")):
            self._session_ids.pop(session_id, None)
            self._session_ids[session_id] = None
        if isinstance(forked := row.get("forkedFrom"), Mapping):
            self._copied_from = as_text(forked.get("sessionId")) or self._copied_from

    def _session_id(self) -> str:
        """The file's name if its rows bear it; a copied or renamed file goes by its newest rows."""
        if self._stem in self._session_ids or not self._session_ids:
            return self._stem
        return next(reversed(self._session_ids))

    def _user(self, row: Mapping[str, Any]) -> None:
        self._message_seen(row)
        if has_tool_result(row):
            self._results(row)
            return
        spoken = who_speaks(row)
        starts_turn = spoken.speaker in (Speaker.PERSON, Speaker.AUTOMATION)
        self._said(spoken, row, self._place(row, RowKind.PROMPT if starts_turn else RowKind.SILENT), mid_turn=False)

    def _results(self, row: Mapping[str, Any]) -> None:
        node = self._place(row, RowKind.WORK)
        message = row["message"]
        for block in results_in(message.get("content")):
            self._conversation.note(*self._tools.answered(block, row.get("toolUseResult")))
        if self._turn is not LastTurn.INTERRUPTED:
            self._working()
        for spoken in who_speaks_beside_results(row):
            self._said(spoken, row, node, mid_turn=True)

    def _said(self, spoken: Spoken, row: Mapping[str, Any], node: int, *, mid_turn: bool) -> None:
        stamp = iso_stamp(row.get("timestamp"))
        match spoken.speaker:
            case Speaker.PERSON | Speaker.AUTOMATION:
                self._prompt(spoken, stamp, node, mid_turn=mid_turn)
            case Speaker.COMPACTION if not self._conversation.has_shown:
                self._conversation.by_assistant(f"{SUMMARY_LABEL}\n{spoken.text}", stamp, node=node)
            case Speaker.INTERRUPT:
                self._end_turn(LastTurn.INTERRUPTED)
            case _:
                pass

    def _prompt(self, spoken: Spoken, stamp: str | None, node: int, *, mid_turn: bool) -> None:
        origin = Origin.PERSON if spoken.speaker is Speaker.PERSON else Origin.AUTOMATION
        if self._turn not in (LastTurn.WORKING, LastTurn.TOOL_OPEN):
            self._queue.turn_ended()
        if not self._queue.user_row(spoken) and not mid_turn:
            self._tools.open.clear()
        self._conversation.by_user(spoken.text, origin, stamp, node=node)
        self._working()

    def _steered(self) -> None:
        self._has_main = True
        self._working()

    def _working(self) -> None:
        self._turn = LastTurn.TOOL_OPEN if self._tools.open else LastTurn.WORKING

    def _end_turn(self, how: LastTurn) -> None:
        self._turn = how
        self._reply = None
        self._tools.open.clear()
        self._queue.turn_ended()

    def _assistant(self, row: Mapping[str, Any]) -> None:
        self._message_seen(row)
        node = self._place(row, RowKind.WORK)
        message = row.get("message")
        if not isinstance(message, Mapping):
            return
        if row.get("isApiErrorMessage") is True:
            self._end_turn(LastTurn.FAILED)
        elif message.get("model") == _SYNTHETIC:
            self._synthetic()
        else:
            self._replied(row, message, node)

    def _synthetic(self) -> None:
        """The program's own row, never the agent's words: it closes what was open when a session is taken up again."""
        if self._turn is LastTurn.TOOL_OPEN:
            self._end_turn(LastTurn.INTERRUPTED)
        elif self._turn is LastTurn.WORKING:
            self._turn = LastTurn.REPLIED

    def _replied(self, row: Mapping[str, Any], message: Mapping[str, Any], node: int) -> None:
        texts, called, key = [], False, (as_text(message.get("id")), as_text(row.get("requestId")))
        for block in blocks(message.get("content")):
            if block.get("type") == "tool_use":
                self._tools.called(block, key)
                called = True
            elif block.get("type") == "text":
                texts.append(as_text(block.get("text")))
        text = "\n\n".join(one for one in texts if one.strip())
        if text:
            self._reply_text(text, key, row, node)
        if called or message.get("stop_reason") == "tool_use" or not text:
            self._working()
        else:
            self._tools.close_before(key)
            self._turn = LastTurn.TOOL_OPEN if self._tools.open else LastTurn.REPLIED

    def _reply_text(self, text: str, key: tuple[str, str], row: Mapping[str, Any], node: int) -> None:
        """Rows of one reply are joined while nothing else was said; a reply without an id is never joined."""
        if self._reply and key[0] and self._reply[0] == key and self._conversation.is_last(self._reply[1]):
            self._conversation.extend(self._reply[1], text)
        else:
            entry = self._conversation.by_assistant(text, iso_stamp(row.get("timestamp")), node=node)
            self._reply = (key, entry)

    def _aside(self, kind: str, row: Mapping[str, Any]) -> None:
        """Rows between the messages: end markers, and what was delivered while the agent worked."""
        if kind == "system" and as_text(row.get("subtype")) in _END_MARKERS:
            if self._turn is LastTurn.REPLIED:
                self._end_turn(LastTurn.COMPLETED)
        elif kind == "attachment":
            attachment = row.get("attachment")
            if isinstance(attachment, Mapping) and self._queue.attachment(attachment, row):
                self._steered()


def _why_unprompted(*, sub_agent: bool, spoken: bool) -> str:
    if sub_agent:
        return "a sub-agent's file"
    return "only programs spoke" if spoken else "opened, never used"


def _roots(environ: Environ, home: Path) -> tuple[Path, ...]:
    """The folder the environment names takes the place of the usual ones."""
    if named := environ.get("CLAUDE_CONFIG_DIR", ""):
        return (Path(named).expanduser(),)
    return (home / ".claude", home / ".config" / "claude")


FORMAT = RowFormat(name=AGENT, claims=claims, open_reader=ClaudeCodeReader)
PLACE = Place(
    agent=AGENT,
    roots=_roots,
    patterns=("projects/*/*.jsonl",),
    left_out=(("projects/*/*/subagents/*.jsonl", SUB_AGENT),),
)
