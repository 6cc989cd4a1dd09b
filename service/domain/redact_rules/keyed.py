"""Secrets told by their context alone: a telling key, header, flag or phrase, and behind it a value that may be one."""

import re
from collections.abc import Iterator

from service.domain.redact_rules.keywords import Keyword, Kind, find_keywords
from service.domain.redact_rules.rule import Span
from service.domain.redact_rules.values import (
    is_code,
    is_gibberish,
    is_hash,
    is_mixed,
    is_name,
    is_own_name,
    is_placeholder,
    is_public,
    is_scrambled,
    is_technical,
    is_uuid,
    looks_random,
)

_QUOTES = "\"'`“”„«»‘’「」"
_VALUE = rf"""(?P<quote>\\?[{_QUOTES}]{{1,3}})?(?P<value>(?(quote)[^{_QUOTES}\r\n\\]{{1,512}}|[!-~¡-ɏ]{{1,512}}))"""
_ASSIGNED = re.compile(
    rf"(?P<tail>[A-Za-z0-9_-]{{0,32}})(?:[ \t]?[(\[][^()\[\]\r\n]{{1,40}}[)\]])?(?P<close>\\?[{_QUOTES}\])*_]{{0,4}})[ \t]{{0,8}}"
    r"(?P<sep>:=|=>|={1,3}|[:：＝→|]|->|%3[AD]|(?<=[\"'`]),)(?P<gap>[ \t*_]{0,8}(?:[\\|>-]{0,2}\r?\n[ \t>]{0,12})?)"
    r"(?P<scheme>(?i:bearer|basic|token|apikey|bot|is)[ \t:]{1,2})?" + _VALUE
)
_HEADER = re.compile(rf"[{_QUOTES}]{{0,2}}[ \t]?[:=,][ \t]?[{_QUOTES}]?(?P<scheme>[A-Za-z][A-Za-z-]{{1,24}}[ \t:=]{{1,2}})?{_VALUE}")
_FLAGGED = re.compile(r"(?P<tail>[A-Za-z0-9_-]{0,32})[ \t]{1,4}" + _VALUE)
_SAID = re.compile(
    r"(?:[ \t]+[^\s.;!?:=]{1,24}){0,8}?(?:[ \t]+(?i:is|was|are|to|be|as|ist|lautet|wäre|es|est|è|é|jest|är|er|on|je|adalah|это|=|->|→|＝)(?=[\s\"'`“:])|[ \t]{0,2}[:：=→]|[ \t]?[是はがは為为]|은|는)[ \t:]{0,3}"
    r"(?:(?i:now|still|just|currently|set to|changed to|ahora|jetzt)[ \t]{1,2})?" + _VALUE
)
_NEAR = re.compile(
    r"(?P<between>[^\r\n;!?]{1,90}?)(?<![A-Za-z0-9+/=_.~:@#-])(?P<value>(?=[A-Za-z+/_-]{0,40}\d)[A-Za-z0-9+/=_.~-]{16,512})"
)
_NEUTRAL = re.compile(
    r"(?i)\b(?:commit|sha-?\d*|hash|hashe[sd]|digest|checksum|uuid|guid|fingerprint|public|build|etag|revision|version|branch|ids?|identifier|integrity|image"
    r"|path|file|named?|called|url|page|trace|span|request|imported|model|https?|class|function|method|test|in|see|at|from|docs?)\b"
)
_SUFFIX = re.compile(
    r"(?i)(?:[_-]?(?:\d{1,3}|v\d|prod|production|dev|staging|stage|test|live|sandbox|local|old|new|current|previous|value|val|b64|base64|plain|plaintext|raw|data|default|primary"
    r"|secondary|main|admin|root|rw|ro|eu|us|string|text|is|code|phrase|key|token|secret|password|pass))*"
)
_CUT = re.compile(r"[;&,][A-Za-z_.-]{1,40}[=:]|[,;|\\]+(?=\s|$)|\\[nrt]")
_IS = re.compile(r"(?i)[ \t]+(?:is|was)\b")
_TWO_DIGITS = re.compile(r"\d\D{0,64}\d")
_TOKEN = re.compile(r"[A-Za-z0-9+/=_.~%:@$!-]+")
_TRAIL = ".,;:!?)]}>…*_\\"
_TRUE_FLAG = re.compile(r"(?:^|[\s\"'`\[(,=])(?:--?|/)[A-Za-z-]{0,30}$")
_APP_PASSWORD = re.compile(r"[a-z]{4}(?: [a-z]{4}){3}")
_SENTENCE = re.compile(r"(?i)\b(?:must|at least|characters?|digits|use|enter|your|should|reset|required|length|contain|please|cannot|not|the|for|is|was|will|type|choose|confirm)\b")


