"""Secrets told by their context alone: a telling key, header, flag or phrase, and behind it a value that may be one."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from service.domain.redact_rules import contexts
from service.domain.redact_rules.contexts import place_of, value_of
from service.domain.redact_rules.harmless import is_name, is_placeholder, is_public, is_technical
from service.domain.redact_rules.keywords import Keyword, Kind, find_keywords
from service.domain.redact_rules.rule import Span
from service.domain.redact_rules.secrecy import holds_secret, is_code, is_header_secret, is_resource
from service.domain.redact_rules.tree import lowered
from service.domain.redact_rules.values import (
    has_digit,
    is_gibberish,
    is_hash,
    is_mixed,
    is_scrambled,
    is_uuid,
    looks_random,
)

_Place = tuple[int, int]
_MARK = "[redacted:"
_LONGEST_MARK = 48
_SAID_REACH = 160
_NEAR = 90
_NEAR_HASH = 48
_BEFORE = 200
_JOINTS = frozenset(("is", "as", "was", "#", "//", "--", "for", "ist", "als", "es", "est", "=", "是", "→", "->"))
_JOINT = re.compile(r" (?:is|as|was|#|//|--|for|ist|als|es|est|=|是|→|->|\()")
_JOINT_REACH = 80
_TWO_DIGITS = re.compile(r"\d\D{0,64}\d")
_FLAG_LEADS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-/")
_FLAG_REACH = 40
_SIGNED = ("x-amz-", "-goog-", "x-oss-")
_OPENED = re.compile(rf"[{contexts.QUOTES}(\[]")


@dataclass(slots=True)
class _Ahead:
    """Where a pattern stands next; places are asked for in order, so the text is read once."""

    pattern: re.Pattern[str]
    text: str
    at: int = -1

    def is_within(self, start: int, reach: int) -> bool:
        if self.at < start:
            found = self.pattern.search(self.text, start)
            self.at = found.start() if found else len(self.text) + reach
        return self.at < start + reach


@dataclass(frozen=True, slots=True)
class _Text:
    """A text, where its longer runs of token characters are, and what a phrase with a secret cannot do without."""

    text: str
    starts: list[int]
    ends: list[int]
    connector: _Ahead
    telling: _Ahead
    around: _Ahead


def keyed_spans(text: str, small: str) -> Iterator[Span]:
    """Every value that its key, header, flag or phrase makes a secret; `small` is the text in small letters."""
    tokens = [found.span() for found in contexts.TOKENS.finditer(text)]
    starts, ends = [start for start, _ in tokens], [end for _, end in tokens]
    signs = (_Ahead(contexts.TELLING_SIGN, text) for _ in range(2))
    known = _Text(text, starts, ends, _Ahead(contexts.CONNECTOR, small), *signs)
    marked = _MARK in text
    done = 0
    for keyword in find_keywords(text, small):
        if keyword.start < done or (marked and _is_in_mark(text, keyword)) or _is_resource_name(text, keyword):
            continue
        place = _place(known, keyword)
        if place is not None:
            done = place[1]
            yield Span(*place, "password" if keyword.kind is Kind.PASSWORD else "secret")


def is_secret_under(key: str, value: str) -> bool:
    """Whether the value of a mapping is a secret because of its key."""
    name = key[-128:]
    found = list(find_keywords(name, lowered(name)))
    last = found[-1] if found else None
    return (
        last is not None
        and contexts.SUFFIX.fullmatch(name, last.end) is not None
        and holds_secret(last.kind, value, quoted=True)
    )


def _is_in_mark(text: str, keyword: Keyword) -> bool:
    """The name of a kind of secret in a mark of ours tells of no other secret."""
    opened = text.rfind(_MARK, max(0, keyword.start - _LONGEST_MARK), keyword.start)
    return opened >= 0 and text.find("]", opened, keyword.start) < 0


def _is_resource_name(text: str, keyword: Keyword) -> bool:
    """`arn:aws:secretsmanager:…:secret:name` names a secret and is none."""
    start = keyword.start
    return start > 0 and text[start - 1] == ":" and "arn:" in text[max(0, start - 100) : start]


def _place(known: _Text, keyword: Keyword) -> _Place | None:
    text = known.text
    if keyword.kind is Kind.HEADER:
        header = contexts.HEADER.match(text, keyword.end)
        return place_of(header) if header and is_header_secret(value_of(header)) else None
    assigned = contexts.ASSIGNED.match(text, keyword.end)
    if assigned:
        if assigned["value"].startswith(_MARK):
            return None
        return _assigned(text, keyword, assigned) or _near(known, keyword)
    flagged = _flagged(text, keyword)
    if flagged or not known.around.is_within(max(0, keyword.start - _BEFORE), _BEFORE + 2 * _SAID_REACH):
        return flagged
    return _said(known, keyword) or _near(known, keyword) or _beside(text, keyword) or _before(text, keyword)


def _assigned(text: str, keyword: Keyword, match: re.Match[str]) -> _Place | None:
    """`key = value`, `"key": "value"`, `Header: scheme value`, `| key | value |`."""
    value, sep, gap = value_of(match), match["sep"], match["gap"]
    below = "\n" in gap
    if (sep == "|" and not gap) or (sep == "," and not match["quote"]):
        return None
    if (sep == "," or below) and not (len(value) >= 8 and _TWO_DIGITS.search(value) and not is_name(value)):
        return None
    loose = below or sep in ("|", "->", "→", ",")
    tight = sep == "=" and not gap
    good = holds_secret(
        _kind_in(text, keyword, match["tail"], tight=tight),
        value,
        quoted=bool(match["quote"]) and not loose,
        env=tight and text[keyword.start : keyword.end].isupper(),
        exact=not loose,
    )
    return place_of(match) if good else None


def _kind_in(text: str, keyword: Keyword, tail: str, *, tight: bool) -> Kind:
    """The keyword's kind, lowered where the identifier goes on to something else, raised in a query string."""
    if tail and contexts.SUFFIX.fullmatch(tail) is None:
        return Kind.WEAK
    start = keyword.start
    asked = tight and (text[start - 1 : start] in ("?", "&", "_") or text[max(0, start - 6) : start].lower() in _SIGNED)
    return Kind.SECRET if asked and keyword.kind is Kind.WEAK else keyword.kind


