"""Amazon Q's conversations, saved or in the database, and that reading them leaves no trace."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.messages import FactKind, FactResult, Origin
from service.sources.amazonq import DATABASE, KIRO_PLACE, PLACE, conversation
from service.sources.amazonq_database import log_of
from service.sources.formats import Problem, find_files, read_file
from service.sources.session import LastTurn, Session

Row = dict[str, Any]


def user(content: Row, at: str | None = None, **fields: Any) -> Row:
    return {
        "content": content,
        "timestamp": at,
        "env_context": {"env_state": {"current_working_directory": "/shop"}},
        **fields,
    }


def prompt(words: str, at: str | None = None) -> Row:
    return user({"Prompt": {"prompt": words}}, at)


def results(*found: Row) -> Row:
    return user({"ToolUseResults": {"tool_use_results": list(found)}})


def cancelled(words: str | None, *found: Row) -> Row:
    return user({"CancelledToolUses": {"prompt": words, "tool_use_results": list(found)}})


def result(block: Row, status: str = "Success") -> Row:
    return {"tool_use_id": "t1", "content": [block], "status": status}


def reply(words: str) -> Row:
    return {"Response": {"message_id": "m", "content": words}}


def tool_use(name: str, words: str = "", **args: Any) -> Row:
    return {"ToolUse": {"message_id": "m", "content": words, "tool_uses": [{"id": "t1", "name": name, "args": args}]}}


def session_of(*pairs: tuple[Row, Row | None], transcript: list[object] | None = None, **fields: Any) -> Session:
    history = [{"user": one, "assistant": other, "request_metadata": None} for one, other in pairs]
    value = {"conversation_id": "q1", "history": history, "transcript": transcript or [], **fields}
    return conversation(value, "amazonq", fallback_id="file")


def prompts(session: Session) -> list[str]:
    return [message.content for message in session.messages if message.by_person]


def facts(session: Session) -> list[tuple[FactKind, str, FactResult | None]]:
    return [(fact.kind, fact.text, fact.result) for message in session.messages for fact in message.facts]


# The history


def test_the_history_tells_prompts_replies_times_and_folder() -> None:
    """What was said, when, and where the agent was started."""
    session = session_of((prompt("sort the cart", "2026-03-02T09:00:00+01:00"), reply("Sorted.")))
    assert [(one.role, one.content) for one in session.messages] == [
        ("user", "sort the cart"),
        ("assistant", "Sorted."),
    ]
    assert (session.key, session.title, session.project) == ("amazonq:q1", "sort the cart", "/shop")
    assert (session.last_activity, session.last_turn) == ("2026-03-02T08:00:00+00:00", LastTurn.REPLIED)


def test_older_histories_are_lists_of_two() -> None:
    """A pair without names is the same pair."""
    value = {"conversation_id": "q1", "history": [[prompt("one"), reply("a")], ["odd"], 7]}
    assert prompts(conversation(value, "amazonq", fallback_id="file")) == ["one"]


def test_tool_results_are_no_prompts() -> None:
    """What a tool gave back is not the person's."""
    session = session_of(
        (prompt("list"), tool_use("execute_bash", command="ls")), (results(result({"Text": "a"})), None)
    )
    assert prompts(session) == ["list"]
    assert session.last_turn is LastTurn.WORKING


def test_words_typed_over_a_tool_call_are_a_prompt() -> None:
    """Whoever answers a call with other words has said them, and has refused the call."""
    refused = result({"Text": "Tool use was cancelled by the user"}, "Error")
    session = session_of(
        (prompt("ship it"), tool_use("execute_bash", command="git push")),
        (cancelled("not yet", refused), reply("Fine.")),
    )
    assert prompts(session) == ["ship it", "not yet"]
    assert facts(session) == [(FactKind.DENIED, "execute_bash", None)]


