"""Store and passes against a small model of what must be true, over any order of what may happen to a session.

About 2,000 steps in the suite; for hours of it set STORE_MACHINE_EXAMPLES=20000.
"""

import asyncio
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Awaitable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from service.config import ConfigFile, set_value
from service.domain.messages import Message
from service.passes.generate import Passes
from service.passes.outcome import PassResult
from service.passes.worker import Worker
from service.store import deletion, slots, summaries, transcripts
from service.store.access import DASHBOARD
from service.store.engine import Database, Write
from service.store.schema import migrate
from service.store.slots import SlotChange
from service.summarizers.protocol import Failure, Reply, Request
from tests.properties.store_model import Slot, Transcript
from tests.support.stored import replied, said
from tests.support.wait import wait_until

EXAMPLES = int(os.environ.get("STORE_MACHINE_EXAMPLES", "44"))
STEPS = 60
MIN_TURNS = 2

T = TypeVar("T")

# Two slots show one transcript, a third has its own.
SHOWS = {"a": "t", "b": "t", "c": "u"}
SLOTS = st.sampled_from(sorted(SHOWS))
STOP_REASONS = st.sampled_from(["end_turn"] * 4 + ["max_tokens", None])
MODES = st.sampled_from([None, "normal", "Normal", "", "Incognito", "temporary "])
MEANWHILE = st.sampled_from(
    ["nothing", "nothing", "append", "rewrite", "turn", "metadata", "private", "delete", "made again", "off"]
)
# What ends much of what could happen behind it happens seldom.
SELDOM = st.integers(0, 4).map(lambda number: number == 4)


@dataclass(eq=False)
class Pass:
    """A pass whose model is thinking: for which transcript as it was then, and who waits for it."""

    key: str
    transcript: Transcript
    identity: tuple[int, int]
    turns: int
    trigger: str
    waiting: "asyncio.Task[PassResult | None] | None"
    may_answer: asyncio.Event


class Thinking:
    """A summarizer that thinks until it is told to answer."""

    engine = "anthropic"
    model = "made-up"

    def __init__(self) -> None:
        self.thinking: list[asyncio.Event] = []

    async def ask(self, _: Request) -> Reply | Failure:
        may_answer = asyncio.Event()
        self.thinking.append(may_answer)
        await may_answer.wait()
        return Reply('{"intents": [{"title": "Sort the imports"}], "constraints": []}', self.model)


