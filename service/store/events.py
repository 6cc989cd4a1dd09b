"""The outbox: what happened, per slot, in the transaction in which it happened."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import sqlalchemy as sa

from service.store.access import Caller
from service.store.engine import Read, Write
from service.store.tables import Event, Slot

HISTORY_ROWS = 10_000
HISTORY_NS = 7 * 24 * 3600 * 1_000_000_000


class EventType(StrEnum):
    """The types of frame that SPEC section 9 names."""

    SUMMARY = "session_summary"
    TITLE = "session_title"
    TURN = "session_turn"
    CHANGED = "session_changed"
    DELETED = "session_deleted"


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One frame to be: `running` is set for turns alone."""

    id: int
    type: EventType
    slot: str
    app: str | None
    running: bool | None


async def announce(write: Write, type_: EventType, transcript_key: str, now_ns: int) -> None:
    """One row for each slot that shows the transcript."""
    columns = [Event.type, Event.slot, Event.app, Event.at_ns]
    slots = sa.select(sa.literal(type_.value), Slot.key, Slot.app, sa.literal(now_ns)).where(
        Slot.transcript_key == transcript_key
    )
    await write.execute(sa.insert(Event).from_select(columns, slots.order_by(Slot.key)))


async def announce_turn(write: Write, slot: str, app: str | None, *, running: bool, now_ns: int) -> None:
    """A turn belongs to one slot, whatever else shows the transcript."""
    await write.execute(
        sa.insert(Event).values(type=EventType.TURN.value, slot=slot, app=app, at_ns=now_ns, running=int(running))
    )


async def events_after(read: Read, last_id: int, limit: int, caller: Caller) -> Sequence[StoredEvent]:
    """The next events a caller may see, oldest first."""
    query = sa.select(Event.id, Event.type, Event.slot, Event.app, Event.running).where(Event.id > last_id)
    if caller.app is not None:
        query = query.where(Event.app == caller.app)
    rows = await read.execute(query.order_by(Event.id).limit(limit))
    return [
        StoredEvent(row.id, EventType(row.type), row.slot, row.app, None if row.running is None else bool(row.running))
        for row in rows
    ]


async def newest_id(read: Read) -> int:
    """The highest id ever given, 0 before the first; AUTOINCREMENT remembers it over pruning."""
    given = await read.scalar(sa.text("SELECT seq FROM sqlite_sequence WHERE name = 'events'"))
    return int(given or 0)


async def is_known(read: Read, last_id: int) -> bool:
    """Whether every row behind `last_id` is still there, so that a replay from it would be whole."""
    if not 0 <= last_id <= await newest_id(read):
        return False
    oldest = await read.scalar(sa.select(sa.func.min(Event.id)))
    first_kept = int(oldest) if oldest is not None else await newest_id(read) + 1
    return last_id >= first_kept - 1


async def prune_events(write: Write, now_ns: int) -> None:
    """Bounds the history by rows and by age; older ids are answered with `reset`."""
    newest = await newest_id(Read(write))
    await write.execute(
        sa.delete(Event).where(sa.or_(Event.id <= newest - HISTORY_ROWS, Event.at_ns < now_ns - HISTORY_NS))
    )
