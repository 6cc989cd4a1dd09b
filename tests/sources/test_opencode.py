"""OpenCode sessions from an export, the storage tree and the database: all tell the same, and nothing is written."""

import json
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.messages import FactKind, FactResult, Origin
from service.sources.follow import FollowedFile, Verdict
from service.sources.formats import Problem, find_files, identify, read_file
from service.sources.kinds import PathFormat
from service.sources.opencode import PLACE, SUMMARY_LABEL, session_from
from service.sources.session import LastTurn, Session

Row = dict[str, Any]
Told = tuple[Row, list[Row]]
INFO: Row = {"id": "ses_1", "directory": "/shop", "title": "Cart order", "time": {"created": 1772442000000}}


def text(words: str, **fields: object) -> Row:
    return {"type": "text", "text": words, **fields}


def tool(name: str, status: str = "completed", **state: object) -> Row:
    return {"type": "tool", "tool": name, "state": {"status": status, **state}}


def user(*parts: Row, message_id: str = "msg_1", at: int = 1772442001000) -> Told:
    return {"id": message_id, "role": "user", "time": {"created": at}}, list(parts)


def reply(*parts: Row, message_id: str = "msg_2", at: int = 1772442002000, **info: object) -> Told:
    return {"id": message_id, "role": "assistant", "time": {"created": at}, **info}, list(parts)


def session_of(*messages: Told, **info: object) -> Session:
    return session_from({**INFO, **info}, messages)


REFUSAL = "The user rejected permission to use this specific tool call"
ASKED = user(text("sort the cart"))
ANSWERED = reply(text("Sorted."), {"type": "step-finish", "reason": "stop"}, finish="stop")


def words_of(session: Session) -> list[str]:
    return [message.content for message in session.messages]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([text("sort"), text("the cart")], [("sort\n\nthe cart", Origin.PERSON)]),
        ([text("sort"), text("<file>…", synthetic=True)], [("sort", Origin.PERSON)]),
        ([text("sort"), text("hidden", ignored=True)], [("sort", Origin.PERSON)]),
        ([{"type": "subtask", "command": "review", "description": "the cart"}], [("/review the cart", Origin.PERSON)]),
        ([{"type": "file", "filename": "a.png"}], [("[files without words: a.png]", Origin.PERSON)]),
        ([text("Summarize the task tool output above", synthetic=True)], None),
        ([{"type": "compaction", "auto": True}], []),
        ([], []),
    ],
)
def test_a_user_message_is_judged_by_its_parts(parts: list[Row], expected: list[tuple[str, Origin]] | None) -> None:
    """Typed text, a command and a file are a person's; what the program put there is automation or nothing."""
    found = [(message.content, message.origin) for message in session_of(user(*parts)).messages]
    assert found == ([(parts[0]["text"], Origin.AUTOMATION)] if expected is None else expected)


def test_a_helpers_session_is_no_persons() -> None:
    """A session with a parent is a sub-agent's, and what its parent agent told it is no turn."""
    session = session_of(ASKED, ANSWERED, parentID="ses_0")
    assert (session.sub_agent, session.user_turns, session.unprompted) == (True, 0, "a sub-agent's session")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (ANSWERED, LastTurn.COMPLETED),
        (reply(text("Sorted."), {"type": "step-finish", "reason": "stop"}), LastTurn.COMPLETED),
        (reply(text("Looking."), tool("read"), finish="tool-calls"), LastTurn.WORKING),
        (reply(text("Looking."), tool("read", "running")), LastTurn.TOOL_OPEN),
        (reply(text("Sorted.")), LastTurn.REPLIED),
        (reply(tool("read"), finish=""), LastTurn.WORKING),
        (reply(text("Half a"), error={"name": "MessageAbortedError"}), LastTurn.INTERRUPTED),
        (reply(error={"name": "ProviderAuthError"}), LastTurn.FAILED),
    ],
)
def test_the_last_turn_stands_as_its_last_reply_leaves_it(answer: Told, expected: LastTurn) -> None:
    """A finished, stopped, failed and running turn are told apart."""
    assert session_of(ASKED, answer).last_turn is expected


def test_a_prompt_without_a_reply_is_being_worked_on() -> None:
    """What was asked last is running or was left."""
    assert session_of(ASKED, ANSWERED, user(text("more"), message_id="msg_3")).last_turn is LastTurn.WORKING


def test_what_was_taken_back_does_not_count() -> None:
    """Messages from the one a person went back to are gone, though they are still stored."""
    more = (user(text("wrong"), message_id="msg_3"), reply(text("no"), message_id="msg_4"))
    session = session_of(ASKED, ANSWERED, *more, revert={"messageID": "msg_3"})
    assert (words_of(session), session.last_turn) == (["sort the cart", "Sorted."], LastTurn.COMPLETED)


