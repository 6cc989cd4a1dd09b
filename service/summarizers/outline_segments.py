"""Cuts a session into goals: where a new one opens, and which later turns come back to an earlier one."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from service.summarizers.outline_cues import (
    corrects,
    drops,
    follows_up,
    is_short_question,
    moves_on,
    pivots,
    resumes,
    ships,
    without_assent,
)
from service.summarizers.outline_pasted import pasted_share
from service.summarizers.outline_text import lines_of, sentences
from service.summarizers.outline_turns import Turn
from service.summarizers.outline_vocabulary import files_named, overlap, rarity, telling_files, vocabulary

# Set on the labelled sessions in tests/summarizers/outline_sessions, in the middle of a range that reaches the same
# there; tests/bench/bench_outline.py prints the figure. Unrelated words alone open a goal, half-related ones need a
# second sign.
_OPENS_AT = 0.65
_UNRELATED_BELOW = 0.35
_SHIPPED = 0.55
_LONG_GAP = 0.45
_PIVOT = 0.9
_WEAK_PIVOT = 0.25
_SHARED_FILES = -0.8
_SHORT_QUESTION = -0.55
_FEW_WORDS = -0.3
_TELLING_WORDS = 4
_PASTED = -0.8
_FOLLOW_UP = -1.0

_GAP = timedelta(minutes=30)
_RECENT = 5
_REJOINS_AT = 0.34
_RESUMES_AT = 0.15
_MOST_GOALS = 40
_ENOUGH_WORDS = 2

Weight = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Subject:
    """What one turn is about: the person's `words`, those and the agent's in `context`, the `files` of both."""

    turn: Turn
    words: frozenset[str]
    context: frozenset[str]
    files: frozenset[str]


@dataclass(frozen=True, slots=True)
class Goal:
    """The turns of one goal, in order; `ranges` are its unbroken stretches."""

    turns: tuple[Turn, ...]

    @property
    def ranges(self) -> list[list[int]]:
        """First and last turn of each stretch, as SPEC section 6 writes them."""
        found: list[list[int]] = []
        for turn in self.turns:
            if found and found[-1][1] == turn.number - 1:
                found[-1][1] = turn.number
            else:
                found.append([turn.number, turn.number])
        return found


def goals_of(turns: Sequence[Turn]) -> tuple[Goal, ...]:
    """The goals in the order in which they were first pursued; every turn belongs to exactly one."""
    subjects = [_subject(turn) for turn in turns]
    weight = rarity(subject.context for subject in subjects)
    return tuple(
        Goal(tuple(subject.turn for segment in goal for subject in segment))
        for goal in _rejoined(_segments(subjects, weight), weight)
    )


def _subject(turn: Turn) -> Subject:
    said = without_assent("\n".join(line.text for line in lines_of(turn.words)))
    words = vocabulary(said)
    reply = "\n".join(line.text for line in lines_of(turn.reply[:1_500]))
    files = files_named(turn.words) | telling_files(turn.edited)
    return Subject(turn, words, words | vocabulary(reply) | vocabulary(" ".join(files)), files)


def _segments(subjects: Sequence[Subject], weight: Weight) -> list[list[Subject]]:
    segments: list[list[Subject]] = []
    for subject in subjects:
        if segments and (not _has_goal(segments[-1]) or not _opens(subject, segments[-1], weight)):
            segments[-1].append(subject)
        else:
            segments.append([subject])
    return segments


def _has_goal(segment: Sequence[Subject]) -> bool:
    """A greeting alone is no goal: what is asked next belongs to it."""
    return any(subject.words or subject.files for subject in segment)


def _opens(subject: Subject, segment: Sequence[Subject], weight: Weight) -> bool:
    turn = subject.turn
    if turn.resend or not (subject.words or subject.files) or ships(turn.words):
        return False
    if drops(turn.words):
        return wants_instead(turn.words)
    if corrects(turn.words) and not pivots(turn.words):
        return False
    return _evidence(subject, segment, weight) >= _OPENS_AT


def _evidence(subject: Subject, segment: Sequence[Subject], rarity_of: Weight) -> float:
    words, before = subject.turn.words, segment[-1].turn
    recent = [segment[0], *segment[-_RECENT:]]
    related = overlap(subject.words, [other.context for other in recent], rarity_of)
    signs = (
        (_SHIPPED, before.shipped),
        (_LONG_GAP, _pause(before, subject.turn) >= _GAP),
        (_PIVOT, pivots(words)),
        (_WEAK_PIVOT, moves_on(words)),
        (_SHARED_FILES, _shares_files(subject, recent)),
        (_SHORT_QUESTION, is_short_question(words) and not pivots(words)),
        (_FEW_WORDS * (_TELLING_WORDS - len(subject.words)), len(subject.words) < _TELLING_WORDS),
        (_PASTED, pasted_share(words) > 0.5),
        (_FOLLOW_UP, follows_up(words) and not pivots(words)),
    )
    return max(-1.0, 1 - related / _UNRELATED_BELOW) + sum(weight for weight, holds in signs if holds)


def wants_instead(words: str) -> bool:
    """Whether a turn that takes a goal back goes on to ask for another thing."""
    behind = [sentence for line in lines_of(words) for sentence in sentences(line.text)][1:]
    return len(vocabulary(" ".join(behind))) >= _ENOUGH_WORDS


def _pause(before: Turn, after: Turn) -> timedelta:
    start = before.ended or before.began
    return after.began - start if start and after.began else timedelta()


def _shares_files(subject: Subject, recent: Sequence[Subject]) -> bool:
    return not subject.files.isdisjoint(frozenset().union(*(other.files for other in recent)))


def _rejoined(segments: Sequence[list[Subject]], weight: Weight) -> list[list[list[Subject]]]:
    """Segments that pursue a goal again are put to it: the words people come back with are the ones they left with."""
    goals: list[list[list[Subject]]] = []
    known = _KnownGoals(weight)
    for segment in segments:
        earlier = known.closest(segment[0])
        if earlier is None:
            earlier = len(goals)
            goals.append([])
        goals[earlier].append(segment)
        known.add(earlier, segment)
    return goals


class _KnownGoals:
    """Finds the goal a segment resumes by the rare words both hold; a word of very many goals points to none."""

    def __init__(self, weight: Weight) -> None:
        self._weight = weight
        self._goals_by_word: defaultdict[str, set[int]] = defaultdict(set)

    def add(self, goal: int, segment: Sequence[Subject]) -> None:
        for subject in segment:
            for word in subject.words | _as_words(subject.files):
                self._goals_by_word[word].add(goal)

    def closest(self, opening: Subject) -> int | None:
        """The goal that most of the opening's words and files point to; one opened by dropping another resumes none."""
        words = opening.words | _as_words(opening.files)
        shares: defaultdict[int, float] = defaultdict(float)
        for word in words:
            goals = self._goals_by_word.get(word, ())
            for goal in goals if len(goals) <= _MOST_GOALS else ():
                shares[goal] += self._weight(word)
        if not shares or len(opening.words) < _ENOUGH_WORDS or drops(opening.turn.words):
            return None
        best = max(shares, key=lambda goal: (shares[goal], goal))
        needed = _RESUMES_AT if resumes(opening.turn.words) else _REJOINS_AT
        return best if shares[best] >= needed * sum(map(self._weight, words)) else None


def _as_words(files: frozenset[str]) -> frozenset[str]:
    return frozenset(f"file:{name}" for name in files)
