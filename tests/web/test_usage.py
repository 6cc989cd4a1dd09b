"""GET /api/usage."""

from pathlib import Path

import pytest

from service.store.ledger import DAY_SECONDS
from tests.support.live import LiveService, exchange

NOON = 1_785_000_000.0 - 1_785_000_000.0 % DAY_SECONDS + DAY_SECONDS / 2


def test_passes_and_totals(service: LiveService) -> None:
    """One pass on demand is a row with its tokens and cost, and the totals hold the same."""
    service.put("a")
    service.append("a", exchange("Sort the imports") + exchange("Now the exports"))
    service.generate("a")
    found = service.client.get("/api/usage").json()
    (row,) = found["passes"]
    assert (row["slot"], row["trigger"], row["outcome"], row["reason"]) == ("a", "request", "stored", None)
    assert row["input_tokens"] == found["totals"]["input_tokens"] > 0
    assert row["cost_usd"] == found["totals"]["cost_usd"] > 0
    assert found["next"] is None


@pytest.mark.parametrize("since", ["2026-01-01", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00+02:00", "1767225600"])
def test_since_takes_any_time(service: LiveService, since: str) -> None:
    """Dates, times with an offset (its plus encoded or not), epoch seconds."""
    assert service.client.get(f"/api/usage?since={since}").status_code == 200


@pytest.mark.parametrize("query", ["since=soon", "limit=0", "limit=x", "after=x"])
def test_wrong_questions(service: LiveService, query: str) -> None:
    """Each is a 400 with a sentence."""
    answer = service.client.get(f"/api/usage?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_the_budget_says_what_is_left_and_until_when(service: LiveService) -> None:
    """The dashboard learns the cap, today's tokens over all sessions, and when they are counted anew."""
    assert service.client.get("/api/usage").json()["budget"] is None
    service.put("a")
    service.append("a", exchange("Sort the imports") + exchange("Now the exports"))
    service.generate("a").raise_for_status()
    service.set("daily_token_budget", 10)
    found = service.client.get("/api/usage", params={"slot": "another", "limit": 1}).json()
    assert found["budget"]["tokens"] == 10
    assert found["budget"]["used"] == service.rows("SELECT sum(input_tokens + output_tokens) FROM passes")[0][0] > 10
    assert service.generate("a").status_code == 200
    service.append("a", exchange("And the docs"))
    assert service.generate("a").json()["reason"] == "budget"


def test_a_budget_is_counted_anew_at_midnight(tmp_path: Path) -> None:
    """The moment is the end of the day in UTC."""
    with LiveService(tmp_path, now=lambda: NOON) as live:
        live.set("daily_token_budget", 10)
        assert live.client.get("/api/usage").json()["budget"]["resets_at"] == NOON + DAY_SECONDS / 2


def test_it_says_since_when_the_settings_stand(tmp_path: Path) -> None:
    """From its start on at first, from the last change of the file on afterwards."""
    with LiveService(tmp_path, now=lambda: 1_000.0) as live:
        assert live.client.get("/api/usage").json()["settings_since"] == 1_000.0
        live.set("max_passes", 3)
        changed = live.folder.config.stat().st_ctime
        assert live.client.get("/api/usage").json()["settings_since"] == pytest.approx(changed, abs=0.001)


def test_an_app_is_not_told_what_others_spent(service: LiveService) -> None:
    """The budget is one for all sessions: its use is the dashboard's to know."""
    service.set("daily_token_budget", 10)
    token = service.client.post("/api/tokens", json={"app": "red"}).json()["token"]
    with service.client_of(token) as app:
        assert app.get("/api/usage").json().keys() == {"passes", "totals", "next"}
