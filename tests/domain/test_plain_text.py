"""A summary as lines of a terminal."""

from unicodedata import category

from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.lines import Tone, columns, plain
from service.domain.plain_text import as_lines, as_text

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


@settings(max_examples=60)
@given(st.text(max_size=300), st.integers(20, 100))
def test_any_text_fits(text: str, width: int) -> None:
    """Whatever a summary says, no line is wider than asked, and no character acts on the terminal."""
    payload = {"intents": [{**INTENT, "title": text, "progress": [text]}], "constraints": [text]}
    for line in map(plain, as_lines(payload, heading=text, width=max(width, 30))):
        assert columns(line) <= max(width, 30)
        assert not {category(char) for char in line} & {"Cc", "Cs"}
