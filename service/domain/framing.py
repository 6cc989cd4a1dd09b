"""The frame around message text: every line of text is quoted, so that none can pass for a line of the frame."""

import re
from dataclasses import dataclass

from service.domain.characters import encodable
from service.domain.excerpt import Excerpt, head_and_tail, head_of
from service.domain.messages import Message
from service.domain.times import parse_time

QUOTE = "|"
AUTOMATION = "[automation, not the user]"
ASSISTANT = "assistant:"
END = "=== end of transcript ==="

USER_TEXT_CHARS = 4_000  # SPEC section 5
# `datetime.fromisoformat` takes any character between date and time, a line break too.
_ISO = re.compile(r"[0-9]{4}-[0-9W][0-9W-]{1,8}(?:[T ][0-9:.,]{2,20}(?:Z|[+-][0-9:.]{2,15})?)?")


@dataclass(frozen=True, slots=True)
class Entry:
    """One message as the model reads it, and whether any of its text was cut."""

    text: str
    cut: bool


def opening(user_turns: int) -> str:
    return f"=== transcript, {user_turns} user turn{'' if user_turns == 1 else 's'} ==="


def user_entry(message: Message, turn: int, *, repeats: bool) -> Entry:
    """A user turn with its number and time; `repeats` marks it as the previous one sent again."""
    moment = shown_time(message.ts)
    parts = [f"user turn {turn}"]
    parts += [moment] if moment else []
    parts += [f"repeat of turn {turn - 1}"] if repeats else []
    return _quoted_entry(f"=== {' · '.join(parts)} ===", head_of(_clean(message), USER_TEXT_CHARS))


def automation_entry(message: Message) -> Entry:
    return _quoted_entry(AUTOMATION, head_of(_clean(message), USER_TEXT_CHARS))


def assistant_entry(message: Message, excerpt_chars: int) -> Entry:
    return _quoted_entry(ASSISTANT, head_and_tail(_clean(message), excerpt_chars))


def left_out_turns(first: int, last: int) -> str:
    turns = f"user turn {first}" if first == last else f"user turns {first}-{last}"
    return f"=== {turns} left out for length ==="


def left_out_messages(count: int) -> str:
    return f"[{count} message{'' if count == 1 else 's'} of this turn left out]"


def shortened(entry: str, limit: int) -> str:
    """The entry in `limit` characters at most, marked where it was cut."""
    if len(entry) <= limit:
        return entry
    mark = "\n[cut]"
    return head_of(entry, limit - len(mark)).head + mark


def shown_time(ts: str | None) -> str | None:
    """The caller's own text where it is a plain ISO time, other valid times as ISO in UTC, else None."""
    moment = parse_time(ts)
    if ts is None or moment is None:
        return None
    given = ts.strip()
    return given if _ISO.fullmatch(given) else moment.isoformat()


def _clean(message: Message) -> str:
    return encodable(message.content).strip()


def _quoted_entry(header: str, excerpt: Excerpt) -> Entry:
    if not excerpt.left_out:
        return Entry("\n".join((header, *_quoted(excerpt.head))), cut=False)
    note = f"[{excerpt.left_out} characters left out{'' if excerpt.tail else ': cut here'}]"
    return Entry("\n".join((header, *_quoted(excerpt.head), note, *_quoted(excerpt.tail))), cut=True)


def _quoted(text: str) -> list[str]:
    return [f"{QUOTE} {line}" if line else QUOTE for line in text.splitlines()]
