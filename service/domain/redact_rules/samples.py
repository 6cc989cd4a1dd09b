"""Made-up bodies for the examples of the rule table: random-looking, fixed, never a vendor's token in the source."""

_DIGITS = "7392018465"
_LOWER = "qzkxwvjhgbtnmrdlfpscyuieoa"


def _mixed(alphabet: str, length: int) -> str:
    return "".join(alphabet[(31 * n + 7 * (n // 3) + n * n) % len(alphabet)] for n in range(length))


def alnum(length: int) -> str:
    """Letters of both cases and digits."""
    return _mixed("k7Qx2Wm9ZrT4vHn1LsB8dYf3GpJ6cXq0RtUaKe5N", length)


def lower(length: int) -> str:
    """Small letters and digits."""
    return _mixed(_LOWER + _DIGITS, length)


def upper(length: int) -> str:
    """Capitals and the digits of base32."""
    return _mixed("K7QX2WMZRT4VHNLSBDYF3GPJ6CUAE5", length)


def hexes(length: int) -> str:
    """Small hexadecimal digits."""
    return _mixed("3fa19c7e08d52b64", length)


def digits(length: int) -> str:
    """Decimal digits."""
    return _mixed(_DIGITS, length)
