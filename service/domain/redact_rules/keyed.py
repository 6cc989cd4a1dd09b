"""Secrets told by their context alone: a telling key, header, flag or phrase, and behind it a value that may be one."""

import re
from collections.abc import Iterator

from service.domain.redact_rules import contexts
from service.domain.redact_rules.backwards import REACH, before
from service.domain.redact_rules.columns import ENDS_HEADING, cells_below, inserted
from service.domain.redact_rules.contexts import place_of, value_of
from service.domain.redact_rules.harmless import is_name
from service.domain.redact_rules.keywords import Keyword, Kind, find_keywords
from service.domain.redact_rules.nested import values_inside
from service.domain.redact_rules.rule import Span
from service.domain.redact_rules.sayings import SAID_REACH, below, beside, near, said
from service.domain.redact_rules.scan import unfolded
from service.domain.redact_rules.secrecy import holds_secret, is_header_secret
from service.domain.redact_rules.surroundings import Place, Text, text_of
from service.domain.redact_rules.tree import lowered
from service.domain.redact_rules.values import has_digit, is_mixed, is_unspeakable

_MARK = "[redacted:"
_LONGEST_MARK = 48
# `--- PASS: TestName` and `PASS: test-name-12` report a test.
_REPORTED = re.compile(r"(?i)\\n|test|[a-z]+(?:[-_/.:][a-z0-9]+)+\Z")
_RESULTS = frozenset(("FAIL", "SKIP", "ERROR", "WARN", "XFAIL"))
# `pass = pass1 && pass2` compares, and assigns no secret.
_OPERATOR = re.compile(r"[ \t]{1,2}(?:&&|\|\||==|!=|\?\?)[ \t]")
# `AUTH_KEY`: the next keyword of the same name says more.
_GOES_ON = re.compile(r"(?i)[_-]?(?:key|token|secret|pass)")
_TWO_DIGITS = re.compile(r"\d\D{0,64}\d")
# `keyId`, `token_type`: what is said about a secret is none.
_ABOUT = re.compile(
    r"(?:Ids?|_ids?|(?i:fingerprint|version|algorithm|alias|_?arn|_?usage|_?spec|_?count|_?length|_?size|_?type|_?ttl))\Z"
)
# Capitals within a word and a sign at its end: no word of a sentence is written so.
_MARKED = re.compile(r"(?=.{8,64}\Z)[A-Za-z]+[a-z][A-Z][A-Za-z]*[!$#@%^&*+?]{1,3}")
_FLAG_SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-/"
_OPENS_FLAG = frozenset(" \t\r\n({[,=" + contexts.QUOTES)
_FLAG_REACH = 40
_NAME_REACH = 24
_NAME_SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OPENS_NESTED = frozenset("\"'_-ABCDEFGHIJKLMNOPQRSTUVWXYZs")
# No judgement of a value looks farther.
_BEHIND, _AHEAD = 256, 768
_REMEMBERED = 1024
_SIGNED = ("x-amz-", "-goog-", "x-oss-")


def keyed_spans(text: str, small: str) -> Iterator[Span]:
    """Every value that its key, header, flag or phrase makes a secret; `small` is the text in small letters."""
    known = text_of(text, small)
    marked = _MARK in text
    done = looked = 0
    for keyword in find_keywords(text, small):
        if (
            keyword.start < done
            or (keyword.kind is Kind.WEAK and _GOES_ON.match(text, keyword.end))
            or (marked and _is_in_mark(text, keyword))
            or _is_resource_name(text, keyword)
        ):
            continue
        name = "password" if keyword.kind is Kind.PASSWORD else "secret"
        if text[keyword.end : keyword.end + 1] in ENDS_HEADING:
            yield from (Span(*cell, name) for cell in cells_below(text, keyword))
            value = inserted(text, keyword) if text[keyword.end] in ',)`"' else None
            if value is not None:
                yield Span(*value, name)
        if keyword.start >= looked and text[keyword.end : keyword.end + 1] in _OPENS_NESTED:
            values, looked = values_inside(text, keyword)
            yield from (Span(*value, name) for value in values)
        place = _place(known, keyword)
        if place is not None:
            span = unfolded(text, Span(*place, name))
            done = span.end
            yield span


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
    """`arn:aws:secretsmanager:…:secret:name` and `did:key:…` name a secret and are none."""
    start = keyword.start
    if start == 0 or text[start - 1] != ":":
        return False
    return text[max(0, start - 4) : start] == "did:" or "arn:" in text[max(0, start - 100) : start]


def _place(known: Text, keyword: Keyword) -> Place | None:
    text = known.text
    if keyword.kind is Kind.HEADER:
        header = contexts.HEADER.match(text, keyword.end)
        return place_of(header) if header and is_header_secret(value_of(header)) else None
    assigned = contexts.ASSIGNED.match(text, keyword.end)
    if assigned is None:
        flagged = _flagged(text, keyword)
        if flagged or not known.around.is_within(max(0, keyword.start - REACH), REACH + 2 * SAID_REACH):
            return flagged
    return _remembered(known, keyword, assigned)


