"""Where agents' files lie, and which folders are watched for them."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.sources.places import Places, Unread
from tests.support.agent_files import every_agents_session
from tests.support.claude_files import ClaudeFile


@pytest.mark.parametrize(
    ("path", "agent"),
    [
        (".claude/projects/-home-dev-shop/s.jsonl", "claude-code"),
        (".claude/projects/-home-dev-shop/s/subagents/agent-1.jsonl", None),
        (".codex/sessions/2026/03/02/rollout-x.jsonl.zst", "codex"),
        (".codex/sessions/2026/rollout-x.jsonl", None),
        (".codex/archived_sessions/rollout-x.jsonl", "codex"),
        (".local/share/opencode/opencode.db", "opencode"),
        (".local/share/opencode/opencode.db-wal", None),
        ("elsewhere/s.jsonl", None),
    ],
)
def test_a_path_is_placed_by_where_it_lies(tmp_path: Path, path: str, agent: str | None) -> None:
    """A file that a look would find is its agent's, whether or not it is there."""
    assert Places.of({}, tmp_path).agent_of(tmp_path / path) == agent


def test_every_file_that_is_found_is_placed_alike(tmp_path: Path) -> None:
    """Looking and watching agree on whose file each one is."""
    every_agents_session(tmp_path)
    places = Places.of({}, tmp_path)
    found = list(places.search().files)
    assert len(found) == len({path for _, path in found}) >= 13
    assert {places.agent_of(path) == agent for agent, path in found} == {True}


def test_no_more_is_watched_than_can_hold_sessions(tmp_path: Path) -> None:
    """An agent's other folders, which can be huge, are not watched; what is not there yet is not either."""
    ClaudeFile(tmp_path).prompt("Hello")
    (tmp_path / ".claude" / "plugins").mkdir()
    (tmp_path / ".cursor" / "extensions").mkdir(parents=True)
    assert Places.of({}, tmp_path).folders() == {tmp_path / ".claude" / "projects"}


def test_a_folder_inside_a_watched_one_is_not_watched_twice(tmp_path: Path) -> None:
    """OpenCode's database and its older tree lie in one folder."""
    (tmp_path / ".local" / "share" / "opencode" / "storage" / "session").mkdir(parents=True)
    assert Places.of({}, tmp_path).folders() == {tmp_path / ".local" / "share" / "opencode"}


def test_the_environment_moves_an_agents_place(tmp_path: Path) -> None:
    """A folder that the agent was told to use takes the place of the usual one."""
    places = Places.of({"CODEX_HOME": str(tmp_path / "other")}, tmp_path, ["codex"])
    assert places.by_agent() == {"codex": (str(tmp_path / "other"),)}
    assert places.agent_of(tmp_path / "other" / "archived_sessions" / "rollout-x.jsonl") == "codex"


def test_a_folder_that_two_agents_share_moves_for_both(tmp_path: Path) -> None:
    """KiroCrew's chats lie below Kiro's folder, unless they have one of their own."""
    moved = tmp_path / "kiro"
    assert Places.of({"KIRO_HOME": str(moved)}, tmp_path, ["kirocrew"]).by_agent() == {
        "kirocrew": (str(moved / "crew"), str(tmp_path / ".kirocrew"))
    }
    own = {"KIRO_HOME": str(moved), "KIROCREW_HOME": str(tmp_path / "own")}
    assert Places.of(own, tmp_path, ["kirocrew"]).by_agent() == {"kirocrew": (str(tmp_path / "own"),)}


@given(st.lists(st.text(max_size=6), max_size=8))
def test_any_path_can_be_asked_for(parts: list[str]) -> None:
    """Whatever a watcher names, asking whose it is never fails."""
    home = Path("/made-up")
    Places.of({}, home).agent_of(home.joinpath(".claude", *parts))


def test_a_place_that_the_system_refuses_hides_no_other(tmp_path: Path) -> None:
    """The other agents' files are found and their folders watched, and the refused one is told."""
    file = ClaudeFile(tmp_path)
    file.prompt("Hello")
    refused = tmp_path / ("x" * 300)
    places = Places.of({"CODEX_HOME": str(refused)}, tmp_path)
    search = places.search()
    assert search.files == (("claude-code", file.path),)
    assert search.closed == (Unread("codex", refused, "a folder that cannot be read (File name too long)"),)
    assert places.folders() == {tmp_path / ".claude" / "projects"}


def test_a_folder_whose_name_is_no_text_is_not_watched(tmp_path: Path) -> None:
    """The watcher takes text alone; what is shown of the folder is spelled out."""
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    (odd / "sessions").mkdir(parents=True)
    places = Places.of({"CODEX_HOME": str(odd)}, tmp_path, ["codex"])
    assert places.folders() == frozenset()
    assert places.by_agent() == {"codex": (f"{tmp_path}/\\udcff",)}
