"""What is kept of agents' files: one file a session, and nothing made for a session that may not be stored."""

from dataclasses import asdict, replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from service.domain.identity import Identity
from service.store import sources, summaries
from service.store.access import DASHBOARD
from service.store.deletion import delete_transcript
from service.store.engine import Database
from service.store.new_sessions import NewSession, insert_sessions, without_known
from service.store.sources import Admission, Mirrored, SourceRow
from service.store.tables import Source
from service.store.transcripts import set_memory_mode
from tests.support.stored import NOW_NS, open_slot, replied, said, state_of

KEY = "codex:s1"
FACTS = Mirrored(KEY, "codex", "Imports", "/home/dev/shop", None, "2026-03-02T09:00:00+00:00", NOW_NS)
ROW = SourceRow("/a.jsonl", KEY, "codex", 1, 10, 5, 10, "d")
NEW = NewSession(FACTS, ROW, (said("Sort"), replied("Done.")), False, "end_turn")


async def stored(db: Database, *sessions: NewSession) -> None:
    await db.write(lambda w: insert_sessions(w, sessions or (NEW,), NOW_NS))


async def test_a_new_session_is_as_if_created_and_filled(db: Database) -> None:
    """Messages, turns, file and the two empty artefacts are there, and a pass can begin."""
    await stored(db)
    state = await state_of(db, KEY)
    assert (state.user_turns, state.payload, state.running, state.last_stop_reason) == (1, None, False, "end_turn")
    assert state.identity == Identity(NOW_NS, 0)
    assert state.source_path == "/a.jsonl"
    assert await db.write(lambda w: summaries.take_lease(w, KEY, "me", NOW_NS, NOW_NS + 1))


async def test_what_is_known_in_any_way_is_not_new(db: Database) -> None:
    """A stored session, one that was deleted here, a host's slot, and a double among those that are asked about."""
    await stored(db)
    await open_slot(db, "codex:host", said("Hello"))
    gone, host, fresh = ("codex:gone", "codex:host", "codex:fresh")
    await stored(db, named(gone))
    await db.write(lambda w: delete_transcript(w, gone, NOW_NS, tombstone=True))
    asked = [named(key) for key in (KEY, gone, host, fresh, fresh)]
    new = await db.write(lambda w: without_known(w, asked))
    assert [session.facts.key for session in new] == [fresh]


def named(key: str) -> NewSession:
    path = f"/{key.partition(':')[2]}.jsonl"
    return replace(NEW, facts=replace(FACTS, key=key), row=replace(ROW, transcript_key=key, path=path))


async def test_a_session_mirrors_one_file(db: Database) -> None:
    """Another file takes the place of the one before; forgetting that one leaves the session alone."""
    await stored(db)
    await db.write(lambda w: sources.remember_source(w, replace(ROW, path="/b.jsonl")))
    await db.write(lambda w: sources.forget_session(w, KEY, NOW_NS, Path("/a.jsonl")))
    assert [row.path for row in await db.read(sources.read_sources)] == ["/b.jsonl"]
    await db.write(lambda w: sources.forget_session(w, KEY, NOW_NS, Path("/b.jsonl")))
    assert await db.read(sources.read_sources) == []
    assert await db.read(lambda r: summaries.read_slot_state(r, KEY, DASHBOARD, NOW_NS)) is None


async def test_a_session_of_several_in_a_file_names_the_file(db: Database) -> None:
    """The part behind the `#` is the session's, whatever else the path holds."""
    row = SourceRow("/odd#folder/opencode.db#s1", KEY, "opencode", 1, 10, 5, 10, "")
    await db.write(lambda w: sources.remember_source(w, row))
    found = await db.read(lambda r: sources.find_source(r, KEY))
    assert found is not None
    assert found.file == Path("/odd#folder/opencode.db")


async def test_sessions_that_may_not_be_stored_are_refused(db: Database) -> None:
    """One that a person deleted, one whose key a host has, and one whose slot shows something else."""
    await open_slot(db, KEY, said("Hello"))
    assert await db.write(lambda w: sources.admit_session(w, FACTS, NOW_NS)) is Admission.TAKEN
    await open_slot(db, "codex:s2", said("Hello"), transcript="t")
    other = replace(FACTS, key="codex:s2")
    assert await db.write(lambda w: sources.admit_session(w, other, NOW_NS)) is Admission.TAKEN
    await stored(db, named("codex:s3"))
    await db.write(lambda w: delete_transcript(w, "codex:s3", NOW_NS, tombstone=True))
    gone = replace(FACTS, key="codex:s3")
    assert await db.write(lambda w: sources.admit_session(w, gone, NOW_NS)) is Admission.DELETED


async def test_only_titles_that_are_news_are_announced(db: Database) -> None:
    """A title that an agent keeps elsewhere is metadata: identity stays, and what is known already tells nobody."""
    await stored(db)
    before = await state_of(db, KEY)
    for title in ("Import order", "Import order"):
        await db.write(lambda w, title=title: sources.set_titles(w, "codex", {KEY: title}, NOW_NS))  # type: ignore[misc]
    assert (await state_of(db, KEY)).identity == before.identity
    events = await db.read(lambda r: r.exec_driver_sql("SELECT count(*) FROM events"))
    assert events.scalar() == 2


async def test_a_private_session_gets_no_title(db: Database) -> None:
    """What an agent calls it elsewhere, and what its file says of itself, is the person's own words."""
    await stored(db)
    await db.write(lambda w: set_memory_mode(w, KEY, "Incognito"))
    await db.write(lambda w: sources.set_titles(w, "codex", {KEY: "Import order"}, NOW_NS))
    assert await db.write(lambda w: sources.set_metadata(w, FACTS)) is False
    row = await db.read(lambda r: r.exec_driver_sql("SELECT title, project, last_activity FROM transcripts"))
    assert tuple(row.one()) == (None, None, None)


async def test_a_private_session_whose_file_goes_cannot_come_back(db: Database) -> None:
    """Found again, it would be an ordinary one, with its words."""
    await stored(db)
    await db.write(lambda w: set_memory_mode(w, KEY, "temporary"))
    assert await db.write(lambda w: sources.forget_session(w, KEY, NOW_NS, Path("/a.jsonl"))) is not None
    assert await db.write(lambda w: sources.admit_session(w, FACTS, NOW_NS)) is Admission.DELETED


async def test_a_private_session_is_in_no_project(db: Database) -> None:
    """Its project was forgotten with its words, so that no choice of projects can judge it."""
    await stored(db, NEW, named("codex:s2"))
    await db.write(lambda w: set_memory_mode(w, KEY, "temporary"))
    assert await db.read(sources.read_projects) == [("codex:s2", "/home/dev/shop")]


@pytest.mark.parametrize("paths", [("/a.jsonl", "/b.jsonl"), ("/b.jsonl", "/a.jsonl")])
async def test_two_files_of_one_session_are_read_alike(db: Database, paths: tuple[str, str]) -> None:
    """Should a database ever say two, every read takes the same one, whichever was noted first."""
    await open_slot(db, KEY, said("Sort"))
    for path in paths:
        values = asdict(replace(ROW, path=path, size=len(path)))
        await db.write(lambda w, values=values: w.execute(sa.insert(Source).values(values)))  # type: ignore[misc] # bound per loop
    assert (await state_of(db, KEY)).source_path == "/a.jsonl"
    found = await db.read(lambda r: sources.find_source(r, KEY))
    assert found is not None
    assert found.path == "/a.jsonl"
