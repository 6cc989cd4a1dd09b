"""A summary as lines of a terminal."""

from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.plain_text import Tone, as_lines, as_text, columns, plain, shortened, visible, wrapped

INTENT = {
    "title": "Round the tax once",
    "initial_intent": "Totals were a cent off",
    "ranges": [[1, 2], [5, 5]],
    "status": "completed",
    "verified": False,
    "state": "needs-you",
    "progress": ["The cart rounds once."],
    "next_steps": [{"what": "Deploy to staging", "why": "It has not run", "expect": "Equal totals"}],
}
PAYLOAD = {"intents": [INTENT], "constraints": ["Run tests with TZ=UTC"], "user_turns": 5, "generated_at": 0}

SHOWN = """\
Checkout

[needs you] Round the tax once
  turns 1–2, 5 · resumed once · not verified
  You asked for
    Totals were a cent off
  Where it stands
    - The cart rounds once.
  Suggested next (inferred)
    1. Deploy to staging
       Why: It has not run
       Expect: Equal totals

How this project works
  - Run tests with TZ=UTC

Made 1970-01-01 00:00 UTC from 5 user turns.
"""


def test_a_whole_summary() -> None:
    """It reads from the goal over where it stands to what comes next."""
    assert as_text(PAYLOAD, heading="Checkout") == SHOWN


def test_open_items_come_first_where_there_are_several_goals() -> None:
    """They name the goal they belong to; with a single goal they stand below it alone."""
    done = {**INTENT, "title": "Other", "state": "done"}
    text = as_text({"intents": [done, INTENT]})
    assert text.index("Open items\n  - Deploy to staging (Round the tax once)") < text.index("[done]")
    assert "Open items" not in as_text(PAYLOAD)


def test_a_dropped_goal_is_one_line() -> None:
    """Nothing of its progress or steps is shown."""
    text = as_text({"intents": [{**INTENT, "state": "dropped", "verified": None}]})
    assert "[dropped] Round the tax once\n  turns 1–2, 5 · resumed once\n" in text
    assert "Deploy" not in text


def test_a_state_has_its_tone() -> None:
    """Printers can colour what needs the person."""
    tones = {span.text: span.tone for line in as_lines(PAYLOAD) for span in line}
    assert tones["[needs you]"] is Tone.ATTENTION


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
@given(st.text(max_size=300), st.integers(20, 100))
def test_any_text_fits(text: str, width: int) -> None:
    """Whatever a summary says, no line is wider than asked, and no character acts on the terminal."""
    payload = {"intents": [{**INTENT, "title": text, "progress": [text]}], "constraints": [text]}
    for line in map(plain, as_lines(payload, heading=text, width=max(width, 30))):
        assert columns(line) <= max(width, 30)
        assert not {category(char) for char in line} & {"Cc", "Cs"}


@settings(max_examples=60)
@given(st.text(max_size=200), st.integers(2, 60))
def test_wrapping_loses_nothing(text: str, width: int) -> None:
    """All that can be seen of a text is there after wrapping, in order."""
    assert "".join("".join(wrapped(text, width)).split()) == "".join(visible(text).split())
