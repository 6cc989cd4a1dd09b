"""No file of an agent keeps its reader waiting, whatever it is."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from service.sources import copilot_workspace, gemini_project, kiro_sidecar
from service.sources.amazonq_database import read_database
from service.sources.codex_titles import CodexTitles
from service.sources.follow import FollowedFile, Verdict
from service.sources.formats import Problem, read_file
from service.sources.opened import open_regular, read_regular


def pipe(path: Path) -> Path:
    """A pipe that nobody writes to."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)
    return path


def codex_index(root: Path) -> object:
    return CodexTitles().titles(pipe(root / "session_index.jsonl").parent)


def codex_state(root: Path) -> object:
    return CodexTitles().titles(pipe(root / "state_5.sqlite").parent)


def kiro_file_beside(root: Path) -> object:
    return kiro_sidecar.read_sidecar(pipe(root / "kiro-1.json").with_suffix(".jsonl")).title


def gemini_projects(root: Path) -> object:
    pipe(root / "projects.json")
    return gemini_project.project_of(root / "tmp" / "shop" / "chats" / "session-1.json", "ab")


def copilot_name(root: Path) -> object:
    return copilot_workspace.name_of(pipe(root / "workspace.yaml").with_name("events.jsonl"))


@pytest.mark.parametrize("read", [codex_index, codex_state, kiro_file_beside, gemini_projects, copilot_name])
def test_a_pipe_beside_a_session_says_nothing(tmp_path: Path, read: Callable[[Path], object]) -> None:
    """The reader comes back at once, with what it says of a file that is missing."""
    assert not read(tmp_path)


def test_a_pipe_in_a_sessions_place_is_unreadable(tmp_path: Path) -> None:
    """Read whole or followed, it is told as no regular file."""
    path = pipe(tmp_path / "s.jsonl")
    trouble = read_file(path).trouble
    assert trouble is not None
    assert (trouble.problem, trouble.detail) == (Problem.UNREADABLE, "not a regular file")
    assert FollowedFile(path).advance().verdict is Verdict.UNREADABLE


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_a_pipe_beside_a_database_keeps_it_closed(tmp_path: Path, suffix: str) -> None:
    """SQLite would open it by its name, and wait."""
    path = tmp_path / "data.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE t (x)")
    pipe(tmp_path / f"data.sqlite3{suffix}")
    with pytest.raises(OSError, match="not a regular file"):
        read_database(path, lambda database: database.execute("SELECT x FROM t").fetchall())


@pytest.mark.parametrize("name", ["/dev/zero", "/dev", "/made-up/none", "nul\0", "half\ud800"])
def test_what_is_no_regular_file_is_an_error_of_the_system(name: str) -> None:
    """Devices, folders, missing files and names that no system takes alike."""
    with pytest.raises(OSError, match=r".+"):
        open_regular(Path(name))


def test_a_file_beyond_its_bound_is_not_read(tmp_path: Path) -> None:
    """A sparse file of any size costs nothing."""
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OSError, match="too large"):
        read_regular(path, 1024)
