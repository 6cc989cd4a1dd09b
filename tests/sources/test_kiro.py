"""Kiro's rows and the file beside them: who spoke, what was cut, how turns ended, and what the tools prove."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.messages import FactKind, FactResult, Origin
from service.sources.formats import find_files, read_file
from service.sources.kiro import PLACE, KiroReader, claims
from service.sources.session import LastTurn, Session

Row = dict[str, Any]


def row(kind: str, message_id: str = "", **data: Any) -> Row:
    return {"version": "v1", "kind": kind, "data": {"message_id": message_id, **data}}


def prompt(words: str, message_id: str = "", at: object = 1_700_000_000) -> Row:
    return row("Prompt", message_id, content=[text(words)], meta={"timestamp": at})


def text(words: str) -> Row:
    return {"kind": "text", "data": words}


def reply(words: str, message_id: str = "", *uses: Row) -> Row:
    return row("AssistantMessage", message_id, content=[text(words), *uses])


def use(name: str, **given: Any) -> Row:
    return {"kind": "toolUse", "data": {"toolUseId": "t1", "name": name, "input": given}}


def results(*blocks: Row, message_id: str = "") -> Row:
    return row("ToolResults", message_id, content=list(blocks), results=[])


def result(*content: Row, status: str = "success") -> Row:
    return {"kind": "toolResult", "data": {"toolUseId": "t1", "content": list(content), "status": status}}


def exited(status: str) -> Row:
    return {"kind": "json", "data": {"exit_status": status, "stdout": "1 failed", "stderr": ""}}


def session_of(*rows: Mapping[str, Any], path: Path = Path("nowhere/k1.jsonl")) -> Session:
    reader = KiroReader(path)
    for one in rows:
        reader.add(one)
    return reader.session()


def prompts(*rows: Mapping[str, Any]) -> list[str]:
    return [message.content for message in session_of(*rows).messages if message.by_person]


def facts(*rows: Mapping[str, Any]) -> list[tuple[FactKind, str, FactResult | None]]:
    messages = session_of(prompt("go"), *rows).messages
    return [(fact.kind, fact.text, fact.result) for message in messages for fact in message.facts]


def steer(words: str, number: int = 1) -> str:
    return f'<user_message id="steer-{number}">\n{words}\n</user_message>'


STEERING = "[LIVE STEERING - New message from user]\n"


# Who speaks


def test_prompts_and_replies_are_read_and_thinking_is_not() -> None:
    """A person sees what was asked and answered, not what the agent thought."""
    thinking = {"kind": "thinking", "data": {"text": "hm"}}
    session = session_of(prompt("sort the cart"), row("AssistantMessage", content=[thinking, text("Sorted.")]))
    assert [(one.role, one.content) for one in session.messages] == [
        ("user", "sort the cart"),
        ("assistant", "Sorted."),
    ]


def test_a_picture_without_words_is_a_prompt() -> None:
    """A screenshot alone is something a person asked."""
    assert prompts(row("Prompt", content=[{"kind": "image", "data": {}}])) == ["[picture without words]"]


def test_steering_is_a_prompt_of_its_own() -> None:
    """What was typed while the agent worked counts, each message once, in its place."""
    block = text(STEERING + steer("use pnpm") + "\n" + steer("and skip the docs", 2))
    rows = [prompt("build it"), reply("", "a1", use("shell", command="ls")), results(result(), block), reply("Done.")]
    assert [one.content for one in session_of(*rows).messages] == ["build it", "use pnpm", "and skip the docs", "Done."]


def test_steering_behind_a_tools_output_counts_and_output_that_looks_like_it_does_not() -> None:
    """A message delivered as a block of a result is a person's; a file that begins like one is what a tool read."""
    steering = text(STEERING + steer("use pnpm"))
    assert prompts(results(result(text("ok"), steering))) == ["use pnpm"]
    assert prompts(results(result(steering))) == []


def test_steering_without_tags_is_taken_whole() -> None:
    """Words behind the marker are not lost for want of a tag."""
    assert prompts(results(text(STEERING + "use pnpm"))) == ["use pnpm"]


