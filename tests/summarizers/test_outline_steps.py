"""Next steps in the words of the session."""

from service.domain.messages import Fact, FactKind, FactResult
from service.summarizers.outline_ending import ending_of
from service.summarizers.outline_standing import standing_of
from service.summarizers.outline_steps import Step, steps_of
from service.summarizers.outline_turns import Turn

EDITED = Fact(FactKind.EDITED, "a.py")
FAILED = Fact(FactKind.RAN, "pytest", FactResult.FAILED)
COMMITTED = Fact(FactKind.COMMITTED, "1234567 Round prices")


def steps(*rows: tuple[str, str] | tuple[str, str, tuple[Fact, ...]], answer: str = "") -> list[Step]:
    turns = [
        Turn(number, words, reply, facts[0] if facts else (), None, None)
        for number, (words, reply, *facts) in enumerate(rows, start=1)
    ]
    ending = ending_of(turns)
    return steps_of(turns, ending, standing_of(turns, ending, answer=answer), moved_on=bool(answer))


def test_what_is_untried_is_the_reason_for_what_is_left() -> None:
    """The sentence that says so explains the first step, and is the step where there is no other."""
    reply = "Rounded. It has not been deployed yet."
    assert steps(("Round the prices", reply)) == [Step("It has not been deployed yet.")]
    assert steps(("Round the prices", f"{reply}\n\nNext steps:\n- Deploy it\n- Tell sales")) == [
        Step("Deploy it", "It has not been deployed yet."),
        Step("Tell sales"),
    ]


def test_moving_on_declines_an_offer() -> None:
    """What the person passed over is not open any more, what is left to do is."""
    said = ("Round the prices", "Rounded.\n\nNext steps:\n- Deploy it\n\nShall I add tests?")
    assert steps(said) == [Step("Deploy it"), Step("Offered: Shall I add tests?")]
    assert steps(said, answer="Translate the imprint") == [Step("Deploy it")]


def test_a_question_is_told_with_its_options() -> None:
    """Who comes back can choose without opening the transcript."""
    assert steps(("Store the prices", "Two fit. Which one should be used?\n- PostgreSQL\n- SQLite")) == [
        Step("Asked: Which one should be used? PostgreSQL · SQLite")
    ]


def test_a_bare_yes_stands_for_what_it_was_said_to() -> None:
    """ "Yes" and "go on" name nothing: the offer, or the wish before them, does."""
    wish = ("Round the prices", "Rounded. Shall I deploy it?")
    assert steps(wish, ("yes", "")) == [Step("Offered: Shall I deploy it?", "Not answered yet.")]
    assert steps(("Round the prices", "Let me look at the cart."), ("go on", "")) == [
        Step("Round the prices", "Not answered yet.")
    ]


def test_a_pasted_log_nobody_answered_is_told_by_its_own_words() -> None:
    """Even where the person worded nothing there is a step."""
    log = "2026-03-02 09:00:01,123 ERROR worker.pool: refused"
    assert steps((log, "")) == [Step(log, "Not answered yet.")]


def test_the_facts_add_what_the_reply_leaves_out() -> None:
    """A run that failed, and code that was shipped and never run, are shown in the words of the facts."""
    assert steps(("Round the prices", "All tests pass.", (EDITED, FAILED))) == [
        Step("Find out why this failed: pytest")
    ]
    assert steps(("Round the prices", "Committed.", (EDITED, COMMITTED))) == [Step("Never run: 1234567 Round prices")]


def test_nothing_is_left_of_what_was_dropped_or_done() -> None:
    """A goal that was taken back or reached suggests nothing."""
    assert steps(("Round the prices", "Rounded. Shall I deploy it?"), ("never mind", "Fine.")) == []
    assert steps(("Round the prices", "Prices are rounded to cents.")) == []
