"""The sessions list, as the store reads it."""

from collections.abc import Mapping

import sqlalchemy as sa

from service.store.access import DASHBOARD
from service.store.engine import Database, Write
from service.store.listing import Wanted, list_slots
from service.store.tables import Base, Slot, Transcript
from tests.support.stored import NOW_NS, open_slot


async def test_of_very_many_projects_the_latest_are_offered(db: Database) -> None:
    """Who has a folder for every session gets those worked on last, in the order of their names."""
    await open_slot(db, "s")

    async def copies(w: Write, table: type[Base], *values: Mapping[str, object]) -> None:
        row = (await w.execute(sa.select(table.__table__))).mappings().one()
        await w.execute(sa.insert(table), [{**row, **changed} for changed in values])

    async def write(w: Write) -> None:
        keys = [f"{n:04}" for n in range(1_002)]
        made = [{"key": key, "project": f"/dev/{key}", "sort_ns": NOW_NS + n} for n, key in enumerate(keys)]
        await copies(w, Transcript, *made)
        await copies(w, Slot, *({"key": key, "transcript_key": key} for key in keys))

    await db.write(write)
    page = await db.read(lambda r: list_slots(r, Wanted(limit=1, derived=True), DASHBOARD, NOW_NS))
    assert page.choices.projects == [f"/dev/{n:04}" for n in range(2, 1_002)]
    assert page.choices.sources == ["host"]
