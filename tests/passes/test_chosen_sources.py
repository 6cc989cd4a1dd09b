"""Which agents and projects are read: what the settings leave out never lies in the database."""

import json
from pathlib import Path

import pytest

from service.config import set_value
from tests.faults.needles import NEEDLE, files_with
from tests.passes.seen import listed, two_turns
from tests.support.agent_files import codex_file, write_rows
from tests.support.claude_files import ClaudeFile
from tests.support.live import LiveService
from tests.support.model_server import ModelServer
from tests.support.wait import wait_until_sync


@pytest.fixture
def file(home: Path) -> ClaudeFile:
    """A session in /home/dev/shop."""
    file = ClaudeFile(home)
    two_turns(file)
    return file


def test_a_project_that_is_left_out_later_loses_what_was_kept_of_it(
    tmp_path: Path, home: Path, file: ClaudeFile
) -> None:
    """The setting counts within moments, and taking it back brings the sessions again."""
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
        service.set("sources.exclude", ["/home/dev/*"])
        wait_until_sync(lambda: file.key not in listed(service), within=5)
        service.set("sources.exclude", [])
        wait_until_sync(lambda: file.key in listed(service), within=5)
    assert file.path.exists()


def test_a_project_that_was_left_out_while_nothing_ran_goes_at_start(
    tmp_path: Path, home: Path, file: ClaudeFile
) -> None:
    """The next start removes what the settings leave out since."""
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
    set_value(tmp_path / "data" / "config.json", "sources.include", ["/home/dev/other*"])
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: listed(service) == {}, within=5)
    assert b"Sort the imports" not in service.database.read_bytes()


def test_a_session_that_leaves_the_chosen_projects_goes(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """A session whose agent went to a folder that is left out is one of that folder."""
    set_value(tmp_path / "data" / "config.json", "sources.exclude", ["/home/dev/secret"])
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
        file.prompt("And here", cwd="/home/dev/secret")
        wait_until_sync(lambda: file.key not in listed(service), within=5)


def kept(service: LiveService, file: ClaudeFile) -> bool:
    """Whether the session lies in the database with its words."""
    return bool(service.rows("SELECT 1 FROM messages WHERE transcript_key = ?", file.key))


@pytest.mark.parametrize("agents", [["foo"], ["codex"], []])
def test_an_agent_that_is_left_out_keeps_what_was_made(
    tmp_path: Path, home: Path, file: ClaudeFile, agents: list[str]
) -> None:
    """A typo or another choice costs no summary; at most the files are not followed any more."""
    set_value(tmp_path / "data" / "config.json", "session_summary.enabled", True)
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
        assert service.generate(file.key).status_code == 200
        before = service.summary(file.key)["generated_at"]
        write_sources(service, {"agents": agents})
        wait_until_sync(lambda: is_read(service, "claude-code") is (agents == ["foo"]), within=5)
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: service.client.get("/api/sources").json()["looked_at"], within=5)
        assert service.summary(file.key)["generated_at"] == before


def write_sources(service: LiveService, sources: object) -> None:
    """What a person may write with an editor: nothing is checked."""
    values = json.loads(service.folder.config.read_text()) if service.folder.config.exists() else {}
    service.folder.config.write_text(json.dumps(values | {"sources": sources}))


def is_read(service: LiveService, agent: str) -> bool:
    agents = service.client.get("/api/sources").json()["agents"]
    return next(one["read"] for one in agents if one["agent"] == agent) is True


def test_a_session_of_an_agent_left_out_is_brought_up_to_date_when_asked_for(
    tmp_path: Path, home: Path, file: ClaudeFile
) -> None:
    """Nothing new is listed of the agent, and a summary somebody asks for is of the whole session."""
    set_value(tmp_path / "data" / "config.json", "session_summary.enabled", True)
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
    set_value(tmp_path / "data" / "config.json", "sources.agents", ["codex"])
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: service.client.get("/api/sources").json()["looked_at"], within=5)
        two_turns(file)
        assert service.generate(file.key).json()["user_turns"] == 4
        assert service.summary(file.key)["stale"] is False


