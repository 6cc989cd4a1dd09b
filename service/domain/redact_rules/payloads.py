"""Tells text that was encoded to travel unseen from the ids, hashes and words that ordinary links are full of."""

import base64
import binascii
import re
from collections.abc import Callable
from urllib.parse import unquote_plus

from service.domain.redact_rules.values import is_hex, looks_random

_LIMIT = 2048
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{10,}={0,2}")
_BASE32 = re.compile(r"(?:[A-Z2-7]{14,}|[a-z2-7]{14,})={0,6}")
_HEX_PAIRS = re.compile(r"(?:0x)?(?:[0-9a-fA-F]{2}){7,}")
_CHUNKED = re.compile(r"[A-Za-z0-9+/]{2,40}(?:[-._~,!*:|][A-Za-z0-9+/]{2,40}){2,}={0,2}")
_SEPARATORS = re.compile(r"[-._~,!*:|]")
_NUMBERS = re.compile(r"\d{2,3}(?:[-.,_ +]\d{2,3}){7,}")
_BINARY = re.compile(r"[01]{64,}")
_LEAST_BACKWARDS = 20
_ESCAPE = re.compile(r"%[2-7][0-9A-Fa-f]")
_ESCAPED_TIMES = 2
# Seven letters take ten signs in base64, and more in whatever else.
_SHORTEST = 10
# A quarter of the signs of base 85 are none of a word, a number or an address.
_BASE85 = re.compile(r"(?=[!-~]{20})(?=(?:[A-Za-z0-9%/:.=_-]{0,40}[^A-Za-z0-9%/:.=_-]){3})[!-~]{20,}")
# So many decimal digits are no number that anybody counts with.
_DISGUISED = re.compile(
    r"\d{48,}|(?:H4sI|eJ[wxyz]|eAE|eN[opqr]|U2FsdGVkX1|UEsDB|QlpoO)[A-Za-z0-9+/_=-]{20,}"
    r"|(?:1f8b08|504b0304|789c|78da|7801)[0-9a-f]{24,}"
)
# Percent signs before letters and digits serve no purpose but hiding them.
_NEEDLESS = re.compile(r"[\U000e0020-\U000e007f]{3}|(?:%(?:3\d|[46][1-9A-Fa-f]|[57][0-9Aa])){5,}")
# `urn:…`, `name-44.0.0-build`: names of things, however long.
_NAMED_THING = re.compile(r"^urn:|[-_]v?\d{1,4}\.\d{1,4}")
_OBJECT = re.compile(r"\s*\{\s*\"[^\"\n]{1,60}\"\s*:")
_TELLING = re.compile(
    r"(?i)passw|secret|token|api.?key|credential|private|ssh|bearer|session|-----BEGIN|(?<![A-Za-z])keys?(?![A-Za-z])"
    r"|customer|(?<![A-Za-z])prompt(?![A-Za-z])|email|@[a-z0-9-]+\.[a-z]|(?<![A-Za-z])(?:pwd?|psw|pass|login)=[^&=\s]{4}"
    r"|客户|客戶|顧客|电话|電話|身份证|고객|전화|клиент|телефон|(?<![a-z])(?:kunde|cliente)(?![a-z])"
    r"|passwort|kennwort|contraseña|mot de passe|senha|парол|密码|密碼|パスワード|비밀번호"
)


def hidden_text(value: str) -> str | None:
    """What the value says once decoded (base64, base32, hex, numbers), also backwards or in pieces."""
    if len(value) < _SHORTEST:
        return None
    head = value[:_LIMIT]
    return _decoded_text(head) or _spelled(head) or _decoded_parts(head) or _backwards(head)


def _decoded_parts(head: str) -> str | None:
    """The text behind a prefix such as `v1_`, or of pieces that were kept apart by signs."""
    if _SEPARATORS.search(head) is None:
        return None
    if _CHUNKED.fullmatch(head) and (text := _decoded_text(_SEPARATORS.sub("", head))):
        return text
    longest = max(_SEPARATORS.split(head), key=len)
    return _decoded_text(longest) if _LEAST_BACKWARDS <= len(longest) < len(head) else None


