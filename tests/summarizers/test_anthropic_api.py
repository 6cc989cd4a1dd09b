"""The summarizer against a real server on a real socket: what is sent, what each answer means, what is asked again."""

import asyncio
import gzip
import logging
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import pytest

from service.summarizers.anthropic_api import AnthropicSummarizer, Limits, broken_by
from service.summarizers.protocol import Failure, Reply, Request, Task, Usage
from tests.support.model_server import (
    Answer,
    ModelServer,
    error_reply,
    intent,
    raw_reply,
    summary_reply,
    text_reply,
    title_reply,
)
from tests.support.wait import wait_until

COUNTED = Usage(input_tokens=1200, output_tokens=80)


def summarizer(server: ModelServer, **changes: Any) -> AnthropicSummarizer:
    settings: dict[str, Any] = {
        "model": "claude-haiku-5-5",
        "api_key": "a-key",
        "base_url": server.url,
        "first_wait": 0.01,
    }
    return AnthropicSummarizer(**(settings | changes))


def question(task: Task = Task.SUMMARY, *, within: float | None = None, text: str = "Turn 1: please") -> Request:
    deadline = None if within is None else asyncio.get_running_loop().time() + within
    return Request(task, "Say what the person wanted.", text, (), deadline)


async def failure(server: ModelServer, *answers: Answer, within: float = 5) -> Failure:
    server.script(*answers)
    outcome = await summarizer(server).ask(question(within=within))
    assert isinstance(outcome, Failure)
    return outcome


def test_importing_the_summarizer_leaves_the_sdk_alone() -> None:
    """A command that never asks a model does not pay for loading the SDK."""
    program = "import sys, service.summarizers.anthropic_api; sys.exit('anthropic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


async def test_a_whole_answer_is_a_reply(model_server: ModelServer) -> None:
    """The text of an answer that ended of its own accord comes back with what it cost."""
    model_server.script(text_reply("Grüße, 世界 👋"))
    assert await summarizer(model_server).ask(question()) == Reply("Grüße, 世界 👋", "claude-haiku-5-5", COUNTED)


async def test_thinking_is_no_part_of_the_text(model_server: ModelServer) -> None:
    """What a model thinks before it speaks is not taken for its answer."""
    model_server.script(text_reply("the answer", thinking="the thought"))
    reply = await summarizer(model_server).ask(question())
    assert isinstance(reply, Reply)
    assert reply.text == "the answer"


async def test_a_plain_json_answer_to_a_stream_request_is_read(model_server: ModelServer) -> None:
    """A compatible server that does not stream is understood all the same."""
    model_server.script(text_reply("whole at once").plain())
    assert await summarizer(model_server).ask(question()) == Reply("whole at once", "claude-haiku-5-5", COUNTED)


async def test_a_summary_is_asked_for_as_json(model_server: ModelServer) -> None:
    """The request carries the schema, low effort, no thinking, the instructions cached for an hour, and the model."""
    await summarizer(model_server).ask(question(text="Turn 1: hello"))
    (seen,) = model_server.requests
    assert seen.path == "/v1/messages"
    assert seen.headers["authorization"] == "Bearer a-key"
    assert seen.body["model"] == "claude-haiku-5-5"
    assert seen.body["thinking"] == {"type": "disabled"}
    assert seen.body["messages"] == [{"role": "user", "content": "Turn 1: hello"}]
    assert seen.body["system"] == [
        {
            "type": "text",
            "text": "Say what the person wanted.",
            "cache_control": {"type": "ephemeral", "ttl": "1h"},
        }
    ]
    output = seen.body["output_config"]
    assert output["effort"] == "low"
    assert output["format"]["type"] == "json_schema"
    ranges = output["format"]["schema"]["$defs"]["DraftIntent"]["properties"]["ranges"]
    assert ranges["items"]["items"] == {"type": "integer"}


async def test_a_title_is_asked_for_as_a_line(model_server: ModelServer) -> None:
    """A title is plain text, so no schema goes with the request, and little may be answered."""
    model_server.script(title_reply("Adds dark mode"))
    reply = await summarizer(model_server, limits=Limits(title_tokens=321)).ask(question(Task.TITLE))
    assert isinstance(reply, Reply)
    assert reply.text == "Adds dark mode"
    assert "format" not in model_server.requests[0].body["output_config"]
    assert model_server.requests[0].body["max_tokens"] == 321