@pytest.mark.parametrize(
    "torn", ['{"sources": {"exclude": ["/srv/*"', '{"sources": []}', '{"sources": {"exclude": "/srv/*"}}', ""]
)
def test_settings_that_cannot_be_read_change_nothing(tmp_path: Path, home: Path, file: ClaudeFile, torn: str) -> None:
    """While the service runs the last good choice stands: nothing goes, and what was excluded stays out."""
    set_value(tmp_path / "data" / "config.json", "sources.exclude", ["/srv/*"])
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
        service.folder.config.write_text(torn)
        private, open_one = ClaudeFile(home, "private"), ClaudeFile(home, "open")
        private.prompt("Sort the secrets", cwd="/srv/secret")
        open_one.prompt("Sort the tests")
        wait_until_sync(lambda: open_one.key in listed(service), within=5)
        assert private.key not in listed(service)
        assert kept(service, file)


def test_at_start_settings_that_cannot_be_read_let_nothing_in(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """What is stored stays, nothing comes to it, the report says why, and mended settings count at once."""
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
    other = ClaudeFile(home, "other")
    other.prompt("Sort the secrets", cwd="/srv/secret")
    file.prompt("And the tests")
    (tmp_path / "data" / "config.json").write_text('{"sources": {"exclude": "/srv/*"}}')
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: service.client.get("/api/sources").json()["looked_at"], within=5)
        assert listed(service).keys() == {file.key}
        assert listed(service)[file.key]["user_turns"] == 2
        agents = service.client.get("/api/sources").json()["agents"]
        skipped = next(one["skipped"] for one in agents if one["agent"] == "claude-code")
        assert [one["why"] for one in skipped] == ["not judged: the settings cannot be read"]
        write_sources(service, {"exclude": ["/srv/*"]})
        wait_until_sync(lambda: listed(service)[file.key]["user_turns"] == 3, within=5)
        assert listed(service).keys() == {file.key}
    assert b"Sort the secrets" not in service.database.read_bytes()


