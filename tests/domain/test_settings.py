"""Settings: what is out of bounds is clamped and named, nothing malformed switches anything on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.settings import Section, as_integer, read_section


@pytest.mark.parametrize(
    ("key", "given_value", "used"),
    [
        ("min_user_turns", 0, 1),
        ("min_user_turns", "3", 3),
        ("min_user_turns", 3.0, 3),
        ("min_user_turns", 3.5, 2),
        ("min_user_turns", True, 2),
        ("min_user_turns", float("nan"), 2),
        ("min_user_turns", float("inf"), 2),
        ("min_user_turns", None, 2),
        ("regenerate_after_turns", -5, 1),
        ("max_intents", 0, 1),
        ("max_constraints", -1, 0),
        ("max_constraints", 0, 0),
        ("assistant_excerpt_chars", 79, 80),
        ("assistant_excerpt_chars", 20_001, 20_000),
        ("max_input_chars", 3_999, 4_000),
        ("max_input_chars", 10**9, 2_000_000),
    ],
)
def test_a_number_is_taken_clamped_or_defaulted(key: str, given_value: object, used: int) -> None:
    """What a person wrote is used within its bounds, and whatever was not taken as written is named."""
    warnings: list[str] = []
    section = read_section({key: given_value}, warnings)
    assert getattr(section, key) == used
    taken = as_integer(given_value) == used
    assert warnings == [] if taken else warnings[0].startswith(f"{key}: ")


@given(st.one_of(st.none(), st.integers(), st.floats(), st.text(), st.lists(st.booleans()), st.just({"enabled": 1})))
def test_only_true_switches_on(value: object) -> None:
    """No value but the boolean itself turns the feature on."""
    assert read_section({"enabled": value}, []).enabled is False
    assert read_section({"enabled": True}, []).enabled is True


@pytest.mark.parametrize("section", [None, [], "on", 7, True])
def test_a_malformed_section_is_the_defaults(section: object) -> None:
    """A section that is no object is read as if nothing stood there, with a warning."""
    warnings: list[str] = []
    assert read_section(section, warnings) == Section()
    assert len(warnings) == 1


def test_unknown_keys_are_passed_over() -> None:
    """A key of a later release does no harm."""
    assert read_section({"from_the_future": 1}, []) == Section()
