"""Words a person typed while a Claude Code turn was running: queue rows, attachments, and the rows that repeat them."""

import hashlib
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from service.domain.messages import Origin
from service.sources.claude_speakers import Speaker, Spoken, is_from_program, judge
from service.sources.conversation import Conversation, Entry
from service.sources.text import iso_stamp, text_of

# A reason given for a removal that means the words reached the agent; rows older than that field give none.
_ABSORBED = (None, "", "absorbed_mid_turn")
_MAX_WAITING = 200


class _Record(StrEnum):
    """Where one delivered message may stand, in any order, but once in each."""

    ROW = "row"
    ATTACHMENT = "attachment"
    REMOVAL = "removal"


@dataclass(frozen=True, slots=True)
class _Words:
    """What a record holds, with a key that is equal for equal words; that of no words is empty."""

    spoken: Spoken
    key: bytes


@dataclass(slots=True)
class _Queued:
    """What was typed and waits; `delivered` once a row or an attachment told of it before the queue did."""

    words: _Words
    entry: Entry
    delivered: bool = False


class Queue:
    """What waits to be delivered, and what was delivered in the running turn and may still turn up elsewhere.

    Every enqueued message is delivered once, so words that were queued anew are a new message; other records of the
    same words within a turn are one message as long as they are of different kinds.
    """

    def __init__(self, conversation: Conversation, place: Callable[[], int]) -> None:
        self._conversation = conversation
        self._place = place
        self._waiting: deque[_Queued] = deque()
        # The messages of the running turn that have no record of a kind yet; None where a user row tells of one.
        self._lacking: defaultdict[tuple[bytes, _Record], deque[Entry | None]] = defaultdict(deque)

    def operation(self, row: Mapping[str, Any]) -> bool:
        """Takes a queue row; true if it brought a person's words into the running turn."""
        match row.get("operation"):
            case "enqueue":
                if len(self._waiting) < _MAX_WAITING:
                    self._waiting.append(self._queued(_words_in(row.get("content")), row))
            case "dequeue" if self._waiting:
                self._settled(self._waiting.popleft())
            case "popAll":
                self._waiting.clear()
            case "remove":
                return self._removed(_words_in(row.get("content")), row)
        return False

    def attachment(self, attachment: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
        """Takes a message delivered mid-turn; true if it brought a person's words that nothing else had brought."""
        is_prompt = attachment.get("type") == "queued_command" and attachment.get("commandMode", "prompt") == "prompt"
        if not is_prompt or is_from_program(attachment.get("origin")):
            return False
        words = _words_in(attachment.get("prompt"))
        queued = self._undelivered(words.key)
        if queued is None and self._is_known(words.key, _Record.ATTACHMENT):
            return False
        queued = queued or self._queued(words, row)
        queued.delivered = True
        return self._deliver(queued, _Record.ATTACHMENT)

    def user_row(self, spoken: Spoken) -> bool:
        """Takes the words of a user row; true if they came through the queue, whose own copy then goes."""
        key = _key(spoken.text)
        if copies := self._lacking[key, _Record.ROW]:
            copy = copies.popleft()
            if copy is not None:
                self._conversation.show(copy, False)
            return True
        queued = self._undelivered(key)
        if queued is not None:
            queued.delivered = True
        self._await_others(key, _Record.ROW, None)
        return queued is not None

    def turn_ended(self) -> None:
        """From here on the same words are said anew."""
        self._lacking.clear()
        self._waiting = deque(one for one in self._waiting if not one.delivered)

    def _removed(self, words: _Words, row: Mapping[str, Any]) -> bool:
        queued = next((one for one in self._waiting if not words.key or one.words.key == words.key), None)
        if queued is not None:
            self._waiting.remove(queued)
        if row.get("reason") not in _ABSORBED:
            return False
        if queued is None and (not words.key or self._is_known(words.key, _Record.REMOVAL)):
            return False
        if queued is not None and queued.delivered:
            self._settled(queued)
            return False
        return self._deliver(queued or self._queued(words, row), _Record.REMOVAL)

    def _settled(self, queued: _Queued) -> None:
        """The queue's own record of a message that a row or an attachment has told of."""
        if queued.delivered:
            self._is_known(queued.words.key, _Record.REMOVAL)

    def _undelivered(self, key: bytes) -> _Queued | None:
        return next((one for one in self._waiting if one.words.key == key and not one.delivered), None)

    def _is_known(self, key: bytes, record: _Record) -> bool:
        """Whether a message of this turn lacked this record of it, which it has from here on."""
        lacking = self._lacking[key, record]
        if lacking:
            lacking.popleft()
            return True
        return False

    def _queued(self, words: _Words, row: Mapping[str, Any]) -> _Queued:
        """An entry at the place where the words were typed, not shown before they are delivered."""
        stamp = iso_stamp(row.get("timestamp"))
        entry = self._conversation.by_user(words.spoken.text, Origin.PERSON, stamp, node=self._place(), shown=False)
        return _Queued(words, entry)

    def _deliver(self, queued: _Queued, record: _Record) -> bool:
        if queued.words.spoken.speaker is not Speaker.PERSON:
            return False
        self._conversation.show(queued.entry, True)
        self._await_others(queued.words.key, record, queued.entry)
        return True

    def _await_others(self, key: bytes, record: _Record, copy: Entry | None) -> None:
        for other in _Record:
            if other is not record:
                self._lacking[key, other].append(copy)


def _words_in(content: object) -> _Words:
    spoken = judge(content)
    return _Words(spoken, _key(spoken.text or text_of(content)))


def _key(text: str) -> bytes:
    """A digest of the words whatever blanks stand between them, for a turn may hold any amount of text."""
    words = " ".join(text.split())
    return hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=16).digest() if words else b""
