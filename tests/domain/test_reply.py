"""The one JSON object with an `intents` list, found amid whatever a model writes around it."""

import json

import pytest

from service.domain.reply import ReplyProblem, read_reply

DRAFT: dict[str, object] = {"intents": [{"title": "Ship the importer"}], "constraints": ["run make first"]}
JSON = json.dumps(DRAFT)
OTHER = json.dumps({"intents": [{"title": "Write the docs"}]})


@pytest.mark.parametrize(
    "text",
    [
        JSON,
        f"\ufeff{JSON}",
        f"```json\n{json.dumps(DRAFT, indent=2)}\n```",
        f'Here is the "summary" you asked for:\n{JSON}\nShall I go on?',
        f"The shape {{intents: [...]}} is filled in below.\n{JSON}",
        f'It said {{"oops", and then {JSON}',
        f'A lone quote " and a brace {{" before it. {JSON}',
        f'{{"summary": {JSON}}}',
        f"[{JSON}]",
        f'{{"note": {JSON}, broken',
        f"{JSON}\n\nOnce more:\n{JSON}",
        f'{{"unrelated": 1}} {JSON} {{"also": []}}',
    ],
)
def test_the_draft_is_found(text: str) -> None:
    """Fences, prose, wrappers and repetition do not cost a summary."""
    assert read_reply(text) == DRAFT


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        '{"intents": {}}',
        '{"intents": null}',
        '{"titles": []}',
        JSON[:-1],
        '"{}"',
        "{'intents': []}",
    ],
)
def test_a_reply_without_a_draft_is_unusable(text: str) -> None:
    """Prose, a cut object or another shape is refused with its reason."""
    assert read_reply(text) is ReplyProblem.UNUSABLE


@pytest.mark.parametrize("between", ["\n", " or rather ", "\n```\n```json\n", ","])
def test_two_different_drafts_are_ambiguous(between: str) -> None:
    """The reader does not choose between two answers."""
    assert read_reply(JSON + between + OTHER) is ReplyProblem.AMBIGUOUS


def test_two_different_drafts_in_one_wrapper_are_ambiguous() -> None:
    """A wrapper around two answers makes them no clearer."""
    assert read_reply(f'{{"first": {JSON}, "second": {OTHER}}}') is ReplyProblem.AMBIGUOUS


def test_drafts_that_differ_only_in_a_type_are_ambiguous() -> None:
    """A result of 1 is not the same answer as a result of true."""
    assert read_reply('{"intents": [{"verified": 1}]} {"intents": [{"verified": true}]}') is ReplyProblem.AMBIGUOUS


def test_a_draft_inside_a_draft_is_part_of_it() -> None:
    """An intent that holds a list of the same name is no second answer."""
    nested = {"intents": [{"title": "x", "intents": [{"title": "y"}]}]}
    assert read_reply(json.dumps(nested)) == nested


def test_a_draft_quoted_in_a_text_is_no_second_answer() -> None:
    """What a title quotes is text."""
    quoting = {"intents": [{"title": OTHER}]}
    assert read_reply(json.dumps(quoting)) == quoting


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "9" * 5_000, "-" + "1" * 19])
def test_a_number_no_summary_can_hold_reads_as_nothing(number: str) -> None:
    """An impossible number costs its own field, not the whole reply."""
    assert read_reply(f'{{"intents": [{number}]}}') == {"intents": [None]}


def test_raw_line_breaks_inside_strings_are_read() -> None:
    """A model that forgets to escape a line break is still understood."""
    assert read_reply('{"intents": [{"title": "two\nlines"}]}') == {"intents": [{"title": "two\nlines"}]}


def test_nesting_no_summary_needs_is_refused() -> None:
    """An object a thousand levels deep is not a draft, and does not bring the reader down."""
    assert read_reply('{"intents": ' + "[" * 1_000 + "]" * 1_000 + "}") is ReplyProblem.UNUSABLE


def test_a_draft_behind_too_deep_nesting_is_found() -> None:
    """What comes after hostile nesting is read as usual."""
    assert read_reply('{"a": ' * 1_000 + "\n" + JSON) == DRAFT
