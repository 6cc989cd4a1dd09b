"""Marks that stand in place of what was hidden: no part of one is a secret again."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from service.domain.redact_rules.rule import Span

_MARK = re.compile(r"\[redacted:[a-z0-9-]{1,32}\]")


def outside_marks(text: str, spans: Sequence[Span]) -> list[Span]:
    """The spans without the ends that lie inside a mark; one that is nothing but a mark, or a part of one, goes."""
    if "[redacted:" not in text:
        return list(spans)
    marks = [match.span() for match in _MARK.finditer(text)]
    return [trimmed for span in spans for trimmed in _trimmed(span, marks)]


def _trimmed(span: Span, marks: Sequence[tuple[int, int]]) -> Iterator[Span]:
    start, end = span.start, span.end
    # The mark in which it starts begins before it or with it, the one in which it ends before its end.
    for at in {bisect_left(marks, (start + 1,)) - 1, bisect_left(marks, (end,)) - 1}:
        if at < 0:
            continue
        first, last = marks[at]
        if first <= start < last:
            start = last
        if first < end < last:
            end = first
    if start < end:
        yield Span(start, end, span.name)
