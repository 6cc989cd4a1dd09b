"""A stored payload as people read it: typed however it was sent, and the phrases that every rendering shares."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from service.domain.facts import merged_ranges
from service.domain.messages import Fact, FactKind, FactResult
from service.domain.proof import ProofWord, proof_of

STATE_WORDS: Mapping[str, str] = {
    "needs-you": "needs you",
    "in-progress": "in progress",
    "done": "done",
    "dropped": "dropped",
}
_KINDS = {kind.value: kind for kind in FactKind}
_RESULTS = {result.value: result for result in FactResult}
_WAITING = ("needs-you", "in-progress")
_STALE_WORDS = {
    "appended": "the session went on after this was made.",
    "rewritten": "the session was rewritten after this was made.",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One suggested next step."""

    what: str
    why: str
    expect: str


@dataclass(frozen=True, slots=True)
class Goal:
    """One intent as it is shown."""

    title: str
    asked_for: str
    ranges: tuple[tuple[int, int], ...]
    state: str
    verified: bool | None
    progress: tuple[str, ...]
    next_steps: tuple[Step, ...]
    evidence: tuple[tuple[int, Fact], ...]

    @property
    def waits(self) -> bool:
        """Whether its next steps are open items: the person is needed, or work goes on."""
        return self.state in _WAITING

    @property
    def state_words(self) -> str:
        return STATE_WORDS.get(self.state, self.state)


@dataclass(frozen=True, slots=True)
class Shown:
    """One summary as it is shown, with what is true of it at this moment where the reader knows that."""

    goals: tuple[Goal, ...]
    constraints: tuple[str, ...]
    user_turns: int
    generated_at: float | None
    engine: str
    model: str
    excerpted: int
    left_out: int
    stale_reason: str | None

    @property
    def open_items(self) -> list[tuple[Goal, Step]]:
        """Every next step of what needs the person or is in progress."""
        return [(goal, step) for goal in self.goals if goal.waits for step in goal.next_steps]


def read_payload(payload: Mapping[str, object]) -> Shown:
    """A payload, or the answer of GET summary that holds one; what is missing or odd is shown as nothing."""
    coverage, generator = _mapping(payload.get("coverage")), _mapping(payload.get("generator"))
    made = payload.get("generated_at")
    return Shown(
        goals=tuple(_goal(intent) for intent in _mappings(payload.get("intents"))),
        constraints=_lines(payload.get("constraints")),
        user_turns=_number(payload.get("user_turns")),
        generated_at=made if isinstance(made, int | float) else None,
        engine=_line(generator.get("engine")),
        model=_line(generator.get("model")),
        excerpted=_number(coverage.get("excerpted")),
        left_out=_number(coverage.get("left_out")),
        stale_reason=_line(payload.get("stale_reason")) if payload.get("stale") is True else None,
    )


def stale_words(shown: Shown, user_turns: int | None = None) -> str:
    """How the session moved on since; with the turns it has by now, by how many. Empty where the summary is fresh."""
    if shown.stale_reason is None:
        return ""
    added = 0 if user_turns is None else user_turns - shown.user_turns
    if shown.stale_reason != "appended" or added < 1:
        return _STALE_WORDS.get(shown.stale_reason, _STALE_WORDS["appended"])
    return f"{added} turn{' was' if added == 1 else 's were'} added to the session after this was made."


def nothing_open_words(shown: Shown) -> str:
    """Said where no goal that waits names a next step; of what came later nobody knows what waits in it."""
    counts = [sum(goal.state == state for goal in shown.goals) for state in _WAITING]
    if not any(counts):
        waited = (
            "waited for you in this session when this was made"
            if shown.stale_reason
            else "waits for you in this session"
        )
        return f"Nothing {waited}."
    needing, going = counts
    parts = [f"{needing} goal{' needs' if needing == 1 else 's need'} you"] if needing else []
    parts += [f"{going} goal{'' if going == 1 else 's'} in progress"] if going else []
    return f"No next step named; {', '.join(parts)}."


def turns_words(ranges: Sequence[tuple[int, int]]) -> str:
    """`turns 1–14, 77–135`; empty where there are none."""
    spans = ", ".join(str(start) if start == end else f"{start}–{end}" for start, end in ranges)
    one = len(ranges) == 1 and ranges[0][0] == ranges[0][1]
    return f"turn{'' if one else 's'} {spans}" if spans else ""


