"""Codex rollouts of every version: prompts, forks, sub-agents, ends of turns, and what the tools prove."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from service.domain.messages import FactKind, FactResult, Origin
from service.sources.codex import CodexReader, claims
from service.sources.session import LastTurn, Session

Row = dict[str, Any]

OWN_ID = "019a0000-0000-7000-8000-000000000001"
OLD_TURN = "01990000-0000-7000-8000-000000000002"
OWN_TURN = "019a0000-1000-7000-8000-000000000003"
BIRTH = "2026-03-02T09:00:00.000Z"
LATER = "2026-03-02T09:05:00.000Z"


def row(kind: str, at: str | None = BIRTH, /, **payload: Any) -> Row:
    return {"timestamp": at, "type": kind, "payload": payload}


def header(**fields: Any) -> Row:
    return row("session_meta", **{"id": OWN_ID, "cwd": "/shop", "timestamp": BIRTH, "source": "cli", **fields})


def event(kind: str, at: str | None = BIRTH, /, **payload: Any) -> Row:
    return row("event_msg", at, type=kind, **payload)


def prompt(words: str, at: str = BIRTH, **fields: object) -> Row:
    return event("user_message", at, message=words, **fields)


def item_prompt(words: str, item_id: str, block: str = "text") -> Row:
    return event(
        "item_completed", item={"type": "UserMessage", "id": item_id, "content": [{"type": block, "text": words}]}
    )


def item(kind: str, **payload: Any) -> Row:
    return row("response_item", type=kind, **payload)


def user_item(*words: str) -> Row:
    return item("message", role="user", content=[{"type": "input_text", "text": one} for one in words])


def reply(words: str, **fields: object) -> Row:
    return item("message", role="assistant", content=[{"type": "output_text", "text": words}], **fields)


def call(name: str = "shell_command", **arguments: object) -> Row:
    return item("function_call", name=name, arguments=json.dumps(arguments), call_id="c1")


def output(value: object) -> Row:
    return item("function_call_output", call_id="c1", output=value)


STARTED, ERROR, FINAL = event("task_started"), event("error", message="quota"), reply("done", phase="final_answer")


def session_of(*rows: Mapping[str, Any], name: str = "rollout.jsonl") -> Session:
    reader = CodexReader(Path(name))
    for one in rows:
        reader.add(one)
    return reader.session()


def prompts(*rows: Mapping[str, Any]) -> list[str]:
    return [message.content for message in session_of(*rows).messages if message.by_person]


def facts(*rows: Mapping[str, Any]) -> list[tuple[FactKind, str, FactResult | None]]:
    session = session_of(header(), prompt("go"), *rows)
    return [(fact.kind, fact.text, fact.result) for message in session.messages for fact in message.facts]


# Prompts


def test_prompts_come_from_events_and_not_twice_from_items() -> None:
    """A prompt stands in an item and in an event, and is one turn; context items are none."""
    rows = [
        header(),
        user_item("<environment_context>x</environment_context>"),
        user_item("sort"),
        prompt("sort"),
        prompt("sort"),
    ]
    assert prompts(*rows) == ["sort", "sort"]


def test_prompts_of_newer_versions_are_found_by_item() -> None:
    """A file resumed by a newer version has both kinds of event; one turn may hold two prompts, an id counts once."""
    rows = [
        header(),
        prompt("one"),
        reply("a"),
        item_prompt("two", "i1"),
        item_prompt("two", "i1"),
        item_prompt("too", "i2", "Text"),
    ]
    assert prompts(*rows) == ["one", "two", "too"]


def test_both_events_for_one_prompt_are_one_turn() -> None:
    """A version that writes either kind of event does not double the turns."""
    assert prompts(header(), prompt("sort"), item_prompt("sort", "i1")) == ["sort"]


@pytest.mark.parametrize(
    "start",
    [
        "<environment_context>",
        "# AGENTS.md instructions for /shop",
        "<user_instructions>",
        "<INSTRUCTIONS>",
        "<turn_aborted>",
        "<user_shell_command>",
        "<user_action>",
        "<skill>",
        "<model_switch>",
        "<recommended_plugins>",
        "Another language model started to solve this problem",
    ],
)
def test_context_items_are_no_prompts(start: str) -> None:
    """Without any event, items count block by block, without what a program put in."""
    assert prompts(header(), user_item(start + "\nx"), user_item(start, "sort the imports")) == ["sort the imports"]


def test_developer_items_are_no_prompts() -> None:
    """What a program tells the agent under its own role is nobody's word."""
    assert session_of(header(), item("message", role="developer", content="be brief")).messages == ()


