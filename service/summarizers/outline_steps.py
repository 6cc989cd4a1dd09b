"""What is left to do for a goal: the agent's words, else the person's own that nothing came of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from service.domain.messages import Fact
from service.summarizers.outline_closing import Closing, read_closing
from service.summarizers.outline_cues import without_assent
from service.summarizers.outline_ending import PASSED_BY, Ending
from service.summarizers.outline_standing import Standing, failed_run, never_run
from service.summarizers.outline_text import clip
from service.summarizers.outline_turns import Turn, closing_text
from service.summarizers.outline_vocabulary import vocabulary
from service.summarizers.outline_waiting import Waiting, Waits
from service.summarizers.outline_wording import opening_words

OFFERED = "Offered: "
ASKED = "Asked: "
PROPOSED = "Proposed: "
FAILED = "Find out why this failed: "
NEVER_RUN = "Never run: "
MARKS: Mapping[Waits, str] = {
    Waits.OFFERED: OFFERED,
    Waits.ASKED: ASKED,
    Waits.BLOCKED: "Blocked: ",
    Waits.DRAFTED: "Drafted: ",
}

_STEP = 240
_OPTION = 80
_MOST_OPTIONS = 5


@dataclass(frozen=True, slots=True)
class Step:
    """One next step; the reason is what the agent said is yet to be run, or that nothing came of the words."""

    what: str
    why: str = ""


def steps_of(turns: Sequence[Turn], ending: Ending, standing: Standing, *, moved_on: bool) -> list[Step]:
    """Nothing is left of a dropped goal; of one the person moved on from, what was offered is not open any more."""
    if standing.status == "abandoned":
        return []
    if ending.unanswered and standing.status == "active":
        found = [Step(_unanswered(ending.unanswered, turns), ending.why)]
    else:
        found = _left(ending.closing, moved_on=moved_on and standing.status == "completed")
    return found + _shown_by([fact for turn in turns for fact in turn.facts], standing, alone=not found)


def _left(closing: Closing, *, moved_on: bool) -> list[Step]:
    """What the reply lists, asks and offers; that something is yet to be run is the reason for the rest."""
    waiting = [one for one in closing.waiting if not (moved_on and one.why in PASSED_BY)]
    untried = [clip(one.text, _STEP) for one in waiting if one.why is Waits.UNPROVEN]
    proposed = [PROPOSED + closing.proposed] if closing.proposed and not moved_on else []
    asked = [_marked(one) for one in waiting if one.why is not Waits.UNPROVEN]
    found = [*(clip(step, _STEP) for step in closing.steps), *asked, *proposed]
    if not found:
        return [Step(text) for text in untried]
    return [Step(text, " ".join(untried) if at == 0 else "") for at, text in enumerate(found)]


def _marked(waiting: Waiting) -> str:
    options = " · ".join(clip(option, _OPTION) for option in waiting.options[:_MOST_OPTIONS])
    return f"{MARKS.get(waiting.why, '')}{clip(waiting.text, _STEP)} {options}".rstrip()


def _unanswered(turn: Turn, turns: Sequence[Turn]) -> str:
    """The words of the turn; a bare yes or "go on" stands for what it was said to."""
    for at in range(turns.index(turn), -1, -1):
        if vocabulary(without_assent(turns[at].words)):
            return _said(turns[at])
        agreed_to = _left(read_closing(closing_text(turns[:at])), moved_on=False)
        if agreed_to:
            return agreed_to[-1].what
    return _said(turn)


def _said(turn: Turn) -> str:
    """A pasted log has no words of the person's own, so it is told by its own."""
    return clip(opening_words(turn) or " ".join(turn.words.split()), _STEP)


def _shown_by(facts: Sequence[Fact], standing: Standing, *, alone: bool) -> list[Step]:
    """What the facts show to be open, whatever the reply says; what was never run only where nothing else is left."""
    failure = failed_run(facts)
    if failure:
        return [Step(FAILED + failure.text)]
    shipped = never_run(facts) if alone and standing.verified is False else None
    return [Step(NEVER_RUN + shipped.text)] if shipped else []
