"""`summarize`: a transcript file's summary, made at once and stored nowhere."""

import hashlib
import json
import os
import socket
from pathlib import Path

import pytest

from service.store.folder import DataFolder
from tests.cli.conftest import Command, at_terminal, run_program
from tests.support.claude_files import ClaudeFile
from tests.support.model_answers import error_reply, summary_reply
from tests.support.model_server import ModelServer

SECRET = "ghp_" + "Ab3" * 12


@pytest.fixture
def session(tmp_path: Path) -> ClaudeFile:
    """A short session with a test run in it."""
    file = ClaudeFile(tmp_path / "agents")
    file.prompt("Round the tax once, on the sum of the cart")
    file.tool_call("pytest tests/test_cart.py", "1 passed", failed=False)
    file.reply("The cart rounds once now.")
    file.title("Tax rounding")
    file.end()
    return file


@pytest.fixture
def silent(tmp_path: Path) -> ClaudeFile:
    """A session in which nobody said anything."""
    file = ClaudeFile(tmp_path / "agents", "22222222-2222-4333-8444-555555555555")
    file.append({"type": "system", "subtype": "init", "sessionId": file.session_id, "uuid": "u", "cwd": "/home/dev"})
    return file


def test_the_summary_in_words(command: Command, session: ClaudeFile) -> None:
    """It reads as title, goal, standing and source, in lines of at most 80 columns."""
    ran = command("summarize", "--engine", "outline", session.path)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Tax rounding\n\n[")
    assert "Round the tax once" in ran.out
    assert "by outline" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_the_summary_as_json(command: Command, session: ClaudeFile) -> None:
    """The payload, with the path as it was given and what the file says of the session."""
    made = json.loads(command("summarize", "--format", "json", session.path).out)
    assert made["path"] == str(session.path)
    assert made["session"] == {
        "key": session.key,
        "title": "Tax rounding",
        "project": "/home/dev/shop",
        "source": "claude-code",
    }
    assert made["user_turns"] == 1
    assert made["generator"] == {"engine": "outline", "model": "outline"}
    assert [fact["text"] for fact in made["intents"][0]["evidence"]] == ["pytest tests/test_cart.py"]


def test_the_summary_as_markdown(command: Command, session: ClaudeFile) -> None:
    """It begins with the session's title as a heading, and says which session it is."""
    ran = command("summarize", "--format", "markdown", session.path)
    assert ran.out.startswith("# Tax rounding\n\n- Project: ")
    assert f"- Session: {session.key}\n- Made " in ran.out


def test_of_several_files_each_is_named_at_a_terminal(session: ClaudeFile, tmp_path: Path) -> None:
    """A person tells the summaries apart; of one file, and in a pipe, nothing is added."""
    other = ClaudeFile(tmp_path / "agents", "33333333-2222-4333-8444-555555555555")
    other.prompt("Translate the imprint")
    other.reply("It is translated.")
    other.end()
    outline = ("summarize", "--engine", "outline")
    ran = at_terminal(*outline, session.path, other.path, columns=200, NO_COLOR="1")
    for path in (session.path, other.path):
        assert f"{path}\n" in ran.out
    assert str(session.path) not in at_terminal(*outline, session.path, columns=200, NO_COLOR="1").out
    assert str(session.path) not in run_program(*outline, session.path, other.path).out


def test_several_files_are_a_line_each(
    command: Command, session: ClaudeFile, silent: ClaudeFile, tmp_path: Path
) -> None:
    """Lines stand in the order asked for, failed ones with sentence and code; the highest code is the exit code."""
    ran = command("summarize", "--format", "json", tmp_path / "none", session.path, silent.path)
    failed, made, unprompted = map(json.loads, ran.out.splitlines())
    assert ran.code == 3
    assert (failed["path"], failed["code"]) == (str(tmp_path / "none"), 2)
    assert "No such file" in failed["error"]
    assert made["session"]["key"] == session.key
    assert (unprompted["code"], unprompted["reason"]) == (3, "unprompted")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty", b"", "is empty"),
        ("binary", b"\x00\x01\x02" * 50, "binary"),
        ("letter.txt", b"Dear all,\n", "no transcript of a known agent"),
        ("other.jsonl", b'{"a": 1}\n', "no transcript of a known agent"),
    ],
)
def test_a_file_that_is_no_transcript(command: Command, tmp_path: Path, name: str, content: bytes, said: str) -> None:
    """One sentence says what the file is, and the exit code is 2."""
    (tmp_path / name).write_bytes(content)
    ran = command("summarize", tmp_path / name)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_folder_is_no_transcript(command: Command, tmp_path: Path) -> None:
    """It is said to be one."""
    ran = command("summarize", tmp_path)
    assert ran.code == 2
    assert "is a folder" in ran.err


