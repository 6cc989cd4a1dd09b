"""What a slot or a transcript can be called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.keys import is_key


@pytest.mark.parametrize("key", ["", "a" * 257, "a\nb", "a\x00", "a\x7f", "a\x85", "a\ud800"])
def test_what_no_address_can_name_is_no_key(key: str) -> None:
    """Empty, too long, with a control character or half a character."""
    assert is_key(key) is False


@given(st.text(min_size=1, max_size=256, alphabet=st.characters(exclude_categories=("Cc", "Cs"))))
def test_every_other_text_is_one(key: str) -> None:
    """Slashes, blanks and letters of any script may stand in a key."""
    assert is_key(key) is True
