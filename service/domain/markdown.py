"""A summary as Markdown, fit for an issue or as a brief for another agent; text stays text whatever it holds."""

import re
from collections.abc import Iterator, Mapping

from service.domain.plain_text import visible
from service.domain.wording import Goal, Shown, Step, made_words, read_payload, standing_words

# Everywhere: what opens markup, HTML, a link, an image or an entity. An underscore inside a word opens nothing.
_MARKUP = re.compile(r"[\\`*\[\]<>~|$]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w)")
# At the start of a line: what makes a heading, a list, a quote or a rule of it.
_OPENING = re.compile(r"^(?:[#+\-=:]|\d{1,9}(?=[.)]))")


def as_markdown(payload: Mapping[str, object], *, title: str = "") -> str:
    """The summary of a payload, or of the answer of GET summary; open items first, dropped goals as a line each."""
    return "\n".join(_lines(read_payload(payload), title)).strip("\n") + "\n"


def escaped(text: str) -> str:
    """The text such that Markdown shows exactly its characters: no markup, no HTML, no image, no hidden link."""
    line = _MARKUP.sub(r"\\\g<0>", " ".join(visible(text).split()))
    return _OPENING.sub(_escaped_opening, line)


def _escaped_opening(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def _lines(shown: Shown, title: str) -> Iterator[str]:
    if title:
        yield from (f"# {escaped(title)}", "")
    if shown.stale_words:
        yield from (f"> {shown.stale_words}", "")
    if shown.open_items:
        yield from ("## Open items", "", *(_open_item(goal, step) for goal, step in shown.open_items), "")
    if shown.goals:
        yield from ("## Goals", "")
    for goal in shown.goals:
        yield from _goal(goal)
    if shown.constraints:
        yield from ("## How this project works", "", *_list(shown.constraints), "")
    yield f"*{escaped(made_words(shown))}*"


def _open_item(goal: Goal, step: Step) -> str:
    return f"- [ ] {escaped(step.what)} ({escaped(goal.title)})"


def _goal(goal: Goal) -> Iterator[str]:
    standing = escaped(standing_words(goal))
    yield from (
        f"### {escaped(goal.title)}",
        "",
        " · ".join(part for part in (f"**{escaped(goal.state_words)}**", standing) if part),
        "",
    )
    if goal.state == "dropped":
        return
    if goal.asked_for:
        yield from ("**You asked for**", "", escaped(goal.asked_for), "")
    if goal.progress:
        yield from ("**Where it stands**", "", *_list(goal.progress), "")
    if goal.next_steps:
        yield from (
            "**Suggested next** (inferred)",
            "",
            *map(_step, range(1, 1 + len(goal.next_steps)), goal.next_steps),
            "",
        )


def _step(number: int, step: Step) -> str:
    parts = [f"{number}. {escaped(step.what)}"]
    parts += [f"   - why: {escaped(step.why)}"] if step.why else []
    parts += [f"   - expect: {escaped(step.expect)}"] if step.expect else []
    return "\n".join(parts)


def _list(texts: tuple[str, ...]) -> Iterator[str]:
    return (f"- {escaped(text)}" for text in texts)