def test_what_is_left_out_leaves_the_disk_at_once(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """Neither the database nor its log holds a word of an excluded project within seconds."""
    file.prompt(NEEDLE)
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
        service.set("sources.exclude", ["/home/dev/*"])
        wait_until_sync(lambda: files_with(service.folder.path) == [], within=8)


def test_a_file_that_is_gone_leaves_the_disk_at_once(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """The same for a session that its agent removed."""
    file.prompt(NEEDLE)
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
        file.path.unlink()
        wait_until_sync(lambda: files_with(service.folder.path) == [], within=8)


def test_a_session_that_was_made_private_stays_empty(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """No setting that comes later, and nothing in its file, brings a word of it back."""
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: file.key in listed(service), within=5)
        service.client.patch(service.path(file.key), json={"memory_mode": "temporary"}).raise_for_status()
        file.prompt(NEEDLE, cwd=f"/home/dev/{NEEDLE}")
        file.title(NEEDLE)
        beside, elsewhere = ClaudeFile(home, "beside"), ClaudeFile(home, "elsewhere")
        beside.prompt("Hello")
        elsewhere.prompt("Hello", cwd="/srv/other")
        wait_until_sync(lambda: {beside.key, elsewhere.key} <= listed(service).keys(), within=5)
        service.set("sources.include", ["/home/*"])
        wait_until_sync(lambda: elsewhere.key not in listed(service), within=5)
        beside.prompt("And again")
        wait_until_sync(lambda: listed(service)[beside.key]["user_turns"] == 2, within=5)
        assert files_with(service.folder.path) == []
        content = file.path.read_bytes()
        file.path.unlink()
        wait_until_sync(lambda: file.key not in listed(service), within=5)
        file.path.write_bytes(content)
        beside.prompt("And again")
        wait_until_sync(lambda: listed(service)[beside.key]["user_turns"] == 3, within=5)
        assert files_with(service.folder.path) == []


def test_only_the_chosen_agents_are_read(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """Another agent's sessions are not listed, and the report says that they are not read."""
    codex_file(home)
    set_value(tmp_path / "data" / "config.json", "sources.agents", ["codex"])
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: {slot["source"] for slot in listed(service).values()} == {"codex"}, within=5)
        agents = {agent["agent"]: agent["read"] for agent in service.client.get("/api/sources").json()["agents"]}
        assert (agents["codex"], agents["claude-code"]) == (True, False)


def test_a_session_whose_project_is_not_known_yet_is_held_back(tmp_path: Path, home: Path) -> None:
    """Rows come before the one that tells the folder: nothing of a left-out project is written, not for a moment."""
    set_value(tmp_path / "data" / "config.json", "sources.exclude", ["/home/dev/secret*"])
    waiting = [ClaudeFile(home, name) for name in ("secret", "open")]
    for file in waiting:
        file.append({"type": "custom-title", "customTitle": NEEDLE, "sessionId": file.session_id})
        file.append({"type": "user", "uuid": "n0", "message": {"role": "user", "content": NEEDLE}})
    crew = [
        {"_type": "metadata", "title": "Imports"},
        {"role": "user", "content": "Sort", "ts": "2026-03-02T09:00:00Z"},
    ]
    write_rows(home / ".kiro" / "crew" / "sessions" / "tab.jsonl", crew)
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: set(listed(service)) == {"kirocrew:tab"}, within=5)
        why = "its project is not known, and the settings leave projects out"
        wait_until_sync(lambda: reasons(service) == {why: 2}, within=5)
        waiting[0].prompt("Sort the imports", cwd="/home/dev/secret-shop")
        wait_until_sync(lambda: reasons(service) == {why: 1, "left out by the settings": 1}, within=5)
        assert files_with(tmp_path / "data") == []
        waiting[1].prompt("Sort the imports")
        wait_until_sync(lambda: set(listed(service)) == {"kirocrew:tab", waiting[1].key}, within=5)


def reasons(service: LiveService) -> dict[str, int]:
    agents = service.client.get("/api/sources").json()["agents"]
    return {one["why"]: one["count"] for one in next(a for a in agents if a["agent"] == "claude-code")["skipped"]}


@pytest.mark.parametrize("setting", ["sources.exclude", "sources.agents"])
def test_what_happened_while_it_was_left_out_asks_no_model(
    mirroring: LiveService, home: Path, model_server: ModelServer, setting: str
) -> None:
    """A project or an agent that is chosen again is listed with all that was said meanwhile, and nothing is spent."""
    left_out, chosen = (["/home/*"], []) if setting == "sources.exclude" else (["codex"], ["claude-code"])
    mirroring.set(setting, left_out)
    settled(mirroring, home)
    file = ClaudeFile(home, at="now")
    two_turns(file)
    wait_until_sync(lambda: setting == "sources.agents" or reasons(mirroring), within=5)
    mirroring.set(setting, chosen)
    wait_until_sync(lambda: file.key in listed(mirroring), within=5)
    file.title("The last row")
    wait_until_sync(lambda: listed(mirroring)[file.key]["title"] == "The last row", within=5)
    assert model_server.requests == []
    file.exchange("And the docs")
    wait_until_sync(lambda: len(model_server.requests) == 1, within=5)


def settled(service: LiveService, home: Path) -> None:
    """Returns when the choice is in force: the agent is not read, or its session is left out."""
    probe = ClaudeFile(home, "probe")
    probe.prompt("x")
    wait_until_sync(
        lambda: not is_read(service, "claude-code") or "left out by the settings" in reasons(service), within=5
    )
    probe.path.unlink()
    wait_until_sync(lambda: not reasons(service), within=5)
