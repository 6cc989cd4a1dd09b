"""Gemini CLI sessions in both shapes: who speaks, what is replaced or taken back, and how the last turn stands."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.messages import FactKind, FactResult, Origin
from service.sources.formats import find_files, read_file
from service.sources.gemini import PLACE, GeminiReader, claims
from service.sources.session import LastTurn, Session

Row = dict[str, Any]
HEADER: Row = {"sessionId": "5f0a", "projectHash": "ab", "startTime": "2026-03-02T09:00:00.000Z"}
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
_KEY = st.sampled_from(["type", "text", "name", "id", "status", "output"])
_JSON = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEY, inner, max_size=3), max_leaves=6
)


def said(kind: str, content: object, row_id: str = "", at: str = "2026-03-02T09:01:00.000Z", **fields: object) -> Row:
    return {"id": row_id or f"{kind}-{content}", "timestamp": at, "type": kind, "content": content, **fields}


def tool(name: str, output: str = "", status: str = "success", **args: object) -> Row:
    response = {"functionResponse": {"name": name, "response": {"output": output}}}
    return {"id": "t1", "name": name, "args": args, "status": status, "result": [response]}


def called(*calls: Row, text: str = "") -> Row:
    return said("gemini", text, "called", toolCalls=list(calls))


def session_of(*rows: Row, path: str = "session-x.jsonl") -> Session:
    reader = GeminiReader(Path(path))
    for one in rows:
        reader.add(one)
    return reader.session()


def words_of(session: Session) -> list[str]:
    return [message.content for message in session.messages]


def test_a_document_and_its_rows_are_the_same_session(tmp_path: Path) -> None:
    """A session in the older shape reads like the one in the newer shape."""
    messages = [said("user", "sort the cart"), said("gemini", "Sorted.")]
    document, rows = tmp_path / "a.json", tmp_path / "b.jsonl"
    document.write_text(json.dumps({**HEADER, "messages": messages}, indent=2))
    rows.write_text("\n".join(map(json.dumps, [HEADER, *messages])))
    assert read_file(document).session == read_file(rows).session
    assert read_file(document).format == "gemini"


def test_a_document_on_one_line_is_read_as_well(tmp_path: Path) -> None:
    """A document without line breaks is the same session."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps({**HEADER, "messages": [said("user", "sort the cart")]}))
    session = read_file(path).session
    assert session is not None
    assert (session.key, session.user_turns) == ("gemini:5f0a", 1)


def test_the_parts_of_a_prompt_are_one_text() -> None:
    """A prompt that was stored in parts is shown as it was typed."""
    session = session_of(HEADER, said("user", [{"text": "now the "}, "exports"], "1"))
    assert words_of(session) == ["now the exports"]


def test_what_stood_on_the_screen_is_what_was_said() -> None:
    """A prompt that a hook or a file made longer shows the person's words alone."""
    row = said("user", "fix @a.py\n<hook_context>x</hook_context>", "1", displayContent=[{"text": "fix @a.py"}])
    assert words_of(session_of(HEADER, row)) == ["fix @a.py"]


@pytest.mark.parametrize(
    "content",
    [
        "<session_context>\nToday is Monday\n</session_context>",
        "<session_context>never closed",
        "This is the Gemini CLI. We are setting up the context for our chat.",
        "<hook_context>lint is on</hook_context>",
        [],
        [{"functionResponse": {"name": "read_file"}}],
        "  \n",
    ],
)
def test_context_is_no_message(content: object) -> None:
    """Text that the program puts before the model is neither a turn nor a message."""
    assert session_of(HEADER, said("user", content)).messages == ()


@pytest.mark.parametrize(
    "content",
    [
        "<session_context>Monday</session_context>\nsort the cart",
        "<hook_context>lint</hook_context><hook_context>more</hook_context> sort the cart",
        "sort the cart\n<hook_context>lint</hook_context>",
        ["sort the cart", "\n--- Content from referenced files ---", "a b c"],
    ],
)
def test_context_beside_words_comes_off(content: object) -> None:
    """A person's words count although a hook or an editor wrote around them."""
    assert words_of(session_of(HEADER, said("user", content, "1"))) == ["sort the cart"]


def test_a_quoted_marker_stays_the_persons() -> None:
    """A person who asks about a marker has spoken."""
    assert session_of(HEADER, said("user", "why does it print <session_context>?")).user_turns == 1