def _flagged(text: str, keyword: Keyword) -> _Place | None:
    """`--password value`, `-token value`, `/pass value`."""
    start = keyword.start
    if start == 0 or text[start - 1] not in _FLAG_LEADS:
        return None
    if contexts.FLAG.search(text, max(0, start - _FLAG_REACH), start) is None:
        return None
    match = contexts.FLAGGED.match(text, keyword.end)
    if match is None or match["value"].startswith("-") or not contexts.SUFFIX.fullmatch(match["tail"]):
        return None
    good = holds_secret(keyword.kind, value_of(match), quoted=bool(match["quote"]), exact=True)
    return place_of(match) if good else None


def _said(known: _Text, keyword: Keyword) -> _Place | None:
    """`the password for staging is value`."""
    text = known.text
    if keyword.kind is Kind.WEAK or not known.connector.is_within(keyword.end, _SAID_REACH):
        return None
    if not known.telling.is_within(keyword.end, 2 * _SAID_REACH):
        return None
    match = contexts.SAID.match(text, keyword.end)
    if match is None:
        return None
    value = value_of(match)
    if keyword.kind is Kind.DIGITS and value.isdigit() and 4 <= len(value) <= 10:
        return place_of(match)
    if (
        len(value) < 6
        or not holds_secret(keyword.kind, value, quoted=bool(match["quote"]))
        or is_technical(value)
        or is_code(value)
    ):
        return None
    if text[keyword.start : keyword.end].lower() == "pass" and not contexts.SAID_AT_ONCE.match(match[0]):
        return None
    if match["quote"] and keyword.kind is Kind.PASSWORD:
        return place_of(match)
    plain = is_name(value) and (
        "pass" in value.lower() or not (value.isalnum() or (keyword.kind is Kind.PASSWORD and _is_varied(value)))
    )
    good = (has_digit(value) or is_scrambled(value)) and not plain
    return place_of(match) if good else None


