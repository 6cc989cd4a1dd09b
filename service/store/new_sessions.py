"""Sessions that were found for the first time: many of them stored by a handful of statements."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from service.domain.messages import Message
from service.store.deletion import key_digest
from service.store.engine import Write
from service.store.events import EventType
from service.store.sources import Mirrored, SourceRow
from service.store.tables import Event, Slot, Source, Summary, Title, Tombstone, Transcript
from service.store.transcripts import ORDINARY_MODE, Rows, insert_rows, message_rows


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session with its redacted messages, and how its last turn stands."""

    facts: Mirrored
    row: SourceRow
    messages: tuple[Message, ...]
    running: bool
    stop_reason: str | None


async def without_known(write: Write, sessions: Sequence[NewSession]) -> list[NewSession]:
    """Those of which nothing is stored: no transcript, slot or file, nor that they were deleted here."""
    keys = [session.facts.key for session in sessions]
    digests = {key_digest(key): key for key in keys}
    query = sa.union_all(
        sa.select(Transcript.key).where(Transcript.key.in_(keys)),
        sa.select(Slot.key).where(Slot.key.in_(keys)),
        sa.select(Source.transcript_key).where(Source.transcript_key.in_(keys)),
        sa.select(Tombstone.key_digest).where(Tombstone.key_digest.in_(digests)),
    )
    known = {digests.get(found, found) for found in await write.scalars(query)}
    new: dict[str, NewSession] = {}
    for session in sessions:
        if session.facts.key not in known:
            new.setdefault(session.facts.key, session)
    return list(new.values())


async def insert_sessions(write: Write, sessions: Sequence[NewSession], now_ns: int) -> None:
    """Stores sessions of which nothing is known, as if each had been created, filled and described."""
    if not sessions:
        return
    messages: Rows = []
    facts: Rows = []
    transcripts: Rows = []
    for session in sessions:
        rows, facts_of_rows = message_rows(session.facts.key, session.messages)
        messages += rows
        facts += facts_of_rows
        transcripts.append(_transcript(session, rows[-1]["turn"] if rows else 0, now_ns))
    await write.execute(sa.insert(Transcript), transcripts)
    keys = [session.facts.key for session in sessions]
    empty = [{"transcript_key": key, "sig": 0, "gen": 0} for key in keys]
    await write.execute(sa.insert(Summary), [row | {"user_turns": 0, "open_items": 0} for row in empty])
    await write.execute(sa.insert(Title), empty)
    await write.execute(sa.insert(Slot), [_slot(session, now_ns) for session in sessions])
    await insert_rows(write, messages, facts)
    files = [session.row.path for session in sessions]
    await write.execute(sa.delete(Source).where(Source.path.in_(files)))
    await write.execute(sa.insert(Source), [asdict(session.row) for session in sessions])
    changed = EventType.CHANGED.value
    await write.execute(
        sa.insert(Event), [{"type": changed, "slot": key, "app": None, "at_ns": now_ns} for key in keys]
    )


def _transcript(session: NewSession, user_turns: int, now_ns: int) -> dict[str, Any]:
    facts = session.facts
    return {
        "key": facts.key,
        "sig": now_ns if session.messages else 0,
        "gen": 0,
        "source": facts.source,
        "title": facts.title,
        "project": facts.project,
        "memory_mode": ORDINARY_MODE,
        "user_turns": user_turns,
        "last_activity": facts.last_activity,
        "sort_ns": facts.sort_ns,
        "unprompted": facts.unprompted,
        "known_since_ns": now_ns,
    }


def _slot(session: NewSession, now_ns: int) -> dict[str, Any]:
    return {
        "key": session.facts.key,
        "transcript_key": session.facts.key,
        "app": None,
        "running": now_ns if session.running else 0,
        "last_stop_reason": session.stop_reason,
        "turn_mark": 0,
    }
