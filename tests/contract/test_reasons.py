"""Every gate, refusal and failure reason of a pass, reached over HTTP: one word in answer, ledger and log."""

import concurrent.futures
import logging
import resource
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from service.config import set_value
from service.passes.worker import QUEUE_BOUND
from tests.support.live import LiveService, exchange, free_port
from tests.support.model_answers import Answer, error_reply, intent, summary_reply, text_reply
from tests.support.model_server import ModelServer
from tests.support.wait import wait_until_sync

UNAVAILABLE = (409, "summary_unavailable")


@dataclass(frozen=True, slots=True)
class Told:
    """How a pass ended, as each of the three that tell of it says: None where one of them is silent."""

    answer: str | None
    ledger: str | None
    log: str | None


@pytest.fixture(autouse=True)
def logged(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """The service's log, as `serve` writes it."""
    caplog.set_level(logging.INFO, "service")
    return caplog


def two_turns(service: LiveService, slot: str = "s") -> None:
    """A session that is ready for a summary."""
    service.put(slot)
    service.append(slot, exchange("Sort the imports") + exchange("Now the exports"))


def told(service: LiveService, caplog: pytest.LogCaptureFixture, answer: httpx2.Response | None) -> Told:
    """What is said of the pass that ended last."""
    rows = service.client.get("/api/usage").json()["passes"]
    ends = [m for m in (record.getMessage() for record in caplog.records) if m.startswith("pass slot=")]
    return Told(
        answer=None if answer is None else answer.json().get("reason"),
        ledger=rows[0]["reason"] if rows else None,
        log=ends[-1].partition(" reason=")[2] if ends else None,
    )


def same_word(reason: str) -> Told:
    return Told(reason, reason, reason)


def meanwhile(service: LiveService, model_server: ModelServer, act: Callable[[], object]) -> httpx2.Response:
    """Starts a pass, lets something happen while the model thinks, and gives back how the POST ended."""
    model_server.script(summary_reply().held_after(2))
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        answer = pool.submit(service.generate, "s")
        wait_until_sync(lambda: model_server.requests, within=10)
        act()
        model_server.release()
        return answer.result()


def test_disabled(service: LiveService, logged: pytest.LogCaptureFixture) -> None:
    """Off is logged and answered, and is the one reason the ledger does not keep."""
    two_turns(service)
    service.set("session_summary.enabled", False)
    answer = service.generate("s")
    assert (answer.status_code, answer.json()["code"]) == (409, "summary_disabled")
    assert told(service, logged, answer) == Told("disabled", None, "disabled")


def test_in_flight(service: LiveService, model_server: ModelServer, logged: pytest.LogCaptureFixture) -> None:
    """A second request while a pass runs."""
    two_turns(service)
    model_server.hold()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        first = pool.submit(service.generate, "s")
        wait_until_sync(lambda: model_server.requests, within=10)
        answer = service.generate("s")
        assert (answer.status_code, answer.json()["code"]) == (409, "summary_in_flight")
        assert told(service, logged, answer) == same_word("in_flight")
        model_server.release()
        first.result()


def test_memory_mode(service: LiveService, logged: pytest.LogCaptureFixture) -> None:
    """A private session."""
    service.put("s", memory_mode="incognito")
    answer = service.generate("s")
    assert (answer.status_code, answer.json()["code"]) == UNAVAILABLE
    assert told(service, logged, answer) == same_word("memory_mode")


def test_running(service: LiveService, logged: pytest.LogCaptureFixture) -> None:
    """A turn runs."""
    two_turns(service)
    service.client.post(service.path("s", "turn", "start"), json={})
    answer = service.generate("s")
    assert (answer.status_code, answer.json()["code"]) == (409, "summary_turn_running")
    assert told(service, logged, answer) == same_word("running")


def test_too_few_turns(service: LiveService, logged: pytest.LogCaptureFixture) -> None:
    """One turn where two are wanted."""
    service.put("s")
    service.append("s", exchange("Sort the imports"))
    answer = service.generate("s")
    assert (answer.status_code, answer.json()["code"]) == UNAVAILABLE
    assert told(service, logged, answer) == same_word("too_few_turns")


@pytest.mark.parametrize(
    ("given", "reason"),
    [("max_tokens", "max_tokens"), (None, "missing"), ("", "missing"), ("aborted", "aborted"), ("a\nb", "other")],
)
def test_stop_reason(service: LiveService, logged: pytest.LogCaptureFixture, given: str | None, reason: str) -> None:
    """A turn that did not end cleanly sets nothing off; the host's word is on one line."""
    two_turns(service)
    service.turn("s", "And the docs", stop_reason=given)
    assert told(service, logged, None) == Told(None, f"stop_reason:{reason}", f"stop_reason:{reason}")


def test_cadence(service: LiveService, logged: pytest.LogCaptureFixture) -> None:
    """Too soon after the last stored summary; a demand lifts it."""
    service.set("session_summary.regenerate_after_turns", 3)
    two_turns(service)
    service.generate("s")
    service.turn("s", "And the docs")
    assert told(service, logged, None) == Told(None, "cadence", "cadence")
    assert service.generate("s").status_code == 200


def test_fresh(service: LiveService, logged: pytest.LogCaptureFixture) -> None:
    """Nothing has changed: the stored summary is the answer."""
    two_turns(service)
    service.generate("s")
    answer = service.generate("s")
    assert answer.status_code == 200
    assert told(service, logged, answer) == Told(None, "fresh", "fresh")


@pytest.mark.slow
def test_queue_full(service: LiveService, model_server: ModelServer, logged: pytest.LogCaptureFixture) -> None:
    """More passes wait than the service keeps waiting: turns go on, a demand is told to come back."""
    service.set("max_passes", 1)
    service.set("session_summary.min_user_turns", 1)
    model_server.hold()
    for n in range(QUEUE_BOUND + 1):
        service.put(f"s{n}")
        body = {"stop_reason": "end_turn", "messages": exchange("Sort the imports")}
        service.client.post(service.path(f"s{n}", "turn", "end"), json=body).raise_for_status()
    two_turns(service)
    answer = service.generate("s")
    assert (answer.status_code, answer.json()["code"]) == UNAVAILABLE
    assert told(service, logged, answer) == same_word("queue_full")


@pytest.mark.parametrize(
    ("change", "status", "code", "reason"),
    [
        ("rewrite", 409, "summary_unavailable", "moved"),
        ("append", 409, "summary_unavailable", "moved"),
        ("turn", 409, "summary_turn_running", "running"),
        ("private", 409, "summary_unavailable", "memory_mode"),
        ("off", 409, "summary_disabled", "disabled"),
    ],
)
def test_refusals(
    service: LiveService,
    model_server: ModelServer,
    logged: pytest.LogCaptureFixture,
    change: str,
    status: int,
    code: str,
    reason: str,
) -> None:
    """What happens while the model thinks, and forbids that its answer is stored."""
    two_turns(service)
    acts: dict[str, Callable[[], object]] = {
        "rewrite": lambda: service.rewrite("s", exchange("Start over") * 2),
        "append": lambda: service.append("s", exchange("And the docs")),
        "turn": lambda: service.client.post(service.path("s", "turn", "start"), json={}),
        "private": lambda: service.client.patch(service.path("s"), json={"memory_mode": "temporary"}),
        "off": lambda: service.set("session_summary.enabled", False),
    }
    answer = meanwhile(service, model_server, acts[change])
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert told(service, logged, answer) == same_word(reason)
    assert service.rows("SELECT outcome FROM passes ORDER BY id DESC LIMIT 1") == [("refused",)]


def test_deleted(service: LiveService, model_server: ModelServer, logged: pytest.LogCaptureFixture) -> None:
    """The answer is the 404 of any unknown slot; ledger and log have the word."""
    two_turns(service)
    answer = meanwhile(service, model_server, lambda: service.client.delete(service.path("s")))
    assert (answer.status_code, answer.json()) == (404, {"error": "not found", "code": "slot_not_found"})
    assert told(service, logged, answer) == Told(None, "deleted", "deleted")


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (error_reply(529, "overloaded_error", {"retry-after": "7000"}), "model_overloaded"),
        (error_reply(429, "rate_limit_error", {"retry-after": "7000"}), "model_overloaded"),
        (summary_reply().cut_after(3), "model_cut"),
        (summary_reply(stop_reason="refusal"), "model_refused"),
        (summary_reply(stop_reason="max_tokens"), "model_truncated"),
        (error_reply(401, "authentication_error"), "model_auth"),
        (error_reply(400, "invalid_request_error"), "model_error"),
        (text_reply("I cannot help with that."), "reply_unusable"),
        (summary_reply([intent(title=" ")]), "reply_unusable"),
        (text_reply('{"intents": []} or {"intents": [1]}'), "reply_ambiguous"),
    ],
)
def test_failures_at_the_model(
    service: LiveService, model_server: ModelServer, logged: pytest.LogCaptureFixture, answers: Answer, reason: str
) -> None:
    """Whatever the model side does."""
    two_turns(service)
    model_server.script(answers)
    answer = service.generate("s")
    expected = (503, "model_overloaded") if reason == "model_overloaded" else UNAVAILABLE
    assert (answer.status_code, answer.json()["code"]) == expected
    assert told(service, logged, answer) == same_word(reason)


