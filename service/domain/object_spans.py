"""Finds complete JSON objects amid prose, in time linear in the text."""

import re
from collections.abc import Iterator

# A reply needs six levels; the bound keeps the decoder behind this from running out of stack.
_MAX_DEPTH = 64
_STRING = r'"(?:[^"\\]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"'
_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
_BLANKS = r"[ \t\r\n]*+"
_SCALAR = re.compile(rf"{_STRING}|{_NUMBER}|true|false|null|NaN|-?Infinity")
_KEY = re.compile(rf"{_STRING}{_BLANKS}:{_BLANKS}")
_SKIPPED = re.compile(_BLANKS)

Span = tuple[int, int]


def object_spans(text: str) -> Iterator[Span]:
    """The spans of the objects that are complete JSON, each the largest of its place.

    Where reading fails, every container open at that place has failed too, so none of them is read again; an opening
    brace is tried anew only where it was seen inside a string. Hence no character is read more than a few times.
    """
    tried = bytearray(len(text))
    at = text.find("{")
    while at != -1:
        if not tried[at]:
            for start, end in _Attempt(text, tried).read(at):
                tried[start:end] = b"\1" * (end - start)
                yield start, end
        at = text.find("{", at + 1)


class _Attempt:
    """One try to read an object, without recursion: containers still open, and the largest objects complete so far."""

    __slots__ = ("_complete", "_open", "_text", "_tried")

    def __init__(self, text: str, tried: bytearray) -> None:
        self._text = text
        self._tried = tried
        self._open: list[tuple[int, int]] = []  # where each begins, and how many objects were complete by then
        self._complete: list[Span] = []

    def read(self, at: int) -> list[Span]:
        """The object at this place alone, or those inside it that are complete where it is not."""
        place = self._enter(at)
        while place is not None and self._open:
            place = self._value(place)
        return self._complete

    def _value(self, at: int) -> int | None:
        if self._text.startswith(("{", "["), at):
            return self._enter(at) if len(self._open) < _MAX_DEPTH else None
        scalar = _SCALAR.match(self._text, at)
        return self._after_value(scalar.end()) if scalar else None

    def _enter(self, at: int) -> int | None:
        self._tried[at] = 1
        self._open.append((at, len(self._complete)))
        inside = self._skip_blanks(at + 1)
        return self._after_value(inside) if self._text.startswith(self._closing(), inside) else self._member(inside)

    def _after_value(self, at: int) -> int | None:
        while self._open:
            at = self._skip_blanks(at)
            if self._text.startswith(",", at):
                return self._member(self._skip_blanks(at + 1))
            if not self._text.startswith(self._closing(), at):
                return None
            at += 1
            self._leave(at)
        return at

    def _member(self, at: int) -> int | None:
        if self._closing() == "]":
            return at
        key = _KEY.match(self._text, at)
        return key.end() if key else None

    def _leave(self, end: int) -> None:
        start, complete_before = self._open.pop()
        if self._text[start] == "{":
            self._complete[complete_before:] = [(start, end)]

    def _closing(self) -> str:
        return "}" if self._text[self._open[-1][0]] == "{" else "]"

    def _skip_blanks(self, at: int) -> int:
        skipped = _SKIPPED.match(self._text, at)
        return skipped.end() if skipped else at
