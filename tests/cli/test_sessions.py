"""`list`, `show`, `open-items`, `usage`, `delete`: the same on the database and through a running service."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from service.cli.demo_data import fill
from service.config import ConfigFile, set_value
from service.store.folder import DataFolder, FolderLock
from tests.cli.conftest import Command
from tests.support.live import LiveService

BACKUP = "ops/nightly-backup"
NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def filled(switched_on: DataFolder) -> DataFolder:
    """A folder that holds three summarized sessions."""
    switched_on.prepare()
    asyncio.run(fill(switched_on, ConfigFile(switched_on.config), NOW))
    return switched_on


@pytest.fixture(params=["database", "service"])
def data(request: pytest.FixtureRequest, filled: DataFolder) -> Iterator[DataFolder]:
    """The filled folder: at rest, and served."""
    if request.param == "database":
        yield filled
        return
    lock = FolderLock.take(filled)
    with LiveService(filled.path) as live:
        lock.announce(live.url)
        yield filled
    lock.release()


def test_the_list(command: Command, data: DataFolder) -> None:
    """Two lines a session within 80 columns, newest first, with the whole key to copy."""
    ran = command("list")
    lines = ran.out.splitlines()
    assert (ran.code, ran.err, len(lines)) == (0, "", 6)
    assert max(map(len, lines)) <= 80
    assert lines[4].startswith("needs you    Back up the orders database")
    assert lines[5].strip() == f"{BACKUP} · 3 turns · 2 open"


def test_the_list_for_programs(command: Command, data: DataFolder) -> None:
    """--json has the shape of the list route."""
    listed = json.loads(command("list", "--json").out)
    assert [slot["key"] for slot in listed["slots"]] == ["docs-site/search", "shop-api/checkout-cents", BACKUP]
    assert listed["next"] is None


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        (("--state", "needs-you"), [BACKUP]),
        (("-q", "CHECKOUT"), ["shop-api/checkout-cents"]),
        (("--project", "~/work/ops"), [BACKUP]),
        (("--source", "codex"), []),
    ],
)
def test_the_list_is_filtered(command: Command, data: DataFolder, options: tuple[str, ...], keys: list[str]) -> None:
    """State, words, project and agent each narrow it."""
    listed = json.loads(command("list", "--json", *options).out)
    assert [slot["key"] for slot in listed["slots"]] == keys


def test_a_long_list_says_that_there_is_more(command: Command, data: DataFolder) -> None:
    """--limit ends it, and the way to all of it is said on stderr."""
    ran = command("list", "--limit", "2")
    assert len(ran.out.splitlines()) == 4
    assert ran.err == "There are more than these 2; --limit 0 shows all.\n"
    assert len(json.loads(command("list", "--json", "--limit", "0").out)["slots"]) == 3


def test_a_summary_is_shown(command: Command, data: DataFolder) -> None:
    """As text with the session's title, as Markdown, and as the JSON that the route gives."""
    text = command("show", BACKUP)
    assert text.out.startswith("Nightly database backup\n\n[needs you] ")
    assert "not verified" in text.out
    assert command("show", BACKUP, "--format", "markdown").out.startswith(
        "# Nightly database backup\n\n## Open items\n"
    )
    shown = json.loads(command("show", BACKUP, "--json").out)
    assert (shown["enabled"], shown["stale"], shown["user_turns"]) == (True, False, 3)


def test_an_unknown_session(command: Command, data: DataFolder) -> None:
    """The sentence says where the keys stand."""
    ran = command("show", "nope")
    assert (ran.code, ran.out) == (1, "")
    assert "`session-summary list` shows the keys" in ran.err


def test_open_items_over_all_sessions(command: Command, data: DataFolder) -> None:
    """Each waiting goal once, with its steps below; for programs the items of the route."""
    ran = command("open-items")
    assert ran.out.count("Back up the orders database every night") == 1
    assert ran.out.count("  - ") == 2
    items = json.loads(command("open-items", "--json").out)["items"]
    assert {item["slot"] for item in items} == {BACKUP}


def test_usage(command: Command, data: DataFolder) -> None:
    """A line per pass and the totals."""
    ran = command("usage")
    assert "3 passes, 3 stored, 0 tokens, $0.0000" in ran.out
    found = json.loads(command("usage", "--json", "--slot", BACKUP).out)
    assert [row["slot"] for row in found["passes"]] == [BACKUP]
    assert json.loads(command("usage", "--json", "--since", "2999-01-01").out)["totals"]["passes"] == 0


