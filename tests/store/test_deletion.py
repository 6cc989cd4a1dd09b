"""Deleting for good: rows, what the receipt counts, and the very bytes."""

import random
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa

from service.store import deletion, ledger, purge, slots, summaries, transcripts
from service.store.access import DASHBOARD
from service.store.deletion import Receipt
from service.store.engine import Database, Write
from service.store.ledger import Entry, Outcome, Trigger
from service.store.slots import SlotChange
from service.store.summaries import MadeSummary
from service.store.tables import Base
from tests.faults.needles import NEEDLE, files_with
from tests.support.stored import NOW_NS, failed_run, open_slot, replied, said, state_of

_OWED = "PRAGMA application_id"


async def delete(db: Database, key: str) -> Receipt | None:
    return await db.write(lambda w: deletion.delete_transcript(w, key, NOW_NS, tombstone=True))


async def summarize(db: Database, key: str, payload: str, headline: str = "Sort the imports") -> None:
    """Stores a summary of what stands at this moment."""
    identity = (await state_of(db, key)).identity
    made = MadeSummary(identity, payload, 1_760_000_000.5, 1, headline, "in-progress", 1)

    async def write(w: Write) -> None:
        assert await summaries.take_lease(w, key, "me", NOW_NS, NOW_NS + 10)
        assert await summaries.store_summary(w, key, "me", made, NOW_NS) is None

    await db.write(write)


async def test_the_receipt_counts_what_went(db: Database) -> None:
    """Messages, facts, artefacts that could be read, and every slot on the transcript; a second time there is none."""
    await open_slot(db, "s", said("sort"), replied("Done.", failed_run(), failed_run("mypy")))
    await db.write(lambda w: slots.put_slot(w, "other", SlotChange(transcript_key="s"), DASHBOARD, NOW_NS))
    await summarize(db, "s", '{"intents":[]}')
    assert await delete(db, "s") == Receipt(messages=2, facts=2, summaries=1, titles=0, slots=2)
    assert await delete(db, "s") is None


async def test_nothing_names_a_deleted_session(db: Database) -> None:
    """Its ledger rows keep their tokens and lose its name; no other table but the outbox holds its key."""
    await open_slot(db, "s", said("sort"))
    row = Entry("s", "s", Trigger.REQUEST, Outcome.STORED, None, 1.0, 2.0, input_tokens=7)
    await db.write(lambda w: ledger.record(w, row))
    await delete(db, "s")
    passes = await db.read(lambda r: r.execute(sa.text("SELECT slot, transcript_key, input_tokens FROM passes")))
    assert [tuple(found) for found in passes] == [(None, None, 7)]
    for table in Base.metadata.tables.values():
        if table.name != "events":
            found = await db.read(lambda r, t=table: r.execute(sa.select(t)))  # type: ignore[misc] # bound per loop
            assert "s" not in [value for found_row in found for value in found_row], table.name


