"""Text as lines for a terminal."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.lines import shortened, visible, wrapped


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("a bb ccc", 4, ["a bb", "ccc"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("税の丸め", 4, ["税の", "丸め"]),
        ("e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]),
        ("", 10, [""]),
        ("a\nb\tc", 10, ["a b c"]),
    ],
)
def test_wrapping(text: str, width: int, lines: list[str]) -> None:
    """Lines break at blanks, long words inside, wide and combined characters by their columns."""
    assert wrapped(text, width) == lines


def test_shortening() -> None:
    """A mark stands for what is left out, and the whole fits."""
    assert shortened("Round the tax once", 10) == "Round the…"
    assert shortened("abcdefghijkl", 10) == "abcdefghi…"
    assert shortened("short", 10) == "short"


@pytest.mark.parametrize("char", ["\x1b", "\x07", "\x9b", "\u202e", "\u2066", "\ufeff", "\ud800"])
def test_nothing_that_acts_on_a_terminal(char: str) -> None:
    """Such characters become a mark that can be seen."""
    assert visible(f"a{char}b") == "a\ufffdb"


@settings(max_examples=60)
@given(st.text(max_size=200), st.integers(2, 60))
def test_wrapping_loses_nothing(text: str, width: int) -> None:
    """All that can be seen of a text is there after wrapping, in order."""
    assert "".join("".join(wrapped(text, width)).split()) == "".join(visible(text).split())
