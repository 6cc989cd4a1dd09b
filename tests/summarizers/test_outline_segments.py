"""Where goals begin, and where they are taken up again."""

from itertools import pairwise

import pytest

from service.domain.messages import Fact, FactKind, Message, Origin
from service.summarizers.outline_segments import goals_of
from service.summarizers.outline_turns import turns_of
from tests.bench.bench_outline import every_turn, outlined
from tests.summarizers.outline_cases import boundaries_of, labelled_sessions, match

COMMITTED = Fact(FactKind.COMMITTED, "4be1c20 Round prices")


def ranges(*rows: tuple[str, str, tuple[Fact, ...]] | tuple[str, str]) -> list[list[list[int]]]:
    messages: list[Message] = []
    for words, reply, *facts in rows:
        messages += [
            Message("user", words, Origin.PERSON),
            Message("assistant", reply, Origin.ASSISTANT, None, facts[0] if facts else ()),
        ]
    return [goal.ranges for goal in goals_of(turns_of(messages))]


def edited(path: str) -> tuple[Fact, ...]:
    return (Fact(FactKind.EDITED, path),)


def test_the_labelled_sessions_are_cut_where_people_would() -> None:
    """Over ten made-up sessions in seven languages the boundaries reach an F1 of .75 or more."""
    sessions = labelled_sessions()
    assert len(sessions) == 10
    assert match(sessions, outlined).f1 >= 0.75


def test_cutting_at_every_turn_is_no_answer() -> None:
    """The labels do not flatter: the simplest rule stays below one half."""
    assert match(labelled_sessions(), every_turn).f1 < 0.5


def test_the_labels_agree_with_themselves() -> None:
    """Each session's boundaries are the turns where its goal changes, and each turn has a goal."""
    for session in labelled_sessions():
        assert boundaries_of(session.goals) == session.boundaries
        assert len(session.goals) == len(turns_of(session.messages))


def test_resumed_goals_are_joined_as_labelled() -> None:
    """Two stretches of one goal are one entry in nearly all labelled cases, and two goals hardly ever are."""
    right = whole = 0
    for session in labelled_sessions():
        goals = goals_of(turns_of(session.messages))
        found = {turn.number: at for at, goal in enumerate(goals) for turn in goal.turns}
        numbered = list(enumerate(session.goals, start=1))
        pairs = [(one, two) for at, one in enumerate(numbered) for two in numbered[at + 1 :]]
        right += sum((found[one] == found[two]) == (name == other) for (one, name), (two, other) in pairs)
        whole += len(pairs)
    assert right / whole >= 0.9


def test_an_unrelated_request_opens_a_goal() -> None:
    """Words and files that have nothing in common with the work before are another goal."""
    assert ranges(
        ("Round the prices of the cart", "Prices are rounded.", edited("shop/cart.py")),
        ("Translate the imprint into Danish", "It is translated.", edited("site/imprint.md")),
    ) == [[[1, 1]], [[2, 2]]]


def test_a_request_about_the_same_file_opens_none() -> None:
    """New words about the file in hand go on with the goal."""
    assert ranges(
        ("Round the prices of the cart", "Prices are rounded.", edited("shop/cart.py")),
        ("Discounts look odd above ninety percent", "They are capped.", edited("shop/cart.py")),
    ) == [[[1, 2]]]


@pytest.mark.parametrize(
    "words",
    [
        "yes",
        "go ahead",
        "no, that is wrong: Danish customers see kroner twice",
        "why?",
        "commit and push",
        "Add a commen tusing the house style",
        "*discounts",
        "好的",
        "never mind",
        "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\nKeyError: 'imprint'",
    ],
)
def test_answers_open_no_goal(words: str) -> None:
    """Assents, corrections, short questions, orders to ship and pasted logs belong to the work in hand."""
    assert ranges(("Round the prices of the cart", "Rounded.", (COMMITTED,)), (words, "All right.")) == [[[1, 2]]]


def test_a_greeting_opens_no_goal() -> None:
    """Hello is no wish of its own."""
    assert ranges(("Hello!", "Hi."), ("Round the prices of the cart", "Rounded.")) == [[[1, 2]]]


def test_a_goal_that_is_resumed_is_one_entry() -> None:
    """Coming back to earlier work gives it a second range instead of a second entry."""
    assert ranges(
        ("Round the prices of the cart", "Prices are rounded.", edited("shop/cart.py")),
        ("Translate the imprint into Danish", "It is translated.", edited("site/imprint.md")),
        ("Back to the prices in the cart: round them up", "Rounded up.", edited("shop/cart.py")),
    ) == [[[1, 1], [3, 3]], [[2, 2]]]


def test_a_wish_in_place_of_a_dropped_one_resumes_nothing() -> None:
    """Words shared with what was just dropped do not make the new wish part of it."""
    assert ranges(
        ("Build a dashboard for the sensors", "It stands.", edited("web/dashboard.ts")),
        ("Forget the dashboard. Mail the averages of the sensors.", "Mailed.", edited("web/dashboard.ts")),
    ) == [[[1, 1]], [[2, 2]]]


def test_every_turn_belongs_to_one_goal() -> None:
    """No turn is lost and none is counted twice."""
    for session in labelled_sessions():
        turns = turns_of(session.messages)
        covered = sorted(turn.number for goal in goals_of(turns) for turn in goal.turns)
        assert covered == [turn.number for turn in turns]


def test_ranges_are_in_order_and_apart() -> None:
    """Stretches that touch are one stretch."""
    for session in labelled_sessions():
        for goal in goals_of(turns_of(session.messages)):
            assert all(before[1] + 1 < after[0] for before, after in pairwise(goal.ranges))


def test_no_turns_are_no_goals() -> None:
    """An empty session has no goal."""
    assert goals_of(()) == ()
