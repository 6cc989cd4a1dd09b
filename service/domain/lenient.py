"""Reads single fields of a model's draft: what has the wrong type or value degrades alone, and nothing raises."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeGuard

from service.domain.characters import encodable, has_visible
from service.domain.excerpt import head_of

TEXT_CHARS = 2_000  # SPEC section 6


class Status(StrEnum):
    """How far the work of an intent is."""

    ACTIVE = "active"
    COMPLETED = "completed"
    ABANDONED = "abandoned"


_STATUSES: Mapping[str, Status] = {status.value: status for status in Status}
_STEP_KEYS = ("what", "why", "expect")


def items_of(value: object) -> list[object]:
    """A list as it is, a lone value as a list of one, nothing as an empty one."""
    if isinstance(value, list | tuple):
        return list(value)
    return [] if value is None else [value]


def raw_text(value: object) -> str:
    """The text, or an empty one for what is no string."""
    return value if isinstance(value, str) else ""


def raw_step(value: object) -> dict[str, str]:
    """A next step as its three texts; a bare string says what to do."""
    if isinstance(value, Mapping):
        return {key: raw_text(value.get(key)) for key in _STEP_KEYS}
    return {"what": raw_text(value), "why": "", "expect": ""}


def shown_text(text: str) -> str:
    """The text stripped and capped, empty where nothing of it is visible."""
    if not has_visible(text):
        return ""
    return head_of(encodable(text).strip(), TEXT_CHARS).head.rstrip()


def shown_texts(texts: list[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(shown_text, texts)))


def read_status(value: object) -> Status:
    return _STATUSES.get(raw_text(value).strip().lower(), Status.ACTIVE)


def read_verified(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def read_turn(value: object, user_turns: int) -> int | None:
    """The turn where it is one of the session's, else None."""
    return value if _is_integer(value) and 1 <= value <= user_turns else None


def read_ranges(value: object, user_turns: int) -> tuple[tuple[int, int], ...]:
    """The ranges that begin inside the session, in the order given, none reaching beyond it."""
    ranges = (_range(item) for item in items_of(value))
    return tuple((start, min(end, user_turns)) for start, end in filter(None, ranges) if start <= user_turns)


def _range(value: object) -> tuple[int, int] | None:
    """A pair of integers with 1 <= start <= end; a lone integer is a range of one turn."""
    pair = (value, value) if _is_integer(value) else value
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        return None
    start, end = pair
    return (start, end) if _is_integer(start) and _is_integer(end) and 1 <= start <= end else None


def _is_integer(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
