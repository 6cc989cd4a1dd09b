"""What Codex calls its sessions: the state database first, then the index, then the rollout's first prompt."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from service.sources.codex_titles import CodexTitles
from service.sources.formats import read_file
from tests.support.agent_files import CODEX_ID, codex_file, codex_state, write_rows


def title(rollout: Path) -> str | None:
    session = read_file(rollout).session
    assert session is not None
    return session.title


def index(home: Path, *names: str) -> Path:
    rows = [{"id": CODEX_ID, "thread_name": name, "updated_at": "2026-03-02T09:00:00Z"} for name in names]
    return write_rows(home / ".codex" / "session_index.jsonl", rows)


def test_the_state_database_names_a_session(tmp_path: Path) -> None:
    """Its title goes before the index, and the index before the first prompt."""
    rollout = codex_file(tmp_path, "sort the imports")
    assert title(rollout) == "sort the imports"
    index(tmp_path, "Old name", "Name in the index")
    assert title(rollout) == "Name in the index"
    codex_state(tmp_path, **{CODEX_ID: "Import order"})
    assert title(rollout) == "Import order"


def test_an_archived_rollout_is_named_as_well(tmp_path: Path) -> None:
    """A rollout in the archive lies at another depth below the same folder."""
    rollout = codex_file(tmp_path)
    archived = tmp_path / ".codex" / "archived_sessions" / rollout.name
    archived.parent.mkdir()
    rollout.rename(archived)
    codex_state(tmp_path, **{CODEX_ID: "Import order"})
    assert title(archived) == "Import order"


def test_a_rollout_that_lies_elsewhere_keeps_its_own_title(tmp_path: Path) -> None:
    """A copy outside Codex's folder is named by its first prompt, and nothing beside it is read."""
    codex_state(tmp_path, **{CODEX_ID: "Import order"})
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(codex_file(tmp_path, "sort the imports").read_bytes())
    assert title(copy) == "sort the imports"


def test_a_prompt_that_stands_as_title_is_shown_without_its_wrapper(tmp_path: Path) -> None:
    """A thread that nobody named bears its first prompt, and an editor's context is not what it is about."""
    wrapped = "# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nsort the imports\n"
    rollout = codex_file(tmp_path, "sort")
    codex_state(tmp_path, **{CODEX_ID: wrapped})
    assert title(rollout) == "sort the imports"


def test_the_newest_state_database_counts(tmp_path: Path) -> None:
    """A database that an older version left behind says nothing any more."""
    rollout = codex_file(tmp_path)
    state = codex_state(tmp_path, **{CODEX_ID: "Old"})
    state.rename(state.with_name("state_4.sqlite"))
    codex_state(tmp_path, **{CODEX_ID: "New"})
    assert title(rollout) == "New"


def test_odd_files_name_nothing(tmp_path: Path) -> None:
    """A state database without titles, or no database at all, leaves the first prompt."""
    rollout = codex_file(tmp_path, "sort the imports")
    state = tmp_path / ".codex" / "state_5.sqlite"
    with closing(sqlite3.connect(state)) as database:
        database.execute("CREATE TABLE threads (id TEXT)")
    assert title(rollout) == "sort the imports"
    state.write_bytes(b"no database")
    (tmp_path / ".codex" / "session_index.jsonl").write_text(f'[]\n{{"id": "{CODEX_ID}"}}\ntorn {{')
    assert title(rollout) == "sort the imports"


def test_only_news_is_told(tmp_path: Path) -> None:
    """Each title is told once, and again when it changes."""
    root, titles = tmp_path / ".codex", CodexTitles()
    codex_state(tmp_path, one="First", two="Second")
    assert titles.changed([root]) == {"one": "First", "two": "Second"}
    assert titles.changed([root]) == {}
    codex_state(tmp_path, two="Renamed")
    assert titles.changed([root]) == {"two": "Renamed"}


def test_a_title_in_the_databases_log_is_read_without_a_trace(tmp_path: Path) -> None:
    """While Codex runs its newest titles stand in the log, and reading them makes no file and empties no log."""
    state = codex_state(tmp_path)
    with closing(sqlite3.connect(state)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("INSERT INTO threads VALUES (?, ?)", (CODEX_ID, "Import order"))
        database.commit()
        before = {path: path.stat().st_size for path in state.parent.iterdir()}
        assert CodexTitles().titles(state.parent) == {CODEX_ID: "Import order"}
        assert {path: path.stat().st_size for path in state.parent.iterdir()} == before


def test_a_huge_title_is_cut(tmp_path: Path) -> None:
    """A prompt of megabytes that stands as a title is no more than a line."""
    state = codex_state(tmp_path, **{CODEX_ID: json.dumps("x" * 3_000_000)})
    assert len(CodexTitles().titles(state.parent)[CODEX_ID]) <= 120


def test_a_locked_state_database_is_read_when_it_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in it changes when its lock goes; what the index tells, and what was known, stands meanwhile."""
    monkeypatch.setattr("service.sources.amazonq_database._BUSY_SECONDS", 0.01)
    index(tmp_path, "Name in the index")
    state, titles = codex_state(tmp_path, **{CODEX_ID: "Import order"}), CodexTitles()
    root = tmp_path / ".codex"
    with closing(sqlite3.connect(state)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        assert titles.titles(root) == {CODEX_ID: "Name in the index"}
    assert titles.titles(root) == {CODEX_ID: "Name in the index"}
    titles.retry()
    assert titles.titles(root) == {CODEX_ID: "Import order"}
    with closing(sqlite3.connect(state)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        index(tmp_path, "Another name in the index")
        assert titles.titles(root) == {CODEX_ID: "Import order"}
