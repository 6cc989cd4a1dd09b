"""The ledger as it is shown: passes a page at a time, newest first, and totals over all that match."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from service.store.access import Caller, visible_to
from service.store.cursors import BadCursorError
from service.store.engine import Read
from service.store.ledger import DAY_SECONDS, day_start, tokens_since
from service.store.tables import Pass, Slot


@dataclass(frozen=True, slots=True)
class WantedPasses:
    """Which part of the ledger; `since` is in epoch seconds, `after` an earlier page's cursor."""

    limit: int
    slot: str | None = None
    since: float | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class PassRow:
    """One pass; a deleted session's rows name no slot."""

    id: int
    slot: str | None
    trigger: str
    outcome: str
    reason: str | None
    model: str | None
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cost_usd: float | None
    started_at: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over everything that matches, whatever the page; `unpriced` passes used tokens no price is known for."""

    passes: int
    stored: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cost_usd: float
    unpriced: int


@dataclass(frozen=True, slots=True)
class Usage:
    """A page of passes, and the cursor of the next one: None on the last."""

    passes: Sequence[PassRow]
    totals: Totals
    next: str | None


@dataclass(frozen=True, slots=True)
class Budget:
    """A day's tokens over all sessions: the cap, what is used of it, and when they are counted anew (epoch seconds)."""

    tokens: int
    used: int
    resets_at: float


async def read_budget(read: Read, tokens: int, now: float) -> Budget | None:
    """How the day stands; None where there is no cap."""
    if not tokens:
        return None
    start = day_start(now)
    return Budget(tokens, await tokens_since(read, start), start + DAY_SECONDS)


async def read_usage(read: Read, wanted: WantedPasses, caller: Caller) -> Usage:
    """What the caller's slots used; the dashboard also sees rows of deleted sessions. Raises BadCursorError."""
    matching = tuple(_conditions(wanted, caller))
    columns = [getattr(Pass, name) for name in PassRow.__slots__]
    query = sa.select(*columns).where(*matching).order_by(Pass.id.desc()).limit(wanted.limit + 1)
    if wanted.after is not None:
        query = query.where(Pass.id < _read_cursor(wanted.after))
    rows = [PassRow(*row) for row in await read.execute(query)]
    page = rows[: wanted.limit]
    return Usage(page, await _totals(read, matching), str(page[-1].id) if len(rows) > wanted.limit else None)


def _conditions(wanted: WantedPasses, caller: Caller) -> Iterator[sa.ColumnElement[bool]]:
    if caller.app is not None:
        yield Pass.slot.in_(sa.select(Slot.key).where(visible_to(caller)))
    if wanted.slot is not None:
        yield Pass.slot == wanted.slot
    if wanted.since is not None:
        yield Pass.started_at >= wanted.since


async def _totals(read: Read, matching: Sequence[sa.ColumnElement[bool]]) -> Totals:
    tokens = (Pass.input_tokens, Pass.output_tokens, Pass.cache_read_tokens, Pass.cache_write_tokens)
    used = sum(tokens[1:], tokens[0])
    query = sa.select(
        sa.func.count(),
        _sum(sa.case((Pass.outcome == "stored", 1), else_=0)),
        *(_sum(column) for column in tokens),
        sa.func.total(Pass.cost_usd),
        _sum(sa.case((sa.and_(Pass.cost_usd.is_(None), used > 0), 1), else_=0)),
    ).where(*matching)
    sums: Sequence[Any] = (await read.execute(query)).one()
    return Totals(*sums)


def _sum(value: sa.SQLColumnExpression[int]) -> sa.ColumnElement[int]:
    return sa.func.coalesce(sa.func.sum(value), 0)


def _read_cursor(cursor: str) -> int:
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 19):
        raise BadCursorError
    return int(cursor)
