"""`token`: the dashboard's token and those of apps."""

import hashlib
import json
import sqlite3

import pytest

from service.store.folder import DataFolder, FolderLock
from tests.cli.conftest import Command
from tests.support.live import LiveService


def digests(folder: DataFolder) -> list[tuple[str, str, int | None]]:
    """What the database holds of tokens."""
    with sqlite3.connect(folder.database) as connection:
        rows = connection.execute("SELECT digest, app, revoked FROM tokens").fetchall()
    connection.close()
    return rows


def test_the_dashboard_token_stands_alone_on_stdout(command: Command, folder: DataFolder) -> None:
    """It is made on first use and stays; advice goes to stderr."""
    first, second = command("token", "show"), command("token", "show")
    assert first.out == second.out == folder.token.read_text()
    assert len(first.out.strip()) >= 43
    assert "token create" in first.err
    assert folder.token.stat().st_mode & 0o777 == 0o600


def test_a_blank_token_file_gets_one_token(command: Command, folder: DataFolder) -> None:
    """`token show` prints the same token each time, and the file holds it."""
    folder.prepare()
    folder.token.touch()
    first, second = command("token", "show"), command("token", "show")
    assert first.out == second.out == folder.token.read_text() != ""


def test_a_service_that_was_started_with_another_token(command: Command, folder: DataFolder) -> None:
    """The sentence says what is wrong and what helps; no command that prints the refused token does."""
    folder.prepare()
    lock = FolderLock.take(folder)
    with LiveService(folder.path) as live:
        lock.announce(live.url)
        folder.token.write_text("of-another-day\n")
        ran = command("list")
    lock.release()
    another = f"was started with another token than {folder.token} holds; restart it"
    assert (ran.code, ran.out, ran.err) == (1, "", f"session-summary: the service at {live.url} {another}\n")


def test_an_apps_token_is_shown_once_and_stored_as_a_digest(command: Command, folder: DataFolder) -> None:
    """The database never holds the token itself."""
    token = command("token", "create", "--app", "my-chat").out.strip()
    assert digests(folder) == [(hashlib.sha256(token.encode()).hexdigest(), "my-chat", None)]
    assert token.encode() not in folder.database.read_bytes()


def test_tokens_are_listed_and_revoked(command: Command, folder: DataFolder) -> None:
    """A revoked token stays in the list as such; a second time there is none to revoke."""
    command("token", "create", "--app", "my-chat")
    assert command("token", "revoke", "my-chat").err == "1 token of my-chat revoked.\n"
    assert json.loads(command("token", "list", "--json").out)["tokens"][0]["revoked"] is not None
    assert "revoked" in command("token", "list").out
    again = command("token", "revoke", "my-chat")
    assert again.code == 1
    assert "no valid token" in again.err


@pytest.mark.parametrize("name", ["", "a/b", "ü", "-x", "a b", "x" * 65, "a\n"])
def test_an_apps_name_is_plain(command: Command, name: str) -> None:
    """Names that could not stand in an address are refused in words."""
    ran = command("token", "create", f"--app={name}")
    assert (ran.code, ran.out) == (1, "")
    assert "an app's name is" in ran.err


def test_no_token_is_made_beside_a_process_that_holds_the_folder(command: Command, folder: DataFolder) -> None:
    """A service that is just starting is not written past."""
    folder.prepare()
    lock = FolderLock.take(folder)
    ran = command("token", "create", "--app", "my-chat")
    lock.release()
    assert ran.code == 1
    assert "try again in a moment" in ran.err