@pytest.mark.parametrize("key", ["n", "N", None, ""])
def test_a_key_that_refuses_a_call_is_no_prompt(key: str | None) -> None:
    """A single letter answers the program, not the agent."""
    session = session_of((prompt("ship it"), tool_use("execute_bash", command="git push")), (cancelled(key), None))
    assert prompts(session) == ["ship it"]
    assert session.last_turn is LastTurn.INTERRUPTED


def test_a_prompt_that_waits_for_its_reply_counts() -> None:
    """A conversation saved in the middle of a turn ends with that turn's prompt."""
    session = session_of((prompt("one"), reply("a")), next_message=prompt("two"))
    assert prompts(session) == ["one", "two"]
    assert session.last_turn is LastTurn.WORKING


def test_the_programs_own_request_is_automation() -> None:
    """The request to sum up is not taken for a person's."""
    session = session_of((prompt("[SYSTEM NOTE: This is an automated request, not from the user] sum up"), reply("a")))
    assert session.messages[0].origin is Origin.AUTOMATION


def test_a_notice_in_the_agents_place_is_an_interruption() -> None:
    """The program's words about a stop are not a reply."""
    session = session_of((prompt("one"), reply("Response was interrupted by the user")))
    assert (len(session.messages), session.last_turn) == (1, LastTurn.INTERRUPTED)


def test_a_command_is_judged_by_its_exit_status() -> None:
    """The tool calls itself a success even where the command failed."""
    output = result({"Json": {"exit_status": "1", "stdout": "2 failed", "stderr": ""}})
    session = session_of(
        (prompt("test"), tool_use("execute_bash", command="pytest")), (results(output), reply("All pass."))
    )
    assert facts(session) == [(FactKind.RAN, "pytest", FactResult.FAILED)]


def test_a_summary_stands_for_what_was_compacted() -> None:
    """Where the older half is gone, the agent's own summary of it is kept, labelled."""
    session = session_of((prompt("go on"), reply("a")), latest_summary=["we sorted the cart", {}])
    assert session.messages[0].origin is Origin.ASSISTANT
    assert "we sorted the cart" in session.messages[0].content
    assert session.title == "go on"


# The transcript


def test_a_trimmed_history_gives_way_to_the_transcript() -> None:
    """Prompts that the model no longer gets were still said."""
    session = session_of(
        (prompt("two"), reply("b")), transcript=["> one", "a\n[Tool uses: none]", "> two", "b\n[Tool uses: none]"]
    )
    assert [one.content for one in session.messages] == ["one", "a", "two", "b"]
    assert session.last_turn is LastTurn.REPLIED


def test_keys_and_local_commands_in_the_transcript_are_no_prompts() -> None:
    """Answers to the program, its commands and shell lines are not counted."""
    items: list[object] = ["> t", "> Y", "> n", "> /quit", "> !ls", "> ", "> yes", None, 7]
    assert prompts(session_of(transcript=items)) == ["yes"]


def test_a_reply_that_quotes_is_no_prompt() -> None:
    """A reply may begin like a prompt; it is told by the line that names its tools."""
    session = session_of(transcript=["> why?", "> why?\nBecause.\n[Tool uses: none]"])
    assert [one.role for one in session.messages] == ["user", "assistant"]
    assert session.messages[1].content == "> why?\nBecause."


def test_a_prompt_of_several_lines_is_whole() -> None:
    """The marks that the agent puts between the lines are taken out."""
    assert prompts(session_of(transcript=["> one> \ntwo"])) == ["one\ntwo"]


@pytest.mark.parametrize(
    ("items", "last_turn"),
    [
        (["> one"], LastTurn.WORKING),
        (["> one", "a\n[Tool uses: fs_read]"], LastTurn.TOOL_OPEN),
        (["> one", "\n[Tool uses: fs_read]", "> t"], LastTurn.TOOL_OPEN),
        (["> one", "Response was interrupted by the user\n[Tool uses: none]"], LastTurn.INTERRUPTED),
    ],
)
def test_the_transcript_tells_how_the_last_turn_stands(items: list[object], last_turn: LastTurn) -> None:
    """A call without an answer is open, a prompt without a reply is at work."""
    assert session_of(transcript=items).last_turn is last_turn