def keyed_spans(text: str) -> Iterator[Span]:
    """Every value that its key, header, flag or phrase makes a secret."""
    done = 0
    for keyword in find_keywords(text):
        if keyword.start < done or _is_resource_name(text, keyword):
            continue
        span = _span_of(text, keyword)
        if span is not None:
            done = span.end
            yield span


def is_secret_under(key: str, value: str) -> bool:
    """Whether the value of a mapping is a secret because of its key."""
    name = key[-128:]
    last = None
    for last in find_keywords(name):
        pass
    return last is not None and _SUFFIX.fullmatch(name, last.end) is not None and _holds(last.kind, value, quoted=True)


def _is_resource_name(text: str, keyword: Keyword) -> bool:
    """`arn:aws:secretsmanager:…:secret:name` names a secret and is none."""
    return text.startswith(":", keyword.start - 1) and "arn:" in text[max(0, keyword.start - 100) : keyword.start]


def _span_of(text: str, keyword: Keyword) -> Span | None:
    name = "password" if keyword.kind is Kind.PASSWORD else "secret"
    for look in (_assigned, _flagged, _said, _near, _before):
        found = look(text, keyword)
        if found is not None:
            return Span(*found, name)
    return None


def _assigned(text: str, keyword: Keyword) -> tuple[int, int] | None:
    """`key = value`, `"key": "value"`, `Header: scheme value`, `| key | value |`."""
    if keyword.kind is Kind.HEADER:
        match = _HEADER.match(text, keyword.end)
        return _range(match) if match and _holds_header(_value(match)) else None
    match = _ASSIGNED.match(text, keyword.end)
    if match is None:
        return None
    kind = keyword.kind if _SUFFIX.fullmatch(match["tail"]) else Kind.WEAK
    before = text[keyword.start - 1 : keyword.start]
    sep = match["sep"]
    tight = sep == "=" and not match["gap"]
    if kind is Kind.WEAK and tight and (before in ("?", "&", "_") or text[max(0, keyword.start - 6) : keyword.start].lower() in ("x-amz-", "-goog-")):
        kind = Kind.SECRET
    if (sep == "|" and not match["gap"]) or (sep == "," and not match["quote"]):
        return None
    loose = "\n" in match["gap"] or sep in ("|", "->", "→", ",")
    value = _value(match)
    if (sep == "," or "\n" in match["gap"]) and not (len(value) >= 8 and _TWO_DIGITS.search(value) and not is_name(value)):
        return None
    env = tight and text[keyword.start : keyword.end].isupper()
    return _range(match) if _holds(kind, value, quoted=bool(match["quote"]) and not loose, env=env, exact=not loose) else None


def _flagged(text: str, keyword: Keyword) -> tuple[int, int] | None:
    """`--password value`, `-token value`, `/pass value`."""
    if not _TRUE_FLAG.search(text[max(0, keyword.start - 32) : keyword.start]):
        return None
    match = _FLAGGED.match(text, keyword.end)
    if match is None or match["value"].startswith("-") or not _SUFFIX.fullmatch(match["tail"]):
        return None
    return _range(match) if _holds(keyword.kind, _value(match), quoted=bool(match["quote"]), exact=True) else None


def _said(text: str, keyword: Keyword) -> tuple[int, int] | None:
    """`the password for staging is value`."""
    if keyword.kind is Kind.WEAK:
        return None
    match = _SAID.match(text, keyword.end)
    if match is None:
        return None
    value = _value(match)
    if keyword.kind is Kind.DIGITS and value.isdigit() and 4 <= len(value) <= 10:
        return _range(match)
    if not _holds(keyword.kind, value, quoted=bool(match["quote"])) or is_technical(value) or is_code(value):
        return None
    if text[keyword.start : keyword.end].lower() == "pass" and not _IS.match(match[0]):
        return None
    if match["quote"] and keyword.kind is Kind.PASSWORD:
        return _range(match) if len(value) >= 6 else None
    good = len(value) >= 6 and (any(map(str.isdigit, value)) or is_scrambled(value)) and (not is_name(value) or value.isalnum())
    return _range(match) if good else None