def test_events_of_another_kind_than_plain_are_no_prompts() -> None:
    """An event that says it shows instructions or surroundings is nobody's word."""
    assert prompts(header(), prompt("be brief", kind="user_instructions"), prompt("sort", kind="plain")) == ["sort"]


def test_a_notification_is_automation() -> None:
    """A sub-agent's notice or a heartbeat starts work without being a turn."""
    [first, second] = session_of(
        header(),
        prompt("<heartbeat>x</heartbeat>"),
        prompt("<subagent_notification>x</subagent_notification>"),
    ).messages
    assert (first.origin, second.origin) == (Origin.AUTOMATION, Origin.AUTOMATION)


def test_a_person_may_quote_a_marker() -> None:
    """A prompt that only begins with a marker's word is still typed."""
    assert prompts(header(), prompt("<skill> tags: what are they?")) == ["<skill> tags: what are they?"]


@pytest.mark.parametrize("line", ["## My request for Codex:", "## My request:"])
@pytest.mark.parametrize(
    "wrapper", ["# Context from my IDE setup:", "# Files mentioned by the user:", "<in-app-browser-context url='x'>"]
)
def test_what_a_client_wrapped_around_a_prompt_comes_off(wrapper: str, line: str) -> None:
    """Editor context is not the person's words; a wrapper without a request is no prompt."""
    wrapped = f"{wrapper}\n## Active file: cart.py\n\n{line}\nsort it <image name=x></image>"
    assert prompts(header(), prompt(wrapped), prompt(f"{wrapper}\n## Open tabs: cart.py")) == ["sort it"]
    assert prompts(header(), prompt(wrapped.replace("\n", "\r\n"))) == ["sort it"]


def test_a_custom_prompt_is_the_words_in_its_fence() -> None:
    """Of a template's long text only what the person typed counts; run without words it still is a turn."""
    template = "## User Input\n\n```text\n{}\n```\n\nYou MUST consider the user input.\n"
    first, second = prompts(header(), prompt("\n" + template.format("plan the cart")), prompt(template.format("")))
    assert first == "plan the cart"
    assert second.startswith("[custom prompt run without words")


def test_a_picture_without_words_is_a_prompt() -> None:
    """A pasted picture counts as a turn, an empty event does not."""
    assert prompts(header(), prompt("", images=["data:x"]), prompt(" ")) == ["[picture without words]"]


def test_rollouts_without_envelopes_are_read() -> None:
    """A rollout of 2025 with bare rows gives its prompts, replies and place in time."""
    session = session_of(
        {"id": "old", "timestamp": BIRTH, "instructions": None, "git": {"branch": "main"}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "<environment_context>x"}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "sort"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
    )
    assert [message.content for message in session.messages] == ["sort", "done"]
    assert (session.session_id, session.branch, session.last_turn) == ("old", "main", LastTurn.REPLIED)


def test_a_reply_in_an_event_and_in_an_item_is_one_message() -> None:
    """Whichever comes first, the other adds nothing; a reply in an event alone is kept."""
    session = session_of(
        header(),
        prompt("go"),
        event("agent_message", message="a"),
        reply("a"),
        reply("b"),
        event("agent_message", message="c"),
    )
    assert [message.content for message in session.messages] == ["go", "a", "b", "c"]


def test_a_reply_that_only_the_end_marker_tells_of_is_kept() -> None:
    """The closing words stand in the marker as well, and are told from there where no other row has them."""
    end = event("task_complete", last_agent_message="done")
    told = [
        message.content for message in session_of(header(), prompt("go"), end, prompt("more"), reply("a"), end).messages
    ]
    assert told == ["go", "done", "more", "a"]


def test_turns_rolled_back_do_not_count() -> None:
    """Prompts the person took back are gone with everything after them."""
    rows = [
        prompt("one"),
        reply("a"),
        prompt("two"),
        reply("b"),
        prompt("three"),
        event("thread_rolled_back", num_turns=2),
    ]
    assert [message.content for message in session_of(header(), *rows, prompt("anew")).messages] == ["one", "a", "anew"]


def test_a_turn_rolled_back_goes_with_its_steers() -> None:
    """Going back one turn takes every prompt of it along, the one typed while the agent worked too."""
    rows = [
        event("task_started"),
        prompt("one"),
        event("task_complete"),
        event("task_started"),
        prompt("two"),
        prompt("and hurry"),
        event("task_complete"),
        event("thread_rolled_back", num_turns=1),
    ]
    assert prompts(header(), *rows) == ["one"]


