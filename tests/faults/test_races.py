"""What happens to a session while its summary is being made, hundreds of times over the real server."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.faults.process import ServiceProcess, switched_on
from tests.support.live import exchange
from tests.support.model_server import ModelServer
from tests.support.wait import wait_until

pytestmark = pytest.mark.slow

_AT_ONCE = 60
_ROUNDS = 5
RACES = _AT_ONCE * _ROUNDS
_KEYS = [f"s{n}" for n in range(_AT_ONCE)]
_TWO_TURNS = exchange("Sort the imports") + exchange("Now the exports")


class Arena:
    """A service in a process of its own, a model that waits, and sixty sessions."""

    def __init__(self, service: ServiceProcess, model: ModelServer, client: httpx2.AsyncClient) -> None:
        self.service = service
        self.model = model
        self.client = client

    async def open(self, key: str) -> None:
        """The session with two turns, where it is not there."""
        (await self.client.put(self.service.path(key), json={})).raise_for_status()
        (await self.client.post(self.service.path(key, "messages"), json={"messages": _TWO_TURNS})).raise_for_status()

    async def all_thinking(self) -> list[asyncio.Task[httpx2.Response]]:
        """One pass for each session, each of which has reached the model."""
        self.model.hold()
        asked = len(self.model.requests) + _AT_ONCE
        posts = [
            asyncio.create_task(self.client.post(self.service.path(key, "summary"), json={}, timeout=60))
            for key in _KEYS
        ]
        await wait_until(lambda: len(self.model.requests) == asked, within=30)
        return posts

    async def for_all(self, act: Callable[[str], Awaitable[object]]) -> None:
        await asyncio.gather(*(act(key) for key in _KEYS))

    async def append(self, key: str) -> None:
        body = {"messages": exchange("And the docs")}
        (await self.client.post(self.service.path(key, "messages"), json=body)).raise_for_status()

    async def rewrite(self, key: str) -> None:
        (await self.client.put(self.service.path(key, "messages"), json={"messages": _TWO_TURNS})).raise_for_status()

    async def start_turn(self, key: str) -> None:
        (await self.client.post(self.service.path(key, "turn", "start"), json={})).raise_for_status()

    async def end_turn(self, key: str) -> None:
        (await self.client.post(self.service.path(key, "turn", "end"), json={})).raise_for_status()

    async def delete(self, key: str) -> None:
        (await self.client.delete(self.service.path(key), timeout=60)).raise_for_status()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        connection = sqlite3.connect(f"file:{self.service.folder.database}?mode=ro", uri=True)
        found = connection.execute(query).fetchall()
        connection.close()
        return found

    def ended(self) -> dict[tuple[str, str | None], int]:
        """How many passes on demand ended in which way."""
        rows = self.rows("SELECT outcome, reason, count(*) FROM passes WHERE trigger = 'request' GROUP BY 1, 2")
        return {(outcome, reason): count for outcome, reason, count in rows}


@pytest.fixture
async def arena(tmp_path: Path, model_server: ModelServer) -> AsyncIterator[Arena]:
    """Sixty sessions, none of which has a summary."""
    folder = tmp_path / "data"
    environ = switched_on(folder, model_server.url, max_passes=64)
    with ServiceProcess(folder, environ) as service:
        limits = httpx2.Limits(max_connections=2 * _AT_ONCE)
        async with httpx2.AsyncClient(
            base_url=service.url, headers=service.headers, limits=limits, timeout=30, trust_env=False
        ) as client:
            arena = Arena(service, model_server, client)
            await arena.for_all(arena.open)
            yield arena
            model_server.release()


@pytest.mark.parametrize(
    ("act", "undo", "status", "reason", "code"),
    [
        (Arena.append, None, 409, "moved", "summary_unavailable"),
        (Arena.rewrite, None, 409, "moved", "summary_unavailable"),
        (Arena.start_turn, Arena.end_turn, 409, "running", "summary_turn_running"),
        (Arena.delete, Arena.open, 404, "deleted", "slot_not_found"),
    ],
)
async def test_300_changes_in_mid_generation_are_all_refused(
    arena: Arena,
    act: Callable[[Arena, str], Awaitable[None]],
    undo: Callable[[Arena, str], Awaitable[None]] | None,
    status: int,
    reason: str,
    code: str,
) -> None:
    """Each answer has the right reason; no summary is stored, no row is back, no event is pushed, no mark is moved."""
    for _ in range(_ROUNDS):
        posts = await arena.all_thinking()
        await arena.for_all(lambda key: act(arena, key))
        arena.model.release()
        answers = [await post for post in posts]
        assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(status, code)}
        if act is Arena.delete:
            assert arena.rows("SELECT count(*) FROM summaries") == [(0,)]
        if undo is not None:
            await arena.for_all(lambda key: undo(arena, key))
    assert arena.ended() == {("refused", reason): RACES}
    assert arena.rows("SELECT count(*) FROM events WHERE type = 'session_summary'") == [(0,)]
    assert arena.rows("SELECT count(*) FROM summaries WHERE payload IS NOT NULL OR lease_owner IS NOT NULL") == [(0,)]
    assert arena.rows("SELECT DISTINCT turn_mark FROM slots") == [(0,)]


@pytest.mark.parametrize("act", [Arena.append, Arena.rewrite, Arena.start_turn])
async def test_a_change_that_races_the_answer_is_never_overtaken(
    arena: Arena, act: Callable[[Arena, str], Awaitable[None]]
) -> None:
    """The model answers while the change arrives: a summary is stored before the change or not at all."""
    before = arena.rows("SELECT max(id) FROM events")[0][0]
    posts = await arena.all_thinking()
    arena.model.release()
    await arena.for_all(lambda key: act(arena, key))
    stored = {key for key, post in zip(_KEYS, posts, strict=True) if (await post).status_code == 200}
    order: dict[str, list[str]] = {key: [] for key in _KEYS}
    for slot, kind in arena.rows(f"SELECT slot, type FROM events WHERE id > {before} ORDER BY id"):  # noqa: S608 - a number
        order[slot].append(kind)
    assert {key for key, kinds in order.items() if "session_summary" in kinds} == stored
    for key in stored:
        assert order[key][0] == "session_summary", key


async def test_clients_that_hang_up_change_nothing(arena: Arena) -> None:
    """Every client goes away in mid-generation: each summary is stored once, with one event for each of two slots."""
    for key in _KEYS:
        body = {"transcript_key": key}
        (await arena.client.put(arena.service.path(f"{key}-other"), json=body)).raise_for_status()
    posts = await arena.all_thinking()
    for post in posts:
        post.cancel()
    await asyncio.gather(*posts, return_exceptions=True)
    arena.model.release()
    await wait_until(lambda: arena.ended() == {("stored", None): _AT_ONCE}, within=20)
    events = Counter(slot for (slot,) in arena.rows("SELECT slot FROM events WHERE type = 'session_summary'"))
    assert events == Counter([*_KEYS, *(f"{key}-other" for key in _KEYS)])
    assert len(arena.model.requests) == _AT_ONCE
