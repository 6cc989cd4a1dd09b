"""The rows of a Codex rollout: in envelopes, and bare as the versions of 2025 wrote them."""

from collections.abc import Mapping
from typing import Any

from service.sources.codex_tools import CALLS, OUTPUTS
from service.sources.text import as_text

ENVELOPES = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})
_BARE_ITEMS = CALLS | OUTPUTS | {"message", "reasoning", "web_search_call", "ghost_snapshot"}


def is_bare_header(row: Mapping[str, Any]) -> bool:
    """Whether a row is the first of a rollout without envelopes."""
    return "type" not in row and {"id", "timestamp"} <= row.keys() and ("instructions" in row or "git" in row)


def unwrapped(row: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    """The kind of a row and what it holds, None for a row of no known kind."""
    kind, payload = as_text(row.get("type")), row.get("payload")
    if kind in ENVELOPES:
        return kind, payload if isinstance(payload, Mapping) else {}
    if kind in _BARE_ITEMS:
        return "response_item", row
    if row.get("record_type") == "state":
        return "state", {}
    return ("session_meta", row) if is_bare_header(row) else None
