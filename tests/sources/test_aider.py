"""Aider's history: runs, prompts among headings, the program's lines, and what they prove."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.messages import FactKind, Origin
from service.sources import aider
from service.sources.aider import FILE_NAME
from service.sources.formats import read_file
from service.sources.session import LastTurn, Session

HEADER = "\n# aider chat started at 2026-03-02 09:00:00\n\n"
NEXT = "\n# aider chat started at 2026-03-02 10:00:00\n\n"
COST = "> Tokens: 1.2k sent, 80 received. Cost: $0.01 message.  \n"


def prompt(words: str) -> str:
    """As the program writes it: every line of a prompt with the mark and a hard line break."""
    return "\n#### " + words.replace("\n", "  \n#### ") + "  \n"


def reply(words: str) -> str:
    return f"\n{words}\n\n"


def sessions(text: str, path: Path = Path("/home/dev/shop") / FILE_NAME) -> tuple[Session, ...]:
    return aider.read(text, path)


def said(text: str) -> list[tuple[str, str]]:
    (session,) = sessions(HEADER + text)
    return [(message.role, message.content) for message in session.messages]


def prompts(text: str) -> list[str]:
    return [words for role, words in said(text) if role == "user"]


# Prompts


def test_prompts_replies_and_the_programs_lines_are_told_apart() -> None:
    """The program's lines are nobody's words."""
    text = "> Aider v0.84.0  \n" + prompt("sort the cart") + reply("Sorted.") + COST + prompt("thanks")
    assert said(text) == [("user", "sort the cart"), ("assistant", "Sorted."), ("user", "thanks")]


def test_each_line_of_a_prompt_belongs_to_it() -> None:
    """Blank lines inside a prompt do not end it; two prompts in a row are two."""
    assert prompts(prompt("one\n\ntwo") + prompt("three")) == ["one\n\ntwo", "three"]


def test_a_heading_inside_a_reply_is_no_prompt() -> None:
    """A reply that is divided into steps stays one reply."""
    words = "The plan:\n\n#### Step 1\n\nSort.\n\n#### Step 2  \n\nTest."
    assert said(prompt("plan it") + reply(words)) == [("user", "plan it"), ("assistant", words)]


def test_a_reply_that_begins_with_a_heading_is_no_prompt() -> None:
    """Only the program ends a heading with a hard line break."""
    assert said(prompt("plan it") + reply("#### Step 1\nSort.")) == [
        ("user", "plan it"),
        ("assistant", "#### Step 1\nSort."),
    ]


def test_quotes_and_headings_in_a_code_fence_are_the_replys() -> None:
    """A file the agent writes may look like a history itself."""
    words = "README.md\n```md\n<<<<<<< SEARCH\n=======\n> a note\n\n#### Usage\n>>>>>>> REPLACE\n```\nDone."
    assert said(prompt("write it") + reply(words) + COST) == [("user", "write it"), ("assistant", words)]


def test_a_fence_that_a_reply_left_open_swallows_no_prompt() -> None:
    """The program's closing line ends the reply, whatever it left open."""
    assert prompts(prompt("one") + reply("```py\nx = 1") + COST + prompt("two")) == ["one", "two"]


def test_the_second_line_of_the_program_is_no_reply() -> None:
    """A prompt behind it is still a prompt."""
    cost = "> Tokens: 4.8k sent, 2.1k cache write, 80 received.  \nCost: $0.02 message, $0.05 session.  \n"
    assert prompts(prompt("one") + reply("a") + cost + prompt("two")) == ["one", "two"]
    assert said("> Warning of\ntwo lines  \n" + prompt("one")) == [("user", "one")]


@pytest.mark.parametrize(
    "words",
    [
        "/add cart.py",
        "/run pytest",
        "/ask",
        "/asking why",
        "!ls",
        "y",
        "N",
        "<blank>",
        "Add it? (Y)es/(N)o [Yes]: y",
        "",
    ],
)
def test_commands_and_answers_are_no_prompts(words: str) -> None:
    """What was said to the program was not said to the agent."""
    assert prompts(prompt(words) + "> done  \n" + prompt("sort")) == ["sort"]


