"""Reading and making summaries over HTTP, as a host sees it."""

import concurrent.futures
import threading

import pytest

from tests.support.live import LiveService, exchange
from tests.support.model_answers import error_reply, intent, summary_reply, text_reply
from tests.support.model_server import ModelServer
from tests.support.wait import wait_until_sync

KEYS = {
    "enabled",
    "stale",
    "intents",
    "constraints",
    "generated_at",
    "user_turns",
    "last_activity",
    "generate_state",
}


def two_turns(service: LiveService, slot: str = "s") -> None:
    """A session that is ready for its first summary, made without the automatic pass."""
    service.put(slot)
    service.append(slot, exchange("Sort the imports", ts="2026-03-02T09:00:00+00:00") + exchange("Now the exports"))


def ledger(service: LiveService) -> list[tuple[str, str, str | None]]:
    return service.rows("SELECT trigger, outcome, reason FROM passes ORDER BY id")


def test_two_clean_turns_make_one_summary(service: LiveService, model_server: ModelServer) -> None:
    """No call after the first turn; one call, one stored summary and one frame with the slot key after the second."""
    with service.events() as events:
        assert events.next()["event"] == "hello"
        service.put("chat/1")
        service.turn("chat/1", "Sort the imports")
        assert service.summary("chat/1")["generate_state"] == "too_few_turns"
        assert model_server.requests == []
        service.turn("chat/1", "Now the exports")
        frame = events.until("session_summary")
    assert frame["data"] == {"type": "session_summary", "data": {"key": "chat/1"}}
    body = service.summary("chat/1")
    assert body["stale"] is False
    assert body["intents"][0]["title"] == "Add dark mode"
    assert body["user_turns"] == 2
    assert len(model_server.requests) == 1
    assert ledger(service) == [("turn_end", "skipped", "too_few_turns"), ("turn_end", "stored", None)]
    assert service.rows("SELECT count(*) FROM events WHERE type = 'session_summary'") == [(1,)]


def test_a_hundred_requests_for_an_unchanged_session_cost_nothing(
    service: LiveService, model_server: ModelServer
) -> None:
    """Each of a hundred POSTs on an unchanged session is a 200 with the same body, and no model is asked."""
    two_turns(service)
    assert service.generate("s").status_code == 200
    assert len(model_server.requests) == 1
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: service.generate("s"), range(100)))
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.content for answer in answers} == {service.client.get(service.path("s", "summary")).content}
    assert len(model_server.requests) == 1


def test_a_hundred_requests_for_a_moved_session_make_one_call(service: LiveService, model_server: ModelServer) -> None:
    """One of a hundred concurrent POSTs reaches the model; the others are told that one is in flight."""
    two_turns(service)
    model_server.script(summary_reply().held_after(2))
    with concurrent.futures.ThreadPoolExecutor(100) as pool:
        futures = [pool.submit(service.generate, "s") for _ in range(100)]
        wait_until_sync(lambda: sum(future.done() for future in futures) == 99, within=15)
        model_server.release()
        answers = [future.result() for future in futures]
    codes = sorted((answer.status_code, answer.json().get("code")) for answer in answers)
    assert codes == [(200, None)] + [(409, "summary_in_flight")] * 99
    assert len(model_server.requests) == 1


def test_off_makes_serves_and_pushes_nothing(service: LiveService, model_server: ModelServer) -> None:
    """Switched off, what is stored is not served, nothing is made, and on again it is all there."""
    two_turns(service)
    service.generate("s")
    stored = service.summary("s")
    service.set("session_summary.enabled", False)
    off = service.summary("s")
    assert off.keys() >= KEYS
    assert off["enabled"] is False
    assert (off["intents"], off["constraints"], off["generated_at"]) == ([], [], None)
    assert off["generate_state"] == "unavailable"
    answer = service.generate("s")
    assert (answer.status_code, answer.json()["code"]) == (409, "summary_disabled")
    service.turn("s", "And the docs")
    assert len(model_server.requests) == 1
    listed = service.client.get("/api/chat/slots").json()["slots"][0]
    assert (listed["headline"], listed["state"], listed["open_items"]) == (None, None, 0)
    service.set("session_summary.enabled", True)
    assert service.summary("s")["intents"] == stored["intents"]


