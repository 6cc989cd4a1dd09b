"""The payload as stored and served, and what becomes of a model's draft on the way there."""

import json
import logging
from collections.abc import Mapping
from typing import cast

import pytest
from pydantic import ValidationError

from service.domain.lenient import Status
from service.domain.messages import Fact, FactKind, FactResult
from service.domain.overview import headline, open_items, overall_state
from service.domain.payload import (
    MAX_BYTES,
    Coverage,
    Generator,
    Intent,
    NormaliseContext,
    State,
    SummaryPayload,
    derive_state,
    dump,
    normalise,
)

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def context(
    *,
    user_turns: int = 9,
    max_intents: int = 50,
    max_constraints: int = 50,
    facts: Mapping[int, tuple[Fact, ...]] | None = None,
    last_activity: str | None = "2026-08-10T10:00:00+00:00",
    model: str = "m",
) -> NormaliseContext:
    return NormaliseContext(
        user_turns=user_turns,
        last_activity=last_activity,
        generated_at=1_760_000_123.5,
        coverage=Coverage(read_whole=user_turns, excerpted=0, left_out=0),
        generator=Generator(engine="anthropic", model=model),
        max_intents=max_intents,
        max_constraints=max_constraints,
        facts_by_turn=facts or {},
    )


def payload_of(draft: dict[str, object], within: NormaliseContext | None = None) -> SummaryPayload:
    payload = normalise(draft, within or context())
    assert payload is not None
    return payload


def intent_of(fields: dict[str, object], within: NormaliseContext | None = None) -> Intent:
    return payload_of({"intents": [{"title": "Goal", "ranges": [[1, 1]], **fields}]}, within).intents[0]


def touched(title: str, turn: int) -> dict[str, object]:
    return {"title": title, "ranges": [turn]}


def test_a_full_draft_is_served_in_the_documented_shape() -> None:
    """The JSON holds the documented keys, with the state and the last touched turn worked out."""
    draft: dict[str, object] = {
        "intents": [
            {
                "title": "Ship the importer",
                "initial_intent": "Rows were typed by hand",
                "ranges": [[1, 3], [9, 9]],
                "status": "completed",
                "verified": False,
                "origin_turn": 1,
                "progress": ["merged"],
                "next_steps": [{"what": "Run it", "why": "never run", "expect": "no error"}],
            }
        ],
        "constraints": ["pass --strict"],
    }
    assert json.loads(dump(payload_of(draft))) == {
        "intents": [
            {
                "title": "Ship the importer",
                "initial_intent": "Rows were typed by hand",
                "ranges": [[1, 3], [9, 9]],
                "status": "completed",
                "verified": False,
                "state": "needs-you",
                "origin_turn": 1,
                "last_touched_turn": 9,
                "progress": ["merged"],
                "next_steps": [{"what": "Run it", "why": "never run", "expect": "no error"}],
                "evidence": [],
                "proof": {"word": "unverified", "turn": None, "text": None},
            }
        ],
        "constraints": ["pass --strict"],
        "generated_at": 1_760_000_123.5,
        "user_turns": 9,
        "last_activity": "2026-08-10T10:00:00+00:00",
        "coverage": {"read_whole": 9, "excerpted": 0, "left_out": 0},
        "generator": {"engine": "anthropic", "model": "m"},
        "cost_usd": None,
    }


@pytest.mark.parametrize(
    ("status", "verified", "state"),
    [
        (Status.ABANDONED, False, State.DROPPED),
        (Status.ABANDONED, None, State.DROPPED),
        (Status.COMPLETED, False, State.NEEDS_YOU),
        (Status.COMPLETED, None, State.DONE),
        (Status.COMPLETED, True, State.DONE),
        (Status.ACTIVE, False, State.IN_PROGRESS),
        (Status.ACTIVE, True, State.IN_PROGRESS),
    ],
)
def test_the_state_follows_from_status_with_verified(status: Status, verified: bool | None, state: State) -> None:
    """Finished work that nobody saw working asks for the person."""
    assert derive_state(status, verified) is state


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("completed", "completed"),
        (" Abandoned\n", "abandoned"),
        ("ACTIVE", "active"),
        ("done", "active"),
        (3, "active"),
    ],
)
def test_the_status_is_read_in_any_case_or_is_active(sent: object, read: str) -> None:
    """A status the page does not know never reaches it."""
    assert intent_of({"status": sent}).status == read


