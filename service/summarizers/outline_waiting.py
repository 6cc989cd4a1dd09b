"""What the last lines of a reply leave to the person: questions, offers, requests, what hinders, what is untried."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from service.summarizers.outline_asking_phrases import HANDS_ON, ORDER, QUESTIONS_HEADING, REQUEST, TO_THE_PERSON
from service.summarizers.outline_cues import ends_in_question
from service.summarizers.outline_reply_phrases import OFFER, PLEASANTRY
from service.summarizers.outline_text import Kind, Line, sentences
from service.summarizers.outline_unfinished_phrases import BLOCKER, UNPROVEN

_CLOSING_LINES = 8
_LAST_SENTENCES = 3
_MOST_WAITING = 4


class Waits(Enum):
    """How a sentence leaves something to the person."""

    OFFERED = auto()
    ASKED = auto()
    REQUESTED = auto()
    TO_RUN = auto()
    UNPROVEN = auto()
    BLOCKED = auto()
    DRAFTED = auto()


@dataclass(frozen=True, slots=True)
class Waiting:
    """One sentence of the agent that the person has to act on; `options` are what it lists to choose from."""

    why: Waits
    text: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Placed:
    """One sentence with its place in the reply; `closes` are the last ones, `ends` is the one it ends on."""

    text: str
    kind: Kind
    closes: bool
    ends: bool
    listed_question: bool


def waiting_in(lines: Sequence[Line]) -> tuple[Waiting, ...]:
    """What the lines leave to the person, in order; of a great many things the last ones."""
    found = [(why, sentence) for sentence in _placed(lines) if (why := _why(sentence))]
    options = _options(lines)
    waiting = [Waiting(why, sentence.text, options if sentence.ends else ()) for why, sentence in found]
    return tuple(dict.fromkeys(waiting))[-_MOST_WAITING:]


def _options(lines: Sequence[Line]) -> tuple[str, ...]:
    """The choices that a reply lists behind the question it ends on."""
    end = len(lines)
    while end and lines[end - 1].kind is Kind.ITEM:
        end -= 1
    if not end or not ends_in_question(lines[end - 1].text):
        return ()
    return tuple(line.text for line in lines[end:] if not line.nested)


def last_sentence(lines: Sequence[Line]) -> str:
    """What the reply ends on; options listed behind a question are part of it."""
    end = len(lines)
    while end and lines[end - 1].kind is Kind.ITEM:
        end -= 1
    before = lines[end - 1].text if end else ""
    if end < len(lines) and not ends_in_question(before):
        before = lines[-1].text
    return (sentences(before) or [""])[-1]


def _placed(lines: Sequence[Line]) -> list[_Placed]:
    ends = last_sentence(lines)
    questions = False
    options = _options(lines)
    found: list[tuple[Line, str, bool]] = []
    for line in lines[-_CLOSING_LINES:]:
        questions = bool(QUESTIONS_HEADING.match(line.text)) if line.kind is Kind.HEADING else questions
        found += [(line, sentence, questions) for sentence in sentences(line.text)]
    worded = [at for at, (line, _, _) in enumerate(found) if line.kind is Kind.TEXT][-_LAST_SENTENCES:]
    return [
        _Placed(
            text,
            line.kind,
            at in worded,
            text == ends,
            line.kind is Kind.ITEM and not line.nested and (listed or not options),
        )
        for at, (line, text, listed) in enumerate(found)
    ]


def _why(sentence: _Placed) -> Waits | None:
    text = sentence.text
    if PLEASANTRY.search(text):
        return None
    if ends_in_question(text):
        return _why_asked(sentence)
    if sentence.ends and OFFER.search(text):
        return Waits.OFFERED
    if UNPROVEN.search(text):
        return Waits.UNPROVEN
    if REQUEST.search(text) or (sentence.closes and ORDER.match(text)):
        return Waits.TO_RUN if HANDS_ON.search(text) else Waits.REQUESTED
    return Waits.BLOCKED if BLOCKER.search(text) else None


def _why_asked(sentence: _Placed) -> Waits | None:
    """A question waits where the reply ends on it, lists it, or turns to the person with it at the close."""
    if OFFER.search(sentence.text) and (sentence.ends or sentence.closes):
        return Waits.OFFERED
    if sentence.ends or sentence.listed_question:
        return Waits.ASKED
    return Waits.ASKED if sentence.closes and TO_THE_PERSON.search(sentence.text) else None
