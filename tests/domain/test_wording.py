"""The phrases of a shown summary."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.wording import (
    made_words,
    moment_words,
    nothing_open_words,
    proof_words,
    read_payload,
    resumed_words,
    stale_words,
    turns_words,
)

PASSED = {"turn": 12, "kind": "ran", "text": "pytest", "result": "passed"}
FAILED = {"turn": 13, "kind": "ran", "text": "pytest", "result": "failed"}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
KEYS = ("intents", "constraints", "generated_at", "user_turns", "coverage", "generator", "stale", "stale_reason")


@pytest.mark.parametrize(
    ("ranges", "words"),
    [
        ([(1, 14), (77, 135)], "turns 1–14, 77–135"),
        ([(3, 3)], "turn 3"),
        ([(1, 2), (5, 5)], "turns 1–2, 5"),
        ([(1, 1), (4, 4)], "turns 1, 4"),
        ([], ""),
    ],
)
def test_turns(ranges: list[tuple[int, int]], words: str) -> None:
    """Ranges read as a person would write them."""
    assert turns_words(ranges) == words


@pytest.mark.parametrize(("count", "words"), [(0, ""), (1, ""), (2, "resumed once"), (4, "resumed 3 times")])
def test_resuming(count: int, words: str) -> None:
    """Every range after the first is a goal taken up again."""
    assert resumed_words([(1, 1)] * count) == words


@pytest.mark.parametrize(
    ("ranges", "turns", "resumed"),
    [
        ([[1, 3], [2, 6]], "turns 1–6", ""),
        ([[1, 1], [2, 2]], "turns 1–2", ""),
        ([[5, 6], [1, 2], [1, 2]], "turns 1–2, 5–6", "resumed once"),
        ([[1, 9], [2, 3], [11, 11]], "turns 1–9, 11", "resumed once"),
    ],
)
def test_what_follows_without_a_gap_is_not_resumed(ranges: list[list[int]], turns: str, resumed: str) -> None:
    """Ranges may overlap and repeat; only after a gap was a goal taken up again."""
    (goal,) = read_payload({"intents": [{"title": "t", "ranges": ranges}]}).goals
    assert (turns_words(goal.ranges), resumed_words(goal.ranges)) == (turns, resumed)


@pytest.mark.parametrize(
    ("verified", "evidence", "words"),
    [
        (True, [PASSED], "confirmed in turn 12: pytest passed"),
        (True, [], "said to be verified, nothing shows it"),
        (True, [PASSED, FAILED], "said to be verified, but in turn 13 pytest failed"),
        (False, [PASSED], "not verified as a whole, though in turn 12 pytest passed"),
        (False, [], "not verified"),
        (None, [FAILED], "not verified: in turn 13 pytest failed"),
        (None, [PASSED], "in turn 12 pytest passed"),
        (None, [], ""),
    ],
)
def test_what_verified_rests_on(verified: bool | None, evidence: list[dict[str, object]], words: str) -> None:
    """A run that passed confirms a claim, and is told as it is where there is none; the word alone is shown as such."""
    shown = read_payload({"intents": [{"title": "t", "verified": verified, "evidence": evidence}]})
    assert proof_words(shown.goals[0]) == words


@pytest.mark.parametrize(
    ("stale", "words"),
    [
        (False, "Nothing waits for you in this session."),
        (True, "Nothing waited for you in this session when this was made."),
    ],
)
def test_what_came_later_may_wait(stale: bool, words: str) -> None:
    """A summary of a session that went on does not say that nothing waits now."""
    assert nothing_open_words(read_payload({"intents": [], "stale": stale, "stale_reason": "appended"})) == words


def test_how_it_was_made() -> None:
    """The footer names the moment, the engine and what was not read whole."""
    payload = {
        "generated_at": 1_760_000_123.1,
        "user_turns": 9,
        "coverage": {"read_whole": 6, "excerpted": 2, "left_out": 1},
        "generator": {"engine": "anthropic", "model": "claude-haiku-5-5"},
    }
    words = "Made 2025-10-09 08:55 UTC by claude-haiku-5-5 from 9 user turns (2 in excerpts, 1 left out)."
    assert made_words(read_payload(payload)) == words


@pytest.mark.parametrize("moment", [None, 1e30, float("nan"), float("inf"), -1e30])
def test_a_moment_no_calendar_knows(moment: float | None) -> None:
    """It is left out."""
    assert moment_words(moment) == ""


def test_staleness_is_said() -> None:
    """A summary of a session that went on says so."""
    shown = read_payload({"stale": True, "stale_reason": "appended"})
    assert stale_words(shown) == "the session went on after this was made."
    assert stale_words(read_payload({"stale": False, "stale_reason": None})) == ""


@settings(max_examples=60)
@given(st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, JSON)))
def test_any_payload_can_be_shown(payload: dict[str, object]) -> None:
    """Whatever a payload holds, it is read without an error."""
    shown = read_payload(payload)
    assert made_words(shown)
    assert all(isinstance(proof_words(goal), str) for goal in shown.goals)
