"""Sessions whose files begin with a copy of another session's rows: each message counts once, where it was said."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.passes.seen import listed, turns, two_turns
from tests.support.agent_files import write_rows
from tests.support.claude_files import ClaudeFile, resumed
from tests.support.forks import BEGUN, FORKS, OF_FORK, OF_ORIGINAL, Fork
from tests.support.live import LiveService
from tests.support.wait import wait_until_sync


def following(tmp_path: Path, home: Path) -> LiveService:
    """A service that follows the home and has no model."""
    return LiveService(tmp_path / "data", home=home, mirror_sources=True)


def said(service: LiveService) -> dict[str, list[str]]:
    """What the person said in each session, as it is stored."""
    query = "SELECT transcript_key, content FROM messages WHERE origin = 'person' ORDER BY transcript_key, seq"
    found: dict[str, list[str]] = {key: [] for key in listed(service)}
    for key, words in service.rows(query):
        found.setdefault(key, []).append(words)
    return found


@pytest.mark.parametrize("marks", [{}, {"forkedFrom": {"sessionId": "first", "messageUuid": "x"}}])
def test_what_a_resumed_session_copied_counts_where_it_was_said(
    tmp_path: Path, home: Path, marks: dict[str, Any]
) -> None:
    """Two files that were there at start share their rows: the first keeps them, the second has what came after."""
    first = ClaudeFile(home, "first")
    two_turns(first)
    second = resumed(first, "second", **marks)
    second.prompt("And the docs")
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: turns(service) == {first.key: 2, second.key: 1}, within=5)


def test_a_session_that_is_resumed_while_it_is_followed_is_not_counted_twice(tmp_path: Path, home: Path) -> None:
    """A session that was listed keeps its turns, and the file that goes on from it adds its own alone."""
    first = ClaudeFile(home, "first")
    two_turns(first)
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: turns(service) == {first.key: 2}, within=5)
        second = resumed(first, "second")
        wait_until_sync(lambda: second.key in listed(service), within=5)
        second.prompt("And the docs")
        wait_until_sync(lambda: turns(service) == {first.key: 2, second.key: 1}, within=5)
        second.reply("Done.")
        second.prompt("And the tests")
        wait_until_sync(lambda: turns(service) == {first.key: 2, second.key: 2}, within=5)


def test_a_copy_stays_a_copy_when_its_original_was_deleted(tmp_path: Path, home: Path) -> None:
    """Deleting the first session does not bring its words back through the file that was copied from it."""
    first = ClaudeFile(home, "first")
    two_turns(first)
    second = resumed(first, "second")
    second.prompt("And the docs")
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: turns(service) == {first.key: 2, second.key: 1}, within=5)
        service.client.delete(service.path(first.key)).raise_for_status()
    second.prompt("And the tests")
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: turns(service) == {second.key: 2}, within=5)


@pytest.mark.parametrize("is_fork_newer", [True, False])
@pytest.mark.parametrize("fork", FORKS)
def test_an_original_that_is_used_on_after_its_fork_keeps_its_beginning(
    tmp_path: Path, home: Path, fork: Fork, is_fork_newer: bool
) -> None:
    """The fork has what was said in it alone, though the original was spoken in last, whichever file is read first."""
    original, copy = fork(home)
    _date(home, "fork", newer=is_fork_newer)
    with following(tmp_path, home) as service:
        expected = {original: [BEGUN, OF_ORIGINAL], copy: [OF_FORK]}
        wait_until_sync(lambda: said(service) == expected, within=5)


def test_chats_that_begin_alike_are_not_one(tmp_path: Path, home: Path) -> None:
    """Two chats that were opened with the same words in the same second both have their turns."""
    rows = [{"role": "user", "content": "Sort the imports", "ts": "2026-03-02T09:00:00Z"}]
    for name in ("one", "other"):
        write_rows(home / ".kiro" / "crew" / "sessions" / f"{name}.jsonl", [{"_type": "metadata"}, *rows])
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: turns(service) == {"kirocrew:one": 1, "kirocrew:other": 1}, within=5)


def _date(home: Path, name: str, *, newer: bool) -> None:
    """Files that changed last are read first."""
    for path in home.rglob("*"):
        if path.is_file():
            age = 100 if (name in path.name) is newer else 200
            os.utime(path, (path.stat().st_atime - age, path.stat().st_mtime - age))


@pytest.mark.parametrize("is_serving", [True, False])
def test_a_copy_has_its_beginning_back_when_its_agent_removed_the_original(
    tmp_path: Path, home: Path, is_serving: bool
) -> None:
    """Agents clean up after themselves: what is left of a talk is the whole of what its last file holds."""
    first = ClaudeFile(home, "first")
    first.exchange("Sort the imports")
    second = resumed(first, "second")
    second.exchange("And the docs")
    third = resumed(second, "third")
    third.exchange("And the tests")
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: turns(service) == {first.key: 1, second.key: 1, third.key: 1}, within=5)
        gen = dict(service.rows("SELECT key, gen FROM transcripts"))
        if is_serving:
            first.path.unlink()
            wait_until_sync(lambda: turns(service) == {second.key: 2, third.key: 1}, within=5)
            assert dict(service.rows("SELECT key, gen FROM transcripts"))[second.key] == gen[second.key] + 1
    first.path.unlink(missing_ok=True)
    with following(tmp_path, home) as service:
        expected = {second.key: ["Sort the imports", "And the docs"], third.key: ["And the tests"]}
        wait_until_sync(lambda: said(service) == expected, within=5)
        third.exchange("And the types")
        expected[third.key].append("And the types")
        wait_until_sync(lambda: said(service) == expected, within=5)


def test_what_a_person_deleted_does_not_come_back_through_its_copies(tmp_path: Path, home: Path) -> None:
    """Neither when the agent removes the deleted session's file, nor when it removes a copy, nor after a restart."""
    first = ClaudeFile(home, "first")
    first.exchange("Sort the imports")
    copies = [resumed(first, name) for name in ("second", "third")]
    for copy in copies:
        copy.exchange(f"And {copy.session_id}")
    fourth = resumed(copies[1], "fourth")
    fourth.exchange("And fourth")
    untouched = resumed(first, "untouched")
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: len(turns(service)) == 5 and sum(turns(service).values()) == 4, within=5)
        service.client.delete(service.path(first.key)).raise_for_status()
        first.path.unlink()
        copies[1].path.unlink()
        expected = {copies[0].key: ["And second"], fourth.key: ["And third", "And fourth"], untouched.key: []}
        wait_until_sync(lambda: said(service) == expected, within=5)
        untouched.exchange("And more")
        expected[untouched.key].append("And more")
        wait_until_sync(lambda: said(service) == expected, within=5)
    fourth.exchange("And the docs")
    expected[fourth.key].append("And the docs")
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: said(service) == expected, within=5)