def test_usage_since_no_time(command: Command, data: DataFolder) -> None:
    """What is no time is said to be none."""
    ran = command("usage", "--since", "yesterdayish")
    assert ran.code == 1
    assert "a time such as" in ran.err


def test_a_session_is_deleted_for_good(command: Command, data: DataFolder) -> None:
    """The receipt counts what went; the session is gone from the list, and its text from the files."""
    ran = command("delete", BACKUP, "--yes")
    assert ran.out.startswith(f"Deleted {BACKUP}: 6 messages, 6 facts, 1 summary, 0 titles, 1 slot.")
    assert command("delete", BACKUP, "--yes").code == 1
    assert BACKUP not in command("list").out
    left = b"".join(path.read_bytes() for path in data.path.glob("session-summary.db*"))
    assert b"shellcheck backup/nightly.sh" not in left


def test_deleting_asks_somebody(command: Command, data: DataFolder) -> None:
    """Where nobody can be asked it refuses, and nothing goes."""
    ran = command("delete", BACKUP)
    assert (ran.code, ran.out) == (1, "")
    assert "add --yes" in ran.err
    assert BACKUP in command("list").out


def test_while_off_nothing_derived_is_shown(command: Command, data: DataFolder) -> None:
    """Every command says that summaries are off and how to switch them on."""
    set_value(data.config, "session_summary.enabled", False)
    listed, shown, waiting = command("list"), command("show", BACKUP), command("open-items")
    for ran in (listed, shown, waiting):
        assert "Summaries are off" in ran.err
        assert "Back up the orders database every night" not in ran.out
    assert (listed.code, shown.code, waiting.code) == (0, 1, 0)
    assert json.loads(command("show", BACKUP, "--json").out)["intents"] == []
    assert json.loads(command("list", "--json", "--state", "needs-you").out)["slots"] == []


def test_tokens_through_either_door(command: Command, data: DataFolder) -> None:
    """Apps' tokens are made, listed and revoked whether or not a service runs."""
    token = command("token", "create", "--app", "my-chat").out.strip()
    assert len(token) >= 43
    assert json.loads(command("token", "list", "--json").out)["tokens"][0]["app"] == "my-chat"
    assert command("token", "revoke", "my-chat").code == 0
    assert "no valid token" in command("token", "revoke", "my-chat").err
    assert "an app's name is" in command("token", "create", "--app", "a/b").err


@pytest.mark.parametrize("arguments", [("list",), ("show", "a"), ("open-items",), ("usage",), ("delete", "a", "--yes")])
def test_without_a_database(command: Command, switched_on: DataFolder, arguments: tuple[str, ...]) -> None:
    """The sentence says how one comes about; none is made."""
    ran = command(*arguments)
    assert (ran.code, ran.out) == (1, "")
    assert "there is no database in" in ran.err
    assert not switched_on.database.exists()


def test_a_file_that_is_no_database(command: Command, switched_on: DataFolder) -> None:
    """It is said in one sentence, and the file is left as it is."""
    switched_on.database.write_bytes(b"no database, but long enough to look at" * 50)
    ran = command("list")
    assert ran.code == 1
    assert "file is not a database" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_an_older_database_is_migrated_first(command: Command, switched_on: DataFolder) -> None:
    """A file at no revision yet is brought up to date by a command that reads."""
    sqlite3.connect(switched_on.database).close()
    switched_on.database.touch()
    assert command("list").out == "No sessions.\n"


def test_reading_waits_for_no_starting_service(command: Command, filled: DataFolder) -> None:
    """While a service starts, a command says so instead of reading past it."""
    lock = FolderLock.take(filled)
    ran = command("list")
    lock.release()
    assert ran.code == 1
    assert "is starting or stopping" in ran.err


def test_reading_leaves_every_row_as_it_is(command: Command, filled: DataFolder) -> None:
    """No command that reads changes the database."""
    before = _dump(filled)
    for arguments in (("list",), ("show", BACKUP), ("open-items",), ("usage",), ("doctor",)):
        assert command(*arguments).code == 0
    assert _dump(filled) == before


def _dump(folder: DataFolder) -> list[str]:
    with sqlite3.connect(folder.database) as connection:
        lines = list(connection.iterdump())
    connection.close()
    return lines