async def test_a_local_server_needs_no_key(model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a base URL and no key a made-up one goes out, never the one that lies in the environment."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "the-real-one")
    reply = await summarizer(model_server, api_key=None).ask(question())
    assert isinstance(reply, Reply)
    assert model_server.requests[0].headers["authorization"] == "Bearer none"


async def test_a_path_before_the_api_is_kept(model_server: ModelServer) -> None:
    """A server behind a prefix is reached under it."""
    await summarizer(model_server, base_url=f"{model_server.url}/proxy/").ask(question())
    assert model_server.requests[0].path == "/proxy/v1/messages"


async def test_text_with_half_a_character_is_sent(model_server: ModelServer) -> None:
    """A transcript with a lone surrogate in it can still be summarized."""
    await summarizer(model_server).ask(question(text="torn \ud83d here"))
    assert model_server.requests[0].text == "torn ? here"


@pytest.mark.parametrize(
    ("stop_reason", "reason"),
    [
        ("refusal", "model_refused"),
        ("max_tokens", "model_truncated"),
        ("model_context_window_exceeded", "model_truncated"),
        ("pause_turn", "model_error"),
        ("stop_sequence", "model_error"),
        (None, "model_error"),
    ],
)
async def test_only_an_answer_that_ended_by_itself_counts(
    model_server: ModelServer, stop_reason: str | None, reason: str
) -> None:
    """An answer that stopped for another reason is a failure that names it, and what it cost is kept."""
    outcome = await failure(model_server, text_reply('{"intents": [', stop_reason=stop_reason))
    assert outcome == Failure(reason, "claude-haiku-5-5", COUNTED)


@pytest.mark.parametrize(
    ("status", "kind", "reason"),
    [
        (400, "invalid_request_error", "model_error"),
        (401, "authentication_error", "model_auth"),
        (402, "billing_error", "model_error"),
        (403, "permission_error", "model_auth"),
        (404, "not_found_error", "model_error"),
        (413, "request_too_large", "model_error"),
    ],
)
async def test_a_refused_request_is_not_repeated(
    model_server: ModelServer, status: int, kind: str, reason: str
) -> None:
    """What asking again cannot mend is said at once."""
    outcome = await failure(model_server, error_reply(status, kind))
    assert outcome.reason == reason
    assert len(model_server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (error_reply(429, "rate_limit_error"), "model_overloaded"),
        (error_reply(529, "overloaded_error"), "model_overloaded"),
        (error_reply(529, "anything"), "model_overloaded"),
        (error_reply(503, "overloaded_error"), "model_overloaded"),
        (raw_reply(b"", status=529), "model_overloaded"),
        (text_reply("half").failing_after(4), "model_overloaded"),
        (text_reply("half").failing_after(0, "rate_limit_error"), "model_overloaded"),
        (text_reply("half").failing_after(2).plain(), "model_overloaded"),
        (error_reply(500), "model_error"),
        (raw_reply(b"<html>Bad gateway</html>", status=502, content_type="text/html"), "model_error"),
    ],
)
async def test_trouble_that_passes_is_tried_three_times(model_server: ModelServer, answer: Answer, reason: str) -> None:
    """An overloaded or failing model side is asked again twice, then the failure says what it was."""
    outcome = await failure(model_server, answer, answer, answer)
    assert outcome.reason == reason
    assert len(model_server.requests) == 3


async def test_an_overload_that_passes_goes_unnoticed(model_server: ModelServer) -> None:
    """A summary still comes when the model side was busy for a moment, and every counted attempt is paid for."""
    model_server.script(error_reply(529, "overloaded_error"), text_reply("x").failing_after(3), text_reply("at last"))
    reply = await summarizer(model_server).ask(question())
    assert reply == Reply("at last", "claude-haiku-5-5", Usage(input_tokens=2400, output_tokens=81))