@pytest.mark.parametrize("command", ["/ask", "/code", "/architect"])
def test_commands_that_carry_a_prompt_are_one(command: str) -> None:
    """Their words are the person's."""
    assert prompts(prompt(f"{command} why is it slow?")) == ["why is it slow?"]


@pytest.mark.parametrize("start", ['Find the "AI" comments below', "I've written your instructions in comments"])
def test_what_the_file_watch_sends_is_automation(start: str) -> None:
    """The program wrote it, so it is kept and not counted."""
    (session,) = sessions(HEADER + prompt(f"{start} in the code.") + reply("Done."))
    assert session.messages[0].origin is Origin.AUTOMATION
    assert session.unprompted == "only programs spoke"


# Runs


def test_each_run_is_a_session() -> None:
    """A run in which nobody spoke is listed with the reason."""
    first, second, third = sessions(
        HEADER + prompt("one") + reply("a") + COST + NEXT + "> Aider  \n" + NEXT + prompt("two")
    )
    assert [one.user_turns for one in (first, second, third)] == [1, 0, 1]
    assert second.unprompted == "opened, never used"
    assert (first.title, first.last_activity) == ("one", "2026-03-02T09:00:00+00:00")
    assert first.messages[0].ts == "2026-03-02 09:00:00"


def test_runs_have_ids_that_stay() -> None:
    """A run appended later changes no earlier id; two of the same second are two."""
    runs = HEADER + prompt("one") + NEXT + prompt("two") + NEXT + prompt("three")
    assert [one.key for one in sessions(runs)] == [
        "aider:shop-2026-03-02-09-00-00",
        "aider:shop-2026-03-02-10-00-00",
        "aider:shop-2026-03-02-10-00-00-2",
    ]
    assert [one.key for one in sessions(runs)[:2]] == [one.key for one in sessions(runs[: runs.rindex("\n# aider")])]


def test_words_before_the_first_run_are_not_lost() -> None:
    """A history whose beginning was cut off still tells of the prompts that are left."""
    text = "> Aider  \n" + prompt("one") + HEADER + prompt("two")
    assert [one.user_turns for one in sessions(text)] == [1, 1]


def test_the_project_is_the_repository() -> None:
    """The folder of the history, or what the program says where the file was saved elsewhere."""
    text = HEADER + "> Git working dir: /home/dev/store  \n" + prompt("one")
    assert sessions(text)[0].project == "/home/dev/shop"
    assert sessions(text, Path("/home/dev/saved.md"))[0].project == "/home/dev/store"


# The end of a turn


@pytest.mark.parametrize(
    ("text", "last_turn"),
    [
        ("", LastTurn.NONE),
        (prompt("one"), LastTurn.WORKING),
        (prompt("one") + reply("Done.") + COST, LastTurn.REPLIED),
        (prompt("one") + reply("Wor\n^C KeyboardInterrupt"), LastTurn.INTERRUPTED),
        (prompt("one") + "> ^C KeyboardInterrupt  \n", LastTurn.INTERRUPTED),
        (prompt("one") + "> litellm.BadRequestError: no such model  \n> ^C again to exit  \n", LastTurn.FAILED),
        (prompt("one") + reply("Done.") + COST + "> ^C again to exit  \n", LastTurn.REPLIED),
    ],
)
def test_the_last_lines_tell_how_the_turn_stands(text: str, last_turn: LastTurn) -> None:
    """There is no end marker: a reply is complete once it stays quiet."""
    assert sessions(HEADER + text)[-1].last_turn is last_turn