def test_stale_is_shown_and_says_why(service: LiveService) -> None:
    """After an append the stored summary is still served, marked stale as appended; after a rewrite as rewritten."""
    two_turns(service)
    service.generate("s")
    service.append("s", exchange("And the docs"))
    assert (service.summary("s")["stale"], service.summary("s")["stale_reason"]) == (True, "appended")
    service.rewrite("s", exchange("Start over"))
    assert service.summary("s")["stale_reason"] == "rewritten"


def test_an_unchanged_summary_is_not_sent_twice(service: LiveService) -> None:
    """A conditional GET answers 304 until something that shows has changed."""
    two_turns(service)
    service.generate("s")
    first = service.client.get(service.path("s", "summary"))
    tags = {"If-None-Match": f'"other", W/{first.headers["etag"]}'}
    again = service.client.get(service.path("s", "summary"), headers=tags)
    assert (again.status_code, again.content) == (304, b"")
    service.append("s", exchange("And the docs"))
    assert service.client.get(service.path("s", "summary"), headers=tags).status_code == 200


@pytest.mark.parametrize(
    ("answer", "status", "code", "reason"),
    [
        (error_reply(529, "overloaded_error", {"retry-after": "7000"}), 503, "model_overloaded", "model_overloaded"),
        (error_reply(429, "rate_limit_error", {"retry-after": "7000"}), 503, "model_overloaded", "model_overloaded"),
        (error_reply(401, "authentication_error"), 409, "summary_unavailable", "model_auth"),
        (error_reply(400, "invalid_request_error"), 409, "summary_unavailable", "model_error"),
        (summary_reply(stop_reason="max_tokens"), 409, "summary_unavailable", "model_truncated"),
        (summary_reply(stop_reason="refusal"), 409, "summary_unavailable", "model_refused"),
        (summary_reply().cut_after(3), 409, "summary_unavailable", "model_cut"),
        (text_reply("I cannot help with that."), 409, "summary_unavailable", "reply_unusable"),
        (text_reply('{"intents": []} or {"intents": [1]}'), 409, "summary_unavailable", "reply_ambiguous"),
        (summary_reply([intent(title=" ")]), 409, "summary_unavailable", "reply_unusable"),
    ],
)
def test_a_failed_pass_leaves_the_old_summary_byte_for_byte(
    service: LiveService, model_server: ModelServer, answer: object, status: int, code: str, reason: str
) -> None:
    """Whatever goes wrong at the model, the POST says so, the ledger has the same word, and GET is as it was."""
    two_turns(service)
    service.generate("s")
    service.append("s", exchange("And the docs"))
    before = service.client.get(service.path("s", "summary")).content
    model_server.script(answer)  # type: ignore[arg-type] # the parameters are answers
    failed = service.generate("s")
    assert (failed.status_code, failed.json()["code"], failed.json()["reason"]) == (status, code, reason)
    assert service.client.get(service.path("s", "summary")).content == before
    assert ledger(service)[-1] == ("request", "failed", reason)
    assert service.rows("SELECT count(*) FROM events WHERE type = 'session_summary'") == [(1,)]


def test_retry_after_is_handed_on(service: LiveService, model_server: ModelServer) -> None:
    """How long an overloaded model wants to be left alone reaches the host."""
    two_turns(service)
    model_server.script(error_reply(529, "overloaded_error", {"retry-after": "7000"}))
    assert service.generate("s").headers["retry-after"] == "7000"


