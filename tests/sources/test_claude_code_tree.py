"""The live branch of a Claude Code file: what was taken back, and what only lies on a side branch."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.messages import Message
from service.sources.claude_code import ClaudeCodeReader
from tests.support.claude_rows import Row, facts, linked, prompts, queue, replied, result, session_of, text, tool, typed


def test_a_prompt_taken_back_does_not_count() -> None:
    """After a rewind the first version of a prompt and its reply are gone."""
    rows = linked(typed("one"), replied("a"), typed("wrong"), replied("b", reply="m2"), typed("right", parentUuid="n1"))
    session = session_of(*rows)
    assert [message.content for message in session.messages] == ["one", "a", "right"]


def test_a_rewind_over_several_turns_takes_them_all_back() -> None:
    """Everything between the point gone back to and the next prompt is gone."""
    rows = linked(
        typed("one"), replied("a"), typed("two"), replied("b"), typed("three"), typed("anew", parentUuid="n1")
    )
    assert prompts(*rows) == ["one", "anew"]


def test_a_rewind_to_the_start_takes_everything_back() -> None:
    """A second first prompt replaces the first one where rows name their parents."""
    rows = linked(typed("one"), replied("a"), typed("other", parentUuid=None))
    assert prompts(*rows) == ["other"]


def test_parallel_tool_calls_are_no_rewind() -> None:
    """A fork made by two tools at once keeps the prompts and the steer beside a result."""
    rows = linked(
        typed("go"),
        replied(tool("Read", "t1")),
        replied(tool("Read", "t2")),
        result("a", text("and hurry"), call="t1", parentUuid="n1"),
        result("b", call="t2", parentUuid="n2"),
        replied("done", reply="m2"),
    )
    assert prompts(*rows) == ["go", "and hurry"]


def side_branch(*steers: Row, reply_on: str = "n4") -> list[Row]:
    """Two tools at once: n3 is the first one's result, on which the steers hang, n4 the second one's."""
    return linked(
        typed("go"),
        replied(tool("Read", "t1")),
        replied(tool("Read", "t2")),
        result("a", call="t1", parentUuid="n1"),
        result("b", call="t2", parentUuid="n2"),
        *steers,
        replied("done", reply="m2", parentUuid=reply_on),
    )


def test_a_steer_on_a_side_branch_was_said() -> None:
    """A message typed while two tools ran counts, whichever of their results the agent's next reply follows."""
    steer = typed("and hurry", parentUuid="n3")
    assert prompts(*side_branch(steer)) == ["go", "and hurry"]
    assert prompts(*side_branch(steer, reply_on="n5")) == ["go", "and hurry"]
    assert prompts(*side_branch(steer, typed("and quietly"))) == ["go", "and hurry", "and quietly"]


def test_a_steer_on_a_side_branch_stays_said_in_later_turns() -> None:
    """What followed on the other branch takes nothing back."""
    rows = side_branch(typed("and hurry", parentUuid="n3"))
    later = [
        typed("more", uuid="m0", parentUuid=rows[-1]["uuid"]),
        replied("yes", reply="m3", uuid="m1", parentUuid="m0"),
        typed("thanks", uuid="m2", parentUuid="m1"),
    ]
    assert prompts(*rows, *later) == ["go", "and hurry", "more", "thanks"]


def test_a_steer_on_a_side_branch_goes_with_its_turn() -> None:
    """A rewind behind the turn takes the steer back as well, and what it had the agent do."""
    rows = linked(
        typed("one"),
        replied("a", reply="m0"),
        typed("go"),
        replied(tool("Read", "t1")),
        replied(tool("Read", "t2")),
        result("x", call="t1", parentUuid="n3"),
        result("y", call="t2", parentUuid="n4"),
        typed("and hurry", parentUuid="n5"),
        replied("done", reply="m2", parentUuid="n6"),
        typed("other", parentUuid="n1"),
        replied("fine", reply="m3"),
    )
    assert [message.content for message in session_of(*rows).messages] == ["one", "a", "other", "fine"]


def test_of_two_steers_under_one_result_the_first_was_taken_back() -> None:
    """Two prompts under one parent are one that was typed anew, on a side branch too."""
    steers = [typed("and hurry", parentUuid="n3"), typed("take your time", parentUuid="n3")]
    assert prompts(*side_branch(*steers)) == ["go", "take your time"]


def test_a_prompt_gone_back_to_counts_again() -> None:
    """Who returns to a branch that was left has said what stands there, and no longer what had replaced it."""
    rows = linked(
        typed("one"),
        replied("a"),
        typed("first"),
        replied("b", reply="m2"),
        typed("second", parentUuid="n1"),
        replied("c", reply="m3"),
        typed("go on", parentUuid="n3"),
    )
    assert prompts(*rows) == ["one", "first", "go on"]


@pytest.mark.parametrize(
    "between",
    [
        {"type": "system", "subtype": "turn_duration"},
        {"type": "attachment", "attachment": {"type": "hook_success"}},
        typed("<command-name>/model</command-name>"),
        typed("a caveat", isMeta=True),
        typed("[Request interrupted by user]"),
    ],
)
def test_rows_of_the_program_between_do_not_hide_a_rewind(between: Row) -> None:
    """A rewind is one whether the prompts hang on the reply itself or on what the program wrote below it."""
    rows = [typed("one"), replied("a"), between, typed("wrong"), replied("b", reply="m2")]
    assert prompts(*linked(*rows, typed("right", parentUuid="n1"))) == ["one", "right"]
    assert prompts(*linked(*rows, {**between, "parentUuid": "n1"}, typed("right"))) == ["one", "right"]


