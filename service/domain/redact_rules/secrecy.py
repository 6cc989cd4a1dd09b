"""Whether a value is a secret, given the kind of the keyword it stands under."""

import re

from service.domain.redact_rules.harmless import is_code as reads_as_code
from service.domain.redact_rules.harmless import is_name, is_own_name, is_placeholder, is_public
from service.domain.redact_rules.keywords import Kind
from service.domain.redact_rules.values import (
    has_digit,
    is_gibberish,
    is_hash,
    is_mixed,
    is_scrambled,
    is_uuid,
    looks_random,
)

_PATTERN = re.compile(r"\\[swdbnrt]|[\[(][^)\]]{0,40}[\])][+*?]")
_ARGUMENT = re.compile(r"[A-Za-z_]\w*=(?!=?\Z)")
_TOKEN = re.compile(r"[A-Za-z0-9+/=_.~%:@$!-]+")
_DOTTED = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+){1,3}")
_APP_PASSWORD = re.compile(r"[a-z]{4}(?: [a-z]{4}){3}")
_GROUPED = re.compile(r"[a-z]{4}(?: [a-z]{4}){3}|[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){5}")
_GROUPS = re.compile(r"[a-z]{4}(?:-[a-z]{4}){3}")
# Another service's id, such as `req_…` or `ses_…`: what a weak keyword beside one says is not about it.
_RESOURCE = re.compile(
    r"(?i)(?:msg|toolu|tool|tooluse|srvtoolu|call|fc|rs|req|run|step|thread|asst|file|user|usr|u|org|proj|prj"
    r"|project|team|ses|sess|session|conv|chat|chatcmpl|cmpl"
    r"|resp|response|evt|event|cus|sub|in|pi|ch|price|prod|acct|card|src|seti|pm|txn|txr|batch|task|job|dep|dpl|img"
    r"|item|gen|trace|span|build|wf|exec|vs|ft|ftjob"
    r"|pod|snap|vol|vpc|subnet|sg|ami|eni|i|cs|re|po|tr|ba|ii|si|sku|plan|inv|order|cart|checkout|acc|account|app"
    r"|env|node|doc|page|block|ticket|issue|rev|req-id|msgbatch)[_-]"
    r"(?:test_|live_)?[A-Za-z0-9]{8,}"
)
_POD = re.compile(r"[a-z][a-z0-9-]{1,60}-[a-f0-9]{8,10}-[a-z0-9]{5}")
_ULID = re.compile(r"0[0-9A-HJKMNP-TV-Z]{25}|0[0-9a-hjkmnp-tv-z]{25}")

_WORDS = re.compile(r"[a-z]{3,10}(?: [a-z]{3,10}){3,7}")
_SENTENCE = re.compile(
    r"(?i)\b(?:must|at least|characters?|digits|use|enter|your|should|reset|required|length|contain"
    r"|please|cannot|not|the|for|is|was|will"
    r"|type|choose|confirm|passwords?|passphrase|username|email|account|user|invalid|incorrect|wrong"
    r"|or|and|to|of|in|with|that|this|you|has|have|try)\b"
)


def is_code(value: str) -> bool:
    """Whether a value is an expression, and not random parts with dots between them."""
    if not reads_as_code(value):
        return False
    return not (_DOTTED.fullmatch(value) and any(len(part) >= 16 and looks_random(part) for part in value.split(".")))


def is_resource(value: str) -> bool:
    """Whether a value is the id that some service gave a thing of its own."""
    return any(pattern.fullmatch(value) for pattern in (_RESOURCE, _ULID, _POD))


def holds_secret(kind: Kind, value: str, *, quoted: bool, env: bool = False, exact: bool = False) -> bool:
    """Whether a value under a key of this kind is a secret; `exact` where only a separator is between them."""
    if not quoted and not env and value.isalpha() and value.islower():
        return False
    if len(value) < 4 or (not quoted and _ARGUMENT.match(value)) or is_placeholder(value):
        return False
    if exact and len(value) == 36 and kind in (Kind.SECRET, Kind.PASSWORD) and is_uuid(value):
        return True
    if is_public(value):
        return False
    if kind is Kind.DIGITS:
        return value.isdigit()
    if kind is Kind.PASSWORD:
        return _is_password(value, quoted=quoted, env=env)
    if kind is Kind.SECRET:
        return _is_made_by_machine(value, quoted=quoted)
    plain = looks_random(value) and not is_hash(value) and _TOKEN.fullmatch(value) is not None
    return plain and not is_resource(value)


def is_word_phrase(value: str) -> bool:
    """Whether words in a row are made up, and no sentence."""
    return _SENTENCE.search(value) is None


def is_header_secret(value: str) -> bool:
    """Whether what stands behind the scheme of an Authorization header lets its bearer in."""
    if len(value) < 8 or value[0] in " +\\" or is_placeholder(value) or is_code(value) or value.isalpha():
        return False
    if _PATTERN.search(value):
        return False
    return is_uuid(value) or is_mixed(value)


def _is_password(value: str, *, quoted: bool, env: bool) -> bool:
    if " " in value:
        return (quoted or _GROUPED.fullmatch(value) is not None) and _is_phrase(value)
    if (not quoted and is_code(value)) or _PATTERN.match(value):
        return False
    if _GROUPS.fullmatch(value):
        return True
    if not quoted and value.isalpha() and "pass" in value.lower():
        return False
    if (quoted or env) and not is_own_name(value):
        return True
    return is_mixed(value) or value.isdigit() or is_scrambled(value) or is_gibberish(value)


def _is_phrase(value: str) -> bool:
    """Several words that are no sentence: a passphrase, words with a number, the groups of an app password."""
    if (_APP_PASSWORD.fullmatch(value) and not _SENTENCE.search(value)) or (
        _WORDS.fullmatch(value) and not _SENTENCE.search(value)
    ):
        return True
    return has_digit(value) and value.count(" ") <= 6 and len(value) >= 8 and not _SENTENCE.search(value)


def _is_made_by_machine(value: str, *, quoted: bool) -> bool:
    if len(value) < 8 or " " in value or value.isdigit() or (not quoted and is_code(value)):
        return False
    return looks_random(value) or is_scrambled(value) or (is_mixed(value) and has_digit(value) and not is_name(value))
