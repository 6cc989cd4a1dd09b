"""Disks that are full, read-only or held by somebody else, and a database that is no database."""

import concurrent.futures
import contextlib
import os
import resource
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from service.store.folder import DataFolder
from tests.faults.process import ServiceProcess, switched_on
from tests.support.live import exchange
from tests.support.model_server import ModelServer
from tests.support.wait import wait_until_sync

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@contextlib.contextmanager
def summarized(folder: Path, model_server: ModelServer) -> Iterator[ServiceProcess]:
    """A service with one session `s` that has a stored summary and has moved on since."""
    with ServiceProcess(folder, switched_on(folder, model_server.url)) as service:
        service.put("s")
        service.append("s", exchange("Sort the imports") + exchange("Now the exports"))
        assert service.generate("s").status_code == 200
        service.append("s", exchange("And the docs"))
        yield service


def refuses(service: ServiceProcess, model_server: ModelServer, status: int, code: str) -> None:
    """Every write is turned away with this code, no model is asked, reads go on and show what they showed."""
    before, asked = service.summary_bytes("s"), len(model_server.requests)
    messages = {"messages": exchange("Too much " * 2000)}
    turn_end = {"stop_reason": "end_turn", **messages}
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        answers = [
            pool.submit(service.client.post, service.path("s", "messages"), json=messages),
            pool.submit(service.client.post, service.path("s", "turn", "end"), json=turn_end),
            pool.submit(service.generate, "s"),
        ]
    for done in answers:
        answer = done.result()
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
        assert int(answer.headers["retry-after"]) > 0
    assert len(model_server.requests) == asked
    assert service.summary_bytes("s") == before
    assert [slot["key"] for slot in service.client.get("/api/chat/slots").json()["slots"]] == ["s"]


def goes_on(service: ServiceProcess) -> None:
    """Once there is room again everything works, without a restart, and nothing was half done."""
    turns = service.client.get(service.path("s", "messages"), params={"turn": 4}).json()["messages"]
    assert turns == []
    assert wait_until_sync(lambda: service.append("s", exchange("There is room")).status_code == 200, within=10)
    assert service.generate("s").status_code == 200
    assert service.summary("s")["stale"] is False


def test_a_full_disk_refuses_writes_and_asks_no_model(folder: Path, model_server: ModelServer) -> None:
    """Files that may not grow: 507 with a code, old summary byte-equal, no call; with room again all goes on."""
    with summarized(folder, model_server) as service:
        # The limit stands below what the log has already grown to: the very next page cannot be written.
        _limit_file_size(service, 1024)
        refuses(service, model_server, 507, "store_full")
        _limit_file_size(service, resource.RLIM_INFINITY)
        goes_on(service)
        assert "Traceback" not in service.log


def _limit_file_size(service: ServiceProcess, size: int) -> None:
    _, hard = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (size, hard))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 3 MB; only root may mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode != 0:
        pytest.skip("no disk may be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_disk_without_space_refuses_writes(small_disk: Path, model_server: ModelServer) -> None:
    """The same on a real file system that has no block left."""
    with summarized(small_disk / "data", model_server) as service:
        ballast = small_disk / "ballast"
        with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while file.write(b"\0" * 4096):
                pass
        refuses(service, model_server, 507, "store_full")
        assert service.delete("s").status_code in (200, 507)
        ballast.unlink()


def test_a_read_only_disk_is_refused_at_start(small_disk: Path) -> None:
    """Where the folder cannot be written the service ends with one sentence that says so, and changes nothing."""
    folder = small_disk / "data"
    with ServiceProcess(folder, switched_on(folder)) as service:
        service.put("s")
        assert service.terminate(within=10) == 0
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    again = ServiceProcess(folder)
    again.name_files(small_disk.with_name("again"))
    again.begin()
    assert again.process.wait(10) == 1
    assert "cannot be written" in again.log
    assert again.log.count("\n") == 1


def test_a_deletion_on_a_full_disk_is_not_taken_for_a_failure_of_it(folder: Path, model_server: ModelServer) -> None:
    """Where only the purge has no room the deletion stands, is answered as done, and the purge follows later."""
    with summarized(folder, model_server) as service:
        reader = sqlite3.connect(service.folder.database)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM messages").fetchall()
        answer = service.delete("s")
        assert (answer.status_code, answer.json()["purged"]) == (200, False)
        _limit_file_size(service, 1024)
        reader.close()
        assert service.client.get(service.path("s", "summary")).status_code == 404
        _limit_file_size(service, resource.RLIM_INFINITY)
        log = Path(f"{service.folder.database}-wal")
        wait_until_sync(lambda: log.stat().st_size < 10_000, within=10)


def test_a_database_held_by_another_process_is_busy(folder: Path, model_server: ModelServer) -> None:
    """503 with Retry-After while somebody else holds the lock; reads go on; free again, all goes on."""
    with summarized(folder, model_server) as service:
        other = sqlite3.connect(service.folder.database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        refuses(service, model_server, 503, "store_busy")
        other.rollback()
        other.close()
        goes_on(service)
        assert "Traceback" not in service.log


def test_an_unreadable_database_is_moved_aside_at_start(folder: Path) -> None:
    """The service starts on a new file, keeps the old one byte for byte, and says so in its log."""
    data = DataFolder(folder)
    data.prepare()
    data.database.write_bytes(b"once upon a time" * 1000)
    with ServiceProcess(folder, switched_on(folder)) as service:
        assert service.put("s").status_code == 201
        (aside,) = data.set_aside()
        assert aside.read_bytes() == b"once upon a time" * 1000
        assert f"database_unreadable moved_aside={aside.name}" in service.log


def test_a_model_that_hangs_holds_nobody_up(folder: Path, model_server: ModelServer) -> None:
    """While a pass waits for its model until the deadline, everything else answers, and the lease comes free."""
    with ServiceProcess(folder, switched_on(folder, model_server.url, pass_deadline_seconds=2)) as service:
        service.put("s")
        service.append("s", exchange("Sort the imports") + exchange("Now the exports"))
        model_server.hold()
        with httpx2.Client(base_url=service.url, headers=service.headers, timeout=20, trust_env=False) as client:
            assert service.client.post(service.path("s", "turn", "end"), json={"stop_reason": "end_turn"}).is_success
            wait_until_sync(lambda: len(model_server.requests) == 1, within=5)
            assert client.get(service.path("s", "summary")).json()["generate_state"] == "unavailable"
            assert service.append("s", exchange("And the docs")).status_code == 200
        wait_until_sync(lambda: service.summary("s")["generate_state"] == "ready", within=5)
        # The lease comes free first, the row right behind it.
        usage = wait_until_sync(lambda: service.client.get("/api/usage").json()["passes"])
        assert [(one["outcome"], one["reason"]) for one in usage] == [("failed", "model_timeout")]
        model_server.release()
        assert service.generate("s").status_code == 200
