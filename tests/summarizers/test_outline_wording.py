"""Titles and opening words."""

import pytest

from service.domain.messages import Fact, FactKind
from service.summarizers.outline_turns import Turn
from service.summarizers.outline_wording import intent_of, origin_of, title_of


def turn(words: str, *facts: Fact, reply: str = "", number: int = 1) -> Turn:
    return Turn(number, words, reply, facts, None, None)


def commit(text: str) -> Fact:
    return Fact(FactKind.COMMITTED, text)


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (
            "Hey, could you please add a CSV export to the orders page? It is urgent.",
            "Add a CSV export to the orders page",
        ),
        ("ok so now I want you to rename `fetch_all` everywhere", "Rename fetch_all everywhere"),
        ("fetch_all is slow with many orders", "fetch_all is slow with many orders"),
        ("Kannst du bitte die Rechnungen als PDF erzeugen?", "Die Rechnungen als PDF erzeugen"),
        ("Привет! Добавь в бота напоминания", "Добавь в бота напоминания"),
        ("帮我给库存页面加一个低库存预警。要快。", "给库存页面加一个低库存预警"),
        ("次に、祝日を表示してください。急ぎません。", "祝日を表示してください"),
        ("review https://example.com/shop/orders/pull/12 for me", "Review pull/12 for me"),
        ("look at /srv/shop/orders/export.py, the dates are wrong", "Look at export.py, the dates are wrong"),
        ("/fix the tax bug", "/fix the tax bug"),
        ("Implement the following plan:\n\n# Monthly CSV export\n\nDetails", "Monthly CSV export"),
        ("Completely different topic, which wine goes with risotto?", "Which wine goes with risotto"),
        ("Next topic: translate the imprint", "Translate the imprint"),
        ("何ができる？", "何ができる？"),
    ],
)
def test_a_title_is_the_persons_first_sentence_without_filler(words: str, title: str) -> None:
    """Greetings, politeness and folders are gone; the wish is left in its own words."""
    assert title_of([turn(words)]) == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("4be1c20 feat(orders): add a monthly export (#12)", "Add a monthly export"),
        ("4be1c20 Add a monthly export", "Add a monthly export"),
        ("Add a monthly export", "Add a monthly export"),
    ],
)
def test_the_only_commit_names_the_goal(text: str, title: str) -> None:
    """One commit says best what it was about, without its hash, type and number."""
    assert title_of([turn("do the export thing we spoke of", commit(text))]) == title


@pytest.mark.parametrize("texts", [("1111111 One", "2222222 Two"), ("1111111 fixup! Round prices",), ("1111111 wip",)])
def test_other_commits_name_nothing(texts: tuple[str, ...]) -> None:
    """Two commits, or one that amends another, leave the person's words."""
    assert title_of([turn("Round the prices", *map(commit, texts))]) == "Round the prices"


def test_a_log_is_no_title() -> None:
    """Words below a pasted log name the goal."""
    log = "ERROR: disk full\n  at write (disk.js:1:2)\nplease free the disk of node seven"
    assert title_of([turn(log)]) == "Free the disk of node seven"


def test_a_vague_order_gives_way_to_a_telling_one() -> None:
    """ "Fix this" names the goal only where nobody ever says more."""
    assert (
        title_of([turn("fix this"), turn("the tax of Danish orders is wrong")]) == "The tax of Danish orders is wrong"
    )
    assert title_of([turn("pls fix the thing")]) != ""


def test_a_long_title_is_cut_at_a_word() -> None:
    """A title fits the list whatever was typed."""
    title = title_of([turn("Change " + "everything about warehouses " * 20)])
    assert len(title) <= 81
    assert title.endswith("…")


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (
            "Before we go on with the import of the old orders, we need to check that every order has a customer",
            "Check that every order has a customer",
        ),
        (
            "Make the export of orders (and later the one of invoices and reminders, if there is time) skip empty rows",
            "Make the export of orders skip empty rows",
        ),
        (
            "Look at the failing build on the main branch, it started after the merge and nobody knows why it breaks",
            "Look at the failing build on the main branch",
        ),
    ],
)
def test_a_long_title_is_cut_at_a_clause(words: str, title: str) -> None:
    """Asides and what only leads up go first; what is left is whole."""
    assert title_of([turn(words)]) == title


@pytest.mark.parametrize(
    "words", ["yes, do it", "go on", "fix typo", "commit this", "option 2 please", "weiter", "继续"]
)
def test_a_bare_follow_up_is_no_title(words: str) -> None:
    """Where the person's words name nothing the agent's first sentence does."""
    assert title_of([turn(words, reply="The lock file is in place now.")]) == "The lock file is in place now"


def test_a_mistyped_word_set_right_is_no_title() -> None:
    """The goal is named by what was asked, not by the correction of its typing."""
    assert title_of([turn("*exports"), turn("the exports must skip empty rows")]) == "The exports must skip empty rows"


def test_a_command_is_a_title() -> None:
    """A command says what is wanted in one word."""
    assert title_of([turn("/init", reply="The guide of the project stands.")]) == "/init"


def test_the_goal_starts_with_words_of_substance() -> None:
    """A greeting, a correction or an order to ship is not what the work was for."""
    turns = [turn("hi", number=1), turn("commit this", number=2), turn("Round the prices of the cart", number=3)]
    assert origin_of(turns).number == 3
    assert intent_of(turns) == "Round the prices of the cart"


def test_the_reason_keeps_the_sentences_that_give_it() -> None:
    """Why the work started is told with the words that say so, without pasted material."""
    words = "Add a CSV export. Accounting wants to download a month.\n```\nlog\n```\n## Details\nmore"
    assert intent_of([turn(words)]) == "Add a CSV export. Accounting wants to download a month."
