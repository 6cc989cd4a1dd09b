"""Many sessions in one agent's database: the one in which something happened is taken in, the others stand."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.passes.seen import turns
from tests.sources.test_opencode import INFO, opened_database, put_session, reply, text, user
from tests.support.live import LiveService
from tests.support.wait import wait_until_sync


@pytest.fixture
def database(home: Path) -> Iterator[sqlite3.Connection]:
    """The agent's own connection to its database, which holds three sessions."""
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    with closing(opened_database(path, wal=True)) as connection:
        for number in (1, 2, 3):
            put_session(
                connection, {**INFO, "id": f"ses_{number}"}, [user(text("Sort it"), message_id=f"msg_{number}1")]
            )
        yield connection


def say(database: sqlite3.Connection, session: int, number: int) -> None:
    said = user(text(f"Now list {number}"), message_id=f"msg_{session}{number}", at=1772442001000 + number)
    told = reply(text("Sorted."), message_id=f"msg_{session}{number}r", at=1772442001000 + number)
    info = {**INFO, "id": f"ses_{session}"}
    database.execute("DELETE FROM session WHERE id = ?", (info["id"],))
    put_session(database, info, [said, told])


def test_what_happens_in_one_session_leaves_the_others_alone(
    database: sqlite3.Connection, mirroring: LiveService
) -> None:
    """The one that was spoken in grows, one that was deleted here stays gone, and each can still be spoken in."""
    keys = [f"opencode:ses_{number}" for number in (1, 2, 3)]
    wait_until_sync(lambda: turns(mirroring) == dict.fromkeys(keys, 1), within=5)
    mirroring.client.delete(f"/api/chat/slots/{keys[1].replace(':', '%3A')}").raise_for_status()
    say(database, 1, 2)
    wait_until_sync(lambda: turns(mirroring) == {keys[0]: 2, keys[2]: 1}, within=5)
    say(database, 2, 2)
    say(database, 3, 2)
    wait_until_sync(lambda: turns(mirroring) == {keys[0]: 2, keys[2]: 2}, within=5)
    read = mirroring.rows("SELECT count(*), count(DISTINCT mtime_ns) FROM sources")
    assert read == [(2, 1)]