def test_a_rewrite_during_generation_is_refused(service: LiveService, model_server: ModelServer) -> None:
    """A summary of content that was rewritten meanwhile is not stored, and nobody is told."""
    two_turns(service)
    assert _meanwhile(service, model_server, lambda: service.rewrite("s", exchange("Start over") * 2)) == (
        409,
        "summary_unavailable",
        "moved",
    )
    assert service.summary("s")["intents"] == []
    assert service.rows("SELECT count(*) FROM events WHERE type = 'session_summary'") == [(0,)]
    assert service.rows("SELECT turn_mark FROM slots") == [(0,)]


def test_a_turn_that_begins_during_generation_refuses_it(service: LiveService, model_server: ModelServer) -> None:
    """The person went on: the summary of what was before is not stored as current."""
    two_turns(service)
    start = lambda: service.client.post(service.path("s", "turn", "start"), json={})  # noqa: E731
    assert _meanwhile(service, model_server, start) == (409, "summary_turn_running", "running")


def test_a_session_deleted_during_generation_stays_gone(service: LiveService, model_server: ModelServer) -> None:
    """The POST is the 404 of a session that never was, and no row comes back."""
    two_turns(service)
    delete = lambda: service.client.delete(service.path("s"))  # noqa: E731
    assert _meanwhile(service, model_server, delete) == (404, "slot_not_found", None)
    assert service.rows("SELECT count(*) FROM summaries") == [(0,)]
    assert service.rows("SELECT slot, transcript_key, input_tokens FROM passes") == [(None, None, 1200)]


def test_switching_off_during_generation_refuses_it(service: LiveService, model_server: ModelServer) -> None:
    """What was asked while on is not stored once off."""
    two_turns(service)
    off = lambda: service.set("session_summary.enabled", False)  # noqa: E731
    assert _meanwhile(service, model_server, off) == (409, "summary_disabled", "disabled")
    assert service.rows("SELECT payload FROM summaries") == [(None,)]


def _meanwhile(service: LiveService, model_server: ModelServer, act: object) -> tuple[int, str, str | None]:
    """Starts a pass, lets something happen while the model thinks, and gives back how the POST ended."""
    model_server.script(summary_reply().held_after(2))
    asked = len(model_server.requests)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        answer = pool.submit(service.generate, "s")
        wait_until_sync(lambda: len(model_server.requests) > asked, within=10)
        act()  # type: ignore[operator] # a callable without arguments
        model_server.release()
        body = answer.result().json()
        return answer.result().status_code, body["code"], body.get("reason")


def test_fifty_deletes_in_mid_call_bring_nothing_back(service: LiveService, model_server: ModelServer) -> None:
    """Fifty sessions deleted while the model thinks: fifty 404s and no row of any of them."""
    service.set("max_passes", 64)
    for n in range(50):
        two_turns(service, f"s{n}")
    gate = threading.Barrier(50)
    model_server.hold()

    def generate(n: int) -> int:
        gate.wait(10)
        return service.generate(f"s{n}").status_code

    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        answers = [pool.submit(generate, n) for n in range(50)]
        wait_until_sync(lambda: len(model_server.requests) == 50, within=20)
        for n in range(50):
            assert service.client.delete(service.path(f"s{n}")).status_code == 200
        model_server.release()
        assert {answer.result() for answer in answers} == {404}
    for table in ("transcripts", "messages", "summaries", "titles", "slots"):
        assert service.rows(f"SELECT count(*) FROM {table}") == [(0,)]  # noqa: S608 - fixed names


def test_the_model_reads_the_facts_beside_the_claim(service: LiveService, model_server: ModelServer) -> None:
    """A cheerful closing reply and the failed run behind it reach the model together, and the summary shows the run."""
    service.put("s")
    cheerful = exchange("Fix the tax bug", "All tests pass, we are done!")
    cheerful[1]["facts"] = [{"kind": "ran", "text": "pytest", "result": "failed"}]
    service.append("s", cheerful + exchange("Thanks"))
    model_server.script(summary_reply([intent(ranges=[[1, 2]], status="completed", verified=True)]))
    service.generate("s")
    assert "ran pytest failed" in model_server.requests[0].text
    evidence = service.summary("s")["intents"][0]["evidence"]
    assert evidence == [{"turn": 1, "kind": "ran", "text": "pytest", "result": "failed"}]


