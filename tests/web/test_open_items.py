"""GET /api/open-items."""

from tests.support.live import LiveService, exchange
from tests.support.model_answers import summary_reply
from tests.support.model_server import ModelServer

WAITS = {
    "title": "Merge the backup job",
    "ranges": [[1, 2]],
    "status": "completed",
    "verified": False,
    "next_steps": [{"what": "Run it once", "why": "It never ran", "expect": "A dump"}],
}


def summarized(service: LiveService, model_server: ModelServer) -> None:
    model_server.script(summary_reply([WAITS]))
    service.put("a", title="Backup")
    service.append("a", exchange("Write a backup", ts="2026-03-01T10:00:00Z") + exchange("Merge it"))
    assert service.generate("a").status_code == 200


def test_what_waits(service: LiveService, model_server: ModelServer) -> None:
    """Each next step of an intent that needs the person, with the session it belongs to."""
    summarized(service, model_server)
    answer = service.client.get("/api/open-items").json()
    step = {"what": "Run it once", "why": "It never ran", "expect": "A dump"}
    place = {"slot": "a", "title": "Backup", "intent": "Merge the backup job", "turn": 2, "since": None}
    assert answer == {"items": [{**place, **step}], "next": None}


def test_while_off_nothing_waits(service: LiveService, model_server: ModelServer) -> None:
    """Nothing derived is served, and the answer says why."""
    summarized(service, model_server)
    service.set("session_summary.enabled", False)
    assert service.client.get("/api/open-items").json() == {"items": [], "next": None, "enabled": False}


def test_wrong_questions(service: LiveService) -> None:
    """A limit or cursor that is none is a 400."""
    assert service.client.get("/api/open-items?limit=0").status_code == 400
    assert service.client.get("/api/open-items?after=x").status_code == 400
