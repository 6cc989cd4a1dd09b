"""What no route ever sees: wrong hosts, foreign pages, strangers, bodies of the wrong kind or size."""

import socket
from pathlib import Path

import httpx2
import pytest

from tests.support.live import LiveService
from tests.support.wait import wait_until_sync


def raw(service: LiveService, text: str) -> bytes:
    """The answer to bytes that no client library would send."""
    host, port = service.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall(text.replace("\n", "\r\n").encode())
        return connection.recv(65536)


def test_without_a_token_nothing_is_told(service: LiveService) -> None:
    """Every data route answers 401 without a token or with a wrong one; health and page need none."""
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic x"}, {"Cookie": "a=b"}):
        answer = httpx2.get(f"{service.url}/api/chat/slots", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
    assert httpx2.get(f"{service.url}/healthz").status_code == 200
    assert httpx2.get(f"{service.url}/metrics").status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[::2]:80"])
def test_a_foreign_host_is_misdirected(service: LiveService, host: str) -> None:
    """A name that was rebound to this address is refused."""
    assert b" 421 " in raw(service, f"GET /healthz HTTP/1.1\nHost: {host}\nConnection: close\n\n")


def test_allowed_hosts_are_followed_while_running(service: LiveService) -> None:
    """A name added to the settings is answered for at once."""
    headers = {"Host": "summary.example.org:8765"}
    assert service.client.get("/healthz", headers=headers).status_code == 421
    service.set("allowed_hosts", ["summary.example.org"])
    assert service.client.get("/healthz", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
)
def test_other_sites_are_refused(service: LiveService, headers: dict[str, str]) -> None:
    """A foreign page cannot write or read, token or not, and gets no CORS header."""
    answer = service.client.get("/api/chat/slots", headers=headers)
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_its_own_origin_is_welcome(service: LiveService) -> None:
    """The page itself may ask."""
    assert service.client.get("/api/chat/slots", headers={"Origin": service.url}).status_code == 200


def test_only_json_is_written(service: LiveService) -> None:
    """A form post, which any page may send, changes nothing; a body without a type neither."""
    path = service.path("s")
    for headers in ({"Content-Type": "text/plain"}, {"Content-Type": "application/x-www-form-urlencoded"}):
        assert service.client.put(path, content=b"{}", headers=headers).status_code == 415
    assert service.rows("SELECT count(*) FROM slots") == [(0,)]


def test_a_body_that_is_too_large_is_refused(service: LiveService) -> None:
    """Beyond the setting a body is a 413 in the one error shape, declared or chunked."""
    service.set("max_body_bytes", 2000)
    service.put("s")
    body = b'{"messages": [{"role": "user", "content": "' + b"x" * 3000 + b'"}]}'
    headers = {"Content-Type": "application/json"}
    declared = service.client.post(service.path("s", "messages"), content=body, headers=headers)
    chunked = service.client.post(service.path("s", "messages"), content=iter([body]), headers=headers)
    assert [(a.status_code, a.json()["code"]) for a in (declared, chunked)] == [(413, "body_too_large")] * 2


def test_every_answer_is_hardened(service: LiveService) -> None:
    """Sniffing, referrers and caching are off on data; the policy allows nothing on JSON."""
    for path in ("/api/chat/slots", "/healthz", "/nowhere"):
        headers = service.client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["content-security-policy"] == "default-src 'none'"
        assert headers["cache-control"] == "no-store"


def test_every_error_has_one_shape(service: LiveService) -> None:
    """Unknown routes, wrong verbs and bad bodies all answer with a sentence and a code."""
    answers = [
        service.client.get("/nowhere"),
        service.client.delete("/healthz"),
        service.client.put(service.path("s"), content=b"{", headers={"Content-Type": "application/json"}),
        service.client.put(service.path("s"), json=[1]),
        service.client.put(service.path("s"), json={"title": 7}),
        service.client.get(service.path("unknown", "summary")),
    ]
    assert [answer.status_code for answer in answers] == [404, 405, 400, 400, 400, 404]
    for answer in answers:
        assert set(answer.json()) == {"error", "code"}


def test_a_body_that_never_ends_is_answered_at_a_stop(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A client that sent half a body is told that the service stops; no traceback is logged."""
    with LiveService(tmp_path / "data") as service:
        host, port = service.url.removeprefix("http://").split(":")
        connection = socket.create_connection((host, int(port)), timeout=10)
        head = (
            f"PUT /api/chat/slots/s HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {service.token}\r\n"
            "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        )
        connection.sendall(head.encode())
        wait_until_sync(lambda: service.client.get("/healthz").status_code == 200)
    with connection:
        assert b" 503 " in connection.recv(65536)
    assert [record for record in caplog.records if record.exc_info] == []


def test_other_programs_cookies_do_not_sign_the_page_out(service: LiveService) -> None:
    """Browsers send the cookies of every local program along, some of a shape that no parser likes."""
    port = service.url.rpartition(":")[2]
    mine = f"session_summary_{port}={service.token}"
    for cookies in (mine, f'theme={{"dark":true}}; {mine}', f"a b=c; {mine}; d", f";;=; {mine}"):
        answer = httpx2.get(f"{service.url}/api/chat/slots", headers={"Cookie": cookies})
        assert answer.status_code == 200, cookies


def test_a_revoked_app_hears_nothing_more(service: LiveService) -> None:
    """Its open stream ends with its token."""
    token = service.client.post("/api/tokens", json={"app": "red"}).json()["token"]
    with service.events(token=token) as events:
        events.next()
        service.client.delete("/api/tokens/red").raise_for_status()
        with pytest.raises(EOFError):
            events.next()
