"""Identity: which changes move it, and what is kept of messages."""

import sqlalchemy as sa

from service.store import slots, summaries, transcripts
from service.store.access import DASHBOARD
from service.store.engine import Database
from service.store.slots import SlotChange
from tests.support.stored import NOW_NS, failed_run, made, open_slot, replied, said, state_of


async def test_an_append_grows_sig_alone(db: Database) -> None:
    """Appending moves `sig` strictly up, even where the clock stands still, and leaves `gen`."""
    await open_slot(db, "s", said("one"))
    before = (await state_of(db, "s")).identity
    await db.write(lambda w: transcripts.append_messages(w, "s", [said("two")], NOW_NS))
    after = (await state_of(db, "s")).identity
    assert after.sig > before.sig
    assert after.gen == before.gen


async def test_a_rewrite_grows_gen_alone_and_keeps_the_order(db: Database) -> None:
    """Rewriting keeps `sig` and the place in the list."""
    await open_slot(db, "s", said("one"))
    before = (await state_of(db, "s")).identity
    order = await db.read(lambda r: r.scalar(sa.text("SELECT sort_ns FROM transcripts")))
    await db.write(lambda w: transcripts.rewrite_messages(w, "s", [said("another")], NOW_NS + 5))
    after = (await state_of(db, "s")).identity
    assert (after.sig, after.gen) == (before.sig, before.gen + 1)
    assert await db.read(lambda r: r.scalar(sa.text("SELECT sort_ns FROM transcripts"))) == order


async def test_metadata_moves_nothing(db: Database) -> None:
    """Title, project and mode leave the identity as it is."""
    await open_slot(db, "s", said("one"))
    before = (await state_of(db, "s")).identity
    change = SlotChange(title="Imports", project="/home/dev/shop", memory_mode="normal")
    await db.write(lambda w: slots.change_metadata(w, "s", change, NOW_NS + 5))
    assert (await state_of(db, "s")).identity == before


async def test_an_empty_append_changes_nothing(db: Database) -> None:
    """No messages, no move, nobody told."""
    await open_slot(db, "s", said("one"))
    before = await state_of(db, "s")
    assert not await db.write(lambda w: transcripts.append_messages(w, "s", [], NOW_NS + 5))
    assert await state_of(db, "s") == before


async def test_a_rewrite_clamps_the_turn_mark_of_every_slot(db: Database) -> None:
    """After a rewind the cadence counts from the new end: the session cannot lock itself."""
    await open_slot(db, "s", said("one"), said("two"), said("three"))
    await db.write(lambda w: slots.put_slot(w, "other", SlotChange(transcript_key="s"), DASHBOARD, NOW_NS))
    await db.write(lambda w: w.execute(sa.text("UPDATE slots SET turn_mark = 3")))
    await db.write(lambda w: transcripts.rewrite_messages(w, "s", [said("one")], NOW_NS))
    assert [(await state_of(db, slot)).turn_mark for slot in ("s", "other")] == [1, 1]


async def test_messages_come_back_with_their_facts(db: Database) -> None:
    """What was stored is what is read, in order, by exchange too."""
    first, second = said("sort", "2026-03-02T09:00:00Z"), replied("Sorted.", failed_run())
    third = said("fix it")
    await open_slot(db, "s", first, second, third)
    assert await db.read(lambda r: transcripts.load_messages(r, "s")) == (first, second, third)
    assert await db.read(lambda r: transcripts.load_messages(r, "s", turn=1)) == (first, second)
    assert await db.read(lambda r: transcripts.load_messages(r, "s", turn=2)) == (third,)


async def test_a_reply_that_grew_takes_the_place_of_its_beginning(db: Database) -> None:
    """A reply stored while it was written is replaced by its whole; turns stay counted once."""
    await open_slot(db, "s", said("sort"), replied("Sor"))
    whole = (replied("Sorted."), said("thanks"))
    await db.write(lambda w: transcripts.append_messages(w, "s", whole, NOW_NS, kept=1))
    stored = await db.read(lambda r: transcripts.load_messages(r, "s"))
    assert [message.content for message in stored] == ["sort", "Sorted.", "thanks"]
    assert (await state_of(db, "s")).user_turns == 2


async def test_a_session_that_turns_private_loses_what_was_stored(db: Database) -> None:
    """Messages, facts and artefacts go; what is said from then on is not written."""
    await open_slot(db, "s", said("one"), replied("Done.", failed_run()))
    await db.write(lambda w: slots.change_metadata(w, "s", SlotChange(memory_mode="TEMPORARY"), NOW_NS))
    await db.write(lambda w: transcripts.append_messages(w, "s", [said("two")], NOW_NS))
    await db.write(lambda w: transcripts.rewrite_messages(w, "s", [said("three")], NOW_NS))
    counts = "SELECT (SELECT count(*) FROM messages), (SELECT count(*) FROM facts), user_turns FROM transcripts"
    assert tuple((await db.read(lambda r: r.execute(sa.text(counts)))).one()) == (0, 0, 0)


async def test_last_activity_is_the_last_valid_time(db: Database) -> None:
    """A time that is none is passed over, whatever message bears it."""
    await open_slot(db, "s", said("one", "2026-03-02T09:00:00Z"), said("two", "yesterday"))
    assert await db.read(lambda r: r.scalar(sa.text("SELECT last_activity FROM transcripts"))) == "2026-03-02T09:00:00Z"


async def test_a_new_slot_on_a_summarised_transcript_starts_at_its_mark(db: Database) -> None:
    """Opening a session elsewhere does not make its summary due again."""
    await open_slot(db, "s", said("one"))
    identity = (await state_of(db, "s")).identity
    await db.write(lambda w: summaries.take_lease(w, "s", "me", NOW_NS, NOW_NS + 10))
    await db.write(lambda w: summaries.store_summary(w, "s", "me", made(identity), NOW_NS))
    await db.write(lambda w: slots.put_slot(w, "other", SlotChange(transcript_key="s"), DASHBOARD, NOW_NS))
    assert (await state_of(db, "other")).turn_mark == 1