def test_model_timeout(service: LiveService, model_server: ModelServer, logged: pytest.LogCaptureFixture) -> None:
    """The model says nothing until the deadline."""
    service.set("pass_deadline_seconds", 1)
    two_turns(service)
    model_server.hold()
    answer = service.generate("s")
    assert (answer.status_code, answer.json()["code"]) == UNAVAILABLE
    assert told(service, logged, answer) == same_word("model_timeout")


def test_model_unreachable(service: LiveService, logged: pytest.LogCaptureFixture) -> None:
    """Nobody listens at the model's address."""
    service.set("pass_deadline_seconds", 1)
    service.set("anthropic.base_url", f"http://127.0.0.1:{free_port()}")
    two_turns(service)
    answer = service.generate("s")
    assert (answer.status_code, answer.json()["code"]) == UNAVAILABLE
    assert told(service, logged, answer) == same_word("model_unreachable")


def test_deadline(service: LiveService, model_server: ModelServer, logged: pytest.LogCaptureFixture) -> None:
    """A service that stops has no time left for the pass it runs: whoever waits is told, and so is the ledger."""
    two_turns(service)
    model_server.hold()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(service.generate, "s")
        wait_until_sync(lambda: model_server.requests, within=10)
        service.begin_stop()
        answer = waiting.result()
    assert (answer.status_code, answer.json()["reason"]) == (409, "deadline")
    service.stop()
    assert service.rows("SELECT outcome, reason FROM passes") == [("failed", "deadline")]
    assert "outcome=failed reason=deadline" in logged.text


