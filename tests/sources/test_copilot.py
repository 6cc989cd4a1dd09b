"""Copilot CLI sessions: who speaks, what ends a turn, names beside the events, and what the tools prove."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.messages import FactKind, FactResult, Origin
from service.sources.copilot import PLACE, CopilotReader, claims
from service.sources.formats import find_files
from service.sources.session import LastTurn, Session

Row = dict[str, Any]
CONTEXT = {"cwd": "/shop", "gitRoot": "/shop", "branch": "main"}


def event(kind: str, event_id: str = "", /, **data: object) -> Row:
    return {"type": kind, "id": event_id, "timestamp": "2026-03-02T09:00:00.000Z", "parentId": None, "data": data}


START = event("session.start", sessionId="c1", context=CONTEXT)
RESUMED = event("session.resume", context=CONTEXT)
TURN_END = event("assistant.turn_end", turnId="0")


def user(words: str, event_id: str = "", /, **data: object) -> Row:
    return event("user.message", event_id, content=words, transformedContent=f"<now>\n{words}", **data)


def reply(words: str, *call_ids: str, **data: object) -> Row:
    requests = [{"toolCallId": one, "name": "bash"} for one in call_ids]
    return event("assistant.message", content=words, toolRequests=requests, **data)


def started(name: str, **arguments: object) -> Row:
    return event("tool.execution_start", toolCallId="t1", toolName=name, arguments=arguments)


def completed(content: str = "", *, success: bool = True, **data: object) -> Row:
    return event("tool.execution_complete", toolCallId="t1", success=success, result={"content": content}, **data)


def session_of(*rows: Row, path: Path = Path("c9/events.jsonl")) -> Session:
    reader = CopilotReader(path)
    for one in rows:
        reader.add(one)
    return reader.session()


def test_a_session_is_told_from_its_start() -> None:
    """Id, project and branch come from the first event, words from what was typed and not from what was sent."""
    session = session_of(START, user("sort the cart"), reply("Sorted."))
    assert (session.key, session.project, session.branch) == ("copilot:c1", "/shop", "main")
    assert [message.content for message in session.messages] == ["sort the cart", "Sorted."]


def test_a_session_that_moved_shows_where_it_is() -> None:
    """Project and branch are those of the last change."""
    moved = event("session.context_changed", cwd="/mill", branch="next")
    assert (session_of(START, moved).project, session_of(START, moved).branch) == ("/mill", "next")


def test_a_file_that_lost_its_start_goes_by_its_folder() -> None:
    """Without the first event the id is the folder's name, or the file's in older versions."""
    assert session_of(user("a")).session_id == "c9"
    assert session_of(user("a"), path=Path("session-state/c8.jsonl")).session_id == "c8"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, [Origin.PERSON]),
        ({"source": "user"}, [Origin.PERSON]),
        ({"parentAgentTaskId": "p1"}, [Origin.PERSON]),
        ({"isAutopilotContinuation": True}, [Origin.AUTOMATION]),
        ({"source": "schedule"}, [Origin.AUTOMATION]),
        ({"source": "skill-deploy"}, []),
        ({"agentId": "a1"}, []),
        ({"parentToolCallId": "t1"}, []),
    ],
)
def test_a_user_event_is_judged_by_its_fields(fields: dict[str, object], expected: list[Origin]) -> None:
    """Only what a person typed is a turn; helpers and skill texts are not even messages."""
    assert [message.origin for message in session_of(START, user("go", **fields)).messages] == expected


def test_an_attachment_without_words_is_a_prompt() -> None:
    """A file handed over silently counts as a turn."""
    assert session_of(START, user("", attachments=[{"type": "file"}])).user_turns == 1
    assert session_of(START, user("")).user_turns == 0


def test_what_a_helper_says_is_not_the_agents_reply() -> None:
    """Messages of a sub-agent do not stand in the session."""
    session = session_of(START, user("go"), reply("helper speaking", parentToolCallId="t1"))
    assert len(session.messages) == 1


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], LastTurn.NONE),
        ([user("a")], LastTurn.WORKING),
        ([user("a"), reply("Done.")], LastTurn.REPLIED),
        ([user("a"), reply("Done."), TURN_END], LastTurn.COMPLETED),
        ([user("a"), reply("Looking.", "t1")], LastTurn.TOOL_OPEN),
        ([user("a"), reply("Looking.", "t1"), started("bash"), completed(), TURN_END], LastTurn.WORKING),
        ([user("a"), reply("", "t1"), completed(), TURN_END, reply("Done."), TURN_END], LastTurn.COMPLETED),
        ([user("a"), reply("Looking.", "t1"), event("abort", reason="user")], LastTurn.INTERRUPTED),
        ([user("a"), event("abort"), reply("Half a"), TURN_END], LastTurn.INTERRUPTED),
        ([user("a"), event("session.error", message="quota")], LastTurn.FAILED),
        ([user("a"), reply("Done."), TURN_END, event("session.error")], LastTurn.COMPLETED),
        ([user("a"), reply("Done."), event("session.shutdown", shutdownType="routine")], LastTurn.COMPLETED),
        ([user("a"), event("session.shutdown", shutdownType="routine")], LastTurn.INTERRUPTED),
        ([user("a"), event("session.shutdown", shutdownType="error")], LastTurn.FAILED),
        ([user("a"), event("abort"), user("b")], LastTurn.WORKING),
        # A program that was killed over a call, and the one started after it.
        ([user("a"), reply("", "t1"), started("bash"), RESUMED], LastTurn.WORKING),
        ([user("a"), reply("", "t1"), RESUMED, user("b")], LastTurn.WORKING),
        ([user("a"), reply("", "t1"), RESUMED, user("b"), reply("Done."), TURN_END], LastTurn.COMPLETED),
        ([user("a"), reply("", "t1"), user("b"), reply("Done."), TURN_END], LastTurn.COMPLETED),
        # A result whose row is lost.
        ([user("a"), reply("", "t1"), started("bash"), reply("Done.")], LastTurn.REPLIED),
        ([user("a"), reply("", "t1"), reply("Done."), event("session.shutdown")], LastTurn.COMPLETED),
        ([user("a"), reply("", "t1"), reply("And", "t2"), TURN_END], LastTurn.TOOL_OPEN),
    ],
)
def test_the_last_turn_stands_as_its_events_leave_it(rows: list[Row], expected: LastTurn) -> None:
    """A model call's end is the turn's end only behind a closing text."""
    assert session_of(START, *rows).last_turn is expected


def test_an_event_that_was_written_twice_counts_once() -> None:
    """Repeated at once or late, an event neither doubles a prompt or a reply nor sets the agent to work again."""
    asked, said, ran = user("a", "u1"), reply("Done."), {**started("bash"), "id": "s1"}
    once = [asked, ran, {**completed(), "id": "d1"}, {**said, "id": "r1"}, {**TURN_END, "id": "e1"}]
    twice = [row for row in once for _ in range(2)]
    assert session_of(START, *twice, *once) == session_of(START, *once)


def test_a_rewind_takes_back_the_prompt_and_all_after_it() -> None:
    """Prompts that a person went back before do not count."""
    rows = [user("one", "u1"), reply("1."), user("two", "u2"), reply("2.")]
    session = session_of(START, *rows, event("session.snapshot_rewind", upToEventId="u2"), user("three", "u3"))
    assert [message.content for message in session.messages] == ["one", "1.", "three"]


@pytest.mark.parametrize(
    ("workspace", "expected"),
    [
        ("id: c1\nname: Cart order\nsummary: Sorts carts\n", "Cart order"),
        ('summary: "Sorts \\"carts\\""\n', 'Sorts "carts"'),
        ("name: 'The person''s cart'\n", "The person's cart"),
        ("summary: |-\n  Sorts carts\n  and more\n", "Sorts carts"),
        ("name: null\nother:\n  name: nested\n", "sort the cart"),
        ("\0\n", "sort the cart"),
    ],
)
def test_the_title_is_the_name_beside_the_events(tmp_path: Path, workspace: str, expected: str) -> None:
    """The session's own name goes before its summary, both before the first prompt."""
    (tmp_path / "workspace.yaml").write_text(workspace)
    assert session_of(START, user("sort the cart"), path=tmp_path / "events.jsonl").title == expected