def test_a_tool_that_prints_the_marker_steers_nobody() -> None:
    """Output that quotes the marker is output."""
    assert prompts(results(result(text("see:\n" + STEERING + steer("x"))))) == []


def test_automation_is_kept_and_not_counted() -> None:
    """A scheduled message is shown as a program's."""
    session = session_of(prompt("[cron notification] nightly build"))
    assert [one.origin for one in session.messages] == [Origin.AUTOMATION]
    assert session.unprompted == "only programs spoke"


def test_a_message_that_stands_twice_counts_once() -> None:
    """A row written again under the same id adds nothing; the same words under another id do."""
    assert prompts(prompt("again", "p1"), prompt("again", "p1"), prompt("again", "p2")) == ["again", "again"]


def test_a_cancelled_prompt_was_said() -> None:
    """A prompt that was sent and then stopped is a turn, and an interrupted one."""
    rows = [row("CancelledPrompt", "p1", content=[text("drop the table")])]
    assert prompts(*rows) == ["drop the table"]
    assert session_of(*rows).last_turn is LastTurn.INTERRUPTED


@pytest.mark.parametrize("message_id", ["p1", "p2", ""])
def test_a_cancelled_prompt_that_follows_its_own_row_counts_once(message_id: str) -> None:
    """The row that tells of the stop does not double the prompt."""
    rows = [prompt("drop the table", "p1"), row("CancelledPrompt", message_id, content=[text("drop the table")])]
    assert prompts(*rows) == ["drop the table"]


# What is cut


def test_a_compaction_snapshot_is_no_new_message() -> None:
    """Neither the summary nor the copied messages appear beside what they sum up."""
    compaction = row("Compaction", summary="so far", messages_snapshot=[{"role": "user", "content": [text("copy")]}])
    assert [one.content for one in session_of(prompt("one"), compaction).messages] == ["one"]


def test_a_compaction_that_comes_first_is_shown_as_the_agents() -> None:
    """Where nothing else tells of the first half, its summary does, as no prompt and no title."""
    session = session_of(row("Compaction", summary="so far"), prompt("go on"))
    assert session.messages[0].origin is Origin.ASSISTANT
    assert session.messages[0].content.endswith("so far")
    assert (session.user_turns, session.title) == (1, "go on")


def test_a_clear_begins_anew() -> None:
    """What was cleared is not part of the conversation any more."""
    assert prompts(prompt("one"), reply("a"), row("Clear"), prompt("two")) == ["two"]


def test_a_cleared_session_says_so() -> None:
    """A session that ends with a clear is told apart from one that was never used."""
    session = session_of(prompt("one"), row("Clear"))
    assert (session.messages, session.unprompted, session.last_turn) == ((), "cleared by the person", LastTurn.NONE)


@pytest.mark.parametrize(
    ("target", "left"), [("p2", ["one", "a"]), ("a1", ["one", "a"]), ("p1", []), ("unknown", ["one", "a", "two", "b"])]
)
def test_a_reset_takes_back_what_came_after(target: str, left: list[str]) -> None:
    """Going back to a prompt takes it back too; going back to a reply keeps the reply."""
    rows = [prompt("one", "p1"), reply("a", "a1"), prompt("two", "p2"), reply("b", "a2")]
    messages = session_of(*rows, row("ResetTo", target_id=target)).messages
    assert [one.content for one in messages] == left


def test_a_conversation_goes_on_after_a_reset() -> None:
    """What is said after going back counts, and may be taken back in turn."""
    rows = [prompt("one", "p1"), reply("a", "a1"), prompt("two", "p2"), row("ResetTo", to="a1"), prompt("three", "p3")]
    assert prompts(*rows) == ["one", "three"]
    assert prompts(*rows, reply("c", "a3"), row("ResetTo", to="p3")) == ["one"]


# The end of a turn