def test_a_refusal_in_the_transcript_is_a_decision() -> None:
    """The key that refuses a call names the call's tool."""
    session = session_of(transcript=["> push", "Pushing.\n[Tool uses: execute_bash]", "> n"])
    assert facts(session) == [(FactKind.DENIED, "execute_bash", None)]


def test_a_saved_file_is_recognised(tmp_path: Path) -> None:
    """Pretty-printed or not, whatever its name."""
    value = {"conversation_id": "q1", "history": [], "transcript": ["> one"]}
    for number, layout in enumerate((None, 2)):
        path = tmp_path / f"{number}.txt"
        path.write_text(json.dumps(value, indent=layout))
        found = read_file(path)
        assert found.format == "amazonq"
        assert found.session is not None
        assert found.session.user_turns == 1


def test_an_unused_conversation_says_so() -> None:
    """Nothing said is told as such."""
    session = session_of()
    assert (session.unprompted, session.last_turn) == ("opened, never used", LastTurn.NONE)


# The database


def stored(*words: str, conversation_id: str = "q1") -> str:
    return json.dumps(
        {
            "conversation_id": conversation_id,
            "history": [{"user": prompt(one), "assistant": reply("a")} for one in words],
        }
    )


CREATE = f"""
CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE conversations_v2 (key TEXT, conversation_id TEXT, value TEXT, created_at INTEGER, updated_at INTEGER);
INSERT INTO conversations VALUES ('/shop', '{stored("one")}'), ('/old', '{stored("zero", conversation_id="q0")}');
INSERT INTO conversations_v2 VALUES ('/shop', 'q1', '{stored("one", "two")}', 1, 1772442000000);
INSERT INTO conversations_v2 VALUES ('/odd', 'q2', 'torn {{', 1, 2);
"""  # noqa: S608 (the words are this module's own, and a script takes no parameters)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "amazon-q" / "data.sqlite3"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(CREATE)
    return path


AGENT_AT_WORK = f"""
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("PRAGMA journal_mode = WAL")
connection.execute("PRAGMA wal_autocheckpoint = 0")
connection.executescript({CREATE!r})
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def live(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """A database that another process has open, its rows in the write-ahead log alone."""
    path = tmp_path / "amazon-q" / "data.sqlite3"
    path.parent.mkdir()
    command = [sys.executable, "-c", AGENT_AT_WORK, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield path, process
        process.kill()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_each_conversation_of_a_database_is_a_session(database: Path) -> None:
    """Both tables are read, one that stands in both is read from the newer, a broken one is stepped over."""
    sessions = {one.session_id: one for one in read_file(database).sessions}
    assert sessions.keys() == {"q1", "q0"}
    assert (sessions["q1"].user_turns, sessions["q1"].project) == (2, "/shop")
    assert sessions["q1"].last_activity == "2026-03-02T09:00:00+00:00"


def test_a_database_in_kiros_folder_is_kiros(database: Path) -> None:
    """Older versions of Kiro kept the same tables under their own name."""
    moved = database.parent.with_name("kiro-cli")
    database.parent.rename(moved)
    assert {one.agent for one in read_file(moved / database.name).sessions} == {"kiro"}


def test_reading_changes_no_file(database: Path) -> None:
    """The agent's folder is byte for byte as it was."""
    before = contents(database.parent)
    assert read_file(database).sessions
    assert contents(database.parent) == before


def test_rows_in_a_live_log_are_read_without_a_trace(live: tuple[Path, subprocess.Popen[str]]) -> None:
    """What the agent wrote last is seen while it runs, and nothing is made or changed beside it."""
    path, _ = live
    before = contents(path.parent)
    assert len(read_file(path).sessions) == 2
    assert contents(path.parent) == before


