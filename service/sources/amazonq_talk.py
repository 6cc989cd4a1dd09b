"""The two records of one Amazon Q conversation: the history the model gets, and the transcript the person saw."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from service.domain.facts import denied
from service.domain.messages import Message, Origin
from service.sources.conversation import Conversation
from service.sources.kiro import NOTICES, PICTURE, SUMMARY_LABEL
from service.sources.kiro_tools import ToolCalls
from service.sources.latest import LatestTime
from service.sources.session import LastTurn
from service.sources.text import as_stamp, as_text

_TOOLS_USED = re.compile(r"\n?\[Tool uses: ([^\]\n]{0,2000})\]\s*$")
# So much of an item's end can hold the line that names the tools.
_TAIL_CHARS = 2_100
_KEYS = frozenset({"t", "y", "n"})
_LOCAL_COMMANDS = ("/", "!")
_AUTOMATED = "[SYSTEM NOTE: This is an automated request"


@dataclass(frozen=True, slots=True)
class Talk:
    """What one of the records amounts to."""

    messages: tuple[Message, ...]
    last_turn: LastTurn
    last_activity: str | None = None
    project: str | None = None

    @property
    def user_turns(self) -> int:
        return sum(message.by_person for message in self.messages)


def read_talk(value: Mapping[str, object]) -> Talk:
    """The history, which has times and tool calls, unless it was trimmed: then the transcript knows more prompts."""
    history, transcript = _History(value).talk(), _transcript(value.get("transcript"))
    return transcript if transcript.user_turns > history.user_turns or not history.messages else history


class _History:
    """Pairs of a user message and the reply to it, with the person's words apart from what was put beside them."""

    def __init__(self, value: Mapping[str, object]) -> None:
        self._conversation = Conversation()
        self._tools = ToolCalls()
        self._latest = LatestTime()
        self._turn = LastTurn.NONE
        self._project: str | None = None
        self._summary(value.get("latest_summary"))
        for user, assistant in _pairs(value.get("history")):
            self._user(user)
            self._assistant(assistant)
        self._user(value.get("next_message"))

    def talk(self) -> Talk:
        return Talk(self._conversation.messages(), self._turn, self._latest.iso, self._project)

    def _summary(self, found: object) -> None:
        text = as_text(found[0] if isinstance(found, list) and found else found).strip()
        if text:
            self._conversation.by_assistant(f"{SUMMARY_LABEL}\n{text}", None)

    def _user(self, user: object) -> None:
        content = user.get("content") if isinstance(user, Mapping) else None
        if not isinstance(user, Mapping) or not isinstance(content, Mapping):
            return
        self._latest.note(user.get("timestamp"))
        self._project = _working_directory(user) or self._project
        kind, body = next(iter(content.items()), ("", None))
        if not isinstance(body, Mapping):
            return
        self._results(body.get("tool_use_results"))
        words = as_text(body.get("prompt")).strip()
        # A key that answers "allow this?" cancels the call; the key is no prompt, other words are one.
        if kind == "CancelledToolUses" and words.lower() in _KEYS:
            words = ""
        if kind == "Prompt" and not words and user.get("images"):
            words = PICTURE
        if words:
            self._tools.open.clear()
            origin = Origin.AUTOMATION if words.startswith(_AUTOMATED) else Origin.PERSON
            self._conversation.by_user(words, origin, as_stamp(user.get("timestamp")))
        self._turn = LastTurn.INTERRUPTED if kind == "CancelledToolUses" and not words else LastTurn.WORKING

    def _results(self, results: object) -> None:
        for result in results if isinstance(results, list) else ():
            if isinstance(result, Mapping):
                call_id = as_text(result.get("tool_use_id"))
                facts = self._tools.answered(call_id, result.get("content"), result.get("status"))
                self._conversation.note(*facts)

    def _assistant(self, assistant: object) -> None:
        body = next(iter(assistant.values()), None) if isinstance(assistant, Mapping) else None
        if not isinstance(body, Mapping):
            return
        words = as_text(body.get("content")).strip()
        if words.removesuffix(".") in NOTICES:
            self._turn = LastTurn.INTERRUPTED
            return
        if words:
            self._conversation.by_assistant(words, None)
        for use in _list(body.get("tool_uses")):
            if isinstance(use, Mapping):
                self._tools.called(as_text(use.get("id")), as_text(use.get("name")), use.get("args"))
        if words or self._tools.open:
            self._turn = LastTurn.TOOL_OPEN if self._tools.open else LastTurn.REPLIED


def _transcript(items: object) -> Talk:
    """Prompts begin with `> `; replies end by naming the tools they used; keys and local commands are no prompts."""
    conversation, turn, tools = Conversation(), LastTurn.NONE, ""
    for item in _list(items):
        text = as_text(item)
        used = _TOOLS_USED.search(text, max(0, len(text) - _TAIL_CHARS))
        if used is None and text.startswith("> "):
            words = text[2:].replace("> \n", "\n").replace("\n> ", "\n").strip()
            if words.lower() in _KEYS:
                if words.lower() == "n" and tools:
                    conversation.note(denied(tools, ""))
                continue
            if not words or words.startswith(_LOCAL_COMMANDS):
                continue
            origin = Origin.AUTOMATION if words.startswith(_AUTOMATED) else Origin.PERSON
            conversation.by_user(words, origin, None)
            turn, tools = LastTurn.WORKING, ""
        else:
            words = (text[: used.start()] if used else text).strip()
            tools = used[1].strip() if used and used[1].strip() != "none" else ""
            turn = _said(conversation, words, tools, turn)
    return Talk(conversation.messages(), turn)


def _said(conversation: Conversation, words: str, tools: str, turn: LastTurn) -> LastTurn:
    if words.removesuffix(".") in NOTICES:
        return LastTurn.INTERRUPTED
    if words:
        conversation.by_assistant(words, None)
    if tools:
        return LastTurn.TOOL_OPEN
    return LastTurn.REPLIED if words else turn


def _pairs(history: object) -> Iterator[tuple[object, object]]:
    """Objects with two fields, lists of two in older versions."""
    for entry in _list(history):
        if isinstance(entry, Mapping):
            yield entry.get("user"), entry.get("assistant")
        elif isinstance(entry, list) and len(entry) == 2:
            yield entry[0], entry[1]


def _working_directory(user: Mapping[str, object]) -> str | None:
    found: object = user
    for name in ("env_context", "env_state", "current_working_directory"):
        found = found.get(name) if isinstance(found, Mapping) else None
    return as_text(found) or None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
