"""What an app may see: its own slots, and of all others not even whether they exist."""

import concurrent.futures
import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx2
import pytest

from service.web.health import OPENAPI
from tests.support.live import LiveService, exchange

PATHS: dict[str, Any] = json.loads(OPENAPI.read_text())["paths"]
OF_A_SLOT = [
    (path, verb)
    for path, item in PATHS.items()
    for verb in ("get", "head", "put", "post", "patch", "delete")
    if path.startswith("/api/chat/slots/{slot}") and (verb in item or (verb == "head" and "get" in item))
]
BODIES: dict[str, Any] = {
    "/api/chat/slots/{slot}/messages": {"messages": [{"role": "user", "content": "stolen"}]},
    "/api/chat/slots/{slot}/turn/end": {"stop_reason": "end_turn", "messages": exchange("stolen")},
}
DASHBOARD_ONLY = [
    ("GET", "/api/tokens", None),
    ("POST", "/api/tokens", {"app": "more"}),
    ("DELETE", "/api/tokens/red", {}),
    ("PATCH", "/api/settings", {"enabled": False}),
    ("POST", "/api/cookie", {}),
    ("GET", "/metrics", None),
]
SECRET = "a-needle-that-only-red-may-see"


@pytest.fixture
def apps(service: LiveService) -> Iterator[dict[str, httpx2.Client]]:
    """Two apps, each with a client of its own, and sessions of one app, of nobody, and shared by two slots."""
    with ExitStack() as stack:
        clients = {}
        for app in ("red", "blue"):
            token = service.client.post("/api/tokens", json={"app": app}).json()["token"]
            clients[app] = stack.enter_context(service.client_of(token))
        for slot, client in (("red/1", clients["red"]), ("unowned", service.client)):
            client.put(service.path(slot), json={"title": SECRET}).raise_for_status()
            messages = exchange(SECRET) + exchange("Now the exports")
            client.post(service.path(slot, "messages"), json={"messages": messages}).raise_for_status()
            client.post(service.path(slot, "summary"), json={}).raise_for_status()
        service.put("also-red/1", transcript_key="red/1").raise_for_status()
        service.client.post("/api/sessions/summarize", json={"keys": ["red/1", "unowned"]}).raise_for_status()
        yield clients


def requests_on(service: LiveService, slot: str) -> Iterator[tuple[str, str, Any]]:
    """Every route and verb of a slot."""
    for path, verb in OF_A_SLOT:
        url = path.replace("/api/chat/slots/{slot}", service.path(slot))
        yield verb.upper(), url + ("?turn=1" if path.endswith("/messages") else ""), BODIES.get(path, {})


def test_a_foreign_slot_is_a_missing_one(service: LiveService, apps: dict[str, httpx2.Client]) -> None:
    """Over every route and verb: 404 with the very bytes and headers of a slot that was never there."""
    before = service.rows("SELECT * FROM slots"), service.rows("SELECT * FROM messages")
    answers, count = set(), 0
    never_there = [f"nowhere/{n}" for n in range(24)]
    for slot in ("red/1", "also-red/1", "unowned", *never_there, "x/%2F", "\x00", "k" * 257):
        for verb, url, body in requests_on(service, slot):
            if verb == "PUT" and not url.split("?")[0].endswith("messages") and slot not in ("red/1", "unowned"):
                continue  # that one an app may make, or the key is refused as none
            answer = apps["blue"].request(verb, url, json=None if verb in ("GET", "HEAD") else body)
            headers = {name: value for name, value in answer.headers.items() if name != "date"}
            answers.add((answer.status_code, None if verb == "HEAD" else answer.content, json.dumps(headers)))
            count += 1
    for slot in ("red/1", "unowned"):
        answer = apps["blue"].put(service.path("mine"), json={"transcript_key": slot})
        assert (answer.status_code, answer.json()["code"]) == (404, "slot_not_found")
    bodies = {body for _, body, _ in answers if body is not None}
    assert {status for status, _, _ in answers} == {404}
    assert bodies == {b'{"error":"not found","code":"slot_not_found"}'}
    assert len({headers for _, _, headers in answers}) == 1
    assert count >= 261
    assert (service.rows("SELECT * FROM slots"), service.rows("SELECT * FROM messages")) == before


def test_no_list_tells_of_a_foreign_slot(service: LiveService, apps: dict[str, httpx2.Client]) -> None:
    """Lists, searches, titles, usage and open items hold nothing of it, nor does asking for it by name."""
    for query in ({}, {"q": "needle"}, {"state": "in-progress"}, {"source": "host"}, {"limit": "1"}, {"key": "red/1"}):
        assert apps["blue"].get("/api/chat/slots", params=query).json() == {"slots": [], "next": None}
    assert apps["blue"].get("/api/open-items").json()["items"] == []
    for query in ({}, {"slot": "red/1"}, {"slot": "unowned"}, {"slot": "nowhere"}):
        usage = apps["blue"].get("/api/usage", params=query).json()
        assert (usage["passes"], usage["totals"]["passes"], usage["totals"]["cost_usd"]) == ([], 0, 0)
    keys = {"keys": ["red/1", "also-red/1", "unowned", "nowhere"]}
    assert apps["blue"].post("/api/sessions/summarize", json=keys).json() == {"summaries": {}}
    assert set(apps["red"].post("/api/sessions/summarize", json=keys).json()["summaries"]) == {"red/1"}
    assert [slot["key"] for slot in apps["red"].get("/api/chat/slots").json()["slots"]] == ["red/1"]
    assert {one["slot"] for one in apps["red"].get("/api/usage").json()["passes"]} == {"red/1"}


