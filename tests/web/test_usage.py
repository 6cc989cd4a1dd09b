"""GET /api/usage."""

import pytest

from tests.support.live import LiveService, exchange


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
