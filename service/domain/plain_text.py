"""A summary as lines of plain text that fit a terminal; how a tone looks is for whoever prints them."""

from collections.abc import Iterator, Mapping

from service.domain.lines import Line, Span, Tone, columns, plain, visible, wrapped
from service.domain.wording import Goal, Shown, Step, made_words, read_payload, stale_words, standing_words

_INDENT = "  "


STATE_TONES: Mapping[str, Tone] = {
    "needs-you": Tone.ATTENTION,
    "in-progress": Tone.ACTIVE,
    "done": Tone.GOOD,
    "dropped": Tone.QUIET,
}


def as_lines(payload: Mapping[str, object], *, heading: str = "", width: int = 80) -> list[Line]:
    """The summary, wrapped to the width: what is open first, then each goal, the one touched last first."""
    return list(_lines(read_payload(payload), heading, width))


def as_text(payload: Mapping[str, object], *, heading: str = "", width: int = 80) -> str:
    """The same without tones."""
    return "\n".join(plain(line) for line in as_lines(payload, heading=heading, width=width)) + "\n"


def _lines(shown: Shown, heading: str, width: int) -> Iterator[Line]:
    if heading:
        yield from _block(heading, width, tone=Tone.STRONG)
    if stale := stale_words(shown):
        yield from _block(f"Out of date: {stale}", width, tone=Tone.ATTENTION)
    # With a single goal the same steps stand right below.
    if len(shown.goals) > 1 and shown.open_items:
        yield from _section("Open items")
        for goal, step in shown.open_items:
            yield from _block(f"{step.what} ({goal.title})", width, first="  - ", rest="    ")
    for goal in shown.goals:
        yield ()
        yield from _goal(goal, width)
    if shown.constraints:
        yield from _section("How this project works")
        for constraint in shown.constraints:
            yield from _block(constraint, width, first="  - ", rest="    ")
    yield ()
    yield from _block(made_words(shown), width, tone=Tone.QUIET)


def _section(title: str) -> Iterator[Line]:
    yield ()
    yield (Span(title, Tone.STRONG),)


def _goal(goal: Goal, width: int) -> Iterator[Line]:
    state = f"[{visible(goal.state_words)}]"
    title = wrapped(goal.title, width - columns(state) - 1)
    yield Span(state, STATE_TONES.get(goal.state, Tone.PLAIN)), Span(f" {title[0]}", Tone.STRONG)
    for line in title[1:]:
        yield (Span(" " * (columns(state) + 1) + line, Tone.STRONG),)
    yield from _block(standing_words(goal), width, first=_INDENT, rest=_INDENT, tone=Tone.QUIET)
    if goal.state == "dropped":
        return
    if goal.asked_for:
        yield from _labelled("You asked for", [goal.asked_for], width, marks=False)
    if goal.progress:
        yield from _labelled("Where it stands", goal.progress, width)
    if goal.next_steps:
        yield (Span(f"{_INDENT}Suggested next", Tone.STRONG), Span(" (inferred)", Tone.QUIET))
        for number, step in enumerate(goal.next_steps, 1):
            yield from _step(number, step, width)


def _labelled(label: str, texts: tuple[str, ...] | list[str], width: int, *, marks: bool = True) -> Iterator[Line]:
    yield (Span(f"{_INDENT}{label}", Tone.STRONG),)
    for text in texts:
        yield from _block(text, width, first="    - " if marks else "    ", rest="      " if marks else "    ")


def _step(number: int, step: Step, width: int) -> Iterator[Line]:
    mark = f"    {number}. "
    rest = " " * len(mark)
    yield from _block(step.what, width, first=mark, rest=rest)
    if step.why:
        yield from _block(f"Why: {step.why}", width, first=rest, rest=rest, tone=Tone.QUIET)
    if step.expect:
        yield from _block(f"Expect: {step.expect}", width, first=rest, rest=rest, tone=Tone.QUIET)


def _block(text: str, width: int, *, first: str = "", rest: str = "", tone: Tone = Tone.PLAIN) -> Iterator[Line]:
    for place, line in enumerate(wrapped(text, max(20, width - len(rest)))):
        if line:
            yield Span(rest if place else first), Span(line, tone)
