"""Which agents and projects are read: what the settings leave out never lies in the database."""

from pathlib import Path

import pytest

from service.config import set_value
from tests.passes.seen import listed, two_turns
from tests.support.agent_files import codex_file
from tests.support.claude_files import ClaudeFile
from tests.support.live import LiveService
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


def test_only_the_chosen_agents_are_read(tmp_path: Path, home: Path, file: ClaudeFile) -> None:
    """Another agent's sessions are not listed, and the report says that they are not read."""
    codex_file(home)
    set_value(tmp_path / "data" / "config.json", "sources.agents", ["codex"])
    with LiveService(tmp_path / "data", home=home, mirror_sources=True) as service:
        wait_until_sync(lambda: {slot["source"] for slot in listed(service).values()} == {"codex"}, within=5)
        agents = {agent["agent"]: agent["read"] for agent in service.client.get("/api/sources").json()["agents"]}
        assert (agents["codex"], agents["claude-code"]) == (True, False)
