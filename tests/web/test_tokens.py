"""Apps' tokens over HTTP."""

import httpx2
import pytest

from tests.support.live import LiveService


def make(service: LiveService, app: str = "my-chat") -> httpx2.Response:
    return service.client.post("/api/tokens", json={"app": app})


def test_a_token_opens_the_service_until_it_is_revoked(service: LiveService) -> None:
    """It is shown once, listed without itself, and worth nothing once it is revoked."""
    made = make(service)
    assert made.status_code == 201
    token = made.json()["token"]
    with service.client_of(token) as app:
        assert app.get("/api/chat/slots").status_code == 200
        assert service.client.delete("/api/tokens/my-chat").json() == {"revoked": 1}
        assert app.get("/api/chat/slots").status_code == 401
    listed = service.client.get("/api/tokens")
    assert [row["app"] for row in listed.json()["tokens"]] == ["my-chat"]
    assert token not in listed.text


def test_tokens_are_the_dashboards_alone(service: LiveService) -> None:
    """An app can neither list, make nor revoke any."""
    with service.client_of(make(service).json()["token"]) as app:
        answers = [
            app.get("/api/tokens"),
            app.post("/api/tokens", json={"app": "more"}),
            app.delete("/api/tokens/my-chat"),
        ]
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(403, "dashboard_only")}


@pytest.mark.parametrize("body", [{}, {"app": ""}, {"app": "a/b"}, {"app": "x" * 65}, {"app": 5}, {"app": "a\n"}])
def test_a_name_that_is_none(service: LiveService, body: dict[str, object]) -> None:
    """It is a 400 with a sentence."""
    answer = service.client.post("/api/tokens", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_revoking_what_is_not_there(service: LiveService) -> None:
    """An app without a valid token is a 404."""
    answer = service.client.delete("/api/tokens/nobody")
    assert (answer.status_code, answer.json()["code"]) == (404, "token_not_found")
