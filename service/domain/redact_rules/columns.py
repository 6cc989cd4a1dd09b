"""Secrets in tables: the cells under a heading that says password or token, in Markdown, CSV and terminal output."""

import re
from collections.abc import Iterator

from service.domain.redact_rules.keywords import Keyword, Kind
from service.domain.redact_rules.secrecy import holds_secret
from service.domain.redact_rules.surroundings import Place

_ROWS = 40
_WIDEST = 512
_AFTER = re.compile(r"[ \t\"'`*_]{0,12}(?P<joint>[,|;\t\r\n])")
_RULED = re.compile(r"[-:=|+ \t]+")


def cells_below(text: str, keyword: Keyword) -> Iterator[Place]:
    """The cells under a heading that ends with the keyword, as far as they hold secrets."""
    after = _AFTER.match(text, keyword.end)
    if after is None or keyword.kind not in (Kind.PASSWORD, Kind.SECRET):
        return
    start, end = (
        text.rfind("\n", max(0, keyword.start - _WIDEST), keyword.start) + 1,
        text.find("\n", keyword.end, keyword.end + _WIDEST),
    )
    joint = _joint(text[start:end]) if end >= 0 else ""
    if not joint:
        return
    column, count = text.count(joint, start, keyword.start), text.count(joint, start, end)
    for _ in range(_ROWS):
        start, end = end + 1, text.find("\n", end + 1, end + _WIDEST)
        end = end if end >= 0 else min(len(text), start + _WIDEST)
        if start >= len(text) or text.count(joint, start, end) != count:
            return
        if not _RULED.fullmatch(text, start, end):
            yield from _cell(text, start, end, joint, column, keyword)


def _joint(heading: str) -> str:
    """What separates the cells of a heading, nothing where the line is no heading: its cells are short."""
    for joint in ("|", "\t", ";", ","):
        cells = heading.strip("| \r").split(joint)
        if len(cells) > 1:
            return joint if all(len(cell.strip()) <= 24 and cell.count(" ") <= 3 for cell in cells) else ""
    return ""


def _cell(text: str, start: int, end: int, joint: str, column: int, keyword: Keyword) -> Iterator[Place]:
    for _ in range(column):
        start = text.index(joint, start, end) + 1
    stop = text.find(joint, start, end)
    cell = text[start : stop if stop >= 0 else end]
    value = cell.strip(" \t\r\"'`*_")
    if value and holds_secret(keyword.kind, value, quoted=False):
        at = start + cell.index(value)
        yield at, at + len(value)
