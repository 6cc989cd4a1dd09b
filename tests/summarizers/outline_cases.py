"""The labelled sessions, made up for the outline, and how closely its goals match the labels."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from service.domain.messages import Fact, FactKind, FactResult, Message, Origin

SESSIONS = Path(__file__).parent / "outline_sessions"


@dataclass(frozen=True, slots=True)
class LabelledSession:
    """One session: `goals` names the goal of each user turn, `boundaries` the turns that open or resume another one."""

    name: str
    messages: tuple[Message, ...]
    goals: tuple[str, ...]
    boundaries: frozenset[int]


@dataclass(frozen=True, slots=True)
class Match:
    """How many boundaries were found rightly, found at all, and labelled."""

    right: int
    found: int
    labelled: int

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.found + self.labelled)


def labelled_sessions() -> list[LabelledSession]:
    return [_read(path) for path in sorted(SESSIONS.glob("*.json"))]


def match(sessions: Iterable[LabelledSession], cut: Callable[[LabelledSession], frozenset[int]]) -> Match:
    """Boundaries of all sessions counted together, so that a short session weighs no more than its turns."""
    pairs = [(cut(session), session.boundaries) for session in sessions]
    right = sum(len(found & labelled) for found, labelled in pairs)
    return Match(right, sum(len(found) for found, _ in pairs), sum(len(labelled) for _, labelled in pairs))


def boundaries_of(goals: Iterable[object]) -> frozenset[int]:
    return frozenset(turn for turn, (before, after) in enumerate(pairwise(goals), start=2) if before != after)


def message_of(record: dict[str, Any]) -> Message:
    role = record["role"]
    origin = Origin(record.get("origin", "person" if role == "user" else "assistant"))
    facts = tuple(_fact(fact) for fact in record.get("facts", ()))
    return Message(role, record["content"], origin, record.get("ts"), facts)


def _fact(record: dict[str, str]) -> Fact:
    result = record.get("result")
    return Fact(FactKind(record["kind"]), record["text"], FactResult(result) if result else None)


def _read(path: Path) -> LabelledSession:
    record = json.loads(path.read_text(encoding="utf-8"))
    messages = tuple(message_of(message) for message in record["messages"])
    return LabelledSession(record["name"], messages, tuple(record["goals"]), frozenset(record["boundaries"]))
