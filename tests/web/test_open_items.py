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


def test_what_waits_without_a_step_is_told_too(service: LiveService, model_server: ModelServer) -> None:
    """An intent that needs the person and names no step stands beside the items, on the first page alone."""
    silent = {**WAITS, "title": "Rename the job", "next_steps": []}
    model_server.script(summary_reply([WAITS, silent]))
    service.put("a", title="Backup")
    service.append("a", exchange("Write a backup") + exchange("Merge it"))
    service.generate("a").raise_for_status()
    answer = service.client.get("/api/open-items").json()
    assert [item["intent"] for item in answer["items"]] == ["Merge the backup job"]
    (unnamed,) = answer["unnamed"]
    assert (unnamed["slot"], unnamed["intent"], unnamed["what"], unnamed["turn"]) == ("a", "Rename the job", "", 2)
    two = summary_reply([{**WAITS, "next_steps": [{"what": f"Step {n}"} for n in range(2)]}, silent])
    model_server.script(two)
    service.append("a", exchange("And now?"))
    service.generate("a").raise_for_status()
    cursor = service.client.get("/api/open-items", params={"limit": 1}).json()["next"]
    assert "unnamed" not in service.client.get("/api/open-items", params={"after": cursor}).json()


def test_a_database_moved_aside_is_told_here_too(service: LiveService) -> None:
    """Whoever begins at this page learns of it as well, on or off."""
    (service.folder.path / "session-summary.unreadable-20260810T100000000000.db").touch()
    for enabled in (True, False):
        service.set("session_summary.enabled", enabled)
        (notice,) = service.client.get("/api/open-items").json()["notices"]
        assert "moved aside" in notice


def test_while_off_nothing_waits(service: LiveService, model_server: ModelServer) -> None:
    """Nothing derived is served, and the answer says why."""
    summarized(service, model_server)
    service.set("session_summary.enabled", False)
    assert service.client.get("/api/open-items").json() == {"items": [], "next": None, "enabled": False}


def test_wrong_questions(service: LiveService) -> None:
    """A limit or cursor that is none is a 400."""
    assert service.client.get("/api/open-items?limit=0").status_code == 400
    assert service.client.get("/api/open-items?after=x").status_code == 400
