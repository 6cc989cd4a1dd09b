"""One pass in all its endings, with a summarizer that does as it is told."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from service.config import ConfigFile, set_value
from service.passes.generate import Passes
from service.passes.worker import Worker
from service.store import deletion, slots, transcripts
from service.store.access import DASHBOARD, Caller
from service.store.engine import Database, Write
from service.store.slots import SlotChange
from service.summarizers.protocol import Failure, Reply, Request, Usage
from tests.support.model_answers import intent
from tests.support.stored import open_slot, replied, said, state_of
from tests.support.wait import wait_until

NOW = 1_760_000_000.0
NOW_NS = int(NOW) * 1_000_000_000


class Told:
    """A summarizer that waits for the test, then says what it was told to."""

    engine = "anthropic"
    model = "claude-haiku-5-5"

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.defect: Exception | None = None
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.answer: Reply | Failure = Reply(
            json.dumps({"intents": [intent()], "constraints": []}), self.model, Usage(100, 10)
        )

    async def ask(self, request: Request) -> Reply | Failure:
        self.asked.append(request)
        if self.defect is not None:
            raise self.defect
        try:
            async with asyncio.timeout_at((request.deadline or 0) - 0.1):
                await self.may_answer.wait()
        except TimeoutError:
            return Failure("model_timeout", self.model, Usage(90))
        return self.answer


class House:
    """Passes over a real store; `clock` may be moved."""

    def __init__(self, db: Database, folder: Path) -> None:
        self.db = db
        self.clock = NOW
        self.told = Told()
        self.config = folder / "config.json"
        self.set("session_summary.enabled", True)
        self.worker = Worker(lambda: 1)
        self.passes = Passes(db, ConfigFile(self.config), self.worker, lambda _: self.told, now=lambda: self.clock)

    def set(self, key: str, value: object) -> None:
        set_value(self.config, key, value)

    async def session(self, key: str = "s") -> None:
        """A session of two turns, the last of which ended cleanly."""
        await open_slot(self.db, key, said("Sort the imports"), replied("Done."), said("Now the exports"), at=NOW_NS)
        await self.db.write(lambda w: slots.end_turn(w, key, DASHBOARD, "end_turn", NOW_NS))

    async def request(self, key: str = "s") -> tuple[str, str | None]:
        result = await self.passes.request(key, DASHBOARD)
        assert result is not None
        return result.outcome, result.reason

    async def ledger(self) -> list[tuple[Any, ...]]:
        query = sa.text("SELECT trigger, outcome, reason, input_tokens FROM passes ORDER BY id")
        return [tuple(row) for row in await self.db.read(lambda r: r.execute(query))]

    async def leases(self) -> int:
        query = sa.text("SELECT count(*) FROM summaries WHERE lease_owner IS NOT NULL OR lease_until IS NOT NULL")
        return int(await self.db.read(lambda r: r.scalar(query)) or 0)


@pytest.fixture
async def house(db: Database, tmp_path: Path) -> AsyncIterator[House]:
    """Passes that ask a summarizer of the test's own."""
    house = House(db, tmp_path)
    yield house
    await house.worker.close()


async def test_a_summary_is_made_stored_and_booked_once(house: House) -> None:
    """One question, one stored summary, one ledger row with its cost, no lease left."""
    await house.session()
    assert await house.request() == ("stored", None)
    assert (await state_of(house.db, "s")).fresh
    assert await house.ledger() == [("request", "stored", None, 100)]
    assert await house.leases() == 0


async def test_an_unchanged_session_is_not_paid_twice(house: House) -> None:
    """The second request is answered by what is there."""
    await house.session()
    await house.request()
    assert await house.request() == ("skipped", "fresh")
    assert len(house.told.asked) == 1


async def test_an_unknown_slot_and_a_foreign_one_are_nothing(house: House) -> None:
    """No pass, no row, no difference between the two."""
    await house.session()
    assert await house.passes.request("nowhere", DASHBOARD) is None
    assert await house.passes.request("s", Caller("an app")) is None
    assert await house.ledger() == []


async def _unended(house: House) -> None:
    await house.db.write(lambda w: slots.end_turn(w, "s", DASHBOARD, None, NOW_NS))


async def _broken_off(house: House) -> None:
    await house.db.write(lambda w: slots.end_turn(w, "s", DASHBOARD, "max_tokens", NOW_NS))


