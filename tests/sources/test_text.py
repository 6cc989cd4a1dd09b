"""How agents' words are cut: never through a secret."""

import pytest

from service.domain.facts import one_line
from service.sources.text import headline, shortened

TOKEN = "gh" + "p_" + "k7Qx2Wm9ZrT4vHn1LsB8dYf3GpJ6cXq0RtUa"


@pytest.mark.parametrize("before", range(60, 140, 7))
def test_a_title_shows_no_part_of_a_token(before: int) -> None:
    """Wherever the cut falls, a title holds the mark of the token or nothing of it."""
    title = headline("see the fork " * 10 + "x" * (before % 11) + " " + TOKEN + " for details") or ""
    assert TOKEN[4:16] not in title


@pytest.mark.parametrize("shift", range(0, 60, 7))
def test_a_long_text_is_not_cut_through_a_token(shift: int) -> None:
    """Head and tail of a shortened text end and begin between words."""
    text = "word " * 39 + "y" * shift + " " + TOKEN + " " + "word " * 200
    assert TOKEN[4:20] not in shortened(text, 440) or TOKEN in shortened(text, 440)


@pytest.mark.parametrize("text", [" " * 1_968 + TOKEN, "go " + " " * 1_960 + TOKEN, TOKEN[:9] + "\u2066" + TOKEN[9:]])
def test_a_line_shows_no_part_of_a_token(text: str) -> None:
    """Blanks that are collapsed and signs that are dropped put no token together and cut none in two."""
    assert TOKEN[9:25] not in one_line(text, 200)
