"""How the last turns of a goal ended: with a whole reply, with one that broke off, or with none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from service.domain.messages import FactKind
from service.summarizers.outline_closing import Closing, read_closing
from service.summarizers.outline_cues import praises, without_assent
from service.summarizers.outline_turns import SHIP_KINDS, Turn
from service.summarizers.outline_unfinished_phrases import NOT_OUT
from service.summarizers.outline_vocabulary import vocabulary
from service.summarizers.outline_waiting import Waiting, Waits

NOT_ANSWERED = "Not answered yet."
BROKE_OFF = "Begun, not finished."

# Who goes on without a word about these has let them pass.
PASSED_BY = frozenset({Waits.OFFERED, Waits.DRAFTED})
_LASTING = frozenset({Waits.REQUESTED, Waits.TO_RUN, Waits.UNPROVEN, Waits.BLOCKED})
# So far back, and in so much of a reply's end, it is looked for what was said not to be pushed.
_RECENT = 12
_CLOSE = 1_200
_OUT = frozenset({FactKind.PUSHED, FactKind.OPENED_PR})
_WORK = SHIP_KINDS | {FactKind.EDITED}
_EVER_OPEN = frozenset({Waits.ASKED, Waits.BLOCKED})
# The work is there, and only not run or merged: that is completed, though not verified.
_UNTRIED = frozenset({Waits.TO_RUN, Waits.UNPROVEN})


@dataclass(frozen=True, slots=True)
class Ending:
    """The reply a goal ended with; `unanswered` is the turn nothing finished came of, `why` says how far it got."""

    closing: Closing
    unanswered: Turn | None = None
    why: str = ""

    @property
    def kinds(self) -> frozenset[Waits]:
        return frozenset(one.why for one in self.closing.waiting)

    def is_open(self, *, moved_on: bool) -> bool:
        """Whether something is asked, left or unfinished; who moved on let offers and mere suggestions pass."""
        if self.unanswered or self.kinds & _EVER_OPEN:
            return True
        if not moved_on and (self.kinds & PASSED_BY or self.closing.proposed):
            return True
        if self.kinds & _UNTRIED:
            return False
        return Waits.REQUESTED in self.kinds or (bool(self.closing.steps) and not moved_on)


def ending_of(turns: Sequence[Turn]) -> Ending:
    """How the goal ended; a closing thank-you leaves what was said before it standing."""
    last = turns[-1]
    if _only_thanks(last):
        return Ending(_without(_last_telling(turns), PASSED_BY | {Waits.ASKED}))
    closing = read_closing(last.reply)
    if not last.shipped and (closing.announced or not last.reply):
        return Ending(Closing(), last, _how_far(last, closing.announced))
    broken_off = _broken_off(turns)
    return Ending(closing, broken_off, BROKE_OFF) if broken_off else Ending(_fitting(closing, turns))


def _how_far(turn: Turn, announced: str) -> str:
    """What the person refused a tool with says best why it went no further, else what the agent was about to do."""
    if not turn.reply and not turn.facts:
        return NOT_ANSWERED
    last = turn.facts[-1] if turn.facts else None
    refused = f"Denied {last.text}" if last and last.kind is FactKind.DENIED else ""
    return f"{BROKE_OFF} {refused or announced}".strip()


def _fitting(closing: Closing, turns: Sequence[Turn]) -> Closing:
    """A draft is used up by a commit, a proposal by work; what was asked before holds where nothing was said since."""
    last = turns[-1]
    if last.shipped:
        closing = _without(closing, frozenset({Waits.DRAFTED}))
    if any(fact.kind in _WORK for fact in last.facts):
        closing = replace(closing, proposed="")
    earlier = _not_out(turns)
    if not closing.statements and len(turns) > 1:
        earlier += tuple(one for one in _last_telling(turns[:-1]).waiting if one.why in _LASTING)
    return replace(closing, waiting=tuple(dict.fromkeys(earlier + closing.waiting)))


def _not_out(turns: Sequence[Turn]) -> tuple[Waiting, ...]:
    """What an earlier reply said is not pushed or merged, where nothing was pushed since."""
    recent = turns[-_RECENT:]
    for before, turn in zip(reversed(recent[:-1]), reversed(recent[1:]), strict=True):
        if any(fact.kind in _OUT for fact in turn.facts):
            break
        if NOT_OUT.search(before.reply[-_CLOSE:]):
            said = [one.text for one in read_closing(before.reply).waiting if NOT_OUT.search(one.text)]
            return (Waiting(Waits.UNPROVEN, said[-1]),) if said else ()
    return ()


def _broken_off(turns: Sequence[Turn]) -> Turn | None:
    """The turn whose reply broke off, where nothing of substance was said or done since."""
    for turn in reversed(turns):
        closing = read_closing(turn.reply)
        if closing.announced and not turn.facts:
            return turn
        if closing.statements or closing.waiting or closing.steps or turn.facts:
            break
    return None


def _only_thanks(turn: Turn) -> bool:
    return praises(turn.words) and not vocabulary(without_assent(turn.words))


def _last_telling(turns: Sequence[Turn]) -> Closing:
    """The last reply that states or leaves something."""
    closings = (read_closing(turn.reply) for turn in reversed(turns) if turn.reply)
    return next((found for found in closings if found.statements or found.waiting or found.steps), Closing())


def _without(closing: Closing, passed: frozenset[Waits]) -> Closing:
    return replace(closing, waiting=tuple(one for one in closing.waiting if one.why not in passed), proposed="")
