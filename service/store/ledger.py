"""The ledger of passes: what each attempt came to, and what it cost."""

from dataclasses import dataclass
from enum import StrEnum

import sqlalchemy as sa

from service.store.engine import Read, Write
from service.store.tables import Pass, Slot, Transcript

DAY_SECONDS = 24 * 3600
SKIPS_KEPT_SECONDS = 30 * DAY_SECONDS


class Trigger(StrEnum):
    """What set a pass off."""

    TURN_END = "turn_end"
    REQUEST = "request"
    TITLE = "title"


class Outcome(StrEnum):
    """How a pass ended."""

    STORED = "stored"
    SKIPPED = "skipped"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Entry:
    """One pass: `cost_usd` is None where no price is known; times are epoch seconds."""

    transcript_key: str
    slot: str
    trigger: Trigger
    outcome: Outcome
    reason: str | None
    started_at: float
    seconds: float
    model: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float | None = None


async def record(write: Write, entry: Entry) -> None:
    """Writes the entry; where the session was deleted meanwhile the row names nothing of it."""
    values = {name: getattr(entry, name) for name in Entry.__slots__}
    values["transcript_key"] = sa.select(Transcript.key).where(Transcript.key == entry.transcript_key).scalar_subquery()
    values["slot"] = sa.select(Slot.key).where(Slot.key == entry.slot).scalar_subquery()
    await write.execute(sa.insert(Pass).values(values))


def day_start(now: float) -> float:
    """Midnight (UTC) before `now`, when a day's token budget opens."""
    return now - now % DAY_SECONDS


async def tokens_since(read: Read, since: float) -> int:
    """Every token that passes used from `since` on, cached ones too."""
    every = Pass.input_tokens + Pass.output_tokens + Pass.cache_read_tokens + Pass.cache_write_tokens
    return int(
        await read.scalar(sa.select(sa.func.coalesce(sa.func.sum(every), 0)).where(Pass.started_at >= since)) or 0
    )


async def prune_skips(write: Write, now: float) -> None:
    """Skips are kept for 30 days; everything that may have cost something is kept."""
    old = Pass.started_at < now - SKIPS_KEPT_SECONDS
    await write.execute(sa.delete(Pass).where(Pass.outcome == Outcome.SKIPPED.value, old))
