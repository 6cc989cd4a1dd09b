"""The sessions list: newest activity first, a page at a time, searched and filtered in the database."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from service.store.access import Caller, visible_to
from service.store.cursors import read_cursor, write_cursor
from service.store.engine import Read
from service.store.slots import turn_runs
from service.store.tables import Slot, Summary, Title, Transcript
from service.store.transcripts import is_private

MOST_SEARCH_CHARS = 500
SEARCH_WORDS = f"q: at most {MOST_SEARCH_CHARS} characters"
# Some have a folder for every session: more than these nobody looks through.
_MOST_PROJECTS = 1_000
_LATEST_NS = (1 << 63) - 1
_PRIVATE = "this session is private: nothing is kept of it"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part of the list; `after` is an earlier page's cursor, `derived` is off while the feature is."""

    limit: int
    derived: bool
    after: str | None = None
    key: str | None = None
    text: str | None = None
    source: str | None = None
    project: str | None = None
    state: str | None = None


@dataclass(frozen=True, slots=True)
class ListedSlot:
    """One line of the list; `reason` says why there is nothing to summarize."""

    key: str
    transcript_key: str
    title: str | None
    headline: str | None
    source: str
    project: str | None
    state: str | None
    open_items: int
    user_turns: int
    last_activity: str | None
    running: bool
    stale: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class Choices:
    """What the list can be narrowed by: the agents of the sessions the caller may see, and their latest projects."""

    sources: Sequence[str] = ()
    projects: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A page, and the cursor of the next one: None on the last. The choices are the first one's alone."""

    slots: Sequence[ListedSlot]
    next: str | None
    choices: Choices

    def as_dict(self) -> dict[str, Any]:
        """The page as it is answered, whoever asked by whatever way."""
        listed = {"slots": [asdict(slot) for slot in self.slots], "next": self.next}
        return listed | {name: values for name, values in asdict(self.choices).items() if values}


# A title is shown only while it is fresh, else the headline of the summary, whose staleness the line tells.
_fresh_title = sa.case(
    (sa.and_(Title.sig == Transcript.sig, Title.gen == Transcript.gen), Title.title), else_=sa.null()
)
_headline = sa.func.coalesce(_fresh_title, Summary.headline)
_stale = sa.and_(Summary.payload.is_not(None), sa.or_(Summary.sig != Transcript.sig, Summary.gen != Transcript.gen))


async def list_slots(read: Read, wanted: Wanted, caller: Caller, now_ns: int) -> Page:
    """The slots the caller may see. Raises BadCursorError."""
    query = (
        sa.select(
            Slot.key,
            Slot.transcript_key,
            Transcript.title,
            _headline.label("headline"),
            Transcript.source,
            Transcript.project,
            Summary.state,
            Summary.open_items,
            Transcript.user_turns,
            Transcript.last_activity,
            turn_runs(now_ns).label("running"),
            _stale.label("stale"),
            Transcript.unprompted,
            Transcript.memory_mode,
            Transcript.sort_ns,
        )
        .select_from(Slot)
        .join(Transcript, Transcript.key == Slot.transcript_key)
        .join(Summary, Summary.transcript_key == Transcript.key)
        .join(Title, Title.transcript_key == Transcript.key)
        .where(visible_to(caller), *_conditions(wanted))
        .order_by(Transcript.sort_ns.desc(), Slot.key)
        .limit(wanted.limit + 1)
    )
    rows = (await read.execute(query)).all()
    page = rows[: wanted.limit]
    cursor = write_cursor(page[-1].sort_ns, key=page[-1].key) if len(rows) > wanted.limit else None
    # One session that is asked for by its key is no list to be narrowed.
    first = wanted.after is None and wanted.key is None
    choices = await _read_choices(read, caller) if first else Choices()
    return Page([_listed(row, derived=wanted.derived) for row in page], cursor, choices)


async def _read_choices(read: Read, caller: Caller) -> Choices:
    shown = sa.exists().where(Slot.transcript_key == Transcript.key, visible_to(caller))
    sources = sa.select(Transcript.source).where(shown).distinct()
    projects = (
        sa.select(Transcript.project)
        .where(shown, Transcript.project != "")
        .group_by(Transcript.project)
        .order_by(sa.func.max(Transcript.sort_ns).desc())
        .limit(_MOST_PROJECTS)
    )
    return Choices(await _names(read, sources), await _names(read, projects))


async def _names(read: Read, query: sa.Select[Any]) -> list[str]:
    return sorted(str(name) for name in await read.scalars(query))


def _conditions(wanted: Wanted) -> Iterator[sa.ColumnElement[bool]]:
    if wanted.after is None:
        # All meet it; without a bound SQLite sorts the whole table instead of walking the index from the newest on.
        yield Transcript.sort_ns <= _LATEST_NS
    else:
        (sort_ns,), key = read_cursor(wanted.after, 1)
        yield sa.or_(Transcript.sort_ns < sort_ns, sa.and_(Transcript.sort_ns == sort_ns, Slot.key > key))
    if wanted.key is not None:
        yield Slot.key == wanted.key
    if wanted.text:
        searched = [Slot.key, Transcript.title, Transcript.project, *([_headline] if wanted.derived else [])]
        sought = wanted.text.casefold()
        yield sa.or_(*(sa.func.casefold(column).contains(sought, autoescape=True) for column in searched))
    if wanted.source:
        yield Transcript.source == wanted.source
    if wanted.project:
        yield Transcript.project == wanted.project
    if wanted.state:
        yield Summary.state == wanted.state if wanted.derived else sa.false()


def _listed(row: Any, *, derived: bool) -> ListedSlot:
    return ListedSlot(
        key=row.key,
        transcript_key=row.transcript_key,
        title=row.title,
        headline=row.headline if derived else None,
        source=row.source,
        project=row.project,
        state=row.state if derived else None,
        open_items=row.open_items if derived else 0,
        user_turns=row.user_turns,
        last_activity=row.last_activity,
        running=bool(row.running),
        stale=bool(row.stale) and derived,
        reason=_PRIVATE if is_private(row.memory_mode) else row.unprompted,
    )
