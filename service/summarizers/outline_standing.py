"""How a goal stands, by what facts prove and the person says; the agent's own claims prove nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from service.domain.messages import Fact, FactKind, FactResult
from service.summarizers.outline_cues import drops, is_short_question, praises, ships, without_assent
from service.summarizers.outline_ending import Ending
from service.summarizers.outline_segments import wants_instead
from service.summarizers.outline_turns import SHIP_KINDS, Turn
from service.summarizers.outline_vocabulary import vocabulary
from service.summarizers.outline_waiting import Waits

_PROSE = (".md", ".mdx", ".rst", ".txt", ".adoc", ".tex")


@dataclass(frozen=True, slots=True)
class Standing:
    """`verified` is False for completed work shown or said to be untried, else None: an outline confirms nothing."""

    status: str
    verified: bool | None = None


def standing_of(turns: Sequence[Turn], ending: Ending, *, answer: str) -> Standing:
    """Completed is what was answered or reported to its end, with nothing open; what failed last is not.

    `answer` is what the person typed next, where that opened another goal: it may still praise or drop this one.
    """
    if drops(answer) or (drops(turns[-1].words) and not wants_instead(turns[-1].words)):
        return Standing("abandoned")
    facts = [fact for turn in turns for fact in turn.facts]
    praised = praises(answer) or (_praised(turns) and not ending.unanswered)
    if not praised and (ending.is_open(moved_on=bool(answer)) or _fails_at_the_end(facts)):
        return Standing("active")
    return Standing("completed", _verified(facts, ending, praised=praised, moved_on=bool(answer)))


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


def never_run(facts: Sequence[Fact]) -> Fact | None:
    """What was shipped, where nothing was run since the last edit; words alone need no run."""
    edits = [at for at, fact in enumerate(facts) if fact.kind is FactKind.EDITED and not _is_prose(fact.text)]
    since = facts[edits[-1] :] if edits else ()
    shipped = [fact for fact in since if fact.kind in SHIP_KINDS]
    return shipped[0] if shipped and not any(fact.kind is FactKind.RAN for fact in since) else None


def _fails_at_the_end(facts: Sequence[Fact]) -> bool:
    """Whether a run failed and the work was not shipped all the same."""
    failure = failed_run(facts)
    behind = facts[max(at for at, fact in enumerate(facts) if fact is failure) :] if failure else ()
    return failure is not None and not any(fact.kind in SHIP_KINDS for fact in behind)


def _is_prose(path: str) -> bool:
    return path.casefold().endswith(_PROSE)


def _passed(fact: Fact) -> bool:
    return fact.kind is FactKind.RAN and fact.result is FactResult.PASSED


def _failed(fact: Fact) -> bool:
    return fact.kind is FactKind.RAN and fact.result is FactResult.FAILED


def _demands(turn: Turn) -> bool:
    """Whether a turn wants something done: an assent, a question or an order to ship what is there adds no demand."""
    words = turn.words
    return bool(vocabulary(without_assent(words))) and not is_short_question(words) and not ships(words)


def _verified(facts: Sequence[Fact], ending: Ending, *, praised: bool, moved_on: bool) -> bool | None:
    """False where the session itself shows or says that something is yet to be run, merged or done by hand."""
    untried = Waits.UNPROVEN in ending.kinds or (Waits.TO_RUN in ending.kinds and not moved_on)
    if failed_run(facts) or untried or (praised and ending.kinds):
        return False
    return False if not praised and never_run(facts) else None
