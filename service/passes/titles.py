"""One-line titles: made on demand, kept by identity, one call per transcript at a time."""

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from service.config import Config, ConfigFile
from service.domain.gates import Skip
from service.domain.identity import Refusal
from service.domain.prompt import title_instructions
from service.domain.reply import ReplyProblem
from service.domain.title_line import read_title
from service.passes import books
from service.passes.books import Attempt
from service.passes.making import Snapshot, answer, rendered
from service.passes.outcome import (
    CUT_SHORT,
    DEADLINE,
    DELETED,
    FRESH,
    QUEUE_FULL,
    PassResult,
    contained,
    failed,
    skipped,
)
from service.passes.worker import Worker
from service.store import ledger, titles, transcripts
from service.store.access import DASHBOARD, Caller
from service.store.engine import Database, Read, Write
from service.store.ledger import Outcome, Trigger
from service.store.titles import MadeTitle, TitleState
from service.summarizers.protocol import Request, Summarizer, Task

log = logging.getLogger(__name__)

MOST_KEYS = 8  # SPEC section 8

ChooseSummarizer = Callable[[Config], Summarizer]
CatchUp = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Call:
    """A call for one title that a worker has begun."""

    attempt: Attempt
    owner: str
    config: Config
    deadline: float


class Titles:
    """Makes one-line titles; a title that is still fresh costs nothing and leaves no trace.

    A second request for a transcript whose title is being made waits for that call, and takes what came of it.
    """

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
        self._under_way: dict[str, asyncio.Future[PassResult]] = {}

    def catch_up_with(self, catch_up: CatchUp) -> None:
        """Lets every call first bring its transcript up to date with the agent's file."""
        self._catch_up = catch_up

    async def lines(self, slots: Sequence[str], caller: Caller) -> dict[str, str] | None:
        """The titles of the first eight of these slots that the caller may see, made where they are not fresh.

        None while the feature is off. What could not be made, and what has no title, is left out.
        """
        if not self._config.current().enabled:
            log.info("pass trigger=%s outcome=%s reason=%s", Trigger.TITLE, Outcome.SKIPPED, Skip.DISABLED)
            return None
        found = await self._find(slots, caller)
        missing = [state for state in found if not state.fresh]
        if missing:
            made = await asyncio.gather(*(self._bring_up(state) for state in missing))
            just_made = {state.transcript_key for state, is_made in zip(missing, made, strict=True) if is_made}
            # Read again: meanwhile another of the sessions may have been deleted or turned private.
            found = await self._find([state.slot for state in found], caller)
            found = [state for state in found if state.fresh or state.transcript_key in just_made]
        if not self._config.current().enabled:
            return None
        return {state.slot: state.title for state in found if state.title is not None}

    async def _find(self, slots: Sequence[str], caller: Caller) -> Sequence[TitleState]:
        return await self._db.read(lambda r: titles.find_titles(r, slots, caller, MOST_KEYS))

    async def _bring_up(self, state: TitleState) -> bool:
        """Whether there is a title now that was made for this request or for one it waited for."""
        while (under_way := self._under_way.get(state.transcript_key)) is not None:
            if (await asyncio.shield(under_way)).outcome is not Outcome.STORED:
                return False
            again = await self._find([state.slot], DASHBOARD)
            if not again or again[0].fresh:
                return bool(again)
            # The call that was waited for had begun before the transcript's last change.
            state = again[0]
        return (await self._begin(state)).outcome is Outcome.STORED

    async def _begin(self, state: TitleState) -> PassResult:
        attempt = Attempt(state.slot, state.transcript_key, Trigger.TITLE, self._now())
        queued = self._worker.submit(lambda: self._pass(attempt))
        if queued is None:
            await self._close_books(attempt, skipped(QUEUE_FULL))
            return skipped(QUEUE_FULL)
        # No await since it was looked up: nobody else can have begun a call for the same transcript.
        self._under_way[state.transcript_key] = queued
        queued.add_done_callback(lambda _: self._under_way.pop(state.transcript_key))
        return await asyncio.shield(queued)

    async def _pass(self, attempt: Attempt) -> PassResult:
        """What a worker runs; the guarded write closes the books itself, every other end does it here."""
        result = CUT_SHORT
        try:
            result = await contained(attempt.transcript_key, self._make(attempt))
        finally:
            if result.booked:
                books.log_end(attempt, result)
            else:
                await self._close_books(attempt, result)
        return result

    async def _make(self, attempt: Attempt) -> PassResult:
        config = self._config.current()
        if not config.enabled:
            return skipped(Skip.DISABLED)
        spent = await books.over_budget(self._db, config, self._now())
        if spent is not None:
            return spent
        deadline = asyncio.get_running_loop().time() + config.pass_deadline_seconds
        call = _Call(attempt, uuid.uuid4().hex, config, deadline)
        try:
            async with asyncio.timeout_at(deadline):
                made, result = await self._title(call)
        except TimeoutError:
            return failed(DEADLINE)
        return result if made is None else await self._store(call, made, result)

    async def _title(self, call: _Call) -> tuple[MadeTitle | None, PassResult]:
        if self._catch_up is not None:
            await self._catch_up(call.attempt.transcript_key)
        # Before the snapshot is read and the model is paid: only a store that takes this write will take the result.
        refusal = await self._db.write(lambda w: titles.claim_title(w, call.attempt.transcript_key, call.owner))
        if refusal is not None:
            return None, skipped(refusal)
        snapshot = await self._db.read(lambda r: _snapshot(r, call.attempt))
        if isinstance(snapshot, PassResult):
            return None, snapshot
        if not any(message.by_person for message in snapshot.messages):
            return MadeTitle(snapshot.identity, None, self._now()), PassResult(Outcome.STORED)
        return await self._ask(call, snapshot)

    async def _ask(self, call: _Call, snapshot: Snapshot) -> tuple[MadeTitle | None, PassResult]:
        summarizer = self._choose(call.config)
        text = (await rendered(snapshot, call.config)).text
        question = Request(Task.TITLE, title_instructions(), text, snapshot.messages, deadline=call.deadline)
        reply = await answer(summarizer, question)
        if isinstance(reply, PassResult):
            return None, reply
        line = await asyncio.to_thread(read_title, reply.text)
        if isinstance(line, ReplyProblem):
            return None, replace(failed(line), model=reply.model, usage=reply.usage)
        made = MadeTitle(snapshot.identity, line, self._now())
        return made, PassResult(Outcome.STORED, model=reply.model, usage=reply.usage)

    async def _store(self, call: _Call, made: MadeTitle, stored: PassResult) -> PassResult:
        """The guarded write: title, event and ledger row together, or the ledger row with the refusal."""

        async def write(w: Write) -> PassResult:
            refusal: Refusal | None = Refusal.DISABLED
            if self._config.current().enabled:
                key, now_ns = call.attempt.transcript_key, int(self._now() * 1_000_000_000)
                refusal = await titles.store_title(w, key, call.owner, made, now_ns)
            result = replace(stored, outcome=Outcome.REFUSED, reason=refusal) if refusal else stored
            await ledger.record(w, books.entry(call.attempt, result, call.config, self._now()))
            return replace(result, booked=True)

        return await books.written(self._db, write, stored)

    async def _close_books(self, attempt: Attempt, result: PassResult) -> None:
        await books.close_books(self._db, attempt, result, self._config.current(), self._now())


async def _snapshot(read: Read, attempt: Attempt) -> Snapshot | PassResult:
    """Identity and messages at one moment, or why nothing is to be asked."""
    found = await titles.find_titles(read, [attempt.slot], DASHBOARD, 1)
    if not found or found[0].transcript_key != attempt.transcript_key:
        return DELETED
    if found[0].fresh:
        return skipped(FRESH)
    return Snapshot(found[0].identity, await transcripts.load_messages(read, attempt.transcript_key))