def test_a_session_nobody_spoke_in(command: Command, silent: ClaudeFile) -> None:
    """The exit code is 3, and the sentence says why."""
    ran = command("summarize", silent.path)
    assert (ran.code, ran.out) == (3, "")
    assert "no person ever spoke in it" in ran.err


def test_nothing_is_written_anywhere(command: Command, session: ClaudeFile, folder: DataFolder, tmp_path: Path) -> None:
    """The file stays as it was, nothing appears beside it, and no data folder is made."""
    before = {path: _digest(path) for path in tmp_path.rglob("*")}
    command("summarize", session.path)
    assert {path: _digest(path) for path in tmp_path.rglob("*")} == before
    assert not folder.path.exists()


def _digest(path: Path) -> tuple[str, int]:
    content = path.read_bytes() if path.is_file() else b""
    return hashlib.sha256(content).hexdigest(), os.stat(path).st_mtime_ns


def test_the_outline_opens_no_connection(
    command: Command, session: ClaudeFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A configured model is not asked when the outline is."""

    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setenv("ANTHROPIC_API_KEY", "made-up-key")
    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert command("summarize", "--engine", "outline", session.path).code == 0


def test_secrets_are_redacted_on_the_way_in(command: Command, tmp_path: Path) -> None:
    """A token in a prompt or title reaches no output."""
    file = ClaudeFile(tmp_path / "agents")
    file.prompt(f"Use {SECRET} to push the branch")
    file.reply(f"Pushed with {SECRET}.")
    file.title(f"Push with {SECRET}")
    ran = command("summarize", "--format", "json", file.path)
    assert ran.code == 0
    assert SECRET not in ran.out
    assert "[redacted:" in ran.out


def test_control_characters_do_nothing_to_the_terminal(command: Command, tmp_path: Path) -> None:
    """Escape sequences in a transcript are shown as marks."""
    file = ClaudeFile(tmp_path / "agents")
    file.prompt("Clear \x1b[2J the \u202escreen\u009b31m")
    file.reply("Done.")
    for format_ in ("text", "markdown", "json"):
        out = command("summarize", "--format", format_, file.path).out
        assert not {"\x1b", "\u202e", "\u009b"} & set(out)


def test_a_model_is_asked_once(
    command: Command, session: ClaudeFile, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a model configured, its summary is printed, and one user turn is enough."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", model_server.url)
    model_server.script(summary_reply([{"title": "Round once", "ranges": [[1, 1]], "status": "completed"}]))
    made = json.loads(command("summarize", "--format", "json", session.path).out)
    assert [intent["title"] for intent in made["intents"]] == ["Round once"]
    assert made["generator"]["engine"] == "anthropic"
    assert len(model_server.requests) == 1


def test_a_model_that_fails(
    command: Command, session: ClaudeFile, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exit code is 4; the sentence says what to do, and the line for programs has the reason."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", model_server.url)
    model_server.script(error_reply(401, "authentication_error"))
    ran = command("summarize", "--format", "json", session.path)
    assert ran.code == 4
    assert json.loads(ran.out)["reason"] == "model_auth"
    assert "check ANTHROPIC_API_KEY" in ran.err


def test_settings_of_the_data_folder_count(command: Command, session: ClaudeFile, switched_on: DataFolder) -> None:
    """The engine set there is used where the command names none."""
    made = json.loads(command("summarize", "--format", "json", session.path).out)
    assert made["generator"]["engine"] == "outline"
