"""Summaries: the lease that makes one pass of many, and the one statement that decides whether a summary is stored."""

from dataclasses import dataclass

import sqlalchemy as sa

from service.domain.identity import Identity, Refusal, StaleReason, stale_reason
from service.store.access import Caller, visible_to
from service.store.engine import Read, Write
from service.store.events import EventType, announce
from service.store.slots import running_since, turn_runs
from service.store.tables import Slot, Source, Summary, Transcript
from service.store.transcripts import PRIVATE_MODES, is_private


@dataclass(frozen=True, slots=True)
class SlotState:
    """Everything that a read, the gates and the freshness check need of one slot, from one statement."""

    slot: str
    transcript_key: str
    app: str | None
    title: str | None
    project: str | None
    identity: Identity
    memory_mode: str
    user_turns: int
    running: bool
    last_stop_reason: str | None
    turn_mark: int
    payload: str | None
    stored: Identity
    generated_at: float | None
    lease_until: int | None
    source_path: str | None
    source_size: int | None
    unprompted: str | None
    known_since_ns: int

    @property
    def private(self) -> bool:
        return is_private(self.memory_mode)

    @property
    def stale_reason(self) -> StaleReason | None:
        """How the transcript moved on since the stored summary was made; None where it is fresh or there is none."""
        return None if self.payload is None else stale_reason(self.stored, self.identity)

    @property
    def fresh(self) -> bool:
        return self.payload is not None and self.stored == self.identity

    def leased(self, now_ns: int) -> bool:
        """Whether a pass holds the lease, so that another one would be turned away."""
        return self.lease_until is not None and self.lease_until >= now_ns


@dataclass(frozen=True, slots=True)
class MadeSummary:
    """A summary on its way to the store: the exact JSON text, what it was made from, and what lists show of it."""

    identity: Identity
    payload: str
    generated_at: float
    user_turns: int
    headline: str | None
    state: str | None
    open_items: int


async def read_slot_state(read: Read, slot: str, caller: Caller, now_ns: int) -> SlotState | None:
    """The state of a slot the caller may see, else None."""
    query = (
        sa.select(
            Slot.key,
            Slot.transcript_key,
            Slot.app,
            Transcript.title,
            Transcript.project,
            Transcript.sig,
            Transcript.gen,
            Transcript.memory_mode,
            Transcript.user_turns,
            turn_runs(now_ns).label("running"),
            Slot.last_stop_reason,
            Slot.turn_mark,
            Summary.payload,
            Summary.sig,
            Summary.gen,
            Summary.generated_at,
            Summary.lease_until,
            Source.path,
            Source.size,
            Transcript.unprompted,
            Transcript.known_since_ns,
        )
        .select_from(Slot)
        .join(Transcript, Transcript.key == Slot.transcript_key)
        .join(Summary, Summary.transcript_key == Transcript.key)
        .outerjoin(Source, Source.transcript_key == Transcript.key)
        .where(Slot.key == slot, visible_to(caller))
        # A session mirrors one file; should a database ever say two, every read takes the same one.
        .order_by(Source.path)
        .limit(1)
    )
    row = (await read.execute(query)).one_or_none()
    if row is None:
        return None
    key, transcript, app, title, project, sig, gen, mode, turns, runs, *more = row
    stop, mark, payload, s_sig, s_gen, made, lease, *rest = more
    return SlotState(
        slot=key,
        transcript_key=transcript,
        app=app,
        title=title,
        project=project,
        identity=Identity(sig, gen),
        memory_mode=mode,
        user_turns=turns,
        running=bool(runs),
        last_stop_reason=stop,
        turn_mark=mark,
        payload=payload,
        stored=Identity(s_sig, s_gen),
        generated_at=made,
        lease_until=lease,
        source_path=rest[0],
        source_size=rest[1],
        unprompted=rest[2],
        known_since_ns=rest[3],
    )


async def take_lease(write: Write, transcript_key: str, owner: str, now_ns: int, until_ns: int) -> bool:
    """Takes the lease where nobody holds it: of any number that try at once, exactly one is told True."""
    free = sa.or_(Summary.lease_until.is_(None), Summary.lease_until < now_ns)
    taken = await write.scalar(
        sa.update(Summary)
        .where(Summary.transcript_key == transcript_key, free)
        .values(lease_owner=owner, lease_until=until_ns)
        .returning(Summary.transcript_key)
    )
    return taken is not None


async def extend_lease(write: Write, transcript_key: str, owner: str, until_ns: int) -> bool:
    """Counts the lease anew from the moment a worker starts the pass; False where it was lost in the queue."""
    kept = await write.scalar(
        sa.update(Summary)
        .where(Summary.transcript_key == transcript_key, Summary.lease_owner == owner)
        .values(lease_until=until_ns)
        .returning(Summary.transcript_key)
    )
    return kept is not None


async def release_lease(write: Write, transcript_key: str, owner: str) -> None:
    """Gives the lease back where it is still the owner's."""
    await write.execute(
        sa.update(Summary)
        .where(Summary.transcript_key == transcript_key, Summary.lease_owner == owner)
        .values(lease_owner=None, lease_until=None)
    )


async def release_all_leases(write: Write) -> None:
    """At start nobody else owns this data folder, so a lease found then is a dead process's."""
    await write.execute(
        sa.update(Summary).where(Summary.lease_until.is_not(None)).values(lease_owner=None, lease_until=None)
    )


async def store_summary(
    write: Write, transcript_key: str, owner: str, made: MadeSummary, now_ns: int
) -> Refusal | None:
    """Stores the summary, sets the marks and announces it, or stores nothing and says why.

    One statement decides: the transcript exists, is what the summary was made from, is not private, the pass holds its
    lease, and no turn runs on any slot that shows it.
    """
    same = sa.exists().where(
        Transcript.key == transcript_key,
        Transcript.sig == made.identity.sig,
        Transcript.gen == made.identity.gen,
        Transcript.memory_mode.not_in(PRIVATE_MODES),
    )
    quiet = ~sa.exists().where(Slot.transcript_key == transcript_key, running_since(now_ns))
    stored = await write.scalar(
        sa.update(Summary)
        .where(Summary.transcript_key == transcript_key, Summary.lease_owner == owner, same, quiet)
        .values(
            sig=made.identity.sig,
            gen=made.identity.gen,
            payload=made.payload,
            generated_at=made.generated_at,
            user_turns=made.user_turns,
            headline=made.headline,
            state=made.state,
            open_items=made.open_items,
            lease_owner=None,
            lease_until=None,
        )
        .returning(Summary.transcript_key)
    )
    if stored is None:
        reason = await _refusal(write, transcript_key, made.identity, now_ns)
        await release_lease(write, transcript_key, owner)
        return reason
    await write.execute(sa.update(Slot).where(Slot.transcript_key == transcript_key).values(turn_mark=made.user_turns))
    await announce(write, EventType.SUMMARY, transcript_key, now_ns)
    return None


async def _refusal(write: Write, transcript_key: str, identity: Identity, now_ns: int) -> Refusal:
    query = sa.select(
        Transcript.sig,
        Transcript.gen,
        Transcript.memory_mode,
        turn_runs(now_ns),
    ).where(Transcript.key == transcript_key)
    row = (await write.execute(query)).one_or_none()
    if row is None:
        return Refusal.DELETED
    sig, gen, memory_mode, running = row
    if is_private(memory_mode):
        return Refusal.MEMORY_MODE
    if running:
        return Refusal.RUNNING
    return Refusal.MOVED if Identity(sig, gen) != identity else Refusal.IN_FLIGHT
