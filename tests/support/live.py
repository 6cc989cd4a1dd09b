"""The real service on a real socket, for tests: started in a thread, stopped clean, its files in the test's folder."""

import json
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx2
import uvicorn

from service.config import ConfigFile, set_value
from service.store.folder import DataFolder
from service.web.app import create_app
from service.web.server import Options, Server, assemble, bind, url_of
from tests.support.wait import wait_until_sync


class LiveService:
    """One serving process's worth of service; `client` is the dashboard's, already authorized."""

    def __init__(
        self,
        folder: Path,
        *,
        environ: Mapping[str, str] | None = None,
        home: Path | None = None,
        mirror_sources: bool = False,
        port: int = 0,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.folder = DataFolder(folder)
        self.folder.prepare()
        self._environ = dict(environ or {})
        self._home = home or folder / "home"
        self._mirror_sources = mirror_sources
        self._port = port
        self._now = now
        self._ready = threading.Event()

    def __enter__(self) -> Self:
        self.token = self.folder.dashboard_token()
        self._listener = bind("127.0.0.1", self._port)
        self.url = url_of(self._listener)
        self._server = self._build()
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._listener]})
        self._thread.start()
        wait_until_sync(lambda: self._ready.is_set() or not self._thread.is_alive(), within=10)
        self.client = self.client_of(self.token)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()
        self.stop()

    def begin_stop(self) -> None:
        """Lets the service end as a signal would."""
        self._server.should_exit = True

    def stop(self) -> None:
        """Ends the service and waits until it is gone."""
        self.begin_stop()
        self._thread.join(timeout=10)
        if self._thread.is_alive():
            raise AssertionError("the service did not stop")
        self._listener.close()

    def _build(self) -> Server:
        config = ConfigFile(self.folder.config)
        options = Options(
            self.folder, config, "127.0.0.1", 0, self._mirror_sources, self._environ, self._home, self._now
        )
        running, lifespan = assemble(options, self._ready.set)
        self.hub = running.hub
        app = create_app(running, dashboard_token=self.token, lifespan=lifespan)
        settings = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=2, lifespan="on")
        return Server(settings, running)

    def client_of(self, token: str) -> httpx2.Client:
        """A client with a token of its own."""
        return httpx2.Client(base_url=self.url, headers={"Authorization": f"Bearer {token}"}, timeout=20)

    def set(self, key: str, value: object) -> None:
        """Changes a setting, as `config set` does."""
        set_value(self.folder.config, key, value)

    @property
    def database(self) -> Path:
        return self.folder.database

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What the database file holds, read from outside."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as connection:
            rows = connection.execute(query, values).fetchall()
        connection.close()
        return rows

    def path(self, slot: str, *rest: str) -> str:
        return "/".join(["/api/chat/slots", quote(slot, safe=""), *rest])

    def put(self, slot: str, **fields: object) -> httpx2.Response:
        return self.client.put(self.path(slot), json=fields)

    def summary(self, slot: str) -> dict[str, Any]:
        body: dict[str, Any] = self.client.get(self.path(slot, "summary")).json()
        return body

    def generate(self, slot: str) -> httpx2.Response:
        return self.client.post(self.path(slot, "summary"), json={})

    def turn(self, slot: str, said: str, answer: str = "Done.", *, stop_reason: str | None = "end_turn") -> None:
        """A whole turn as a host sends it: start, then end with both messages."""
        self.client.post(self.path(slot, "turn", "start"), json={}).raise_for_status()
        body = {"stop_reason": stop_reason, "messages": exchange(said, answer)}
        self.client.post(self.path(slot, "turn", "end"), json=body).raise_for_status()

    def append(self, slot: str, messages: Sequence[Mapping[str, object]]) -> httpx2.Response:
        return self.client.post(self.path(slot, "messages"), json={"messages": messages})

    def rewrite(self, slot: str, messages: Sequence[Mapping[str, object]]) -> httpx2.Response:
        return self.client.put(self.path(slot, "messages"), json={"messages": messages})

    @contextmanager
    def events(self, last_event_id: int | None = None, token: str | None = None) -> Iterator["EventReader"]:
        """A stream, open while the block runs."""
        headers = {"Authorization": f"Bearer {token or self.token}"}
        if last_event_id is not None:
            headers["Last-Event-ID"] = str(last_event_id)
        timeout = httpx2.Timeout(5, read=5)
        with (
            httpx2.Client(base_url=self.url, headers=headers, timeout=timeout) as client,
            client.stream("GET", "/api/events") as response,
        ):
            yield EventReader(response)


class EventReader:
    """Reads frames off a stream, one at a time."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response = response
        self._lines = response.iter_lines()

    def next(self) -> dict[str, Any]:
        """The next frame, past any heartbeat: id, event and decoded data."""
        frame: dict[str, Any] = {}
        for line in self._lines:
            name, _, value = line.partition(": ")
            if name in ("id", "event", "data"):
                frame[name] = json.loads(value) if name == "data" else value
            if not line and frame:
                return frame
        raise EOFError("the stream ended")

    def until(self, event: str) -> dict[str, Any]:
        """The next frame of one type."""
        while (frame := self.next())["event"] != event:
            pass
        return frame


def exchange(said: str, answer: str = "Done.", ts: str | None = None) -> list[dict[str, object]]:
    """A person's message and the reply to it."""
    said_at = {} if ts is None else {"ts": ts}
    return [{"role": "user", "content": said, **said_at}, {"role": "assistant", "content": answer, **said_at}]


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
