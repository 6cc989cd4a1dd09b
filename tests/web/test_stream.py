"""The stream of events over a real socket."""

import asyncio

import pytest

from service.store.access import DASHBOARD, Caller
from service.store.engine import Database
from service.store.events import HISTORY_NS, EventType, StoredEvent, announce, prune_events
from service.web.stream import MOST_FRAMES, MOST_SECONDS, Hub, Subscriber
from tests.support.live import LiveService
from tests.support.stored import NOW_NS, open_slot
from tests.support.wait import wait_until, wait_until_sync


def test_a_new_client_is_told_where_it_stands(service: LiveService) -> None:
    """The first frame is hello with the current id: 0 on an empty outbox, the newest id later."""
    with service.events() as events:
        assert events.next() == {"id": "0", "event": "hello", "data": {"type": "hello", "data": {"id": 0}}}
    service.put("s")
    newest = service.rows("SELECT max(id) FROM events")[0][0]
    with service.events() as events:
        assert events.next()["id"] == str(newest)


def test_a_reconnect_gets_exactly_what_it_missed(service: LiveService) -> None:
    """Frames missed while away come in order, once each, then live ones."""
    with service.events() as events:
        seen = int(events.next()["id"])
    for n in range(400):
        service.put(f"slot {n}")
    with service.events(seen) as events:
        missed = [events.next() for _ in range(400)]
        service.put("live")
        live = events.next()
    assert [frame["data"]["data"]["key"] for frame in missed] == [f"slot {n}" for n in range(400)]
    ids = [int(frame["id"]) for frame in [*missed, live]]
    assert ids == list(range(seen + 1, seen + 402))
    assert live["data"]["data"]["key"] == "live"


def test_an_unknown_id_resets_the_client(service: LiveService) -> None:
    """An id from the future, or none at all, makes the client drop what it cached."""
    service.put("s")
    newest = service.rows("SELECT max(id) FROM events")[0][0]
    for bad in (newest + 1, -1, 10**30):
        with service.events(bad) as events:
            assert (frame := events.next())["event"] == "reset", bad
            assert frame["id"] == str(newest)
    with service.events(newest) as events:
        service.put("t")
        assert events.next()["event"] == "session_changed"


def test_turns_are_told_as_they_run(service: LiveService) -> None:
    """A turn's start and end are frames with the slot key and whether it runs."""
    service.put("s")
    with service.events() as events:
        events.next()
        service.turn("s", "Sort the imports")
        running = [events.until("session_turn")["data"]["data"] for _ in range(2)]
    assert running == [{"key": "s", "running": True}, {"key": "s", "running": False}]


def test_a_deleted_session_is_announced_for_each_slot(service: LiveService) -> None:
    """Every page that shows the session learns that it is gone."""
    service.put("one", transcript_key="t")
    service.put("two", transcript_key="t")
    with service.events() as events:
        events.next()
        service.client.delete(service.path("one"))
        assert {events.until("session_deleted")["data"]["data"]["key"] for _ in range(2)} == {"one", "two"}


def test_frames_hold_no_text(service: LiveService) -> None:
    """Nothing that was said or titled is in any frame."""
    with service.events() as events:
        events.next()
        service.put("s", title="a needle")
        service.turn("s", "a needle")
        service.turn("s", "another needle")
        frames = [events.next() for _ in range(5)]
    assert "needle" not in str(frames)


def test_a_switch_is_told_to_dashboards_wherever_it_was_made(service: LiveService) -> None:
    """Off and on again in the file are a frame each, without an id, so that a client resumes from where it was."""
    with service.events() as events:
        events.next()
        for enabled in (False, True):
            service.set("session_summary.enabled", enabled)
            data = {"type": "settings", "data": {"enabled": enabled}}
            assert events.next() == {"event": "settings", "data": data}
        service.put("s")
        assert events.next()["event"] == "session_changed"


def test_a_switch_back_at_once_is_told_too(service: LiveService) -> None:
    """Who read that it is off between two looks of the service hears that it is on again."""
    with service.events() as events:
        events.next()
        service.put("s")
        service.set("session_summary.enabled", False)
        assert service.summary("s")["enabled"] is False
        service.set("session_summary.enabled", True)
        while not events.until("settings")["data"]["data"]["enabled"]:
            pass


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("session_summary.min_user_turns", 5),
        ("session_summary.max_input_chars", 5_000),
        ("daily_token_budget", 1_000),
        ("models.background", "another"),
        ("pass_deadline_seconds", 60),
    ],
)
def test_every_setting_is_told_to_dashboards(service: LiveService, key: str, value: object) -> None:
    """What a page says of a failure, or of a session that is too short, depends on more than the switch."""
    with service.events() as events:
        events.next()
        service.set(key, value)
        assert events.next() == {"event": "settings", "data": {"type": "settings", "data": {"enabled": True}}}


