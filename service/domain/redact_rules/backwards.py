"""Secrets that stand before the phrase that tells of them: `value is the admin password`, `Client("value")  # KEY`."""

import re

from service.domain.redact_rules import contexts
from service.domain.redact_rules.harmless import is_name, is_placeholder, is_public
from service.domain.redact_rules.keywords import Keyword, Kind
from service.domain.redact_rules.secrecy import is_code
from service.domain.redact_rules.surroundings import Place
from service.domain.redact_rules.values import has_digit, is_gibberish, is_hash, is_mixed, is_scrambled, looks_random

REACH = 200
_JOINTS = frozenset(("is", "as", "was", "#", "//", "--", "for", "ist", "als", "es", "est", "=", "是", "→", "->"))
_JOINT = re.compile(r" (?:is|as|was|#|//|--|for|ist|als|es|est|=|是|→|->|\()")
_JOINT_REACH = 80
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
            return _ending(text, keyword, " ".join(words[:place]).rstrip(), keyword.start - joint)
    return None


def _ending(text: str, keyword: Keyword, head: str, end: int) -> Place | None:
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
    at = text.rfind(value, max(0, keyword.start - REACH), end)
    made_up = is_mixed(value) and (has_digit(value) or is_scrambled(value) or is_gibberish(value))
    strong = looks_random(value) or (keyword.kind is Kind.PASSWORD and (made_up or is_scrambled(value)))
    return (at, at + len(value)) if strong and at >= 0 else None