@pytest.mark.parametrize(
    ("sent", "read"), [(True, True), (False, False), (None, None), (1, None), ("true", None), ([], None)]
)
def test_only_a_real_boolean_verifies(sent: object, read: bool | None) -> None:
    """Words or numbers in place of a boolean claim nothing."""
    assert intent_of({"verified": sent}).verified is read


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ([[1, 3], [2, 2]], ((1, 3), (2, 2))),
        ([[2, 2], [2, 2]], ((2, 2), (2, 2))),
        ([4], ((4, 4),)),
        (4, ((4, 4),)),
        ([[8, 99]], ((8, 9),)),
        ([[10, 12], 3], ((3, 3),)),
        ([[0, 2], [-1, 1], [3, 2], [1], [1, 2, 3]], ()),
        ([[True, 2], [1, True], True], ()),
        ([[1.0, 2.0], ["1", "2"], [None, 1], "1-2", {"start": 1}], ()),
        ([[1, 10**18]], ((1, 9),)),
        (None, ()),
        ("1-3", ()),
    ],
)
def test_only_ranges_inside_the_session_are_kept(sent: object, read: tuple[tuple[int, int], ...]) -> None:
    """Every turn a link points to exists."""
    assert intent_of({"ranges": sent}).ranges == read


@pytest.mark.parametrize(
    ("sent", "read"), [(1, 1), (9, 9), (10, None), (0, None), (True, None), ("1", None), (2.0, None), (None, None)]
)
def test_the_origin_turn_is_one_of_the_session_or_none(sent: object, read: int | None) -> None:
    """The origin links to a turn that exists, or to none."""
    assert intent_of({"origin_turn": sent}).origin_turn == read


def test_an_intent_without_a_valid_range_stays_at_the_end() -> None:
    """A goal the model could not place is still shown, as touched in no turn."""
    payload = payload_of({"intents": [{"title": "unplaced"}, touched("placed", 2)]})
    assert [(intent.title, intent.last_touched_turn) for intent in payload.intents] == [("placed", 2), ("unplaced", 0)]


def test_intents_are_sorted_by_last_touched_turn() -> None:
    """The goal worked on last comes first; goals of the same turn keep their order."""
    draft: dict[str, object] = {"intents": [touched("a", 2), touched("b", 7), touched("c", 2), touched("d", 7)]}
    assert [intent.title for intent in payload_of(draft).intents] == ["b", "d", "a", "c"]


@pytest.mark.parametrize("title", [None, "", " \n", 7, ["x"], "\u200b\u2060", "\u3164", "\ufeff \u00ad", "\ud800"])
def test_an_intent_without_a_visible_title_is_dropped(title: object) -> None:
    """No nameless line is ever shown."""
    draft: dict[str, object] = {"intents": [{**touched("x", 1), "title": title}, touched("kept", 1)]}
    assert [intent.title for intent in payload_of(draft).intents] == ["kept"]


@pytest.mark.parametrize("field", ["initial_intent", "title"])
def test_a_text_is_stripped_then_capped(field: str) -> None:
    """A text of any length is shown without blank ends, up to 2,000 characters."""
    assert getattr(intent_of({field: " \n" + "x" * 2_001 + " "}), field) == "x" * 2_000


@pytest.mark.parametrize("sent", [None, 3, ["x"], {"a": "b"}, True])
def test_a_text_field_that_is_no_string_is_empty(sent: object) -> None:
    """A field of the wrong type costs only itself."""
    assert intent_of({"initial_intent": sent}).initial_intent == ""


@pytest.mark.parametrize(
    ("sent", "read"),
    [(["a", " ", 3, "\u200b", " b "], ("a", "b")), ("one line", ("one line",)), (None, ()), ({"a": 1}, ())],
)
def test_progress_keeps_the_lines_that_say_something(sent: object, read: tuple[str, ...]) -> None:
    """Blank or foreign items leave no empty bullets."""
    assert intent_of({"progress": sent}).progress == read


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (["Run it"], [("Run it", "", "")]),
        ([{"what": " Run it ", "why": 3, "more": "x"}], [("Run it", "", "")]),
        ([{"why": "no what"}, {"what": "\u200b"}, 3, None], []),
        ({"what": "Run it", "expect": "ok"}, [("Run it", "", "ok")]),
        (None, []),
    ],
)
def test_a_next_step_may_be_a_bare_string(sent: object, read: list[tuple[str, str, str]]) -> None:
    """Each next step says what to do, however sloppily it was sent."""
    assert [(step.what, step.why, step.expect) for step in intent_of({"next_steps": sent}).next_steps] == read