@pytest.mark.parametrize(
    ("rows", "last_turn"),
    [
        ([], LastTurn.NONE),
        ([prompt("one")], LastTurn.WORKING),
        ([prompt("one"), reply("", "a", use("shell", command="ls"))], LastTurn.TOOL_OPEN),
        ([prompt("one"), reply("", "a", use("shell", command="ls")), results(result())], LastTurn.WORKING),
        ([prompt("one"), reply("Done.")], LastTurn.REPLIED),
        # The row of the results is lost.
        ([prompt("one"), reply("", "a", use("shell", command="ls")), reply("Done.")], LastTurn.REPLIED),
        (
            [prompt("one"), reply("", "a", use("shell")), reply("More.", "b", use("shell", command="ls"))],
            LastTurn.TOOL_OPEN,
        ),
        ([prompt("one"), reply("Response was interrupted by the user")], LastTurn.INTERRUPTED),
        (
            [prompt("one"), reply("Tool uses were interrupted, waiting for the next user prompt")],
            LastTurn.INTERRUPTED,
        ),
    ],
)
def test_rows_alone_tell_how_the_last_turn_stands(rows: list[Row], last_turn: LastTurn) -> None:
    """Without the file beside them, a reply that stands last is complete once it stays quiet."""
    assert session_of(*rows).last_turn is last_turn


def test_notices_are_no_replies() -> None:
    """The program's words about a stop are not shown as the agent's."""
    session = session_of(prompt("one"), reply("Response was interrupted by the user."))
    assert [one.role for one in session.messages] == ["user"]


def beside(folder: Path, turns: object, **fields: object) -> Path:
    state = {"conversation_metadata": {"user_turn_metadatas": turns}}
    value = {"session_id": "k-1", "cwd": "/shop", "title": "Sort it", "session_state": state, **fields}
    (folder / "k1.json").write_text(json.dumps(value))
    return folder / "k1.jsonl"


@pytest.mark.parametrize(
    ("reason", "last_turn"),
    [
        ("UserTurnEnd", LastTurn.COMPLETED),
        ({"Error": "throttled"}, LastTurn.FAILED),
        ("Cancelled", LastTurn.INTERRUPTED),
        ("SomethingElse", LastTurn.REPLIED),
        (None, LastTurn.REPLIED),
    ],
)
def test_the_file_beside_tells_how_a_turn_ended(tmp_path: Path, reason: object, last_turn: LastTurn) -> None:
    """The end of the turn that the last message belongs to is the end of the session's last turn."""
    path = beside(tmp_path, [{"message_ids": ["p1", None, "a1"], "end_reason": reason}])
    assert session_of(prompt("one", "p1"), reply("Done.", "a1"), path=path).last_turn is last_turn


def test_an_earlier_turns_end_is_not_the_last_ones(tmp_path: Path) -> None:
    """A turn that runs is not over because the one before it is."""
    path = beside(tmp_path, [{"message_ids": ["p1", "a1"], "end_reason": "UserTurnEnd"}])
    rows = [prompt("one", "p1"), reply("Done.", "a1"), prompt("two", "p2")]
    assert session_of(*rows, path=path).last_turn is LastTurn.WORKING


def test_the_file_beside_names_the_session(tmp_path: Path) -> None:
    """Id, title, folder and the time of the last turn's end come from it."""
    path = beside(tmp_path, [{"message_ids": [], "end_timestamp": "2030-01-01T00:00:00Z"}])
    session = session_of(prompt("one"), path=path)
    assert (session.key, session.title, session.project) == ("kiro:k-1", "Sort it", "/shop")
    assert session.last_activity == "2030-01-01T00:00:00+00:00"


def test_without_the_file_beside_the_rows_name_the_session() -> None:
    """File name and first prompt do, and prompts alone have times."""
    session = session_of(
        prompt("sort\nplease", at=1_700_000_060.5), prompt("x", at=1_700_000_000), prompt("y", at=True)
    )
    assert (session.key, session.title) == ("kiro:k1", "sort")
    assert session.last_activity == "2023-11-14T22:14:20.500000+00:00"
    assert [one.ts for one in session.messages] == ["1700000060.5", "1700000000", None]


@pytest.mark.parametrize(
    "content", ["", "[1]", '{"session_state": {"conversation_metadata": [1]}}', '{"title": 7', "\ud83d"]
)
def test_a_broken_file_beside_says_nothing(tmp_path: Path, content: str) -> None:
    """A torn or odd one does not stop the reading."""
    (tmp_path / "k1.json").write_bytes(content.encode("utf-8", "surrogatepass"))
    assert session_of(prompt("one"), path=tmp_path / "k1.jsonl").key == "kiro:k1"


