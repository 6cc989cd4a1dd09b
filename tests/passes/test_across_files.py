"""Sessions that several files have, files that hold several sessions, and files that go with other files."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.config import set_value
from tests.passes.seen import listed, turns, two_turns
from tests.support.agent_files import (
    CODEX_ID,
    OpenCodeDatabase,
    append_rows,
    codex_file,
    codex_state,
    end_kiro_turn,
    gemini_document,
    gemini_path,
    kiro_file,
)
from tests.support.claude_files import ClaudeFile
from tests.support.live import LiveService
from tests.support.model_server import ModelServer
from tests.support.wait import wait_until_sync

CODEX_KEY = f"codex:{CODEX_ID}"
GEMINI_KEY = "gemini:5f0a1b2c-aaaa"


@pytest.fixture
def opencode(home: Path) -> Iterator[OpenCodeDatabase]:
    """OpenCode is installed and running."""
    database = OpenCodeDatabase(home)
    yield database
    database.close()


def following(tmp_path: Path, home: Path) -> LiveService:
    """A service that follows the home and has no model."""
    return LiveService(tmp_path / "data", home=home, mirror_sources=True)


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_growing_snapshots_are_one_session(tmp_path: Path, home: Path, names: tuple[str, str]) -> None:
    """Of two files with one session the longer one is listed, whatever their names; when it goes, the other is."""
    older, newer = (gemini_path(home, f"session-{name}.json") for name in names)
    older.write_text(gemini_document("Sort the imports"))
    newer.write_text(gemini_document("Sort the imports", "Now the exports"))
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: turns(service) == {GEMINI_KEY: 2}, within=5)
        newer.unlink()
        wait_until_sync(lambda: turns(service) == {GEMINI_KEY: 1}, within=5)
        older.write_text(gemini_document("Sort the imports", "Now the exports", "And the docs"))
        wait_until_sync(lambda: turns(service) == {GEMINI_KEY: 3}, within=5)


def test_a_session_that_its_agent_moved_keeps_its_summary(tmp_path: Path, home: Path) -> None:
    """A rollout that goes to the archive is the same session, and its summary is still fresh."""
    file = codex_file(home, "Sort the imports", "Now the exports")
    set_value(tmp_path / "data" / "config.json", "session_summary.enabled", True)
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: CODEX_KEY in listed(service), within=5)
        service.generate(CODEX_KEY).raise_for_status()
        archive = home / ".codex" / "archived_sessions"
        archive.mkdir()
        shutil.move(file, archive / file.name)
        moved = "SELECT path FROM sources WHERE path LIKE '%archived%'"
        wait_until_sync(lambda: service.rows(moved), within=5)
        body = service.summary(CODEX_KEY)
        assert (body["stale"], body["user_turns"]) == (False, 2)


def test_a_file_that_is_empty_for_a_moment_keeps_its_session(tmp_path: Path, home: Path) -> None:
    """A document that is being rewritten loses nothing of what was made from it."""
    path = gemini_path(home)
    path.write_text(gemini_document("Sort the imports"))
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: turns(service) == {GEMINI_KEY: 1}, within=5)
        path.write_text("")
        wait_until_sync(lambda: "empty" in reasons(service, "gemini"), within=5)
        assert turns(service) == {GEMINI_KEY: 1}


def reasons(service: LiveService, agent: str) -> dict[str, int]:
    agents = service.client.get("/api/sources").json()["agents"]
    return {one["why"]: one["count"] for one in next(a for a in agents if a["agent"] == agent)["skipped"]}


def test_new_rows_in_a_databases_log_are_followed(tmp_path: Path, home: Path, opencode: OpenCodeDatabase) -> None:
    """A turn that stands in the write-ahead log alone is listed, and a session deleted in the agent goes."""
    opencode.session("ses_1", "Sort the imports")
    opencode.session("ses_2", "Fix the tax")
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: turns(service) == {"opencode:ses_1": 1, "opencode:ses_2": 1}, within=5)
        opencode.turn("ses_2", "And the docs")
        wait_until_sync(lambda: turns(service)["opencode:ses_2"] == 2, within=5)
        opencode.forget("ses_1")
        wait_until_sync(lambda: turns(service) == {"opencode:ses_2": 2}, within=5)


def test_a_turn_in_one_of_a_databases_sessions_is_summarized(
    mirroring: LiveService, home: Path, opencode: OpenCodeDatabase, model_server: ModelServer
) -> None:
    """Only the session that moved while the service ran gets a summary, not the others beside it."""
    for n in range(4):
        opencode.session(f"ses_{n}", "Sort the imports", "Now the exports")
    wait_until_sync(lambda: len(listed(mirroring)) == 4, within=5)
    opencode.turn("ses_2", "And the docs")
    wait_until_sync(lambda: mirroring.summary("opencode:ses_2").get("user_turns") == 3, within=5)
    assert len(model_server.requests) == 1


def test_the_file_beside_a_session_tells_that_its_turn_ended(mirroring: LiveService, home: Path) -> None:
    """Kiro writes the end of a turn to another file: the session is no longer running then."""
    path = kiro_file(home)
    wait_until_sync(lambda: listed(mirroring).get("kiro:kiro-1", {}).get("running"), within=5)
    end_kiro_turn(path, "k1", "k2")
    wait_until_sync(lambda: listed(mirroring)["kiro:kiro-1"]["running"] is False, within=5)
    assert listed(mirroring)["kiro:kiro-1"]["title"] == "Imports"


def test_titles_that_codex_keeps_elsewhere_are_metadata(tmp_path: Path, home: Path) -> None:
    """A title in the state database is shown, a later one too, and the summary stays fresh."""
    codex_file(home, "Sort the imports", "Now the exports")
    codex_state(home, **{CODEX_ID: "Import order"})
    set_value(tmp_path / "data" / "config.json", "session_summary.enabled", True)
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: listed(service).get(CODEX_KEY, {}).get("title") == "Import order", within=5)
        service.generate(CODEX_KEY).raise_for_status()
        codex_state(home, **{CODEX_ID: "Sorted imports"})
        wait_until_sync(lambda: listed(service)[CODEX_KEY]["title"] == "Sorted imports", within=5)
        assert service.summary(CODEX_KEY)["stale"] is False


def test_an_apps_slot_is_never_filled_from_an_agents_file(tmp_path: Path, home: Path) -> None:
    """An app that takes a session's key before its file is found sees nothing of that session."""
    file = ClaudeFile(home)
    with following(tmp_path, home) as service:
        token = service.client.post("/api/tokens", json={"app": "gateway"}).json()["token"]
        with service.client_of(token) as app:
            app.put(service.path(file.key), json={}).raise_for_status()
            app.put(service.path("other"), json={"transcript_key": "claude-code:other"}).raise_for_status()
            two_turns(file)
            two_turns(ClaudeFile(home, "other"))
            wait_until_sync(lambda: reasons(service, "claude-code"), within=5)
            wait_until_sync(lambda: sum(reasons(service, "claude-code").values()) == 2, within=5)
            assert [slot["user_turns"] for slot in app.get("/api/chat/slots").json()["slots"]] == [0, 0]


def test_rows_glued_behind_a_session_of_a_database_are_not_its_file(tmp_path: Path, home: Path) -> None:
    """A `#` in a folder's name is part of it, and the session's file is found again."""
    file = codex_file(home, "Sort the imports", session_id="a#b")
    with following(tmp_path, home) as service:
        wait_until_sync(lambda: turns(service) == {"codex:a#b": 1}, within=5)
        append_rows(file, {"timestamp": "2026-03-02T09:10:00Z", "type": "event_msg", "payload": {"type": "error"}})
        wait_until_sync(lambda: service.rows("SELECT last_stop_reason FROM slots") == [("error",)], within=5)
