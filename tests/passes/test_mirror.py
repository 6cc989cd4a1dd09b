"""Agents' files followed while they grow, by the real service."""

import os
from pathlib import Path

from service.config import set_value
from tests.passes.seen import listed, outcomes, two_turns
from tests.support.agent_files import every_agents_session
from tests.support.claude_files import ClaudeFile, resumed
from tests.support.live import LiveService
from tests.support.model_server import ModelServer
from tests.support.wait import wait_until_sync


def test_a_turn_that_ends_in_a_file_gets_its_summary(
    mirroring: LiveService, home: Path, model_server: ModelServer
) -> None:
    """Two turns written while the service follows: one call, one summary, one frame with the session's key."""
    file = ClaudeFile(home)
    with mirroring.events() as events:
        events.next()
        two_turns(file)
        assert events.until("session_summary")["data"]["data"]["key"] == file.key
    assert mirroring.summary(file.key)["user_turns"] == 2
    assert len(model_server.requests) == 1


def test_a_backlog_asks_no_model(tmp_path: Path, home: Path, model_server: ModelServer) -> None:
    """Sessions that were there at start are listed with title and project, and nothing is spent on them."""
    files = [ClaudeFile(home, f"session-{n}") for n in range(5)]
    for file in files:
        two_turns(file)
    set_value(tmp_path / "data" / "config.json", "session_summary.enabled", True)
    environ = {"ANTHROPIC_BASE_URL": model_server.url}
    with LiveService(tmp_path / "data", environ=environ, home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: len(listed(service)) == 5, within=5)
        slot = listed(service)[files[0].key]
        assert (slot["source"], slot["project"], slot["user_turns"]) == ("claude-code", "/home/dev/shop", 2)
        assert slot["title"] == "Sort the imports"
        assert slot["running"] is False
    assert model_server.requests == []


def test_a_late_title_row_is_metadata(mirroring: LiveService, home: Path) -> None:
    """A title that arrives after the summary leaves it fresh."""
    file = ClaudeFile(home)
    two_turns(file)
    wait_until_sync(lambda: mirroring.summary(file.key).get("generated_at"), within=5)
    file.title("Import order")
    wait_until_sync(lambda: listed(mirroring)[file.key]["title"] == "Import order", within=5)
    assert mirroring.summary(file.key)["stale"] is False


def test_a_file_that_grew_reads_as_stale_at_once(tmp_path: Path, home: Path) -> None:
    """A larger file than the one that was read is stale, appended, before any watcher has looked."""
    file = ClaudeFile(home)
    two_turns(file)
    set_value(tmp_path / "data" / "config.json", "session_summary.enabled", True)
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
        assert service.generate(file.key).status_code == 200
    with LiveService(tmp_path / "data", home=home) as unwatching:
        assert unwatching.summary(file.key)["stale"] is False
        file.prompt("And the docs")
        body = unwatching.summary(file.key)
        assert (body["stale"], body["stale_reason"]) == (True, "appended")


def test_touching_a_file_changes_nothing(mirroring: LiveService, home: Path) -> None:
    """The same bytes with another time are the same session."""
    file = ClaudeFile(home)
    two_turns(file)
    wait_until_sync(lambda: mirroring.summary(file.key).get("generated_at"), within=5)
    before = mirroring.rows("SELECT key, sig, gen, sort_ns FROM transcripts")
    os.utime(file.path, (1, 1))
    file.title("Touched")
    wait_until_sync(lambda: listed(mirroring)[file.key]["title"] == "Touched", within=5)
    assert mirroring.rows("SELECT key, sig, gen, sort_ns FROM transcripts") == before


def test_other_content_in_the_same_file_is_a_rewrite(mirroring: LiveService, home: Path) -> None:
    """A file replaced by another one keeps its place, and its summary is stale as rewritten."""
    file = ClaudeFile(home)
    two_turns(file)
    wait_until_sync(lambda: mirroring.summary(file.key).get("generated_at"), within=5)
    file.path.unlink()
    again = ClaudeFile(home)
    again.prompt("Start over")
    again.reply("Started.")
    wait_until_sync(lambda: mirroring.rows("SELECT user_turns FROM transcripts") == [(1,)], within=5)