async def _running(house: House) -> None:
    await house.db.write(lambda w: slots.start_turn(w, "s", DASHBOARD, NOW_NS))


async def _private(house: House) -> None:
    change = SlotChange(memory_mode="Incognito")
    await house.db.write(lambda w: slots.change_metadata(w, "s", change, NOW_NS))


async def _short(house: House) -> None:
    house.set("session_summary.min_user_turns", 3)


async def _recent(house: House) -> None:
    house.set("session_summary.regenerate_after_turns", 2)
    await house.request()
    await house.db.write(lambda w: transcripts.append_messages(w, "s", [said("And the docs")], NOW_NS))
    house.told.asked.clear()


async def _spent(house: House) -> None:
    house.set("daily_token_budget", 100)
    await house.session("other")
    await house.request("other")
    house.told.asked.clear()


async def _in_flight(house: House) -> None:
    query = sa.text("UPDATE summaries SET lease_owner = 'another', lease_until = :until")
    await house.db.write(lambda w: w.execute(query, {"until": NOW_NS + 1}))


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        (_in_flight, "in_flight"),
        (_private, "memory_mode"),
        (_running, "running"),
        (_unended, "stop_reason:missing"),
        (_broken_off, "stop_reason:max_tokens"),
        (_short, "too_few_turns"),
        (_recent, "cadence"),
        (_spent, "budget"),
    ],
)
async def test_each_gate_holds_an_automatic_pass_and_is_booked(
    house: House, before: Callable[[House], Awaitable[None]], reason: str
) -> None:
    """The model is not asked, and the ledger has the gate's own word."""
    await house.session()
    await before(house)
    await house.passes.turn_ended("s")
    assert house.told.asked == []
    assert (await house.ledger())[-1] == ("turn_end", "skipped", reason, 0)


