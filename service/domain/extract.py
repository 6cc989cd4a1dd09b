"""What the model reads of a transcript: framed, excerpted and bounded."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from service.domain.facts import fact_line
from service.domain.fitting import Block, fit
from service.domain.framing import (
    END,
    Entry,
    assistant_entry,
    automation_entry,
    opening,
    user_entry,
)
from service.domain.messages import Message
from service.domain.payload import Coverage
from service.domain.times import parse_time

_ISO_WITH_OFFSET = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)")


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text for the model, and what the stored summary says of it."""

    text: str
    coverage: Coverage
    user_turns: int
    last_activity: str | None


@dataclass(slots=True)
class _Exchange:
    """A user turn and what followed it; turn 0 is what came before the first."""

    turn: int
    repeats: bool = False
    messages: list[Message] = field(default_factory=list)


def render(messages: Sequence[Message], *, excerpt_chars: int, max_chars: int) -> Rendered:
    """The transcript as the model reads it, never longer than `max_chars`.

    Only text of the roles `user` and `assistant` is shown; redaction happened when the messages came in.
    """
    rendered = (_block(exchange, excerpt_chars) for exchange in _exchanges(messages))
    blocks = [block for block in rendered if block.text]
    user_turns = sum(1 for block in blocks if block.turn)
    start = opening(user_turns)
    fitted = fit(blocks, max_chars - len(start) - len(END) - 2)
    text = "\n".join(part for part in (start, fitted.text, END) if part)
    coverage = Coverage(
        read_whole=user_turns - fitted.excerpted - fitted.left_out,
        excerpted=fitted.excerpted,
        left_out=fitted.left_out,
    )
    # Only a bound below what the frame itself needs gets here with more; the settings allow none.
    return Rendered(text[: max(0, max_chars)], coverage, user_turns, _last_activity(messages))


def _exchanges(messages: Iterable[Message]) -> list[_Exchange]:
    exchanges = [_Exchange(0)]
    previous: str | None = None
    for message in messages:
        if message.by_person:
            words = " ".join(message.content.split())
            exchanges.append(_Exchange(exchanges[-1].turn + 1, repeats=words == previous))
            previous = words
        exchanges[-1].messages.append(message)
    return exchanges if exchanges[0].messages else exchanges[1:]


def _block(exchange: _Exchange, excerpt_chars: int) -> Block:
    words = user_entry(exchange.messages[0], exchange.turn, repeats=exchange.repeats) if exchange.turn else None
    followed = exchange.messages[1:] if exchange.turn else exchange.messages
    replies = [_reply(message, excerpt_chars) for message in followed if message.spoken]
    facts = fact_line([fact for message in exchange.messages for fact in message.facts])
    return Block(
        turn=exchange.turn,
        words=words.text if words else None,
        replies=tuple(reply.text for reply in replies),
        facts=facts or None,
        cut=any(entry.cut for entry in (words, *replies) if entry),
    )


def _reply(message: Message, excerpt_chars: int) -> Entry:
    return assistant_entry(message, excerpt_chars) if message.role == "assistant" else automation_entry(message)


def _last_activity(messages: Sequence[Message]) -> str | None:
    moments = (_with_offset(message.ts) for message in reversed(messages) if message.spoken)
    return next((moment for moment in moments if moment), None)


def _with_offset(ts: str | None) -> str | None:
    """The caller's own text where it is an ISO time with its offset, other valid times as ISO in UTC, else None."""
    moment = parse_time(ts)
    if ts is None or moment is None:
        return None
    return ts.strip() if _ISO_WITH_OFFSET.fullmatch(ts.strip()) else moment.isoformat()
