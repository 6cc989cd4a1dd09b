"""SIGTERM at the worst moment: gone soon, everything ended cleanly, nothing left behind."""

import asyncio
import concurrent.futures
import os
import sqlite3
from pathlib import Path

import httpx2
import pytest

from tests.faults.process import ServiceProcess, switched_on
from tests.support.live import exchange
from tests.support.model_server import ModelServer
from tests.support.wait import wait_until, wait_until_sync

pytestmark = pytest.mark.slow

_STREAMS = 100
_GONE_SECONDS = 5.0


async def test_a_stop_with_a_hundred_streams_and_a_hanging_model(tmp_path: Path, model_server: ModelServer) -> None:
    """Gone in 5 s with exit code 0: streams end cleanly, no error is logged, each pass has its row."""
    folder = tmp_path / "data"
    with ServiceProcess(folder, switched_on(folder, model_server.url)) as service:
        model_server.hold()
        for n in range(5):
            service.put(f"s{n}")
            service.append(f"s{n}", exchange("Sort the imports") + exchange("Now the exports"))
            service.client.post(service.path(f"s{n}", "turn", "end"), json={"stop_reason": "end_turn"})
        wait_until_sync(lambda: len(model_server.requests) == 2, within=5)
        limits = httpx2.Limits(max_connections=_STREAMS + 1)
        async with (
            httpx2.AsyncClient(base_url=service.url, headers=service.headers, limits=limits, trust_env=False) as client,
            asyncio.TaskGroup() as tasks,
        ):
            opened: list[int] = []
            readers = [tasks.create_task(_read_to_the_end(client, opened)) for _ in range(_STREAMS)]
            await wait_until(lambda: len(opened) == _STREAMS, within=10)
            code = await asyncio.to_thread(service.terminate, _GONE_SECONDS)
        assert code == 0
        assert [reader.result() for reader in readers] == ["ended"] * _STREAMS
        assert " ERROR " not in service.log
        assert " WARNING " not in service.log
        assert "Traceback" not in service.log
    connection = sqlite3.connect(service.folder.database)
    assert connection.execute("SELECT count(*) FROM summaries WHERE lease_owner IS NOT NULL").fetchone() == (0,)
    rows = connection.execute("SELECT outcome, reason, count(*) FROM passes GROUP BY 1, 2").fetchall()
    assert rows == [("failed", "deadline", 5)]
    connection.close()
    assert [file.name for file in os.scandir(folder) if file.name.endswith("-wal")] == []


async def _read_to_the_end(client: httpx2.AsyncClient, opened: list[int]) -> str:
    async with client.stream("GET", "/api/events", timeout=httpx2.Timeout(10, read=None)) as response:
        lines = response.aiter_lines()
        async for line in lines:
            if line == "event: hello":
                opened.append(1)
        return "ended"


def test_a_stop_in_the_middle_of_requests_answers_them(tmp_path: Path, model_server: ModelServer) -> None:
    """Somebody waits for a summary when the service stops: an answer with a reason, not a dead connection."""
    folder = tmp_path / "data"
    with ServiceProcess(folder, switched_on(folder, model_server.url)) as service:
        service.put("s")
        service.append("s", exchange("Sort the imports") + exchange("Now the exports"))
        model_server.hold()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            answer = pool.submit(service.generate, "s")
            wait_until_sync(lambda: len(model_server.requests) == 1, within=5)
            assert service.terminate(_GONE_SECONDS) == 0
            assert (answer.result().status_code, answer.result().json()["reason"]) == (409, "deadline")
