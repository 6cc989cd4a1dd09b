"""Times as agents and hosts write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.times import parse_time


@pytest.mark.parametrize(
    ("given_time", "utc"),
    [
        ("2026-03-02T09:00:00Z", "2026-03-02T09:00:00+00:00"),
        ("2026-03-02T09:00:00.250+05:30", "2026-03-02T03:30:00.250000+00:00"),
        ("2026-03-02 09:00", "2026-03-02T09:00:00+00:00"),
        ("1772442000", "2026-03-02T09:00:00+00:00"),
        ("1772442000.5", "2026-03-02T09:00:00.500000+00:00"),
        ("1772442000000", "2026-03-02T09:00:00+00:00"),
    ],
)
def test_every_way_of_writing_a_time_is_read(given_time: str, utc: str) -> None:
    """ISO with Z, with an offset or without, epoch seconds and milliseconds are the same instant."""
    moment = parse_time(given_time)
    assert moment is not None
    assert moment.isoformat() == utc


@pytest.mark.parametrize("given_time", [None, "", "yesterday", "nan", "inf", "1e300", "2026-13-01"])
def test_what_is_no_time_is_none(given_time: str | None) -> None:
    """A time that cannot be one is passed over."""
    assert parse_time(given_time) is None


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    """Whatever a file holds, reading its times does not fail."""
    parse_time(text)
