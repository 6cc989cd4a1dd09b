"""Long texts are cut only where a reader sees a border between characters."""

import pytest

from service.domain.excerpt import Excerpt, break_before, head_and_tail, head_of


def test_a_text_up_to_twice_the_limit_stays_whole() -> None:
    """A reply that is short enough is read as it was written."""
    assert head_and_tail("x" * 20, 10) == Excerpt("x" * 20)


def test_a_longer_text_keeps_head_and_tail() -> None:
    """The beginning and the end of a long reply are read, and how much lies between is known."""
    assert head_and_tail("a" * 10 + "b" * 7 + "c" * 10, 10) == Excerpt("a" * 10, 7, "c" * 10)


@pytest.mark.parametrize("cluster", ["e\u0301", "👩\u200d👩\u200d👧", "🇩🇪", "👍🏽", "\u1100\u1161\u11a8", "\r\n"])
@pytest.mark.parametrize("limit", range(1, 9))
def test_no_visible_character_is_torn(cluster: str, limit: int) -> None:
    """An accented letter, a family, a flag or a line end is kept whole or left out whole."""
    excerpt = head_and_tail(cluster * 20, limit)
    assert excerpt.head.count(cluster) * len(cluster) == len(excerpt.head)
    assert excerpt.tail.count(cluster) * len(cluster) == len(excerpt.tail)
    assert len(excerpt.head) + excerpt.left_out + len(excerpt.tail) == len(cluster) * 20


def test_a_single_endless_character_is_left_out_whole() -> None:
    """A letter under a thousand accents is no way to tear a character."""
    assert head_of("e" + "\u0301" * 1_000, 400) == Excerpt("", 1_001)


def test_pairs_of_flag_halves_are_counted_from_the_start_of_their_run() -> None:
    """A row of flags shows the same flags after the cut."""
    assert break_before("a" + "🇩🇪" * 50, 52) == 51


@pytest.mark.parametrize(("at", "place"), [(-3, 0), (0, 0), (2, 2), (9, 3)])
def test_a_cut_outside_the_text_is_its_nearer_end(at: int, place: int) -> None:
    """A limit beyond the text leaves it whole."""
    assert break_before("abc", at) == place
