"""Many literals as one pattern that costs a few comparisons per place, however many there are."""

import re
from collections.abc import Iterable


def tree_pattern(words: Iterable[str]) -> re.Pattern[str]:
    """Matches the longest of the words at a place."""
    return re.compile(_branches(sorted(set(words))))


def _branches(words: list[str]) -> str:
    tails: dict[str, list[str]] = {}
    for word in words:
        if word:
            tails.setdefault(word[0], []).append(word[1:])
    branches = [re.escape(first) + _branches(rest) for first, rest in tails.items()]
    joined = branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})" if branches else ""
    return f"(?:{joined})?" if joined and "" in words else joined


def lowered(text: str) -> str:
    """The text in small letters, place for place: the one capital that lowers to two characters stays out of it."""
    return text.replace("\u0130", "I").lower()


def words(text: str) -> tuple[str, ...]:
    """The words of a list that is written as text."""
    return tuple(text.split())