def test_a_summary_is_served_as_markdown(service: LiveService) -> None:
    """A host that asks for Markdown gets the same summary fit for an issue, with a tag of its own."""
    two_turns(service)
    service.generate("s")
    answer = service.client.get(service.path("s", "summary"), headers={"Accept": "text/markdown"})
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert "Add dark mode" in answer.text
    assert answer.headers["etag"] != service.client.get(service.path("s", "summary")).headers["etag"]


@pytest.mark.parametrize(
    ("accept", "markdown"),
    [
        ("text/markdown", True),
        ("Text/Markdown; charset=utf-8", True),
        ("text/markdown, application/json;q=0.9", True),
        ("application/json;q=0.5, TEXT/MARKDOWN;Q=0.8", True),
        ("text/markdown, text/html;q=0.9, */*;q=0.8", True),
        ("text/markdown, */*", True),
        ("text/*", True),
        ("text/markdown;q=0", False),
        ("text/markdown;q=0, */*", False),
        ("text/markdown;q=0.000, text/*", False),
        ("application/json, text/markdown;q=0.1", False),
        ("application/*, text/markdown;q=0.5", False),
        ("text/markdown, application/json", False),
        ("application/json, text/*", False),
        ("text/markdownx", False),
        ("text/x; kind=text/markdown", False),
        ("text/markdown;q=much", False),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", False),
        ("*/*", False),
        ("", False),
    ],
)
def test_markdown_is_for_who_prefers_it(service: LiveService, accept: str, markdown: bool) -> None:
    """JSON is the answer unless Markdown is accepted, and liked better."""
    two_turns(service)
    service.generate("s")
    answer = service.client.get(service.path("s", "summary"), headers={"Accept": accept})
    assert answer.headers["content-type"].startswith("text/markdown" if markdown else "application/json")


def test_accept_may_come_in_several_lines(service: LiveService) -> None:
    """They count as one list."""
    two_turns(service)
    lines = [("Accept", "application/json;q=0.2"), ("Accept", "text/markdown")]
    answer = service.client.get(service.path("s", "summary"), headers=lines)
    assert answer.headers["content-type"].startswith("text/markdown")


def test_markdown_says_that_summaries_are_off(service: LiveService) -> None:
    """Who asks for Markdown while the feature is off is told so, and nothing of a summary."""
    two_turns(service)
    service.generate("s")
    service.set("session_summary.enabled", False)
    text = service.client.get(service.path("s", "summary"), headers={"Accept": "text/markdown"}).text
    assert "Summaries are off" in text
    assert "Add dark mode" not in text


def test_markdown_says_which_session_it_is_of_and_how_far_it_can_be_trusted(service: LiveService) -> None:
    """A brief for somebody else names title, project and key, and how many turns it does not know of."""
    service.put("s", title="Imports", project="/home/ana/shop")
    two_turns(service)
    service.generate("s")
    service.append("s", exchange("And the docs"))
    text = service.client.get(service.path("s", "summary"), headers={"Accept": "text/markdown"}).text
    stale = "> **Out of date:** 1 turn was added to the session after this was made."
    assert text.startswith(f"# Imports\n\n{stale}\n\n- Project: /home/ana/shop\n- Session: s\n- Made ")


def test_a_summary_says_what_it_cost(service: LiveService) -> None:
    """The cost of the very call that made it stands in the summary."""
    two_turns(service)
    assert service.generate("s").json()["cost_usd"] == pytest.approx(0.00016)
