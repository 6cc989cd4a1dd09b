"""What the agent's closing words say: what is true now, what it says is left, what it was about to do."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

import regex

from service.summarizers.outline_cues import corrects, ends_in_question
from service.summarizers.outline_fences import draft_in, with_commands
from service.summarizers.outline_reply_phrases import ANNOUNCEMENT, CHOICE, NARRATION, NEXT_HEADING, OFFER, PLEASANTRY
from service.summarizers.outline_text import Kind, Line, clip, lines_of, plain, sentences
from service.summarizers.outline_turns import Turn
from service.summarizers.outline_unfinished_phrases import PROPOSAL
from service.summarizers.outline_waiting import Waiting, Waits, waiting_in

_STATEMENT = 240
_STATEMENTS_A_REPLY = 3
_ENOUGH = 3
_REPLIES = 3
_MOST_PROGRESS = 5
_MOST_STEPS = 8
_FEWEST_OPTIONS = 2

_INLINE_NEXT = regex.compile(r"^(?P<head>[^:：]{2,40})[:：]\s*(?P<text>\S.*)$")
_BREAKS_OFF = regex.compile(r"[:：][\s*_]*$")
_ERROR = regex.compile(r"\s*(?:fatal )?(?:error|fehler|erreur|ошибка|错误|エラー|오류)\s*[:：]\s*\S", regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Closing:
    """A closing reply taken apart; `announced` is what it breaks off on, empty where it was said to its end."""

    statements: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    proposed: str = ""
    announced: str = ""


def read_closing(reply: str) -> Closing:
    """What one reply says is true, left to do, and left to the person."""
    lines = list(_headings_apart(lines_of(with_commands(reply))))
    steps, rest = _next_steps(lines)
    waiting = waiting_in(rest) + _drafted(reply) + _failed(reply, lines)
    announced = _announced(reply, lines, {one.text for one in waiting})
    statements = tuple(_statements(rest, {one.text for one in waiting}, breaks_off=_breaks_off(reply)))
    return Closing(statements, steps[:_MOST_STEPS], waiting, "" if waiting else _proposed(rest), announced)


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


def _statements(lines: Sequence[Line], waiting: Container[str], *, breaks_off: bool) -> list[str]:
    """The first sentences that state something; where they are few, the first items of a list of results."""
    if breaks_off:
        return []  # The agent was cut off in the middle of announcing what it would do.
    told = [(at, text) for at, line in enumerate(lines) if line.kind is Kind.TEXT for text in _stated(line, waiting)]
    told = told[:_STATEMENTS_A_REPLY]
    if len(told) < 2:
        items = [
            (at, text) for at, line in enumerate(lines) if _is_result(lines, at) for text in _stated(line, waiting)
        ]
        told = sorted(told + items[: _STATEMENTS_A_REPLY - len(told)])
    return [text for _, text in told]


def _is_result(lines: Sequence[Line], at: int) -> bool:
    """Whether an item tells what was done, and is no choice laid before the person."""
    if lines[at].kind is not Kind.ITEM or lines[at].nested:
        return False
    lead = next((line.text for line in reversed(lines[max(0, at - 12) : at]) if line.kind is not Kind.ITEM), "")
    behind = next((line.text for line in lines[at : at + 12] if line.kind is not Kind.ITEM), "")
    return not (CHOICE.search(lead) or ends_in_question(lead) or ends_in_question(behind))


def _stated(line: Line, waiting: Container[str]) -> Iterator[str]:
    parts = sentences(line.text)
    for part in parts if line.kind is Kind.TEXT else parts[:1]:
        if part not in waiting and _says_something(part):
            yield clip(part, _STATEMENT)


def _says_something(sentence: str) -> bool:
    if sentence.endswith((":", "：")) or ends_in_question(sentence):
        return False
    if NARRATION.match(sentence) or OFFER.search(sentence) or PLEASANTRY.search(sentence):
        return False
    return len(sentence.split()) >= 3 or len(sentence.encode("utf-8", "replace")) >= 24


def _breaks_off(reply: str) -> bool:
    """Whether the very last line leads to something that does not follow."""
    last = reply.rstrip().rpartition("\n")[2]
    return bool(_BREAKS_OFF.search(last)) or any(line.kind is Kind.HEADING for line in lines_of(last))


def _announced(reply: str, lines: Sequence[Line], waiting: Container[str]) -> str:
    """What the agent was about to do when the reply ended; where it ends on a fence or a request it was whole."""
    ending = (sentences(lines[-1].text) or [""])[-1] if lines else ""
    if not ending or ending in waiting or reply.rstrip().endswith("```"):
        return ""
    about_to = (
        lines[-1].kind is not Kind.ITEM
        and ANNOUNCEMENT.match(ending)
        and not PLEASANTRY.search(ending)
        and not OFFER.search(ending)
    )
    return clip(ending, _STATEMENT) if _breaks_off(reply) or about_to else ""


def _proposed(lines: Sequence[Line]) -> str:
    """The plan or recommendation that a reply lists options or steps for."""
    if sum(line.kind is Kind.ITEM for line in lines) < _FEWEST_OPTIONS:
        return ""
    told = [text for line in lines if line.kind is not Kind.ITEM for text in sentences(line.text)]
    return next((clip(text, _STATEMENT) for text in reversed(told) if PROPOSAL.search(text)), "")


def _drafted(reply: str) -> tuple[Waiting, ...]:
    draft = draft_in(reply)
    return (Waiting(Waits.DRAFTED, clip(draft, _STATEMENT)),) if draft else ()


def _failed(reply: str, lines: Sequence[Line]) -> tuple[Waiting, ...]:
    """A reply that is an error message and nothing else; the readers of lines take it for output."""
    alone = not lines and _ERROR.match(reply)
    return (Waiting(Waits.BLOCKED, clip(plain(reply.strip().split("\n", 1)[0]), _STATEMENT)),) if alone else ()
