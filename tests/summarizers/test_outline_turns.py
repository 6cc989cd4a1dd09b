"""Messages gathered into user turns."""

from service.domain.messages import Fact, FactKind, Message, Origin
from service.summarizers.outline_turns import closing_text, turns_of


def _said(role: str, content: str, *facts: Fact, ts: str | None = None) -> Message:
    return Message(role, content, Origin.PERSON if role == "user" else Origin.ASSISTANT, ts, facts)


def test_a_turn_closes_with_the_agents_last_words() -> None:
    """What the agent said on its way is not what came of it."""
    (turn,) = turns_of(
        [_said("user", "Fix it"), _said("assistant", "Let me look."), _said("assistant", "It is fixed.")]
    )
    assert turn.reply == "It is fixed."


def test_the_answer_to_a_scheduled_job_closes_nothing() -> None:
    """What the agent tells a timer is not what came of the person's request; what it tells a finished job may be."""
    said = [_said("user", "Fix it"), _said("assistant", "It is fixed.")]
    cron = Message("user", "[cron notification] nightly report", Origin.AUTOMATION)
    job = Message("user", "[subagent completion event] done", Origin.AUTOMATION)
    (turn,) = turns_of([*said, cron, _said("assistant", "Nothing to report.")])
    assert turn.reply == "It is fixed."
    (turn,) = turns_of([*said, cron, _said("assistant", "Nothing."), job, _said("assistant", "And it is deployed.")])
    assert turn.reply == "And it is deployed."


def test_facts_of_all_messages_belong_to_the_turn() -> None:
    """A commit made after a notification counts for the request before it."""
    commit = Fact(FactKind.COMMITTED, "abc1234 Fix")
    wake = Message("user", "[monitor wake]", Origin.AUTOMATION, None, (commit,))
    (turn,) = turns_of([_said("user", "Fix it"), wake])
    assert turn.facts == (commit,)
    assert turn.shipped


def test_what_came_before_the_first_prompt_is_no_turn() -> None:
    """An agent's greeting opens nothing."""
    assert [turn.number for turn in turns_of([_said("assistant", "Hi"), _said("user", "Go"), _said("tool", "x")])] == [
        1
    ]


def test_a_resend_is_equal_but_for_blanks() -> None:
    """The same words in other line breaks are the same request."""
    turns = turns_of([_said("user", "Fix  the\nparser"), _said("user", "Fix the parser"), _said("user", "Fix it")])
    assert [turn.resend for turn in turns] == [False, True, False]


def test_a_turn_lasts_until_its_last_message_with_a_time() -> None:
    """The pause before the next turn is counted from the agent's last sign, not from the prompt."""
    (turn,) = turns_of([_said("user", "Go", ts="2026-03-02T09:00:00Z"), _said("assistant", "Done", ts="1772445600")])
    assert turn.began is not None
    assert turn.ended is not None
    assert (turn.ended - turn.began).total_seconds() == 3600


def test_the_close_of_a_goal_is_its_last_reply() -> None:
    """A last turn that was never answered leaves the words before it standing."""
    assert closing_text(turns_of([_said("user", "Go"), _said("assistant", "Done."), _said("user", "More")])) == "Done."


def test_a_huge_reply_keeps_both_ends() -> None:
    """The opening and the close of a reply are what says what came of it."""
    (turn,) = turns_of([_said("user", "Go"), _said("assistant", "Opening " + "x" * 50_000 + " close")])
    assert turn.reply.startswith("Opening")
    assert turn.reply.endswith("close")
    assert len(turn.reply) < 10_000
