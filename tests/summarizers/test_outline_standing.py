"""How a goal stands."""

from service.domain.messages import Fact, FactKind, FactResult
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


def turn(words: str, *facts: Fact) -> Turn:
    return Turn(1, words, "All done, everything works!", facts, None, None)


def stands(*turns: Turn, asks: bool = False, answer: str = "") -> Standing:
    return standing_of(turns, asks=asks, answer=answer)


def test_a_claim_completes_nothing() -> None:
    """However sure the agent sounds, work without proof is in progress."""
    assert stands(turn("Round the prices", EDITED)) == ACTIVE


def test_a_pass_after_the_last_edit_completes() -> None:
    """Tested work is done."""
    assert stands(turn("Round the prices", EDITED, PASSED)) == DONE


def test_a_pass_before_the_last_edit_proves_nothing() -> None:
    """What was changed after the tests ran is untested."""
    assert stands(turn("Round the prices", PASSED, EDITED)) == ACTIVE


def test_shipped_without_a_run_needs_the_person() -> None:
    """Committed but never run is completed and not verified."""
    assert stands(turn("Round the prices", EDITED, COMMITTED)) == UNPROVEN


def test_shipped_on_a_failed_run_needs_the_person() -> None:
    """A commit over red tests is completed and not verified."""
    assert stands(turn("Round the prices", EDITED, FAILED, COMMITTED)) == UNPROVEN


def test_a_failed_run_at_the_end_keeps_the_goal_open() -> None:
    """Red tests after the commit say that the work goes on."""
    assert stands(turn("Round the prices", EDITED, COMMITTED, FAILED)) == ACTIVE


def test_a_run_of_unknown_result_proves_nothing() -> None:
    """A run nobody saw the end of is no pass."""
    assert stands(turn("Round the prices", EDITED, UNKNOWN)) == ACTIVE


def test_the_persons_word_completes() -> None:
    """Thanks, it works: the goal is done in the person's eyes, though no run shows it."""
    assert stands(turn("Round the prices", EDITED), turn("perfect, thanks")) == UNPROVEN
    assert stands(turn("Round the prices", EDITED), answer="Great, thanks. Next topic: the imprint") == UNPROVEN


def test_praise_with_another_demand_completes_nothing() -> None:
    """Thanks, and do this too: there is more to do."""
    assert stands(turn("Round the prices", EDITED), turn("perfect, add the discounts as well", EDITED)) == ACTIVE


def test_a_later_demand_reopens_the_goal() -> None:
    """What was asked after the commit is not in the commit."""
    assert stands(turn("Round the prices", EDITED, COMMITTED), turn("round the discounts as well")) == ACTIVE


def test_a_question_after_the_proof_changes_nothing() -> None:
    """Asking about finished work does not open it again."""
    assert stands(turn("Round the prices", EDITED, PASSED), turn("why two digits?")) == DONE


def test_a_reply_that_asks_leaves_the_goal_active() -> None:
    """The agent waits for an answer, so the goal is not done."""
    assert stands(turn("Round the prices", EDITED, PASSED), asks=True) == ACTIVE


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
