"""Messages under role `user` that nobody typed."""

import pytest

from service.domain.automation import is_automation, origin_of
from service.domain.messages import Origin

STARTS = [
    "[cron notification",
    "[subagent completion event]",
    "[subagent batch completion event]",
    "[auto-nudge cycle",
    "[monitor wake]",
    "[tool refusal",
    "[tool stall",
    "=== restored context",
    "[system]",
]


@pytest.mark.parametrize("start", STARTS)
def test_each_known_start_marks_automation(start: str) -> None:
    """A scheduled job, a nudge or a restored context is not taken for the person."""
    assert is_automation(f"{start} and more text")


@pytest.mark.parametrize("start", STARTS)
def test_leading_blanks_and_letter_case_do_not_hide_automation(start: str) -> None:
    """The same text indented or in capitals is still not the person's."""
    assert is_automation(f" \n\t\u00a0{start.upper()} x")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "please read [system] first",
        "[systems] are down",
        "[cron] job failed",
        "== restored context",
        "system",
    ],
)
def test_other_words_are_the_persons(text: str) -> None:
    """A person may write about automation without being taken for it."""
    assert not is_automation(text)


@pytest.mark.parametrize(
    ("role", "content", "origin"),
    [
        ("user", "add a test", Origin.PERSON),
        ("user", "[Monitor Wake] disk is full", Origin.AUTOMATION),
        ("assistant", "[system] is what I read", Origin.ASSISTANT),
        ("tool", "add a test", Origin.AUTOMATION),
    ],
)
def test_role_with_text_tells_who_stands_behind_a_message(role: str, content: str, origin: Origin) -> None:
    """A host's message counts as a user turn only where a person typed it."""
    assert origin_of(role, content) is origin
