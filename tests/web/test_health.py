"""Whether the service lives, is ready, and what it counts."""

import re
import resource
import sqlite3

import httpx2

from tests.support.live import LiveService, exchange
from tests.support.model_server import ModelServer, error_reply
from tests.support.wait import wait_until_sync

SAMPLE = re.compile(r'^([a-z_]+)(\{([a-z_]+="[^"\n]*",?)+\})? ([0-9.e+-]+)$')


def ready(service: LiveService) -> httpx2.Response:
    return httpx2.get(f"{service.url}/readyz", timeout=20)


def samples(service: LiveService) -> dict[str, float]:
    """What /metrics says, each sample by its name with labels."""
    text = service.client.get("/metrics").text
    assert text.endswith("\n")
    found = {}
    for line in text.splitlines():
        if not line.startswith("# "):
            assert SAMPLE.match(line), line
            name, _, value = line.rpartition(" ")
            found[name] = float(value)
    return found


def test_a_running_service_is_ready(service: LiveService) -> None:
    """Without a token, and without changing anything that a person can see."""
    wait_until_sync(lambda: service.rows("PRAGMA user_version") != [(0,)])  # the rules of redaction, noted once
    version = service.rows("PRAGMA user_version")
    answer = ready(service)
    assert answer.status_code == 200
    assert answer.json() == {"status": "ready", "checks": {"database": "ok", "migrations": "ok"}}
    assert service.rows("PRAGMA user_version") == version


def test_a_database_that_somebody_holds_is_not_ready(service: LiveService) -> None:
    """The answer comes soon and names the part; once the database is free the service is ready again."""
    with sqlite3.connect(service.database, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = ready(service)
        other.execute("ROLLBACK")
    other.close()
    assert (answer.status_code, answer.json()["code"]) == (503, "not_ready")
    assert answer.json()["checks"] == {"database": "store_busy", "migrations": "ok"}
    assert "database" in answer.json()["error"]
    wait_until_sync(lambda: ready(service).status_code == 200, within=10)


def test_a_disk_that_takes_nothing_is_not_ready(service: LiveService) -> None:
    """No byte can be written: the service says so, and is ready again once one can."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
    try:
        answer = ready(service)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (answer.status_code, answer.json()["checks"]["database"]) == (503, "store_full")
    assert ready(service).status_code == 200


def test_tables_of_another_release_are_not_ready(service: LiveService) -> None:
    """A file that is not at the newest revision is named as such."""
    with sqlite3.connect(service.database) as other:
        other.execute("UPDATE alembic_version SET version_num = '0000'")
    other.close()
    answer = ready(service)
    assert (answer.status_code, answer.json()["checks"]["migrations"]) == (503, "not_at_head")


def test_the_document_is_served_to_anybody(service: LiveService) -> None:
    """Hosts read it before they have a token."""
    answer = httpx2.get(f"{service.url}/openapi.json")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json()["openapi"] == "3.1.0"


def test_the_service_in_numbers(service: LiveService, model_server: ModelServer) -> None:
    """Passes by how they ended, tokens, seconds and money by model, and what is under way."""
    service.put("s")
    service.append("s", exchange("Sort the imports") + exchange("Now the exports"))
    model_server.script(error_reply(401, "authentication_error"))
    service.generate("s")
    service.generate("s")
    service.turn("s", "And the docs", stop_reason='odd "reason"\nwith=all')
    with service.events() as events:
        events.next()
        wait_until_sync(lambda: service.hub.streams == 1)
        found = samples(service)
    assert found['session_summary_passes_total{trigger="request",outcome="stored",reason=""}'] == 1
    assert found['session_summary_passes_total{trigger="request",outcome="failed",reason="model_auth"}'] == 1
    assert found['session_summary_passes_total{trigger="turn_end",outcome="skipped",reason="stop_reason"}'] == 1
    assert found['session_summary_tokens_total{model="claude-haiku-5-5",kind="input"}'] == 1200
    assert found['session_summary_tokens_total{model="claude-haiku-5-5",kind="output"}'] == 80
    assert found['session_summary_model_seconds_total{model="claude-haiku-5-5"}'] > 0
    assert found['session_summary_cost_usd_total{model="claude-haiku-5-5"}'] > 0
    assert found["session_summary_streams"] == 1
    assert found["session_summary_enabled"] == 1
    assert found["session_summary_write_queue"] == found["session_summary_passes_running"] == 0
    assert found['session_summary_database_bytes{file="database"}'] > 0
    assert service.client.get("/metrics").headers["content-type"].startswith("text/plain; version=0.0.4")
