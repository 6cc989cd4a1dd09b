"""The ledger as counters, for a monitoring system."""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from service.store.engine import Read
from service.store.tables import Pass


@dataclass(frozen=True, slots=True)
class PassCount:
    """How many passes ended so; a stop reason's own word, which hosts choose freely, is left out."""

    trigger: str
    outcome: str
    reason: str
    passes: int


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What one model was used for, over all passes; `seconds` are those of passes that asked it."""

    model: str
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    seconds: float
    cost_usd: float


_reason = sa.case((Pass.reason.startswith("stop_reason:"), "stop_reason"), else_=sa.func.coalesce(Pass.reason, ""))


async def count_passes(read: Read) -> Sequence[PassCount]:
    """Every pass in the ledger, by how it ended."""
    groups = (Pass.trigger, Pass.outcome, _reason)
    query = sa.select(*groups, sa.func.count()).group_by(*groups).order_by(*groups)
    return [PassCount(*row) for row in await read.execute(query)]


async def model_use(read: Read) -> Sequence[ModelUse]:
    """Every model in the ledger."""
    query = (
        sa.select(
            Pass.model,
            sa.func.coalesce(sa.func.sum(Pass.input_tokens), 0),
            sa.func.coalesce(sa.func.sum(Pass.output_tokens), 0),
            sa.func.coalesce(sa.func.sum(Pass.cache_read_tokens), 0),
            sa.func.coalesce(sa.func.sum(Pass.cache_write_tokens), 0),
            sa.func.total(Pass.seconds),
            sa.func.total(Pass.cost_usd),
        )
        .where(Pass.model.is_not(None))
        .group_by(Pass.model)
        .order_by(Pass.model)
    )
    return [ModelUse(model or "", *sums) for model, *sums in await read.execute(query)]
