"""Streams over restarts, pruning, readers that stall, and clients that come and go."""

import asyncio
import gc
import os
import socket
import sqlite3
import threading
from pathlib import Path

import httpx2
import pytest

from service.store.access import DASHBOARD
from service.store.engine import Database
from service.store.events import HISTORY_ROWS, EventType, announce, prune_events
from service.web.stream import Hub
from tests.faults.process import ServiceProcess, switched_on
from tests.support.live import LiveService
from tests.support.stored import NOW_NS, open_slot
from tests.support.wait import wait_until, wait_until_sync

pytestmark = pytest.mark.slow


def read_ids(service: ServiceProcess, last: int, count: int) -> list[tuple[str, int]]:
    """The next frames of a stream that resumes behind `last`: event and id."""
    headers = {**service.headers, "Last-Event-ID": str(last)}
    frames: list[tuple[str, int]] = []
    with (
        httpx2.Client(base_url=service.url, headers=headers, timeout=5, trust_env=False) as client,
        client.stream("GET", "/api/events") as response,
    ):
        number = 0
        for line in response.iter_lines():
            name, _, value = line.partition(": ")
            if name == "id":
                number = int(value)
            if name == "event":
                frames.append((value, number))
            if len(frames) == count:
                return frames
    return frames


def test_a_replay_is_exact_over_kills_and_restarts(tmp_path: Path) -> None:
    """What happened before a kill and after the restart is replayed once each, in order, with ids that go on."""
    folder = tmp_path / "data"
    environ = switched_on(folder)
    sent = 0
    for _ in range(3):
        with ServiceProcess(folder, environ) as service:
            assert read_ids(service, 0, sent) == [("session_changed", n + 1) for n in range(sent)]
            for n in range(40):
                service.put(f"slot {sent + n}").raise_for_status()
            sent += 40
            assert read_ids(service, sent - 10, 10) == [("session_changed", sent - 9 + n) for n in range(10)]
            service.kill()


async def test_a_client_that_resumes_behind_the_pruned_part_is_reset(db: Database) -> None:
    """Up to the last pruned id a client starts anew; from there on it gets exactly what it missed."""
    await open_slot(db, "s")

    async def many(count: int) -> None:
        async def write(w: object) -> None:
            for n in range(count):
                await announce(w, EventType.CHANGED, "s", NOW_NS + n)  # type: ignore[arg-type] # what write hands in

        await db.write(write)

    await many(HISTORY_ROWS + 50)
    await db.write(lambda w: prune_events(w, NOW_NS))
    newest = int(await db.read(lambda r: r.scalar(_text("SELECT max(id) FROM events"))) or 0)
    oldest = int(await db.read(lambda r: r.scalar(_text("SELECT min(id) FROM events"))) or 0)
    assert newest - oldest + 1 == HISTORY_ROWS
    hub = Hub(db, lambda: True)
    await hub.start()
    first = [await anext(hub.stream(DASHBOARD, str(resumed))) for resumed in (oldest - 2, oldest - 1, newest - 1)]
    assert [frame.split(b"\n")[1] for frame in first] == [b"event: reset", *[b"event: session_changed"] * 2]
    assert [int(frame.split(b"\n")[0][4:]) for frame in first] == [newest, oldest, newest]
    hub.close()
    await hub.drained()


async def test_a_replay_that_is_pruned_under_way_says_so(db: Database) -> None:
    """A client so slow that history went on behind its back is told to start anew, and not left with a gap."""
    await open_slot(db, "s")
    for _ in range(2):
        await db.write(lambda w: announce_many(w, 300))
    hub = Hub(db, lambda: True)
    await hub.start()
    stream = hub.stream(DASHBOARD, "0")
    ids = [await anext(stream) for _ in range(10)]
    await db.write(lambda w: prune_events(w, NOW_NS + 10**9 * 3600 * 24 * 30))
    await db.write(lambda w: announce(w, EventType.CHANGED, "s", NOW_NS))
    await wait_until(lambda: hub.position > 600)
    rest = [await anext(stream) for _ in range(247)]
    assert rest[-1].split(b"\n")[1] == b"event: reset"
    assert len(ids) + len(rest) == 257
    await stream.aclose()
    hub.close()
    await hub.drained()


def test_readers_that_stall_hold_nobody_up(service: LiveService) -> None:
    """Twenty clients that never read: a live one gets every frame at once, and the stalled ones are dropped."""
    stalled = [_silent(service) for _ in range(20)]
    wait_until_sync(lambda: service.hub.streams == 20)
    with service.events() as events:
        events.next()
        for n in range(3000):
            if n % 100 == 0:
                service.put("s", title=f"title {n}")
            _announce(service, 100)
        service.put("last")
        while events.next()["data"]["data"].get("key") != "last":
            pass
    for one in stalled:
        one.close()
    wait_until_sync(lambda: service.hub.streams == 0, within=5)


def test_a_thousand_clients_leave_nothing(service: LiveService) -> None:
    """A thousand that connect and go, cleanly or not, leave no subscriber, no thread and no file handle."""
    for n in range(50):
        _come_and_go(service, rude=bool(n % 2))
    wait_until_sync(lambda: service.hub.streams == 0)
    gc.collect()
    before = threading.active_count(), len(os.listdir("/dev/fd"))
    for n in range(1000):
        _come_and_go(service, rude=bool(n % 2))
    wait_until_sync(lambda: service.hub.streams == 0, within=5)
    gc.collect()
    wait_until_sync(lambda: (threading.active_count(), len(os.listdir("/dev/fd"))) <= before, within=5)
