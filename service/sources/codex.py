"""Codex: one rollout a session, in the envelopes of every version and in the bare rows before there were any."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service.domain.characters import has_visible
from service.domain.messages import Origin
from service.sources.codex_fork import ForkPoint
from service.sources.codex_prompts import Prompt, event_prompt, event_text, has_pictures, item_prompt
from service.sources.codex_rows import ENVELOPES, is_bare_header, unwrapped
from service.sources.codex_tools import CALLS, OUTPUTS, ToolCalls
from service.sources.codex_turn import Turn
from service.sources.conversation import Conversation, Entry
from service.sources.kinds import Environ, Place, RowFormat
from service.sources.latest import LatestTime
from service.sources.session import LastTurn, Session
from service.sources.text import as_text, headline, iso_stamp, text_of

AGENT = "codex"

_INJECTED_KINDS = ("user_instructions", "environment_context")
_ABORT_ENDS = {"review_ended": LastTurn.COMPLETED}


def claims(row: Mapping[str, Any]) -> bool:
    """Whether a row can only be Codex's; the bare header of 2025 has no type."""
    if as_text(row.get("type")) in ENVELOPES:
        return isinstance(row.get("payload"), dict)
    return row.get("record_type") == "state" or is_bare_header(row)


class CodexReader:
    """Takes the rows of one rollout; prompts come from events, from items only while no event tells of one."""

    def __init__(self, path: Path) -> None:
        self.unknown_rows = 0
        self._conversation = Conversation()
        self._tools = ToolCalls()
        self._latest = LatestTime()
        self._turn = Turn(self._tools.open)
        self._fork: ForkPoint | None = None
        self._session_id = _id_in_name(path)
        self._project: str | None = None
        self._branch: str | None = None
        self._sub_agent = False
        self._has_events = False
        self._from_items: list[Entry] = []
        self._turn_starts: list[Entry] = []
        self._held_back: list[tuple[str, Entry]] = []  # each with the type of its event or item
        self._item_ids: set[str] = set()
        self._last_event: tuple[str, Entry] | None = None

    def add(self, row: Mapping[str, Any]) -> None:
        known = unwrapped(row)
        if known is None:
            self.unknown_rows += 1
            return
        kind, payload = known
        if kind == "session_meta" and self._fork is None:
            self._header(payload, row)
        elif self._is_own(kind, payload, row):
            self._latest.note(iso_stamp(row.get("timestamp")))
            self._take(kind, payload, row)

    def session(self) -> Session:
        messages = self._conversation.messages()
        first = next((message.content for message in messages if message.by_person), None)
        return Session(
            agent=AGENT,
            session_id=self._session_id,
            messages=messages,
            title=headline(first or ""),
            project=self._project,
            branch=self._branch,
            last_activity=self._latest.iso,
            last_turn=self._turn.stands,
            sub_agent=self._sub_agent,
            unprompted=None if first is not None else self._why_unprompted(spoken=bool(messages)),
        )

    def _why_unprompted(self, *, spoken: bool) -> str:
        if self._sub_agent:
            return "a sub-agent's file"
        return "only programs spoke" if spoken else "opened, never used"

    def _header(self, meta: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        """The first header names the session; those that come again with a fork or a resume do not."""
        self._fork = ForkPoint(meta, row.get("timestamp"))
        self._latest.note(iso_stamp(meta.get("timestamp")))
        self._latest.note(iso_stamp(row.get("timestamp")))
        self._session_id = as_text(meta.get("id")) or self._session_id
        self._project = as_text(meta.get("cwd")) or self._project
        git, source = meta.get("git"), meta.get("source")
        if isinstance(git, Mapping):
            self._branch = as_text(git.get("branch")) or None
        spawned = isinstance(source, Mapping) and "subagent" in source
        self._sub_agent = spawned or meta.get("thread_source") == "subagent"

    def _is_own(self, kind: str, payload: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
        """Whether a row is not a copy of the parent's; a fork's prompts may stand before the row that shows it."""
        if self._fork is None or not self._fork.inherited:
            return True
        if self._fork.pass_row(kind, payload, row.get("timestamp")):
            self._held_back.clear()
        if self._fork.inherited:
            self._hold_back(kind, payload, row)
            return False
        self._release()
        return True

    def _hold_back(self, kind: str, payload: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        """Keeps a prompt that may turn out to be the fork's own; what has the time of the copying never does."""
        prompt = self._item_prompt(payload) if kind == "response_item" else None
        if kind == "event_msg" and (prompt := self._event_prompt(payload)):
            self._has_events = True
        if prompt and self._fork is not None and self._fork.is_later(row.get("timestamp")):
            self._held_back.append((as_text(payload.get("type")), self._said(prompt, row, shown=False)))

    def _release(self) -> None:
        """The prompts that were held back are the fork's own; of items only where no event tells of prompts."""
        for kind, entry in self._held_back:
            from_item = kind == "message"
            if from_item and self._has_events:
                continue
            self._conversation.show(entry, True)
            self._count(entry, from_item=from_item)
            self._last_event = self._last_event if from_item else (kind, entry)
        self._held_back.clear()

    def _take(self, kind: str, payload: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        match kind:
            case "turn_context":
                self._project = as_text(payload.get("cwd")) or self._project
            case "event_msg":
                self._event(payload, row)
            case "response_item":
                self._item(payload, row)

    def _event(self, payload: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        match payload.get("type"):
            case "user_message" | "item_completed":
                self._shown(payload, row)
            case "agent_message":
                self._replied(as_text(payload.get("message")), payload, row)
            case "task_started":
                self._turn.start()
            case "task_complete":
                if not self._turn.is_answered and self._turn.stands is not LastTurn.FAILED:
                    self._replied(as_text(payload.get("last_agent_message")), payload, row)
                self._turn.complete()
            case "turn_aborted":
                self._turn.end(_ABORT_ENDS.get(as_text(payload.get("reason")), LastTurn.INTERRUPTED))
            case "error":
                self._turn.fail()
            case "thread_rolled_back":
                self._take_back(payload.get("num_turns"))

    def _shown(self, payload: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        """A prompt as a client showed it, or another item that a client finished showing."""
        item = payload.get("item")
        if isinstance(item, Mapping) and item.get("type") == "AgentMessage":
            self._replied(event_text(item.get("content")), item, row)
        elif (prompt := self._event_prompt(payload)) and not self._is_other_kind_of_same(prompt, payload):
            self._hide_item_prompts()
            self._last_event = (as_text(payload.get("type")), self._prompted(prompt, row))

    def _is_other_kind_of_same(self, prompt: Prompt, payload: Mapping[str, Any]) -> bool:
        """Whether the prompt was shown by the event before, of the other kind, with nothing said in between."""
        if self._last_event is None:
            return False
        kind, entry = self._last_event
        return kind != payload.get("type") and entry.content == prompt[0] and self._conversation.is_last(entry)

    def _event_prompt(self, payload: Mapping[str, Any]) -> Prompt | None:
        """The prompt in an event of either version; an item that was seen before is none."""
        if payload.get("type") == "user_message":
            if payload.get("kind") in _INJECTED_KINDS:
                return None
            pictures = bool(payload.get("images") or payload.get("local_images"))
            return event_prompt(as_text(payload.get("message")), has_pictures=pictures)
        item = payload.get("item")
        if (
            payload.get("type") != "item_completed"
            or not isinstance(item, Mapping)
            or item.get("type") != "UserMessage"
        ):
            return None
        item_id = as_text(item.get("id"))
        if item_id in self._item_ids:
            return None
        if item_id:
            self._item_ids.add(item_id)
        return event_prompt(event_text(item.get("content")), has_pictures=has_pictures(item.get("content")))

    def _item(self, item: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        kind, role = as_text(item.get("type")), item.get("role")
        if kind in CALLS:
            self._tools.called(item)
            self._turn.go_on()
        elif kind in OUTPUTS:
            self._conversation.note(*self._tools.answered(item))
            self._turn.go_on()
        elif kind == "message" and role == "assistant":
            self._replied(text_of(item.get("content")), item, row)
        elif prompt := self._item_prompt(item):
            self._prompted(prompt, row, from_item=True)

    def _item_prompt(self, item: Mapping[str, Any]) -> Prompt | None:
        """The prompt in an item, which tells of none in a file whose events do."""
        if self._has_events or item.get("type") != "message" or item.get("role") != "user":
            return None
        return item_prompt(item.get("content"))

    def _hide_item_prompts(self) -> None:
        """As soon as one event tells of a prompt, events tell of all."""
        self._has_events = True
        for entry in self._from_items:
            self._conversation.show(entry, False)
        self._from_items.clear()

    def _prompted(self, prompt: Prompt, row: Mapping[str, Any], *, from_item: bool = False) -> Entry:
        entry = self._said(prompt, row, shown=True)
        self._count(entry, from_item=from_item)
        self._turn.prompt(by_person=prompt[1] is Origin.PERSON)
        return entry

    def _count(self, entry: Entry, *, from_item: bool) -> None:
        if from_item:
            self._from_items.append(entry)
        if self._turn.count_prompt():
            self._turn_starts.append(entry)

    def _said(self, prompt: Prompt, row: Mapping[str, Any], *, shown: bool) -> Entry:
        """A sub-agent is spoken to by its parent agent, never by a person."""
        text, origin = prompt
        by = Origin.AUTOMATION if self._sub_agent else origin
        return self._conversation.by_user(text, by, iso_stamp(row.get("timestamp")), shown=shown)

    def _replied(self, text: str, source: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        """A reply stands in an event and in an item; whichever comes second adds nothing."""
        if not has_visible(text):
            return
        is_second = self._conversation.ends_with(text)
        if not is_second:
            self._conversation.by_assistant(text, iso_stamp(row.get("timestamp")))
        self._turn.reply(source.get("phase"), is_second=is_second)

    def _take_back(self, turns: object) -> None:
        """The person went back this many turns: they do not count, nor does what followed them."""
        live = [entry for entry in self._turn_starts if entry.shown]
        if isinstance(turns, int) and turns > 0 and live:
            self._conversation.hide_from(live[-min(turns, len(live))])
            self._turn.end(LastTurn.COMPLETED if len(live) > turns else LastTurn.NONE)


def _id_in_name(path: Path) -> str:
    """The id at the end of a rollout's name, for a file whose header is lost."""
    name = path.name.partition(".")[0]
    return name[-36:] if name.startswith("rollout-") and len(name) > 36 else name


def _roots(environ: Environ, home: Path) -> tuple[Path, ...]:
    named = environ.get("CODEX_HOME", "")
    return (Path(named).expanduser() if named else home / ".codex",)


_PATTERNS = ("sessions/*/*/*/rollout-*.jsonl", "archived_sessions/rollout-*.jsonl")

FORMAT = RowFormat(name=AGENT, claims=claims, open_reader=CodexReader)
PLACE = Place(agent=AGENT, roots=_roots, patterns=(*_PATTERNS, *(f"{pattern}.zst" for pattern in _PATTERNS)))
