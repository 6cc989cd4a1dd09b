"""What a slot or a transcript can be called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.keys import is_key
from service.web import slots


@pytest.mark.parametrize("key", ["", "a" * 257, "a\nb", "a\x00", "a\x7f", "a\x85", "a\ud800"])
def test_what_no_address_can_name_is_no_key(key: str) -> None:
    """Empty, too long, with a control character or half a character."""
    assert is_key(key) is False


@given(st.text(max_size=300))
def test_both_doors_take_the_same_keys(key: str) -> None:
    """A session that is read from a file can be asked for."""
    assert is_key(key) is slots.is_key(key)
