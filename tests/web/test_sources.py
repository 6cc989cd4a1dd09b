"""What the service says of the agents on this machine."""

from pathlib import Path
from typing import Any

from tests.support.claude_files import ClaudeFile
from tests.support.live import LiveService
from tests.support.wait import wait_until_sync


def claude_code(service: LiveService) -> dict[str, Any]:
    agents = service.client.get("/api/sources").raise_for_status().json()["agents"]
    found: dict[str, Any] = next(agent for agent in agents if agent["agent"] == "claude-code")
    return found


def test_files_sessions_and_what_was_skipped(tmp_path: Path) -> None:
    """Sessions are counted per agent; a file of a helper and one that is no transcript are named with why."""
    home = tmp_path / "home"
    file = ClaudeFile(home)
    file.prompt("Sort the imports")
    with file.path.open("a") as rows:
        rows.write("torn\n")
    helper = ClaudeFile(home, "helper")
    helper.append({"type": "user", "uuid": "h", "isSidechain": True, "message": {"role": "user", "content": "Look"}})
    foreign = file.path.with_name("foreign.jsonl")
    foreign.write_text("no transcript\n")
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: service.client.get("/api/sources").json()["looked_at"], within=5)
        found = claude_code(service)
    assert (found["files"], found["sessions"], found["broken_rows"], found["read"]) == (3, 1, 1, True)
    assert found["folders"] == [str(home / ".claude"), str(home / ".config" / "claude")]
    assert sorted((one["why"], one["count"], one["such_as"]) for one in found["skipped"]) == [
        ("a sub-agent's session", 1, [str(helper.path)]),
        ("unknown", 1, [str(foreign)]),
    ]


def test_sessions_of_an_earlier_run_are_counted(tmp_path: Path) -> None:
    """A file that was not read again since the service began still counts with its session."""
    home = tmp_path / "home"
    ClaudeFile(home).prompt("Sort the imports")
    for _ in range(2):
        with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
            wait_until_sync(lambda: claude_code(service)["sessions"] == 1, within=5)


def test_a_service_that_follows_nothing_says_so(service: LiveService) -> None:
    """Without sources every agent is listed with its folders, and nothing was found."""
    answer = service.client.get("/api/sources").json()
    assert (answer["following"], answer["looked_at"]) == (False, None)
    assert {agent["files"] for agent in answer["agents"]} == {0}


def test_an_app_may_not_ask(service: LiveService) -> None:
    """What lies on this machine is the dashboard's to see."""
    token = service.client.post("/api/tokens", json={"app": "gateway"}).json()["token"]
    with service.client_of(token) as app:
        assert app.get("/api/sources").json()["code"] == "dashboard_only"


def test_a_folder_whose_name_is_no_text_is_shown(tmp_path: Path) -> None:
    """The report comes, with the name spelled out."""
    environ = {"CLAUDE_CONFIG_DIR": "/made-up/\udcff"}
    with LiveService(tmp_path / "data", environ=environ, home=tmp_path / "home", mirror_sources=True) as service:
        assert claude_code(service)["folders"] == ["/made-up/\\udcff"]
