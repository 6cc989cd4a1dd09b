"""The log at its most talkative, under forced errors: keys and reasons, and nothing that anybody said."""

import io
import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.support.live import LiveService, exchange
from tests.support.log import at_its_most_talkative
from tests.support.model_answers import Answer, error_reply, intent, summary_reply, text_reply, title_reply
from tests.support.model_server import ModelServer, raw_reply

SAID = "needle-that-a-person-said"
SUMMED_UP = "needle-that-a-model-wrote"
KEY = "made-up-key"


@pytest.fixture
def stderr() -> Iterator[io.StringIO]:
    with at_its_most_talkative() as written:
        yield written


def answers() -> list[Answer]:
    """Everything that a model side does wrong, each time with words in it."""
    words = summary_reply([intent(title=SUMMED_UP)], constraints=[SUMMED_UP])
    return [
        words,
        error_reply(401, "authentication_error"),
        error_reply(500, SUMMED_UP, {"x-should-retry": "false"}),
        raw_reply(SUMMED_UP.encode(), status=400),
        raw_reply(SUMMED_UP.encode()),
        words.cut_after(4),
        words.failing_after(4, SUMMED_UP),
        text_reply(SUMMED_UP, stop_reason=SUMMED_UP),
        text_reply(SUMMED_UP),
        text_reply(f'{{"intents": [{{"title": "{SUMMED_UP}"}}]}} {{"intents": ["{SUMMED_UP}"]}}'),
        text_reply('{"intents": [' + f'"{SUMMED_UP}",' * 3),
    ]


def bad_requests(service: LiveService) -> Iterator[httpx2.Response]:
    """Everything that a host does wrong, each time with words in it."""
    headers = {"Content-Type": "application/json"}
    bodies: list[Any] = [
        b'{"messages": [{"role": "user", "content": "' + SAID.encode(),
        json.dumps({"messages": [{"role": "user", "content": f"\ud800 {SAID}", "ts": True}]}).encode(),
        b'{"messages": "' + SAID.encode() + b'"}',
        b'{"messages": [{"role": 7, "content": "' + SAID.encode() + b'"}]}',
        b"[" * 100_000 + SAID.encode(),
        SAID.encode("utf-16"),
    ]
    for body in bodies:
        yield service.client.post(service.path("s", "messages"), content=body, headers=headers)
    yield service.client.get("/api/chat/slots", params={"q": SAID, "after": SAID})
    yield service.client.get("/api/usage", params={"since": SAID})
    yield service.client.get(f"/{SAID}")
    yield httpx2.get(f"{service.url}/api/usage?token={SAID}", headers={"Authorization": f"Bearer {SAID}"})


def break_the_database(service: LiveService) -> None:
    """A row that no code of ours writes: reading it is a defect, met at the HTTP edge and inside a pass."""
    with sqlite3.connect(service.database) as other:
        other.execute("UPDATE messages SET origin = ?", (SAID,))
    other.close()


def test_nothing_that_anybody_said_is_logged(
    service: LiveService, model_server: ModelServer, stderr: io.StringIO
) -> None:
    """No message text, summary text, token or key, whatever goes wrong at the model, the host and the database."""
    app = service.client.post("/api/tokens", json={"app": "red"}).json()["token"]
    service.put("s", title=SAID, project=SAID)
    service.append("s", exchange(SAID, SAID) * 2)
    for answer in answers():
        model_server.script(answer, title_reply(SUMMED_UP) if answer.status == 200 else answer)
        service.generate("s")
        service.client.post("/api/sessions/summarize", json={"keys": ["s", SAID]})
        service.append("s", exchange(SAID, SAID))
    assert all(answer.status_code < 500 for answer in bad_requests(service))
    with service.client_of(app) as client:
        assert client.get(service.path("s", "summary")).status_code == 404
    break_the_database(service)
    assert service.client.get(service.path("s", "messages"), params={"turn": 1}).status_code == 500
    assert service.generate("s").json()["reason"] == "model_error"
    log = stderr.getvalue()
    for reason in ("model_auth", "model_cut", "reply_unusable", "foreign_slot", "request_broke", "pass_broke"):
        assert reason in log
    for secret in (SAID, SUMMED_UP, KEY, service.token, app):
        assert secret not in log