def test_a_rewind_to_a_start_below_the_programs_rows_takes_everything_back() -> None:
    """The first prompt may hang on what a hook wrote before it; a later one without a parent replaces it."""
    hook = {"type": "attachment", "attachment": {"type": "hook_success"}}
    assert prompts(*linked(hook, typed("one"), replied("a"), typed("other", parentUuid=None))) == ["other"]


def test_a_late_result_takes_no_prompt_back() -> None:
    """The result of a tool of an earlier turn, written after the next prompt, leaves that prompt said."""
    rows = linked(
        typed("one"),
        replied(tool("Bash", "t1")),
        replied("it runs", reply="m2"),
        typed("two"),
        result("ok", call="t1", parentUuid="n1"),
    )
    assert prompts(*rows) == ["one", "two"]


def test_a_thousand_rewinds_take_linear_time() -> None:
    """A file full of forks is read at once, and the prompts typed last stand."""
    rows = linked(typed("go"), *[typed(f"try {n}", parentUuid="n0") for n in range(5_000)])
    assert prompts(*rows) == ["go", "try 4999"]


def test_rows_without_parents_are_a_line() -> None:
    """A file whose rows name no parents takes nothing back."""
    rows = [
        typed("one", uuid="a", parentUuid=None),
        replied("x", uuid="b", parentUuid=None),
        typed("two", uuid="c", parentUuid=None),
    ]
    assert prompts(*rows) == ["one", "two"]
    assert prompts(typed("one"), replied("x"), typed("two")) == ["one", "two"]


def test_a_missing_parent_breaks_no_branch() -> None:
    """A row that was lost does not take the prompts before it along."""
    assert prompts(*linked(typed("one"), replied("a"), typed("two", parentUuid="lost"))) == ["one", "two"]


def test_the_branch_leads_through_a_compaction() -> None:
    """What was said before a compaction stays said."""
    boundary = {"type": "system", "subtype": "compact_boundary", "parentUuid": None, "logicalParentUuid": "n1"}
    rows = linked(typed("one"), replied("a"), boundary, typed("This session …", isCompactSummary=True), typed("two"))
    assert prompts(*rows) == ["one", "two"]


def test_sessions_grow_row_by_row_as_they_read_at_once() -> None:
    """Asking after every row gives in the end what reading at once gives."""
    rows = linked(
        typed("one"),
        replied("a"),
        typed("two"),
        queue("enqueue", "s"),
        queue("remove", "s"),
        typed("x", parentUuid="n1"),
    )
    reader = ClaudeCodeReader(Path("s.jsonl"))
    seen: list[tuple[Message, ...]] = []
    for row in rows:
        reader.add(row)
        seen.append(reader.session().messages)
    assert seen[-1] == session_of(*rows).messages
    assert [len(messages) for messages in seen] == [1, 2, 3, 3, 4, 3]


TREES = st.lists(
    st.tuples(st.sampled_from(["prompt", "steer", "reply", "call", "result", "silent"]), st.integers(0, 5)), max_size=25
)


def grown(tree: list[tuple[str, int]]) -> list[Row]:
    """Rows that each hang on the one so many rows before them."""
    made = {
        "prompt": lambda n: typed(f"words {n}"),
        "steer": lambda n: result("ok", text(f"words {n}")),
        "reply": lambda n: replied("done", reply=f"m{n}"),
        "call": lambda n: replied(tool("Read", f"t{n}"), reply=f"m{n}"),
        "result": lambda n: result("ok"),
        "silent": lambda n: typed("a caveat", isMeta=True),
    }
    return linked(*[{**made[kind](n), "parentUuid": f"n{n - 1 - back}"} for n, (kind, back) in enumerate(tree)])


@settings(max_examples=60, deadline=None)
@given(TREES)
def test_a_growing_tree_reads_as_the_whole_one(tree: list[tuple[str, int]]) -> None:
    """However a file forks, asking after every row gives in the end what reading at once gives."""
    reader = ClaudeCodeReader(Path("s.jsonl"))
    for row in grown(tree):
        reader.add(row)
        reader.session()
    assert reader.session() == session_of(*grown(tree))


@settings(max_examples=60, deadline=None)
@given(TREES)
def test_the_prompts_above_the_last_row_always_stand(tree: list[tuple[str, int]]) -> None:
    """Whatever was taken back before, what the newest message leads back to was said."""
    rows = [*grown(tree), replied("done", reply="last", uuid="tip", parentUuid=f"n{len(tree) - 1}")]
    parents = {row["uuid"]: row["parentUuid"] for row in rows}
    said, at = set(), rows[-1]["parentUuid"]
    while at in parents:
        number = int(at[1:])
        if tree[number][0] == "prompt":
            said.add(f"words {number}")
        # A parent that is missing in the file is taken to be the row before.
        at = parents[at] if parents[at] in parents else f"n{number - 1}"
    assert said <= set(prompts(*rows))


def test_facts_of_a_prompt_taken_back_go_with_it() -> None:
    """What was edited in a turn that was rewound is not told."""
    rows = linked(
        typed("one"),
        replied("a"),
        typed("wrong"),
        replied(tool("Edit", file_path="/x"), reply="m2"),
        result(),
        typed("right", parentUuid="n1"),
    )
    assert facts(*rows) == []
