"""How far agents' files have been read, and the sessions that were mirrored from them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from pathlib import Path

import sqlalchemy as sa

from service.store import transcripts
from service.store.deletion import delete_transcript, is_deleted
from service.store.engine import Read, Write
from service.store.events import EventType, announce, announce_turn
from service.store.tables import Message, Slot, Source, Transcript

HOST = "host"


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
    ctime_ns: int = 0
    first_row: str = ""
    copied: int = 0
    copied_digest: str = ""

    @property
    def file(self) -> Path:
        """The file itself: a row of one session among several names it behind a `#`."""
        return Path(self.path.removesuffix(f"#{self.transcript_key.partition(':')[2]}"))


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


@dataclass(frozen=True, slots=True)
class Standing:
    """A stored session as it stands before the next look at its file."""

    source: str
    sort_ns: int
    last_activity: str | None
    messages: int
    running: bool


class Admission(StrEnum):
    """Whether a session that was found in a file may be stored."""

    OPEN = "open"
    DELETED = "deleted"  # a person deleted it here: it stays gone
    TAKEN = "taken"  # a host's session has its key, and whoever made that would see this one


# Of a private session nothing that the person said, named or worked on is written.
_ORDINARY = Transcript.memory_mode.not_in(transcripts.PRIVATE_MODES)
_STAMP = ("inode", "size", "mtime_ns", "ctime_ns", "offset", "digest")
_AT_ONCE = 500
_COLUMNS = tuple(getattr(Source, name) for name in (field.name for field in fields(SourceRow)))


async def read_sources(read: Read) -> Sequence[SourceRow]:
    """Every file that was read before, with a row for each of its sessions."""
    return [SourceRow(*row) for row in await read.execute(sa.select(*_COLUMNS))]


async def find_source(read: Read | Write, transcript_key: str) -> SourceRow | None:
    """The file that a transcript mirrors."""
    query = sa.select(*_COLUMNS).where(Source.transcript_key == transcript_key).order_by(Source.path).limit(1)
    row = (await read.execute(query)).first()
    return None if row is None else SourceRow(*row)


async def remember_source(write: Write, source: SourceRow) -> None:
    """Notes how far the file was read; a session mirrors one file, the one noted last."""
    same = sa.or_(Source.path == source.path, Source.transcript_key == source.transcript_key)
    await write.execute(sa.delete(Source).where(same))
    await write.execute(sa.insert(Source).values(asdict(source)))


async def restamp(write: Write, rows: Sequence[SourceRow]) -> frozenset[str]:
    """Notes that a file was read in which these sessions stand as they stood; a session without a row is left out."""
    there: set[str] = set()
    for at in range(0, len(rows), _AT_ONCE):
        some = rows[at : at + _AT_ONCE]
        stamp = {name: getattr(some[0], name) for name in _STAMP}
        statement = sa.update(Source).where(Source.path.in_([row.path for row in some])).values(stamp)
        there |= set((await write.scalars(statement.returning(Source.transcript_key))).all())
    return frozenset(there)


async def note_copied(write: Write, key: str, copied: int, digest: str) -> None:
    """Notes that a session's file begins with so many messages of another session."""
    statement = sa.update(Source).where(Source.transcript_key == key)
    await write.execute(statement.values(copied=copied, copied_digest=digest))


async def note_rest(write: Write, key: str, *, last_activity: str | None, unprompted: str | None) -> None:
    """What is known of a session that keeps but the rest of its messages: when it was active, and why nobody spoke."""
    values = {"last_activity": last_activity, "unprompted": unprompted}
    await write.execute(sa.update(Transcript).where(Transcript.key == key, _ORDINARY).values(values))


async def find_borrowers(read: Read, key: str) -> Sequence[Path]:
    """The files that may begin with messages of this session, the one with the fewest copied messages first."""
    lender = await find_source(read, key)
    if lender is None or not lender.first_row:
        return ()
    agent = f"{key.partition(':')[0]}:"
    alike = sa.and_(Source.first_row == lender.first_row, Source.transcript_key.startswith(agent, autoescape=True))
    query = sa.select(*_COLUMNS).where(alike, Source.transcript_key != key, Source.copied > lender.copied)
    rows = [SourceRow(*row) for row in await read.execute(query.order_by(Source.copied, Source.path))]
    return tuple(dict.fromkeys(row.file for row in rows))


async def release_source(write: Write, key: str, file: Path) -> None:
    """The session stays and waits for another file that has it; what another file holds already is left alone."""
    if await _is_held_by(write, key, file):
        await write.execute(sa.delete(Source).where(Source.transcript_key == key))


