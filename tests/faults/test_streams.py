"""Streams over restarts, pruning, readers that stall, and clients that come and go."""

import gc
import os
import socket
import struct
import threading
from pathlib import Path

import httpx2
import pytest
import sqlalchemy as sa

from service.store.access import DASHBOARD
from service.store.engine import Database, Write
from service.store.events import HISTORY_NS, EventType, announce, prune_events
from service.web.stream import Hub
from tests.faults.process import ServiceProcess, switched_on
from tests.support.live import LiveService
from tests.support.stored import NOW_NS, open_slot
from tests.support.wait import wait_until_sync

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
            if sent:
                assert read_ids(service, 0, sent) == [("session_changed", n + 1) for n in range(sent)]
            for n in range(40):
                service.put(f"slot {sent + n}").raise_for_status()
            sent += 40
            assert read_ids(service, sent - 10, 10) == [("session_changed", sent - 9 + n) for n in range(10)]
            service.kill()


async def announce_many(w: Write, count: int) -> None:
    for n in range(count):
        await announce(w, EventType.CHANGED, "s", NOW_NS + n)


async def test_a_client_that_resumes_behind_the_pruned_part_is_reset(db: Database) -> None:
    """Up to the last pruned id a client starts anew; from there on it gets exactly what it missed."""
    await open_slot(db, "s")
    await db.write(lambda w: announce_many(w, 60))
    await db.write(lambda w: w.execute(sa.text("DELETE FROM events WHERE id <= 40")))
    newest = int(await db.read(lambda r: r.scalar(sa.text("SELECT max(id) FROM events"))) or 0)
    hub = Hub(db, lambda: True)
    await hub.start()
    first = [await anext(hub.stream(DASHBOARD, str(resumed))) for resumed in (39, 40, newest - 1)]
    assert [frame.split(b"\n")[1] for frame in first] == [b"event: reset", *[b"event: session_changed"] * 2]
    assert [int(frame.split(b"\n")[0][4:]) for frame in first] == [newest, 41, newest]
    hub.close()
    await hub.drained()


async def test_a_replay_that_is_pruned_under_way_says_so(db: Database) -> None:
    """A client so slow that history was pruned ahead of it is told to start anew, and not left with a gap."""
    await open_slot(db, "s")
    await db.write(lambda w: announce_many(w, 600))
    hub = Hub(db, lambda: True)
    await hub.start()
    stream = hub.stream(DASHBOARD, "0")
    await anext(stream)
    await db.write(lambda w: prune_events(w, NOW_NS + 2 * HISTORY_NS))
    # The batch that was read before is still whole; the next one would have a gap.
    kinds = [(await anext(stream)).split(b"\n")[1] for _ in range(256)]
    assert kinds == [*[b"event: session_changed"] * 255, b"event: reset"]
    await stream.aclose()
    hub.close()
    await hub.drained()


def connected(service: LiveService) -> socket.socket:
    """A raw client that has asked for the stream and has read nothing yet."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    host, _, port = service.url.removeprefix("http://").partition(":")
    client.connect((host, int(port)))
    client.sendall(
        f"GET /api/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {service.token}\r\n\r\n".encode()
    )
    return client


def test_readers_that_stall_hold_nobody_up(service: LiveService) -> None:
    """Ten clients never read while 8 MB of frames go by: a live one gets every one, the others are dropped."""
    for n in range(100):
        service.put("\N{SPARKLES}" * 250 + str(n), transcript_key="t").raise_for_status()
    stalled = [connected(service) for _ in range(10)]
    wait_until_sync(lambda: service.hub.streams == 10)
    with service.events() as events:
        events.next()
        for n in range(80):
            service.put("\N{SPARKLES}" * 250 + "0", title=f"title {n}").raise_for_status()
            frames = [events.next() for _ in range(100)]
            assert len({frame["data"]["data"]["key"] for frame in frames}) == 100
        wait_until_sync(lambda: service.hub.streams == 1, within=15)
    for one in stalled:
        one.close()


def come_and_go(service: LiveService, *, rude: bool) -> None:
    """Reads the first frame and leaves; rudely, without the goodbye that TCP has for it."""
    client = connected(service)
    got = b""
    while b"event: hello" not in got:
        got += client.recv(4096)
    if rude:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def test_a_thousand_clients_leave_nothing(service: LiveService) -> None:
    """A thousand that connect and go, politely or not, leave no subscriber, no thread and no file handle."""

    def held() -> tuple[int, int]:
        return threading.active_count(), len(os.listdir("/dev/fd"))

    for n in range(50):
        come_and_go(service, rude=bool(n % 2))
    wait_until_sync(lambda: service.hub.streams == 0)
    gc.collect()
    before = held()
    for n in range(1000):
        come_and_go(service, rude=bool(n % 2))
    wait_until_sync(lambda: service.hub.streams == 0, within=5)
    gc.collect()
    wait_until_sync(lambda: all(now <= then for now, then in zip(held(), before, strict=True)), within=5)
