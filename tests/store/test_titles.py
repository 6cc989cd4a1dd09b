"""One-line titles in the store."""

from service.domain.identity import Identity, Refusal
from service.store import deletion, titles, transcripts
from service.store.access import DASHBOARD, Caller
from service.store.engine import Database
from service.store.events import EventType, events_after
from service.store.titles import MadeTitle, TitleState
from tests.support.stored import NOW_NS, open_slot, replied, said


async def found(db: Database, *slots: str, caller: Caller = DASHBOARD) -> list[TitleState]:
    return list(await db.read(lambda r: titles.find_titles(r, slots, caller, 8)))


async def claim(db: Database, key: str, owner: str) -> Refusal | None:
    return await db.write(lambda w: titles.claim_title(w, key, owner))


async def store(db: Database, key: str, owner: str, made: MadeTitle) -> Refusal | None:
    return await db.write(lambda w: titles.store_title(w, key, owner, made, NOW_NS))


def line(identity: Identity, text: str | None = "Sorts the imports") -> MadeTitle:
    return MadeTitle(identity, text, 1_760_000_000.5)


async def test_a_title_is_stored_and_announced(db: Database) -> None:
    """It is fresh for the identity it was made from, and every slot that shows the session is told."""
    await open_slot(db, "one", said("Sort the imports"), transcript="t")
    await open_slot(db, "two", transcript="t")
    (state,) = await found(db, "one")
    assert not state.fresh
    assert await claim(db, "t", "me") is None
    assert await store(db, "t", "me", line(state.identity)) is None
    assert [(one.title, one.fresh) for one in await found(db, "one", "two")] == [("Sorts the imports", True)] * 2
    events = await db.read(lambda r: events_after(r, 0, 100, DASHBOARD))
    assert [event.slot for event in events if event.type is EventType.TITLE] == ["one", "two"]


async def test_nothing_to_say_is_remembered(db: Database) -> None:
    """A title that says there is none is as fresh as any other."""
    await open_slot(db, "s", said("hi"))
    (state,) = await found(db, "s")
    await claim(db, "s", "me")
    await store(db, "s", "me", line(state.identity, None))
    assert [(one.title, one.fresh) for one in await found(db, "s")] == [(None, True)]


async def test_a_title_of_a_moved_session_reads_as_stale(db: Database) -> None:
    """It may be written, with the identity it was made from: it is stale at once."""
    await open_slot(db, "s", said("Sort the imports"))
    (before,) = await found(db, "s")
    await claim(db, "s", "me")
    await db.write(lambda w: transcripts.append_messages(w, "s", [replied("Done.")], NOW_NS + 1))
    assert await store(db, "s", "me", line(before.identity)) is None
    (after,) = await found(db, "s")
    assert (after.title, after.stored, after.fresh) == ("Sorts the imports", before.identity, False)


async def test_a_title_of_a_deleted_session_is_refused(db: Database) -> None:
    """Also where the session was made again under the same key meanwhile: nothing of the old one comes back."""
    await open_slot(db, "s", said("Sort the imports"))
    (state,) = await found(db, "s")
    await claim(db, "s", "me")
    await db.write(lambda w: deletion.delete_transcript(w, "s", NOW_NS, tombstone=True))
    assert await store(db, "s", "me", line(state.identity)) is Refusal.DELETED
    await open_slot(db, "s", said("Something else"))
    assert await store(db, "s", "me", line(state.identity)) is Refusal.MOVED
    assert [one.title for one in await found(db, "s")] == [None]


async def test_a_private_session_has_no_title(db: Database) -> None:
    """Neither while it is private nor, from before, once it is not any more."""
    await open_slot(db, "s", said("Sort the imports"))
    (state,) = await found(db, "s")
    await claim(db, "s", "me")
    await db.write(lambda w: transcripts.set_memory_mode(w, "s", "Incognito"))
    assert await found(db, "s") == []
    assert await claim(db, "s", "again") is Refusal.MEMORY_MODE
    assert await store(db, "s", "me", line(state.identity)) is Refusal.MEMORY_MODE
    await db.write(lambda w: transcripts.set_memory_mode(w, "s", None))
    assert await store(db, "s", "me", line(state.identity)) is Refusal.MOVED


async def test_the_last_claim_counts(db: Database) -> None:
    """Of two calls for one session only the one that claimed it last is stored."""
    await open_slot(db, "s", said("Sort the imports"))
    (state,) = await found(db, "s")
    await claim(db, "s", "first")
    await claim(db, "s", "second")
    assert await store(db, "s", "first", line(state.identity, "first")) is Refusal.MOVED
    assert await store(db, "s", "second", line(state.identity, "second")) is None


async def test_asked_order_and_ownership_hold(db: Database) -> None:
    """Slots come in the order they were asked for, without unknown and foreign ones, and no more than wanted."""
    for name, app in (("a", "red"), ("b", None), ("ü'\"☃", "red"), ("d", "red")):
        await open_slot(db, name, app=app)
    asked = ["d", "nowhere", "ü'\"☃", "b", "a"]
    assert [one.slot for one in await found(db, *asked)] == ["d", "ü'\"☃", "b", "a"]
    assert [one.slot for one in await found(db, *asked, caller=Caller("red"))] == ["d", "ü'\"☃", "a"]
    some = await db.read(lambda r: titles.find_titles(r, asked, DASHBOARD, 2))
    assert [one.slot for one in some] == ["d", "ü'\"☃"]
