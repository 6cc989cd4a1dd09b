"""Whatever rows a file holds, a reader tells something and never fails."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.sources.claude_code import FORMAT as CLAUDE_CODE
from service.sources.codex import FORMAT as CODEX
from service.sources.kinds import RowFormat

_KEYS = (
    "type user assistant system attachment queue-operation summary custom-title message content role uuid parentUuid "
    "logicalParentUuid isSidechain isMeta isCompactSummary toolUseResult timestamp sessionId operation enqueue dequeue "
    "remove popAll queued_command prompt commandMode origin kind human text tool_use tool_result image id name input "
    "command is_error Bash Edit AskUserQuestion answers payload event_msg response_item session_meta turn_context "
    "user_message item_completed UserMessage item function_call function_call_output arguments output call_id git "
    "forked_from_id turn_id thread_rolled_back num_turns task_complete turn_aborted error subtype turn_duration"
)
_words = st.sampled_from(_KEYS.split()) | st.sampled_from(["a", "b", "c"]) | st.text(max_size=12)
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | _words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=5),
    max_leaves=12,
)
_typed_rows = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant", "attachment", "queue-operation", "event_msg", "response_item"])},
    optional={
        "message": st.fixed_dictionaries({"content": _values}, optional={"id": _words}),
        "payload": _values,
        "attachment": _values,
        "operation": _words,
        "content": _values,
        "uuid": _words,
        "parentUuid": _words | st.none(),
        "isSidechain": st.booleans(),
    },
)
_rows = st.lists(_typed_rows | st.dictionaries(_words, _values, max_size=6), max_size=12)


@pytest.mark.parametrize("form", [CLAUDE_CODE, CODEX], ids=lambda form: form.name)
@settings(max_examples=80, deadline=None)
@given(rows=_rows)
def test_no_rows_make_a_reader_fail(form: RowFormat, rows: list[dict[str, Any]]) -> None:
    """Odd, hostile and mixed-up rows give a session all the same, asked for at once or after every row."""
    step_by_step, at_once = form.open_reader(Path("s.jsonl")), form.open_reader(Path("s.jsonl"))
    for row in rows:
        form.claims(row)
        step_by_step.add(row)
        at_once.add(row)
        step_by_step.session()
    assert step_by_step.session() == at_once.session()
    assert all(message.content.strip() for message in at_once.session().messages)