def test_a_reply_taken_back_in_part_keeps_its_beginning() -> None:
    """Going back into the middle of a reply keeps what stands before that place."""
    answer = reply(text("First.", id="prt_1"), text("Second.", id="prt_2"))
    assert words_of(session_of(ASKED, answer, revert={"messageID": "msg_2", "partID": "prt_2"}))[1:] == ["First."]


def test_a_compaction_is_shown_only_where_it_is_all_there_is() -> None:
    """The agent's own summary stands in for what is lost, and repeats nothing that stands."""
    summary = reply(text("The cart was sorted."), summary=True)
    assert words_of(session_of(summary)) == [f"{SUMMARY_LABEL}\nThe cart was sorted."]
    assert words_of(session_of(ASKED, ANSWERED, summary)) == ["sort the cart", "Sorted."]


def test_a_placeholder_is_no_title() -> None:
    """A session that was not named yet is called by its first prompt."""
    assert session_of(ASKED, title="New session - 2026-03-02T09:00:00.000Z").title == "sort the cart"
    assert session_of(ASKED).title == "Cart order"


def test_the_last_activity_is_the_newest_time_of_any_part() -> None:
    """A tool that ended after its message began counts as activity."""
    answer = reply(tool("bash", time={"start": 1772442003000, "end": 1772442009000}))
    assert session_of(ASKED, answer).last_activity == "2026-03-02T09:00:09+00:00"


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (tool("edit", input={"filePath": "a.py"}), (FactKind.EDITED, "a.py", None)),
        (
            tool("apply_patch", input={"patchText": "*** Begin Patch\n*** Update File: b.py\n"}),
            (FactKind.EDITED, "b.py", None),
        ),
        (
            tool("bash", input={"command": "pytest"}, output="1 failed", metadata={"exit": 1}),
            (FactKind.RAN, "pytest", FactResult.FAILED),
        ),
        (
            tool("bash", input={"command": "pytest"}, metadata={"exit": 0}),
            (FactKind.RAN, "pytest", FactResult.PASSED),
        ),
        (tool("bash", "error", input={"command": "pytest"}), (FactKind.RAN, "pytest", FactResult.UNKNOWN)),
        (
            tool(
                "bash",
                "error",
                error=f"{REFUSAL} with the following feedback: not yet",
            ),
            (FactKind.DENIED, "bash: not yet", None),
        ),
        (
            tool("question", input={"questions": [{"question": "Which color?"}]}, metadata={"answers": [["blue"]]}),
            (FactKind.ANSWERED, "Which color?: blue", None),
        ),
    ],
)
def test_a_tool_call_proves_a_fact(part: Row, expected: tuple[FactKind, str, FactResult | None]) -> None:
    """What tools did is tied to the message it followed."""
    session = session_of(ASKED, reply(part))
    assert [(fact.kind, fact.text, fact.result) for fact in session.messages[0].facts] == [expected]


def as_export(folder: Path, info: Row, messages: Sequence[Told]) -> Path:
    path = folder / "export.json"
    told = [{"info": message, "parts": parts} for message, parts in messages]
    path.write_text(json.dumps({"info": info, "messages": told}, indent=2))
    return path


def as_tree(folder: Path, info: Row, messages: Sequence[Told]) -> Path:
    def put(path: Path, value: Row) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
        return path

    storage = folder / "storage"
    for message, parts in messages:
        put(storage / "message" / info["id"] / f"{message['id']}.json", message)
        for at, part in enumerate(parts):
            put(storage / "part" / message["id"] / f"prt_{at}.json", part)
    return put(storage / "session" / "shop" / f"{info['id']}.json", info)


def opened_database(path: Path, *, wal: bool) -> sqlite3.Connection:
    database = sqlite3.connect(path)
    if wal:
        database.execute("PRAGMA journal_mode = WAL")
    database.executescript(
        "CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, revert TEXT, time_created INT);"
        "CREATE TABLE message (id TEXT, session_id TEXT, time_created INT, data TEXT);"
        "CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);"
    )
    return database


def put_session(database: sqlite3.Connection, info: Row, messages: Sequence[Told]) -> None:
    revert = json.dumps(info["revert"]) if "revert" in info else None
    fields = (info["id"], info.get("parentID"), info["directory"], info["title"], revert, info["time"]["created"])
    database.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)", fields)
    for message, parts in messages:
        data = {key: value for key, value in message.items() if key != "id"}
        row = (message["id"], info["id"], message["time"]["created"], json.dumps(data))
        database.execute("INSERT INTO message VALUES (?, ?, ?, ?)", row)
        for at, part in enumerate(parts):
            row = (f"prt_{message['id']}_{at}", message["id"], info["id"], json.dumps(part))
            database.execute("INSERT INTO part VALUES (?, ?, ?, ?)", row)
    database.commit()