def test_a_prompt_that_was_taken_back_is_a_rewrite(mirroring: LiveService, home: Path) -> None:
    """Rows appended to the file can take earlier ones back: the summary of those is stale as rewritten."""
    file = ClaudeFile(home)
    two_turns(file)
    wait_until_sync(lambda: mirroring.summary(file.key).get("generated_at"), within=5)
    row = {
        "type": "user",
        "uuid": "r",
        "parentUuid": file.row_id(3),
        "sessionId": file.session_id,
        "isSidechain": False,
    }
    file.append(row | {"timestamp": "2026-03-02T10:00:00Z", "message": {"role": "user", "content": "Rather not"}})
    wait_until_sync(lambda: mirroring.summary(file.key)["stale_reason"] == "rewritten", within=5)


def test_a_file_that_its_agent_removed_is_forgotten(mirroring: LiveService, home: Path) -> None:
    """The derived rows go with the file; if it comes back, so does the session."""
    file = ClaudeFile(home)
    two_turns(file)
    wait_until_sync(lambda: file.key in listed(mirroring), within=5)
    content = file.path.read_bytes()
    file.path.unlink()
    wait_until_sync(lambda: file.key not in listed(mirroring), within=5)
    file.path.write_bytes(content)
    wait_until_sync(lambda: file.key in listed(mirroring), within=5)


def test_a_session_deleted_here_stays_deleted(mirroring: LiveService, home: Path) -> None:
    """Deleting never touches the agent's file, and the file does not bring the session back."""
    file = ClaudeFile(home)
    two_turns(file)
    wait_until_sync(lambda: file.key in listed(mirroring), within=5)
    content = file.path.read_bytes()
    assert mirroring.client.delete(mirroring.path(file.key)).status_code == 200
    assert file.path.read_bytes() == content
    file.prompt("And the docs")
    other = ClaudeFile(home, "another")
    two_turns(other)
    wait_until_sync(lambda: other.key in listed(mirroring), within=5)
    assert file.key not in listed(mirroring)


def test_excluded_projects_never_reach_the_database(tmp_path: Path, home: Path) -> None:
    """A project that the settings leave out is read and not kept."""
    file = ClaudeFile(home)
    two_turns(file)
    set_value(tmp_path / "data" / "config.json", "sources.exclude", ["/home/dev/*"])
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        (home / ".claude" / "projects" / "-x").mkdir()
        other = ClaudeFile(home, "other")
        other.append({"type": "custom-title", "customTitle": "x", "sessionId": "other"})
        wait_until_sync(lambda: service.client.get("/healthz").status_code == 200)
    assert b"Sort the imports" not in service.database.read_bytes()


def test_a_request_takes_in_what_the_file_holds_beyond_the_mirror(tmp_path: Path, home: Path) -> None:
    """A pass first reads on, so that its summary is of the whole session and fresh."""
    file = ClaudeFile(home)
    two_turns(file)
    set_value(tmp_path / "data" / "config.json", "session_summary.enabled", True)
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
    file.prompt("And the docs")
    file.reply("Done.")
    file.end()
    with LiveService(tmp_path / "data", home=home) as unwatching:
        body = unwatching.generate(file.key)
        assert (body.status_code, body.json()["user_turns"], body.json()["stale"]) == (200, 3, False)


def test_a_pass_that_is_overtaken_by_rows_is_refused(
    mirroring: LiveService, home: Path, model_server: ModelServer
) -> None:
    """What is typed while a summary is made keeps that one out, and the next turn's end brings a whole one."""
    model_server.hold()
    file = ClaudeFile(home)
    two_turns(file)
    wait_until_sync(lambda: model_server.requests, within=5)
    file.prompt("And the docs")
    wait_until_sync(lambda: listed(mirroring)[file.key]["user_turns"] == 3, within=5)
    model_server.release()
    wait_until_sync(lambda: "refused" in outcomes(mirroring), within=5)
    file.reply("Done.")
    file.end()
    wait_until_sync(lambda: mirroring.summary(file.key).get("user_turns") == 3, within=5)


