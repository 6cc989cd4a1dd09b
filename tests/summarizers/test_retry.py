"""Whether a model side may be asked again, and how long it wants to be left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.summarizers.retry import may_ask_again, retry_after

NOW = 1796083200.0  # 2026-12-01, midnight UTC


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "9"}, 9.0),
        ({"retry-after": "Tue, 01 Dec 2026 00:00:30 GMT"}, 30.0),
        ({"retry-after": "Mon, 30 Nov 2026 23:00:00 GMT"}, 0.0),
        ({"retry-after": "Tue, 99 Dec 2026 00:00:30 GMT"}, None),
    ],
)
def test_a_wish_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds and dates are understood; what is none of them is no wish."""
    assert retry_after(headers, NOW) == seconds


@given(st.text(), st.text())
def test_any_header_is_survived(one: str, other: str) -> None:
    """No header value makes a failure worse than it is."""
    wish = retry_after({"retry-after": one, "retry-after-ms": other}, NOW)
    assert wish is None or wish >= 0


@pytest.mark.parametrize("otherwise", [True, False])
@pytest.mark.parametrize(("word", "meant"), [("true", True), ("false", False), ("", None), ("perhaps", None)])
def test_the_model_sides_own_word_counts(word: str, meant: bool | None, otherwise: bool) -> None:
    """`x-should-retry` overrides what the status means, either way; anything else in it says nothing."""
    assert may_ask_again({"x-should-retry": word}, otherwise) is (otherwise if meant is None else meant)