async def test_a_wish_to_wait_is_met_inside_the_deadline(model_server: ModelServer) -> None:
    """The server's own waiting time is used in place of ours: here 20 ms where ours would outlast the deadline."""
    model_server.script(error_reply(429, headers={"retry-after-ms": "20"}))
    reply = await summarizer(model_server, first_wait=60).ask(question(within=5))
    assert isinstance(reply, Reply)


@pytest.mark.parametrize("headers", [{"retry-after": "120"}, {"retry-after-ms": "120000"}])
async def test_a_wish_beyond_the_deadline_is_passed_on(model_server: ModelServer, headers: dict[str, str]) -> None:
    """Nobody waits for a time that lies beyond the deadline: the failure comes at once and names the wish."""
    outcome = await failure(model_server, error_reply(429, "rate_limit_error", headers))
    assert (outcome.reason, outcome.retry_after) == ("model_overloaded", 120.0)
    assert len(model_server.requests) == 1


async def test_a_date_to_wait_for_is_understood(model_server: ModelServer) -> None:
    """A Retry-After that is a date counts from the clock."""
    model_server.script(error_reply(529, headers={"retry-after": "Tue, 01 Dec 2026 00:02:00 GMT"}))
    outcome = await summarizer(model_server, now=lambda: 1796083200.0).ask(question(within=5))
    assert isinstance(outcome, Failure)
    assert outcome.retry_after == 120.0


async def test_a_server_may_forbid_to_ask_again(model_server: ModelServer) -> None:
    """A quota that is used up for good is not asked three times."""
    outcome = await failure(model_server, error_reply(429, "rate_limit_error", {"x-should-retry": "false"}))
    assert outcome.reason == "model_overloaded"
    assert len(model_server.requests) == 1


async def test_a_server_may_ask_to_be_asked_again(model_server: ModelServer) -> None:
    """What its status says is over for good is tried again where the server knows better."""
    model_server.script(error_reply(400, "invalid_request_error", {"x-should-retry": "true"}), text_reply("at last"))
    assert isinstance(await summarizer(model_server).ask(question()), Reply)


UNKNOWN_FIELD = error_reply(400, "invalid_request_error", message="output_config: Extra inputs are not permitted")


@pytest.mark.parametrize(
    "refusal", [UNKNOWN_FIELD, raw_reply(b'{"detail": [{"loc": ["body", "thinking"], "msg": "extra"}]}', status=422)]
)
async def test_a_server_that_knows_less_is_asked_plainly(model_server: ModelServer, refusal: Answer) -> None:
    """A server that refuses an optional field still makes a summary: it gets the bare question once more."""
    model_server.script(refusal, text_reply("plain"))
    reply = await summarizer(model_server).ask(question(text="Turn 1: hello"))
    assert isinstance(reply, Reply)
    assert model_server.requests[1].body == {
        "model": "claude-haiku-5-5",
        "max_tokens": 16_000,
        "system": "Say what the person wanted.",
        "messages": [{"role": "user", "content": "Turn 1: hello"}],
        "stream": True,
    }


async def test_a_server_that_knows_less_is_remembered(model_server: ModelServer) -> None:
    """The next question goes out plainly from the start."""
    model_server.script(UNKNOWN_FIELD)
    one = summarizer(model_server)
    await one.ask(question())
    await one.ask(question(Task.TITLE))
    assert ["thinking" in seen.body for seen in model_server.requests] == [True, False, False]


async def test_a_plain_question_that_is_refused_too_is_not_repeated(model_server: ModelServer) -> None:
    """There is nothing left to leave out, so the failure is told."""
    assert (await failure(model_server, UNKNOWN_FIELD, UNKNOWN_FIELD)).reason == "model_error"
    assert len(model_server.requests) == 2


async def test_a_plain_question_is_one_of_the_two_retries(model_server: ModelServer) -> None:
    """A pass never sends more than three requests, whatever for."""
    assert (await failure(model_server, error_reply(529), UNKNOWN_FIELD, error_reply(529))).reason == "model_overloaded"
    assert len(model_server.requests) == 3


