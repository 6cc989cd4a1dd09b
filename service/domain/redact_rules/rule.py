"""One rule: what a kind of secret looks like, where to look for it, and one example of each side."""

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the original text that must go, and the name of the kind of secret it holds."""

    start: int
    end: int
    name: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of secret that can be told by its shape alone.

    `pattern` is tried only where one of the literal `anchors` stands, from up to `reach` characters before it on;
    without anchors it is searched for in every long run of characters. An anchor that is `inside` may stand in the
    middle of a word if it begins with a capital; a token that `folds` is known even where a line break cuts it.
    The group `secret`, or else the whole match, is hidden where `accept` agrees. `example` is hidden,
    `counter_example` is left alone.
    """

    name: str
    family: str
    pattern: re.Pattern[str]
    anchors: tuple[str, ...]
    example: str
    counter_example: str
    reach: int = 0
    inside: bool = False
    folds: bool = False
    accept: Callable[[str], bool] | None = None


def prefixed(name: str, family: str, prefix: str, body: str, example: str, counter_example: str) -> Rule:
    """A token that starts with a vendor's literal prefix; alternatives are separated by a blank."""
    anchors = tuple(prefix.split())
    starts = "|".join(re.escape(anchor) for anchor in sorted(anchors, key=len, reverse=True))
    guard = "(?<![A-Za-z0-9])" if anchors[0][0].isalnum() else ""
    return Rule(name, family, re.compile(f"{guard}(?:{starts}){body}"), anchors, example, counter_example, folds=True)
