"""The books of passes: whatever one came to is a log line and a ledger row, in the same words."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from service.config import Config
from service.domain.gates import Skip
from service.passes.outcome import BUDGET, STORE_BUSY, STORE_FULL, PassResult, skipped
from service.store import ledger
from service.store.engine import Database, StoreBusyError, StoreFullError, Write
from service.store.ledger import Outcome, Trigger
from service.summarizers.prices import cost_usd, prices_with

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One pass as the books name it: for which slot, why, and since when (epoch seconds)."""

    slot: str
    transcript_key: str
    trigger: Trigger
    started: float


def entry(attempt: Attempt, result: PassResult, config: Config, now: float) -> ledger.Entry:
    """The ledger row of a pass that has ended."""
    usage = result.usage
    return ledger.Entry(
        transcript_key=attempt.transcript_key,
        slot=attempt.slot,
        trigger=attempt.trigger,
        outcome=result.outcome,
        reason=result.reason,
        started_at=attempt.started,
        seconds=max(0.0, now - attempt.started),
        model=result.model,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        cost_usd=cost_usd(result.model, usage, prices_with(config.prices)) if result.model else None,
    )


def log_end(attempt: Attempt, result: PassResult) -> None:
    """The log line of a pass that has ended."""
    outcome, reason = result.outcome, result.reason
    log.info("pass slot=%r trigger=%s outcome=%s reason=%s", attempt.slot, attempt.trigger, outcome, reason)


async def record(write: Write, attempt: Attempt, result: PassResult, config: Config, now: float) -> None:
    """The ledger row of a pass that has ended; one that was skipped because the feature is off leaves none."""
    if _is_unkept(result):
        return
    await ledger.record(write, entry(attempt, result, config, now))


async def close_books(db: Database, attempt: Attempt, result: PassResult, config: Config, now: float) -> None:
    """Line and row of a pass whose end nothing else writes down; a row that is lost never changes the answer."""
    log_end(attempt, result)
    if _is_unkept(result):
        return
    try:
        await db.write(lambda w: record(w, attempt, result, config, now))
    except (StoreBusyError, StoreFullError) as error:
        row_lost(result, error)


async def written(db: Database, write: Callable[[Write], Awaitable[PassResult]], paid: PassResult) -> PassResult:
    """The end of a pass whose answer was paid for: what the guarded write says, or why the store did not take it."""
    try:
        return await db.write_to_the_end(write)
    except (StoreBusyError, StoreFullError) as error:
        # The ledger keeps what the answer cost, as soon as it can be written again.
        reason = STORE_BUSY if isinstance(error, StoreBusyError) else STORE_FULL
        return replace(paid, outcome=Outcome.FAILED, reason=reason)


def _is_unkept(result: PassResult) -> bool:
    """`disabled` is logged and not kept, unless an answer had been paid for by then."""
    return result.outcome is Outcome.SKIPPED and result.reason == Skip.DISABLED


def row_lost(result: PassResult, error: Exception) -> None:
    """Says that the store took no ledger row."""
    log.warning("ledger_row_lost reason=%s error=%s", result.reason, type(error).__name__)


async def over_budget(db: Database, config: Config, now: float) -> PassResult | None:
    """The skip of a pass for which today's tokens are used up, with the seconds until they are counted anew."""
    if not config.daily_token_budget:
        return None
    spent = await db.read(lambda r: ledger.tokens_since(r, ledger.day_start(now)))
    if spent < config.daily_token_budget:
        return None
    return replace(skipped(BUDGET), retry_after=ledger.day_start(now) + ledger.DAY_SECONDS - now)
