"""The greatest of many times: rows are not written in the order of their times."""

from datetime import datetime

from service.domain.times import parse_time
from service.sources.text import as_stamp


class LatestTime:
    """Takes row times of any shape and keeps the greatest valid one."""

    def __init__(self) -> None:
        self._text = ""
        self._moment: datetime | None = None

    def note(self, value: object) -> None:
        text = as_stamp(value)
        if text is None or self._is_earlier(text):
            return
        moment = parse_time(text)
        if moment is not None and (self._moment is None or moment > self._moment):
            self._text, self._moment = text, moment

    @property
    def iso(self) -> str | None:
        """ISO 8601 in UTC, None before the first valid time."""
        return self._moment.isoformat() if self._moment else None

    def _is_earlier(self, text: str) -> bool:
        """UTC times of one shape sort as text, which saves parsing nearly every row."""
        return len(text) == len(self._text) and text.endswith("Z") and self._text.endswith("Z") and text <= self._text
