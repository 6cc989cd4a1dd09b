"""Where a page ended: whole numbers and a key, as one opaque word."""

import base64
import binascii

_MOST = 1 << 63


class BadCursorError(ValueError):
    """The cursor is none that a page gave."""


def write_cursor(*numbers: int, key: str) -> str:
    """The word for a place in a list; the key may hold anything."""
    text = " ".join([*map(str, numbers), key])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(cursor: str, numbers: int) -> tuple[tuple[int, ...], str]:
    """The numbers and the key behind a word. Raises BadCursorError."""
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        *parts, key = text.split(" ", numbers)
        found = tuple(map(int, parts))
    except (ValueError, binascii.Error) as error:
        raise BadCursorError from error
    if len(found) != numbers or any(abs(number) >= _MOST for number in found):
        raise BadCursorError
    return found, key
