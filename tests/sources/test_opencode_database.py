"""OpenCode's database, read again and again while its agent writes to it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from service.sources.follow import FollowedFile, Verdict
from service.sources.opencode_database import read
from service.sources.session import Session
from service.sources.stamps import stamp_of
from tests.sources.test_opencode import INFO, opened_database, put_session, reply, text, user


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two sessions of one exchange each."""
    found = tmp_path / "opencode.db"
    with closing(opened_database(found, wal=False)) as database:
        for number in (1, 2):
            said = user(text(f"Sort list {number}"), message_id=f"msg_{number}1")
            told = reply(text("Sorted."), message_id=f"msg_{number}2")
            put_session(database, {**INFO, "id": f"ses_{number}"}, [said, told])
    return found


@pytest.fixture
def database(path: Path) -> Iterator[sqlite3.Connection]:
    """The agent's own connection."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def sessions_of(file: FollowedFile) -> dict[str, Session]:
    return {session.session_id: session for session in file.advance().result.sessions}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE part SET data = replace(data, 'Sorted.', 'Mended!') WHERE message_id = 'msg_12'",
        "UPDATE part SET message_id = 'msg_12', id = 'prt_z' WHERE message_id = 'msg_11'",
        "DELETE FROM part WHERE message_id = 'msg_12'",
        "UPDATE message SET data = replace(data, 'assistant', 'user') WHERE id = 'msg_12'",
        "UPDATE message SET time_created = 1 WHERE id = 'msg_12'",
        "DELETE FROM message WHERE id = 'msg_12'",
        "UPDATE session SET title = 'Lists' WHERE id = 'ses_1'",
        "UPDATE session SET directory = '/home/dev/other' WHERE id = 'ses_1'",
    ],
)
def test_whatever_changes_in_a_session_is_seen_and_the_others_are_not_taken_apart_again(
    path: Path, database: sqlite3.Connection, change: str
) -> None:
    """No time, size or count has to tell of it; a session whose rows stand as they stood is the one that was read."""
    file = FollowedFile(path)
    before = sessions_of(file)
    assert database.execute(change).rowcount > 0
    after = sessions_of(file)
    assert after["ses_2"] is before["ses_2"]
    assert after["ses_1"] != before["ses_1"]
    assert tuple(after.values()) == read(path)


def test_sessions_come_and_go(path: Path, database: sqlite3.Connection) -> None:
    """A session that is deleted is gone with the next look, one that is begun is there."""
    file = FollowedFile(path)
    sessions_of(file)
    database.execute("UPDATE session SET id = 'ses_3' WHERE id = 'ses_1'")
    assert set(sessions_of(file)) == {"ses_2", "ses_3"}


def test_a_look_at_an_untouched_database_tells_of_no_change(path: Path) -> None:
    """The same rows are the same sessions."""
    file = FollowedFile(path)
    file.advance()
    assert file.advance(verify=True).verdict is Verdict.SAME


def test_reading_a_log_in_use_does_not_look_like_a_change(path: Path, database: sqlite3.Connection) -> None:
    """Otherwise each look would be the reason for the next one, for as long as the agent has its database open."""
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("UPDATE session SET title = 'Lists'")
    parts = (path.with_name("opencode.db-wal"),)
    before = stamp_of(path, parts)
    assert read(path)
    assert stamp_of(path, parts) == before
