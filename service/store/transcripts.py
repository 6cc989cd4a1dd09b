"""Transcripts and their messages: every change of content moves the identity, nothing else does."""

from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from service.domain.messages import Fact, FactKind, FactResult, Message, Origin
from service.domain.times import parse_time
from service.store import tables
from service.store.engine import Read, Write
from service.store.events import EventType, announce
from service.store.purge import owe_purge
from service.store.tables import Slot, Summary, Title, Transcript

Rows = list[dict[str, Any]]

PRIVATE_MODES = ("incognito", "temporary")
ORDINARY_MODE = "normal"
# Rows are handed to the driver so many at a time: between two slices other requests get their turn.
_SLICE = 500


def is_private(memory_mode: str) -> bool:
    """Whether nothing may be derived from the session and none of its messages may be written to disk."""
    return memory_mode in PRIVATE_MODES


async def create_transcript(write: Write, key: str, *, source: str, now_ns: int) -> None:
    """Creates the transcript with its two empty artefacts; one that exists stays as it is."""
    if await write.scalar(sa.select(sa.exists().where(Transcript.key == key))):
        return
    await write.execute(
        sa.insert(Transcript).values(
            key=key,
            sig=0,
            gen=0,
            source=source,
            memory_mode=ORDINARY_MODE,
            user_turns=0,
            sort_ns=now_ns,
            known_since_ns=now_ns,
        )
    )
    await write.execute(sa.insert(Summary).values(transcript_key=key, sig=0, gen=0, user_turns=0, open_items=0))
    await write.execute(sa.insert(Title).values(transcript_key=key, sig=0, gen=0))


async def append_messages(
    write: Write,
    key: str,
    messages: Sequence[Message],
    now_ns: int,
    *,
    kept: int | None = None,
    sort_ns: int | None = None,
) -> bool:
    """Adds messages behind the last one, or behind the first `kept`: `sig` grows, the session moves up.

    `kept` is for a reply that was still growing when it was stored. False where nothing was to be stored: no messages,
    or a private session, whose messages are not written. A running turn of the transcript counts as alive from now on.
    """
    row = await _head(write, key)
    if row is None or is_private(row.memory_mode) or not messages:
        return False
    user_turns = row.user_turns
    if kept is not None and kept < row.last_seq:
        user_turns = await _cut(write, key, kept)
    last_seq = row.last_seq if kept is None else min(kept, row.last_seq)
    user_turns = await _insert(write, key, messages, first_seq=last_seq + 1, user_turns=user_turns)
    values: dict[str, Any] = {"sig": max(now_ns, row.sig + 1), "user_turns": user_turns, "sort_ns": sort_ns or now_ns}
    await _move(write, key, values, messages, fallback=row.last_activity)
    await write.execute(sa.update(Slot).where(Slot.transcript_key == key, Slot.running > 0).values(running=now_ns))
    await announce(write, EventType.CHANGED, key, now_ns)
    return True


async def _cut(write: Write, key: str, kept: int) -> int:
    """Removes what stands behind the first `kept` messages; the number of user turns up to there."""
    message = tables.Message
    await write.execute(sa.delete(message).where(message.transcript_key == key, message.seq > kept))
    turns = await write.scalar(sa.select(sa.func.max(message.turn)).where(message.transcript_key == key))
    return int(turns or 0)


async def rewrite_messages(
    write: Write, key: str, messages: Sequence[Message], now_ns: int, *, same_turns: int | None = None
) -> bool:
    """Replaces the content: `gen` grows, `sig` and list order stay, turn marks are clamped to the new count.

    Where it is known that only the first `same_turns` are as they were, the marks are clamped to those: what came in
    their place is new, and its summary due.
    """
    row = await _head(write, key)
    if row is None or is_private(row.memory_mode):
        return False
    await write.execute(sa.delete(tables.Message).where(tables.Message.transcript_key == key))
    user_turns = await _insert(write, key, messages, first_seq=1, user_turns=0)
    await _move(write, key, {"gen": row.gen + 1, "user_turns": user_turns}, messages, fallback=None)
    mark = user_turns if same_turns is None else min(same_turns, user_turns)
    await write.execute(sa.update(Slot).where(Slot.transcript_key == key, Slot.turn_mark > mark).values(turn_mark=mark))
    await write.execute(sa.update(Slot).where(Slot.transcript_key == key, Slot.running > 0).values(running=now_ns))
    await announce(write, EventType.CHANGED, key, now_ns)
    return True


async def _head(write: Write, key: str) -> Any:
    last_seq = sa.select(sa.func.coalesce(sa.func.max(tables.Message.seq), 0)).where(
        tables.Message.transcript_key == key
    )
    query = sa.select(
        Transcript.sig,
        Transcript.gen,
        Transcript.memory_mode,
        Transcript.user_turns,
        Transcript.last_activity,
        last_seq.scalar_subquery().label("last_seq"),
    ).where(Transcript.key == key)
    return (await write.execute(query)).one_or_none()


