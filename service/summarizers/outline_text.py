"""Reads a message as lines of plain words: no code, no pasted output, no Markdown signs."""

from dataclasses import dataclass
from enum import Enum, auto

import regex

from service.summarizers.outline_pasted import worded_lines

_INVISIBLE = regex.compile(r"[\p{Cc}\p{Cf}--[\t\n\u200c\u200d]]", regex.VERSION1)
_SURROGATE = regex.compile(r"[\ud800-\udfff]")

_HEADING = regex.compile(r"\s{0,3}#{1,6}\s+(?P<text>.*)")
_TODO = regex.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+\[(?P<mark>[ xX✓✔-])\]\s+(?P<text>.*)")
_ITEM = regex.compile(r"(?P<indent>\s*)(?:(?:[-*+•‣▪◦–]|\d{1,3}[.)])\s+|[①-⑳]\s*|\d{1,3}、\s*)(?P<text>\S.*)")
_BOLD_LINE = regex.compile(r"\s*(?:\*\*|__)(?P<text>[^*]{1,120})(?:\*\*|__)\s*[:：]?\s*$")
_LABEL = regex.compile(r"\s*(?P<text>\S[^。.!?！？]{0,80})[:：]\s*$")
_RULE = regex.compile(r"\s*[-=_*~─━]{3,}\s*$")
_TABLE_OR_TAG = regex.compile(r"\s*(?:[|│┌├└╭╰]|\+-|<!--|</?[a-zA-Z][\w-]*[^<>]{0,200}>\s*$)")

_LINK = regex.compile(r"!?\[(?P<text>[^\]]{0,300})\]\([^)\s]{0,500}\)")
_EMPHASIS = regex.compile(
    r"(?<![\p{L}\p{N}*_])(?P<mark>\*\*|\*)(?=\S)(?P<text>[^*]{1,400})(?<=\S)(?P=mark)(?![\p{L}\p{N}*_])"
)
_LEADING_SIGNS = regex.compile(r"(?:[\s\p{So}\p{Sk}\ufe0f>#*•→←↳▶►]+|\d{1,2}[.)]\s)+")
_BLANKS = regex.compile(r"\s+")

# A single letter before the stop is an abbreviation ("e.g."), a row of stops a pause; a quotation may end in the middle
# of the sentence around it.
_WORD_BEFORE = r"[\p{L}\p{M}\p{N})\]\"'”»%]{2}"
_NO_ABBREVIATION = r"(?<!\b(?:etc|vs|bzw|ca|Nr|No|approx|resp|usw)\.)"
_SENTENCE_END = regex.compile(
    rf"(?<={_WORD_BEFORE}[.!?]){_NO_ABBREVIATION}\s+"
    rf"|(?<={_WORD_BEFORE}[.!?][\"')\]”»])\s+(?!\p{{Ll}})"
    r"|(?<=[。！？])"
)


class Kind(Enum):
    """What a line is in the message it stands in."""

    HEADING = auto()
    ITEM = auto()
    OPEN_TODO = auto()
    TEXT = auto()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of words, its signs taken off; `nested` items stand under another item."""

    kind: Kind
    text: str
    nested: bool = False


def visible(text: str) -> str:
    """The text without control and formatting characters, halves of surrogate pairs replaced."""
    text = _SURROGATE.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n")
    return _INVISIBLE.sub("", text)


def lines_of(text: str) -> list[Line]:
    """The lines a person or an agent worded, in order; fences, tables, quotes and pasted output are gone."""
    lines = (_line(raw) for raw in worded_lines(text))
    return [line for line in lines if line is not None and line.text]


def sentences(text: str) -> list[str]:
    """The sentences of one line; the stop of an abbreviation ends none."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]


def plain(text: str) -> str:
    """One line without Markdown signs, its blanks collapsed."""
    text = _LINK.sub(lambda match: match["text"], text).replace("`", "")
    text = _EMPHASIS.sub(lambda match: match["text"], text).replace("**", "")
    signs = _LEADING_SIGNS.match(text)
    return _BLANKS.sub(" ", text[signs.end() if signs else 0 :]).strip()


def clip(text: str, limit: int) -> str:
    """The text, or its head up to a word's end and an ellipsis; never inside a grapheme cluster."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    space = head.rfind(" ")
    if space > limit // 2:
        return head[:space].rstrip(" ,;:-–") + "…"
    end = 0
    for cluster in regex.finditer(r"\X", text[: limit + 40]):
        if cluster.end() > limit:
            break
        end = cluster.end()
    return text[:end].rstrip() + "…"


def _line(raw: str) -> Line | None:
    if _RULE.match(raw) or _TABLE_OR_TAG.match(raw):
        return None
    if found := _HEADING.match(raw):
        return Line(Kind.HEADING, _heading(found["text"].rstrip(" #")))
    if found := _TODO.match(raw):
        return Line(Kind.OPEN_TODO, plain(found["text"])) if found["mark"] == " " else None
    if found := _ITEM.match(raw):
        return Line(Kind.ITEM, plain(found["text"]), nested=len(found["indent"].expandtabs(4)) > 1)
    if (found := _BOLD_LINE.match(raw)) or (found := _LABEL.match(raw)):
        return Line(Kind.HEADING, _heading(found["text"]))
    return Line(Kind.TEXT, plain(raw))


def _heading(text: str) -> str:
    return plain(text).rstrip(":： ")