def _remembered(known: Text, keyword: Keyword, assigned: re.Match[str] | None) -> Place | None:
    """The place of the value; in the same surroundings it is not looked for twice: hostile text is mostly repetition."""
    start = keyword.start
    if start < _BEHIND:
        return _judged(known, keyword, assigned)
    around = known.text[start - _BEHIND : start + _AHEAD]
    if around in known.places:
        place = known.places[around]
        return place and (start + place[0], start + place[1])
    place = _judged(known, keyword, assigned)
    if len(known.places) < _REMEMBERED and (place is None or place[1] < start + _AHEAD):
        known.places[around] = place and (place[0] - start, place[1] - start)
    return place


def _judged(known: Text, keyword: Keyword, assigned: re.Match[str] | None) -> Place | None:
    text = known.text
    if assigned:
        if assigned["value"].startswith(_MARK) or _ABOUT.search(assigned["tail"]):
            return None
        return (
            _assigned(text, keyword, assigned) or below(text, keyword) or near(known, keyword) or beside(text, keyword)
        )
    return (
        said(known, keyword)
        or below(text, keyword)
        or near(known, keyword)
        or beside(text, keyword)
        or before(text, keyword)
    )


def _assigned(text: str, keyword: Keyword, match: re.Match[str]) -> Place | None:
    """`key = value`, `"key": "value"`, `Header: scheme value`, `| key | value |`."""
    value, sep, gap = value_of(match), match["sep"], match["gap"]
    if text[keyword.start : keyword.end] == "PASS" and (_REPORTED.match(value) or value in _RESULTS):
        return None
    if sep == "=" and _OPERATOR.match(text, match.end()):
        return None
    if value.isalnum():
        head = text[max(0, keyword.start - _NAME_REACH) : keyword.start]
        name = head[len(head.rstrip(_NAME_SIGNS)) :] + text[keyword.start : keyword.end]
        if len(name) > len("password") and value.lower().endswith(name.lower()):
            return None  # `AccountTokens: V2AccountTokens` names a thing after its key
    under = "\n" in gap
    if (sep == "|" and not _is_in_row(text, keyword)) or (sep == "," and not match["quote"]):
        return None
    if under and not (len(value) >= 8 and _TWO_DIGITS.search(value) and not is_name(value)):
        return None
    if sep == "," and (under or is_name(value) or not has_digit(value) or not is_mixed(value) or " " in value):
        return None
    loose = under or sep in ("|", "->", "→")
    if keyword.kind is Kind.PASSWORD and not loose and _MARKED.fullmatch(match["value"]):
        return match.span("value")
    tight = sep == "=" and not gap
    good = holds_secret(
        _kind_in(text, keyword, match["tail"], tight=tight),
        value,
        quoted=bool(match["quote"]) and not loose,
        env=tight and text[keyword.start : keyword.end].isupper(),
        exact=not loose,
    )
    return place_of(match, value) if good else None


def _is_in_row(text: str, keyword: Keyword) -> bool:
    """Whether the line is a row of a Markdown table."""
    return text[max(0, keyword.start - 256) : keyword.start].rpartition("\n")[2].lstrip().startswith("|")


def _kind_in(text: str, keyword: Keyword, tail: str, *, tight: bool) -> Kind:
    """The keyword's kind, lowered where the identifier goes on to something else, raised in a query string."""
    if tail and contexts.SUFFIX.fullmatch(tail) is None:
        return Kind.WEAK
    start = keyword.start
    asked = tight and (text[start - 1 : start] in ("?", "&", "_") or text[max(0, start - 6) : start].lower() in _SIGNED)
    return Kind.SECRET if asked and keyword.kind is Kind.WEAK else keyword.kind


def _flagged(text: str, keyword: Keyword) -> Place | None:
    """`--password value`, `-token value`, `/pass value`."""
    start = keyword.start
    if start == 0 or text[start - 1] not in _FLAG_SIGNS:
        return None
    head = text[max(0, start - _FLAG_REACH) : start]
    opened = len(head.rstrip(_FLAG_SIGNS))
    if head[opened : opened + 1] not in ("-", "/") or (opened and head[opened - 1] not in _OPENS_FLAG):
        return None
    match = contexts.FLAGGED.match(text, keyword.end)
    if match is None or match["value"].startswith("-") or not contexts.SUFFIX.fullmatch(match["tail"]):
        return None
    if keyword.kind is Kind.PASSWORD and _MARKED.fullmatch(match["value"]):
        return match.span("value")
    value = value_of(match)
    good = holds_secret(keyword.kind, value, quoted=bool(match["quote"]), exact=True) or (
        keyword.kind is Kind.PASSWORD and is_unspeakable(value)
    )
    return place_of(match) if good else None