def test_no_stream_tells_of_a_foreign_slot(service: LiveService, apps: dict[str, httpx2.Client]) -> None:
    """Neither live nor replayed from the first id on."""
    blue = apps["blue"].headers["authorization"].removeprefix("Bearer ")
    with service.events(0, token=blue) as replayed, service.events(token=blue) as live:
        assert live.next()["event"] == "hello"
        service.append("red/1", exchange("And the docs"))
        service.append("unowned", exchange("And the docs"))
        apps["blue"].put(service.path("blue/1"), json={}).raise_for_status()
        for frames in (replayed, live):
            assert frames.next()["data"] == {"type": "session_changed", "data": {"key": "blue/1"}}


@pytest.mark.parametrize(("verb", "path", "body"), DASHBOARD_ONLY)
def test_what_is_the_dashboards_alone(
    service: LiveService, apps: dict[str, httpx2.Client], verb: str, path: str, body: object
) -> None:
    """Tokens, settings, the page's cookie and the numbers of all sessions are a 403 for an app."""
    answer = apps["red"].request(verb, path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (403, "dashboard_only")
    assert service.summary("unowned")["enabled"] is True


def test_every_route_wants_a_token(service: LiveService) -> None:
    """But for health, the document and the page's files, each verb of each route is a 401 without one."""
    asked = [(verb, path) for path, item in PATHS.items() for verb in item.keys() - {"parameters"}]

    def status(verb: str, path: str) -> int:
        url = path.replace("{slot}", "s").replace("{app}", "a").replace("{path}", "base.css")
        return httpx2.request(verb.upper(), service.url + url, timeout=20).status_code

    # At once: each failure of an address is answered later than the one before.
    with concurrent.futures.ThreadPoolExecutor(len(asked)) as pool:
        statuses = dict(zip(asked, pool.map(lambda pair: status(*pair), asked), strict=True))
    for (verb, path), found in statuses.items():
        assert (found == 401) == (PATHS[path][verb].get("security") != []), (verb, path)


def test_the_audit_log_has_the_true_reason(
    service: LiveService, apps: dict[str, httpx2.Client], caplog: pytest.LogCaptureFixture
) -> None:
    """Who was refused what and why, which the answers do not tell apart; and no token, no path, no query."""
    apps["blue"].get(service.path("red/1", "summary"), params={"token": "a-secret"})
    apps["blue"].delete(service.path("nowhere"))
    apps["blue"].get(service.path("k\n", "summary"))
    apps["blue"].get("/metrics")
    apps["blue"].get("/a-secret/path")
    httpx2.get(f"{service.url}{service.path('red/1', 'messages')}?turn=1", headers={"Authorization": "Bearer a-secret"})
    httpx2.put(f"{service.url}/api/settings", headers={"Origin": "https://a-secret.example"})
    httpx2.get(f"{service.url}/api/usage")
    lines = [record.getMessage() for record in caplog.records if record.getMessage().startswith("denied ")]
    assert lines == [
        "denied route='GET /api/chat/slots/{slot}/summary' slot='red/1' app='blue' reason=foreign_slot",
        "denied route='DELETE /api/chat/slots/{slot}' slot='nowhere' app='blue' reason=unknown_slot",
        "denied route='GET /api/chat/slots/{slot}/summary' slot='k\\n' app='blue' reason=bad_slot_key",
        "denied route='GET /metrics' slot='' app='blue' reason=dashboard_only",
        "denied route='GET -' slot='' app='blue' reason=route_not_found",
        "denied route='GET /api/chat/slots/{slot}/messages' slot='red/1' app=None reason=wrong_token",
        "denied route='PUT /api/settings' slot='' app=None reason=foreign_origin",
        "denied route='GET /api/usage' slot='' app=None reason=no_token",
    ]


def test_a_key_that_is_a_credential_stays_out_of_the_audit_log(
    service: LiveService, caplog: pytest.LogCaptureFixture
) -> None:
    """Whether the key is one, holds one or is cut within one."""
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "F6g7H8"
    for slot in (secret, f"deploy/{secret}", "/" * 240 + secret):
        httpx2.get(service.url + service.path(slot, "summary"))
    lines = [record.getMessage() for record in caplog.records if record.getMessage().startswith("denied ")]
    assert ["ghp_" in line for line in lines] == [False] * 3
    assert "slot='[redacted:github-token]'" in lines[0]


def test_a_revoked_token_opens_nothing(service: LiveService, apps: dict[str, httpx2.Client]) -> None:
    """From the revocation on; the slots the app made stay."""
    service.client.delete("/api/tokens/red").raise_for_status()
    assert apps["red"].get(service.path("red/1", "summary")).status_code == 401
    assert service.client.get(service.path("red/1", "summary")).status_code == 200
