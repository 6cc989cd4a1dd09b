"""Words typed while Claude Code works: each message once, wherever its file tells of it."""

import pytest

from tests.support.claude_rows import (
    MARKER,
    Row,
    attached,
    prompts,
    queue,
    replied,
    result,
    session_of,
    text,
    tool,
    typed,
)


def test_a_delivered_queue_entry_is_counted_once() -> None:
    """A queued prompt that became an ordinary row is that row."""
    assert prompts(queue("enqueue", "run it"), queue("dequeue"), typed("run it")) == ["run it"]


def test_an_absorbed_queue_entry_stands_where_it_was_typed() -> None:
    """A prompt taken into the running turn counts, before the reply that came after it was typed."""
    session = session_of(
        typed("fix it"),
        queue("enqueue", "use pnpm"),
        replied("installing"),
        queue("remove", "use pnpm", reason="absorbed_mid_turn"),
        replied("done", reply="m2"),
    )
    assert [message.content for message in session.messages] == ["fix it", "use pnpm", "installing", "done"]
    assert session.user_turns == 2


@pytest.mark.parametrize(
    "rows",
    [
        [queue("enqueue", "never mind"), queue("popAll")],
        [queue("enqueue", "never mind"), queue("remove", "never mind", reason="cleared")],
        [queue("enqueue", "never mind")],
        [
            queue("enqueue", "<task-notification>x</task-notification>"),
            queue("remove", "<task-notification>x</task-notification>"),
        ],
        [attached("<task-notification>x</task-notification>")],
        [attached("done", mode="task-notification")],
        [attached("done", origin={"kind": "task-notification"})],
    ],
)
def test_what_was_withdrawn_or_not_typed_was_never_said(rows: list[Row]) -> None:
    """Withdrawn, waiting and automatic queue entries are no turns."""
    assert prompts(typed("fix it"), *rows) == ["fix it"]


@pytest.mark.parametrize(
    "rows",
    [
        [queue("enqueue", "use pnpm"), queue("remove", "use pnpm"), attached("use pnpm")],
        [queue("enqueue", "use pnpm"), attached("use pnpm"), queue("remove", "use pnpm")],
        [queue("enqueue", "use pnpm"), queue("remove", "use pnpm"), typed("use pnpm")],
        [attached("use pnpm"), typed("use pnpm")],
        [attached("use pnpm")],
        [queue("remove", "use pnpm")],
    ],
)
def test_a_steer_is_counted_once_however_often_it_is_written(rows: list[Row]) -> None:
    """Queue row, attachment and user row with the same words are one turn."""
    assert prompts(typed("fix it"), replied(tool("Bash")), *rows) == ["fix it", "use pnpm"]


@pytest.mark.parametrize(
    "rows",
    [
        [typed("use pnpm"), attached("use pnpm")],
        [result("ok", text("use pnpm")), attached("use pnpm")],
        [queue("enqueue", "use pnpm"), typed("use pnpm"), queue("remove", "use pnpm")],
        [queue("enqueue", "use pnpm"), typed("use pnpm"), queue("dequeue")],
        [queue("enqueue", "use pnpm"), typed("use pnpm"), attached("use pnpm"), queue("remove", "use pnpm")],
        [queue("enqueue", "use pnpm"), attached("use pnpm"), typed("use pnpm"), queue("remove", "use pnpm")],
        [queue("enqueue", "use pnpm"), queue("dequeue"), typed("use pnpm"), attached("use pnpm")],
        [typed("use pnpm"), queue("remove", "use pnpm")],
        [typed("use pnpm"), replied("looking", reply="m2"), replied(tool("Bash", "t2")), attached("use  pnpm")],
    ],
)
def test_a_steer_whose_row_comes_before_the_queues_copy_is_counted_once(rows: list[Row]) -> None:
    """In whatever order the user row and the queue's records of one message stand, it is one turn."""
    assert prompts(typed("fix it"), replied(tool("Bash")), *rows) == ["fix it", "use pnpm"]


def test_two_steers_are_told_apart_from_their_copies() -> None:
    """Several messages typed into one turn count once each, all their copies coming after all their rows."""
    rows = [typed("use pnpm"), typed("be quick"), attached("use pnpm"), attached("be quick")]
    assert prompts(typed("fix it"), replied(tool("Bash")), *rows) == ["fix it", "use pnpm", "be quick"]


@pytest.mark.parametrize(
    "rows",
    [
        [queue("enqueue", "go on"), queue("enqueue", "go on"), queue("remove", "go on"), queue("remove", "go on")],
        [attached("go on"), attached("go on")],
        [attached("go on"), attached("go on"), typed("go on"), typed("go on")],
        [typed("go on"), queue("enqueue", "go on"), queue("remove", "go on"), attached("go on")],
        [typed("go on"), queue("enqueue", "go on"), attached("go on"), queue("remove", "go on")],
        [typed("go on"), typed("go on"), attached("go on"), attached("go on")],
        [
            queue("enqueue", "go on"),
            typed("go on"),
            queue("enqueue", "go on"),
            typed("go on"),
            queue("dequeue"),
            queue("dequeue"),
        ],
        [typed("go on"), attached("go on"), replied("done", reply="m2"), MARKER, typed("go on"), attached("go on")],
        [attached("go on"), typed("[Request interrupted by user]"), typed("go on")],
    ],
)
def test_the_same_words_delivered_twice_count_twice(rows: list[Row]) -> None:
    """A message typed a second time on purpose is a second turn, in the same running turn or in a later one."""
    assert prompts(typed("fix it"), replied(tool("Bash")), *rows) == ["fix it", "go on", "go on"]


def test_each_text_beside_a_tool_result_is_a_message_of_its_own() -> None:
    """Two messages taken in with one result are two turns, and their copies add none."""
    beside = result("ok", text("use pnpm"), text("be quick"))
    rows = [typed("fix it"), replied(tool("Bash")), beside, attached("use pnpm"), attached("be quick")]
    assert prompts(*rows) == ["fix it", "use pnpm", "be quick"]


def test_a_queued_picture_keeps_the_queue_in_step() -> None:
    """An entry without words takes its place in the queue, so that what waits behind it is not taken for it."""
    rows = [queue("enqueue"), queue("enqueue", "and wider"), queue("dequeue"), queue("remove")]
    assert prompts(typed("fix it"), replied(tool("Bash")), *rows) == ["fix it", "and wider"]


def test_a_picture_delivered_mid_turn_is_a_prompt() -> None:
    """A queued picture without words counts like one that stands in a row of its own."""
    picture = {"type": "image", "source": {}}
    row = {"type": "attachment", "attachment": {"type": "queued_command", "prompt": [picture], "commandMode": "prompt"}}
    assert prompts(typed("fix it"), replied(tool("Bash")), row) == ["fix it", "[picture without words]"]


def test_thousands_of_steers_in_one_turn_take_linear_time() -> None:
    """A turn that never ends is read at once, be the words the same or others each time."""
    same = [typed("go on"), attached("go on")] * 3_000
    others = [row for n in range(3_000) for row in (typed(f"step {n}"), queue("enqueue", "x"), queue("dequeue"))]
    assert session_of(typed("fix it"), replied(tool("Bash")), *same, *others).user_turns == 6_001


def test_a_steer_repeated_after_the_turn_is_a_new_prompt() -> None:
    """The same words said again once the agent had answered are said twice."""
    rows = [typed("fix it"), queue("enqueue", "go on"), queue("remove", "go on"), replied("done"), typed("go on")]
    assert prompts(*rows) == ["fix it", "go on", "go on"]
