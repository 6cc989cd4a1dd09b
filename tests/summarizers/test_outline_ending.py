"""How the last turns of a goal ended."""

from service.domain.messages import Fact, FactKind
from service.summarizers.outline_ending import Ending, ending_of
from service.summarizers.outline_turns import Turn
from service.summarizers.outline_waiting import Waits

EDITED = Fact(FactKind.EDITED, "a.py")
COMMITTED = Fact(FactKind.COMMITTED, "1234567 Round prices")
PUSHED = Fact(FactKind.PUSHED, "main")


def ending(*rows: tuple[str, str] | tuple[str, str, tuple[Fact, ...]]) -> Ending:
    turns = [
        Turn(number, words, reply, facts[0] if facts else (), None, None)
        for number, (words, reply, *facts) in enumerate(rows, start=1)
    ]
    return ending_of(turns)


def unanswered(found: Ending) -> tuple[int, str] | None:
    return (found.unanswered.number, found.why) if found.unanswered else None


def texts(found: Ending) -> list[str]:
    return [one.text for one in found.closing.waiting]


def test_a_turn_without_a_reply_is_unanswered() -> None:
    """Nobody said anything to the last words; where work was done they were begun, where it was shipped it is over."""
    assert unanswered(ending(("Round the prices", ""))) == (1, "Not answered yet.")
    assert unanswered(ending(("Round the prices", "", (EDITED,)))) == (1, "Begun, not finished.")
    assert unanswered(ending(("Round the prices", "", (EDITED, COMMITTED)))) is None


def test_a_reply_that_broke_off_leaves_its_turn_unfinished() -> None:
    """The last words of the agent say how far it got."""
    found = ending(("Round the prices", "Looking at the cart first.", (EDITED,)))
    assert unanswered(found) == (1, "Begun, not finished. Looking at the cart first.")


def test_work_that_was_shipped_did_not_break_off() -> None:
    """An agent that commits without another word is done."""
    assert unanswered(ending(("Round the prices", "Let me commit that:", (COMMITTED,)))) is None


def test_a_word_without_substance_finishes_nothing() -> None:
    """What broke off is still unfinished after a mere pleasantry."""
    found = ending(("Fix the login", "Looking at the login."), ("Good so far?", "Looks good!"))
    assert unanswered(found) == (1, "Begun, not finished.")


def test_thanks_leave_requests_standing_and_let_offers_pass() -> None:
    """Before a thank-you counts what has to be done by hand, not what was offered."""
    found = ending(("Round the prices", "Please run the migration. Want me to add tests?"), ("thanks!", "Anytime!"))
    assert texts(found) == ["Please run the migration."]


def test_a_draft_leaves_the_request_before_it_standing() -> None:
    """A reply that is a text and nothing else takes nothing back."""
    found = ending(
        ("Move the page", "It is moved. You need to delete the old page by hand."),
        ("/pr", "```\nMove the page to the new address\n```"),
    )
    assert texts(found) == ["You need to delete the old page by hand.", "Move the page to the new address"]


def test_a_commit_uses_a_draft_up() -> None:
    """The message of a commit that was made waits for nobody."""
    found = ending(("commit it", "The message:\n```\nRound the prices only once\n```", (COMMITTED,)))
    assert texts(found) == []


def test_work_uses_a_proposal_up() -> None:
    """A plan that was carried out in the same turn is not open."""
    plan = "This is the plan:\n- Split it\n- Move it\n\nAll of it is done."
    assert ending(("Split the module", plan)).closing.proposed == "This is the plan"
    assert ending(("Split the module", plan, (EDITED,))).closing.proposed == ""


def test_what_was_not_pushed_stays_so_until_a_push() -> None:
    """A later reply need not say again that the commits are local."""
    said = ("Round the prices", "Committed. It is not pushed yet.", (COMMITTED,))
    later = ("and the discounts", "They are rounded.")
    assert texts(ending(said, later)) == ["It is not pushed yet."]
    assert ending(said, later).kinds == {Waits.UNPROVEN}
    assert texts(ending(said, ("and the discounts", "They are rounded.", (PUSHED,)))) == []