@pytest.mark.parametrize(
    ("status", "kind", "reason"),
    [
        (400, "invalid_request_error", "model_error"),
        (400, "authentication_error", "model_auth"),
        (401, "authentication_error", "model_auth"),
    ],
)
async def test_an_endless_error_is_what_its_status_says(
    model_server: ModelServer, status: int, kind: str, reason: str
) -> None:
    """An error whose text never ends is told at once by status and type, and its connection closed."""
    assert (await failure(model_server, error_reply(status, kind).flooding_after(0))).reason == reason
    await wait_until(lambda: model_server.hang_ups)


async def test_an_endless_overload_keeps_the_wish_to_wait(model_server: ModelServer) -> None:
    """The header of an error counts although the error never ends."""
    outcome = await failure(model_server, error_reply(529, headers={"retry-after": "120"}).flooding_after(0))
    assert (outcome.reason, outcome.retry_after) == ("model_overloaded", 120.0)


@pytest.mark.parametrize("within", [0.6, 5.0])
async def test_an_error_that_falls_silent_is_what_its_status_says(model_server: ModelServer, within: float) -> None:
    """A server that says no, and then nothing, is not a timeout, however little time is left."""
    outcome = await failure(model_server, error_reply(401).unfinished(), within=within)
    assert outcome.reason == "model_auth"


async def test_an_error_cut_short_is_what_its_status_says(model_server: ModelServer) -> None:
    """An error whose connection breaks in mid text is still that error."""
    assert (await failure(model_server, error_reply(403).cut_after(0))).reason == "model_auth"


@pytest.mark.parametrize("status", [200, 400])
async def test_a_compressed_answer_is_not_blown_up(model_server: ModelServer, status: int) -> None:
    """A few kilobytes that unpack to 64 MB take up no memory."""
    bomb = gzip.compress(bytes(64 << 20), 1)
    model_server.script(raw_reply(bomb, status=status).with_headers({"content-encoding": "gzip"}))
    one, asked = summarizer(model_server), question(within=5)
    tracemalloc.start()
    try:
        outcome = await one.ask(asked)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()
    assert isinstance(outcome, Failure)
    assert outcome.reason == "model_error"


async def test_no_compression_is_asked_for(model_server: ModelServer) -> None:
    """An honest server sends bytes that can be read as they are."""
    await summarizer(model_server).ask(question())
    assert model_server.requests[0].headers["accept-encoding"] == "identity"


async def test_a_reply_longer_than_any_summary_is_an_error(model_server: ModelServer) -> None:
    """A server that ignores how much may be answered does not keep the service busy reading it."""
    outcome = await failure(model_server, text_reply("x" * 300_000))
    assert outcome == Failure("model_error", "claude-haiku-5-5", Usage(input_tokens=1200, output_tokens=1))


async def test_our_own_wait_ends_at_the_deadline_too(model_server: ModelServer) -> None:
    """Where the next try would begin beyond the deadline the trouble is told at once."""
    model_server.script(error_reply(529))
    outcome = await summarizer(model_server, first_wait=60).ask(question(within=5))
    assert isinstance(outcome, Failure)
    assert (outcome.reason, outcome.retry_after) == ("model_overloaded", None)


async def test_a_silent_server_is_a_timeout(model_server: ModelServer) -> None:
    """A server that says nothing until the deadline is given up, and its connection closed."""
    model_server.hold()
    outcome = await failure(model_server, within=0.4)
    assert outcome == Failure("model_timeout", "claude-haiku-5-5")
    await wait_until(lambda: model_server.hang_ups)


async def test_what_was_spent_before_a_timeout_is_told(model_server: ModelServer) -> None:
    """Tokens counted at the start of an answer that never ended are in the ledger."""
    outcome = await failure(model_server, text_reply("never whole").held_after(1), within=1.0)
    assert outcome == Failure("model_timeout", "claude-haiku-5-5", Usage(input_tokens=1200, output_tokens=1))


async def test_a_callers_timeout_at_the_deadline_lets_the_answer_out(model_server: ModelServer) -> None:
    """A pass whose own timeout stands at the same moment still learns what was spent."""
    model_server.script(text_reply("never whole").held_after(1))
    request = question(within=1.0)
    async with asyncio.timeout_at(request.deadline):
        outcome = await summarizer(model_server).ask(request)
    assert outcome.usage.input_tokens == 1200


