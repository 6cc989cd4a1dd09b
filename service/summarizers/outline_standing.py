"""How a goal stands, by what facts prove and the person says; the agent's own claims prove nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from service.domain.messages import Fact, FactKind, FactResult
from service.summarizers.outline_cues import drops, is_short_question, praises, ships, without_assent
from service.summarizers.outline_segments import wants_instead
from service.summarizers.outline_turns import SHIP_KINDS, Turn
from service.summarizers.outline_vocabulary import vocabulary


@dataclass(frozen=True, slots=True)
class Standing:
    """`verified` is False for completed work that no passed run covers, else None: an outline confirms nothing."""

    status: str
    verified: bool | None = None


def standing_of(turns: Sequence[Turn], *, asks: bool, answer: str) -> Standing:
    """Completed needs a ship or a pass after the last demand and the last setback, or the person's own word.

    `answer` is what the person typed next, where that opened another goal: it may still praise or drop this one.
    """
    if drops(answer) or (drops(turns[-1].words) and not wants_instead(turns[-1].words)):
        return Standing("abandoned")
    praised = praises(answer) or _praised(turns)
    if not praised and (asks or not _proven(turns)):
        return Standing("active")
    return Standing("completed", _verified([fact for turn in turns for fact in turn.facts]))


def failed_run(facts: Sequence[Fact]) -> Fact | None:
    """The run that failed last, where nothing passed since: what a cheerful reply leaves out."""
    runs = [fact for fact in facts if _passed(fact) or _failed(fact)]
    return runs[-1] if runs and _failed(runs[-1]) else None


def _praised(turns: Sequence[Turn]) -> bool:
    """The person's word counts where no demand followed it."""
    for turn in reversed(turns[1:]):
        if praises(turn.words):
            return not _demands(turn)
        if _demands(turn):
            return False
    return False


def _proven(turns: Sequence[Turn]) -> bool:
    """Whether work was shipped or passed at or after the last demand, with no edit and no failed run since."""
    last = max((at for at, turn in enumerate(turns) if _demands(turn)), default=0)
    since = [fact for turn in turns[last:] for fact in turn.facts]
    setback = max((at for at, fact in enumerate(since) if fact.kind is FactKind.EDITED or _failed(fact)), default=-1)
    return any(_passed(fact) or fact.kind in SHIP_KINDS for fact in since[setback + 1 :])


def _passed(fact: Fact) -> bool:
    return fact.kind is FactKind.RAN and fact.result is FactResult.PASSED


def _failed(fact: Fact) -> bool:
    return fact.kind is FactKind.RAN and fact.result is FactResult.FAILED


def _demands(turn: Turn) -> bool:
    """Whether a turn wants something done: an assent, a question or an order to ship what is there adds no demand."""
    words = turn.words
    return bool(vocabulary(without_assent(words))) and not is_short_question(words) and not ships(words)


def _verified(facts: Sequence[Fact]) -> bool | None:
    """None leaves it open where a run passed after the last edit, or where there was nothing to run."""
    last_edit = max((at for at, fact in enumerate(facts) if fact.kind is FactKind.EDITED), default=-1)
    passed = any(map(_passed, facts[last_edit + 1 :])) and failed_run(facts) is None
    worked = any(fact.kind not in (FactKind.DENIED, FactKind.ANSWERED) for fact in facts)
    return None if passed or not worked else False
