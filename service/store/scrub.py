"""Stored text, taken out and put back where changed redaction rules change it; identity does not move."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import InstrumentedAttribute

from service.store.engine import Read, Write
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
_rowid = sa.literal_column("rowid", sa.Integer)


@dataclass(frozen=True, slots=True)
class StoredText:
    """One text and the row it stands in."""

    rowid: int
    text: str


async def texts_after(read: Read, column: Column, rowid: int, limit: int) -> Sequence[StoredText]:
    """The next texts of a column, by row id."""
    query = sa.select(_rowid, column).where(_rowid > rowid, column.is_not(None)).order_by(_rowid).limit(limit)
    return [StoredText(*row) for row in await read.execute(query)]


async def replace_text(write: Write, column: Column, old: StoredText, new: str) -> None:
    """Puts a text back, unless the row holds another one by then."""
    statement = sa.update(column.class_).where(_rowid == old.rowid, column == old.text).values({column.key: new})
    await write.execute(statement)


async def scrubbed_with(read: Read) -> int:
    """By which rules the stored text was redacted last; 0 before the first time."""
    return int(await read.scalar(sa.text("PRAGMA user_version")) or 0)


async def mark_scrubbed(write: Write, rules: int) -> None:
    """Notes that all stored text went through these rules."""
    await write.execute(sa.text(f"PRAGMA user_version = {int(rules)}"))
