"""Secrets in tables: the cells under a heading that says password or token, in Markdown, CSV and terminal output."""

import re
from collections.abc import Iterator

from service.domain.redact_rules.keywords import Keyword, Kind
from service.domain.redact_rules.secrecy import holds_secret
from service.domain.redact_rules.surroundings import Place
from service.domain.redact_rules.values import has_digit

_ROWS = 40
_WIDEST = 512
_AFTER = re.compile(r"[ \t\"'`*_]{0,12}[,|;\t\r\n]")
_CODE = re.compile(r"['(){}\[\]=<>\\]")
ENDS_HEADING = frozenset(" \t\"'`*_,|;\r\n)")
_VALUES = re.compile(r"[^()\n]{0,160}\)\s{0,8}(?i:values)\s{0,8}\(")
_QUOTED = re.compile(r"'(?P<value>[^'\n]{6,256})'|(?P<end>[)\n])")
_RULED = re.compile(r"[-:=|+ \t]+")


def cells_below(text: str, keyword: Keyword) -> Iterator[Place]:
    """The cells under a heading that ends with the keyword, as far as they hold secrets."""
    if keyword.kind not in (Kind.PASSWORD, Kind.SECRET) or _AFTER.match(text, keyword.end) is None:
        return
    start, end = (
        text.rfind("\n", max(0, keyword.start - _WIDEST), keyword.start) + 1,
        text.find("\n", keyword.end, keyword.end + _WIDEST),
    )
    joint = _joint(text[start:end]) if end >= 0 else ""
    if not joint:
        return
    column, count = text.count(joint, start, keyword.start), text.count(joint, start, end)
    above = text.rfind("\n", max(0, start - _WIDEST), start - 1) + 1 if start > 1 else 0
    if start and text.count(joint, above, start) == count:
        return
    for _ in range(_ROWS):
        start, end = end + 1, text.find("\n", end + 1, end + _WIDEST)
        end = end if end >= 0 else len(text)
        if start >= len(text) or end - start > _WIDEST or text.count(joint, start, end) != count:
            return
        if not _RULED.fullmatch(text, start, end):
            yield from _cell(text, start, end, joint, column, keyword)


def _joint(heading: str) -> str:
    """What separates the cells of a heading, nothing where the line is no heading: its cells are short."""
    if _CODE.search(heading):
        return ""
    for joint in ("|", "\t", ";", ","):
        cells = heading.strip("| \r").split(joint)
        if len(cells) > 1:
            short = all(0 < len(cell.strip()) <= 24 and cell.count(" ") <= 3 for cell in cells)
            return joint if short else ""
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


def inserted(text: str, keyword: Keyword) -> Place | None:
    """The value that looks like a password, in an SQL statement that names the keyword among its columns."""
    values = _VALUES.match(text, keyword.end) if keyword.kind in (Kind.PASSWORD, Kind.SECRET) else None
    for found in _QUOTED.finditer(text, values.end(), values.end() + _WIDEST) if values else ():
        if found["end"]:
            return None
        if has_digit(found["value"]) and holds_secret(keyword.kind, found["value"], quoted=False):
            return found.span("value")
    return None
