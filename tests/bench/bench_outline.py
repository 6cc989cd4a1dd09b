"""Prints how well the outline finds the goals of the labelled sessions: python -m tests.bench.bench_outline."""

import sys
import time

from service.domain.messages import Message, Origin
from service.summarizers.outline import draft
from service.summarizers.outline_segments import goals_of
from service.summarizers.outline_turns import turns_of
from tests.summarizers.outline_cases import LabelledSession, boundaries_of, labelled_sessions, match


def outlined(session: LabelledSession) -> frozenset[int]:
    """The turns at which the outline changes from one goal to another."""
    turns = turns_of(session.messages)
    goal_of = {turn.number: at for at, goal in enumerate(goals_of(turns)) for turn in goal.turns}
    return boundaries_of(goal_of[turn.number] for turn in turns)


def every_turn(session: LabelledSession) -> frozenset[int]:
    return frozenset(range(2, len(session.goals) + 1))


def _seconds_for(turns: int) -> float:
    messages = []
    for number in range(turns):
        topic = f"module{number // 4} feature{number // 9}"
        messages.append(Message("user", f"Change {topic} so that case {number} is handled", Origin.PERSON))
        messages.append(Message("assistant", f"The {topic} handles case {number}. " * 40, Origin.ASSISTANT))
    started = time.process_time()
    draft(tuple(messages))
    return time.process_time() - started


def report() -> str:
    sessions = labelled_sessions()
    lines = [f"{session.name:14} F1 {match([session], outlined).f1:.2f}" for session in sessions]
    lines.append(f"{'all':14} F1 {match(sessions, outlined).f1:.3f}, every turn {match(sessions, every_turn).f1:.3f}")
    lines += [f"{turns} turns: {_seconds_for(turns):.2f} s" for turns in (1_000, 5_000)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(report())
