"""Where a forked Codex rollout stops repeating its parent and its own rows begin."""

import uuid
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from service.domain.times import parse_time
from service.sources.text import as_text, iso_stamp

# The parent's rows are copied at once, all with the time of the fork's birth.
_COPYING = timedelta(seconds=1)


class ForkPoint:
    """Says of each row whether it is the parent's; turn ids keep their time of birth when they are copied."""

    def __init__(self, meta: Mapping[str, Any], row_time: object) -> None:
        self._own_id = as_text(meta.get("id"))
        self._born_ms = _birth_of_id(self._own_id)
        self._born = parse_time(iso_stamp(meta.get("timestamp")) or iso_stamp(row_time))
        self._turn_ids = False
        self.inherited = bool(as_text(meta.get("forked_from_id")))

    def pass_row(self, kind: str, payload: Mapping[str, Any], row_time: object) -> bool:
        """Takes the next row after the header; from the one on that shows it, rows are the fork's own.

        True if the row shows that it and all before it are the parent's.
        """
        if not self.inherited:
            return False
        turn_ms = _birth_of_id(as_text(payload.get("turn_id")))
        if turn_ms is not None and self._born_ms is not None:
            self._turn_ids = True
            self.inherited = turn_ms < self._born_ms
            return self.inherited
        if not self._turn_ids:
            is_own_header = kind == "session_meta" and payload.get("id") == self._own_id
            self.inherited = not (is_own_header or self.is_later(row_time))
        return False

    def is_later(self, row_time: object) -> bool:
        """Whether something happened after the copying."""
        moment = parse_time(iso_stamp(row_time))
        return moment is not None and self._born is not None and moment > self._born + _COPYING


def _birth_of_id(text: str) -> int | None:
    """Milliseconds since the epoch in a UUID of version 7, None for anything else."""
    try:
        parsed = uuid.UUID(text)
    except ValueError:
        return None
    return parsed.int >> 80 if parsed.version == 7 else None
