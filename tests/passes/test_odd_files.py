"""Odd files and folders of agents: what is odd is told, and everything beside it is mirrored."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from time import time
from typing import Any

import pytest

from tests.passes.seen import listed, turns, two_turns
from tests.support.agent_files import CODEX_ID, OpenCodeDatabase, codex_file, gemini_document, gemini_path
from tests.support.claude_files import ClaudeFile
from tests.support.live import LiveService
from tests.support.wait import wait_until_sync


@pytest.fixture
def file(home: Path) -> ClaudeFile:
    """The session beside which the odd ones lie."""
    file = ClaudeFile(home)
    two_turns(file)
    return file


def skipped(service: LiveService, agent: str) -> dict[str, list[str]]:
    """Why sessions and files of an agent were skipped, once everything was looked at."""
    answer = wait_until_sync(lambda: looked_at(service), within=5)
    found = next(one for one in answer["agents"] if one["agent"] == agent)
    return {one["why"]: one["such_as"] for one in found["skipped"]}


def looked_at(service: LiveService) -> dict[str, Any]:
    """The report, empty while files wait for their look."""
    answer: dict[str, Any] = service.client.get("/api/sources").raise_for_status().json()
    return answer if answer["looked_at"] and not answer["looking"] else {}


def test_a_folder_that_the_system_refuses_stops_nothing(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """Other agents' sessions are followed, and the report names the folder with the system's words."""
    refused = home / ("x" * 300)
    environ = {"CODEX_HOME": str(refused)}
    with LiveService(tmp_path / "data", environ=environ, home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
        assert skipped(service, "codex") == {"a folder that cannot be read (File name too long)": [str(refused)]}
        file.prompt("And the tests")
        wait_until_sync(lambda: listed(service)[file.key]["user_turns"] == 3, within=5)
        assert service.client.get("/api/sources").json()["following"] is True


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to the superuser")
def test_a_folder_that_is_closed_later_loses_nothing(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """What was read stays listed while nobody can tell what lies in the folder."""
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
    (home / ".claude").chmod(0)
    try:
        with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
            reasons = skipped(service, "claude-code")
            assert reasons == {"a folder that cannot be read (Permission denied)": [str(home / ".claude")]}
            assert file.key in listed(service)
    finally:
        (home / ".claude").chmod(0o700)


def test_a_pipe_in_place_of_a_file_keeps_nobody_waiting(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """The session it should name is listed under its first words, and the service ends when it is told to."""
    codex_file(home)
    os.mkfifo(home / ".codex" / "session_index.jsonl")
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: f"codex:{CODEX_ID}" in listed(service), within=5)
        assert listed(service)[f"codex:{CODEX_ID}"]["title"] == "Sort the imports"
        service.stop()


def test_a_row_of_the_year_9999_is_a_row(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """A broken clock's session is listed, and so are the others that were found with it."""
    late = ClaudeFile(home, "late")
    late.prompt("Hello")
    late.path.write_text(late.path.read_text().replace("2026-03-02", "9999-12-31"))
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: {file.key, late.key} <= listed(service).keys(), within=5)
        assert listed(service)[late.key]["last_activity"].startswith("9999-12-31")


def test_a_file_dated_beyond_all_time_is_a_file(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """Whatever time a file system has for a file, its session is listed."""
    os.utime(file.path, (1 << 33, 1 << 33))
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)


def test_a_name_that_is_no_text_is_skipped(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """The report spells the name out, and the other sessions are listed."""
    odd = os.path.join(os.fsencode(file.path.parent), b"\xff.jsonl")
    Path(os.fsdecode(odd)).write_bytes(file.path.read_bytes())
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
        spelled = str(file.path.with_name("\\udcff.jsonl"))
        assert skipped(service, "claude-code") == {"its name is no UTF-8": [spelled]}
        assert len(listed(service)) == 1


@pytest.mark.parametrize("session_id", ["a\nb", "a\x00b", "a\x85b", "a" * 300])
def test_an_id_that_no_address_can_name_is_skipped(
    tmp_path: Path, home: Path, file: ClaudeFile, session_id: str
) -> None:
    """A session that could not be asked for or deleted is not stored."""
    gemini_path(home).write_text(gemini_document("Hello", session_id=session_id))
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
        why = "its id is too long or has control characters"
        assert skipped(service, "gemini") == {why: [str(gemini_path(home))]}
        assert listed(service).keys() == {file.key}


def test_what_the_store_cannot_hold_is_told(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """A session that breaks is skipped with the error's name, and those that were found with it are listed."""
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
    others = [ClaudeFile(home, f"other-{n}") for n in range(3)]
    for other in others:
        two_turns(other)
    refuse(tmp_path / "data" / "session-summary.db", others[1].key)
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        good = {others[0].key, others[2].key}
        wait_until_sync(lambda: good <= listed(service).keys(), within=5)
        assert skipped(service, "claude-code") == {"could not be taken in (IntegrityError)": [str(others[1].path)]}


def refuse(database: Path, key: str) -> None:
    """Lets the database refuse one transcript, as it would something in it that no column takes."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON messages "
            f"WHEN NEW.transcript_key = '{key}' BEGIN SELECT RAISE(ABORT, 'refused'); END"
        )
        connection.commit()


def test_what_was_locked_is_read_when_it_is_free(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing changes in a database when its lock goes, and it is read at the next look behind."""
    monkeypatch.setattr("service.sources.amazonq_database._BUSY_SECONDS", 0.01)
    database = OpenCodeDatabase(home, wal=False)
    database.session("ses_1", "Sort the imports")
    database.close()
    ahead = [0.0]
    with LiveService(tmp_path / "data", home=home, mirror_sources=True, now=lambda: time() + ahead[0]) as service:
        wait_until_sync(lambda: looked_at(service), within=5)
        with closing(sqlite3.connect(database.path)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            os.utime(database.path)
            wait_until_sync(lambda: "unreadable" in skipped(service, "opencode"), within=5)
        ahead[0] = 31.0
        wait_until_sync(lambda: "unreadable" not in skipped(service, "opencode"), within=5)


def test_a_link_to_a_folder_above_blinds_nobody(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """The watcher comes upon each file by a second way, and names it by that; what changes is seen all the same."""
    (home / ".claude" / "projects" / "loop").symlink_to("..")
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: looked_at(service) and file.key in listed(service), within=5)
        file.exchange("And the docs")
        wait_until_sync(lambda: listed(service)[file.key]["user_turns"] == 3, within=5)


def test_a_folder_that_takes_anothers_place_is_watched(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """A folder moved away and another put under its name: what is written in the new one is seen."""
    projects, other = home / ".claude" / "projects", home / "other"
    shutil.copytree(projects, other)
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: looked_at(service) and file.key in listed(service), within=5)
        projects.rename(home / "before")
        other.rename(projects)
        wait_until_sync(lambda: _one_more_turn(service, file), within=5)


def _one_more_turn(service: LiveService, file: ClaudeFile) -> bool:
    """Whether a turn written until now was seen: when the new folder is watched nobody outside can tell."""
    file.exchange("And the docs")
    return turns(service).get(file.key, 0) > 2
