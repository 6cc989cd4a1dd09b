"""pi: one JSON Lines file a session, a tree of entries of which the branch up from the newest counts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service.domain.messages import Origin
from service.sources.conversation import Conversation
from service.sources.kinds import Environ, Place, RowFormat
from service.sources.latest import LatestTime
from service.sources.pi_tools import ToolCalls, typed_command
from service.sources.pi_tree import NOWHERE, EntryTree
from service.sources.session import LastTurn, Session
from service.sources.text import as_stamp, as_text, blocks, headline, text_of

AGENT = "pi"
PICTURE = "[picture without words]"
SUMMARY_LABEL = "[the agent's own summary of the conversation before this file begins]"

_ROLES = frozenset(
    {"user", "assistant", "toolResult", "bashExecution", "custom", "branchSummary", "compactionSummary"}
)
_ENDS = {
    "stop": LastTurn.COMPLETED,
    "length": LastTurn.COMPLETED,
    "aborted": LastTurn.INTERRUPTED,
    "error": LastTurn.FAILED,
}
# Names and marks are given days later, which is no activity.
_MARKS = frozenset({"session_info", "label"})
_SILENT = frozenset(
    {"model_change", "thinking_level_change", "branch_summary", "custom", "custom_message", "leaf"}
) | _MARKS


def claims(row: Mapping[str, Any]) -> bool:
    """Whether a row can only be pi's or OpenClaw's: a header, or an entry that holds a message."""
    if row.get("type") == "session":
        return isinstance(row.get("id"), str) and ("cwd" in row or "version" in row)
    message = row.get("message")
    return row.get("type") == "message" and isinstance(message, dict) and as_text(message.get("role")) in _ROLES


class Speech:
    """How a user text is read; in pi every one is a person's, as it stands."""

    agent = AGENT
    sub_agent = False

    def header(self, row: Mapping[str, Any]) -> None:
        """Takes the header, which may tell whose file it is."""

    def aside(self, row: Mapping[str, Any]) -> None:
        """Takes an entry that is no message."""

    def spoken(self, text: str) -> tuple[str, Origin]:
        """The words in a user text, and who stands behind them."""
        return text.strip(), Origin.PERSON
