"""The lease and the guarded write."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
import sqlalchemy as sa

from service.domain.identity import Identity, Refusal, StaleReason
from service.store import deletion, slots, summaries, transcripts
from service.store.access import DASHBOARD
from service.store.engine import Database, Write
from service.store.events import events_after
from service.store.slots import TURN_FORGOTTEN_NS, SlotChange
from tests.support.stored import NOW_NS, PAYLOAD, made, open_slot, replied, said, state_of

LATER = NOW_NS + 1_000


async def leased(db: Database, key: str = "s", owner: str = "me") -> Identity:
    """A session with one turn, whose lease is held; the identity to write with."""
    await open_slot(db, key, said("sort the imports"), replied("Sorted."))
    assert await db.write(lambda w: summaries.take_lease(w, key, owner, NOW_NS, NOW_NS + 10**12))
    return (await state_of(db, key)).identity


async def store(db: Database, identity: Identity, owner: str = "me", key: str = "s") -> Refusal | None:
    return await db.write(lambda w: summaries.store_summary(w, key, owner, made(identity), LATER))


async def test_a_summary_of_the_current_content_is_stored_and_announced(db: Database) -> None:
    """What was made from what stands is stored, sets the mark, frees the lease and is announced once."""
    identity = await leased(db)
    assert await store(db, identity) is None
    state = await state_of(db, "s")
    assert (state.payload, state.stored, state.turn_mark, state.lease_until) == (PAYLOAD, identity, 1, None)
    assert state.fresh
    events = await db.read(lambda r: events_after(r, 0, 100, DASHBOARD))
    assert [event.slot for event in events if event.type == "session_summary"] == ["s"]


def _append(w: Write) -> Awaitable[object]:
    return transcripts.append_messages(w, "s", [said("and the docs")], LATER)


def _rewrite(w: Write) -> Awaitable[object]:
    return transcripts.rewrite_messages(w, "s", [said("sort the exports")], LATER)


def _start_turn(w: Write) -> Awaitable[object]:
    return slots.start_turn(w, "s", DASHBOARD, LATER)


def _delete(w: Write) -> Awaitable[object]:
    return deletion.delete_transcript(w, "s", LATER, tombstone=True)


def _turn_private(w: Write) -> Awaitable[object]:
    return slots.change_metadata(w, "s", SlotChange(memory_mode=" Incognito"), LATER)


def _lose_lease(w: Write) -> Awaitable[object]:
    return summaries.release_all_leases(w)


@pytest.mark.parametrize(
    ("meanwhile", "refusal"),
    [
        (_append, Refusal.MOVED),
        (_rewrite, Refusal.MOVED),
        (_start_turn, Refusal.RUNNING),
        (_delete, Refusal.DELETED),
        (_turn_private, Refusal.MEMORY_MODE),
        (_lose_lease, Refusal.IN_FLIGHT),
    ],
)
async def test_what_happens_meanwhile_refuses_the_write(
    db: Database, meanwhile: Callable[[Write], Awaitable[object]], refusal: Refusal
) -> None:
    """Each thing that may happen during a pass refuses its summary with its own reason; nobody is told."""
    identity = await leased(db)
    await db.write(meanwhile)
    assert await store(db, identity) is refusal
    events = await db.read(lambda r: events_after(r, 0, 100, DASHBOARD))
    assert "session_summary" not in [event.type for event in events]
    stored = await db.read(lambda r: r.scalar(sa.text("SELECT count(*) FROM summaries WHERE payload IS NOT NULL")))
    assert stored == 0


async def test_a_late_write_cannot_bring_a_deleted_session_back(db: Database) -> None:
    """After a refused write no row of the deleted session exists anywhere."""
    identity = await leased(db)
    await db.write(_delete)
    await store(db, identity)
    for table in ("transcripts", "messages", "facts", "summaries", "titles", "slots"):
        count = sa.text(f"SELECT count(*) FROM {table}")  # noqa: S608 - fixed names
        assert await db.read(lambda r, q=count: r.scalar(q)) == 0, table  # type: ignore[misc] # bound per loop


async def test_a_turn_on_another_slot_of_the_transcript_refuses_too(db: Database) -> None:
    """Two slots show one transcript: a turn that runs on either holds the write back."""
    identity = await leased(db)
    await db.write(lambda w: slots.put_slot(w, "other", SlotChange(transcript_key="s"), DASHBOARD, LATER))
    await db.write(lambda w: slots.start_turn(w, "other", DASHBOARD, LATER))
    assert await store(db, identity) is Refusal.RUNNING


async def test_a_forgotten_turn_does_not_hold_the_write_back(db: Database) -> None:
    """Six hours after the last row a turn start is forgotten: a host that died cannot lock its session."""
    identity = await leased(db)
    await db.write(lambda w: slots.start_turn(w, "s", DASHBOARD, LATER - TURN_FORGOTTEN_NS))
    assert await store(db, identity) is None


async def test_rows_keep_a_long_turn_alive(db: Database) -> None:
    """A turn that still gives rows is not forgotten, however long ago it began."""
    await open_slot(db, "s")
    await db.write(lambda w: slots.start_turn(w, "s", DASHBOARD, NOW_NS - TURN_FORGOTTEN_NS))
    await db.write(lambda w: transcripts.append_messages(w, "s", [said("still here")], NOW_NS))
    assert (await state_of(db, "s", now_ns=NOW_NS + TURN_FORGOTTEN_NS - 1)).running
    assert not (await state_of(db, "s", now_ns=NOW_NS + TURN_FORGOTTEN_NS)).running


async def test_of_many_takers_one_gets_the_lease(db: Database) -> None:
    """Of fifty that try at once exactly one holds the lease."""
    await open_slot(db, "s", said("sort the imports"))
    taken = await asyncio.gather(
        *(
            db.write(lambda w, n=n: summaries.take_lease(w, "s", f"owner {n}", NOW_NS, NOW_NS + 10))  # type: ignore[misc] # bound per loop
            for n in range(50)
        )
    )
    assert sum(taken) == 1


async def test_a_lease_that_ran_out_can_be_taken(db: Database) -> None:
    """A pass that died with its lease does not lock the session for ever, and cannot write once it was replaced."""
    identity = await leased(db)
    after = NOW_NS + 10**12 + 1
    assert await db.write(lambda w: summaries.take_lease(w, "s", "another", after, after + 10))
    assert not await db.write(lambda w: summaries.extend_lease(w, "s", "me", after + 10))
    assert await store(db, identity) is Refusal.IN_FLIGHT
    assert (await state_of(db, "s")).lease_until == after + 10


async def test_stale_says_how_the_transcript_moved_on(db: Database) -> None:
    """An append reads as appended, a rewrite as rewritten, also when both happened."""
    identity = await leased(db)
    await store(db, identity)
    await db.write(_append)
    assert (await state_of(db, "s")).stale_reason is StaleReason.APPENDED
    await db.write(_rewrite)
    assert (await state_of(db, "s")).stale_reason is StaleReason.REWRITTEN


async def test_a_write_touches_no_transcript_and_no_message(db: Database) -> None:
    """Transcript and message rows are byte for byte the same before and after a summary is stored."""
    identity = await leased(db)

    async def rows() -> list[object]:
        found: list[object] = []
        for table in ("transcripts", "messages", "facts"):
            query = sa.text(f"SELECT * FROM {table} ORDER BY 1, 2")  # noqa: S608 - fixed names
            found += [tuple(row) for row in await db.read(lambda r, q=query: r.execute(q))]  # type: ignore[misc] # bound per loop
        return found

    before = await rows()
    assert await store(db, identity) is None
    assert await rows() == before


async def test_a_hundred_appends_racing_generations_leave_nothing_stale(db: Database) -> None:
    """Each summary that was accepted was made from what stood at that very moment."""
    await open_slot(db, "s", said("begin"))
    accepted = 0

    async def generate(n: int) -> None:
        nonlocal accepted
        owner = f"owner {n}"
        if not await db.write(lambda w: summaries.take_lease(w, "s", owner, NOW_NS, NOW_NS + 10**12)):
            return
        identity = (await state_of(db, "s")).identity
        await asyncio.sleep(0)

        async def write(w: Write) -> None:
            nonlocal accepted
            now = await transcript_identity(w)
            refused = await summaries.store_summary(w, "s", owner, made(identity), LATER)
            assert (refused is None) == (now == identity)
            accepted += refused is None

        await db.write(write)

    async def append(n: int) -> None:
        await db.write(lambda w: transcripts.append_messages(w, "s", [said(f"message {n}")], NOW_NS + n))

    await asyncio.gather(*(job for n in range(100) for job in (append(n), generate(n))))
    await generate(100)
    assert accepted >= 1


async def transcript_identity(w: Write) -> Identity:
    row = (await w.execute(sa.text("SELECT sig, gen FROM transcripts WHERE key = 's'"))).one()
    return Identity(row.sig, row.gen)
