"""What a model side says about asking again: whether, and after how long."""

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from math import isfinite


def may_ask_again(headers: Mapping[str, str], otherwise: bool) -> bool:
    """The model side's own word in `x-should-retry`, which overrides what its status alone would mean."""
    return {"true": True, "false": False}.get(headers.get("x-should-retry", ""), otherwise)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """The model side's wish in seconds, `now` being epoch time: `retry-after-ms`, else `retry-after` in either form."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    wish = headers.get("retry-after")
    seconds = _number(wish)
    return seconds if seconds is not None else _until(wish, now)


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return max(value, 0.0) if isfinite(value) else None


def _until(date: str | None, now: float) -> float | None:
    try:
        return max(parsedate_to_datetime(date or "").timestamp() - now, 0.0)
    except (ValueError, TypeError, OverflowError, IndexError, OSError):
        return None