def test_a_picture_without_words_is_a_prompt() -> None:
    """A pasted picture counts as a turn."""
    assert session_of(HEADER, said("user", [{"inlineData": {"data": "eA=="}}], "1")).user_turns == 1


def test_a_nudge_of_the_program_is_no_turn() -> None:
    """A line that makes the model go on is shown as automation."""
    session = session_of(HEADER, said("user", "System: Please continue."), said("gemini", "Going on."))
    assert [message.origin for message in session.messages] == [Origin.AUTOMATION, Origin.ASSISTANT]
    assert session.unprompted == "only programs spoke"


def test_a_row_with_a_known_id_replaces_the_earlier_one() -> None:
    """A reply that was written again stands once, at its place."""
    rows = [said("gemini", "Sor", "1"), said("user", "next", "2"), said("gemini", "Sorted.", "1")]
    assert words_of(session_of(HEADER, *rows)) == ["Sorted.", "next"]


def test_a_rewind_takes_back_the_message_and_all_after_it() -> None:
    """Prompts that a person went back before do not count."""
    rows = [said("user", "one", "1"), said("gemini", "1.", "2"), said("user", "two", "3"), said("gemini", "2.", "4")]
    session = session_of(HEADER, *rows, {"$rewindTo": "3"}, said("user", "three", "5"))
    assert words_of(session) == ["one", "1.", "three"]


def test_a_rewind_to_an_unknown_message_empties_the_session() -> None:
    """A step back beyond what is stored leaves nothing."""
    assert session_of(HEADER, said("user", "one", "1"), {"$rewindTo": "gone"}).last_turn is LastTurn.NONE


def test_a_patch_with_messages_replaces_them_all() -> None:
    """A session that its program rewrote shows what stands now."""
    session = session_of(HEADER, said("user", "old", "1"), {"$set": {"messages": [said("user", "new", "2")]}})
    assert words_of(session) == ["new"]


_STEPS = st.one_of(
    st.tuples(st.sampled_from(["user", "gemini"]), st.integers(0, 5), st.sampled_from(["", "a", "b"])).map(
        lambda step: said(step[0], step[2], str(step[1]), toolCalls=[tool("write_file", file_path="a.py")])
    ),
    st.integers(0, 5).map(lambda at: {"$rewindTo": str(at)}),
    st.sampled_from([{"$set": {"kind": "subagent"}}, {"$set": {"messages": [said("user", "new", "0")]}}]),
)


@given(st.lists(st.tuples(_STEPS, st.booleans()), max_size=25))
def test_looking_in_between_changes_nothing(steps: list[tuple[Row, bool]]) -> None:
    """A session followed row by row ends as the one that is read at once."""
    followed, whole = GeminiReader(Path("a.jsonl")), GeminiReader(Path("a.jsonl"))
    for row, look in steps:
        followed.add(row)
        whole.add(row)
        if look:
            followed.session()
    assert followed.session() == whole.session()


def test_the_title_is_the_summary_then_the_first_prompt() -> None:
    """A session bears the name its program gave it, else the first thing asked."""
    prompt = said("user", "sort the cart\nplease")
    assert session_of(HEADER, prompt).title == "sort the cart"
    assert session_of(HEADER, prompt, {"$set": {"summary": "Cart order"}}).title == "Cart order"


