"""Kiro: JSON Lines of typed messages, with a JSON file beside them that tells how turns ended."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from service.domain.messages import Message, Origin
from service.sources.conversation import Conversation, Entry
from service.sources.kinds import Environ, Place, RowFormat
from service.sources.kiro_sidecar import Sidecar, read_sidecar
from service.sources.kiro_tools import ToolCalls
from service.sources.latest import LatestTime
from service.sources.session import LastTurn, Session
from service.sources.text import as_text, headline

AGENT = "kiro"
PICTURE = "[picture without words]"
SUMMARY_LABEL = "[the agent's own summary of the conversation before this file begins]"
# Replies that the program wrote in the agent's place.
NOTICES = frozenset(
    {
        "Response was interrupted by the user",
        "Tool uses were interrupted, waiting for the next user prompt",
    }
)

_KINDS = frozenset({"Prompt", "AssistantMessage", "ToolResults", "Compaction", "Clear", "ResetTo", "CancelledPrompt"})
_STEERING = "[LIVE STEERING - New message from user]"
_STEER_START = '<user_message id="steer-'
_STEER_END = "</user_message>"


def claims(row: Mapping[str, Any]) -> bool:
    """Whether a row can only be Kiro's."""
    return as_text(row.get("kind")) in _KINDS and "version" in row and "data" in row


class KiroReader:
    """Takes the rows of one file and tells who said what since the last clear or reset."""

    def __init__(self, path: Path) -> None:
        self.unknown_rows = 0
        self._path = path
        self._conversation = Conversation()
        self._tools = ToolCalls()
        self._latest = LatestTime()
        self._turn = LastTurn.NONE
        self._live: list[Entry] = []
        self._keeps: dict[str, int] = {}  # how many live entries stay when the person goes back to a message
        self._first_id = ""
        self._last_id = ""
        self._has_cleared = False

    def add(self, row: Mapping[str, Any]) -> None:
        kind, data = as_text(row.get("kind")), row.get("data")
        if kind not in _KINDS:
            self.unknown_rows += 1
            return
        self._take(kind, data if isinstance(data, Mapping) else {})

    def session(self) -> Session:
        sidecar = read_sidecar(self._path)
        messages = self._conversation.messages()
        if sidecar.sub_agent:
            messages = tuple(map(_by_parent, messages))
        first = next((message.content for message in messages if message.by_person), None)
        return Session(
            agent=AGENT,
            session_id=sidecar.session_id or self._path.stem,
            messages=messages,
            title=headline(sidecar.title) or headline(first or ""),
            project=sidecar.project or None,
            branch=None,
            last_activity=self._last_activity(sidecar),
            last_turn=self._last_turn(sidecar),
            sub_agent=sidecar.sub_agent,
            unprompted=None if first is not None else self._why_unprompted(sidecar, spoken=bool(messages)),
            first_row=self._first_id or None,
            born=sidecar.born,
        )

    def _last_turn(self, sidecar: Sidecar) -> LastTurn:
        if self._turn in (LastTurn.NONE, LastTurn.INTERRUPTED):
            return self._turn
        return sidecar.end_of(self._last_id) or self._turn

    def _last_activity(self, sidecar: Sidecar) -> str | None:
        """Only prompts have a time among the rows; the file beside them knows when turns ended."""
        for time in sidecar.end_times:
            self._latest.note(stamp(time))
        return self._latest.iso

    def _why_unprompted(self, sidecar: Sidecar, *, spoken: bool) -> str:
        if sidecar.sub_agent:
            return "a sub-agent's file"
        if spoken:
            return "only programs spoke"
        return "cleared by the person" if self._has_cleared else "opened, never used"

    def _take(self, kind: str, data: Mapping[str, Any]) -> None:
        message_id = as_text(data.get("message_id"))
        match kind:
            case "Clear":
                self._has_cleared = True
                self._cut(0)
            case "ResetTo":
                self._reset(data)
            case "Compaction":
                self._compacted(data)
            case "CancelledPrompt":
                self._cancelled(message_id, data)
            case _ if message_id in self._keeps:
                return
            case _:
                self._message(kind, message_id, data)

    def _message(self, kind: str, message_id: str, data: Mapping[str, Any]) -> None:
        before = len(self._live)
        match kind:
            case "Prompt":
                self._prompt(data)
            case "AssistantMessage":
                self._replied(data)
            case _:
                self._results(data)
        if message_id:
            self._first_id = self._first_id or message_id
            self._last_id = message_id
            # Going back to a prompt takes that prompt back; going back to a reply keeps the reply.
            self._keeps[message_id] = before if kind == "Prompt" else len(self._live)

    def _prompt(self, data: Mapping[str, Any]) -> None:
        words = _words(data)
        if not words and any(block.get("kind") == "image" for block in _blocks(data)):
            words = PICTURE
        if not words:
            return
        meta = data.get("meta")
        ts = stamp(meta.get("timestamp")) if isinstance(meta, Mapping) else None
        self._latest.note(ts)
        self._tools.open.clear()
        self._said(words, ts)

    def _said(self, words: str, ts: str | None) -> None:
        self._live.append(self._conversation.by_user(words, Origin.PERSON, ts))
        self._turn = LastTurn.TOOL_OPEN if self._tools.open else LastTurn.WORKING

    def _cancelled(self, message_id: str, data: Mapping[str, Any]) -> None:
        """A prompt that was sent was said; its row may stand alone or behind the prompt's own."""
        if message_id not in self._keeps and not self._ends_with_prompt(_words(data)):
            self._message("Prompt", message_id, data)
        self._end_turn(LastTurn.INTERRUPTED)

    def _ends_with_prompt(self, words: str) -> bool:
        last = self._live[-1] if self._live else None
        return last is not None and last.role == "user" and last.content == words and self._conversation.is_last(last)

    def _replied(self, data: Mapping[str, Any]) -> None:
        words = _words(data)
        if words.removesuffix(".") in NOTICES:
            self._end_turn(LastTurn.INTERRUPTED)
            return
        if words:
            self._live.append(self._conversation.by_assistant(words, None))
        uses = [use for block in _blocks(data) if (use := _tool_use(block))]
        if words and not uses:
            # The model speaks again only when its calls are answered, whether or not the rows of the answers are here.
            self._tools.open.clear()
            self._turn = LastTurn.REPLIED
            return
        for use in uses:
            self._tools.called(as_text(use.get("toolUseId")), as_text(use.get("name")), use.get("input"))
        self._turn = LastTurn.TOOL_OPEN if self._tools.open else LastTurn.WORKING

    def _results(self, data: Mapping[str, Any]) -> None:
        self._turn = LastTurn.WORKING
        for block in _blocks(data):
            result = block.get("data")
            if block.get("kind") == "toolResult" and isinstance(result, Mapping):
                call_id = as_text(result.get("toolUseId"))
                self._conversation.note(*self._tools.answered(call_id, result.get("content"), result.get("status")))
            for words in _steers(block):
                self._said(words, None)
        self._turn = LastTurn.TOOL_OPEN if self._tools.open else LastTurn.WORKING

    def _compacted(self, data: Mapping[str, Any]) -> None:
        """The rows it sums up stay in the file, unless it is the first thing there."""
        summary = as_text(data.get("summary")).strip()
        if summary and not self._live:
            self._live.append(self._conversation.by_assistant(f"{SUMMARY_LABEL}\n{summary}", None))

    def _reset(self, data: Mapping[str, Any]) -> None:
        """To the message that any field of the row names; to one that is not here, nothing can be taken back."""
        named = (value for value in data.values() if isinstance(value, str))
        kept = next((self._keeps[one] for one in named if one in self._keeps), None)
        if kept is not None:
            self._cut(kept)

    def _cut(self, kept: int) -> None:
        if kept == 0:
            self._conversation = Conversation()
            self._keeps.clear()
        elif kept < len(self._live):
            self._conversation.hide_from(self._live[kept])
        del self._live[kept:]
        while self._keeps and self._keeps[next(reversed(self._keeps))] > kept:
            self._keeps.popitem()
        self._end_turn(LastTurn.COMPLETED if self._conversation.has_shown else LastTurn.NONE)

    def _end_turn(self, how: LastTurn) -> None:
        self._turn = how
        self._tools.open.clear()