@pytest.mark.parametrize(
    ("text", "last_turn"),
    [
        (prompt("one") + reply("Done."), LastTurn.COMPLETED),
        (prompt("one"), LastTurn.INTERRUPTED),
        ("", LastTurn.NONE),
    ],
)
def test_a_run_that_another_follows_is_over(text: str, last_turn: LastTurn) -> None:
    """A program that was started again is not at work in the run before."""
    assert sessions(HEADER + text + NEXT)[0].last_turn is last_turn


# What the program's lines prove


def test_edits_and_commits_are_facts() -> None:
    """What was applied is told, what was not is not, and a quote in a fence proves nothing."""
    notices = (
        "> Applied edit to cart.py  \n> Did not apply edit to a.py (--dry-run)  \n> Creating empty file new.py  \n"
        "> Commit 1a2b3c4 feat: sort the cart  \n> Commit everything first  \n"
    )
    (session,) = sessions(HEADER + prompt("sort") + reply("```\n> Commit\n```\nDone.") + notices)
    facts = [(fact.kind, fact.text) for message in session.messages for fact in message.facts]
    assert facts == [
        (FactKind.EDITED, "cart.py"),
        (FactKind.EDITED, "new.py"),
        (FactKind.COMMITTED, "1a2b3c4 feat: sort the cart"),
    ]


# Runs


def runs(text: str) -> list[list[str]]:
    return [[one.content for one in session.messages if one.by_person] for session in sessions(HEADER + text)]


@pytest.mark.parametrize("fence", ["```", "````"])
def test_a_run_header_in_a_closed_code_block_begins_no_session(fence: str) -> None:
    """A reply that shows what a history looks like is one reply, however many headers it shows."""
    block = f"{fence}md\n{NEXT}#### sort the cart\n{NEXT}{fence}"
    assert runs(prompt("how does it look?") + reply(f"So:\n\n{block}\n\nThat is all.") + COST) == [
        ["how does it look?"]
    ]


@pytest.mark.parametrize(
    "next_run",
    [
        "> Aider v0.84.0  \n" + prompt("two") + reply("```\nx = 2\n```"),
        prompt("two") + reply("```\nx = 2\n```"),
        "",
        NEXT + "> Aider v0.84.0  \n" + prompt("two"),
    ],
)
def test_a_code_block_that_was_never_closed_swallows_no_session(next_run: str) -> None:
    """A reply that broke off inside a code block ends with its run, whatever blocks follow in others."""
    expected = [one for one in runs(next_run) if one] or [[]]
    assert [one for one in runs(prompt("one") + reply("```py\nx = 1") + NEXT + next_run)[1:] if one] == [
        one for one in expected if one
    ]
    assert len(runs(prompt("one") + reply("```py\nx = 1") + NEXT + next_run)) == 1 + len(runs(next_run))


# Files


def test_a_history_is_recognised_by_its_content(tmp_path: Path) -> None:
    """Windows line ends and another name do not matter; a text that mentions a run is no history."""
    path = tmp_path / "saved.txt"
    path.write_bytes((HEADER + prompt("sort") + reply("Done.")).replace("\n", "\r\n").encode())
    found = read_file(path)
    assert found.format == "aider"
    assert found.session is not None
    assert [one.content for one in found.session.messages] == ["sort", "Done."]
    assert not aider.claims("see: # aider chat started at noon")


pieces = st.sampled_from(
    [
        "# aider chat started at 2026-03-02 09:00:00",
        "#### one  ",
        "#### two",
        "####",
        "> x",
        ">",
        "```",
        "words",
        "",
        "> Tokens: 1",
        "\ud83d",
    ]
)


@settings(max_examples=100)
@given(st.lists(pieces, max_size=25))
def test_no_history_is_an_error_and_no_run_is_lost(lines: list[str]) -> None:
    """Whatever the text, each run header outside a closed code block gives one session."""
    headers, found = sum(line.startswith("# aider") for line in lines), len(sessions("\n".join(lines)))
    assert found <= headers + 1
    assert headers <= found or lines.count("```") > 1
