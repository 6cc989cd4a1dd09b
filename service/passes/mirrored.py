"""What a session in an agent's file means for the stored one: decisions only, no reading and no writing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from service.domain.gates import CLEAN_STOP
from service.domain.messages import Message
from service.domain.times import parse_time
from service.sources.session import LastTurn, Session
from service.sources.stamps import LARGEST, Stamp
from service.store.sources import SourceRow

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# A mirrored turn without an end marker is over after so many quiet seconds (SPEC section 7).
QUIET_SECONDS = 120.0
QUIET_SECONDS_TOOL_OPEN = 30 * 60.0

_STOP_REASONS = {
    LastTurn.COMPLETED: CLEAN_STOP,
    LastTurn.REPLIED: CLEAN_STOP,
    LastTurn.INTERRUPTED: "interrupted",
    LastTurn.TOOL_OPEN: "interrupted",
    LastTurn.FAILED: "error",
}
_OPEN = frozenset({LastTurn.WORKING, LastTurn.TOOL_OPEN, LastTurn.REPLIED})
_OVER = frozenset({LastTurn.COMPLETED, LastTurn.INTERRUPTED, LastTurn.FAILED})


@dataclass(frozen=True, slots=True)
class Difference:
    """How the file's messages go on from the stored ones: behind the first `kept`, or a rewrite where that is None.

    `same_turns` is how many user turns both begin with; `ends_alike` where the very last message is the one it was.
    """

    kept: int | None
    messages: tuple[Message, ...]
    same_turns: int = 0
    ends_alike: bool = False


def difference(stored: Sequence[Message], found: Sequence[Message]) -> Difference | None:
    """What must be stored to be like the file; None where nothing must."""
    same = same_head(stored, found)
    if same == len(stored) == len(found):
        return None
    if same == len(stored) or (same == len(stored) - 1 and same < len(found) and grew(stored[same], found[same])):
        return Difference(same, tuple(found[same:]))
    same_turns = sum(message.by_person for message in stored[:same])
    return Difference(None, tuple(found), same_turns, ends_alike=bool(stored and found) and stored[-1] == found[-1])


def same_head(stored: Sequence[Message], found: Sequence[Message]) -> int:
    """How many messages both begin with."""
    length = min(len(stored), len(found))
    # A long session that grew by a row is compared whole, and that in one step of the interpreter.
    for end in (length, length - 1):
        if end > 0 and tuple(stored[:end]) == tuple(found[:end]):
            return end
    return next((n for n, (one, other) in enumerate(zip(stored, found, strict=False)) if one != other), length)


def grew(stored: Message, found: Message) -> bool:
    """A reply that was still being written, or behind which more tool calls ended."""
    return (
        (stored.role, stored.origin) == (found.role, found.origin)
        and found.content.startswith(stored.content)
        and found.facts[: len(stored.facts)] == stored.facts
    )


def is_open(last_turn: LastTurn, quiet_seconds: float) -> bool:
    """Whether the last turn still runs: no end marker, and a new row not too long ago."""
    limit = QUIET_SECONDS_TOOL_OPEN if last_turn is LastTurn.TOOL_OPEN else QUIET_SECONDS
    return last_turn in _OPEN and quiet_seconds < limit


def is_over(last_turn: LastTurn) -> bool:
    """Whether the file itself says that the last turn ended, however it did."""
    return last_turn in _OVER


def stop_reason(last_turn: LastTurn) -> str | None:
    """How a turn that is over ended, in a host's words; None where it just stopped."""
    return _STOP_REASONS.get(last_turn)


def activity_ns(session: Session, fallback_ns: int) -> int:
    """When something was last said, for the order of the list: the newest row's time, else the file's.

    A time that no clock shows yet, such as the year 9999, is one that the store can hold.
    """
    moment = parse_time(session.last_activity)
    if moment is None:
        return fallback_ns
    return max(-LARGEST, min(int((moment - _EPOCH).total_seconds() * 1_000_000_000), LARGEST))


def is_as_read(row: SourceRow, stamp: Stamp) -> bool:
    """Whether the file is as it was read; of what shows in several files the row cannot tell."""
    as_read = (row.inode, row.size, row.mtime_ns, row.ctime_ns)
    return bool(row.digest) and as_read == (stamp.inode, stamp.size, stamp.mtime_ns, stamp.ctime_ns)