def test_old_sessions_brought_while_the_service_runs_ask_no_model(
    mirroring: LiveService, home: Path, model_server: ModelServer
) -> None:
    """A folder of sessions copied from another machine is listed, and nothing is spent on it."""
    elsewhere = home.parent / "elsewhere"
    files = [ClaudeFile(elsewhere, f"session-{n}") for n in range(12)]
    for file in files:
        two_turns(file)
    folder = files[0].path.parent.rename(home / ".claude" / "projects" / files[0].path.parent.name)
    files[0].path = folder / files[0].path.name
    wait_until_sync(lambda: len(listed(mirroring)) == len(files), within=5)
    # What is written behind them comes after anything that they could have set off.
    files[0].title("The last row")
    wait_until_sync(lambda: listed(mirroring)[files[0].key]["title"] == "The last row", within=5)
    assert model_server.requests == []


def test_an_old_file_that_is_brought_alone_asks_no_model(
    mirroring: LiveService, home: Path, model_server: ModelServer
) -> None:
    """One session copied with its old date is listed, and nothing is spent on it; what is said then is news."""
    elsewhere = ClaudeFile(home.parent / "elsewhere")
    two_turns(elsewhere)
    os.utime(elsewhere.path, (1_700_000_000, 1_700_000_000))
    file = ClaudeFile(home).going_on_from(elsewhere)
    elsewhere.path.rename(file.path)
    wait_until_sync(lambda: file.key in listed(mirroring), within=5)
    file.title("The last row")
    wait_until_sync(lambda: listed(mirroring)[file.key]["title"] == "The last row", within=5)
    assert model_server.requests == []
    file.exchange("And the docs")
    wait_until_sync(lambda: len(model_server.requests) == 1, within=5)


def test_a_file_that_comes_back_as_it_was_asks_no_model(
    mirroring: LiveService, home: Path, model_server: ModelServer
) -> None:
    """A session whose file was gone for a moment is listed again, and nothing is spent on what was there."""
    file = ClaudeFile(home)
    two_turns(file)
    wait_until_sync(lambda: outcomes(mirroring) == ["stored"], within=5)
    held = file.path.read_bytes()
    file.path.unlink()
    wait_until_sync(lambda: listed(mirroring) == {}, within=5)
    file.path.write_bytes(held)
    wait_until_sync(lambda: file.key in listed(mirroring), within=5)
    file.title("The last row")
    wait_until_sync(lambda: listed(mirroring)[file.key]["title"] == "The last row", within=5)
    assert len(model_server.requests) == 1


def test_a_mere_copy_asks_no_model(mirroring: LiveService, home: Path, model_server: ModelServer) -> None:
    """A session that was resumed has nothing of its own to be summarized."""
    file = ClaudeFile(home)
    two_turns(file)
    wait_until_sync(lambda: outcomes(mirroring) == ["stored"], within=5)
    copy = resumed(file, "second")
    wait_until_sync(lambda: copy.key in listed(mirroring), within=5)
    copy.title("The last row")
    wait_until_sync(lambda: listed(mirroring)[copy.key]["title"] == "The last row", within=5)
    assert outcomes(mirroring) == ["stored"]


def test_nothing_is_written_beside_any_agents_files(tmp_path: Path) -> None:
    """After every agent's files were read, their folders hold exactly what they held, to the time of each file."""
    home = tmp_path / "home"
    every_agents_session(home)
    ClaudeFile(home).prompt("Sort the imports")
    before = state_of_files(home)
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        agents = {"claude-code", *service_agents(service)} - {"aider"}
        wait_until_sync(lambda: {slot["source"] for slot in listed(service).values()} == agents, within=5)
        assert state_of_files(home) == before
    assert state_of_files(home) == before


def service_agents(service: LiveService) -> set[str]:
    return {agent["agent"] for agent in service.client.get("/api/sources").json()["agents"]}


def state_of_files(home: Path) -> dict[Path, tuple[int, int, bytes]]:
    files = [path for path in home.rglob("*") if path.is_file()]
    folders = {path: (0, path.stat().st_mtime_ns, b"") for path in home.rglob("*") if path.is_dir()}
    return folders | {path: (path.stat().st_size, path.stat().st_mtime_ns, path.read_bytes()) for path in files}
