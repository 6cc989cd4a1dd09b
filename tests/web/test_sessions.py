"""One-line titles over HTTP, as a host sees them."""

import concurrent.futures
import json
from collections.abc import Callable
from typing import Any

import pytest

from service.config import set_value
from tests.support.live import LiveService, exchange
from tests.support.model_answers import Answer, error_reply, text_reply, title_reply
from tests.support.model_server import ModelServer
from tests.support.wait import wait_until_sync


def fed(service: LiveService, *slots: str) -> None:
    """Sessions of one exchange each."""
    for slot in slots:
        service.put(slot)
        service.append(slot, exchange(f"Sort the imports of {slot}"))


def titles(service: LiveService, *keys: object) -> dict[str, str]:
    answer = service.client.post("/api/sessions/summarize", json={"keys": keys})
    assert answer.status_code == 200, answer.text
    summaries: dict[str, str] = answer.json()["summaries"]
    return summaries


def ledger(service: LiveService) -> list[tuple[Any, ...]]:
    return service.rows("SELECT trigger, outcome, reason FROM passes ORDER BY id")


def test_a_line_is_made_once(service: LiveService, model_server: ModelServer) -> None:
    """The first request asks the model, the next ones take what is stored, and the list shows it."""
    fed(service, "s")
    model_server.script(title_reply('"Sorts the imports."'))
    with service.events() as events:
        events.next()
        assert titles(service, "s") == {"s": "Sorts the imports"}
        assert events.until("session_title")["data"]["data"] == {"key": "s"}
    assert titles(service, "s") == {"s": "Sorts the imports"}
    assert len(model_server.requests) == 1
    assert service.client.get("/api/chat/slots").json()["slots"][0]["headline"] == "Sorts the imports"
    assert ledger(service) == [("title", "stored", None)]
    assert service.rows("SELECT input_tokens, output_tokens FROM passes") == [(1200, 80)]


def test_a_line_is_made_anew_once_the_session_moved(service: LiveService, model_server: ModelServer) -> None:
    """After an append or a rewrite the stored line is not shown any more, and the next request asks again."""
    fed(service, "s")
    model_server.script(title_reply("First"), title_reply("Second"), title_reply("Third"))
    assert titles(service, "s") == {"s": "First"}
    service.append("s", exchange("And the exports"))
    assert service.client.get("/api/chat/slots").json()["slots"][0]["headline"] is None
    assert titles(service, "s") == {"s": "Second"}
    service.rewrite("s", exchange("Start over"))
    assert titles(service, "s") == {"s": "Third"}


def test_nothing_to_say_is_asked_once(service: LiveService, model_server: ModelServer) -> None:
    """SKIP is no line, and is not paid for twice."""
    fed(service, "s")
    model_server.script(title_reply("SKIP"))
    assert titles(service, "s") == titles(service, "s") == {}
    assert len(model_server.requests) == 1


def test_a_session_without_a_person_asks_nobody(service: LiveService, model_server: ModelServer) -> None:
    """Where nobody typed anything there is nothing to name, and no model is paid to say so."""
    service.put("empty")
    service.put("robot")
    service.append("robot", [{"role": "user", "content": "[monitor wake] tick"}])
    assert titles(service, "empty", "robot") == {}
    assert model_server.requests == []


def test_what_counts_of_the_keys(service: LiveService, model_server: ModelServer) -> None:
    """Duplicates, unknown keys, private sessions and what is no string go before the first eight are taken."""
    names = [f"s{n}" for n in range(10)]
    fed(service, *names)
    service.put("private", memory_mode="temporary")
    odd = [5, None, ["s0"], {"a": 1}, "", "x" * 300, "nowhere", "private", "s0", "s0", "\ud800"]
    body = {"keys": [*odd, *names]}
    headers = {"Content-Type": "application/json"}
    answer = service.client.post("/api/sessions/summarize", content=json.dumps(body), headers=headers)
    assert list(answer.json()["summaries"]) == names[:8]
    assert len(model_server.requests) == 8


