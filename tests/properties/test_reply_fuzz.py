"""Whatever a model answers, reading it ends in a draft or in one of two reasons."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.reply import ReplyProblem, read_reply

_SCRAPS = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        '"',
        "\\",
        ":",
        ",",
        '"intents"',
        '"intents":[',
        "{}",
        "1",
        "null",
        "NaN",
        "\n",
        "```json",
        "é",
    ]
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)
# Without these a stretch of prose can neither hold an object nor open one.
_PROSE = st.text(st.characters(exclude_characters="{}"), max_size=60)


@given(st.lists(_SCRAPS, max_size=40).map("".join) | st.text(max_size=200))
def test_no_text_makes_the_reader_raise(text: str) -> None:
    """Garbage is a reason in the ledger, never a crash."""
    assert isinstance(read_reply(text), dict | ReplyProblem)


@given(st.lists(_JSON, max_size=3), _PROSE, _PROSE)
def test_a_draft_is_found_amid_any_prose(intents: list[object], before: str, after: str) -> None:
    """Words around the object, quotes and brackets among them, do not hide it."""
    draft = {"intents": intents, "constraints": []}
    assert read_reply(before + json.dumps(draft) + after) == draft


@given(_PROSE, st.lists(_SCRAPS, max_size=6).map("".join))
def test_broken_beginnings_do_not_hide_a_draft(before: str, scraps: str) -> None:
    """A draft on a line of its own is found, or the broken text before it holds another one or swallowed it."""
    draft = '{"intents": [{"title": "x"}]}'
    found = read_reply(f"{before}{scraps}\n{draft}")
    assert isinstance(found, ReplyProblem) or "intents" in found


@pytest.mark.parametrize(
    "piece",
    [
        "{",
        "[",
        '"',
        "\\",
        '{"',
        '{"a":',
        '{"a":[',
        "{}",
        "{},",
        '{"intents":[',
        '{"{":":{",',
        '{\\"',
        "{ ",
        '{"a":"\\u',
        "-",
    ],
)
def test_a_megabyte_of_the_same_piece_is_read_to_its_end(piece: str) -> None:
    """A hostile reply cannot exhaust the stack or keep the reader busy without end."""
    assert read_reply(piece * (1_000_000 // len(piece))) is ReplyProblem.UNUSABLE