def test_a_name_given_later_is_no_activity() -> None:
    """The last activity is the newest message, however late a patch came."""
    patch = {"$set": {"summary": "Cart", "lastUpdated": "2026-04-01T00:00:00Z"}}
    assert session_of(HEADER, said("user", "a"), patch).last_activity == "2026-03-02T09:01:00+00:00"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], LastTurn.NONE),
        ([said("user", "a")], LastTurn.WORKING),
        ([said("user", "a"), said("gemini", "Done.")], LastTurn.REPLIED),
        ([said("user", "a"), said("gemini", "Done."), said("warning", "low")], LastTurn.REPLIED),
        ([said("user", "a"), called(tool("read_file"), text="Reading.")], LastTurn.WORKING),
        ([said("user", "a"), called(tool("read_file", status="executing"))], LastTurn.TOOL_OPEN),
        ([said("user", "a"), called(tool("read_file", status="cancelled"))], LastTurn.INTERRUPTED),
        ([said("user", "a"), said("info", "Request cancelled.")], LastTurn.INTERRUPTED),
        ([said("user", "a"), said("error", "[API Error: quota]")], LastTurn.FAILED),
    ],
)
def test_the_last_turn_stands_as_its_last_row_leaves_it(rows: list[Row], expected: LastTurn) -> None:
    """A session without end markers shows whether its last turn runs, is answered, was stopped or failed."""
    assert session_of(HEADER, *rows).last_turn is expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (tool("write_file", file_path="a.py"), (FactKind.EDITED, "a.py", None)),
        (tool("replace", file_path="a.py"), (FactKind.EDITED, "a.py", None)),
        (
            tool("run_shell_command", "Output: 1 failed\nExit Code: 1", command="pytest"),
            (FactKind.RAN, "pytest", FactResult.FAILED),
        ),
        (tool("run_shell_command", "Output: ok", command="pytest"), (FactKind.RAN, "pytest", FactResult.PASSED)),
        (
            tool("run_shell_command", "Exit Code: (none)", command="pytest"),
            (FactKind.RAN, "pytest", FactResult.UNKNOWN),
        ),
        (
            tool("replace", "User did not allow tool call", "cancelled", file_path="a.py"),
            (FactKind.DENIED, "replace", None),
        ),
        (
            tool("ask_user", '{"answers": {"0": "blue"}}', questions=[{"question": "Which color?"}]),
            (FactKind.ANSWERED, "Which color?: blue", None),
        ),
    ],
)
def test_a_tool_call_proves_a_fact(call: Row, expected: tuple[FactKind, str, FactResult | None]) -> None:
    """What tools did is tied to the message it followed."""
    session = session_of(HEADER, said("user", "go"), called(call))
    assert [(fact.kind, fact.text, fact.result) for fact in session.messages[0].facts] == [expected]


def test_a_failed_edit_proves_nothing() -> None:
    """A file that could not be written is not called edited."""
    session = session_of(HEADER, said("user", "go"), called(tool("write_file", status="error", file_path="a.py")))
    assert session.messages[0].facts == ()


def test_a_helpers_file_is_no_persons_session() -> None:
    """A sub-agent's file says so, and what its parent agent told it is no turn."""
    session = session_of({**HEADER, "kind": "subagent"}, said("user", "look around"))
    assert (session.sub_agent, session.user_turns, session.unprompted) == (True, 0, "a sub-agent's file")


def test_the_project_is_found_by_name_or_hash(tmp_path: Path) -> None:
    """A session shows the folder it was about, which its own file does not name."""
    (tmp_path / "projects.json").write_text(json.dumps({"projects": {"/shop": "shop", "/mill": "mill-2"}}))
    digest = hashlib.sha256(b"/mill").hexdigest()
    by_name = tmp_path / "tmp" / "shop" / "chats" / "session-a.json"
    by_hash = tmp_path / "tmp" / digest / "chats" / "session-a.json"
    assert session_of(HEADER, path=str(by_name)).project == "/shop"
    assert session_of(HEADER, path=str(by_hash)).project == "/mill"
    assert session_of({**HEADER, "directories": ["/own"]}, path=str(by_name)).project == "/own"


def test_files_are_found_where_the_environment_says(tmp_path: Path) -> None:
    """Sessions are looked for in the folder that the environment names, helpers' files are not."""
    chats = tmp_path / "moved" / ".gemini" / "tmp" / "shop" / "chats"
    (chats / "5f0a").mkdir(parents=True)
    for name in ("session-a.json", "session-b.jsonl", "5f0a/1.jsonl"):
        (chats / name).touch()
    found = find_files(PLACE, {"GEMINI_CLI_HOME": str(tmp_path / "moved")}, tmp_path)
    assert sorted(path.name for path in found) == ["session-a.json", "session-b.jsonl"]


def test_rows_of_others_are_not_claimed() -> None:
    """A row that any agent could have written places no file."""
    assert not any(claims(row) for row in ({"type": "user", "content": "a", "id": "1"}, {"sessionId": "a"}, {}))


_FIELDS = st.sampled_from(["type", "id", "content", "toolCalls", "$set", "$rewindTo"])


@settings(max_examples=30)
@given(st.lists(st.dictionaries(_FIELDS, _JSON, max_size=4), max_size=6))
def test_odd_rows_are_stepped_over(rows: list[Row]) -> None:
    """A file whose rows have any shape at all still gives a session."""
    typed = [{**row, "type": kind} for row in rows for kind in ("user", "gemini", "info")]
    assert session_of(HEADER, *rows, *typed).session_id == "5f0a"