def _is_varied(value: str) -> bool:
    """Whether there are small letters, capitals and digits."""
    return has_digit(value) and value.lower() != value and value.upper() != value


def _beside(text: str, keyword: Keyword) -> _Place | None:
    """`the keystore password value`, for a value that no sentence goes on with."""
    match = contexts.FLAGGED.match(text, keyword.end) if keyword.kind is Kind.PASSWORD else None
    value = value_of(match) if match and not match["tail"] else ""
    if match is None or len(value) < 8 or not _is_varied(value) or is_name(value) or is_code(value):
        return None
    return place_of(match) if holds_secret(keyword.kind, value, quoted=False) else None


def _near(known: _Text, keyword: Keyword) -> _Place | None:
    """`the token you asked for, from the admin page: value`, where the value alone looks random."""
    place = bisect_left(known.starts, keyword.end)
    if place == len(known.starts) or known.starts[place] - keyword.end > _NEAR or known.starts[place] == keyword.end:
        return None
    start = known.starts[place]
    if known.text[start - 1] == "\\" and known.text[start] in "nrt":
        start += 1  # the letter of an escaped line break is glued to what the next line begins with
    between = known.text[keyword.end : start]
    value = contexts.without_punctuation(known.text[start : min(known.ends[place], start + 512)])
    if is_uuid(value) and keyword.kind is Kind.SECRET and len(between.strip()) <= 1:
        return start, start + len(value)
    if (
        (contexts.SENTENCE_END.search(between) and not _is_own_line(known.text, between, known.ends[place]))
        or not has_digit(value)
        or contexts.NEUTRAL.search(between)
        or contexts.OWN_KEY.search(between)
        or is_resource(value)
    ):
        return None
    if is_hash(value) and (keyword.kind is Kind.WEAK or len(between) > _NEAR_HASH or len(value) < 32):
        return None
    good = looks_random(value) and not is_placeholder(value) and not is_public(value) and not is_code(value)
    return (start, start + len(value)) if good else None


def _is_own_line(text: str, between: str, end: int) -> bool:
    """`here is the key:` and the key on a line of its own."""
    head, _, tail = between.partition("\n")
    return (
        head.rstrip().endswith((":", "："))
        and not tail.strip(" \t\r\n`>")
        and text[end : end + 1].strip(" \r\n`") == ""
    )


def _before(text: str, keyword: Keyword) -> _Place | None:
    """`value is the admin password`, `Client("value")  # API_KEY`."""
    near = _JOINT.search(text, max(0, keyword.start - _JOINT_REACH), keyword.start)
    if near is None or keyword.kind is Kind.WEAK:
        return None
    words = text[max(0, keyword.start - _BEFORE) : keyword.start].rpartition("\n")[2].split(" ")
    for place in range(len(words) - 1, max(0, len(words) - 7), -1):
        if words[place] in _JOINTS or words[place].startswith("("):
            joint = len(" ".join(words[place:]))
            return _ending(text, keyword, " ".join(words[:place]).rstrip(), keyword.start - joint)
    return None


def _ending(text: str, keyword: Keyword, head: str, end: int) -> _Place | None:
    """The value that the words before the joint end with."""
    last = head.rstrip(contexts.QUOTES + ")];,").rsplit(" ", 1)[-1]
    value = _OPENED.split(last)[-1].strip(contexts.QUOTES)
    if (
        len(value) < 8
        or (is_hash(value) and (len(value) < 32 or keyword.kind is not Kind.SECRET or contexts.NEUTRAL.search(head)))
        or is_placeholder(value)
        or is_public(value)
        or is_code(value)
        or is_name(value)
    ):
        return None
    at = text.rfind(value, max(0, keyword.start - _BEFORE), end)
    made_up = is_mixed(value) and (has_digit(value) or is_scrambled(value) or is_gibberish(value))
    strong = looks_random(value) or (keyword.kind is Kind.PASSWORD and (made_up or is_scrambled(value)))
    return (at, at + len(value)) if strong and at >= 0 else None
