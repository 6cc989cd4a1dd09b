"""How a goal stands."""

import pytest

from service.domain.messages import Fact, FactKind, FactResult
from service.summarizers.outline_ending import ending_of
from service.summarizers.outline_standing import Standing, failed_run, standing_of
from service.summarizers.outline_turns import Turn

EDITED = Fact(FactKind.EDITED, "a.py")
PASSED = Fact(FactKind.RAN, "pytest", FactResult.PASSED)
FAILED = Fact(FactKind.RAN, "pytest", FactResult.FAILED)
UNKNOWN = Fact(FactKind.RAN, "pytest", FactResult.UNKNOWN)
COMMITTED = Fact(FactKind.COMMITTED, "1234567 Round prices")

ACTIVE = Standing("active")
DONE = Standing("completed")
UNPROVEN = Standing("completed", verified=False)


def turn(words: str, *facts: Fact, reply: str = "All done, everything works!") -> Turn:
    return Turn(1, words, reply, facts, None, None)


def stands(*turns: Turn, answer: str = "") -> Standing:
    return standing_of(turns, ending_of(turns), answer=answer)


def test_a_reply_that_reports_the_work_done_completes_it() -> None:
    """Where nothing is asked, left or unfinished nothing waits; that it was verified is not said."""
    assert stands(turn("Round the prices", EDITED)) == DONE
    assert stands(turn("Round the prices", EDITED, UNKNOWN)) == DONE
    assert stands(turn("Round the prices", EDITED, PASSED)) == DONE


def test_an_answered_question_is_done() -> None:
    """Who only asked has the answer."""
    assert stands(turn("Which queue uses the old broker?", reply="Only the mail queue does.")) == DONE


@pytest.mark.parametrize(
    "reply",
    ["", "Let me look at the cart first.", "Prices are rounded. Which digits should discounts have?", "I cannot push."],
)
def test_what_is_unanswered_unfinished_asked_or_blocked_is_in_progress(reply: str) -> None:
    """A goal that somebody has to go on with is not done."""
    assert stands(turn("Round the prices", EDITED, PASSED, reply=reply)) == ACTIVE


def test_listed_steps_keep_the_last_goal_open() -> None:
    """What the agent says is left is open, until the person goes on with another thing."""
    reply = "Prices are rounded.\n\nNext steps:\n- Deploy them"
    assert stands(turn("Round the prices", EDITED, reply=reply)) == ACTIVE
    assert stands(turn("Round the prices", EDITED, reply=reply), answer="Translate the imprint") == DONE


def test_going_on_lets_an_offer_pass_but_no_question() -> None:
    """A mere offer is declined by silence, a question about the work is still to be answered."""
    offer, question = "Rounded. Want me to add tests?", "Rounded. Which digits should discounts have?"
    assert stands(turn("Round the prices", EDITED, reply=offer), answer="Translate the imprint") == DONE
    assert stands(turn("Round the prices", EDITED, reply=question), answer="Translate the imprint") == ACTIVE


@pytest.mark.parametrize("reply", ["Rounded. I haven't run the tests.", "Rounded. Please restart the server."])
def test_what_the_reply_says_is_untried_needs_the_person(reply: str) -> None:
    """Work that has yet to be run, merged or restarted is completed and not verified."""
    assert stands(turn("Round the prices", EDITED, reply=reply)) == UNPROVEN


def test_code_shipped_and_never_run_needs_the_person() -> None:
    """Merged, never run: what nothing was run of since its last edit is not verified."""
    assert stands(turn("Round the prices", EDITED, COMMITTED)) == UNPROVEN
    assert stands(turn("Round the prices", EDITED, PASSED, COMMITTED)) == DONE
    assert stands(turn("Round the prices", EDITED, UNKNOWN, COMMITTED)) == DONE


def test_words_need_no_run() -> None:
    """A text that is committed, and a commit of what was there before, are not diagnosed as never run."""
    assert stands(turn("Mend the guide", Fact(FactKind.EDITED, "docs/Guide.MD"), COMMITTED)) == DONE
    assert stands(turn("commit this", COMMITTED)) == DONE


def test_shipped_on_a_failed_run_needs_the_person() -> None:
    """A commit over red tests is completed and not verified."""
    assert stands(turn("Round the prices", EDITED, FAILED, COMMITTED)) == UNPROVEN


def test_a_failed_run_at_the_end_keeps_the_goal_open() -> None:
    """Red tests say that the work goes on, whatever the reply says."""
    assert stands(turn("Round the prices", EDITED, FAILED)) == ACTIVE
    assert stands(turn("Round the prices", EDITED, COMMITTED, FAILED)) == ACTIVE


def test_the_persons_word_completes() -> None:
    """Thanks, it works: the goal is done in the person's eyes."""
    assert stands(turn("Round the prices", EDITED, COMMITTED), turn("perfect, thanks", reply="Glad to help!")) == DONE
    assert stands(turn("Round the prices", EDITED), answer="Great, thanks. Next topic: the imprint") == DONE


def test_thanks_run_no_migration() -> None:
    """What was asked by hand before a thank-you is still to be done."""
    asked = turn("Round the prices", EDITED, reply="Rounded. Please run the migration.")
    assert stands(asked, turn("thanks!", reply="")) == UNPROVEN


def test_praise_with_another_demand_completes_nothing() -> None:
    """Thanks, and do this too: there is more to do."""
    assert stands(turn("Round the prices", EDITED), turn("perfect, add the discounts", EDITED, reply="")) == ACTIVE


def test_a_later_demand_reopens_the_goal() -> None:
    """What was asked after the commit is not in the commit."""
    assert stands(turn("Round the prices", EDITED, PASSED, COMMITTED), turn("round discounts", reply="")) == ACTIVE


def test_a_question_after_the_proof_changes_nothing() -> None:
    """Asking about finished work does not open it again."""
    assert stands(turn("Round the prices", EDITED, PASSED), turn("why two digits?", reply="The law says so.")) == DONE


def test_a_goal_taken_back_is_abandoned() -> None:
    """Never mind ends a goal, whether it stands alone or before another wish."""
    assert stands(turn("Round the prices", EDITED), turn("never mind")).status == "abandoned"
    assert stands(turn("Round the prices"), answer="Forget that. Build an index.").status == "abandoned"


def test_an_answered_question_the_person_is_happy_with_is_done() -> None:
    """Where nothing was changed there is nothing to run."""
    assert stands(turn("Explain the parser"), turn("thanks!")) == DONE


def test_the_last_failure_is_remembered_until_a_pass() -> None:
    """A failed run is told as long as nothing passed since."""
    assert failed_run([PASSED, FAILED, UNKNOWN]) is FAILED
    assert failed_run([FAILED, PASSED]) is None