@pytest.mark.parametrize("body", [{}, {"keys": None}, {"keys": "s"}, {"keys": {"s": 1}}, {"keys": 7}, ["s"]])
def test_no_list_of_keys(service: LiveService, body: object) -> None:
    """It is a 400 that says what is wanted."""
    answer = service.client.post("/api/sessions/summarize", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_off_makes_no_line(service: LiveService, model_server: ModelServer) -> None:
    """Off is a 409, also for a line that is stored, and nothing is written in the ledger."""
    fed(service, "s")
    titles(service, "s")
    service.set("session_summary.enabled", False)
    answer = service.client.post("/api/sessions/summarize", json={"keys": ["s"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "summary_disabled")
    assert len(model_server.requests) == 1
    assert len(ledger(service)) == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (error_reply(529, "overloaded_error", {"retry-after": "7000"}), "model_overloaded"),
        (error_reply(401, "authentication_error"), "model_auth"),
        (title_reply(stop_reason="max_tokens"), "model_truncated"),
        (title_reply(stop_reason="refusal"), "model_refused"),
        (title_reply().cut_after(3), "model_cut"),
        (text_reply(" \n "), "reply_unusable"),
    ],
)
def test_a_line_that_could_not_be_made_is_left_out(
    service: LiveService, model_server: ModelServer, answer: Answer, reason: str
) -> None:
    """The others are there; the ledger says why one is not."""
    fed(service, "good")
    assert titles(service, "good") == {"good": "Adds dark mode"}
    fed(service, "bad")
    model_server.script(answer)
    assert titles(service, "bad", "good") == {"good": "Adds dark mode"}
    assert ledger(service)[-1] == ("title", "failed", reason)


def test_one_call_for_many_requests(service: LiveService, model_server: ModelServer) -> None:
    """Twenty requests at once for two slots of one session ask once, and all get the line."""
    service.put("one", transcript_key="t")
    service.put("two", transcript_key="t")
    service.append("one", exchange("Sort the imports"))
    model_server.hold()
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        answers = [pool.submit(titles, service, "one", "two") for _ in range(20)]
        wait_until_sync(lambda: len(model_server.requests) == 1, within=10)
        model_server.release()
        lines = [answer.result() for answer in answers]
    assert lines == [{"one": "Adds dark mode", "two": "Adds dark mode"}] * 20
    assert len(model_server.requests) == 1


def test_whoever_waited_for_an_older_line_gets_a_newer_one(service: LiveService, model_server: ModelServer) -> None:
    """A request that comes after an append does not take the line of a call that began before it."""
    fed(service, "s")
    model_server.script(title_reply("Older").held_after(2), title_reply("Newer"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        first = pool.submit(titles, service, "s")
        wait_until_sync(lambda: len(model_server.requests) == 1, within=10)
        service.append("s", exchange("And the exports"))
        second = pool.submit(titles, service, "s")
        model_server.release()
        first.result()
        assert second.result() == {"s": "Newer"}
    assert service.client.get("/api/chat/slots").json()["slots"][0]["headline"] == "Newer"


def test_deleted_while_the_model_thinks(service: LiveService, model_server: ModelServer) -> None:
    """No line, no row, and none for a session made again under the same key; the ledger keeps the cost."""

    def act() -> None:
        service.client.delete(service.path("s"))
        fed(service, "s")

    assert _meanwhile(service, model_server, act) == {}
    assert service.rows("SELECT title FROM titles") == [(None,)]
    assert service.rows("SELECT slot, outcome, input_tokens FROM passes")[0][1:] == ("refused", 1200)


def test_private_while_the_model_thinks(service: LiveService, model_server: ModelServer) -> None:
    """A session that turns private meanwhile gets no line."""
    act = lambda: service.client.patch(service.path("s"), json={"memory_mode": "incognito"})  # noqa: E731
    assert _meanwhile(service, model_server, act) == {}
    assert ledger(service) == [("title", "refused", "memory_mode")]


def test_switched_off_while_the_model_thinks(service: LiveService, model_server: ModelServer) -> None:
    """What was asked while on is not stored once off."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        fed(service, "s")
        model_server.script(title_reply().held_after(2))
        asked = pool.submit(service.client.post, "/api/sessions/summarize", json={"keys": ["s"]})
        wait_until_sync(lambda: len(model_server.requests) == 1, within=10)
        service.set("session_summary.enabled", False)
        model_server.release()
        assert asked.result().status_code == 409
    assert ledger(service) == [("title", "refused", "disabled")]
    assert service.rows("SELECT title FROM titles") == [(None,)]


def _meanwhile(service: LiveService, model_server: ModelServer, act: Callable[[], object]) -> dict[str, str]:
    fed(service, "s")
    model_server.script(title_reply().held_after(2))
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        lines = pool.submit(titles, service, "s")
        wait_until_sync(lambda: len(model_server.requests) == 1, within=10)
        act()
        model_server.release()
        return lines.result()


def test_a_summary_and_a_line_do_not_touch_each_other(service: LiveService, model_server: ModelServer) -> None:
    """Making one leaves the other, the transcript and its messages byte for byte as they were."""
    fed(service, "s")
    service.append("s", exchange("And the exports"))
    service.generate("s")
    tables = ("transcripts", "messages", "summaries")
    before = [service.rows(f"SELECT * FROM {table}") for table in tables]  # noqa: S608 - fixed names
    titles(service, "s")
    assert [service.rows(f"SELECT * FROM {table}") for table in tables] == before  # noqa: S608 - fixed names
    line = service.rows("SELECT * FROM titles")
    service.generate("s")
    assert service.rows("SELECT * FROM titles") == line


def test_without_a_model_the_line_is_the_newest_goal(service: LiveService, model_server: ModelServer) -> None:
    """The outline takes the person's own words, and asks nobody."""
    set_value(service.folder.config, "engine", "outline")
    fed(service, "s")
    assert "imports" in titles(service, "s")["s"]
    assert model_server.requests == []
