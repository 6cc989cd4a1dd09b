"""Requests that no client library makes: each is a 400 with a sentence, and nothing of it is stored."""

import base64

import pytest

from tests.support.live import LiveService

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    "body",
    [
        b'{"messages": [{"role": "user", "content": "x", "ts": NaN}]}',
        b'{"messages": [{"role": "user", "content": "x", "ts": -Infinity}]}',
        b'{"messages": ' + b"[" * 100_000,
        b'{"messages": 1' + b"0" * 5_000 + b"}",
        b"\xff\xfe\x00",
        b"null",
    ],
)
def test_a_body_that_is_no_json_of_ours(service: LiveService, body: bytes) -> None:
    """Odd numbers, endless nesting, bytes that are no text."""
    service.put("s")
    answer = service.client.post(service.path("s", "messages"), content=body, headers=JSON)
    assert (answer.status_code, set(answer.json())) == (400, {"error", "code"})
    assert service.rows("SELECT count(*) FROM messages") == [(0,)]


@pytest.mark.parametrize("rest", [("summary",), ("turn", "start"), ()])
def test_a_body_where_none_is_wanted(service: LiveService, rest: tuple[str, ...]) -> None:
    """It may be left out, but what is sent must be an object; a bad one does nothing."""
    service.put("s")
    verb = "POST" if rest else "DELETE"
    answer = service.client.request(verb, service.path("s", *rest), content=b"[", headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_json")
    assert service.rows("SELECT running FROM slots") == [(0,)]


@pytest.mark.parametrize(
    "query",
    [
        {"limit": "00000000000000000001" + "9" * 5_000},
        {"limit": "000000000000000000019"},
        {"limit": "٣"},
        {"after": base64.urlsafe_b64encode(f"{10**30} s".encode()).decode()},
        {"after": base64.urlsafe_b64encode(b"\xff 1").decode()},
        {"state": "nearly-done"},
        {"state": ""},
    ],
)
def test_a_query_that_cannot_be_one(service: LiveService, query: dict[str, str]) -> None:
    """Numbers, cursors and states that no page of ours gave."""
    answer = service.client.get("/api/chat/slots", params=query)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_a_stop_reason_is_a_word(service: LiveService) -> None:
    """It goes into log lines and answers: what is no plain word is not repeated, and an essay is refused."""
    service.put("s")
    end = service.path("s", "turn", "end")
    told = service.client.post(end, json={"stop_reason": " a\nforged line\x1b[31m "}).json()
    assert told["stop_reason"] == "other"
    assert service.client.post(end, json={"stop_reason": "x" * 201}).status_code == 400