@pytest.mark.parametrize("marks", [{}, {"forkedFrom": {"sessionId": "first", "messageUuid": "x"}}])
@pytest.mark.parametrize("is_serving", [True, False])
def test_a_copy_with_nothing_of_its_own_says_so(
    tmp_path: Path, home: Path, is_serving: bool, marks: dict[str, Any]
) -> None:
    """A session that was resumed and never used has no turns and a reason, and keeps what its file tells of it."""
    first = ClaudeFile(home, "first")
    two_turns(first)
    os.utime(first.path, (first.path.stat().st_atime, first.path.stat().st_mtime - 60))
    if not is_serving:
        resumed(first, "second", **marks)
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: first.key in turns(service), within=5)
        if is_serving:
            resumed(first, "second", **marks)
        wait_until_sync(lambda: turns(service) == {first.key: 2, "claude-code:second": 0}, within=5)
        slots = listed(service)
        assert slots["claude-code:second"]["reason"] == "nothing said since it was copied from another session"
        assert slots["claude-code:second"]["last_activity"] == slots[first.key]["last_activity"]
        assert slots[first.key]["reason"] is None


@pytest.mark.parametrize("is_copy_newer", [True, False])
def test_a_copys_last_activity_does_not_depend_on_what_is_read_first(
    tmp_path: Path, home: Path, is_copy_newer: bool
) -> None:
    """What is taken back from a copy leaves it with the time of its newest row, message or not."""
    first = ClaudeFile(home, "first")
    two_turns(first)
    second = resumed(first, "second")
    second.exchange("And the docs")
    second.pass_minutes(60)
    second.end()
    _date(home, "second", newer=is_copy_newer)
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: turns(service) == {first.key: 2, second.key: 1}, within=5)
        assert listed(service)[second.key]["last_activity"] == "2026-03-02T10:10:00+00:00"