@pytest.mark.parametrize(
    "draft", [{}, {"intents": None}, {"intents": "x"}, {"intents": []}, {"intents": [1, None, [], {"title": " "}]}]
)
def test_without_a_usable_intent_there_is_no_payload(draft: dict[str, object]) -> None:
    """An empty answer leaves the previous summary in place."""
    assert normalise(draft, context()) is None


def test_what_the_server_knows_is_not_taken_from_the_model() -> None:
    """A model cannot make up evidence, coverage, a state or its own name."""
    fields: dict[str, object] = {
        "status": "active",
        "state": "done",
        "last_touched_turn": 99,
        "evidence": [{"turn": 1, "kind": "ran", "text": "pytest", "result": "passed"}],
    }
    draft: dict[str, object] = {
        "intents": [{**touched("x", 2), **fields}],
        "generated_at": 1,
        "user_turns": 99,
        "last_activity": "never",
        "coverage": {"read_whole": 99},
        "generator": {"model": "other"},
        "extra": 1,
    }
    assert dump(payload_of(draft)) == dump(payload_of({"intents": [{**touched("x", 2), "status": "active"}]}))


def test_facts_inside_the_ranges_become_evidence() -> None:
    """What a claim rests on is shown with its turn; facts of other turns are not."""
    facts = {
        1: (Fact(FactKind.RAN, "ruff check", FactResult.PASSED),),
        4: (Fact(FactKind.EDITED, "a.py"), Fact(FactKind.RAN, "pytest", FactResult.FAILED)),
    }
    evidence = intent_of({"ranges": [[3, 5]]}, context(facts=facts)).evidence
    assert [(item.turn, item.kind, item.text, item.result) for item in evidence] == [
        (4, "edited", "a.py", None),
        (4, "ran", "pytest", "failed"),
    ]


def test_a_secret_in_any_field_is_hidden() -> None:
    """No field is a way around redaction, and a secret at the cap is hidden before it is cut in half."""
    fields: dict[str, object] = {
        "title": f"Rotate {SECRET}",
        "initial_intent": "x" * 1_980 + " " + SECRET,
        "progress": [f"key {SECRET}"],
        "next_steps": [{"what": SECRET, "why": f"a {SECRET}", "expect": f"b {SECRET}"}, f"use {SECRET}"],
    }
    facts = {1: (Fact(FactKind.COMMITTED, f"abc {SECRET}"),)}
    draft: dict[str, object] = {"intents": [{"ranges": [1], **fields}], "constraints": [f"export {SECRET}"]}
    assert SECRET[:12] not in dump(payload_of(draft, context(facts=facts)))


def test_ordinary_words_are_left_alone() -> None:
    """Redaction changes nothing in a summary without secrets."""
    draft: dict[str, object] = {
        "intents": [
            {
                "title": "Reset the password form",
                "initial_intent": "The token: it expired too early",
                "ranges": [[1, 2]],
                "progress": ["src/auth/token.py holds the new key lookup", "commit 4f2a9c1 is on main"],
                "next_steps": [{"what": "Run `make check`", "why": "secret scanning is on", "expect": "exit code 0"}],
            }
        ],
        "constraints": ["Start with --strict"],
    }
    text = dump(payload_of(draft))
    assert "[redacted" not in text


def test_over_the_limit_the_oldest_touched_intents_go(caplog: pytest.LogCaptureFixture) -> None:
    """The goals worked on last are kept, and the log says how many were not, without their words."""
    draft: dict[str, object] = {"intents": [touched("old", 1), touched("new", 9), touched("mid", 5)]}
    with caplog.at_level(logging.INFO):
        payload = payload_of(draft, context(max_intents=2))
    assert [intent.title for intent in payload.intents] == ["new", "mid"]
    assert [record.getMessage() for record in caplog.records] == ["summary_cut part=intents dropped=1 limit=2"]