async def storm(db: Database, chance: random.Random) -> None:
    """Forty sessions whose messages and summaries come, grow, shrink and go, one of them full of needles."""
    keys = [f"session-{n}-{'k' * chance.randrange(40)}" for n in range(40)]
    for key in keys:
        await open_slot(db, key)
    for n in range(250):
        key = chance.choice(keys)
        words = "".join(chance.choices("abc ", k=chance.choice([50, 200, 900, 2000, 5000])))
        text = words[: len(words) // 2] + NEEDLE + words[len(words) // 2 :] if key == keys[0] else words
        match chance.randrange(5):
            case 0 | 1 | 2:
                await summarize(db, key, text, (NEEDLE if key == keys[0] else "headline") * chance.randint(1, 4))
            case 3:
                messages = [said(text)]
                await db.write(lambda w, k=key, m=messages, at=NOW_NS + n: transcripts.append_messages(w, k, m, at))  # type: ignore[misc] # bound per loop
            case _:
                messages = [said("begin again")]
                await db.write(lambda w, k=key, m=messages, at=NOW_NS + n: transcripts.rewrite_messages(w, k, m, at))  # type: ignore[misc] # bound per loop
    await summarize(db, keys[0], NEEDLE, NEEDLE)
    await delete(db, keys[0])


@pytest.mark.parametrize("seed", [1, 2])
async def test_no_byte_of_a_deleted_session_is_left(db: Database, seed: int) -> None:
    """After many changes to many sessions one is deleted: its text, replaced summaries too, is in no file."""
    await storm(db, random.Random(seed))  # noqa: S311 - the same changes in every run
    assert await db.purge(5)
    assert files_with(db.path.parent) == []


async def test_no_copy_is_left_where_sqlite_moved_rows_between_pages(tmp_path: Path) -> None:
    """Moving rows, SQLite leaves copies that `secure_delete` does not see: these changes are known to make one."""
    db = Database(tmp_path / "moved.db")
    await db.write(_move_rows)
    assert await db.purge(5)
    await db.close()
    assert files_with(tmp_path) == []


async def _move_rows(w: Write) -> None:
    """400 changes to 40 rows of two tables; with this seed SQLite 3.40.1 leaves a copy of a deleted row."""
    chance = random.Random(19)  # noqa: S311
    await w.exec_driver_sql(
        "CREATE TABLE s (k TEXT NOT NULL, sig INT NOT NULL, payload TEXT, h TEXT, PRIMARY KEY (k)) STRICT"
    )
    await w.exec_driver_sql(
        "CREATE TABLE m (k TEXT NOT NULL, seq INT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (k, seq)) STRICT"
    )
    keys = [f"key{chance.random()}" for _ in range(40)]
    for key in keys:
        await w.exec_driver_sql("INSERT INTO s VALUES (?, 0, NULL, NULL)", (key,))
    for _ in range(400):
        await _change_a_row(w, chance, keys)
    await w.exec_driver_sql("DELETE FROM m WHERE k = ?", (keys[0],))
    await w.exec_driver_sql("DELETE FROM s WHERE k = ?", (keys[0],))
    await purge.owe_purge(w)


async def _change_a_row(w: Write, chance: random.Random, keys: list[str]) -> None:
    key, kind = chance.choice(keys), chance.random()
    needle = NEEDLE if key == keys[0] else ""
    if kind < 0.6:
        size = chance.choice([50, 200, 900, 2000, 5000])
        words = "".join(chance.choice("abc ") for _ in range(size))
        values = (words[: size // 2] + needle + words[size // 2 :], (needle or "hhh") * chance.randint(1, 4), key)
        await w.exec_driver_sql("UPDATE s SET payload = ?, h = ? WHERE k = ?", values)
    elif kind < 0.9:
        text = "m" * chance.choice([10, 300, 1500, 6000]) + needle
        after = "SELECT ?, (SELECT coalesce(max(seq), 0) + 1 FROM m WHERE k = ?), ?"
        await w.exec_driver_sql(f"INSERT INTO m {after}", (key, key, text))
    else:
        await w.exec_driver_sql("DELETE FROM m WHERE k = ?", (chance.choice(keys[1:]),))


async def test_a_purge_is_owed_until_it_is_done(db: Database) -> None:
    """While a reader holds the log the purge is not done; it stays owed in the file, and is done once he has gone."""
    await open_slot(db, "s", said(NEEDLE))
    reader = sqlite3.connect(db.path)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM messages").fetchall()
    await delete(db, "s")
    assert not await db.purge(0.2)
    assert await db.read(lambda r: r.scalar(sa.text(_OWED))) == 1
    assert files_with(db.path.parent) != []
    reader.close()
    assert await db.purge(5)
    assert files_with(db.path.parent) == []
    assert await db.read(lambda r: r.scalar(sa.text(_OWED))) == 0


async def test_a_session_that_turns_private_leaves_no_byte(db: Database) -> None:
    """What was stored of it before is gone from the files as after a deletion."""
    await open_slot(db, "s", said(NEEDLE))
    await summarize(db, "s", NEEDLE, NEEDLE)
    await db.write(lambda w: slots.change_metadata(w, "s", SlotChange(memory_mode="incognito"), NOW_NS))
    assert await db.purge(5)
    assert files_with(db.path.parent) == []


async def test_a_purge_keeps_everything_else(db: Database) -> None:
    """Rows, their order and the ids that are given next are the same after the file was rebuilt."""
    await open_slot(db, "s", said("one"), said("two"))
    await open_slot(db, "gone", said("three"))
    await delete(db, "gone")
    query = sa.text("SELECT rowid, * FROM messages")
    before = [tuple(row) for row in await db.read(lambda r: r.execute(query))]
    newest = await db.read(lambda r: r.scalar(sa.text("SELECT seq FROM sqlite_sequence WHERE name = 'events'")))
    assert await db.purge(5)
    assert [tuple(row) for row in await db.read(lambda r: r.execute(query))] == before
    await open_slot(db, "next")
    assert await db.read(lambda r: r.scalar(sa.text("SELECT max(id) FROM events"))) == newest + 1


async def test_closing_pays_what_is_owed(db: Database, tmp_path: Path) -> None:
    """A service that stops right behind a deletion leaves nothing in its files."""
    await open_slot(db, "s", said(NEEDLE))
    await db.write(purge.owe_purge)
    await delete(db, "s")
    await db.close()
    assert files_with(tmp_path) == []
