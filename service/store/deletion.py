"""Deleting a session for good."""

import hashlib
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from service.domain.gates import STOP_REASON
from service.store import tables
from service.store.engine import Read, Write
from service.store.events import EventType, announce
from service.store.purge import owe_purge
from service.store.tables import Pass, Slot, Source, Summary, Title, Tombstone, Transcript


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a deletion removed, in rows; summaries and titles count where there was one to read."""

    messages: int
    facts: int
    summaries: int
    titles: int
    slots: int

    def as_dict(self) -> dict[str, int]:
        return asdict(self)


async def delete_transcript(write: Write, key: str, now_ns: int, *, tombstone: bool) -> Receipt | None:
    """Removes the transcript with every slot on it and all that was made from it; None where there is none.

    Ledger rows keep tokens and money and lose what names the session. A `tombstone` keeps a mirrored session from being
    imported again: it is set when a person deletes, not when the agent's own file went away.
    """
    source = await write.scalar(sa.select(Transcript.source).where(Transcript.key == key))
    if source is None:
        return None
    receipt = await _count(write, key)
    await owe_purge(write)
    await announce(write, EventType.DELETED, key, now_ns)
    await _take_names_off_the_ledger(write, key)
    await write.execute(sa.delete(Source).where(Source.transcript_key == key))
    await write.execute(sa.delete(Transcript).where(Transcript.key == key))
    if tombstone and source != "host":
        await write.execute(
            sa.insert(Tombstone).prefix_with("OR IGNORE").values(key_digest=key_digest(key), deleted_at_ns=now_ns)
        )
    return receipt


async def _take_names_off_the_ledger(write: Write, key: str) -> None:
    """Its own rows lose every name, and a stop reason the host chose; another session's rows lose a slot that goes."""
    reason = sa.case((Pass.reason.startswith(STOP_REASON), STOP_REASON.rstrip(":")), else_=Pass.reason)
    own = sa.update(Pass).where(Pass.transcript_key == key)
    await write.execute(own.values(slot=None, transcript_key=None, reason=reason))
    slots = sa.select(Slot.key).where(Slot.transcript_key == key)
    await write.execute(sa.update(Pass).where(Pass.slot.in_(slots)).values(slot=None))


async def _count(write: Write, key: str) -> Receipt:
    def rows(table: type[tables.Base], *where: sa.ColumnElement[bool]) -> sa.ScalarSelect[int]:
        of_transcript = sa.literal_column(f"{table.__tablename__}.transcript_key") == key
        return sa.select(sa.func.count()).select_from(table).where(of_transcript, *where).scalar_subquery()

    query = sa.select(
        rows(tables.Message),
        rows(tables.Fact),
        rows(Summary, Summary.payload.is_not(None)),
        rows(Title, Title.title.is_not(None)),
        rows(Slot),
    )
    return Receipt(*(await write.execute(query)).one())


def key_digest(key: str) -> str:
    """A tombstone's key: it recognises the session without naming it."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


async def is_deleted(read: Read | Write, key: str) -> bool:
    """Whether a mirrored session was deleted here."""
    return bool(await read.scalar(sa.select(sa.exists().where(Tombstone.key_digest == key_digest(key)))))
