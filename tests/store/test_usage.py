"""The ledger as it is shown."""

import pytest

from service.store import deletion, ledger
from service.store.access import DASHBOARD, Caller
from service.store.cursors import BadCursorError
from service.store.engine import Database
from service.store.ledger import Entry, Outcome, Trigger
from service.store.usage import Totals, Usage, WantedPasses, read_usage
from tests.support.stored import NOW_NS, open_slot, said


async def record(
    db: Database, slot: str, *, at: float = 1.0, cost: float | None = 0.25, outcome: Outcome = Outcome.STORED
) -> None:
    """One pass that used 100 tokens in and 10 out."""
    entry = Entry(slot, slot, Trigger.REQUEST, outcome, None, at, 2.0, "model", 100, 10, 0, 0, cost)
    await db.write(lambda w: ledger.record(w, entry))


async def usage(db: Database, caller: Caller = DASHBOARD, **wanted: object) -> Usage:
    asked = WantedPasses(**{"limit": 50, **wanted})  # type: ignore[arg-type]  # each test names its own fields
    return await db.read(lambda r: read_usage(r, asked, caller))


async def test_totals_count_all_that_matches(db: Database) -> None:
    """They do not depend on the page; a pass without a known price is counted as such."""
    await open_slot(db, "a", said("Hello"))
    await record(db, "a")
    await record(db, "a", cost=None, outcome=Outcome.FAILED)
    found = await usage(db, limit=1)
    assert len(found.passes) == 1
    assert found.totals == Totals(2, 1, 200, 20, 0, 0, 0.25, 1)


async def test_filters(db: Database) -> None:
    """By slot and by time."""
    for key in ("a", "b"):
        await open_slot(db, key, said("Hello"))
        await record(db, key, at=1.0)
        await record(db, key, at=5.0)
    assert [row.slot for row in (await usage(db, slot="a")).passes] == ["a", "a"]
    assert (await usage(db, since=2.0)).totals.passes == 2
    assert (await usage(db, slot="nope")).totals == Totals(0, 0, 0, 0, 0, 0, 0.0, 0)


async def test_an_app_sees_its_own_passes(db: Database) -> None:
    """Neither others' rows nor their sums."""
    await open_slot(db, "a", said("Hello"))
    await open_slot(db, "mine", said("Hello"), app="my-chat")
    await record(db, "a")
    await record(db, "mine")
    found = await usage(db, Caller("my-chat"))
    assert [row.slot for row in found.passes] == ["mine"]
    assert found.totals.passes == 1
    assert (await usage(db, Caller("my-chat"), slot="a")).passes == []


async def test_a_deleted_sessions_costs_stay(db: Database) -> None:
    """The row keeps tokens and money and names nothing."""
    await open_slot(db, "a", said("Hello"))
    await record(db, "a")
    await db.write(lambda w: deletion.delete_transcript(w, "a", NOW_NS, tombstone=True))
    found = await usage(db)
    assert (found.passes[0].slot, found.totals.input_tokens) == (None, 100)


async def test_pages_run_from_the_newest_on(db: Database) -> None:
    """Cursors lead through every row once."""
    await open_slot(db, "a", said("Hello"))
    for at in range(5):
        await record(db, "a", at=float(at))
    seen: list[float] = []
    after: str | None = None
    while True:
        page = await usage(db, limit=2, after=after)
        seen += [row.started_at for row in page.passes]
        if (after := page.next) is None:
            break
    assert seen == [4.0, 3.0, 2.0, 1.0, 0.0]


@pytest.mark.parametrize("cursor", ["", "x", "-1", "1.5", "٣", "9" * 40])
async def test_a_cursor_that_is_none(db: Database, cursor: str) -> None:
    """It is refused as such."""
    with pytest.raises(BadCursorError):
        await usage(db, after=cursor)
