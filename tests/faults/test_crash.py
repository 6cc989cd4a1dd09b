"""kill -9 at any moment: what was acknowledged is there, what was deleted stays gone, and work goes on at once."""

import sqlite3
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest

from tests.faults.needles import NEEDLE, files_with
from tests.faults.process import ServiceProcess, switched_on
from tests.support.live import exchange
from tests.support.wait import wait_until_sync

CYCLES = 25
_WRITERS = 4
_READY_SECONDS = 2.0

pytestmark = pytest.mark.slow


@dataclass(slots=True)
class Acknowledged:
    """What the service said it had done, as one client wrote it down."""

    messages: dict[str, int] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    deleting: set[str] = field(default_factory=set)


class Writer(threading.Thread):
    """Opens sessions, lets turns run in them and deletes every third, until the service is gone."""

    def __init__(self, service: ServiceProcess, name: str) -> None:
        super().__init__(name=name)
        self._client = httpx2.Client(base_url=service.url, headers=service.headers, timeout=20, trust_env=False)
        self._path = service.path
        self.known = Acknowledged()

    def run(self) -> None:
        try:
            with self._client:
                for n in range(10_000):
                    self._one_session(f"{self.name}-{n}", delete=n % 3 == 2)
        except httpx2.TransportError:
            return

    def _one_session(self, key: str, *, delete: bool) -> None:
        self._client.put(self._path(key), json={}).raise_for_status()
        self.known.messages[key] = 0
        for turn in range(3):
            self.known.asked[key] = 2 * turn + 2
            self._client.post(self._path(key, "turn", "start"), json={}).raise_for_status()
            body = {"stop_reason": "end_turn", "messages": exchange(f"Do part {turn}", f"Part {turn} is done.")}
            self._client.post(self._path(key, "turn", "end"), json=body).raise_for_status()
            self.known.messages[key] = 2 * turn + 2
        if delete:
            self.known.deleting.add(key)
            self._client.delete(self._path(key)).raise_for_status()
            self.known.deleted.add(key)


def rows(database: Path, query: str) -> list[tuple[str, int]]:
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    found = connection.execute(query).fetchall()
    connection.close()
    return found


_COUNTS = "SELECT t.key, count(m.seq) FROM transcripts t LEFT JOIN messages m ON m.transcript_key = t.key GROUP BY 1"
_LEASES = "SELECT transcript_key, 1 FROM summaries WHERE lease_owner IS NOT NULL"


def check_against(database: Path, known: Acknowledged) -> None:
    """Acknowledged writes are there, unacknowledged ones whole or not at all, deletions done."""
    stored = dict(rows(database, _COUNTS))
    for key, acknowledged in known.messages.items():
        if key in known.deleted:
            assert key not in stored, f"{key} came back"
        elif key in stored:
            assert stored[key] in (acknowledged, known.asked.get(key, 0))
        else:
            assert key in known.deleting, f"{key} is lost"


def works(service: ServiceProcess, known: Acknowledged) -> None:
    """A session that was cut off in the middle takes a turn, and a summary of it is made at once."""
    key = next(iter(known.messages.keys() - known.deleting), None)
    if key is not None:
        body = {"stop_reason": "end_turn", "messages": exchange("Go on") + exchange("And on")}
        service.client.post(service.path(key, "turn", "end"), json=body).raise_for_status()
        wait_until_sync(lambda: service.generate(key).status_code == 200, within=5)
        known.messages[key] = known.asked[key] = dict(rows(service.folder.database, _COUNTS))[key]


def test_every_acknowledged_write_survives_25_kills(tmp_path: Path) -> None:
    """Killed under load again and again: no acknowledged write is lost, no deletion undone, no slot stuck."""
    folder = tmp_path / "data"
    environ = switched_on(folder)
    known: list[Acknowledged] = []
    ready = []
    for cycle in range(CYCLES + 1):
        began = time.monotonic()
        with ServiceProcess(folder, environ) as service:
            ready.append(time.monotonic() - began)
            assert rows(service.folder.database, _LEASES) == []
            for one in known:
                check_against(service.folder.database, one)
            if known:
                works(service, known[-1])
            known += _killed_under_load(service, cycle)
    assert min(ready) < _READY_SECONDS


def _killed_under_load(service: ServiceProcess, cycle: int) -> list[Acknowledged]:
    """Kills at a moment that differs from cycle to cycle; what each of the clients was told until then."""
    writers = [Writer(service, f"{cycle}-{n}") for n in range(_WRITERS)]
    for writer in writers:
        writer.start()
    wait_until_sync(lambda: sum(len(w.known.asked) for w in writers) > 4 + cycle % 9, within=15)
    service.kill()
    for writer in writers:
        writer.join()
    return [writer.known for writer in writers]


def test_a_kill_right_behind_a_deletion_leaves_no_text(tmp_path: Path) -> None:
    """A reader held the log, so the purge was still owed at the kill: the next start makes good for it."""
    folder = tmp_path / "data"
    environ = switched_on(folder)
    with ServiceProcess(folder, environ) as service:
        service.put("s", title=NEEDLE)
        service.append("s", exchange(f"Find {NEEDLE}") + exchange("Go on", NEEDLE))
        assert service.generate("s").status_code == 200
        reader = sqlite3.connect(service.folder.database)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM messages").fetchall()
        assert service.delete("s").json()["purged"] is False
        service.kill()
    assert files_with(folder) != []
    reader.close()
    with ServiceProcess(folder, environ):
        wait_until_sync(lambda: files_with(folder) == [], within=5)


def test_a_kill_right_behind_the_answer_leaves_no_text(tmp_path: Path) -> None:
    """Once the receipt says purged, not even the files that a kill leaves hold the text."""
    folder = tmp_path / "data"
    with ServiceProcess(folder, switched_on(folder)) as service:
        service.put("s")
        service.append("s", exchange(f"Find {NEEDLE}") + exchange("Go on", NEEDLE))
        assert service.generate("s").status_code == 200
        assert service.delete("s").json()["purged"] is True
        service.kill()
    assert files_with(folder) == []


def test_of_four_that_start_at_once_one_serves(tmp_path: Path) -> None:
    """On a new folder one of four serves; three end with exit code 5 and one sentence that names it."""
    services = [ServiceProcess(tmp_path / "data") for _ in range(4)]
    for n, service in enumerate(services):
        service.name_files(tmp_path / f"process {n}")
        service.begin()
    try:
        wait_until_sync(lambda: sum(s.process.poll() is not None for s in services) == 3, within=20)
        (first,) = [service for service in services if service.process.poll() is None]
        first.wait_until_ready()
        for service in services:
            if service is not first:
                assert service.process.returncode == 5
                sentence = service.log.strip()
                assert sentence.count("\n") == 0
                assert f"process {first.process.pid}" in sentence
        assert first.client.get("/api/chat/slots").json()["slots"] == []
        first.client.close()
        assert first.terminate(within=10) == 0
    finally:
        for service in services:
            service.kill()
