"""What a session in a file means for the stored one: the decisions, without file or store."""

import pytest

from service.domain.messages import Fact, FactKind, Message, Origin
from service.passes.mirrored import Difference, activity_ns, difference, is_open, same_head, stop_reason
from service.sources.session import LastTurn, Session

FACT = Fact(FactKind.RAN, "pytest")


def said(text: str) -> Message:
    return Message("user", text, Origin.PERSON)


def replied(text: str, *facts: Fact) -> Message:
    return Message("assistant", text, Origin.ASSISTANT, None, facts)


A, B, C = said("a"), replied("b"), said("c")


@pytest.mark.parametrize(
    ("stored", "found", "expected"),
    [
        ((), (), None),
        ((A, B), (A, B), None),
        ((), (A,), Difference(0, (A,))),
        ((A, B), (A, B, C), Difference(2, (C,))),
        ((A, B), (A, replied("b and more")), Difference(1, (replied("b and more"),))),
        ((A, B), (A, replied("b", FACT), C), Difference(1, (replied("b", FACT), C))),
        ((A, B), (A, replied("other")), Difference(None, (A, replied("other")), 1)),
        ((A, B, C), (A, B), Difference(None, (A, B), 1)),
        ((A, B), (C, B), Difference(None, (C, B), 0, ends_alike=True)),
        ((A, replied("b", FACT)), (A, B), Difference(None, (A, B), 1)),
    ],
)
def test_an_append_is_told_from_a_rewrite(
    stored: tuple[Message, ...], found: tuple[Message, ...], expected: Difference | None
) -> None:
    """More behind what is stored is an append, a reply that grew too; anything else replaces the content."""
    assert difference(stored, found) == expected


@pytest.mark.parametrize("at", range(6))
def test_messages_are_alike_up_to_the_first_other_one(at: int) -> None:
    """The number of equal messages at the beginning, wherever the first other one stands."""
    stored = [said(str(n)) for n in range(6)]
    found = [*stored[:at], said("other"), *stored[at + 1 :]]
    assert same_head(stored, found) == at
    assert same_head(stored, stored[:at]) == at


@pytest.mark.parametrize(
    ("turn", "quiet", "expected"),
    [
        (LastTurn.WORKING, 119, True),
        (LastTurn.REPLIED, 121, False),
        (LastTurn.TOOL_OPEN, 1799, True),
        (LastTurn.TOOL_OPEN, 1801, False),
        (LastTurn.COMPLETED, 0, False),
        (LastTurn.NONE, 0, False),
    ],
)
def test_a_turn_runs_until_it_is_quiet(turn: LastTurn, quiet: float, expected: bool) -> None:
    """Two minutes without a row end a turn, half an hour one with an open tool call; a marker ends it at once."""
    assert is_open(turn, quiet) is expected


def test_only_a_closing_text_or_a_marker_is_a_clean_end() -> None:
    """What just stopped has no reason, so that no summary is made of it unasked."""
    assert {turn for turn in LastTurn if stop_reason(turn) == "end_turn"} == {LastTurn.COMPLETED, LastTurn.REPLIED}
    assert stop_reason(LastTurn.WORKING) is None


@pytest.mark.parametrize(
    ("last_activity", "expected"),
    [
        ("1970-01-01T00:00:01Z", 1_000_000_000),
        ("9999-12-31T23:59:59Z", (1 << 63) - 1),
        ("0001-01-01T00:00:00Z", 1 - (1 << 63)),
        ("no time", 7),
        (None, 7),
    ],
)
def test_any_time_has_its_place_in_the_list(last_activity: str | None, expected: int) -> None:
    """A time that the store cannot hold is the greatest or the smallest one that it can."""
    session = Session("codex", "s1", (), None, None, None, last_activity, LastTurn.NONE)
    assert activity_ns(session, 7) == expected
