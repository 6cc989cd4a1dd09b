"""How far agents' files have been read, and the sessions that were mirrored from them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from service.store import transcripts
from service.store.deletion import delete_transcript, is_deleted
from service.store.engine import Read, Write
from service.store.events import EventType, announce, announce_turn
from service.store.tables import Slot, Source, Transcript


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One file: whose session it holds, and what proves how far it was read."""

    path: str
    transcript_key: str
    format: str
    inode: int
    size: int
    mtime_ns: int
    offset: int
    digest: str


@dataclass(frozen=True, slots=True)
class Mirrored:
    """What an agent's file says of a session, with text already redacted; `sort_ns` is its newest activity."""

    key: str
    source: str
    title: str | None
    project: str | None
    unprompted: str | None
    last_activity: str | None
    sort_ns: int


async def read_sources(read: Read) -> Sequence[SourceRow]:
    """Every file that was read before."""
    columns = [getattr(Source, name) for name in SourceRow.__slots__]
    return [SourceRow(*row) for row in await read.execute(sa.select(*columns))]


async def find_source(read: Read, transcript_key: str) -> SourceRow | None:
    """The file that a transcript mirrors."""
    columns = [getattr(Source, name) for name in SourceRow.__slots__]
    row = (await read.execute(sa.select(*columns).where(Source.transcript_key == transcript_key).limit(1))).first()
    return None if row is None else SourceRow(*row)


async def remember_source(write: Write, source: SourceRow) -> None:
    """Notes how far the file was read."""
    await write.execute(sa.delete(Source).where(Source.path == source.path))
    await write.execute(sa.insert(Source).values(asdict(source)))


async def mirror_session(write: Write, session: Mirrored, now_ns: int) -> bool:
    """Creates transcript and slot where they are missing; False where the session was deleted here: it stays gone."""
    if await is_deleted(write, session.key):
        return False
    await transcripts.create_transcript(write, session.key, source=session.source, now_ns=session.sort_ns)
    if not await write.scalar(sa.select(sa.exists().where(Slot.key == session.key))):
        await write.execute(sa.insert(Slot).values(key=session.key, transcript_key=session.key, running=0, turn_mark=0))
        await announce(write, EventType.CHANGED, session.key, now_ns)
    return True


async def forget_file(write: Write, path: str, now_ns: int) -> None:
    """The agent removed its file: what was derived from it goes too, without a tombstone."""
    of_file = sa.or_(Source.path == path, Source.path.startswith(f"{path}#", autoescape=True))
    for key in (await write.scalars(sa.select(Source.transcript_key).where(of_file))).all():
        await delete_transcript(write, key, now_ns, tombstone=False)
    await write.execute(sa.delete(Source).where(of_file))


async def end_mirrored_turns(write: Write) -> None:
    """At start no turn of an agent is known to run; the files say which one does."""
    mirrored = sa.select(Source.transcript_key)
    await write.execute(sa.update(Slot).where(Slot.running > 0, Slot.transcript_key.in_(mirrored)).values(running=0))


async def set_metadata(write: Write, session: Mirrored) -> bool:
    """What the file says of itself: identity and list order stay. True where that changed anything."""
    values = {
        "title": session.title,
        "project": session.project,
        "unprompted": session.unprompted,
        "last_activity": session.last_activity,
    }
    changed = sa.or_(*(getattr(Transcript, name).is_distinct_from(value) for name, value in values.items()))
    statement = sa.update(Transcript).where(Transcript.key == session.key, changed).values(**values)
    return bool((await write.execute(statement)).rowcount)


async def set_mirrored_turn(write: Write, key: str, *, running: bool, stop_reason: str | None, now_ns: int) -> bool:
    """Notes how the last turn in the file stands; True where that is a change, which is announced."""
    state = (Slot.running > 0) != sa.literal(running)
    statement = (
        sa.update(Slot)
        .where(Slot.key == key, sa.or_(state, Slot.last_stop_reason.is_distinct_from(stop_reason)))
        .values(running=now_ns if running else 0, last_stop_reason=stop_reason)
        .returning(Slot.app)
    )
    row = (await write.execute(statement)).one_or_none()
    if row is None:
        return False
    await announce_turn(write, key, row.app, running=running, now_ns=now_ns)
    return True
