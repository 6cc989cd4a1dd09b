"""A summary as Markdown, fit for an issue or as a brief for another agent; text stays text whatever it holds."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from service.domain.lines import visible
from service.domain.wording import (
    Goal,
    Shown,
    Step,
    made_words,
    nothing_open_words,
    read_payload,
    stale_words,
    standing_words,
)

# An address becomes a link to exactly itself: an escape inside it would lead elsewhere.
_ADDRESS = r"https?://(?=\w)(?:[^\s<>()]|\([^\s<>()]*\))*(?<![.,;:!?'\"\]*_~|`\\])"
# What a forge takes for a person to notify or an issue to link is set as code, which it leaves alone.
_REFERENCE = r"(?<![\w@&./-])(?:@(?=\w)(?:(?!https?:)[\w./-])+(?<=\w)|(?:\w[\w.-]*(?:/[\w.-]+)?)?#\d+(?!\w))"
# Everywhere: what opens markup, HTML, a link, an image or an entity, or would close a heading.
# An underscore inside a word opens nothing.
_MARKUP = r"[\\`*\[\]<>~|$]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w)|(?<= )#(?=#*$)"
_SPECIAL = re.compile(f"(?P<address>{_ADDRESS})|(?P<reference>{_REFERENCE})|{_MARKUP}")
# At the start of a line: what makes a heading, a list, a quote or a rule of it.
_OPENING = re.compile(r"^(?:[#+\-=:]|\d{1,9}(?=[.)]))")
_NONE = "There is no summary to show."
_INFERRED = "*Suggested by the summary; nobody said so in the session.*"


@dataclass(frozen=True, slots=True)
class About:
    """Which session a summary is of, as far as its reader knows; `user_turns` is how many it has by now."""

    title: str = ""
    key: str = ""
    project: str = ""
    user_turns: int | None = None


def as_markdown(payload: Mapping[str, object], about: About) -> str:
    """The summary of a payload, or of the answer of GET summary; open items first, dropped goals as a line each."""
    return "\n".join(_lines(read_payload(payload), about)).strip("\n") + "\n"


def escaped(text: str) -> str:
    """The text such that Markdown shows exactly its characters: no markup, no HTML, no image, no hidden link."""
    return _OPENING.sub(_escaped_opening, _SPECIAL.sub(_escaped_special, " ".join(visible(text).split())))


def _escaped_special(found: re.Match[str]) -> str:
    if found["address"]:
        return f"<{found[0]}>"
    return f"`{found[0]}`" if found["reference"] else f"\\{found[0]}"


def _escaped_opening(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def _lines(shown: Shown, about: About) -> Iterator[str]:
    yield from _head(shown, about)
    if shown.goals:
        yield from ("## Open items", "", *_open_items(shown), "", "## Goals", "")
    for goal in shown.goals:
        yield from _goal(goal)
    if shown.constraints:
        yield from ("## How this project works", "", *_list(shown.constraints))


def _head(shown: Shown, about: About) -> Iterator[str]:
    """What the document is about, and how far it can be trusted."""
    if about.title:
        yield from (f"# {escaped(about.title)}", "")
    if stale := stale_words(shown, about.user_turns):
        yield from (f"> **Out of date:** {stale}", "")
    known = (("Project: ", about.project), ("Session: ", about.key), ("", made_words(shown) if shown.goals else _NONE))
    yield from (f"- {name}{escaped(text)}" for name, text in known if text)
    yield ""


def _open_items(shown: Shown) -> Iterator[str]:
    if not shown.open_items:
        yield escaped(nothing_open_words(shown))
        return
    yield from (_INFERRED, "")
    for goal, step in shown.open_items:
        yield from _step(step, of=f" ({escaped(goal.title)})")


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
    # Those of a goal that waits are the open items: said twice, a checklist would have to be ticked twice.
    if goal.next_steps and not goal.waits:
        yield from ("**Suggested next** (inferred)", "")
        for step in goal.next_steps:
            yield from _step(step)
        yield ""


def _step(step: Step, of: str = "") -> Iterator[str]:
    yield f"- [ ] {escaped(step.what)}{of}"
    if step.why:
        yield f"  - why: {escaped(step.why)}"
    if step.expect:
        yield f"  - expect: {escaped(step.expect)}"


def _list(texts: tuple[str, ...]) -> Iterator[str]:
    return (f"- {escaped(text)}" for text in texts)