@pytest.mark.parametrize("nothing", ["\u200b", "\u2060\ufeff\n", "\u3164"])
def test_a_message_of_nothing_visible_is_no_turn(nothing: str) -> None:
    """Zero-width characters alone are nobody's words; a picture beside them is a prompt without words."""
    session = session_of(header(), prompt(nothing), item_prompt(nothing, "i1"), prompt(nothing, images=["data:x"]))
    assert [message.content for message in session.messages] == ["[picture without words]"]
    assert session_of(header(), user_item(nothing)).messages == ()


# What a session is


@pytest.mark.parametrize(
    "fields", [{"source": {"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}}, {"thread_source": "subagent"}]
)
def test_a_sub_agents_rollout_is_no_persons_session(fields: Row) -> None:
    """In a sub-agent's file the parent agent speaks, and the session says so."""
    session = session_of(header(**fields), prompt("review this"), reply("fine"))
    assert (session.sub_agent, session.user_turns, session.unprompted) == (True, 0, "a sub-agent's file")
    assert session.messages[0].origin is Origin.AUTOMATION


def test_only_the_first_header_names_the_session() -> None:
    """A header repeated by a resume or a fork changes neither id nor branch; the folder follows the turns."""
    session = session_of(
        header(git={"branch": "main"}), header(id="parent", git={"branch": "old"}), row("turn_context", cwd="/shop/web")
    )
    assert (session.session_id, session.branch, session.project) == (OWN_ID, "main", "/shop/web")


def test_a_rollout_with_a_header_alone_says_so() -> None:
    """A session that was opened and never used is listed as such."""
    assert session_of(header()).unprompted == "opened, never used"


def test_a_forks_copied_rows_are_not_its_own() -> None:
    """Turns of the parent, told by their older turn ids, are not counted again."""
    session = session_of(
        header(forked_from_id="p"),
        header(id="p"),
        event("task_started", turn_id=OLD_TURN),
        prompt("the parent's"),
        reply("the parent's reply"),
        event("task_complete", turn_id=OLD_TURN),
        event("task_started", LATER, turn_id=OWN_TURN),
        prompt("my own", LATER),
    )
    assert [message.content for message in session.messages] == ["my own"]
    assert session.last_turn is LastTurn.WORKING


def test_a_forks_first_prompt_may_stand_before_its_turn_id() -> None:
    """A prompt typed after the copying counts although only the next row shows that it is the fork's own."""
    rows = [
        header(forked_from_id="p"),
        row("turn_context", turn_id=OLD_TURN),
        prompt("the parent's"),
        prompt("my own", LATER),
        row("turn_context", LATER, turn_id=OWN_TURN),
    ]
    assert prompts(*rows) == ["my own"]


def test_every_prompt_of_a_fork_before_its_turn_id_counts() -> None:
    """However many prompts were typed before a row shows the fork's own turn, none is lost and none is the parent's."""
    rows = [
        header(forked_from_id="p"),
        row("turn_context", turn_id=OLD_TURN),
        prompt("the parent's"),
        prompt("one", LATER),
        prompt("two", LATER),
        prompt("three", LATER),
        row("turn_context", LATER, turn_id=OWN_TURN),
        prompt("four", LATER),
    ]
    assert prompts(*rows) == ["one", "two", "three", "four"]


def test_what_was_copied_late_is_still_the_parents() -> None:
    """Copying that takes longer than a second makes no prompt of the parent's the fork's own."""
    rows = [
        header(forked_from_id="p"),
        event("task_started", turn_id=OLD_TURN),
        prompt("the parent's", LATER),
        event("task_complete", LATER, turn_id=OLD_TURN),
        prompt("my own", LATER),
        row("turn_context", LATER, turn_id=OWN_TURN),
    ]
    assert prompts(*rows) == ["my own"]


def test_a_forks_first_prompt_is_found_among_items_too() -> None:
    """Where no event tells of prompts, the item before the fork's own turn id counts."""
    own = {**user_item("my own"), "timestamp": LATER}
    rows = [
        header(forked_from_id="p"),
        row("turn_context", turn_id=OLD_TURN),
        user_item("the parent's"),
        own,
        row("turn_context", LATER, turn_id=OWN_TURN),
    ]
    assert prompts(*rows) == ["my own"]


def test_both_events_for_a_forks_first_prompt_are_one_turn() -> None:
    """A prompt that was held back is not told again by the newer kind of event."""
    rows = [
        header(forked_from_id="p"),
        event("task_started", turn_id=OLD_TURN),
        prompt("my own", LATER),
        event("task_started", LATER, turn_id=OWN_TURN),
        item_prompt("my own", "i1"),
    ]
    assert prompts(*rows) == ["my own"]


def test_a_forks_prompts_can_be_taken_back() -> None:
    """A prompt typed before the fork's own turn id is one of the turns that a person can go back over."""
    rows = [
        header(forked_from_id="p"),
        row("turn_context", turn_id=OLD_TURN),
        prompt("wrong", LATER),
        row("turn_context", LATER, turn_id=OWN_TURN),
        event("thread_rolled_back", LATER, num_turns=1),
        prompt("right", LATER),
    ]
    assert prompts(*rows) == ["right"]


def test_a_fork_without_turn_ids_begins_at_its_repeated_header_or_a_second_later() -> None:
    """Older forks are told apart by the repeated own header, else by time."""
    start = [header(forked_from_id="p"), prompt("the parent's")]
    assert prompts(*start, header(), prompt("my own")) == ["my own"]
    assert prompts(*start, prompt("my own", LATER)) == ["my own"]


# How the last turn stands


@pytest.mark.parametrize(
    ("rows", "stands"),
    [
        ([], LastTurn.NONE),
        ([event("task_started")], LastTurn.WORKING),
        ([prompt("go")], LastTurn.WORKING),
        ([prompt("go"), call(command="ls")], LastTurn.TOOL_OPEN),
        ([prompt("go"), call(command="ls"), output("x")], LastTurn.WORKING),
        ([prompt("go"), reply("looking", phase="commentary")], LastTurn.WORKING),
        ([prompt("go"), reply("done", phase="final_answer")], LastTurn.REPLIED),
        ([prompt("go"), event("agent_message", message="done")], LastTurn.REPLIED),
        ([prompt("go"), reply("done"), event("task_complete")], LastTurn.COMPLETED),
        ([prompt("go"), event("task_complete"), event("agent_message", message="done")], LastTurn.COMPLETED),
        ([prompt("go"), event("turn_aborted", reason="interrupted")], LastTurn.INTERRUPTED),
        ([prompt("go"), event("error", message="quota"), event("task_complete")], LastTurn.FAILED),
        ([prompt("go"), reply("done"), event("task_complete"), prompt("more")], LastTurn.WORKING),
        # A turn that was killed over a call, and the next one.
        ([STARTED, prompt("go"), call(), STARTED, prompt("more")], LastTurn.WORKING),
        ([STARTED, prompt("go"), call(), STARTED, prompt("more"), FINAL], LastTurn.REPLIED),
        ([prompt("go"), call(), prompt("more")], LastTurn.WORKING),
        ([STARTED, prompt("go"), call(), prompt("and tests")], LastTurn.TOOL_OPEN),
        # An output whose row is lost.
        ([prompt("go"), call(), reply("done")], LastTurn.REPLIED),
        ([STARTED, prompt("go"), call(), FINAL], LastTurn.REPLIED),
        ([STARTED, prompt("go"), call(), reply("looking")], LastTurn.TOOL_OPEN),
        ([prompt("go"), reply("looking"), call(), event("agent_message", message="looking")], LastTurn.TOOL_OPEN),
        # Where turns are marked, only the last words end one before its marker.
        ([STARTED, prompt("go"), reply("looking")], LastTurn.WORKING),
        ([STARTED, prompt("go"), event("agent_message", message="looking")], LastTurn.WORKING),
        ([STARTED, prompt("go"), event("agent_message", message="done"), FINAL], LastTurn.REPLIED),
        ([STARTED, prompt("go"), FINAL, event("agent_message", message="done")], LastTurn.REPLIED),
        ([STARTED, prompt("go"), reply("done"), event("task_complete")], LastTurn.COMPLETED),
        # An error that the agent got over, and one that it did not.
        ([STARTED, prompt("go"), ERROR, FINAL, event("task_complete")], LastTurn.COMPLETED),
        ([STARTED, prompt("go"), ERROR, reply("done"), event("task_complete")], LastTurn.COMPLETED),
        ([prompt("go"), ERROR, reply("done")], LastTurn.REPLIED),
        ([STARTED, prompt("go"), reply("half"), ERROR, event("task_complete")], LastTurn.FAILED),
        ([prompt("go"), reply("half"), ERROR, event("agent_message", message="half")], LastTurn.FAILED),
        ([STARTED, prompt("go"), ERROR, reply("again", phase="commentary"), event("task_complete")], LastTurn.FAILED),
    ],
)
def test_the_last_turn_stands_as_its_rows_say(rows: list[Row], stands: LastTurn) -> None:
    """Running, replied, completed, interrupted and failed turns are told apart in every version."""
    assert session_of(header(), *rows).last_turn is stands


# Facts


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        ("Exit code: 0\nWall time: 1 seconds\nOutput:\n3 passed", FactResult.PASSED),
        ("Chunk ID: a\nProcess exited with code 1\nOutput:\n1 failed", FactResult.FAILED),
        ('{"output":"3 passed","metadata":{"exit_code":0}}', FactResult.PASSED),
        ({"content": "3 passed", "success": True}, FactResult.PASSED),
        ("Process running with session ID 4", FactResult.UNKNOWN),
        (None, FactResult.UNKNOWN),
    ],
)
def test_a_test_run_is_told_with_its_exit_code(value: object, outcome: FactResult) -> None:
    """Outputs of every version tell whether the tests passed; a run that goes on is unknown."""
    [(kind, _, found)] = facts(call(command="pytest -q"), output(value))
    assert (kind, found) == (FactKind.RAN, outcome)


@pytest.mark.parametrize(
    "started",
    [
        call("shell", command=["bash", "-lc", "pytest -q"]),
        call("exec_command", cmd="pytest -q"),
        call("shell", command=["pytest", "-q"]),
        item("local_shell_call", call_id="c1", action={"type": "exec", "command": ["zsh", "-lc", "pytest -q"]}),
    ],
)
def test_a_command_is_known_however_it_was_started(started: Row) -> None:
    """Every version's way to start a shell leads to the same fact."""
    [(kind, words, _)] = facts(started, output("Exit code: 0"))
    assert kind is FactKind.RAN
    assert "pytest" in words


PATCH = "*** Begin Patch\n*** Update File: cart.py\n@@\n-a\n+b\n*** Add File: tax.py\n+c\n*** End Patch"


@pytest.mark.parametrize(
    "started",
    [
        item("custom_tool_call", call_id="c1", name="apply_patch", input=PATCH),
        call("apply_patch", input=PATCH),
        call("shell", command=["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF"]),
    ],
)
def test_a_patch_that_was_applied_names_its_files(started: Row) -> None:
    """Every file of a patch is told once it was applied, and none of one that failed."""
    done = facts(started, output('{"output":"Success. Updated","metadata":{"exit_code":0}}'))
    assert [(kind, path) for kind, path, _ in done] == [(FactKind.EDITED, "cart.py"), (FactKind.EDITED, "tax.py")]
    assert facts(started, output("Exit code: 1\nverification failed")) == []


def test_a_rejected_command_is_a_refusal() -> None:
    """A command the person did not allow is told as refused, not as run."""
    [(kind, _, _)] = facts(call(command="pytest"), output("exec command rejected by user"))
    assert kind is FactKind.DENIED


def test_an_answer_to_a_question_is_told() -> None:
    """A choice made in a dialog is a fact with question and answer."""
    asked = call("request_user_input", questions=[{"id": "q", "question": "Which store?"}])
    [(kind, words, _)] = facts(asked, output('{"answers":{"q":{"answers":["Redis"]}}}'))
    assert kind is FactKind.ANSWERED
    assert "Redis" in words


# Hostile rows


@pytest.mark.parametrize(
    "odd",
    [
        {"type": "event_msg"},
        {"type": "event_msg", "payload": {"type": ["user_message"]}},
        event("user_message", message=7, images=7),
        event("item_completed", item=[]),
        event("item_completed", item={"type": "UserMessage", "id": [], "content": {"a": 1}}),
        event("thread_rolled_back", num_turns="two"),
        event("thread_rolled_back", num_turns=True),
        event("turn_aborted", reason=[]),
        item("message", role=[], content=7),
        item("message", role="user", content=[None, {"type": 7, "text": []}]),
        item("function_call", name=[], arguments=7, call_id={}),
        item("function_call", name="shell", arguments="{torn", call_id="c2"),
        item("function_call", name="shell", arguments='{"command":[1,2]}', call_id="c2"),
        item("function_call_output", call_id=[], output=[7]),
        item("local_shell_call", action="ls"),
        row("session_meta", id=[], git="x", source=[], timestamp=7),
        row("turn_context", cwd=[]),
        {"type": 7, "payload": []},
        {},
    ],
)
def test_an_odd_row_is_stepped_over(odd: Row) -> None:
    """A row of a known type in an odd shape costs nothing but itself."""
    claims(odd)
    assert prompts(odd, prompt("before"), odd, prompt("after"))[-1] == "after"


def test_the_id_is_in_the_name_where_the_header_is_lost() -> None:
    """A rollout without its first row still goes by its own id."""
    assert session_of(prompt("go"), name=f"rollout-2026-03-02T09-00-00-{OWN_ID}.jsonl.zst").session_id == OWN_ID
