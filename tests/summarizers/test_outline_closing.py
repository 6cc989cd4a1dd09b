"""What an agent's closing words yield."""

import pytest

from service.summarizers.outline_closing import progress_of, read_closing
from service.summarizers.outline_turns import Turn


def turn(reply: str, words: str = "Go on") -> Turn:
    return Turn(1, words, reply, (), None, None)


def steps(reply: str) -> list[str]:
    return list(read_closing(reply).steps)


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


def test_steps_are_no_progress() -> None:
    """What is left to do is not told as done."""
    assert progress_of([turn("The new page stands.\n\nNext steps:\n- Deploy the new page")]) == ["The new page stands."]


def test_what_waits_is_no_progress() -> None:
    """What the person is asked to do is not told as done."""
    assert progress_of([turn("The new page stands. Please restart the server.")]) == ["The new page stands."]


def test_a_heading_above_a_block_breaks_nothing_off() -> None:
    """What a fence shows behind a colon was said to its end."""
    closing = read_closing("The page stands. It uses this query:\n\n```sql\nselect 1\n```")
    assert closing.statements == ("The page stands.",)
    assert closing.announced == ""


@pytest.mark.parametrize(
    "reply",
    [
        "Reading the parser first.",
        "The tests pass. Now let me look at the page:",
        "I see two callers. I'll change both.",
        "The branch exists, tests next.",
        "Ich schaue mir zuerst den Parser an.",
        "Сейчас посмотрю парсер.",
        "まず設定を確認します。",
        "让我先看一下解析器。",
        "## Changes",
        "I haven't run the tests yet. Let me run them now:",
    ],
)
def test_a_reply_that_ends_on_what_comes_next_was_cut(reply: str) -> None:
    """Who reads it knows that the work was only begun."""
    assert read_closing(reply).announced


@pytest.mark.parametrize(
    "reply",
    [
        "The page stands.",
        "Nothing is missing.",
        "Running it takes a minute.",
        "Let me know when the key is there.",
        "I'll need your key for that.",
        "Two ways are left. Which one?\n- Running it each night\n- Checking it by hand",
        "設定を直しました。",
    ],
)
def test_a_reply_that_was_said_to_its_end_was_not(reply: str) -> None:
    """Statements, requests and what only begins alike break nothing off."""
    assert read_closing(reply).announced == ""


@pytest.mark.parametrize(
    ("reply", "proposed"),
    [
        ("Two ways fit:\n- Files\n- A database\n\nI recommend files.", "I recommend files."),
        ("This is the plan:\n1. Split it\n2. Move it\n\nNothing is changed.", "This is the plan"),
        ("I recommend files.", ""),
        ("Done:\n- Split it\n- Moved it", ""),
    ],
)
def test_a_plan_or_choice_is_proposed(reply: str, proposed: str) -> None:
    """A list that a plan or recommendation goes with is laid before the person."""
    assert read_closing(reply).proposed == proposed


def test_an_empty_reply_yields_nothing() -> None:
    """Where the agent said nothing there is nothing to tell."""
    assert read_closing("").statements == ()
    assert steps("") == []
