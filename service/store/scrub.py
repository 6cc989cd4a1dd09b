"""Stored text, taken out and put back where changed redaction rules change it; identity does not move."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import InstrumentedAttribute

from service.store.engine import Read, Write
from service.store.events import EventType, announce
from service.store.tables import Fact, Message, Summary, Title, Transcript

Column = InstrumentedAttribute[Any]

PAYLOAD: Column = Summary.payload
# Every column that holds words of a session; its rows are found again by the row id that SQLite gives them.
COLUMNS: tuple[Column, ...] = (
    Message.content,
    Fact.text,
    Transcript.title,
    Transcript.project,
    Title.title,
    Summary.headline,
    PAYLOAD,
)
# What is scrubbed at once is held twice, and a stop waits for it: a megabyte takes about a second.
MOST_BYTES = 1 << 20
_MOST_ROWS = 200
_rowid = sa.literal_column("rowid", sa.Integer)


@dataclass(frozen=True, slots=True)
class StoredText:
    """One text and the row it stands in."""

    rowid: int
    text: str


async def texts_after(read: Read, column: Column, rowid: int) -> Sequence[StoredText]:
    """The next texts of a column, by row id: so many as may be held at once, and at least one."""
    rows = sa.select(_rowid, column).where(_rowid > rowid, column.is_not(None)).order_by(_rowid)
    last = await _end_of_batch(read, column, rowid)
    return [StoredText(*row) for row in await read.execute(rows.where(_rowid <= last))]


async def _end_of_batch(read: Read, column: Column, rowid: int) -> int:
    # As a blob, for its bytes: SQLite counts the characters of a text only up to its first NUL.
    size = sa.func.length(sa.cast(column, sa.LargeBinary))
    sizes = sa.select(_rowid, size).where(_rowid > rowid, column.is_not(None)).order_by(_rowid).limit(_MOST_ROWS)
    last, held = rowid, 0
    for row, bytes_ in await read.execute(sizes):
        held += bytes_
        if held > MOST_BYTES and last != rowid:
            break
        last = row
    return last


async def replace_texts(write: Write, column: Column, pairs: Iterable[tuple[StoredText, str]], now_ns: int) -> None:
    """Puts texts back, but for a row that holds another one by then, and says so to whoever shows their sessions."""
    key = _key_of(column)
    changed = set()
    for old, new in pairs:
        statement = sa.update(column.class_).where(_rowid == old.rowid, column == old.text).values({column.key: new})
        changed |= set((await write.scalars(statement.returning(key))).all())
    for transcript in sorted(changed):
        await announce(write, EventType.CHANGED, transcript, now_ns)


def _key_of(column: Column) -> Column:
    return Transcript.key if column.class_ is Transcript else column.class_.transcript_key


async def scrubbed_with(read: Read) -> int:
    """By which rules the stored text was redacted last; 0 before the first time."""
    return int(await read.scalar(sa.text("PRAGMA user_version")) or 0)


async def mark_scrubbed(write: Write, rules: int) -> None:
    """Notes that all stored text went through these rules."""
    await write.execute(sa.text(f"PRAGMA user_version = {int(rules)}"))
