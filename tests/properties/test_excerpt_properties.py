"""Cuts agree with splitting the whole text, which would be too slow for long ones."""

import regex
from hypothesis import given
from hypothesis import strategies as st

from service.domain.excerpt import break_before, head_and_tail

_PIECES = ["a", "b", " ", "\n", "\r", "\u0301", "\u200d", "👩", "🇩", "🇪", "🏽", "क", "\u094d", "\u1100", "\u1161", "각"]
_TEXTS = st.lists(st.sampled_from([*_PIECES, "\u0600", "\ufe0f", "\ud800"]), max_size=40).map("".join)


@given(_TEXTS, st.integers(0, 45))
def test_a_cut_is_the_last_border_at_or_before_the_limit(text: str, at: int) -> None:
    """Looking only near the cut finds the same border as splitting the whole text."""
    borders = [0, *(cluster.end() for cluster in regex.finditer(r"\X", text))]
    assert break_before(text, at) == max(border for border in borders if border <= at)


@given(_TEXTS, st.integers(1, 20))
def test_head_gap_with_tail_are_the_whole_text(text: str, limit: int) -> None:
    """What is said to be left out is exactly what is not shown."""
    excerpt = head_and_tail(text, limit)
    gap = text[len(excerpt.head) : len(excerpt.head) + excerpt.left_out]
    assert excerpt.head + gap + excerpt.tail == text
    assert not excerpt.left_out or max(len(excerpt.head), len(excerpt.tail)) <= limit