def test_a_sub_agents_session_is_no_persons(tmp_path: Path) -> None:
    """What its parent agent told it is not counted."""
    session = session_of(prompt("one"), path=beside(tmp_path, [], session_created_reason="subagent"))
    assert (session.sub_agent, session.user_turns, session.unprompted) == (True, 0, "a sub-agent's file")


# What the tools prove


@pytest.mark.parametrize(
    ("status", "proven"),
    [("exit status: 0", FactResult.PASSED), ("1", FactResult.FAILED), ("signal", FactResult.UNKNOWN)],
)
def test_a_command_is_judged_by_its_exit_status(status: str, proven: FactResult) -> None:
    """The tool's own success says only that the command ran."""
    rows = [reply("", "a", use("shell", command="pytest -q")), results(result(exited(status)))]
    assert facts(*rows) == [(FactKind.RAN, "pytest -q", proven)]


def test_a_written_file_is_a_fact_and_a_failed_write_is_none() -> None:
    """Only what was changed is said to be."""
    call = reply("", "a", use("fs_write", command="create", path="/shop/cart.py"))
    assert facts(call, results(result(text("ok")))) == [(FactKind.EDITED, "/shop/cart.py", None)]
    assert facts(call, results(result(text("no"), status="error"))) == []


def test_a_refusal_carries_its_reason_and_is_no_turn() -> None:
    """What the person said when they denied a tool is a decision."""
    refusal = result(text("User denied tool execution. Feedback: not on main"), status="error")
    assert facts(reply("", "a", use("shell", command="git push")), results(refusal)) == [
        (FactKind.DENIED, "shell: not on main", None)
    ]


# Files and hostile rows


def test_rows_are_claimed_and_others_are_not() -> None:
    """A row of another agent is left to it."""
    assert claims(prompt("one"))
    assert not claims({"kind": "Prompt", "data": {}})
    assert not claims({"version": "v1", "kind": ["Prompt"], "data": {}})


def test_a_file_with_a_corrupt_line_is_read_to_its_end(tmp_path: Path) -> None:
    """The broken line is counted and nothing else is lost."""
    path = tmp_path / "k1.jsonl"
    path.write_text("\n".join([json.dumps(prompt("one")), "corrupt", json.dumps(reply("Done.")), ""]))
    found = read_file(path)
    assert (found.format, found.counts.broken) == ("kiro", 1)
    assert found.session is not None
    assert found.session.last_turn is LastTurn.REPLIED


def test_sessions_are_found_where_kiro_keeps_them(tmp_path: Path) -> None:
    """In the home folder, or where the environment says."""
    for root in (tmp_path / ".kiro", tmp_path / "moved"):
        (root / "sessions" / "cli").mkdir(parents=True)
        (root / "sessions" / "cli" / "k1.jsonl").write_text("")
    assert list(find_files(PLACE, {}, tmp_path)) == [tmp_path / ".kiro/sessions/cli/k1.jsonl"]
    moved = {"KIRO_HOME": str(tmp_path / "moved")}
    assert list(find_files(PLACE, moved, tmp_path)) == [tmp_path / "moved/sessions/cli/k1.jsonl"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just(float("nan")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "message_id",
                    "content",
                    "kind",
                    "data",
                    "meta",
                    "timestamp",
                    "toolUseId",
                    "name",
                    "input",
                    "status",
                    "summary",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
kinds = st.sampled_from(
    ["Prompt", "AssistantMessage", "ToolResults", "Compaction", "Clear", "ResetTo", "CancelledPrompt", "New"]
)


@settings(max_examples=60)
@given(st.lists(st.fixed_dictionaries({"version": st.just("v1"), "kind": kinds, "data": json_values}), max_size=8))
def test_no_row_of_an_odd_shape_is_an_error(rows: list[Row]) -> None:
    """Whatever a row holds, the session can be told."""
    session_of(*rows)
