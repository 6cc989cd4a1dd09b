"""`doctor`: what is found and what is wrong."""

import json
import os
from pathlib import Path

import pytest

from service.config import set_value
from service.store.folder import DataFolder, FolderLock
from tests.cli.conftest import Command, at_terminal
from tests.support.claude_files import ClaudeFile


def test_agents_and_their_files(command: Command, folder: DataFolder, tmp_path: Path) -> None:
    """Files, sessions and broken rows are counted per agent, what was skipped with why and an example."""
    file = ClaudeFile(tmp_path / "home")
    file.prompt("Hello")
    with file.path.open("a") as rows:
        rows.write("torn\n")
    broken = file.path.with_name("broken.jsonl")
    broken.write_text("no transcript\n")
    agents = json.loads(command("doctor", "--json").out)["agents"]
    claude = next(agent for agent in agents if agent["agent"] == "claude-code")
    assert (claude["files"], claude["sessions"], claude["broken_rows"]) == (2, 1, 1)
    assert claude["skipped"] == [{"why": "unknown", "count": 1, "such_as": [str(broken)]}]
    assert unwrapped(f"1 skipped: unknown, such as {broken}") in unwrapped(command("doctor").out)


def test_a_quick_look_counts_alone(command: Command, folder: DataFolder, tmp_path: Path) -> None:
    """--quick opens no file of an agent."""
    ClaudeFile(tmp_path / "home").prompt("Hello")
    agents = json.loads(command("doctor", "--quick", "--json").out)["agents"]
    assert next(agent for agent in agents if agent["files"])["agent"] == "claude-code"
    assert all("sessions" not in agent for agent in agents)


def test_a_quick_look_tells_what_the_folders_alone_show(
    command: Command, folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that cannot be looked into is told without --quick and with it, and so are files that are not read."""
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / ("x" * 300)))
    helper = tmp_path / "home" / ".claude" / "projects" / "shop" / "s1" / "subagents" / "agent-1.jsonl"
    helper.parent.mkdir(parents=True)
    helper.write_text("{}\n")
    for options in ((), ("--quick",)):
        agents = {one["agent"]: one for one in json.loads(command("doctor", "--json", *options).out)["agents"]}
        assert [one["why"] for one in agents["codex"]["skipped"]] == [
            "a folder that cannot be read (File name too long)"
        ]
        assert [one["why"] for one in agents["claude-code"]["skipped"]] == ["a sub-agent's session"]
        assert "summarize" in agents["aider"]["note"]


def test_a_fresh_machine(command: Command, folder: DataFolder) -> None:
    """Nothing is there yet, nothing is wrong, and nothing is made."""
    report = json.loads(command("doctor", "--json").out)
    assert report["database"]["exists"] is False
    assert report["service"] == {"running": False, "pid": None, "url": None}
    assert report["engine"]["in_force"] == "outline"
    assert report["versions"]["session-summary"]
    assert not folder.path.exists()


def test_warnings_of_the_settings(command: Command, folder: DataFolder) -> None:
    """What was not taken as written is repeated."""
    folder.prepare()
    folder.config.write_text('{"session_summary": {"enabled": "yes"}}')
    assert "neither true nor false" in command("doctor").out


def test_a_broken_database_is_named(command: Command, folder: DataFolder) -> None:
    """The report still comes, with what is wrong."""
    folder.prepare()
    folder.database.write_bytes(b"no database, but long enough to look at" * 50)
    ran = command("doctor")
    assert ran.code == 0
    assert "file is not a database" in ran.out


def test_a_running_service_is_named(command: Command, folder: DataFolder) -> None:
    """Address and process of who serves the folder."""
    folder.prepare()
    lock = FolderLock.take(folder)
    lock.announce("http://127.0.0.1:9999")
    ran = command("doctor", "--quick")
    lock.release()
    assert "running at http://127.0.0.1:9999" in ran.out


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"ANTHROPIC_API_KEY": "made-up-key"}, "ANTHROPIC_API_KEY is set"),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}, "ANTHROPIC_BASE_URL is set"),
        ({}, "no model is configured"),
    ],
)
def test_the_engine_and_why(
    command: Command, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], said: str
) -> None:
    """What decided the engine is named; a key never is."""
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    ran = command("doctor", "--quick")
    assert said in ran.out
    assert "made-up-key" not in ran.out


def test_the_address_of_the_model_and_its_name_are_shown(command: Command, folder: DataFolder) -> None:
    """Who is told to check both settings finds them here."""
    set_value(folder.config, "anthropic.base_url", "http://127.0.0.1:11434")
    set_value(folder.config, "models.background", "a-local-model")
    out = " ".join(command("doctor", "--quick").out.split())
    assert "anthropic (anthropic.base_url is http://127.0.0.1:11434): a-local-model" in out


def test_what_is_left_alone_on_purpose_is_told_quietly(folder: DataFolder, tmp_path: Path) -> None:
    """A sub-agent's file asks nothing of a person, and looks so; a file that nobody can read stands out."""
    ClaudeFile(tmp_path / "home").path.with_name("broken.jsonl").write_text("no transcript\n")
    helper = tmp_path / "home" / ".claude" / "projects" / "shop" / "s1" / "subagents" / "agent-1.jsonl"
    helper.parent.mkdir(parents=True)
    helper.write_text("{}\n")
    lines = at_terminal("doctor", columns=100).out.splitlines()
    (quiet,) = [line for line in lines if "1 skipped: a sub-agent's session" in line]
    (loud,) = [line for line in lines if "1 skipped: unknown" in line]
    assert "\x1b[2m1 skipped" in quiet
    assert "such as" not in quiet
    assert "\x1b[33m" in loud


def test_no_line_is_wider_than_a_terminal(command: Command, folder: DataFolder, tmp_path: Path) -> None:
    """Long paths and reasons go on in the next line, below the words and not below the label."""
    file = ClaudeFile(tmp_path / "home")
    file.path.with_name(f"{'broken-' * 20}.jsonl").write_text("no transcript\n")
    lines = command("doctor").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("            1 skipped: unknown") for line in lines)


def test_the_folders_that_were_looked_in(
    command: Command, folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each agent, found or not; one that could not be looked into with the system's words."""
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / ("x" * 300)))
    out = unwrapped(command("doctor").out)
    assert unwrapped(f"gemini none found in {tmp_path / 'home' / '.gemini'}") in out
    assert unwrapped(f"1 skipped: a folder that cannot be read (File name too long), such as {tmp_path}/xxx") in out


def test_a_file_whose_name_is_no_text(command: Command, folder: DataFolder, tmp_path: Path) -> None:
    """It is skipped with the reason, in text and in JSON."""
    file = ClaudeFile(tmp_path / "home")
    odd = os.fsdecode(os.fsencode(file.path.parent) + b"/\xff.jsonl")
    Path(odd).write_text("x")
    assert "skipped: its name is no UTF-8" in " ".join(command("doctor").out.split())
    agents = json.loads(command("doctor", "--json").out)["agents"]
    claude = next(agent for agent in agents if agent["agent"] == "claude-code")
    assert claude["skipped"][0]["such_as"] == [f"{file.path.parent}/\\udcff.jsonl"]


def unwrapped(text: str) -> str:
    """Without blanks, so that it does not matter where lines end."""
    return "".join(text.split())