async def _is_held_by(write: Write, key: str, file: Path) -> bool:
    source = await find_source(write, key)
    return source is not None and source.file == file


async def find_standing(write: Read | Write, key: str) -> Standing | None:
    """How a session is stored; None where it is not."""
    count = sa.select(sa.func.count()).where(Message.transcript_key == key).scalar_subquery()
    running = sa.exists().where(Slot.key == key, Slot.running > 0)
    query = sa.select(Transcript.source, Transcript.sort_ns, Transcript.last_activity, count, running)
    row = (await write.execute(query.where(Transcript.key == key))).one_or_none()
    return None if row is None else Standing(row[0], row[1], row[2], row[3], bool(row[4]))


async def admit_session(write: Write, session: Mirrored, now_ns: int) -> Admission:
    """Creates transcript and slot where they are missing and may be made."""
    if await is_deleted(write, session.key):
        return Admission.DELETED
    if await write.scalar(sa.select(Transcript.source).where(Transcript.key == session.key)) == HOST:
        return Admission.TAKEN
    slot = (await write.execute(sa.select(Slot.transcript_key, Slot.app).where(Slot.key == session.key))).one_or_none()
    if slot is not None and (slot.transcript_key, slot.app) != (session.key, None):
        return Admission.TAKEN
    await transcripts.create_transcript(write, session.key, source=session.source, now_ns=session.sort_ns)
    if slot is None:
        await write.execute(sa.insert(Slot).values(key=session.key, transcript_key=session.key, running=0, turn_mark=0))
        await announce(write, EventType.CHANGED, session.key, now_ns)
    return Admission.OPEN


async def forget_session(write: Write, key: str, now_ns: int, file: Path | None = None) -> int | None:
    """Its `file` is gone, or the settings leave it out: what was derived from it goes too. When it was active last.

    Only of a session that a person made private a tombstone stays: found again, its text would be taken in.
    """
    if file is not None and not await _is_held_by(write, key, file):
        return None
    query = sa.select(Transcript.memory_mode, Transcript.sort_ns).where(Transcript.key == key)
    known = (await write.execute(query)).one_or_none()
    if known is None:
        return None
    await delete_transcript(write, key, now_ns, tombstone=transcripts.is_private(known.memory_mode))
    return int(known.sort_ns)


async def read_projects(read: Read) -> Sequence[tuple[str, str | None]]:
    """Key and project of every mirrored session; of private ones, which are empty, nothing is known."""
    query = sa.select(Transcript.key, Transcript.project).where(Transcript.source != HOST, _ORDINARY)
    return [(key, project) for key, project in await read.execute(query)]


async def set_titles(write: Write, agent: str, titles: Mapping[str, str], now_ns: int) -> None:
    """What an agent calls its sessions, told elsewhere than in their files: metadata, announced where it is news."""
    query = sa.select(Transcript.key, Transcript.title).where(Transcript.source == agent, _ORDINARY)
    for key, title in (await write.execute(query)).all():
        if titles.get(key, title) != title:
            await write.execute(sa.update(Transcript).where(Transcript.key == key).values(title=titles[key]))
            await announce(write, EventType.CHANGED, key, now_ns)


async def end_mirrored_turns(write: Write) -> frozenset[str]:
    """At start no turn of an agent is known to run. Those that did when the service ended: their files are unread."""
    running = sa.select(Slot.transcript_key).where(Slot.running > 0)
    cut_off = (await write.scalars(sa.select(Source.transcript_key).where(Source.transcript_key.in_(running)))).all()
    # Where the reason is unknown the file is looked at, whatever its stamp says.
    await write.execute(sa.update(Source).where(Source.transcript_key.in_(cut_off)).values(digest=""))
    await write.execute(sa.update(Slot).where(Slot.running > 0, Slot.transcript_key.in_(cut_off)).values(running=0))
    return frozenset(cut_off)


async def set_metadata(write: Write, session: Mirrored) -> bool:
    """What the file says of itself: identity and list order stay. True where that changed anything."""
    values = {
        "title": session.title,
        "project": session.project,
        "unprompted": session.unprompted,
        "last_activity": session.last_activity,
    }
    changed = sa.or_(*(getattr(Transcript, name).is_distinct_from(value) for name, value in values.items()))
    statement = sa.update(Transcript).where(Transcript.key == session.key, _ORDINARY, changed).values(**values)
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