async def test_without_a_deadline_the_limit_of_its_own_holds(model_server: ModelServer) -> None:
    """No question is left open for ever."""
    model_server.hold()
    outcome = await summarizer(model_server, limits=Limits(seconds=0.3)).ask(question())
    assert isinstance(outcome, Failure)
    assert outcome.reason == "model_timeout"


@pytest.mark.parametrize("frames", [1, 4, 7])
async def test_a_connection_cut_in_mid_answer_is_told_apart(model_server: ModelServer, frames: int) -> None:
    """A cut answer is `model_cut`, is not bought a second time, and what it cost so far is kept."""
    outcome = await failure(model_server, text_reply("half an answer").cut_after(frames))
    assert outcome.reason == "model_cut"
    assert outcome.usage.input_tokens == 1200
    assert len(model_server.requests) == 1


async def test_a_plain_answer_cut_short_is_cut(model_server: ModelServer) -> None:
    """A JSON body that breaks off is `model_cut` as well."""
    assert (await failure(model_server, text_reply("half").cut_after(0).plain())).reason == "model_cut"


async def test_a_stream_that_ends_early_in_good_order_is_cut(model_server: ModelServer) -> None:
    """A proxy that closes politely before the last event does not turn half an answer into a whole one."""
    frames = text_reply("half an answer").frames[:-1]
    assert (await failure(model_server, Answer(frames=frames))).reason == "model_cut"


async def test_nothing_is_awaited_after_the_last_event(model_server: ModelServer) -> None:
    """A server that keeps a finished stream open does not delay the summary."""
    model_server.script(text_reply("done").held_after(99))
    assert isinstance(await summarizer(model_server).ask(question(within=5)), Reply)


@pytest.mark.parametrize(
    "answer",
    [
        raw_reply(b""),
        raw_reply(b"", status=204),
        raw_reply(b"<html>Welcome</html>", content_type="text/html"),
        raw_reply(b"[1, 2]"),
        raw_reply(b'{"object": "chat.completion", "choices": []}'),
        raw_reply(b'{"content": 5, "stop_reason": "end_turn"}'),
        raw_reply(b"[" * 100_000),
        raw_reply(b'event: message_start\ndata: {"type"\n\n', content_type="text/event-stream"),
        raw_reply(b"data: 5\n\n", content_type="text/event-stream"),
        raw_reply(b"no gzip").with_headers({"content-encoding": "gzip"}),
    ],
)
async def test_a_200_that_is_no_message_is_an_error(model_server: ModelServer, answer: Answer) -> None:
    """A server that speaks something else is `model_error`, never an exception."""
    assert (await failure(model_server, answer)).reason == "model_error"


@pytest.mark.parametrize(
    "body", [b"", b"\xff", b"[1]", b'{"error": "busy"}', b'{"error": {"type": ["overloaded_error"]}}', b"[" * 100_000]
)
async def test_an_error_in_another_shape_is_an_error(model_server: ModelServer, body: bytes) -> None:
    """Whatever stands in an error, the pass ends with a reason."""
    assert (await failure(model_server, raw_reply(body, status=400))).reason == "model_error"


async def test_a_redirect_is_not_followed(model_server: ModelServer) -> None:
    """The transcript goes to the server that was named and to no other."""
    elsewhere = raw_reply(b"", status=307).with_headers({"location": f"{model_server.url}/elsewhere"})
    assert (await failure(model_server, elsewhere)).reason == "model_error"
    assert len(model_server.requests) == 1


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "no address", "http://[::1", "ftp://127.0.0.1"])
async def test_a_server_that_is_not_there_is_unreachable(model_server: ModelServer, address: str) -> None:
    """A wrong or dead address is `model_unreachable`."""
    outcome = await summarizer(model_server, base_url=address).ask(question(within=5))
    assert isinstance(outcome, Failure)
    assert outcome.reason == "model_unreachable"


@pytest.mark.parametrize("key", ["two\nlines", "schlüssel"])
async def test_a_key_no_header_can_carry_is_an_auth_failure(model_server: ModelServer, key: str) -> None:
    """A key that was pasted wrong is `model_auth`, and nothing is sent."""
    outcome = await summarizer(model_server, api_key=key).ask(question())
    assert isinstance(outcome, Failure)
    assert outcome.reason == "model_auth"
    assert not model_server.requests


