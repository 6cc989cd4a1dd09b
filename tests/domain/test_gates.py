"""Gates: the first that holds is the reason, and a demand lifts exactly two."""

from dataclasses import replace

import pytest

from service.domain.gates import Standing, skip_reason

OPEN = Standing(
    enabled=True,
    in_flight=False,
    private=False,
    running=False,
    stop_reason="end_turn",
    user_turns=2,
    turn_mark=1,
    min_user_turns=2,
    regenerate_after_turns=1,
)
CLOSED = Standing(
    enabled=False,
    in_flight=True,
    private=True,
    running=True,
    stop_reason=None,
    user_turns=0,
    turn_mark=0,
    min_user_turns=2,
    regenerate_after_turns=1,
)
ORDER = ["disabled", "in_flight", "memory_mode", "running", "stop_reason:missing", "too_few_turns", "cadence"]


def test_the_first_gate_that_holds_is_the_reason() -> None:
    """Opening one gate after another gives the reasons in their order, then none."""
    opened = CLOSED
    reasons = [skip_reason(opened, on_demand=False)]
    for change in (
        {"enabled": True},
        {"in_flight": False},
        {"private": False},
        {"running": False},
        {"stop_reason": "end_turn"},
        {"user_turns": 2, "turn_mark": 2},
        {"turn_mark": 1},
    ):
        opened = replace(opened, **change)
        reasons.append(skip_reason(opened, on_demand=False))
    assert reasons == [*ORDER, None]


@pytest.mark.parametrize("stop_reason", ["max_tokens", "End_turn", "end_turn ", "error", "interrupted"])
def test_exactly_end_turn_is_clean(stop_reason: str) -> None:
    """Any other word keeps the automatic pass away and is named."""
    assert skip_reason(replace(OPEN, stop_reason=stop_reason), on_demand=False) == f"stop_reason:{stop_reason}"


def test_a_demand_lifts_stop_reason_and_cadence_alone() -> None:
    """A person who asks gets a summary of an interrupted turn and before the cadence, and of nothing else more."""
    assert skip_reason(replace(OPEN, stop_reason=None, turn_mark=2), on_demand=True) is None
    for held in ({"enabled": False}, {"in_flight": True}, {"private": True}, {"running": True}, {"user_turns": 1}):
        standing = replace(OPEN, **held)
        assert skip_reason(standing, on_demand=True) is not None
