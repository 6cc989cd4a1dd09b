"""What the agent's closing words say: what is true now, what it says is left, what it offers or asks."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import regex

from service.summarizers.outline_cues import corrects, ends_in_question
from service.summarizers.outline_reply_phrases import CHOICE, NARRATION, NEXT_HEADING, OFFER, PLEASANTRY
from service.summarizers.outline_text import Kind, Line, clip, lines_of, sentences
from service.summarizers.outline_turns import Turn

OFFERED = "Offered: "
ASKED = "Asked: "

_STATEMENT = 240
_STATEMENTS_A_REPLY = 3
_ENOUGH = 3
_REPLIES = 3
_MOST_PROGRESS = 5
_MOST_STEPS = 8

_INLINE_NEXT = regex.compile(r"^(?P<head>[^:：]{2,40})[:：]\s*(?P<text>\S.*)$")


@dataclass(frozen=True, slots=True)
class Closing:
    """A closing reply taken apart; `question` is what it ends on, whether asked for the goal's sake or as an offer."""

    statements: tuple[str, ...]
    steps: tuple[str, ...]
    question: str
    offer: str


def read_closing(reply: str) -> Closing:
    """What one reply says is true, left to do, and asked of the person."""
    lines = list(_headings_apart(lines_of(reply)))
    steps, rest = _next_steps(lines)
    last = _last_sentence(lines)
    offer = last if OFFER.search(last) and not PLEASANTRY.search(last) else ""
    question = "" if PLEASANTRY.search(last) or not ends_in_question(last) else last
    return Closing(tuple(_statements(rest)), steps, question, offer)


def progress_of(turns: Sequence[Turn]) -> list[str]:
    """What the last reply states, and the one before where it says little; a corrected reply states nothing."""
    told: list[str] = []
    corrected = False
    replies = 0
    for turn in reversed(turns):
        statements = () if corrected else read_closing(turn.reply).statements
        told = [*(line for line in statements if line not in told), *told] if len(told) < _ENOUGH else told
        replies += bool(turn.reply)
        corrected = corrects(turn.words)
        if len(told) >= _ENOUGH or replies == _REPLIES:
            break
    return told[-_MOST_PROGRESS:]


def steps_of(closing: Closing, *, moved_on: bool) -> list[str]:
    """What the reply says is left; an offer or question the person passed over by moving on is not open any more."""
    steps = [clip(step, _STATEMENT) for step in closing.steps][:_MOST_STEPS]
    if moved_on:
        return steps
    if closing.offer:
        steps.append(OFFERED + clip(closing.offer, _STATEMENT))
    elif closing.question:
        steps.append(ASKED + clip(closing.question, _STATEMENT))
    return steps


def _headings_apart(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines; what heads or tells a step behind other sentences ("Done. Next steps:") stands on one of its own."""
    for line in lines:
        *before, last = sentences(line.text) or [line.text]
        label = last.rstrip(":： ")
        if line.kind is not Kind.TEXT or not before:
            yield line
        elif label != last and NEXT_HEADING.match(label):
            yield Line(Kind.TEXT, " ".join(before))
            yield Line(Kind.HEADING, label)
        elif _inline_step(Line(Kind.TEXT, last)):
            yield Line(Kind.TEXT, " ".join(before))
            yield Line(Kind.TEXT, last)
        else:
            yield line


def _next_steps(lines: Sequence[Line]) -> tuple[tuple[str, ...], list[Line]]:
    """The items under headings that say so and open to-do items, apart from all other lines."""
    steps: list[str] = []
    rest: list[Line] = []
    listing = False
    for line in lines:
        listing = _heads_steps(line) or (listing and line.kind in (Kind.ITEM, Kind.OPEN_TODO))
        inline = _inline_step(line)
        if line.kind is Kind.OPEN_TODO or (listing and line.kind is Kind.ITEM and not line.nested):
            steps.append(line.text)
        elif inline:
            steps.append(inline)
        elif not listing:
            rest.append(line)
    return tuple(dict.fromkeys(steps)), rest


def _heads_steps(line: Line) -> bool:
    return line.kind is Kind.HEADING and bool(NEXT_HEADING.match(line.text))


def _inline_step(line: Line) -> str:
    """The step on a line that names and tells it at once ("Next step: deploy it")."""
    found = _INLINE_NEXT.match(line.text) if line.kind is Kind.TEXT else None
    return found["text"] if found and NEXT_HEADING.fullmatch(found["head"].strip()) else ""


def _statements(lines: Sequence[Line]) -> list[str]:
    """The first sentences that state something; where they are few, the first items of a list of results."""
    if lines and (lines[-1].kind is Kind.HEADING or lines[-1].text.endswith((":", "："))):
        return []  # The agent was cut off in the middle of announcing what it would do.
    told = [(at, text) for at, line in enumerate(lines) if line.kind is Kind.TEXT for text in _stated(line)]
    told = told[:_STATEMENTS_A_REPLY]
    if len(told) < 2:
        items = [(at, text) for at, line in enumerate(lines) if _is_result(lines, at) for text in _stated(line)]
        told = sorted(told + items[: _STATEMENTS_A_REPLY - len(told)])
    return [text for _, text in told]


def _is_result(lines: Sequence[Line], at: int) -> bool:
    """Whether an item tells what was done, and is no choice laid before the person."""
    if lines[at].kind is not Kind.ITEM or lines[at].nested:
        return False
    lead = next((line.text for line in reversed(lines[max(0, at - 12) : at]) if line.kind is not Kind.ITEM), "")
    behind = next((line.text for line in lines[at : at + 12] if line.kind is not Kind.ITEM), "")
    return not (CHOICE.search(lead) or ends_in_question(lead) or ends_in_question(behind))


def _stated(line: Line) -> Iterator[str]:
    parts = sentences(line.text)
    for part in parts if line.kind is Kind.TEXT else parts[:1]:
        if _says_something(part):
            yield clip(part, _STATEMENT)


def _says_something(sentence: str) -> bool:
    if sentence.endswith((":", "：")) or ends_in_question(sentence):
        return False
    if NARRATION.match(sentence) or OFFER.search(sentence) or PLEASANTRY.search(sentence):
        return False
    return len(sentence.split()) >= 3 or len(sentence.encode("utf-8", "replace")) >= 24


def _last_sentence(lines: Sequence[Line]) -> str:
    """What the reply ends on; options listed behind a question are part of it."""
    end = len(lines)
    while end and lines[end - 1].kind is Kind.ITEM:
        end -= 1
    before = lines[end - 1].text if end else ""
    if end < len(lines) and not ends_in_question(before):
        before = lines[-1].text
    return (sentences(before) or [""])[-1]
