"""What the service says of the agents on this machine."""

from pathlib import Path
from typing import Any

from tests.support.agent_files import OpenCodeDatabase, codex_file, opencode_tree
from tests.support.claude_files import ClaudeFile
from tests.support.live import LiveService
from tests.support.wait import wait_until_sync


def agent(service: LiveService, name: str) -> dict[str, Any]:
    agents = service.client.get("/api/sources").raise_for_status().json()["agents"]
    found: dict[str, Any] = next(one for one in agents if one["agent"] == name)
    return found


def claude_code(service: LiveService) -> dict[str, Any]:
    return agent(service, "claude-code")


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


def test_what_is_deliberately_not_read_is_told(tmp_path: Path) -> None:
    """Files of helpers, and what an agent keeps beside its sessions, are counted with the reason."""
    home = tmp_path / "home"
    file = ClaudeFile(home)
    file.prompt("Sort the imports")
    left = [
        file.path.with_suffix("") / "subagents" / "agent-1.jsonl",
        home / ".gemini" / "tmp" / "shop" / "chats" / "parent" / "child.jsonl",
        *(home / ".openclaw" / "agents" / "main" / "sessions" / name for name in ("a.jsonl.reset.1", "a.jsonl.bak-2")),
    ]
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n")
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: service.client.get("/api/sources").json()["looked_at"], within=5)
        helper = {"why": "a sub-agent's session", "count": 1}
        assert agent(service, "claude-code")["skipped"] == [{**helper, "such_as": [str(left[0])]}]
        assert agent(service, "gemini")["skipped"] == [{**helper, "such_as": [str(left[1])]}]
        assert {one["why"]: one["count"] for one in agent(service, "openclaw")["skipped"]} == {
            "an earlier life of a session that was reset": 1,
            "what the agent keeps beside a session": 1,
        }
        assert agent(service, "openclaw")["files"] == 0
        assert (agent(service, "aider")["folders"], agent(service, "codex")["note"]) == ([], None)
        assert "summarize" in agent(service, "aider")["note"]
        assert "SpecStory" in agent(service, "cursor")["note"]


def test_a_service_that_has_just_begun_is_looking(tmp_path: Path) -> None:
    """Until everything was looked at once, nobody is told that there is nothing."""
    with LiveService(tmp_path / "data", home=tmp_path / "home", mirror_sources=True) as service:
        answer = service.client.get("/api/sources").json()
        while not answer["looked_at"]:
            assert answer["looking"]
            answer = service.client.get("/api/sources").json()


def test_a_session_in_several_files_is_one(tmp_path: Path) -> None:
    """However the files came to be read, the session counts once, and the other file is told of."""
    home = tmp_path / "home"
    for n in range(3):
        path = codex_file(home, "Sort the imports", session_id=f"s{n}")
        archive = home / ".codex" / "archived_sessions" / path.name
        archive.parent.mkdir(exist_ok=True)
        archive.write_bytes(path.read_bytes())
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: service.client.get("/api/sources").json()["looked_at"], within=5)
        found = agent(service, "codex")
        assert (found["files"], found["sessions"]) == (6, 3)
        assert [(one["why"], one["count"]) for one in found["skipped"]] == [
            ("another file holds more of the same session", 3)
        ]


def test_a_session_that_a_database_took_over_is_told(tmp_path: Path) -> None:
    """OpenCode's older file is not called empty when its session is in the database beside it."""
    home = tmp_path / "home"
    database = OpenCodeDatabase(home)
    database.session("ses_tree", "Sort the imports")
    database.close()
    opencode_tree(home)
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: service.client.get("/api/sources").json()["looked_at"], within=5)
        found = agent(service, "opencode")
        assert found["sessions"] == 1
        assert [one["why"] for one in found["skipped"]] == ["its session is in the database beside it"]


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
    assert {one["files"] for one in answer["agents"]} == {0}


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