async def test_no_key_at_all_is_an_auth_failure(
    model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Asked without any credentials, the summarizer says so and sends nothing."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE", "ANTHROPIC_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "XDG_CONFIG_HOME"):  # the SDK also looks for profiles on disk
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_BASE_URL", model_server.url)
    outcome = await summarizer(model_server, api_key=None, base_url=None).ask(question())
    assert isinstance(outcome, Failure)
    assert outcome.reason == "model_auth"
    assert not model_server.requests


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ANTHROPIC_CUSTOM_HEADERS", "a b: c\n: d"),
        ("HTTP_PROXY", "nonsense://proxy"),
        ("SSL_CERT_FILE", "/nowhere/at/all.pem"),
    ],
)
async def test_a_broken_environment_is_a_failure_and_no_crash(
    model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    """Variables that the SDK trips over end the pass with a reason."""
    monkeypatch.setenv(variable, value)
    assert (await failure(model_server)).reason == "model_error"


@pytest.mark.parametrize(
    ("cause", "reason", "again"),
    [
        (httpx2.ConnectTimeout("x"), "model_unreachable", True),
        (httpx2.ConnectError("x"), "model_unreachable", True),
        (httpx2.RemoteProtocolError("x"), "model_unreachable", True),
        (httpx2.ReadTimeout("x"), "model_timeout", False),
        (httpx2.PoolTimeout("x"), "model_timeout", False),
    ],
)
def test_trouble_before_an_answer_is_told_by_its_cause(cause: Exception, reason: str, again: bool) -> None:
    """A server that does not take the call is unreachable and tried again; one that takes it and is silent, late."""
    error = anthropic.APIConnectionError(request=httpx2.Request("POST", "http://127.0.0.1"))
    error.__cause__ = cause
    broken = broken_by(error)
    assert (broken.trouble, broken.transient) == (reason, again)


def test_silence_in_mid_answer_is_a_timeout() -> None:
    """A connection that goes quiet, but is not cut, is `model_timeout`."""
    assert broken_by(httpx2.ReadTimeout("x")).trouble == "model_timeout"


async def test_a_cancelled_question_hangs_up(model_server: ModelServer) -> None:
    """A pass that is cancelled ends at once and leaves no connection open."""
    model_server.hold()
    asking = asyncio.create_task(summarizer(model_server).ask(question()))
    await wait_until(lambda: model_server.requests, within=5)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await wait_until(lambda: model_server.hang_ups)


async def test_a_question_cancelled_in_a_flood_hangs_up(model_server: ModelServer) -> None:
    """A service that stops does not hear a long answer out."""
    model_server.script(text_reply("x").flooding_after(1))
    asking = asyncio.create_task(summarizer(model_server).ask(question()))
    await wait_until(lambda: model_server.requests, within=5)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await wait_until(lambda: model_server.hang_ups)


async def test_many_questions_at_once_keep_apart(model_server: ModelServer) -> None:
    """Concurrent passes each get the answer to their own question."""
    model_server.default = lambda seen: text_reply(f"about {seen.text}")
    one = summarizer(model_server)
    replies = await asyncio.gather(*(one.ask(question(text=str(number))) for number in range(8)))
    assert [reply.text for reply in replies if isinstance(reply, Reply)] == [f"about {number}" for number in range(8)]


async def test_logs_hold_no_words_of_a_person_or_model(
    model_server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Even where every logger is at its finest level the log shows reasons and no text or key."""
    for name in (None, "anthropic", "httpx2"):
        caplog.set_level(logging.DEBUG, name)
    model_server.script(error_reply(529, "made-up secret kind"), summary_reply([intent("Plant a walnut")]))
    await summarizer(model_server, api_key="quince").ask(question(text="Sow the medlar"))
    lines = [record.getMessage() for record in caplog.records]
    assert any("model_retry reason=model_overloaded" in line for line in lines)
    assert not [line for line in lines for word in ("walnut", "medlar", "quince", "secret") if word in line]