@pytest.mark.slow
def test_store_busy(service: LiveService, model_server: ModelServer, logged: pytest.LogCaptureFixture) -> None:
    """Somebody holds the database for longer than the write waits: the ledger still keeps what the answer cost."""
    two_turns(service)
    with sqlite3.connect(service.database, isolation_level=None, check_same_thread=False) as other:
        free = threading.Timer(7, lambda: other.execute("ROLLBACK"))

        def hold() -> None:
            other.execute("BEGIN IMMEDIATE")
            free.start()

        answer = meanwhile(service, model_server, hold)
        free.join()
    other.close()
    assert (answer.status_code, answer.json()["code"]) == (503, "store_busy")
    assert int(answer.headers["retry-after"]) > 0
    assert told(service, logged, None) == Told(None, "store_busy", "store_busy")
    assert service.rows("SELECT outcome, input_tokens FROM passes") == [("failed", 1200)]


def test_store_full(service: LiveService, model_server: ModelServer, logged: pytest.LogCaptureFixture) -> None:
    """The disk takes nothing, not even a ledger row: answer and log have the word, and no model is asked."""
    two_turns(service)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
    try:
        answer = service.generate("s")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (answer.status_code, answer.json()["code"]) == (507, "store_full")
    assert model_server.requests == []
    assert "outcome=failed reason=store_full" in logged.text
    assert service.generate("s").status_code == 200


def test_budget(tmp_path: Path, model_server: ModelServer, logged: pytest.LogCaptureFixture) -> None:
    """Once the day's tokens are used up nobody is asked until midnight UTC, which Retry-After names to the second."""
    noon, midnight = 1_760_011_200.0, 1_760_054_400.0
    clock = [noon]
    folder = tmp_path / "data"
    for key, value in (("session_summary.enabled", True), ("engine", "anthropic"), ("daily_token_budget", 1280)):
        set_value(folder / "config.json", key, value)
    environ = {"ANTHROPIC_BASE_URL": model_server.url, "ANTHROPIC_API_KEY": "made-up-key"}
    with LiveService(folder, environ=environ, now=lambda: clock[0]) as service:
        two_turns(service)
        assert service.generate("s").status_code == 200
        clock[0] = noon + 0.5
        service.append("s", exchange("And the docs"))
        answer = service.generate("s")
        assert (answer.status_code, answer.json()["code"]) == UNAVAILABLE
        assert answer.headers["retry-after"] == str(int(midnight - noon))
        assert told(service, logged, answer) == same_word("budget")
        assert _titles(service) == {}
        assert service.client.get("/api/usage").json()["passes"][0]["trigger"] == "title"
        assert told(service, logged, None) == Told(None, "budget", "budget")
        assert len(model_server.requests) == 1
        clock[0] = midnight + 1
        assert service.generate("s").status_code == 200
        assert len(model_server.requests) == 2


def _titles(service: LiveService) -> dict[str, Any]:
    summaries: dict[str, Any] = service.client.post("/api/sessions/summarize", json={"keys": ["s"]}).json()["summaries"]
    return summaries