def _near(text: str, keyword: Keyword) -> tuple[int, int] | None:
    """`the token you asked for, from the admin page: value`, where the value alone looks random."""
    match = _NEAR.match(text, keyword.end)
    if match is None or _NEUTRAL.search(match["between"]):
        return None
    value = match["value"].rstrip(_TRAIL)
    if is_hash(value) and (keyword.kind is Kind.WEAK or len(match["between"]) > 48 or len(value) < 32):
        return None
    good = looks_random(value) and not is_placeholder(value) and not is_public(value) and not is_code(value)
    return (match.start("value"), match.start("value") + len(value)) if good else None


def _before(text: str, keyword: Keyword) -> tuple[int, int] | None:
    """`value is the admin password`, `Client("value")  # API_KEY`."""
    line = text[max(0, keyword.start - 200) : keyword.start].rpartition("\n")[2]
    words = line.split(" ")
    if len(words) < 2 or keyword.kind is Kind.WEAK:
        return None
    for place in range(len(words) - 1, max(0, len(words) - 7), -1):
        if words[place] in ("is", "as", "was", "#", "//", "--", "for", "ist", "als", "es", "est", "=") or words[place].startswith("("):
            return _ending(text, keyword, " ".join(words[place:]), " ".join(words[:place]).rstrip())
    return None


def _ending(text: str, keyword: Keyword, joint: str, head: str) -> tuple[int, int] | None:
    value = head.rstrip(_QUOTES + ")];,").rsplit(" ", 1)[-1]
    value = re.split(rf"[{_QUOTES}(\[]", value)[-1].strip(_QUOTES)
    at = text.rfind(value, max(0, keyword.start - 200), keyword.start - len(joint)) if value else -1
    if at < 0 or len(value) < 8 or is_hash(value) or is_placeholder(value) or is_public(value) or is_code(value) or is_name(value):
        return None
    strong = looks_random(value) or (keyword.kind is Kind.PASSWORD and is_mixed(value) and any(map(str.isdigit, value)))
    return (at, at + len(value)) if strong else None


def _value(match: re.Match[str]) -> str:
    value: str = match["value"]
    if match["quote"]:
        return value
    for sign in _QUOTES + "<>":
        value = value.partition(sign)[0]
    return _CUT.split(value, maxsplit=1)[0].rstrip(_TRAIL)


def _range(match: re.Match[str]) -> tuple[int, int]:
    return match.start("value"), match.start("value") + len(_value(match))


def _holds_header(value: str) -> bool:
    return len(value) >= 8 and value[0] not in " +" and not is_placeholder(value) and not is_code(value) and (is_uuid(value) or is_mixed(value)) and not value.isalpha()


def _holds(kind: Kind, value: str, *, quoted: bool, env: bool = False, exact: bool = False) -> bool:
    """Whether a value under a key of this kind is a secret; `exact` where nothing stands between them but a separator."""
    if len(value) < 4 or is_placeholder(value):
        return False
    if is_uuid(value) and kind in (Kind.SECRET, Kind.PASSWORD) and exact:
        return True
    if is_public(value):
        return False
    if kind is Kind.WEAK or kind is Kind.HEADER:
        return looks_random(value) and not is_hash(value) and _TOKEN.fullmatch(value) is not None
    if kind is Kind.DIGITS:
        return value.isdigit()
    if " " in value:
        return kind is Kind.PASSWORD and quoted and _is_phrase(value)
    if not quoted and is_code(value):
        return False
    if kind is Kind.PASSWORD:
        return is_mixed(value) or value.isdigit() or ((quoted or env) and not is_own_name(value)) or is_scrambled(value) or is_gibberish(value)
    if len(value) < 8 or value.isdigit():
        return False
    return looks_random(value) or is_scrambled(value) or (is_mixed(value) and not is_name(value) and any(map(str.isdigit, value)))


def _is_phrase(value: str) -> bool:
    if _APP_PASSWORD.fullmatch(value):
        return True
    return any(map(str.isdigit, value)) and value.count(" ") <= 6 and len(value) >= 8 and not _SENTENCE.search(value)
