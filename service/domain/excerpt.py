"""Heads and tails of long texts, never cut inside a grapheme cluster."""

from dataclasses import dataclass

import regex

_CLUSTER = regex.compile(r"\X")
_FLAG_HALVES = regex.compile(r"\p{Regional_Indicator}+")
# Between two such characters there is a break whatever stands before them (UAX 29), so a scan may begin there.
_PLAIN = r"\p{GCB=Other}\p{GCB=Control}\p{GCB=LF}\p{GCB=LV}\p{GCB=LVT}"
_SAFE_BREAK = regex.compile(
    rf"(?r)[{_PLAIN}](?=[{_PLAIN}\p{{GCB=CR}}\p{{Regional_Indicator}}])|\p{{Regional_Indicator}}(?=[{_PLAIN}\p{{GCB=CR}}])"
)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is kept of a text, and how many characters between head and tail are not."""

    head: str
    left_out: int = 0
    tail: str = ""


def head_of(text: str, limit: int) -> Excerpt:
    """The first `limit` characters at most."""
    end = break_before(text, limit)
    return Excerpt(text[:end], len(text) - end)


def head_and_tail(text: str, limit: int) -> Excerpt:
    """The text while it has no more than twice `limit` characters, else that many at most from either end."""
    if len(text) <= 2 * limit:
        return Excerpt(text)
    end, start = break_before(text, limit), _break_after(text, len(text) - limit)
    return Excerpt(text[:end], start - end, text[start:])


def break_before(text: str, at: int) -> int:
    """The last place at or before `at` where the text may be cut."""
    if at <= 0 or at >= len(text):
        return max(0, min(at, len(text)))
    start = place = _scan_start(text, at)
    for cluster in _CLUSTER.finditer(text[start : at + 1]):
        if start + cluster.end() > at:
            break
        place = start + cluster.end()
    return place


def _break_after(text: str, at: int) -> int:
    place = break_before(text, at)
    cluster = None if place == at else _CLUSTER.match(text, place)
    return cluster.end() if cluster else place


def _scan_start(text: str, at: int) -> int:
    safe = _SAFE_BREAK.search(text, 0, at)
    start = safe.end() if safe else 0
    # \X looks back over a whole run of flag halves at each step (8,000 of them took 110 ms), so pairs are counted off.
    flags = _FLAG_HALVES.match(text, start, at)
    return start + max(0, (flags.end() - start - 2) // 2 * 2) if flags else start