async def test_off_is_logged_and_not_kept(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """Switched off, a turn's end leaves one log line and no row."""
    await house.session()
    house.set("session_summary.enabled", False)
    with caplog.at_level("INFO", "service"):
        await house.passes.turn_ended("s")
    assert "outcome=skipped reason=disabled" in caplog.text
    assert await house.ledger() == []


@pytest.mark.parametrize("before", [_unended, _broken_off, _recent])
async def test_a_request_lifts_stop_reason_and_cadence(
    house: House, before: Callable[[House], Awaitable[None]]
) -> None:
    """What holds an automatic pass back for these two reasons does not hold back a person."""
    await house.session()
    await before(house)
    assert await house.request() == ("stored", None)


async def _delete(w: Write) -> None:
    await deletion.delete_transcript(w, "s", NOW_NS, tombstone=True)


async def _turn_private(w: Write) -> None:
    await slots.change_metadata(w, "s", SlotChange(memory_mode="temporary"), NOW_NS)


async def _start_turn(w: Write) -> None:
    await slots.start_turn(w, "s", DASHBOARD, NOW_NS)


@pytest.mark.parametrize(
    ("meanwhile", "ended"),
    [
        (_delete, ("refused", "deleted")),
        (_turn_private, ("skipped", "memory_mode")),
        (_start_turn, ("skipped", "running")),
    ],
)
async def test_what_happens_in_the_queue_is_not_paid_for(
    house: House, meanwhile: Callable[[Write], Awaitable[None]], ended: tuple[str, str]
) -> None:
    """A session deleted, made private or gone on while its pass waited: no question, and the true reason."""
    await house.session("first")
    await house.session()
    house.told.may_answer.clear()
    first = asyncio.create_task(house.request("first"))
    await wait_until(lambda: len(house.told.asked) == 1)
    second = asyncio.create_task(house.request())
    await wait_until(lambda: house.worker.queued == 1)
    await house.db.write(meanwhile)
    house.told.may_answer.set()
    assert await first == ("stored", None)
    assert await second == ended
    assert len(house.told.asked) == 1
    assert (await house.ledger())[-1] == ("request", *ended, 0)
    assert await house.leases() == 0


async def test_a_lease_that_ran_out_in_the_queue_and_was_taken_ends_the_pass(house: House) -> None:
    """Another pass has it by then: the late one asks nothing."""
    await house.session("first")
    await house.session()
    house.told.may_answer.clear()
    first = asyncio.create_task(house.request("first"))
    await wait_until(lambda: len(house.told.asked) == 1)
    second = asyncio.create_task(house.request())
    await wait_until(lambda: house.worker.queued == 1)
    taken = sa.text("UPDATE summaries SET lease_owner = 'another' WHERE transcript_key = 's'")
    await house.db.write(lambda w: w.execute(taken))
    house.told.may_answer.set()
    await first
    assert await second == ("skipped", "in_flight")
    assert len(house.told.asked) == 1


async def test_a_stop_while_the_model_thinks_frees_the_lease(house: House) -> None:
    """The pass under way and the one behind it are cut short: each has a row, no lease stays."""
    await house.session()
    await house.session("behind")
    house.told.may_answer.clear()
    waiting = [asyncio.create_task(house.request(key)) for key in ("s", "behind")]
    await wait_until(lambda: len(house.told.asked) == 1 and house.worker.queued == 1)
    await house.worker.close()
    assert [await one for one in waiting] == [("failed", "deadline")] * 2
    assert await house.leases() == 0
    assert await house.ledger() == [("request", "failed", "deadline", 0)] * 2


async def test_a_stop_while_the_summary_is_stored_keeps_one_row(house: House) -> None:
    """Cut off in its very last write, a pass is stored with one row and its cost, not stored and failed."""
    await house.session()
    house.told.may_answer.clear()
    waiting = asyncio.create_task(house.request())
    await wait_until(lambda: len(house.told.asked) == 1)
    may_commit = asyncio.Event()
    holding = asyncio.create_task(house.db.write(lambda _: may_commit.wait()))
    await wait_until(lambda: house.db.waiting_writes == 1)
    house.told.may_answer.set()
    await wait_until(lambda: house.db.waiting_writes == 2)
    closing = asyncio.create_task(house.worker.close())
    await asyncio.sleep(0)
    may_commit.set()
    await asyncio.gather(closing, holding)
    assert await waiting == ("stored", None)
    assert await house.ledger() == [("request", "stored", None, 100)]


async def test_what_was_paid_is_booked_though_the_result_was_lost(house: House) -> None:
    """The disk was full when the summary came: it is lost, but not what it cost."""
    await house.session()
    house.told.may_answer.clear()
    waiting = asyncio.create_task(house.request())
    await wait_until(lambda: len(house.told.asked) == 1)
    await house.db.write(lambda w: w.exec_driver_sql("PRAGMA max_page_count = 1"))
    long = intent(progress=["All of this is true. " * 90] * 20)
    house.told.answer = Reply(json.dumps({"intents": [long], "constraints": []}), house.told.model, Usage(100, 10))
    house.told.may_answer.set()
    assert await waiting == ("failed", "store_full")
    assert (await house.ledger())[-1] == ("request", "failed", "store_full", 100)
    assert await house.leases() == 0


async def test_a_hanging_model_is_a_timeout_of_the_model(house: House) -> None:
    """The deadline met inside the call is `model_timeout`, and the lease is free again."""
    await house.session()
    house.set("pass_deadline_seconds", 1)
    house.told.may_answer.clear()
    assert await house.request() == ("failed", "model_timeout")
    assert await house.ledger() == [("request", "failed", "model_timeout", 90)]
    assert await house.leases() == 0


async def test_a_deadline_met_elsewhere_says_deadline(house: House) -> None:
    """Bringing the mirror up to date took all the time there was: the model is not asked."""
    await house.session()
    house.set("pass_deadline_seconds", 1)
    house.passes.catch_up_with(lambda _: asyncio.Event().wait())  # type: ignore[arg-type, return-value] # never returns
    assert await house.request() == ("failed", "deadline")
    assert house.told.asked == []


async def test_a_defect_of_ours_is_contained(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """A summarizer that breaks fails its pass with a reason; the log says where and quotes nothing."""
    await house.session()
    house.told.defect = ValueError("a secret word")
    assert await house.request() == ("failed", "model_error")
    assert "secret" not in caplog.text
    assert await house.leases() == 0


async def test_the_clock_going_back_moves_nothing_wrongly(house: House) -> None:
    """With a clock an hour behind, an append still makes the summary stale and a new one is stored."""
    await house.session()
    await house.request()
    house.clock -= 3600
    await house.db.write(lambda w: transcripts.append_messages(w, "s", [said("And the docs")], NOW_NS - 3600 * 10**9))
    assert not (await state_of(house.db, "s")).fresh
    assert await house.request() == ("stored", None)
    assert (await state_of(house.db, "s")).fresh
