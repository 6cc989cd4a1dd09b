"""One pass: gates, freshness, lease, snapshot, question, guarded write - and a reason, however it ends."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from service.config import Config, ConfigFile
from service.domain.gates import Standing, skip_reason
from service.domain.identity import Refusal
from service.passes import books
from service.passes import lease as leases
from service.passes.books import Attempt
from service.passes.freshness import is_current
from service.passes.lease import Lease
from service.passes.making import Snapshot, answer, made_summary, question, rendered
from service.passes.outcome import (
    CUT_SHORT,
    DEADLINE,
    DELETED,
    FRESH,
    IN_FLIGHT,
    QUEUE_FULL,
    STORE_BUSY,
    STORE_FULL,
    PassResult,
    contained,
    failed,
    skipped,
)
from service.passes.worker import Worker
from service.store import summaries, transcripts
from service.store.access import DASHBOARD, Caller
from service.store.engine import Database, Read, StoreBusyError, StoreFullError, Write
from service.store.ledger import Outcome, Trigger
from service.store.summaries import MadeSummary, SlotState
from service.summarizers.protocol import Reply, Summarizer

log = logging.getLogger(__name__)

ChooseSummarizer = Callable[[Config], Summarizer]
CatchUp = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Begun:
    """A pass that holds its lease: for whom, why, and since when (epoch seconds)."""

    state: SlotState
    lease: Lease
    trigger: Trigger
    started: float

    @property
    def attempt(self) -> Attempt:
        """The pass as the books name it."""
        return _attempt(self.state, self.trigger, self.started)


class Passes:
    """Makes summaries, when a turn ends and on demand; every pass leaves a log line and a ledger row."""

    def __init__(
        self,
        db: Database,
        config: ConfigFile,
        worker: Worker,
        choose_summarizer: ChooseSummarizer,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._db = db
        self._config = config
        self._worker = worker
        self._choose = choose_summarizer
        self._now = now
        self._catch_up: CatchUp | None = None

    def catch_up_with(self, catch_up: CatchUp) -> None:
        """Lets every pass first bring its transcript up to date with the agent's file."""
        self._catch_up = catch_up

    async def turn_ended(self, slot: str) -> None:
        """The automatic pass: judged at once, made in the background; never a reason for the turn to fail."""
        try:
            await self._begin(slot, DASHBOARD, Trigger.TURN_END)
        except (StoreBusyError, StoreFullError) as error:
            log.warning("pass_not_begun slot=%r error=%s", slot, type(error).__name__)

    async def request(self, slot: str, caller: Caller) -> PassResult | None:
        """The pass on demand, waited for; None for a slot the caller may not see. Going away does not cancel it."""
        begun = await self._begin(slot, caller, Trigger.REQUEST)
        return await asyncio.shield(begun) if isinstance(begun, asyncio.Future) else begun

    async def _begin(
        self, slot: str, caller: Caller, trigger: Trigger
    ) -> "PassResult | asyncio.Future[PassResult] | None":
        """Gates, freshness and lease, none of which reads a message; then the pass is queued."""
        config, started = self._config.current(), self._now()
        now_ns = _ns(started)
        state = await self._db.read(lambda r: summaries.read_slot_state(r, slot, caller, now_ns))
        if state is None:
            return None
        ended = _skip(state, config, trigger, now_ns) or await books.over_budget(self._db, config, started)
        if ended is None:
            lease = await self._take_lease(state, now_ns, config)
            if isinstance(lease, Lease):
                return await self._submit(_Begun(state, lease, trigger, started))
            ended = lease
        if ended.reason in (STORE_BUSY, STORE_FULL):
            # What did not take the lease will not take a row either, and the caller has waited long enough.
            books.log_end(_attempt(state, trigger, started), ended)
            return ended
        await books.close_books(self._db, _attempt(state, trigger, started), ended, config, self._now())
        return ended

    async def _take_lease(self, state: SlotState, now_ns: int, config: Config) -> Lease | PassResult:
        try:
            lease = await leases.take(self._db, state.transcript_key, now_ns, config.pass_deadline_seconds)
        except StoreBusyError:
            return failed(STORE_BUSY)
        except StoreFullError:
            return failed(STORE_FULL)
        return lease or await self._why_not_leased(state)

    async def _submit(self, begun: _Begun) -> "PassResult | asyncio.Future[PassResult]":
        queued = self._worker.submit(lambda: self._pass(begun))
        if queued is not None:
            return queued
        full = skipped(QUEUE_FULL)
        await self._give_up(begun, full)
        books.log_end(begun.attempt, full)
        return full

    async def _pass(self, begun: _Begun) -> PassResult:
        """What a worker runs; the guarded write closes lease and books itself, every other end does it here."""
        result = CUT_SHORT
        try:
            result = await contained(begun.lease.transcript_key, self._summarise(begun))
        finally:
            if not result.booked:
                await self._give_up(begun, result)
            books.log_end(begun.attempt, result)
        return result

    async def _summarise(self, begun: _Begun) -> PassResult:
        config, now = self._config.current(), self._now()
        deadline = asyncio.get_running_loop().time() + config.pass_deadline_seconds
        summarizer = self._choose(config)
        # Only a store that takes this write will take the result: the model is not asked before.
        if not await leases.start(self._db, begun.lease, _ns(now), config.pass_deadline_seconds):
            return await self._why_not_leased(begun.state)
        # Many passes may have been let into the queue before the first of them was paid for.
        spent = await books.over_budget(self._db, config, now)
        if spent is not None:
            return spent
        try:
            async with asyncio.timeout_at(deadline):
                snapshot = await self._snapshot(begun, config)
                if isinstance(snapshot, PassResult):
                    return snapshot
                text = await rendered(snapshot, config)
                reply = await answer(summarizer, question(snapshot, text, config, deadline))
        except TimeoutError:
            return failed(DEADLINE)
        if isinstance(reply, PassResult):
            return reply
        paid = _with_costs(PassResult(Outcome.STORED), reply)
        try:
            async with asyncio.timeout_at(deadline):
                made = await made_summary(reply, snapshot, text, config, summarizer.engine, self._now())
        except TimeoutError:
            return replace(paid, outcome=Outcome.FAILED, reason=DEADLINE)
        if isinstance(made, PassResult):
            return _with_costs(made, reply)
        return await self._store(begun, made, paid, config)

    async def _why_not_leased(self, state: SlotState) -> PassResult:
        """Why a pass got no lease, or lost it while it was queued: another pass has it, or the session is gone."""
        now_ns = _ns(self._now())
        found = await self._db.read(lambda r: summaries.read_slot_state(r, state.slot, DASHBOARD, now_ns))
        there = found is not None and found.transcript_key == state.transcript_key
        return IN_FLIGHT if there else DELETED

    async def _snapshot(self, begun: _Begun, config: Config) -> Snapshot | PassResult:
        """Takes in what an agent's file holds beyond the mirror, then reads identity and messages at one moment."""
        key, now_ns = begun.state.transcript_key, _ns(self._now())
        if self._catch_up is not None:
            await self._catch_up(key)

        async def read(r: Read) -> Snapshot | PassResult:
            state = await summaries.read_slot_state(r, begun.state.slot, DASHBOARD, now_ns)
            if state is None or state.transcript_key != key:
                return DELETED
            # The gates once more: what they would refuse after the answer should not be paid for.
            reason = skip_reason(_standing(state, config, in_flight=False), on_demand=begun.trigger is Trigger.REQUEST)
            if reason is not None:
                return skipped(reason)
            if state.fresh:
                # The file grew by rows that change nothing a summary is made from.
                return skipped(FRESH)
            return Snapshot(state.identity, await transcripts.load_messages(r, key))

        return await self._db.read(read)

    async def _store(self, begun: _Begun, made: MadeSummary, stored: PassResult, config: Config) -> PassResult:
        """The guarded write: summary, marks, events and ledger row together, or the ledger row with the refusal."""

        async def write(w: Write) -> PassResult:
            now_ns = _ns(self._now())
            if self._config.current().enabled:
                refusal = await summaries.store_summary(w, begun.lease.transcript_key, begun.lease.owner, made, now_ns)
            else:
                await summaries.release_lease(w, begun.lease.transcript_key, begun.lease.owner)
                refusal = Refusal.DISABLED
            result = replace(stored, outcome=Outcome.REFUSED, reason=refusal) if refusal else stored
            await books.record(w, begun.attempt, result, config, self._now())
            return replace(result, booked=True)

        return await books.written(self._db, write, stored)

    async def _give_up(self, begun: _Begun, result: PassResult) -> None:
        """Gives the lease back, whatever becomes of the row; a store that takes neither lets the lease run out."""
        try:
            await leases.release(self._db, begun.lease)
            config, now = self._config.current(), self._now()
            await self._db.write(lambda w: books.record(w, begun.attempt, result, config, now))
        except (StoreBusyError, StoreFullError) as error:
            books.row_lost(result, error)


def _attempt(state: SlotState, trigger: Trigger, started: float) -> Attempt:
    return Attempt(state.slot, state.transcript_key, trigger, started)


def _skip(state: SlotState, config: Config, trigger: Trigger, now_ns: int) -> PassResult | None:
    standing = _standing(state, config, in_flight=state.leased(now_ns))
    reason = skip_reason(standing, on_demand=trigger is Trigger.REQUEST)
    if reason is not None:
        return skipped(reason)
    return skipped(FRESH) if is_current(state) else None


def _standing(state: SlotState, config: Config, *, in_flight: bool) -> Standing:
    section = config.section
    return Standing(
        enabled=section.enabled,
        in_flight=in_flight,
        private=state.private,
        running=state.running,
        stop_reason=state.last_stop_reason,
        user_turns=state.user_turns,
        turn_mark=state.turn_mark,
        min_user_turns=section.min_user_turns,
        regenerate_after_turns=section.regenerate_after_turns,
    )


def _with_costs(result: PassResult, reply: Reply | None) -> PassResult:
    return result if reply is None else replace(result, model=reply.model, usage=reply.usage)


def _ns(seconds: float) -> int:
    return int(seconds * 1_000_000_000)
