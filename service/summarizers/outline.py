"""A summary without a model: an outline of the session in its own words, free, offline and always the same."""

import asyncio
import json
from collections.abc import Sequence

from service.domain.messages import Message
from service.summarizers.outline_closing import progress_of
from service.summarizers.outline_constraints import constraints_of
from service.summarizers.outline_ending import ending_of
from service.summarizers.outline_segments import Goal, goals_of
from service.summarizers.outline_standing import standing_of
from service.summarizers.outline_steps import steps_of
from service.summarizers.outline_turns import Turn, turns_of
from service.summarizers.outline_wording import intent_of, origin_of, title_of
from service.summarizers.protocol import Reply, Request, Task

ENGINE = "outline"
NOTHING_SAID = "SKIP"

# Below this a session is outlined in a few milliseconds; DESIGN section 6 allows so much work on the event loop.
_INLINE_CHARACTERS = 64_000


class Outline:
    """Answers like a model would, from the messages alone: no network, no clock, no cost."""

    engine = ENGINE
    model = ENGINE

    async def ask(self, request: Request) -> Reply:
        """The draft summary as JSON text, or the newest goal's title; large sessions are read off the event loop."""
        answer = draft_text if request.task is Task.SUMMARY else newest_title
        if sum(len(message.content) for message in request.messages) <= _INLINE_CHARACTERS:
            return Reply(answer(request.messages), ENGINE)
        return Reply(await asyncio.to_thread(answer, request.messages), ENGINE)


def draft_text(messages: Sequence[Message]) -> str:
    """The draft of SPEC section 6 as JSON text."""
    return json.dumps(draft(messages), ensure_ascii=False)


def draft(messages: Sequence[Message]) -> dict[str, object]:
    """One entry per goal, the one first pursued first, and the rules the person stated."""
    turns = turns_of(messages)
    intents = [_intent(goal, _answer_to(goal, turns)) for goal in goals_of(turns)]
    return {"intents": [intent for intent in intents if intent["title"]], "constraints": constraints_of(turns)}


def newest_title(messages: Sequence[Message]) -> str:
    """The title of the goal that was touched last, or the word that says there is nothing to name."""
    goals = goals_of(turns_of(messages))
    newest = max(goals, key=lambda goal: goal.turns[-1].number, default=None)
    return (title_of(newest.turns) if newest else "") or NOTHING_SAID


def _intent(goal: Goal, answer: str) -> dict[str, object]:
    turns = goal.turns
    ending = ending_of(turns)
    standing = standing_of(turns, ending, answer=answer)
    steps = steps_of(turns, ending, standing, moved_on=bool(answer))
    return {
        "title": title_of(turns),
        "initial_intent": intent_of(turns),
        "ranges": goal.ranges,
        "status": standing.status,
        "verified": standing.verified,
        "origin_turn": origin_of(turns).number,
        "progress": progress_of(turns),
        "next_steps": [{"what": step.what, "why": step.why, "expect": ""} for step in steps],
    }


def _answer_to(goal: Goal, turns: Sequence[Turn]) -> str:
    """What the person typed behind the goal's last turn, which opened or resumed another goal; empty at the end."""
    behind = turns[goal.turns[-1].number :]
    return behind[0].words if behind else ""