def test_a_closed_log_database_is_read_without_making_one(live: tuple[Path, subprocess.Popen[str]]) -> None:
    """No log appears where the agent left none."""
    path, process = live
    process.communicate()
    assert len(read_file(path).sessions) == 2
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_the_log_of_a_killed_agent_is_read_without_a_trace(live: tuple[Path, subprocess.Popen[str]]) -> None:
    """Rows that never reached the database file are seen, and wait there for the agent."""
    path, process = live
    process.kill()
    process.wait()
    before = contents(path.parent)
    assert len(read_file(path).sessions) == 2
    assert contents(path.parent) == before


def test_a_log_that_was_left_behind_is_read_from_a_copy(
    live: tuple[Path, subprocess.Popen[str]], tmp_path: Path
) -> None:
    """A database that was copied with its log keeps its newest rows, and its folder stays as it is."""
    path, _ = live
    (tmp_path / "backup").mkdir()
    copy = tmp_path / "backup" / path.name
    copy.write_bytes(path.read_bytes())
    log_of(copy).write_bytes(log_of(path).read_bytes())
    before = contents(copy.parent)
    assert len(read_file(copy).sessions) == 2
    assert contents(copy.parent) == before


def test_a_torn_database_is_a_trouble_with_its_reason(database: Path) -> None:
    """A file cut in the middle is said to be unreadable, in words."""
    database.write_bytes(database.read_bytes()[:5000])
    trouble = read_file(database).trouble
    assert trouble is not None
    assert (trouble.problem, trouble.detail) == (Problem.UNREADABLE, "database disk image is malformed")


def test_a_locked_database_is_a_trouble_with_its_reason(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent in the middle of a write keeps its file to itself, which is said after a short wait."""
    monkeypatch.setattr("service.sources.amazonq_database._BUSY_SECONDS", 0.01)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        trouble = read_file(database).trouble
    assert trouble is not None
    assert trouble.detail == "database is locked"


def test_a_database_of_something_else_is_not_claimed(tmp_path: Path) -> None:
    """Other tables belong to other programs."""
    path = tmp_path / "data.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (x)")
        connection.commit()
    assert not DATABASE.claims(path, path.read_bytes())


def test_databases_are_found_where_they_lie(tmp_path: Path) -> None:
    """In the data folder of either platform, under either name."""
    data, library = tmp_path / ".local" / "share", tmp_path / "Library" / "Application Support"
    for folder in (data / "amazon-q", library / "amazon-q", data / "kiro-cli"):
        folder.mkdir(parents=True)
        (folder / "data.sqlite3").write_text("")
    assert set(find_files(PLACE, {}, tmp_path)) == {
        data / "amazon-q" / "data.sqlite3",
        library / "amazon-q" / "data.sqlite3",
    }
    assert list(find_files(KIRO_PLACE, {}, tmp_path)) == [data / "kiro-cli" / "data.sqlite3"]
    assert list(find_files(KIRO_PLACE, {"XDG_DATA_HOME": str(tmp_path / "x")}, tmp_path)) == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "user",
                    "assistant",
                    "content",
                    "Prompt",
                    "prompt",
                    "CancelledToolUses",
                    "tool_use_results",
                    "tool_uses",
                    "args",
                    "Response",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@settings(max_examples=80)
@given(st.lists(json_values, max_size=4), json_values, json_values)
def test_no_conversation_of_an_odd_shape_is_an_error(history: list[object], transcript: object, other: object) -> None:
    """Whatever a stored value holds, the session can be told."""
    value: Mapping[str, object] = {
        "conversation_id": other,
        "history": history,
        "transcript": transcript,
        "next_message": other,
        "latest_summary": other,
    }
    conversation(value, "amazonq", fallback_id="file")
