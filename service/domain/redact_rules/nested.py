"""Secrets one level down: `"securityKeys": {"front": "…"}`, where the key above says what the values are."""

import re

from service.domain.redact_rules.contexts import SUFFIX
from service.domain.redact_rules.harmless import is_placeholder, is_public
from service.domain.redact_rules.keywords import Keyword, Kind
from service.domain.redact_rules.secrecy import is_code, is_resource
from service.domain.redact_rules.surroundings import Place
from service.domain.redact_rules.values import is_hex, is_uuid, looks_random

_REACH = 600
_KEY_LENGTHS = (32, 48, 64)
_OPENED = re.compile(r"(?P<tail>[A-Za-z0-9_-]{0,32}+)[\"']\s{0,3}(?:[:=]|=>)\s{0,3}[\[{(]\s{0,60}(?=[\"'{\[])")
_ENTRY = re.compile(
    r"[\"'](?P<name>[\w .-]{1,40})[\"']\s{0,3}(?::|=>)\s{0,3}(?P<quote>[\"'])(?P<value>[^\"'\s\\]{16,256})(?P=quote)"
    r"|(?P<sign>[\[{(\])}])"
)
# What such a name stands for is told apart from a secret, however random it looks.
_NAMES = re.compile(
    r"(?i)(?:id|ids|kid|hash|sha\d*|commit|digest|address|fingerprint|url|uri|arn|ref|name|path|version)\Z"
)


def values_inside(text: str, keyword: Keyword) -> tuple[list[Place], int]:
    """The random values of the object or list that a keyword's key opens, and where the look at it ended."""
    if keyword.kind not in (Kind.PASSWORD, Kind.SECRET):
        return [], keyword.end
    opened = _OPENED.match(text, keyword.end)
    if opened is None or SUFFIX.fullmatch(opened["tail"]) is None:
        return [], keyword.end
    hexadecimal = "key" in text[keyword.start - 16 if keyword.start > 16 else 0 : keyword.end].lower()
    places: list[Place] = []
    depth = 1
    for found in _ENTRY.finditer(text, opened.end(), opened.end() + _REACH):
        if found["sign"]:
            depth += 1 if found["sign"] in "[{(" else -1
            if depth == 0:
                return places, found.end()
        elif _is_secret(found["name"], found["value"], hexadecimal=hexadecimal):
            places.append(found.span("value"))
    return places, opened.end() + _REACH


def _is_secret(name: str, value: str, *, hexadecimal: bool) -> bool:
    if _NAMES.search(name) or is_placeholder(value) or is_uuid(value) or is_code(value) or is_resource(value):
        return False
    if is_hex(value):
        return hexadecimal and len(value) in _KEY_LENGTHS
    return looks_random(value) and not is_public(value)
