"""Commands and drafts that stand in the fences of a reply."""

import pytest

from service.summarizers.outline_fences import draft_in, with_commands


def test_a_single_command_joins_the_words_that_ask_for_it() -> None:
    """What is to be run stands beside "run"."""
    reply = "All done. To apply it, run:\n\n```bash\nmake migrate\n```\n"
    assert with_commands(reply).strip() == "All done. To apply it, run: make migrate"


@pytest.mark.parametrize(
    "reply",
    [
        "The run printed this:\n```\n3 passed\n0 failed\n```",
        "The tests said:\n```\n3 passed\n```",
        "It is run like this:\n```python\nmain()\n```",
    ],
)
def test_output_and_code_stay_where_they_are(reply: str) -> None:
    """Nothing that a program printed becomes the agent's words."""
    assert with_commands(reply) == reply


@pytest.mark.parametrize(
    ("reply", "draft"),
    [
        ("```\nTitle: Move the price rules\n\nThey live in a module.\n```", "Move the price rules"),
        ("Here is the message:\n\n```text\nWe move on Monday.\nBring boxes.\n```\n", "We move on Monday."),
        ("Hier der Entwurf:\n```\nWir ziehen am Montag um.\n```", "Wir ziehen am Montag um."),
        ("Here is the message:\n```\nWe move on Monday.\n```\nI sent it to all.", ""),
        ("The log says:\n```\nall workers have stopped now\n```", ""),
        ("```\nconst total = items.reduce(add, 0);\n```", ""),
        ("```python\nprint the words of it\n```", ""),
        ("The page stands.", ""),
        ("```", ""),
    ],
)
def test_a_text_the_reply_ends_on_is_a_draft(reply: str, draft: str) -> None:
    """A text laid before the person is known by its first line; code, output and what was sent are none."""
    assert draft_in(reply) == draft
