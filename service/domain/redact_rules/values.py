"""How random a value looks."""

import re

from service.domain.redact_rules.harmless import is_name

_LIMIT = 256
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HEX = re.compile(r"(?:0x)?[0-9a-f]+|(?:0x)?[0-9A-F]+")
_HASH_LENGTHS = frozenset((7, 8, 10, 12, 16, 32, 40, 56, 64, 96, 128))
# The capital of a word does not count as a change, so that `getPasswordFromConfig` has three.
_RUNS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^a-zA-Z0-9]")
_PARTS = re.compile(r"[^\s_./+=-]+")
_JOINTS = re.compile(r"[_.-]")
_DIGIT_EDGES = re.compile(r"(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
# Identifiers such as `sha256WithX509v3` reach four; of 32 random small letters and digits one in 300 stays below five.
_FEWEST_EDGES = 5
_UNSPEAKABLE = re.compile(r"[A-Z]?[b-df-hj-np-tv-xz]{4}|[B-DF-HJ-NP-TV-XZ]{5}")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_SYMBOL = re.compile(r"[^\w./ -]")
_EDGES = "'-_.:,;!?()"


def is_uuid(value: str) -> bool:
    """Whether a value is a UUID."""
    return _UUID.fullmatch(value) is not None


def is_hex(value: str) -> bool:
    """Whether a value consists of hexadecimal digits of one case."""
    return _HEX.fullmatch(value[:_LIMIT]) is not None


def is_hash(value: str) -> bool:
    """Whether a value is hexadecimal of the length of a commit, a digest or a short id."""
    digits = value.removeprefix("0x")
    return len(digits) in _HASH_LENGTHS and is_hex(digits)


def has_digit(value: str) -> bool:
    """Whether any of the first characters is a digit."""
    return _DIGIT.search(value, 0, _LIMIT) is not None


def is_mixed(value: str) -> bool:
    """Whether a value has letters together with digits or inner symbols, as passwords do and words do not."""
    head = value[:_LIMIT]
    if _LETTER.search(head) is None:
        return False
    return has_digit(head) or _SYMBOL.search(head.strip(_EDGES)) is not None


def looks_random(value: str) -> bool:
    """Whether a value of 16 or more characters changes between kinds of characters as often as random text does."""
    head = value[:_LIMIT]
    if len(head) < 16 or len(set(head)) < 8 or " " in head or is_name(head):
        return False
    if not has_digit(head):
        return is_scrambled(head)
    if is_hex(head):
        return _LETTER.search(head) is not None
    return len(_DIGIT_EDGES.findall(head)) >= _FEWEST_EDGES or _changes(head) * 10 >= len(head) * 3


def is_scrambled(value: str) -> bool:
    """Whether letters change case as they do in no word and no identifier."""
    head = value[:_LIMIT]
    varied = len(head) >= 8 and len(set(head)) >= 6 and " " not in head and not head.isupper()
    return varied and _changes(head) * 10 >= len(head) * 3


def is_gibberish(value: str) -> bool:
    """Whether letters of both cases hold a stretch that cannot be spoken."""
    head = _JOINTS.sub("", value[:_LIMIT])
    cased = len(head) >= 8 and head.isalpha() and not head.islower() and not head.isupper()
    return cased and _UNSPEAKABLE.search(head) is not None


def is_unspeakable(value: str) -> bool:
    """Whether a long row of letters, as keys fall under a hand, holds stretches that cannot be spoken."""
    head = value[:_LIMIT]
    return len(head) >= 10 and head.isalpha() and len(_UNSPEAKABLE.findall(head)) > 1


def _changes(text: str) -> int:
    """How often neighbours are of different kinds, separators between words left out."""
    return sum(len(_RUNS.findall(part)) - 1 for part in _PARTS.findall(text))
