"""Secrets that stand before the phrase that tells of them: `value is the admin password`, `Client("value")  # KEY`."""

import re

from service.domain.redact_rules import contexts
from service.domain.redact_rules.harmless import is_name, is_placeholder, is_public, is_technical
from service.domain.redact_rules.keywords import Keyword, Kind
from service.domain.redact_rules.secrecy import is_code, is_resource
from service.domain.redact_rules.surroundings import Place
from service.domain.redact_rules.values import has_digit, is_gibberish, is_hash, is_mixed, is_scrambled, looks_random

REACH = 200
_JOINTS = frozenset(("is", "as", "was", "#", "//", "--", "for", "ist", "als", "es", "est", "=", "是", "→", "->"))
_CERTAIN = frozenset(("is", "as", "ist", "als", "es", "est", "是"))
_JOINT = re.compile(r" (?:is|as|was|#|//|--|for|ist|als|es|est|=|是|→|->|\()")
_JOINT_REACH = 80
_SYNTAX = re.compile(r"[\\(){}<>;,]")
_OPENED = re.compile(rf"[{contexts.QUOTES}(\[]")


def before(text: str, keyword: Keyword) -> Place | None:
    """`value is the admin password`, `Client("value")  # API_KEY`."""
    near = _JOINT.search(text, max(0, keyword.start - _JOINT_REACH), keyword.start)
    if near is None or keyword.kind is Kind.WEAK:
        return None
    words = text[max(0, keyword.start - REACH) : keyword.start].rpartition("\n")[2].split(" ")
    for place in range(len(words) - 1, max(0, len(words) - 7), -1):
        if words[place] in _JOINTS or words[place].startswith("("):
            joint = len(" ".join(words[place:]))
            head = " ".join(words[:place]).rstrip()
            return _ending(text, keyword, head, keyword.start - joint, certain=words[place] in _CERTAIN)
    return None


def _ending(text: str, keyword: Keyword, head: str, end: int, *, certain: bool) -> Place | None:
    """The value that the words before the joint end with."""
    last = head.rstrip(contexts.QUOTES + ")];,").rsplit(" ", 1)[-1]
    value = _OPENED.split(last)[-1].strip(contexts.QUOTES)
    if (
        len(value) < 8
        or (is_hash(value) and not (certain and _is_key_in_hexadecimal(keyword, value, head)))
        or is_resource(value)
        or _SYNTAX.search(value)
        or is_placeholder(value)
        or is_public(value)
        or is_code(value)
        or is_name(value)
    ):
        return None
    at = text.rfind(value, max(0, keyword.start - REACH), end)
    strong = looks_random(value) or (keyword.kind is Kind.PASSWORD and _is_made_up(value))
    return (at, at + len(value)) if strong and at >= 0 else None


def _is_key_in_hexadecimal(keyword: Keyword, value: str, head: str) -> bool:
    """`… as the api key`: a digest may be meant only if nothing before it says so."""
    return len(value) >= 32 and keyword.kind is Kind.SECRET and contexts.NEUTRAL.search(head) is None


def _is_made_up(value: str) -> bool:
    return (
        is_scrambled(value) or is_gibberish(value) or (is_mixed(value) and has_digit(value) and not is_technical(value))
    )
