"""Why a pass is not made: the gates of SPEC section 7, in their order."""

from dataclasses import dataclass
from enum import StrEnum


class Skip(StrEnum):
    """The skip reasons without a parameter."""

    DISABLED = "disabled"
    IN_FLIGHT = "in_flight"
    MEMORY_MODE = "memory_mode"
    RUNNING = "running"
    TOO_FEW_TURNS = "too_few_turns"
    CADENCE = "cadence"


CLEAN_STOP = "end_turn"
STOP_REASON = "stop_reason:"


@dataclass(frozen=True, slots=True)
class Standing:
    """How a session stands at the moment the gates are asked."""

    enabled: bool
    in_flight: bool
    private: bool
    running: bool
    stop_reason: str | None
    user_turns: int
    turn_mark: int
    min_user_turns: int
    regenerate_after_turns: int


def skip_reason(standing: Standing, *, on_demand: bool) -> str | None:
    """The first gate that holds, None where a pass may go on; a demand lifts `stop_reason` and `cadence`, no other."""
    if not standing.enabled:
        return Skip.DISABLED
    if standing.in_flight:
        return Skip.IN_FLIGHT
    if standing.private:
        return Skip.MEMORY_MODE
    if standing.running:
        return Skip.RUNNING
    if not on_demand and standing.stop_reason != CLEAN_STOP:
        return f"{STOP_REASON}{standing.stop_reason or 'missing'}"
    if standing.user_turns < standing.min_user_turns:
        return Skip.TOO_FEW_TURNS
    if not on_demand and standing.user_turns - standing.turn_mark < standing.regenerate_after_turns:
        return Skip.CADENCE
    return None