def as_database(folder: Path, info: Row, messages: Sequence[Told], *, wal: bool = False) -> Path:
    path = folder / "opencode.db"
    with closing(opened_database(path, wal=wal)) as database:
        put_session(database, info, messages)
    return path


@pytest.mark.parametrize("shape", [as_export, as_tree, as_database])
def test_every_shape_tells_the_same_session(tmp_path: Path, shape: Any) -> None:
    """An export, the storage tree and the database of one session read alike."""
    info = {**INFO, "revert": {"messageID": "msg_3"}}
    messages = (ASKED, ANSWERED, user(text("wrong"), message_id="msg_3", at=1772442003000))
    result = read_file(shape(tmp_path, info, messages))
    assert (result.format, result.sessions) == ("opencode", (session_from(info, messages),))


def test_a_database_gives_every_session(tmp_path: Path) -> None:
    """Sessions of persons and of helpers are told apart, each with its own messages."""
    with closing(opened_database(tmp_path / "opencode.db", wal=False)) as database:
        put_session(database, INFO, (ASKED,))
        put_session(database, {**INFO, "id": "ses_2", "parentID": "ses_1"}, ())
    found = read_file(tmp_path / "opencode.db").sessions
    assert [(session.key, session.sub_agent) for session in found] == [
        ("opencode:ses_1", False),
        ("opencode:ses_2", True),
    ]


def listing(folder: Path) -> dict[str, tuple[int, int]]:
    return {entry.name: (entry.stat().st_size, entry.stat().st_mtime_ns) for entry in os.scandir(folder)}


@pytest.mark.parametrize("wal", [False, True])
def test_a_database_nobody_has_open_is_read_without_a_trace(tmp_path: Path, wal: bool) -> None:
    """Reading makes no file beside the database and changes none."""
    path = as_database(tmp_path, INFO, (ASKED,), wal=wal)
    before = listing(tmp_path)
    assert len(read_file(path).sessions) == 1
    assert listing(tmp_path) == before == {"opencode.db": before["opencode.db"]}


def test_rows_that_stand_only_in_the_log_are_read(tmp_path: Path) -> None:
    """While the agent runs, its newest messages are seen, and its files stay as they are."""
    with closing(opened_database(tmp_path / "opencode.db", wal=True)) as database:
        put_session(database, INFO, (ASKED, ANSWERED))
        before = listing(tmp_path)
        session = read_file(tmp_path / "opencode.db").session
        assert listing(tmp_path) == before
    assert session is not None
    assert session.last_turn is LastTurn.COMPLETED


def test_a_copied_database_with_its_log_is_read(tmp_path: Path) -> None:
    """A copy of database and log, without the index between them, gives the newest rows and gains no file."""
    copy = tmp_path / "copy"
    copy.mkdir()
    with closing(opened_database(tmp_path / "opencode.db", wal=True)) as database:
        put_session(database, INFO, (ASKED,))
        for name in ("opencode.db", "opencode.db-wal"):
            (copy / name).write_bytes((tmp_path / name).read_bytes())
    assert len(read_file(copy / "opencode.db").sessions) == 1
    assert sorted(os.listdir(copy)) == ["opencode.db", "opencode.db-wal"]


def test_a_torn_database_is_told_as_such(tmp_path: Path) -> None:
    """A damaged database gives a reason, not a crash and not an empty list."""
    path = as_database(tmp_path, INFO, (ASKED,))
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xff" * (len(data) - 100))
    trouble = read_file(path).trouble
    assert trouble is not None
    assert trouble.problem is Problem.UNREADABLE
    assert trouble.detail


def test_another_programs_database_is_not_claimed(tmp_path: Path) -> None:
    """A database without the agent's tables is nobody's session."""
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE session (id TEXT)")
    assert read_file(path).trouble is not None


def test_a_growing_database_is_followed(tmp_path: Path) -> None:
    """A message that stands only in the log is seen although the database file did not change."""
    path = tmp_path / "opencode.db"
    with closing(opened_database(path, wal=True)) as database:
        put_session(database, INFO, (ASKED,))
        followed = FollowedFile(path)
        followed.advance()
        put_session(database, {**INFO, "id": "ses_2"}, (ASKED,))
        advance = followed.advance()
    assert (advance.verdict, len(advance.result.sessions)) == (Verdict.REWRITE, 2)


