"""How a command line falls into words."""

import pytest

from service.domain.shell_words import Kind, tokenize


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a 'b c' \"d e\" f\\ g", ["a", "b c", "d e", "f g"]),
        ("a''b\"\" $'x\\'y'", ["ab", "x\\'y"]),
        ('"a \\" \\$ \\n"', ['a " $ \\n']),
        ('x "$(cat <<\'E\'\ndon\'t ) "q"\nE\n)" y', ["x", "$(cat <<'E'\ndon't ) \"q\"\nE\n)", "y"]),
        ("a${b} `c d` $(e $(f ')') )", ["a${b}", "`c d", "$(e $(f ')') )"]),
        ("a#b # c", ["a#b"]),
        ("a 2>&1 >out <in 3 &>all b", ["a", "3", "b"]),
        ("a <<< word b", ["a", "b"]),
        ("x=(1 2) y", ["x=(1 2)", "y"]),
    ],
)
def test_words_lose_quotes_comments_and_redirections(text: str, words: list[str]) -> None:
    """What is left is what the program would be given, substitutions unread."""
    assert [token.text for token in tokenize(text).tokens] == words


@pytest.mark.parametrize("text", ["'", '"', "$(", "`", "${a", "<<E\nx", "<(a", "a=(", '"$(', "$'a"])
def test_what_is_never_closed_makes_the_line_torn(text: str) -> None:
    """Nobody takes such a line for a whole one."""
    assert tokenize("a " + text).torn


def test_several_heredocs_of_a_line_are_left_out() -> None:
    """Only the commands around the bodies are left."""
    line = tokenize("a <<X <<-'Y' && b\n1\nX\n2 '\n\tY\nc")
    assert [token.text for token in line.tokens if token.kind is not Kind.OPERATOR] == ["a", "b", "c"]
    assert not line.torn
