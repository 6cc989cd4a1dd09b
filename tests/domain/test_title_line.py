"""What becomes of a summarizer's answer before it is a line in the sessions list."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.reply import ReplyProblem
from service.domain.title_line import read_title


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("Adds dark mode", "Adds dark mode"),
        ("  Adds dark mode.\n", "Adds dark mode"),
        ('"Adds dark mode."', "Adds dark mode"),
        ("“Adds dark mode”.", "Adds dark mode"),
        ("**Adds dark mode**", "Adds dark mode"),
        ("「ダークモードを追加」。", "ダークモードを追加"),
        ('"Adds dark mode', "Adds dark mode"),
        ("\n\u200b\nAdds dark mode\nand more", "Adds dark mode"),
        ("```\nAdds dark mode\n```", "Adds dark mode"),
        ('"Save" and "Open" in the menu', '"Save" and "Open" in the menu'),
        ("Waits for the build...", "Waits for the build..."),
        ("Adds\tdark\x1b mode", "Adds dark mode"),
    ],
)
def test_one_clean_line(answer: str, line: str) -> None:
    """The first line in which there is something to read, without the quotes and the stop around it."""
    assert read_title(answer) == line


@pytest.mark.parametrize("answer", ["SKIP", "skip.", '"SKIP"', "`SKIP`\n", " Skip "])
def test_nothing_to_say(answer: str) -> None:
    """SKIP, however it is dressed up, is no line."""
    assert read_title(answer) is None


@pytest.mark.parametrize("answer", ["", " \n ", '""', "\u200b", ".", "```\n```"])
def test_nothing_to_read(answer: str) -> None:
    """An answer without anything visible is no answer."""
    assert read_title(answer) is ReplyProblem.UNUSABLE


def test_secrets_are_hidden_before_the_line_is_cut() -> None:
    """A key that begins before the two hundredth character and ends behind it does not stay as a half."""
    key = "sk-ant-api03-" + "aB3" * 30
    line = read_title("x" * 180 + " " + key)
    assert isinstance(line, str)
    assert "sk-ant" not in line
    assert len(line) <= 200


def test_two_hundred_characters_and_no_torn_ones() -> None:
    """A long line is cut between characters, not within a family of emoji."""
    line = read_title("👩‍👩‍👧" * 100)
    assert isinstance(line, str)
    assert len(line) <= 200
    assert line.endswith("👧")


def test_a_gigantic_answer_is_read_in_a_moment() -> None:
    """Ten megabytes of quotes come to a line like any other."""
    assert isinstance(read_title('"' * 10_000_000), str | ReplyProblem)


@settings(max_examples=200)
@given(st.text(st.characters(codec=None), max_size=300))
def test_any_answer_is_read(answer: str) -> None:
    """Whatever a model says: one line of visible text, nothing to say, or no answer; and reading never fails."""
    line = read_title(answer)
    if isinstance(line, str) and not isinstance(line, ReplyProblem):
        assert len(line) <= 200
        assert line.splitlines() == [line]
        line.encode()
