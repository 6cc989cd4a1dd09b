"""Timestamps as callers give them: ISO 8601 with or without offset, epoch seconds, epoch milliseconds."""

from datetime import UTC, datetime

# Epoch values from here on are milliseconds: as seconds they would lie beyond the year 5000.
_FIRST_MILLISECONDS = 100_000_000_000


def parse_time(ts: str | None) -> datetime | None:
    """The instant in UTC, or None where the text is no valid time; a time without an offset counts as UTC."""
    if not ts:
        return None
    try:
        return _from_number(float(ts))
    except (ValueError, OverflowError, OSError):
        return _from_iso(ts.strip())


def _from_number(value: float) -> datetime:
    seconds = value / 1000 if abs(value) >= _FIRST_MILLISECONDS else value
    return datetime.fromtimestamp(seconds, UTC)


def _from_iso(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
