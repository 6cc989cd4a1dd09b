"""Words a person typed while a Claude Code turn was running: queue rows, attachments, and their doubles."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from service.domain.messages import Origin
from service.sources.claude_speakers import Speaker, Spoken, is_from_program, judge_text
from service.sources.conversation import Conversation, Entry
from service.sources.text import as_stamp, as_text, text_of

# A reason given for a removal that means the words reached the agent; rows older than that field give none.
_ABSORBED = (None, "", "absorbed_mid_turn")
_MAX_WAITING = 200


@dataclass(slots=True)
class _Queued:
    words: str
    spoken: Spoken
    entry: Entry


class Queue:
    """What waits to be delivered, and what was delivered mid-turn and may still turn up a second time."""

    def __init__(self, conversation: Conversation, place: Callable[[], int]) -> None:
        self._conversation = conversation
        self._place = place
        self._waiting: list[_Queued] = []
        self._delivered: list[_Queued] = []

    def operation(self, row: Mapping[str, Any]) -> bool:
        """Takes a queue row; true if it brought a person's words into the running turn."""
        words = text_of(row.get("content"))
        match row.get("operation"):
            case "enqueue":
                self._wait(words, row)
            case "dequeue" if self._waiting:
                self._waiting.pop(0)
            case "popAll":
                self._waiting.clear()
            case "remove":
                return self._removed(words, row)
        return False

    def attachment(self, attachment: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
        """Takes a message delivered mid-turn; true if it brought a person's words that no queue row had brought."""
        is_prompt = attachment.get("type") == "queued_command" and attachment.get("commandMode", "prompt") == "prompt"
        if not is_prompt or is_from_program(attachment.get("origin")):
            return False
        words = text_of(attachment.get("prompt"))
        if self._take(self._delivered, words, remove=False):
            return False
        return self._deliver(self._take(self._waiting, words) or self._queued(words, row))

    def is_double(self, text: str) -> bool:
        """Whether a user row repeats what was delivered in this turn: the row counts, the queue's copy goes."""
        self._take(self._waiting, text)
        double = self._take(self._delivered, text)
        if double is not None:
            self._conversation.show(double.entry, False)
        return double is not None

    def turn_ended(self) -> None:
        """From here on the same words are said anew."""
        self._delivered.clear()

    def _wait(self, words: str, row: Mapping[str, Any]) -> None:
        if words.strip() and len(self._waiting) < _MAX_WAITING:
            self._waiting.append(self._queued(words, row))

    def _removed(self, words: str, row: Mapping[str, Any]) -> bool:
        waiting = self._take(self._waiting, words) if words.strip() else self._first_waiting()
        if row.get("reason") not in _ABSORBED:
            return False
        if waiting is None and (not words.strip() or self._take(self._delivered, words, remove=False)):
            return False
        return self._deliver(waiting or self._queued(words, row))

    def _first_waiting(self) -> _Queued | None:
        return self._waiting.pop(0) if self._waiting else None

    def _queued(self, words: str, row: Mapping[str, Any]) -> _Queued:
        """An entry at the place where the words were typed, not shown before they are delivered."""
        spoken = judge_text(words)
        stamp = as_stamp(row.get("timestamp"))
        entry = self._conversation.by_user(spoken.text, Origin.PERSON, stamp, node=self._place(), shown=False)
        return _Queued(_key(words), spoken, entry)

    def _deliver(self, queued: _Queued) -> bool:
        if queued.spoken.speaker is not Speaker.PERSON:
            return False
        self._conversation.show(queued.entry, True)
        self._delivered.append(queued)
        return True

    def _take(self, queue: list[_Queued], words: str, *, remove: bool = True) -> _Queued | None:
        key = _key(words)
        found = next((one for one in queue if one.words == key or _key(one.spoken.text) == key), None)
        if found is not None and remove:
            queue.remove(found)
        return found


def _key(words: str) -> str:
    return " ".join(as_text(words).split())
