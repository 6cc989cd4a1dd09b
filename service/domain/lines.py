"""Text as lines for a terminal: nothing in it but what is seen, and no more columns than there are."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from unicodedata import combining, east_asian_width

import regex

# What could move a cursor, colour a line or turn its reading direction.
_UNSHOWN = regex.compile(r"[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]")
_CLUSTER = regex.compile(r"\X")


class Tone(StrEnum):
    """What a stretch of text is, for printers that can show it."""

    PLAIN = "plain"
    STRONG = "strong"
    QUIET = "quiet"
    GOOD = "good"
    ATTENTION = "attention"
    ACTIVE = "active"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one line in one tone."""

    text: str
    tone: Tone = Tone.PLAIN


Line = tuple[Span, ...]


def plain(line: Line) -> str:
    """The words of a line alone."""
    return "".join(span.text for span in line).rstrip()


def visible(text: str) -> str:
    """The text without characters that would do something to a terminal instead of being seen."""
    return _UNSHOWN.sub(lambda found: " " if found[0] in "\t\n\r\x0b\x0c\x85\u2028\u2029" else "\ufffd", text)


def columns(text: str) -> int:
    """How many columns a terminal needs for the text."""
    return len(text) if text.isascii() else sum(map(_char_columns, text))


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` columns, broken at blanks, inside a word only where it alone is too long."""
    lines = [""]
    for word in visible(text).split():
        for piece in _pieces(word, width):
            if not lines[-1]:
                lines[-1] = piece
            elif columns(lines[-1]) + 1 + columns(piece) <= width:
                lines[-1] += f" {piece}"
            else:
                lines.append(piece)
    return lines


def shortened(text: str, width: int) -> str:
    """The text on one line of at most `width` columns, its end replaced by a mark where it is too long."""
    line = " ".join(visible(text).split())
    return line if columns(line) <= width else next(_pieces(line, width - 1)).rstrip() + "…"


def _char_columns(char: str) -> int:
    if combining(char) or char == "\u200d":
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def _pieces(word: str, width: int) -> Iterator[str]:
    """A word in pieces that fit; no piece ends inside a grapheme cluster."""
    if columns(word) <= width:
        yield word
        return
    piece, taken = "", 0
    for cluster in _CLUSTER.findall(word):
        needs = columns(cluster)
        if piece and taken + needs > width:
            yield piece
            piece, taken = "", 0
        piece, taken = piece + cluster, taken + needs
    yield piece