class StoreMachine(RuleBasedStateMachine):
    """Every rule does one thing to the service and to the model, and compares what came of it."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = Path(tempfile.mkdtemp())
        shutil.copy(self.template, self.folder / "store.db")
        self.there: dict[str, Transcript] = {}
        self.passes_under_way: list[Pass] = []
        self.enabled = True
        self.ledger: Counter[tuple[str, str, str | None]] = Counter()
        self.stop_reasons: dict[str, Counter[str]] = {}
        self.pushed: Counter[str] = Counter()
        self.clock = 1_760_000_000

    def run(self, work: Awaitable[T]) -> T:
        async def whole() -> T:
            return await work

        return self.runner.run(whole())

    def write(self, work: Any) -> Any:
        return self.run(self.db.write(work))

    @property
    def now_ns(self) -> int:
        return self.clock * 1_000_000_000

    @initialize()
    def open(self) -> None:
        self._switch(True)
        self._start()
        for slot in SHOWS:
            self.put(slot)
        for slot in ("a", "c"):
            self.append(slot, MIN_TURNS)

    def _start(self) -> None:
        async def start() -> None:
            self.db = Database(self.folder / "store.db")
            await self.db.write(summaries.release_all_leases)

        self.thinking = Thinking()
        self.worker = Worker(lambda: 64)
        self.run(start())
        config = ConfigFile(self.folder / "config.json")
        self.passes = Passes(self.db, config, self.worker, lambda _: self.thinking, now=lambda: float(self.clock))

    def _switch(self, on: bool) -> None:
        self.enabled = on
        set_value(self.folder / "config.json", "session_summary.enabled", on)

    def teardown(self) -> None:
        self.run(self._stop())
        self.runner.close()
        shutil.rmtree(self.folder)

    async def _stop(self) -> None:
        await self.worker.close()
        waiting = [one.waiting for one in self.passes_under_way if one.waiting]
        assert None not in [await one for one in waiting]
        await self.db.close()

    @rule(slot=SLOTS)
    def put(self, slot: str) -> None:
        """A slot is opened, its transcript with it where that is missing."""
        key = SHOWS[slot]
        change = SlotChange(transcript_key=key)
        self.write(lambda w: slots.put_slot(w, slot, change, DASHBOARD, self.now_ns))
        transcript = self.there.setdefault(key, Transcript())
        mark = transcript.summary_turns if transcript.summary else 0
        transcript.slots.setdefault(slot, Slot(mark=mark))

    @rule(slot=SLOTS, count=st.integers(1, 2))
    def append(self, slot: str, count: int) -> None:
        """Messages are added: the identity grows, unless nothing may be kept of the session."""
        key = SHOWS[slot]
        messages = _turns(count)
        kept = self.write(lambda w: transcripts.append_messages(w, key, messages, self.now_ns))
        transcript = self.there.get(key)
        assert kept == (transcript is not None and not transcript.private)
        if transcript is not None and kept:
            transcript.append(count)

    @rule(slot=SLOTS, count=st.sampled_from([2, 3, 4, 1, 0]))
    def rewrite(self, slot: str, count: int) -> None:
        """The content is replaced: `gen` grows, marks are clamped."""
        key = SHOWS[slot]
        messages = _turns(count)
        kept = self.write(lambda w: transcripts.rewrite_messages(w, key, messages, self.now_ns))
        transcript = self.there.get(key)
        assert kept == (transcript is not None and not transcript.private)
        if transcript is not None and kept:
            transcript.rewrite(count)

    @rule(slot=SLOTS, title=st.sampled_from(["Imports", None]))
    def change_metadata(self, slot: str, title: str | None) -> None:
        """A title or project moves nothing."""
        change = SlotChange(title=title, project="shop")
        self.write(lambda w: slots.change_metadata(w, SHOWS[slot], change, self.now_ns))

    @rule(slot=SLOTS, mode=MODES)
    def change_memory_mode(self, slot: str, mode: str | None) -> None:
        """A session that turns private loses what was stored of it."""
        self.write(lambda w: slots.change_metadata(w, SHOWS[slot], SlotChange(memory_mode=mode), self.now_ns))
        transcript = self.there.get(SHOWS[slot])
        if transcript is None:
            return
        private = mode is not None and mode.strip().lower() in ("incognito", "temporary")
        transcript.set_private(private)

    @rule(slot=SLOTS, now=SELDOM)
    def delete(self, slot: str, now: bool) -> None:
        """The session goes with every slot on it; a second time there is nothing to delete."""
        key = SHOWS[slot]
        if not now:
            return
        receipt = self.write(lambda w: deletion.delete_transcript(w, key, self.now_ns, tombstone=True))
        transcript = self.there.pop(key, None)
        assert (receipt is None) == (transcript is None)
        # A stop reason is the host's own word, which may say something: the ledger loses it with the session.
        for reason, count in self.stop_reasons.pop(key, Counter()).items():
            self.ledger["turn_end", "skipped", reason] -= count
            self.ledger["turn_end", "skipped", "stop_reason"] += count
        if transcript is not None:
            assert receipt.slots == len(transcript.slots)
            assert receipt.messages == transcript.messages
            assert receipt.summaries == (transcript.summary is not None)

    @rule()
    def purge(self) -> None:
        """The file is rebuilt and the log emptied: nothing that counts is different."""
        assert self.run(self.db.purge(5))

    @rule(slot=SLOTS)
    def start_turn(self, slot: str) -> None:
        seen = self.write(lambda w: slots.start_turn(w, slot, DASHBOARD, self.now_ns))
        one = self._slot(slot)
        assert seen == (one is not None)
        if one is not None:
            one.running, one.stop_reason = True, None

    @rule(slot=SLOTS, reason=STOP_REASONS, count=st.integers(0, 1))
    def end_turn(self, slot: str, reason: str | None, count: int) -> None:
        """Messages and end are one transaction; behind it the automatic pass is judged."""
        key, messages = SHOWS[slot], _turns(count)

        async def work(w: Write) -> bool:
            await transcripts.append_messages(w, key, messages, self.now_ns)
            return await slots.end_turn(w, slot, DASHBOARD, reason, self.now_ns)

        one = self._slot(slot)
        transcript = self.there.get(key)
        assert self.write(work) == (one is not None)
        if transcript is not None and not transcript.private and count:
            transcript.append(count)
        if one is None:
            return
        one.running, one.stop_reason = False, reason
        self.run(self._begin(slot, "turn_end"))

    @rule(slot=SLOTS)
    def request_summary(self, slot: str) -> None:
        """Somebody asks for a summary."""
        if self._slot(slot) is None:
            assert self.run(self.passes.request(slot, DASHBOARD)) is None
        else:
            self.run(self._begin(slot, "request"))

    async def _begin(self, slot: str, trigger: str) -> None:
        thinking = len(self.thinking.thinking)
        expected = self._gate(slot, trigger)
        waiting = None
        if trigger == "request":
            waiting = asyncio.create_task(self.passes.request(slot, DASHBOARD))
        else:
            await self.passes.turn_ended(slot)
        if expected is None:
            await wait_until(lambda: len(self.thinking.thinking) > thinking)
            transcript = self.there[SHOWS[slot]]
            key, may_answer = SHOWS[slot], self.thinking.thinking[-1]
            under_way = Pass(key, transcript, transcript.identity, transcript.turns, trigger, waiting, may_answer)
            self.passes_under_way.append(under_way)
            return
        if expected != "disabled":
            self.ledger[trigger, "skipped", expected] += 1
        if expected.startswith("stop_reason:"):
            self.stop_reasons.setdefault(SHOWS[slot], Counter())[expected] += 1
        if waiting is not None:
            result = await waiting
            assert result is not None
            assert (result.outcome, result.reason) == ("skipped", expected)
        assert len(self.thinking.thinking) == thinking

    def _gate(self, slot: str, trigger: str) -> str | None:
        transcript = self.there[SHOWS[slot]]
        return transcript.gate(
            slot,
            enabled=self.enabled,
            in_flight=self._pass_for(transcript) is not None,
            automatic=trigger == "turn_end",
            min_turns=MIN_TURNS,
        )

    @rule(slot=SLOTS, reason=STOP_REASONS, answered=st.booleans())
    def have_a_turn(self, slot: str, reason: str | None, answered: bool) -> None:
        """A turn from its start to its end, in a session that is opened where it is missing."""
        self.put(slot)
        self.start_turn(slot)
        self.end_turn(slot, reason, 1)
        under_way = self._pass_for(self.there[SHOWS[slot]])
        if answered and under_way is not None:
            self._let_answer(under_way)

    @precondition(lambda self: self.passes_under_way)
    @rule(data=st.data())
    def let_the_model_answer(self, data: st.DataObject) -> None:
        """The guarded write: stored if nothing happened meanwhile, else refused with the reason."""
        self._let_answer(self.passes_under_way[data.draw(st.integers(0, len(self.passes_under_way) - 1))])

    @rule(slot=SLOTS, other=SLOTS, meanwhile=MEANWHILE)
    def summarize(self, slot: str, other: str, meanwhile: str) -> None:
        """A summary is asked for, something happens to this or another session, the model answers."""
        asked_of = self.there.get(SHOWS[slot])
        self.request_summary(slot)
        match meanwhile:
            case "append":
                self.append(other, 1)
            case "rewrite":
                self.rewrite(other, MIN_TURNS)
            case "turn":
                self.start_turn(other)
            case "metadata":
                self.change_metadata(other, "Exports")
            case "private":
                self.change_memory_mode(other, "incognito")
            case "delete":
                self.delete(other, now=True)
            case "made again":
                self.delete(other, now=True)
                self.put(other)
                self.append(other, MIN_TURNS)
            case "off":
                self._switch(False)
        under_way = None if asked_of is None else self._pass_for(asked_of)
        if under_way is not None:
            self._let_answer(under_way)
        self._switch(True)

    def _pass_for(self, transcript: Transcript) -> Pass | None:
        """The pass that holds the lease; one whose session was deleted holds none, and may go on thinking."""
        return next((one for one in self.passes_under_way if one.transcript is transcript), None)

    def _let_answer(self, under_way: Pass) -> None:
        self.passes_under_way.remove(under_way)
        refusal = self._refusal(under_way)
        under_way.may_answer.set()
        self.run(self._ended(under_way, refusal))
        self.ledger[under_way.trigger, "refused" if refusal else "stored", refusal] += 1
        if refusal is None:
            under_way.transcript.store(under_way.identity, under_way.turns)
            self.pushed.update(sorted(under_way.transcript.slots))

    def _refusal(self, under_way: Pass) -> str | None:
        if not self.enabled:
            return "disabled"
        transcript = self.there.get(under_way.key)
        if transcript is None:
            return "deleted"
        return transcript.refusal(same=transcript is under_way.transcript and transcript.identity == under_way.identity)

    async def _ended(self, under_way: Pass, refusal: str | None) -> None:
        if under_way.waiting is not None:
            result = await under_way.waiting
            assert result is not None
            assert (result.outcome, result.reason) == ("refused" if refusal else "stored", refusal)
        await wait_until(lambda: self.worker.running == len(self.passes_under_way))

    @rule(off=SELDOM)
    def switch(self, off: bool) -> None:
        """The feature goes off or on: nothing stored is touched."""
        self._switch(not off)

    @rule(now=SELDOM)
    def restart(self, now: bool) -> None:
        """The service stops and starts: passes under way end, everything else is as it was."""
        if not now:
            return
        self.run(self._stop())
        for under_way in self.passes_under_way:
            self.ledger[under_way.trigger, "failed", "deadline"] += 1
        self.passes_under_way.clear()
        self._start()

    def _slot(self, slot: str) -> Slot | None:
        transcript = self.there.get(SHOWS[slot])
        return None if transcript is None else transcript.slots.get(slot)

    @invariant()
    def everything_is_as_it_must_be(self) -> None:
        """Slots, freshness, marks, messages, leases, ledger and events."""
        self.clock += 1
        if not hasattr(self, "db"):
            return
        self.run(self._compare())

    async def _compare(self) -> None:
        for slot, key in SHOWS.items():
            state = await self.db.read(lambda r, s=slot: summaries.read_slot_state(r, s, DASHBOARD, self.now_ns))  # type: ignore[misc] # bound per loop
            one, transcript = self._slot(slot), self.there.get(key)
            assert (state is None) == (one is None)
            if state is None or one is None or transcript is None:
                continue
            assert (state.payload is not None) == (transcript.summary is not None)
            assert (state.stale_reason, state.user_turns) == (transcript.stale_reason, transcript.turns)
            assert (state.running, state.private) == (transcript.running, transcript.private)
            assert (state.last_stop_reason, state.turn_mark) == (one.stop_reason, one.mark)
            assert state.identity.gen == transcript.rewrites
            assert state.leased(self.now_ns) == (self._pass_for(transcript) is not None)
        assert await self._count("SELECT transcript_key, count(*) FROM messages GROUP BY 1") == {
            key: transcript.messages for key, transcript in self.there.items() if transcript.messages
        }
        for table in ("summaries", "titles"):
            keys = await self._count(f"SELECT transcript_key, count(*) FROM {table} GROUP BY 1")  # noqa: S608 - fixed
            assert keys == dict.fromkeys(self.there, 1)
        pushed = await self._count("SELECT slot, count(*) FROM events WHERE type = 'session_summary' GROUP BY 1")
        assert pushed == self.pushed
        rows = await self._count(
            "SELECT trigger || ' ' || outcome || ' ' || ifnull(reason, ''), count(*) FROM passes GROUP BY 1"
        )
        assert rows == {
            " ".join([trigger, outcome, reason or ""]): n for (trigger, outcome, reason), n in self.ledger.items() if n
        }

    async def _count(self, query: str) -> dict[str, int]:
        found = await self.db.read(lambda r: r.execute(sa.text(query)))
        return {name: count for name, count in found}


def _turns(count: int) -> list[Message]:
    return [message for n in range(count) for message in (said(f"Do part {n}"), replied("Done."))]


@pytest.mark.slow
def test_the_store_is_always_what_the_model_says(tmp_path: Path) -> None:
    """Whatever happens to sessions, in whatever order: nothing stale is fresh, nothing deleted back, nothing lost."""
    template = tmp_path / "template.db"
    asyncio.run(migrate(template))
    StoreMachine.template = template
    run_state_machine_as_test(
        StoreMachine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
