"""What a session in an agent's file means for the stored one: decisions only, no reading and no writing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from service.config import SourceFilter
from service.domain.gates import CLEAN_STOP
from service.domain.messages import Message
from service.domain.times import parse_time
from service.sources.session import LastTurn, Session

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# A mirrored turn without an end marker is over after so many quiet seconds (SPEC section 7).
QUIET_SECONDS = 120.0
QUIET_SECONDS_TOOL_OPEN = 30 * 60.0

_STOP_REASONS = {
    LastTurn.COMPLETED: CLEAN_STOP,
    LastTurn.REPLIED: CLEAN_STOP,
    LastTurn.INTERRUPTED: "interrupted",
    LastTurn.FAILED: "error",
}
_OPEN = frozenset({LastTurn.WORKING, LastTurn.TOOL_OPEN, LastTurn.REPLIED})


@dataclass(frozen=True, slots=True)
class Difference:
    """How the file's messages go on from the stored ones: behind the first `kept`, or a rewrite where that is None."""

    kept: int | None
    messages: tuple[Message, ...]


def difference(stored: Sequence[Message], found: Sequence[Message]) -> Difference | None:
    """What must be stored to be like the file; None where nothing must."""
    same = _same_head(stored, found)
    if same == len(stored) == len(found):
        return None
    if same == len(stored) or (same == len(stored) - 1 and same < len(found) and _grew(stored[same], found[same])):
        return Difference(same, tuple(found[same:]))
    return Difference(None, tuple(found))


def _same_head(stored: Sequence[Message], found: Sequence[Message]) -> int:
    same = 0
    for one, other in zip(stored, found, strict=False):
        if one is not other and one != other:
            break
        same += 1
    return same


def _grew(stored: Message, found: Message) -> bool:
    """A reply that was still being written, or behind which more tool calls ended."""
    return (
        (stored.role, stored.origin) == (found.role, found.origin)
        and found.content.startswith(stored.content)
        and found.facts[: len(stored.facts)] == stored.facts
    )


def is_wanted(session: Session, sources: SourceFilter) -> bool:
    """Whether the session is one of a person's, of an agent and project that the settings do not leave out."""
    if session.sub_agent or (sources.agents is not None and session.agent not in sources.agents):
        return False
    project = session.project or ""
    included = not sources.include or any(fnmatchcase(project, glob) for glob in sources.include)
    return included and not any(fnmatchcase(project, glob) for glob in sources.exclude)


def is_open(last_turn: LastTurn, quiet_seconds: float) -> bool:
    """Whether the last turn still runs: no end marker, and a new row not too long ago."""
    limit = QUIET_SECONDS_TOOL_OPEN if last_turn is LastTurn.TOOL_OPEN else QUIET_SECONDS
    return last_turn in _OPEN and quiet_seconds < limit


def stop_reason(last_turn: LastTurn) -> str | None:
    """How a turn that is over ended, in a host's words; None where it just stopped."""
    return _STOP_REASONS.get(last_turn)


def activity_ns(session: Session, fallback_ns: int) -> int:
    """When something was last said, for the order of the list: the newest row's time, else the file's."""
    moment = parse_time(session.last_activity)
    return fallback_ns if moment is None else int((moment - _EPOCH).total_seconds() * 1_000_000_000)