def _backwards(value: str) -> str | None:
    return _decoded_text(value[::-1]) if len(value) >= _LEAST_BACKWARDS else None


def _spelled(value: str) -> str | None:
    """Text that is spelled in character numbers, decimal or binary."""
    if not value[0].isdigit():
        return None
    if _BINARY.fullmatch(value):
        numbers = [int(value[n : n + 8], 2) for n in range(0, len(value) // 8 * 8, 8)]
    elif _NUMBERS.fullmatch(value):
        numbers = [int(number) for number in re.split(r"\D", value)]
    else:
        return None
    try:
        text = bytes(numbers).decode()
    except ValueError:
        return None
    return text if text.isprintable() else None


def _decoded_text(head: str) -> str | None:
    for pattern, decode in _CODECS:
        if pattern.fullmatch(head):
            text = _readable(head, decode)
            if text is not None:
                return _decoded_text(text.strip()) or text
    return None


def _readable(value: str, decode: Callable[[str], bytes]) -> str | None:
    try:
        text = decode(value).decode()
    except (binascii.Error, ValueError):
        return None
    good = len(text) >= 7 and all(sign.isprintable() or sign in "\n\r\t" for sign in text)
    return text if good and any(map(str.isalpha, text)) else None


def _from_base64(value: str) -> bytes:
    body = value.rstrip("=").replace("-", "+").replace("_", "/")
    body = body[: len(body) - (len(body) % 4 == 1)]
    return base64.b64decode(body + "=" * (-len(body) % 4))


def _from_base32(value: str) -> bytes:
    body = value.rstrip("=").upper()
    body = body[: len(body) // 8 * 8] if len(body) % 8 in (1, 3, 6) else body
    return base64.b32decode(body + "=" * (-len(body) % 8))


def _from_hex(value: str) -> bytes:
    digits = value.removeprefix("0x")
    if digits.isdigit() and len(digits) < 32:
        raise ValueError(value)  # long decimal numbers often happen to spell something
    return bytes.fromhex(digits)


_CODECS: tuple[tuple[re.Pattern[str], Callable[[str], bytes]], ...] = (
    (_HEX_PAIRS, _from_hex),
    (_BASE32, _from_base32),
    (_BASE64, _from_base64),
    (_BASE85, base64.b85decode),
    (_BASE85, base64.a85decode),
)


def is_payload(value: str) -> bool:
    """Whether a value is text in disguise: encoded, compressed, encrypted, or escaped without need."""
    return hidden_text(value) is not None or is_disguised(value)


def is_disguised(value: str) -> bool:
    """Whether a value is compressed, encrypted, or escaped without need."""
    if len(value) < _SHORTEST:
        return False
    head = value[:_LIMIT]
    return _DISGUISED.fullmatch(head) is not None or _NEEDLESS.search(head) is not None


def is_needlessly_escaped(value: str) -> bool:
    """Whether letters and digits of a raw value are escaped, once or twice, for no purpose but hiding them."""
    if "%" not in value and value.isascii():
        return False
    return any(_NEEDLESS.search(text, 0, _LIMIT) for text in (value, unquote_plus(value)))


def is_object(text: str) -> bool:
    """Whether readable text is a JSON object."""
    return _OBJECT.match(text) is not None


def is_bulky(value: str, least: int) -> bool:
    """Whether a value is so long and random that it holds more than an id; what is hexadecimal is an id."""
    if len(value) < least or not looks_random(value) or _NAMED_THING.search(value):
        return False
    return not (is_hex(value) and len(value) <= 128)


def is_telling(text: str) -> bool:
    """Whether readable text speaks of secrets or persons."""
    return _TELLING.search(text[:_LIMIT]) is not None


def decoded(value: str) -> str:
    """A query value as the server reads it, and free of what was escaped more than once, unless it is an address."""
    text = value[:_LIMIT]
    if "%" not in text and "+" not in text:
        return text
    text = unquote_plus(text)
    for _ in range(_ESCAPED_TIMES):
        if _ESCAPE.search(text) is None or text.startswith(("http", "/")):
            break
        text = unquote_plus(text)
    return text
