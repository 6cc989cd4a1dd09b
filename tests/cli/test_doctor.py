"""`doctor`: what is found and what is wrong."""

import json
from pathlib import Path

import pytest

from service.store.folder import DataFolder, FolderLock
from tests.cli.conftest import Command
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
    assert f"1 skipped: unknown, such as {broken}" in command("doctor").out


def test_a_quick_look_counts_alone(command: Command, folder: DataFolder, tmp_path: Path) -> None:
    """--quick opens no file of an agent."""
    ClaudeFile(tmp_path / "home").prompt("Hello")
    agents = json.loads(command("doctor", "--quick", "--json").out)["agents"]
    assert next(agent for agent in agents if agent["files"])["agent"] == "claude-code"
    assert all("sessions" not in agent for agent in agents)


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