@pytest.mark.parametrize(
    ("made", "answer", "expected"),
    [
        (started("edit", path="a.py"), completed(), (FactKind.EDITED, "a.py", None)),
        (
            started("bash", command="pytest"),
            completed("ok\n<exited with exit code 0>"),
            (FactKind.RAN, "pytest", FactResult.PASSED),
        ),
        (
            started("bash", command="pytest"),
            completed("no\n<exited with exit code 1>"),
            (FactKind.RAN, "pytest", FactResult.FAILED),
        ),
        (started("bash", command="pytest"), completed("started"), (FactKind.RAN, "pytest", FactResult.UNKNOWN)),
        (
            started("bash", command="pytest"),
            completed(success=False, error={"code": "rejected", "message": "Rejected. User feedback: not yet"}),
            (FactKind.DENIED, "bash: not yet", None),
        ),
        (
            started("ask_user", question="Which color?"),
            completed("User responded: blue"),
            (FactKind.ANSWERED, "Which color?: blue", None),
        ),
    ],
)
def test_a_tool_call_proves_a_fact(made: Row, answer: Row, expected: tuple[FactKind, str, FactResult | None]) -> None:
    """What tools did is tied to the message it followed."""
    session = session_of(START, user("go"), made, answer)
    assert [(fact.kind, fact.text, fact.result) for fact in session.messages[0].facts] == [expected]