@pytest.mark.parametrize(("limit", "kept"), [(2, ("a", "b")), (0, ()), (3, ("a", "b", "c"))])
def test_over_the_limit_the_last_constraints_go(limit: int, kept: tuple[str, ...]) -> None:
    """The first constraints are the ones kept; with a limit of 0 there are none."""
    draft: dict[str, object] = {"intents": [touched("x", 1)], "constraints": ["a", "b", "c"]}
    assert payload_of(draft, context(max_constraints=limit)).constraints == kept


def test_over_256_kib_the_oldest_touched_intents_go(caplog: pytest.LogCaptureFixture) -> None:
    """A huge answer is cut to whole intents, newest first, as many as fit."""
    big = ["é" * 2_000] * 4
    draft: dict[str, object] = {"intents": [{**touched(f"t{n}", n), "progress": big} for n in range(1, 41)]}
    with caplog.at_level(logging.INFO):
        payload = payload_of(draft, context(user_turns=40))
    size = len(dump(payload).encode())
    assert MAX_BYTES - 17_000 < size <= MAX_BYTES
    assert payload.intents[0].title == "t40"
    assert (
        caplog.records[0].getMessage() == f"summary_cut part=payload dropped={40 - len(payload.intents)} limit=262144"
    )


def test_endless_constraints_do_not_cost_the_newest_intent() -> None:
    """Beside one intent as many constraints stay as fit."""
    draft: dict[str, object] = {"intents": [touched("x", 1)], "constraints": ["é" * 2_000] * 90}
    payload = payload_of(draft, context(max_constraints=1_000))
    assert len(payload.intents) == 1
    assert 0 < len(payload.constraints) < 90
    assert len(dump(payload).encode()) <= MAX_BYTES


def test_one_intent_beyond_the_bound_is_no_payload() -> None:
    """An answer that cannot be stored leaves the previous summary in place."""
    assert normalise({"intents": [{**touched("x", 1), "progress": ["é" * 2_000] * 90}]}, context()) is None


def test_lone_surrogates_never_reach_the_text_that_goes_out() -> None:
    """Half an emoji is shown as a replacement mark, and two halves as the emoji."""
    within = context(last_activity="2026\ud800", model="m")
    draft: dict[str, object] = {"intents": [touched("half \ud83d whole \ud83d\ude00", 1)], "constraints": ["\udfff x"]}
    assert "half \ufffd whole 😀" in dump(payload_of(draft, within)).encode().decode()


def test_deep_nesting_in_a_field_costs_the_field() -> None:
    """A thousand brackets in place of a text are an empty text."""
    deep: object = "x"
    for _ in range(100_000):
        deep = [deep]
    assert intent_of({"initial_intent": deep, "progress": deep, "next_steps": deep, "ranges": deep}).progress == ()
    while isinstance(deep, list):  # unwound by hand: freeing it in one go recurses
        deep = deep.pop()


def test_a_stored_payload_reads_back_equal() -> None:
    """What goes out is what was made."""
    payload = payload_of({"intents": [touched("Zürich \u2028 ok", 1)], "constraints": ["ß"]})
    assert SummaryPayload.model_validate_json(dump(payload)) == payload


def test_a_time_that_is_no_number_is_refused() -> None:
    """The JSON that goes out never holds NaN."""
    payload = payload_of({"intents": [touched("x", 1)]})
    with pytest.raises(ValidationError):
        SummaryPayload.model_validate(cast(dict[str, object], payload.model_dump()) | {"generated_at": float("nan")})


def test_the_sessions_list_shows_the_newest_title_with_what_needs_the_person() -> None:
    """The list names the goal worked on last, the most pressing state, and counts steps that wait."""
    steps = ["one", "two"]
    draft: dict[str, object] = {
        "intents": [
            {**touched("done", 9), "status": "completed", "next_steps": steps},
            {**touched("unseen", 5), "status": "completed", "verified": False, "next_steps": steps},
            {**touched("going", 3), "next_steps": ["three"]},
            {**touched("dropped", 1), "status": "abandoned", "next_steps": steps},
        ]
    }
    payload = payload_of(draft)
    assert (headline(payload), overall_state(payload), open_items(payload)) == ("done", State.NEEDS_YOU, 3)
