"""What a line of a list says."""

import pytest

from service.cli.tables import age

NOW = 1_785_000_000.0
DAY = 86_400


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (5, "just now"),
        (120, "2 min ago"),
        (3 * 3600, "3 h ago"),
        (14 * DAY, "14 d ago"),
        (15 * DAY, "2026-07-10"),
        (400 * DAY, "2025-06-20"),
    ],
)
def test_what_is_long_ago_has_a_date(seconds: int, words: str) -> None:
    """Nobody counts back weeks; the page tells a date from the same age on."""
    assert age(str(NOW - seconds), NOW) == words


@pytest.mark.parametrize("ts", [None, "", "soon"])
def test_what_is_no_time_has_no_age(ts: str | None) -> None:
    """The place stays empty."""
    assert age(ts, NOW) == ""


def test_the_first_of_all_days_has_a_date() -> None:
    """However a zone lies, no calendar ends there."""
    assert age("0001-01-01T00:00:00+14:00", NOW) in ("", "0001-01-01")