def stamp(value: object) -> str | None:
    """A time as text: epoch seconds stand as numbers here."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(value)[:64]
    return value if isinstance(value, str) and value else None


def _by_parent(message: Message) -> Message:
    return replace(message, origin=Origin.AUTOMATION) if message.by_person else message


def _blocks(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    content = data.get("content")
    return (block for block in (content if isinstance(content, list) else ()) if isinstance(block, Mapping))


def _words(data: Mapping[str, Any]) -> str:
    texts = (as_text(block.get("data")) for block in _blocks(data) if block.get("kind") == "text")
    return "\n".join(text for text in texts if text.strip()).strip()


def _tool_use(block: Mapping[str, Any]) -> Mapping[str, Any] | None:
    use = block.get("data")
    return use if block.get("kind") == "toolUse" and isinstance(use, Mapping) else None


def _steers(block: Mapping[str, Any]) -> Iterator[str]:
    """What a person typed while the agent worked: a block of its own beside the results, or behind a tool's output.

    Output itself may begin like it: a file can hold anything.
    """
    value = block.get("data")
    if block.get("kind") == "text" and as_text(value).lstrip().startswith(_STEERING):
        yield from _steered(as_text(value).partition(_STEERING)[2])
    elif block.get("kind") == "toolResult" and isinstance(value, Mapping):
        for inner in islice(_blocks(value), 1, None):
            if inner.get("kind") == "text":
                yield from _steers(inner)


def _steered(text: str) -> Iterator[str]:
    """Message by message, or all of it where there are no tags."""
    if _STEER_START not in text:
        text = f'{_STEER_START}">{text}'
    for piece in text.split(_STEER_START)[1:]:
        words = piece.partition(">")[2]
        end = words.rfind(_STEER_END)
        if words := words[: end if end >= 0 else None].strip():
            yield words


def _roots(environ: Environ, home: Path) -> tuple[Path, ...]:
    named = environ.get("KIRO_HOME", "")
    return (Path(named).expanduser() if named else home / ".kiro",)


def _parts(path: Path) -> tuple[Path, ...]:
    return (path, path.with_suffix(".json"))


FORMAT = RowFormat(name=AGENT, claims=claims, open_reader=KiroReader, parts=_parts)
PLACE = Place(agent=AGENT, roots=_roots, patterns=("sessions/cli/*.jsonl",))
