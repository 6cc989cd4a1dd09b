"""What waits for the person over all sessions."""

import functools
import json

import pytest

from service.store import summaries
from service.store.access import DASHBOARD, Caller
from service.store.cursors import BadCursorError
from service.store.engine import Database
from service.store.open_items import OpenItem, list_open_items
from service.store.summaries import MadeSummary
from tests.support.stored import NOW_NS, open_slot, said, state_of


def intent(title: str, *steps: str, state: str = "needs-you", turn: int = 1) -> dict[str, object]:
    """An intent of a stored payload."""
    shown = [{"what": what, "why": "w", "expect": "e"} for what in steps]
    return {"title": title, "state": state, "last_touched_turn": turn, "next_steps": shown}


async def summarize(db: Database, slot: str, *intents: dict[str, object], state: str = "needs-you") -> None:
    """Stores a summary that holds these intents."""
    key, identity = (found := await state_of(db, slot)).transcript_key, found.identity
    payload = json.dumps({"intents": intents, "constraints": []})
    made = MadeSummary(identity, payload, 1.0, 1, "headline", state, 1)
    await db.write(lambda w: summaries.take_lease(w, key, "me", NOW_NS, NOW_NS + 1))
    assert await db.write(lambda w: summaries.store_summary(w, key, "me", made, NOW_NS)) is None


async def items(db: Database, caller: Caller = DASHBOARD) -> list[OpenItem]:
    page = await db.read(lambda r: list_open_items(r, caller, 50))
    return list(page.items)


async def test_only_what_needs_the_person(db: Database) -> None:
    """Steps of intents in progress or done are none of them."""
    await open_slot(db, "a", said("Hello", "2026-03-01T10:00:00Z"))
    await summarize(db, "a", intent("Waits", "deploy"), intent("Goes on", "code", state="in-progress"))
    assert await items(db) == [
        OpenItem("a", "headline", "Waits", "deploy", "w", "e", 1, "2026-03-01T10:00:00+00:00"),
    ]


async def test_the_oldest_waits_first(db: Database) -> None:
    """Times are compared as moments, however each host writes them; without one the last write counts."""
    times = {"iso": "2026-03-02T10:00:00+02:00", "seconds": "1772300000", "milliseconds": "1772200000000", "none": None}
    for key, ts in times.items():
        await open_slot(db, key, said("Hello", ts))
        await summarize(db, key, intent("Waits", "deploy"))
    assert [item.slot for item in await items(db)] == ["none", "milliseconds", "seconds", "iso"]
    assert [item.slot for item in await items(db) if item.since is None] == ["none"]


async def test_a_session_is_one_whatever_shows_it(db: Database) -> None:
    """Two slots on one transcript give each item once; an app sees it under its own slot, others not at all."""
    await open_slot(db, "b", said("Hello"), transcript="t")
    await open_slot(db, "a", transcript="t")
    await open_slot(db, "mine", said("Hello"), app="my-chat")
    await summarize(db, "a", intent("Waits", "deploy"))
    await summarize(db, "mine", intent("Also waits", "test"))
    assert sorted(item.slot for item in await items(db)) == ["a", "mine"]
    assert [item.slot for item in await items(db, Caller("my-chat"))] == ["mine"]
    assert await items(db, Caller("other")) == []


async def test_pages_hold_every_item_once(db: Database) -> None:
    """Cursors lead through all of them in order, within a session too."""
    for key in ("a", "b"):
        await open_slot(db, key, said("Hello", "2026-03-01T10:00:00Z"))
        await summarize(db, key, intent("First", "1", "2", "3"), intent("Second", "4"))
    seen: list[tuple[str, str]] = []
    cursor: str | None = None
    while True:
        page = await db.read(functools.partial(list_open_items, caller=DASHBOARD, limit=3, after=cursor))
        seen += [(item.slot, item.what) for item in page.items]
        if (cursor := page.next) is None:
            break
    assert seen == [(key, what) for key in ("a", "b") for what in ("1", "2", "3", "4")]


async def test_what_names_no_step_is_listed_apart(db: Database) -> None:
    """Every intent that needs the person is in exactly one of the two lists, for whoever may see it."""
    await open_slot(db, "a", said("Hello", "2026-03-01T10:00:00Z"))
    await summarize(db, "a", intent("Waits", "deploy"), intent("Waits too"), intent("Goes on", state="in-progress"))
    page = await db.read(lambda r: list_open_items(r, DASHBOARD, 50))
    assert [item.intent for item in page.items] == ["Waits"]
    assert page.unnamed == [OpenItem("a", "headline", "Waits too", "", "", "", 1, "2026-03-01T10:00:00+00:00")]
    assert (await db.read(lambda r: list_open_items(r, Caller("other"), 50))).unnamed == []


@pytest.mark.parametrize("cursor", ["", "x", "AAAA", "MQ", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5IDEgYQ"])
async def test_a_cursor_that_is_none(db: Database, cursor: str) -> None:
    """It is refused as such."""
    with pytest.raises(BadCursorError):
        await db.read(lambda r: list_open_items(r, DASHBOARD, 3, after=cursor))


async def test_times_of_any_spelling_are_ordered(db: Database) -> None:
    """What waits longest comes first, however its host writes times, to the millisecond."""
    times = {
        "c": "2026-03-01T10:00:00.900Z",
        "b": "2026-03-01T10:00:00.100Z",
        "a": "2026-03-01T11:30:00+0200",
        "e": "1772445600.5",
        "d": "20260301T100001Z",
    }
    for slot, ts in times.items():
        await open_slot(db, slot, said("Hello", ts))
        await summarize(db, slot, intent("Waits", "deploy"))
    assert [item.slot for item in await items(db)] == ["a", "b", "c", "d", "e"]
