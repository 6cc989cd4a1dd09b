"""The turns of a session as the outline sees them: what was typed, what came back, what it proved."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from service.domain.messages import Fact, FactKind, Message, Origin
from service.domain.times import parse_time
from service.summarizers.outline_text import visible

# SPEC section 5 caps a user text at 4,000 characters; of a reply the opening and the close say what came of it.
_MOST_WORDS = 4_000
_REPLY_HEAD = 3_000
_REPLY_TAIL = 6_000

# Scheduled work has goals of its own: what answers it closes nothing that the person asked for.
_SCHEDULED = ("[cron", "[openclaw heartbeat")

SHIP_KINDS = frozenset({FactKind.COMMITTED, FactKind.PUSHED, FactKind.OPENED_PR})


@dataclass(frozen=True, slots=True)
class Turn:
    """One user turn: `reply` is the agent's last message in it, `facts` stand in the order they happened."""

    number: int
    words: str
    reply: str
    facts: tuple[Fact, ...]
    began: datetime | None
    ended: datetime | None
    resend: bool = False

    @property
    def shipped(self) -> bool:
        """Whether work left the desk in this turn: a commit, a push, a pull request."""
        return any(fact.kind in SHIP_KINDS for fact in self.facts)

    @property
    def edited(self) -> tuple[str, ...]:
        return tuple(fact.text for fact in self.facts if fact.kind is FactKind.EDITED)


@dataclass(slots=True)
class _Gathering:
    """One turn while its messages are read."""

    words: str
    began: datetime | None
    resend: bool
    reply: str = ""
    facts: list[Fact] = field(default_factory=list)
    ended: datetime | None = None
    on_schedule: bool = False

    def turn(self, number: int) -> Turn:
        return Turn(number, self.words, _ends(self.reply), tuple(self.facts), self.began, self.ended, self.resend)


def turns_of(messages: Iterable[Message]) -> tuple[Turn, ...]:
    """The user turns in order; what automation set off belongs to the turn it happened in."""
    gathered: list[_Gathering] = []
    typed_before = ""
    for message in messages:
        if message.by_person:
            typed = " ".join(message.content.split())
            gathered.append(_Gathering(_words(message.content), parse_time(message.ts), typed == typed_before))
            typed_before = typed
        if gathered:
            _take(message, gathered[-1])
    return tuple(turn.turn(number) for number, turn in enumerate(gathered, start=1))


def _take(message: Message, turn: _Gathering) -> None:
    turn.facts += message.facts
    turn.ended = parse_time(message.ts) or turn.ended
    if message.role == "user":
        turn.on_schedule = message.origin is Origin.AUTOMATION and _is_scheduled(message.content)
    elif message.origin is Origin.ASSISTANT and message.content.strip() and not turn.on_schedule:
        turn.reply = message.content


def _is_scheduled(text: str) -> bool:
    return text.lstrip()[:32].lower().startswith(_SCHEDULED)


def _words(text: str) -> str:
    return visible(text[:_MOST_WORDS])


def _ends(reply: str) -> str:
    if len(reply) > _REPLY_HEAD + _REPLY_TAIL:
        reply = f"{reply[:_REPLY_HEAD]}\n\n{reply[-_REPLY_TAIL:]}"
    return visible(reply)


def closing_text(turns: Sequence[Turn]) -> str:
    """The last thing the agent said in these turns, empty where it said nothing."""
    return next((turn.reply for turn in reversed(turns) if turn.reply), "")
