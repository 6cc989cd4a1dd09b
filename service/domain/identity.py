"""Which content of a transcript something was made from, and why a write was refused."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Identity:
    """Which content of a transcript something was made from.

    `sig` (integer nanoseconds) strictly grows with every real append, `gen` with every rewrite of content. Something
    made from one identity is fresh only while both halves equal the transcript's current ones; order never counts.
    """

    sig: int
    gen: int


class Refusal(StrEnum):
    """Why a guarded write stored nothing."""

    DELETED = "deleted"
    MOVED = "moved"
    RUNNING = "running"
    MEMORY_MODE = "memory_mode"
    IN_FLIGHT = "in_flight"
    DISABLED = "disabled"


class StaleReason(StrEnum):
    """How a transcript moved on after its summary was made."""

    APPENDED = "appended"
    REWRITTEN = "rewritten"


def stale_reason(stored: Identity, current: Identity) -> StaleReason | None:
    """None while both halves are equal; a changed `gen` outweighs a grown `sig`."""
    if stored == current:
        return None
    return StaleReason.APPENDED if stored.gen == current.gen else StaleReason.REWRITTEN
