"""Reads a model's reply tolerantly: the one JSON object with an `intents` list, amid fences and prose."""

import json
from collections.abc import Iterator
from enum import StrEnum

from service.domain.object_spans import object_spans

# `int` refuses more than 4,300 digits, and no number of a summary has more than these.
_MOST_DIGITS = 18
_SHORTEST_DRAFT = len('{"intents":[]}')


class ReplyProblem(StrEnum):
    """Why a reply holds no usable draft."""

    UNUSABLE = "reply_unusable"
    AMBIGUOUS = "reply_ambiguous"


def read_reply(text: str) -> dict[str, object] | ReplyProblem:
    """The draft that the reply holds; two different ones are refused rather than chosen between. Never raises."""
    first: dict[str, object] | None = None
    for draft in _drafts(text):
        if first is None:
            first = draft
        elif _canonical(draft) != _canonical(first):
            return ReplyProblem.AMBIGUOUS
    return ReplyProblem.UNUSABLE if first is None else first


def _drafts(text: str) -> Iterator[dict[str, object]]:
    for start, end in object_spans(text):
        if end - start >= _SHORTEST_DRAFT:
            yield from _outermost(_decoded(text[start:end]))


def _decoded(text: str) -> object:
    try:
        decoded: object = json.loads(text, strict=False, parse_int=_integer, parse_constant=_nothing)
    except ValueError:
        return None
    return decoded


def _outermost(value: object) -> Iterator[dict[str, object]]:
    """The objects with an `intents` list; what lies inside such an object is part of it."""
    if isinstance(value, dict):
        if isinstance(value.get("intents"), list):
            yield value
            return
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _outermost(item)


def _canonical(draft: dict[str, object]) -> str:
    return json.dumps(draft, sort_keys=True)


def _integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= _MOST_DIGITS else None


def _nothing(_constant: str) -> None:
    """NaN and the infinities are no JSON, and would not even equal themselves."""
