"""Secrets and data-carrying URLs leave text here, and every text inside a nested value."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from service.domain.redact_rules import find_spans, is_secret_under
from service.domain.redact_rules.harmless import is_placeholder
from service.domain.redact_rules.rule import Span
from service.domain.redact_rules.values import looks_random

# Hiding one secret can complete the context of another. That shows near the mark that replaced it.
_ROUNDS = 16
_AROUND = 512
# A text that ends so says what the next one is: `["password:", "…"]`.
_LEADS = re.compile(r"[:=]\s*\Z")
# Kinds of secrets that are told by what stands around them.
_BY_CONTEXT = frozenset(("data-url", "password", "secret", "login-pair", "login-password", "seed-phrase", "pin"))


def redact(text: str) -> str:
    """The text with every credential and data-carrying URL replaced by a mark; redacting twice changes nothing more."""
    spans = merged(find_spans(text))
    for _ in range(_ROUNDS):
        if not spans:
            break
        text, marks = _marked(text, spans)
        spans = _spans_around(text, marks)
    return text


def merged(spans: list[Span]) -> list[Span]:
    """Overlapping spans as one, in order of place, under the name of the one that was found first."""
    result: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        last = result[-1] if result else None
        if last is None or span.start >= last.end:
            result.append(span)
        elif span.end > last.end:
            result[-1] = Span(last.start, span.end, last.name)
    return result


def _marked(text: str, spans: list[Span]) -> tuple[str, list[int]]:
    """The text with a mark in place of each span, and where the marks begin."""
    parts: list[str] = []
    places: list[int] = []
    at = size = 0
    for span in spans:
        mark = f"[redacted:{span.name}]"
        parts += (text[at : span.start], mark)
        places.append(size + span.start - at)
        size = places[-1] + len(mark)
        at = span.end
    return "".join((*parts, text[at:])), places


def _spans_around(text: str, places: list[int]) -> list[Span]:
    """What there is to hide near the places.

    Only what begins near is taken, and its surroundings are read with it: a token that is cut at the edge of what is
    read is not what it looks like. What goes on beyond the edge is looked for in the whole text.
    """
    found: list[Span] = []
    for start, end in _stretches(places):
        low, high = max(0, start - _AROUND), min(len(text), end + _AROUND)
        for span in find_spans(text[low:high]):
            if span.end == high - low < len(text) - low:
                return merged(find_spans(text))
            if start <= span.start + low < end:
                found.append(Span(span.start + low, span.end + low, span.name))
    return merged(found)


def _stretches(places: list[int]) -> Iterator[tuple[int, int]]:
    """What is near the places, those together whose surroundings overlap."""
    first = last = places[0]
    for place in places:
        if place - last > 4 * _AROUND:
            yield first - _AROUND, last + _AROUND
            first = place
        last = place
    yield first - _AROUND, last + _AROUND


def redact_nested(value: object) -> object:
    """A copy of nested dicts, lists and tuples with all its texts redacted, keys too, however deep.

    The value of a telling key (`{"password": …}`) is judged with its key, and texts that make a secret only once joined
    (a token split over two list items) are hidden in every part.
    """
    found = list(_texts(value))
    keys, texts = [key for key, _ in found], [text for _, text in found]
    # Across texts first: one half of a secret, once hidden, no longer tells what the other half is.
    for joint in ("", "\n"):
        texts = _redacted_across(texts, joint)
    return _rebuilt(value, map(_redacted_under, keys, texts))


def _redacted_under(key: str | None, text: str) -> str:
    return "[redacted:secret]" if key is not None and is_secret_under(key, text) else redact(text)


def _redacted_across(texts: list[str], joint: str) -> list[str]:
    """Hides what only the joined texts give away, in each text it touches."""
    starts = list(accumulate((len(text) + len(joint) for text in texts), initial=0))[:-1]
    pieces: dict[int, list[Span]] = {}
    for span in merged(find_spans(joint.join(texts))):
        first, last = bisect_right(starts, span.start) - 1, bisect_right(starts, span.end - 1) - 1
        if last == first:
            text = texts[first]
            if first and span.end - span.start == len(text.strip()) and _LEADS.search(texts[first - 1]):
                pieces.setdefault(first, []).append(Span(0, len(text), span.name))
            continue
        if not _is_cut(span.name, texts[first], span.start - starts[first], texts[last], span.end - starts[last]):
            continue
        for place in range(first, last + 1):
            start = max(0, span.start - starts[place])
            end = min(len(texts[place]), span.end - starts[place])
            if start < end:
                pieces.setdefault(place, []).append(Span(start, end, span.name))
    return [_marked(text, pieces.get(place, []))[0] for place, text in enumerate(texts)]


def _is_cut(name: str, first: str, start: int, last: str, end: int) -> bool:
    """Whether a span over several texts is one thing cut in pieces, and not two texts that happen to fit together.

    A token with a shape of its own may be cut in the middle of a sentence. What only its context makes a secret, an
    address, and what was whole before, go on in a text that holds nothing else.
    """
    if "://" in last or is_placeholder(first[start:]):
        return False
    alone = not last[end:].strip()
    if name in _BY_CONTEXT:
        return alone
    near = first[max(0, start - _AROUND) :]
    whole = any(span.name == name and span.end == len(near) for span in find_spans(near))
    return not whole or (alone and looks_random(last.strip()))


Container = dict[object, object] | list[object] | tuple[object, ...]


def _texts(root: object) -> Iterator[tuple[str | None, str]]:
    """Every text below the root but dict keys, with the key it stands under, in the order `_rebuilt` asks for them."""
    levels: list[Iterator[tuple[str | None, object]]] = [iter([(None, root)])]
    while levels:
        for key, item in levels[-1]:
            if isinstance(item, str):
                yield key, item
            elif isinstance(item, dict | list | tuple):
                levels.append(_entries(item, key))
                break
        else:
            levels.pop()


def _entries(container: Container, key: str | None) -> Iterator[tuple[str | None, object]]:
    if isinstance(container, dict):
        return iter([(name if isinstance(name, str) else key, item) for name, item in container.items()])
    return iter([(key, item) for item in container])


@dataclass(frozen=True, slots=True)
class _Level:
    """A container on the way down: what is left of it, and what has been rebuilt so far."""

    source: Container
    left: Iterator[object]
    built: list[object]

    def value(self) -> Container:
        if isinstance(self.source, dict):
            return dict(zip(_redacted_keys(self.source), self.built, strict=True))
        return tuple(self.built) if isinstance(self.source, tuple) else self.built


def _rebuilt(root: object, texts: Iterator[str]) -> object:
    levels = [_Level([], iter([root]), [])]
    while True:
        level = levels[-1]
        for item in level.left:
            if isinstance(item, str):
                level.built.append(next(texts))
            elif isinstance(item, dict | list | tuple):
                left = item.values() if isinstance(item, dict) else item
                levels.append(_Level(item, iter(left), []))
                break
            else:
                level.built.append(item)
        else:
            levels.pop()
            if not levels:
                return level.built[0]
            levels[-1].built.append(level.value())


def _redacted_keys(source: dict[object, object]) -> Iterator[object]:
    """The keys, redacted; two that become the same mark are told apart by a number, so that no value is lost."""
    seen: dict[object, int] = {}
    for key in source:
        hidden = redact(key) if isinstance(key, str) else key
        count = seen[hidden] = seen.get(hidden, 0) + 1
        yield hidden if count == 1 else f"{hidden} {count}"
