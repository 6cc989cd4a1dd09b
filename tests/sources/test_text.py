"""How agents' words are cut, never through a secret, and which of their times are times."""

from pathlib import Path
from typing import Any

import pytest

from service.domain.facts import one_line
from service.sources.claude_code import ClaudeCodeReader
from service.sources.codex import CodexReader
from service.sources.copilot import CopilotReader
from service.sources.gemini import GeminiReader
from service.sources.kirocrew import KiroCrewReader
from service.sources.pi import PiReader
from service.sources.session import Reader
from service.sources.text import headline, iso_stamp, shortened

TOKEN = "gh" + "p_" + "k7Qx2Wm9ZrT4vHn1LsB8dYf3GpJ6cXq0RtUa"


@pytest.mark.parametrize("before", range(60, 140, 7))
def test_a_title_shows_no_part_of_a_token(before: int) -> None:
    """Wherever the cut falls, a title holds the mark of the token or nothing of it."""
    title = headline("see the fork " * 10 + "x" * (before % 11) + " " + TOKEN + " for details") or ""
    assert TOKEN[4:16] not in title


@pytest.mark.parametrize("shift", range(0, 60, 7))
def test_a_long_text_is_not_cut_through_a_token(shift: int) -> None:
    """Head and tail of a shortened text end and begin between words."""
    text = "word " * 39 + "y" * shift + " " + TOKEN + " " + "word " * 200
    assert TOKEN[4:20] not in shortened(text, 440) or TOKEN in shortened(text, 440)


@pytest.mark.parametrize("text", [" " * 1_968 + TOKEN, "go " + " " * 1_960 + TOKEN, TOKEN[:9] + "\u2066" + TOKEN[9:]])
def test_a_line_shows_no_part_of_a_token(text: str) -> None:
    """Blanks that are collapsed and signs that are dropped put no token together and cut none in two."""
    assert TOKEN[9:25] not in one_line(text, 200)


@pytest.mark.parametrize("number", ["1772442000", "1772442000123", "-5", "1.5", "20260302", " 17 ", "1e9", "1_000"])
def test_a_number_in_a_string_is_no_time(number: str) -> None:
    """Where a format writes dates, digits stand for something else."""
    assert iso_stamp(number) is None


@pytest.mark.parametrize("time", ["2026-03-02T09:00:00Z", "2026-03-02T09:00:00.123+05:30", "20260302T090000Z"])
def test_a_date_is_a_time(time: str) -> None:
    """With a zone or an offset, long and short."""
    assert iso_stamp(time) == time


_CLAUDE = {"type": "user", "uuid": "u", "timestamp": "", "message": {"content": "go"}}
_CODEX = {"type": "event_msg", "timestamp": "", "payload": {"type": "user_message", "message": "go"}}
_COPILOT = {"type": "user.message", "id": "e", "timestamp": "", "data": {"content": "go"}}
_GEMINI = {"type": "user", "id": "1", "timestamp": "", "content": "go"}
_PI = {"type": "message", "id": "1", "timestamp": "", "message": {"role": "user", "content": "go"}}
_KIROCREW = {"role": "user", "content": "go", "ts": ""}


@pytest.mark.parametrize(
    ("reader", "row"),
    [
        (ClaudeCodeReader(Path("s")), _CLAUDE),
        (CodexReader(Path("s")), _CODEX),
        (CopilotReader(Path("s")), _COPILOT),
        (GeminiReader(Path("s")), _GEMINI),
        (PiReader(Path("s")), _PI),
        (KiroCrewReader(Path("s")), _KIROCREW),
    ],
)
def test_a_session_was_not_active_at_a_number(reader: Reader, row: dict[str, Any]) -> None:
    """A row whose time is digits keeps its words, and has no time."""
    reader.add({name: "4102444800" if value == "" else value for name, value in row.items()})
    session = reader.session()
    assert [(message.content, message.ts) for message in session.messages] == [("go", None)]
    assert session.last_activity is None
