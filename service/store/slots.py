"""Slots: where a transcript is open, who made the slot, and whether a turn is running on it."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

import sqlalchemy as sa

from service.store import transcripts
from service.store.access import Caller, visible_to
from service.store.engine import Read, Write
from service.store.events import EventType, announce, announce_turn
from service.store.tables import Slot, Summary, Transcript

# A host that died must not lock a session: a turn is forgotten this long after its session's last row (SPEC section 7).
TURN_FORGOTTEN_NS = 6 * 3600 * 1_000_000_000


class Unset(Enum):
    """Tells a field that was not sent from one that was sent empty."""

    UNSET = "unset"


UNSET = Unset.UNSET


@dataclass(frozen=True, slots=True)
class SlotChange:
    """What a host says of a slot; fields that were not sent stay as they are (an explicit None empties them)."""

    transcript_key: str | None = None
    title: str | Unset | None = UNSET
    project: str | Unset | None = UNSET
    memory_mode: str | Unset | None = UNSET


@dataclass(frozen=True, slots=True)
class SlotRow:
    """One slot with what its transcript says of itself."""

    key: str
    transcript_key: str
    app: str | None
    title: str | None
    project: str | None
    memory_mode: str
    source: str


@dataclass(frozen=True, slots=True)
class PutSlot:
    """The slot after a PUT, whether it is new, and whether stored text went because the session turned private."""

    slot: SlotRow
    created: bool
    turned_private: bool


def running_since(now_ns: int) -> sa.ColumnElement[bool]:
    """The condition on `slots` under which a turn runs and is not forgotten."""
    return Slot.running > now_ns - TURN_FORGOTTEN_NS


def turn_runs(now_ns: int) -> sa.ColumnElement[bool]:
    """The condition on `transcripts` under which a turn runs on any slot that shows one."""
    return sa.exists().where(Slot.transcript_key == Transcript.key, running_since(now_ns)).correlate(Transcript)


async def find_slot(read: Read | Write, key: str, caller: Caller) -> SlotRow | None:
    """The slot, where it exists and the caller may see it."""
    query = (
        sa.select(
            Slot.key,
            Slot.transcript_key,
            Slot.app,
            Transcript.title,
            Transcript.project,
            Transcript.memory_mode,
            Transcript.source,
        )
        .join(Transcript, Transcript.key == Slot.transcript_key)
        .where(Slot.key == key, visible_to(caller))
    )
    row = (await read.execute(query)).one_or_none()
    return None if row is None else SlotRow(*row)


async def put_slot(write: Write, key: str, change: SlotChange, caller: Caller, now_ns: int) -> PutSlot | None:
    """Creates or updates a slot, its transcript with it; None where the slot or the transcript is not the caller's."""
    known = await find_slot(write, key, caller)
    if known is None and await write.scalar(sa.select(sa.exists().where(Slot.key == key))):
        return None
    transcript_key = change.transcript_key or (known.transcript_key if known else key)
    if known is None or transcript_key != known.transcript_key:
        if not await _may_show(write, transcript_key, caller):
            return None
        await transcripts.create_transcript(write, transcript_key, source="host", now_ns=now_ns)
        if known is None:
            await write.execute(sa.insert(Slot).values(key=key, app=caller.app, **await _fresh(write, transcript_key)))
        else:
            await _point_elsewhere(write, key, transcript_key, now_ns)
    turned_private = await change_metadata(write, transcript_key, change, now_ns)
    slot = await find_slot(write, key, caller)
    if slot is None:
        raise LookupError("a slot vanished inside its own transaction")
    return PutSlot(slot, created=known is None, turned_private=turned_private)


async def put_denial_reason(read: Read, key: str, caller: Caller) -> str:
    """Why a slot was not put, for the audit log alone."""
    exists = await read.scalar(sa.select(sa.exists().where(Slot.key == key)))
    foreign_slot = exists and await find_slot(read, key, caller) is None
    return "foreign_slot" if foreign_slot else "foreign_transcript"


async def _may_show(write: Write, transcript_key: str, caller: Caller) -> bool:
    """An app may open a transcript that does not exist yet, or one on which it already has a slot."""
    if caller.app is None:
        return True
    exists = await write.scalar(sa.select(sa.exists().where(Transcript.key == transcript_key)))
    own = sa.exists().where(Slot.transcript_key == transcript_key, Slot.app == caller.app)
    return not exists or bool(await write.scalar(sa.select(own)))


async def _fresh(write: Write, transcript_key: str) -> dict[str, Any]:
    """A slot as it begins on a transcript: its summary is not due again, and a rewind since then does not lock it."""
    stored = sa.select(sa.func.min(Summary.user_turns, Transcript.user_turns)).join(
        Transcript, Transcript.key == Summary.transcript_key
    )
    mark = await write.scalar(stored.where(Summary.transcript_key == transcript_key, Summary.payload.is_not(None)))
    return {"transcript_key": transcript_key, "running": 0, "last_stop_reason": None, "turn_mark": mark or 0}


async def _point_elsewhere(write: Write, key: str, transcript_key: str, now_ns: int) -> None:
    """The slot shows another session from now on; the turn that ran on it is none of that one's."""
    running = (await write.execute(sa.select(Slot.app).where(Slot.key == key, Slot.running > 0))).one_or_none()
    await write.execute(sa.update(Slot).where(Slot.key == key).values(**await _fresh(write, transcript_key)))
    if running is not None:
        await announce_turn(write, key, running.app, running=False, now_ns=now_ns)


async def change_metadata(write: Write, transcript_key: str, change: SlotChange, now_ns: int) -> bool:
    """Applies what was sent and announces it; identity and list order stay. True where stored text had to go.

    A private session keeps neither title nor project: either may hold the person's words.
    """
    turned_private = False
    if not isinstance(change.memory_mode, Unset):
        turned_private = await transcripts.set_memory_mode(write, transcript_key, change.memory_mode)
    sent = {"title": change.title, "project": change.project}
    values = {name: value for name, value in sent.items() if value is not UNSET}
    if values:
        ordinary = Transcript.memory_mode.not_in(transcripts.PRIVATE_MODES)
        await write.execute(sa.update(Transcript).where(Transcript.key == transcript_key, ordinary).values(**values))
    await announce(write, EventType.CHANGED, transcript_key, now_ns)
    return turned_private


async def start_turn(write: Write, key: str, caller: Caller, now_ns: int) -> bool:
    """Marks a turn as running and clears the last stop reason; False for a slot the caller may not see."""
    return await _set_turn(write, key, caller, running=now_ns, stop_reason=None, now_ns=now_ns)


async def end_turn(write: Write, key: str, caller: Caller, stop_reason: str | None, now_ns: int) -> bool:
    """Records how a turn ended, whether or not a start was seen; False for a slot the caller may not see."""
    return await _set_turn(write, key, caller, running=0, stop_reason=stop_reason, now_ns=now_ns)


async def _set_turn(
    write: Write, key: str, caller: Caller, *, running: int, stop_reason: str | None, now_ns: int
) -> bool:
    statement = (
        sa.update(Slot)
        .where(Slot.key == key, visible_to(caller))
        .values(running=running, last_stop_reason=stop_reason)
        .returning(Slot.app)
    )
    row = (await write.execute(statement)).one_or_none()
    if row is None:
        return False
    await announce_turn(write, key, row.app, running=running > 0, now_ns=now_ns)
    return True