def resumed_words(ranges: Sequence[object]) -> str:
    """How often the goal was taken up again; empty where it was pursued in one go."""
    again = len(ranges) - 1
    return "" if again < 1 else "resumed once" if again == 1 else f"resumed {again} times"


_PROOF_WORDS: Mapping[ProofWord, str] = {
    ProofWord.CONFIRMED: "confirmed in turn {turn}: {text} passed",
    ProofWord.PASSED: "in turn {turn} {text} passed",
    ProofWord.PASSED_ONLY: "not verified as a whole, though in turn {turn} {text} passed",
    ProofWord.CONTRADICTED: "said to be verified, but in turn {turn} {text} failed",
    ProofWord.FAILED: "not verified: in turn {turn} {text} failed",
    ProofWord.SAID_ONLY: "said to be verified, nothing shows it",
    ProofWord.UNVERIFIED: "not verified",
}


def proof_words(goal: Goal) -> str:
    """What the word `verified` rests on: a run of the transcript, or nothing that shows it."""
    proof = proof_of(goal.verified, goal.evidence)
    return "" if proof is None else _PROOF_WORDS[proof.word].format(turn=proof.turn, text=proof.text)


def standing_words(goal: Goal) -> str:
    """The one line under a goal's title."""
    words = (turns_words(goal.ranges), resumed_words(goal.ranges), proof_words(goal))
    return " · ".join(word for word in words if word)


def made_words(shown: Shown) -> str:
    """The footer: when it was made, by what, from how much."""
    when = moment_words(shown.generated_at)
    by = "outline, in the session's own words" if shown.engine == "outline" else shown.model or shown.engine
    cut = [f"{shown.excerpted} in excerpts"] if shown.excerpted else []
    cut += [f"{shown.left_out} left out"] if shown.left_out else []
    turns = f"{shown.user_turns} user turn{'' if shown.user_turns == 1 else 's'}"
    source = f"{turns} ({', '.join(cut)})" if cut else turns
    return " ".join(["Made", *([when] if when else []), *([f"by {by}"] if by else []), f"from {source}."])


def moment_words(epoch_seconds: float | None) -> str:
    """A moment in UTC to the minute; empty where there is none that a calendar knows."""
    if epoch_seconds is None:
        return ""
    try:
        return f"{datetime.fromtimestamp(epoch_seconds, UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError, OSError):
        return ""


def _goal(intent: Mapping[str, object]) -> Goal:
    verified = intent.get("verified")
    return Goal(
        title=_line(intent.get("title")),
        asked_for=_line(intent.get("initial_intent")),
        ranges=tuple(merged_ranges(_ranges(intent.get("ranges")))),
        state=_line(intent.get("state")),
        verified=verified if isinstance(verified, bool) else None,
        progress=_lines(intent.get("progress")),
        next_steps=tuple(_step(step) for step in _mappings(intent.get("next_steps"))),
        evidence=tuple(_evidence(intent.get("evidence"))),
    )


def _step(step: Mapping[str, object]) -> Step:
    return Step(_line(step.get("what")), _line(step.get("why")), _line(step.get("expect")))


def _ranges(value: object) -> Iterable[tuple[int, int]]:
    for pair in _items(value):
        match pair:
            case [int(start), int(end)]:
                yield start, end


def _evidence(value: object) -> Iterable[tuple[int, Fact]]:
    for entry in _mappings(value):
        kind, result = _KINDS.get(_line(entry.get("kind"))), _RESULTS.get(_line(entry.get("result")))
        if kind is not None:
            yield _number(entry.get("turn")), Fact(kind, _line(entry.get("text")), result)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _mappings(value: object) -> list[Mapping[str, object]]:
    return [item for item in _items(value) if isinstance(item, Mapping)]


def _lines(value: object) -> tuple[str, ...]:
    return tuple(line for item in _items(value) if (line := _line(item)))


def _line(value: object) -> str:
    """One line of text; every rendering places its own line breaks."""
    return " ".join(value.split()) if isinstance(value, str) else ""


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