def test_a_session_of_the_tree_that_moved_to_the_database_counts_once(tmp_path: Path) -> None:
    """What the database took over is not told a second time from the older files."""
    old = as_tree(tmp_path, INFO, (ASKED,))
    other = as_tree(tmp_path, {**INFO, "id": "ses_2"}, (ASKED,))
    as_database(tmp_path, INFO, (ASKED,))
    assert read_file(old).sessions == ()
    assert len(read_file(other).sessions) == 1


def test_a_tree_names_the_files_that_still_grow(tmp_path: Path) -> None:
    """A part that is written in place is among the files a change may show in."""
    path = as_tree(tmp_path, INFO, (ASKED, ANSWERED))
    found = identify(path)
    assert isinstance(found, PathFormat)
    assert tmp_path / "storage" / "part" / "msg_2" / "prt_0.json" in found.parts(path)


def test_a_long_session_file_of_a_tree_is_placed(tmp_path: Path) -> None:
    """A session whose file goes beyond the first look is still known by it."""
    path = as_tree(tmp_path, {**INFO, "summary": {"diffs": ["x" * 100_000]}}, (ASKED,))
    assert [session.key for session in read_file(path).sessions] == ["opencode:ses_1"]


def test_torn_files_of_a_tree_are_stepped_over(tmp_path: Path) -> None:
    """A message that is being written does not hide the others."""
    path = as_tree(tmp_path, INFO, (ASKED, ANSWERED))
    (tmp_path / "storage" / "message" / "ses_1" / "msg_3.json").write_text('{"role": "us')
    (tmp_path / "storage" / "part" / "msg_2" / "prt_0.json").write_text("")
    assert words_of(read_file(path).sessions[0]) == ["sort the cart"]


def test_files_are_found_where_the_environment_says(tmp_path: Path) -> None:
    """Database and tree are looked for in the folder that the environment names."""
    home = tmp_path / "moved" / "opencode"
    home.mkdir(parents=True)
    as_tree(home, INFO, (ASKED,))
    as_database(home, INFO, ())
    found = find_files(PLACE, {"XDG_DATA_HOME": str(tmp_path / "moved")}, tmp_path)
    assert sorted(path.name for path in found) == ["opencode.db", "ses_1.json"]


_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
_KEY = st.sampled_from(["type", "text", "name", "id", "status", "output"])
_JSON = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEY, inner, max_size=3), max_leaves=6
)
_INFO = st.dictionaries(st.sampled_from(["id", "time", "error", "finish", "summary"]), _JSON, max_size=4)
_PART = st.dictionaries(
    st.sampled_from(["id", "text", "state", "tool", "time", "command", "filename", "reason"]), _JSON
)
_TYPES = st.sampled_from(["text", "tool", "subtask", "file", "step-finish"])
_MESSAGE = st.tuples(st.sampled_from(["user", "assistant", "x"]), _INFO, st.lists(st.tuples(_TYPES, _PART), max_size=3))


@settings(max_examples=25)
@given(_INFO, st.lists(_MESSAGE, max_size=4))
def test_odd_messages_are_stepped_over(info: Row, messages: list[tuple[str, Row, list[tuple[str, Row]]]]) -> None:
    """A session whose messages have any shape at all is still one."""
    told = [
        ({**about, "role": role}, [{**part, "type": kind} for kind, part in parts]) for role, about, parts in messages
    ]
    assert session_from({**info, "id": "ses_1", "revert": info}, told).key == "opencode:ses_1"


def test_what_was_written_twice_counts_once() -> None:
    """A message or a part that an export repeats is not said again."""
    (asked, [words]), answered = user({**text("sort the cart"), "id": "prt_1"}), ANSWERED
    twice = (asked, [words, words])
    assert session_of(twice, answered, twice, answered) == session_of((asked, [words]), answered)
    assert words_of(session_of(user(text("a"), text("a")), user(text("b"), message_id=""), user(message_id=""))) == [
        "a\n\na",
        "b",
    ]


@pytest.mark.parametrize("odd", [None, 7, {}, {"info": None}, {"parts": []}])
def test_an_export_whose_first_message_is_odd_is_still_read(tmp_path: Path, odd: object) -> None:
    """One broken message costs that message, not the session."""
    whole = {"info": ASKED[0], "parts": ASKED[1]}
    path = tmp_path / "export.json"
    path.write_text(json.dumps({"info": INFO, "messages": [odd, whole]}))
    (session,) = read_file(path).sessions
    assert words_of(session) == ["sort the cart"]
    path.write_text(json.dumps({"info": INFO, "messages": [odd]}))
    assert read_file(path).sessions == ()