def test_an_app_hears_of_no_switch(service: LiveService) -> None:
    """Its stream carries its own slots' frames alone."""
    token = service.client.post("/api/tokens", json={"app": "red"}).json()["token"]
    with service.client_of(token) as app, service.events(token=token) as its, service.events() as dashboards:
        its.next()
        service.set("session_summary.enabled", False)
        dashboards.until("settings")
        app.put(service.path("red/1"), json={}).raise_for_status()
        assert its.next()["event"] == "session_changed"


def test_head_on_the_stream_is_empty(service: LiveService) -> None:
    """HEAD answers at once, and the connection stays usable."""
    answer = service.client.head("/api/events")
    assert (answer.status_code, answer.content) == (200, b"")
    assert service.client.get("/healthz").status_code == 200


def test_streams_leave_nothing_behind(service: LiveService) -> None:
    """A hundred clients that come and go leave no subscriber."""
    for _ in range(100):
        with service.events() as events:
            events.next()
    with service.events() as events:
        events.next()
        hub = service.hub
        wait_until_sync(lambda: hub.streams == 1)


def test_stopping_ends_streams_cleanly(service: LiveService) -> None:
    """A stop ends every stream with its last frame, soon."""
    with service.events() as events:
        events.next()
        service.begin_stop()
        try:
            while True:
                events.next()
        except EOFError:
            pass


async def test_a_client_that_does_not_read_is_dropped(db: Database) -> None:
    """Beyond its backlog, in frames or in seconds, a client is dropped and must replay; nothing else is delayed."""
    clock = 0.0
    slow = Subscriber(DASHBOARD, 0, lambda: clock)
    assert all(slow.offer(b"x") for _ in range(MOST_FRAMES))
    assert not slow.offer(b"x")
    stalled = Subscriber(DASHBOARD, 0, lambda: clock)
    assert stalled.offer(b"x")
    clock = MOST_SECONDS + 1
    assert not stalled.offer(b"x")
    assert [frame async for frame in stalled.frames()] == []


async def test_no_frame_is_lost_between_replay_and_live(db: Database) -> None:
    """While events are written as fast as they can be, a client that joins sees each id once, in order."""
    await open_slot(db, "s")
    hub = Hub(db, lambda: True)
    await hub.start()

    async def write() -> None:
        for n in range(200):
            await db.write(lambda w, at=NOW_NS + n: announce(w, EventType.CHANGED, "s", at))  # type: ignore[misc] # bound per loop

    async def listen() -> list[int]:
        ids = []
        stream = hub.stream(DASHBOARD, "0")
        async for frame in stream:
            ids.append(int(frame.split(b"\n")[0].removeprefix(b"id: ")))
            if len(ids) == 201:
                break
        await stream.aclose()
        return ids

    writing = asyncio.create_task(write())
    streams = await asyncio.gather(*(listen() for _ in range(5)))
    await writing
    assert streams == [list(range(1, 202))] * 5
    assert hub.streams == 0
    hub.close()
    await hub.drained()


async def test_a_pruned_id_is_unknown(db: Database) -> None:
    """An id is known as long as no later row has been pruned; ids never repeat."""
    await open_slot(db, "s")
    await db.write(lambda w: prune_events(w, NOW_NS + HISTORY_NS + 1))
    hub = Hub(db, lambda: True)
    await hub.start()
    assert (await anext(hub.stream(DASHBOARD, "0"))).startswith(b"id: 1\nevent: reset")
    await db.write(lambda w: announce(w, EventType.CHANGED, "s", NOW_NS))
    await wait_until(lambda: hub.position == 2)
    assert (await anext(hub.stream(DASHBOARD, "1"))).startswith(b"id: 2\nevent: session_changed")
    hub.close()
    await hub.drained()


def test_an_app_hears_of_its_own_slots_alone() -> None:
    """A subscriber wants what lies behind its replay and belongs to its app."""
    app = Subscriber(Caller("red"), 5, lambda: 0.0)
    assert app.wants(StoredEvent(6, EventType.CHANGED, "s", "red", None))
    assert not app.wants(StoredEvent(6, EventType.CHANGED, "s", "blue", None))
    assert not app.wants(StoredEvent(6, EventType.CHANGED, "s", None, None))
    assert not app.wants(StoredEvent(5, EventType.CHANGED, "s", "red", None))