def test_looking_at_a_file_is_no_edit() -> None:
    """An editor that was only asked to show a file changed nothing."""
    session = session_of(START, user("go"), started("str_replace_editor", command="view", path="a.py"), completed())
    assert session.messages[0].facts == ()


def test_files_are_found_where_the_environment_says(tmp_path: Path) -> None:
    """Sessions of newer and older versions are looked for in the folder that the environment names."""
    folder = tmp_path / "moved" / "session-state"
    (folder / "c1").mkdir(parents=True)
    for name in ("c1/events.jsonl", "c1/workspace.yaml", "c2.jsonl"):
        (folder / name).touch()
    found = find_files(PLACE, {"COPILOT_HOME": str(tmp_path / "moved")}, tmp_path)
    assert sorted(path.name for path in found) == ["c2.jsonl", "events.jsonl"]


def test_rows_of_others_are_not_claimed() -> None:
    """A row that any agent could have written places no file."""
    others: list[Row] = [{"type": "session.start"}, {"type": "user", "data": {}, "id": "1", "timestamp": "x"}, {}]
    assert not any(claims(row) for row in others)


def test_unknown_events_are_counted() -> None:
    """Events of no known family are stepped over and told."""
    reader = CopilotReader(Path("events.jsonl"))
    reader.add(event("novel.event"))
    assert reader.unknown_rows == 1


_SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
_KEY = st.sampled_from(["type", "text", "name", "id", "status", "output"])
_JSON = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEY, inner, max_size=3), max_leaves=6
)
_KINDS = st.sampled_from(
    ["user.message", "assistant.message", "tool.execution_start", "tool.execution_complete", "session.start"]
)
_KEYS = st.sampled_from(["content", "toolRequests", "context", "toolCallId", "arguments", "result", "error", "source"])


@settings(max_examples=30)
@given(st.lists(st.tuples(_KINDS, st.dictionaries(_KEYS, _JSON, max_size=4) | _JSON), max_size=6))
def test_odd_events_are_stepped_over(events: list[tuple[str, Any]]) -> None:
    """A file whose events have any shape at all still gives a session."""
    rows = [{**event(kind), "data": data} for kind, data in events]
    assert session_of(START, *rows).session_id == "c1"
