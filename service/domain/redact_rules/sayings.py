"""Secrets in prose: behind a phrase that tells of them, beside it or on the next line."""

import re
from bisect import bisect_left

from service.domain.redact_rules import contexts
from service.domain.redact_rules.contexts import place_of, value_of, without_punctuation
from service.domain.redact_rules.harmless import is_name, is_placeholder, is_public, is_technical
from service.domain.redact_rules.keywords import Keyword, Kind
from service.domain.redact_rules.secrecy import holds_secret, is_code, is_resource
from service.domain.redact_rules.surroundings import Place, Text
from service.domain.redact_rules.values import has_digit, is_hash, is_mixed, is_scrambled, is_uuid, looks_random

SAID_REACH = 160
_NEAR = 90
_NEAR_HASH = 48
_BESIDE = 72
_LABEL = 48
_RUN = re.compile(r"[!-~]{6,160}")
_OPENING = "\"'`([{<*_"
_CLOSING = "\"'`)]}>*_.,"
_ENDS = re.compile(r"[\r\n。！？]|[.;!?][\s)]|\\[nrt]")
# What is said is not the secret but a name or a digest of it.
_IDENTIFIES = re.compile(r"(?i)\b(?:ids?|fingerprint|hash(?:ed|es)?|digest|public|commit|checksum|sha-?\d*|uuid)\b")
_FILE = re.compile(r"[\w-]{0,60}\.[a-z][a-z0-9]{0,4}\b")
_SIGN = re.compile(r"[!$%&*+?^~@#]")
# Signs that programs are full of and passwords that stand free in a sentence are not.
_SYNTAX = re.compile(r"[\"'`(){}\[\]<>;,\\]|&&|==|\|\||://")
_MAIL = re.compile(r"[\w.+-]+@[\w.-]+\.[a-z]{2,12}")
_BELOW = re.compile(
    r"[\"'`*_]{0,3}[ \t]?[:：]?[ \t*_`]{0,4}\r?\n[ \t>*`|-]{0,12}(?P<value>[!-~]{8,512})(?=[`*]{0,3}[ \t]{0,4}"
    r"(?:\r?\n|\Z))"
)
_DIGEST = re.compile(r"[ \t>#*-]{0,6}(?i:md5|sha-?[0-9]{1,3}|blake[23]\w{0,3}|rmd160|crc32)[ (:=]")
_LABELS = re.compile(
    r"[ \t>*_#|\"'`-]{0,8}(?:(?:the|my|your|our|this|a|new|db|api|root|admin)[ ]|[A-Z][\w-]{0,14}[ ]){0,3}"
)


def said(known: Text, keyword: Keyword) -> Place | None:
    """`the password for staging is value`."""
    text = known.text
    if keyword.kind is Kind.WEAK or not known.connector.is_within(keyword.end, SAID_REACH):
        return None
    if not known.telling.is_within(keyword.end, 2 * SAID_REACH):
        return None
    match = contexts.SAID.match(text, keyword.end)
    if match is None:
        return None
    value = value_of(match)
    if _IDENTIFIES.search(text, keyword.end, match.start("value")):
        return None
    if keyword.kind is Kind.DIGITS and value.isdigit() and 4 <= len(value) <= 10:
        return place_of(match)
    if is_uuid(value) and keyword.kind is Kind.SECRET and contexts.NEUTRAL.search(match[0][: -len(value)]) is None:
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
    signed = keyword.kind is Kind.PASSWORD and _SIGN.search(value[1:-1]) is not None and value.lower() != value
    good = signed or ((has_digit(value) or is_scrambled(value)) and not plain)
    return place_of(match) if good else None


def _is_varied(value: str) -> bool:
    """Whether there are small letters, capitals and digits."""
    return has_digit(value) and value.lower() != value and value.upper() != value


def beside(text: str, keyword: Keyword) -> Place | None:
    """`the keystore password value`, in any language and order of words, for a value that no sentence goes on with."""
    if keyword.kind is not Kind.PASSWORD:
        return None
    for found in _RUN.finditer(text, keyword.end, keyword.end + _BESIDE):
        if not _is_varied(found.group()):
            continue
        if _ENDS.search(text, keyword.end, found.start()):
            return None
        if found.start() == keyword.end and text[keyword.start].isascii():
            continue
        value = without_punctuation(found.group().lstrip(_OPENING)).rstrip(_CLOSING)
        if is_strong(value) and "\\" not in value and holds_secret(keyword.kind, value, quoted=False):
            start = text.index(value, found.start())
            return start, start + len(value)
    return None


def below(text: str, keyword: Keyword) -> Place | None:
    """A label on a line of its own, and under it the value on the next."""
    match = _BELOW.match(text, keyword.end)
    if match is None or keyword.kind not in (Kind.PASSWORD, Kind.SECRET):
        return None
    line = text[max(0, keyword.start - _LABEL) : keyword.start].rpartition("\n")[2]
    if not _LABELS.fullmatch(line):
        return None
    value = match["value"]
    if is_name(value) or is_code(value) or is_hash(value) or not has_digit(value) or not is_mixed(value):
        return None
    return match.span("value") if holds_secret(keyword.kind, value, quoted=False) else None


def near(known: Text, keyword: Keyword) -> Place | None:
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
        or _FILE.match(between)
    ):
        return None
    if is_hash(value) and (
        keyword.kind is Kind.WEAK
        or len(between) > _NEAR_HASH
        or len(value) < 32
        or is_digest_line(known.text, keyword.start)
    ):
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


def is_digest_line(text: str, start: int) -> bool:
    """Whether a line begins with the name of a digest, as `SHA256 (password.txt) = …` does."""
    line = text[max(0, start - _LABEL) : start].rpartition("\n")[2]
    return _DIGEST.match(line) is not None


def is_strong(value: str) -> bool:
    """Whether a word has small letters, capitals and digits, mixed as in no name of a thing."""
    if len(value) < 8 or not _is_varied(value) or is_name(value) or is_code(value) or _SYNTAX.search(value):
        return False
    return _MAIL.fullmatch(value) is None and (is_scrambled(value) or _SIGN.search(value[1:-1]) is not None)
