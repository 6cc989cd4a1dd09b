"""What an agent's closing words yield."""

import pytest

from service.summarizers.outline_closing import progress_of, read_closing, steps_of
from service.summarizers.outline_turns import Turn


def turn(reply: str, words: str = "Go on") -> Turn:
    return Turn(1, words, reply, (), None, None)


def steps(reply: str, *, moved_on: bool = False) -> list[str]:
    return steps_of(read_closing(reply), moved_on=moved_on)


def test_progress_is_what_the_reply_states() -> None:
    """Narration, headings, code and questions are left out; the statements stay."""
    told = "## Summary\n\nThe export **streams** its rows. It needs no memory."
    reply = f"Perfect! Let me sum up.\n\n{told}\n\n```py\nx = 1\n```\nAnything else?"
    assert progress_of([turn(reply)]) == ["The export streams its rows.", "It needs no memory."]


def test_a_list_of_results_counts_where_sentences_are_few() -> None:
    """Done. Here's what changed: the list is the news."""
    reply = "Done! Here's what changed:\n\n- Added a column for the tax\n- Removed the old footer\n  - and its styles"
    assert progress_of([turn(reply)]) == ["Added a column for the tax", "Removed the old footer"]


def test_options_are_no_progress() -> None:
    """What the agent laid out to choose from did not happen."""
    options = "There are two options:\n- Drop the first one\n- Drop the second one\n\nWhich do you prefer?"
    reply = f"The tax is computed twice. {options}"
    assert progress_of([turn(reply)]) == ["The tax is computed twice."]


def test_an_announcement_is_no_progress() -> None:
    """A reply that was cut off before its work tells of nothing that is true."""
    assert progress_of([turn("The files have changes. Let me add them all and push:")]) == []


def test_a_corrected_claim_is_dropped() -> None:
    """What the person contradicted is not told as true."""
    turns = [turn("The crash is fixed for good."), turn("The index was off by one.", "no, it still crashes")]
    assert progress_of(turns) == ["The index was off by one."]


def test_a_short_last_reply_is_filled_from_the_one_before() -> None:
    """You're welcome is not where the work stands."""
    assert progress_of([turn("The export streams its rows."), turn("Glad to help!")]) == [
        "The export streams its rows."
    ]


@pytest.mark.parametrize(
    "heading",
    [
        "## Next steps",
        "**Next steps:**",
        "Next steps:",
        "TODO:",
        "Remaining work:",
        "### What's left",
        "Nächste Schritte:",
        "Осталось:",
        "次のステップ:",
        "待办：",
        "Prochaines étapes :",
        "Próximos pasos:",
        "다음 단계:",
        "ขั้นตอนต่อไป:",
    ],
)
def test_lists_headed_so_are_next_steps(heading: str) -> None:
    """What the agent says is left is suggested next, whatever the language of its heading."""
    assert steps(f"The page stands.\n\n{heading}\n- Deploy the page\n2. Tell accounting\n") == [
        "Deploy the page",
        "Tell accounting",
    ]


def test_other_lists_are_not() -> None:
    """A list of what was done is not to be done again."""
    assert steps("Changed files:\n- cart.py\n- tax.py\n\nThat is all.") == []


@pytest.mark.parametrize("heading", ["Next.js:", "**Left sidebar**", "## Remaining budget", "Outstanding results:"])
def test_headings_that_begin_alike_head_no_steps(heading: str) -> None:
    """A heading about something else does not turn its list into work."""
    assert steps(f"{heading}\n- One page\n- Two pages\n\nThat is all.") == []


def test_open_to_do_items_are_next_steps() -> None:
    """Unticked boxes are left to do, ticked ones are not."""
    assert steps("Plan:\n- [x] Add the column\n- [ ] Backfill it") == ["Backfill it"]


def test_a_step_may_stand_on_the_line_of_its_heading() -> None:
    """One step needs no list."""
    assert steps("The page stands.\nNext step: deploy it to staging") == ["deploy it to staging"]


@pytest.mark.parametrize(
    "reply",
    [
        "Done. Next steps:\n- Run the tests\n- Deploy it",
        "All of it is **done**! **Still to do:**\n\n1. Run the tests\n2. Deploy it",
        "完成了。下一步：\n- Run the tests\n- Deploy it",
    ],
)
def test_a_heading_behind_another_sentence_heads_steps_too(reply: str) -> None:
    """What is left to do is suggested next, and is not told as done, where one word stands before its heading."""
    assert steps(reply) == ["Run the tests", "Deploy it"]
    assert not {"Run the tests", "Deploy it"} & set(progress_of([turn(reply)]))


def test_a_step_told_behind_another_sentence() -> None:
    """The statement before it stays one, the step is a step."""
    reply = "The page stands. What is left: deploy it to staging"
    assert steps(reply) == ["deploy it to staging"]
    assert progress_of([turn(reply)]) == ["The page stands."]


def test_a_sentence_that_only_begins_alike_heads_no_steps() -> None:
    """A list behind any other announcement is not to be done."""
    assert steps("The tests pass. I changed these next to them:\n- cart.py\n- tax.py\n\nThat is all.") == []


@pytest.mark.parametrize(
    "offer",
    [
        "Want me to add tests for it?",
        "Soll ich Tests ergänzen?",
        "Хотите, чтобы я добавил тесты?",
        "テストを追加しましょうか？",
        "需要我补充测试吗？",
    ],
)
def test_a_closing_offer_is_marked_as_one(offer: str) -> None:
    """What the agent offers is told apart from what has to be done."""
    assert steps(f"The page stands. {offer}") == [f"Offered: {offer}"]


def test_a_closing_question_waits_for_the_person() -> None:
    """A question about the work is what the person has to answer, options behind it or not."""
    reply = "Two databases fit. Which one should be used?\n\n1. PostgreSQL\n2. SQLite"
    assert steps(reply) == ["Asked: Which one should be used?"]


@pytest.mark.parametrize(
    "close", ["Anything else?", "Let me know if you have questions!", "What would you like to do?"]
)
def test_a_pleasantry_asks_nothing(close: str) -> None:
    """Politeness is neither an offer nor a question about the work."""
    assert steps(f"The page stands. {close}") == []
    assert read_closing(f"The page stands. {close}").question == ""


def test_moving_on_declines_an_offer() -> None:
    """What the person passed over is not open any more, what is left to do is."""
    reply = "Next steps:\n- Deploy it\n\nShall I add tests?"
    assert steps(reply, moved_on=True) == ["Deploy it"]
    assert steps(reply) == ["Deploy it", "Offered: Shall I add tests?"]


def test_steps_are_no_progress() -> None:
    """What is left to do is not told as done."""
    assert progress_of([turn("The new page stands.\n\nNext steps:\n- Deploy the new page")]) == ["The new page stands."]


def test_an_empty_reply_yields_nothing() -> None:
    """Where the agent said nothing there is nothing to tell."""
    assert read_closing("").statements == ()
    assert steps("") == []