async def _insert(write: Write, key: str, messages: Sequence[Message], *, first_seq: int, user_turns: int) -> int:
    """Stores messages and their facts a slice at a time; the number of user turns after the last of them."""
    for begin in range(0, len(messages), _SLICE):
        part = messages[begin : begin + _SLICE]
        rows, facts = message_rows(key, part, first_seq=first_seq + begin, user_turns=user_turns)
        await insert_rows(write, rows, facts)
        user_turns = int(rows[-1]["turn"])
    return user_turns


async def insert_rows(write: Write, rows: Rows, facts: Rows) -> None:
    """Stores what `message_rows` gave, of one transcript or of many."""
    for begin in range(0, len(rows), _SLICE):
        await write.execute(sa.insert(tables.Message), rows[begin : begin + _SLICE])
    for begin in range(0, len(facts), _SLICE):
        await write.execute(sa.insert(tables.Fact), facts[begin : begin + _SLICE])


def message_rows(
    key: str, messages: Iterable[Message], *, first_seq: int = 1, user_turns: int = 0
) -> tuple[Rows, Rows]:
    """Messages and their facts as they are stored, behind so many user turns."""
    rows: Rows = []
    facts: Rows = []
    for seq, message in enumerate(messages, first_seq):
        user_turns += message.by_person
        rows.append(
            {
                "transcript_key": key,
                "seq": seq,
                "role": message.role,
                "content": message.content,
                "ts": message.ts,
                "origin": message.origin.value,
                "turn": user_turns,
            }
        )
        facts.extend(
            {"transcript_key": key, "seq": seq, "n": n, "kind": fact.kind, "text": fact.text, "result": fact.result}
            for n, fact in enumerate(message.facts, 1)
        )
    return rows, facts


async def _move(
    write: Write, key: str, values: dict[str, Any], messages: Sequence[Message], *, fallback: str | None
) -> None:
    kept = (message.ts for message in reversed(messages) if message.spoken)
    last_activity = next((ts for ts in kept if parse_time(ts)), fallback)
    await write.execute(
        sa.update(Transcript).where(Transcript.key == key).values(last_activity=last_activity, **values)
    )


async def set_memory_mode(write: Write, key: str, memory_mode: str | None) -> bool:
    """Sets the mode, without regard to case; a session that turns private loses its text and everything made from it.

    True where that happened, so that the caller can purge the write-ahead log.
    """
    mode = (memory_mode or ORDINARY_MODE).strip().lower() or ORDINARY_MODE
    before = await write.scalar(sa.select(Transcript.memory_mode).where(Transcript.key == key))
    await write.execute(sa.update(Transcript).where(Transcript.key == key).values(memory_mode=mode))
    if before is None or is_private(before) or not is_private(mode):
        return False
    await _forget_content(write, key)
    return True


async def _forget_content(write: Write, key: str) -> None:
    await owe_purge(write)
    await write.execute(sa.delete(tables.Message).where(tables.Message.transcript_key == key))
    await write.execute(
        sa.update(Summary)
        .where(Summary.transcript_key == key)
        .values(payload=None, generated_at=None, user_turns=0, headline=None, state=None, open_items=0)
    )
    nothing = {"title": None, "generated_at": None, "lease_owner": None}
    await write.execute(sa.update(Title).where(Title.transcript_key == key).values(**nothing))
    await write.execute(
        sa.update(Transcript)
        .where(Transcript.key == key)
        .values(gen=Transcript.gen + 1, user_turns=0, last_activity=None, title=None, project=None)
    )
    await write.execute(sa.update(Slot).where(Slot.transcript_key == key).values(turn_mark=0))


async def load_messages(read: Read | Write, key: str, *, turn: int | None = None) -> tuple[Message, ...]:
    """The stored messages with their facts, in order: all of them, or those of one exchange."""
    message, fact = tables.Message, tables.Fact
    query = sa.select(message.seq, message.role, message.content, message.origin, message.ts)
    facts_query = sa.select(fact.seq, fact.kind, fact.text, fact.result).where(fact.transcript_key == key)
    query = query.where(message.transcript_key == key)
    if turn is not None:
        query = query.where(message.turn == turn)
        of_turn = sa.select(message.seq).where(message.transcript_key == key, message.turn == turn)
        facts_query = facts_query.where(fact.seq.in_(of_turn))
    facts: dict[int, list[Fact]] = {}
    for row in await read.execute(facts_query.order_by(fact.seq, fact.n)):
        result = FactResult(row.result) if row.result else None
        facts.setdefault(row.seq, []).append(Fact(FactKind(row.kind), row.text, result))
    return tuple(
        Message(row.role, row.content, Origin(row.origin), row.ts, tuple(facts.get(row.seq, ())))
        for row in await read.execute(query.order_by(message.seq))
    )
