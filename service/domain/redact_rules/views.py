"""A text as a screen, a browser or a program shows it, where it is written so that a token does not stand out.

Colors of a terminal and escapes of a string end with a letter or digit, right before which no token would begin; signs
that nobody sees, markup and codes split one. Each view tells where in the original its tokens stand.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

from service.domain.redact_rules.rule import Span

_COLOR = r"(?:\x1b|\\(?:u001[bB]|x1[bB]|033|e)|\\x9b|\x9b)\[?[0-9;?]{0,16}[A-Za-z]"
# What ends right before a token, each of it as blank as it looks.
_BEFORE = re.compile(
    rf"{_COLOR}|\\(?:[nrtbfv0]|u[0-9a-fA-F]{{4}}|x[0-9a-fA-F]{{2}})(?=[A-Za-z0-9])|%[0-9a-fA-F]{{2}}(?=[A-Za-z0-9])"
)
# What stands inside one and is none of it, and the codes of the signs that tokens are joined by.
_UNSEEN = (
    "[\u00ad\u034f\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u2069\u3164\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\x00\x08\x7f]"
)
_INSIDE = re.compile(
    rf"(?P<nothing>{_UNSEEN}|{_COLOR}|</?(?:wbr|b|em|strong|span|mark)[^<>]{{0,60}}>|\*\*|\\(?=[_-]))"
    r"|(?P<low>%5[fF]|&#0{0,2}95;|&#[xX]5[fF];|&lowbar;|\\u005[fF])|(?P<dash>%2[dD]|&#0{0,2}45;|&#[xX]2[dD];|\\u002[dD])"
)

Find = Callable[[str], Iterator[Span]]


def spans_in_views(text: str, find: Find) -> Iterator[Span]:
    """What there is to find in each view that differs from the text, at its place in the text."""
    if _BEFORE.search(text):
        yield from find(_BEFORE.sub(lambda escape: " " * len(escape.group()), text))
    if _INSIDE.search(text):
        yield from _spans_without(text, find)


def _spans_without(text: str, find: Find) -> Iterator[Span]:
    """Tokens in the text without what splits them; the span holds what was left out inside."""
    parts: list[str] = []
    starts, shifts, at, size = [0], [0], 0, 0
    for found in _INSIDE.finditer(text):
        sign = "_" if found["low"] else "-" if found["dash"] else ""
        parts += (text[at : found.start()], sign)
        size += found.start() - at + len(sign)
        at = found.end()
        starts.append(size)
        shifts.append(at - size)
    parts.append(text[at:])
    for span in find("".join(parts)):
        first, last = (bisect_right(starts, place) - 1 for place in (span.start, span.end - 1))
        yield Span(span.start + shifts[first], span.end + shifts[last], span.name)
