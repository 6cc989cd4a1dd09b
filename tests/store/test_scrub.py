"""Stored text on its way through changed rules."""

from service.store import scrub
from service.store.access import DASHBOARD
from service.store.engine import Database
from service.store.events import EventType, events_after, newest_id
from service.store.scrub import MOST_BYTES, StoredText
from service.store.tables import Message, Transcript
from tests.support.stored import NOW_NS, open_slot, said, state_of


async def _batches(db: Database) -> list[list[int]]:
    """How long the texts are that are taken out together."""
    batches: list[list[int]] = []
    rowid = 0
    while texts := await db.read(lambda r, after=rowid: scrub.texts_after(r, Message.content, after)):  # type: ignore[misc] # bound per loop
        batches.append([len(stored.text) for stored in texts])
        rowid = texts[-1].rowid
    return batches


async def test_long_texts_are_taken_out_a_few_at_a_time(db: Database) -> None:
    """What is held at once is bounded by its bytes; a text that is longer by itself is taken alone."""
    half, whole = MOST_BYTES // 2, 2 * MOST_BYTES
    await open_slot(db, "s", *(said("x" * size) for size in (half, half, 1, whole, half, 1, 1)))
    assert await _batches(db) == [[half, half], [1], [whole], [half, 1, 1]]


async def test_text_is_measured_in_bytes_whatever_it_holds(db: Database) -> None:
    """Neither a NUL nor letters of several bytes make a text shorter than it is."""
    await open_slot(db, "s", said("x\0" + "x" * MOST_BYTES), said("ж" * (MOST_BYTES // 2)), said("y"))
    assert await _batches(db) == [[MOST_BYTES + 2], [MOST_BYTES // 2], [1]]


async def test_short_texts_are_taken_out_by_the_hundred(db: Database) -> None:
    """Nobody reads them a row at a time."""
    await open_slot(db, "s", *(said("x") for _ in range(250)))
    assert [len(batch) for batch in await _batches(db)] == [200, 50]


async def test_every_slot_that_shows_a_changed_text_is_told_once(db: Database) -> None:
    """Pages that show the session read it again; identity stays, and sessions whose text stayed are not named."""
    await open_slot(db, "s", said("one"), said("two"))
    await open_slot(db, "also", transcript="s")
    await open_slot(db, "other", said("one"))
    identity = (await state_of(db, "s")).identity
    before = await db.read(newest_id)
    pairs = [(StoredText(1, "one"), "ONE"), (StoredText(2, "two"), "TWO"), (StoredText(3, "is other by now"), "ONE")]
    await db.write(lambda w: scrub.replace_texts(w, Message.content, pairs, NOW_NS))
    events = await db.read(lambda r: events_after(r, before, 100, DASHBOARD))
    assert [(event.type, event.slot) for event in events] == [(EventType.CHANGED, "also"), (EventType.CHANGED, "s")]
    assert (await state_of(db, "s")).identity == identity


async def test_a_changed_title_is_told_too(db: Database) -> None:
    """A session's own row names it by another column than the rows below it do."""
    await open_slot(db, "s")
    before = await db.read(newest_id)
    await db.write(lambda w: w.exec_driver_sql("UPDATE transcripts SET title = 'old'"))
    await db.write(lambda w: scrub.replace_texts(w, Transcript.title, [(StoredText(1, "old"), "new")], NOW_NS))
    assert [event.slot for event in await db.read(lambda r: events_after(r, before, 100, DASHBOARD))] == ["s"]
