"""A model server on a real socket: it speaks the Messages API, answers by script and remembers what it was asked."""

import asyncio
import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tests.support.model_answers import (
    Answer,
    Pause,
    error_reply,
    intent,
    raw_reply,
    summary_reply,
    text_reply,
    title_reply,
)

__all__ = [
    "Answer",
    "ModelServer",
    "Pause",
    "SeenRequest",
    "answer_by_kind",
    "error_reply",
    "intent",
    "raw_reply",
    "summary_reply",
    "text_reply",
    "title_reply",
]


@dataclass(frozen=True, slots=True)
class SeenRequest:
    """One request as it arrived; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def streamed(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def wants_json(self) -> bool:
        """Whether a schema came along: a summary is asked for so, a title is not."""
        return "format" in (self.body.get("output_config") or {})

    @property
    def system(self) -> str:
        """The instructions."""
        return _text_of(self.body.get("system", ""))

    @property
    def text(self) -> str:
        """The words of all messages in the request."""
        return "\n".join(_text_of(message["content"]) for message in self.body.get("messages", []))


def _text_of(content: Any) -> str:
    return content if isinstance(content, str) else "".join(block.get("text", "") for block in content)


def answer_by_kind(request: SeenRequest) -> Answer:
    """What the server says without a script: a summary or a title, as asked."""
    return summary_reply() if request.wants_json else title_reply()


@dataclass(slots=True)
class _Scene:
    """What one test sees of the server: late events of an earlier test go to that one's scene."""

    default: Callable[[SeenRequest], Answer]
    requests: list[SeenRequest] = field(default_factory=list)
    script: deque[Answer] = field(default_factory=deque)
    hang_ups: int = 0
    may_begin: asyncio.Event = field(default_factory=asyncio.Event)
    may_go_on: asyncio.Event = field(default_factory=asyncio.Event)

    def next_answer(self, request: SeenRequest) -> Answer:
        self.requests.append(request)
        try:
            return self.script.popleft()
        except IndexError:
            return self.default(request)

    async def play(self, answer: Answer, send: Send, *, streamed: bool) -> None:
        """Sends the answer piece by piece; returning early makes uvicorn close the connection."""
        await self.may_begin.wait()
        await asyncio.sleep(answer.delay)
        await send(_start(answer, streamed=answer.as_stream(asked=streamed)))
        for piece in answer.pieces(asked_for_stream=streamed):
            if piece is Pause.CUT:
                return
            if piece is Pause.HOLD:
                await self.may_go_on.wait()
            elif piece is Pause.FLOOD:
                await _flood(send)
            else:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _flood(send: Send) -> None:
    while True:
        await send({"type": "http.response.body", "body": b"\n" * 65536, "more_body": True})
        await asyncio.sleep(0)  # a client that has gone takes everything at once


class ModelServer:
    """Runs in a thread of its own inside `with`; `script` is used up first, then `default` answers."""

    def __init__(self, default: Callable[[SeenRequest], Answer] = answer_by_kind) -> None:
        self._first_default = default
        self._scene = _Scene(default)
        self._scene.may_begin.set()
        self._socket = socket.socket()
        self._loop: asyncio.AbstractEventLoop | None = None
        app = Starlette(routes=[Route("/{path:path}", _Endpoint(lambda: self._scene))])
        self._server = uvicorn.Server(
            uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1)
        )
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="model-server")
        self._started = threading.Event()

    @property
    def url(self) -> str:
        """What a client takes for `base_url`."""
        host, port = self._socket.getsockname()
        return f"http://{host}:{port}"

    @property
    def requests(self) -> list[SeenRequest]:
        """What was asked so far, oldest first; a request is here before its answer begins."""
        return self._scene.requests

    @property
    def hang_ups(self) -> int:
        """How many clients went away before their answer was whole."""
        return self._scene.hang_ups

    @property
    def default(self) -> Callable[[SeenRequest], Answer]:
        """Computes the answer to a request the script has none for."""
        return self._scene.default

    @default.setter
    def default(self, answer: Callable[[SeenRequest], Answer]) -> None:
        self._scene.default = answer

    def script(self, *answers: Answer) -> None:
        """Adds answers, given out one a request in the order they came."""
        self._scene.script.extend(answers)

    def hold(self) -> None:
        """From here on every answer waits for `release()`; requests are still taken in and seen."""
        self._in_loop(self._scene.may_begin.clear)
        self._in_loop(self._scene.may_go_on.clear)

    def release(self) -> None:
        """Lets go what is held now, and holds nothing any more."""
        self._in_loop(self._scene.may_begin.set)
        self._in_loop(self._scene.may_go_on.set)

    def reset(self) -> None:
        """Forgets script, requests and holds, as if it had just been started."""
        self.release()
        scene = _Scene(self._first_default)
        scene.may_begin.set()
        self._scene = scene

    def __enter__(self) -> Self:
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen(128)
        self._thread.start()
        self._started.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Releases what is held, ends the thread, frees the port; may be called twice."""
        if self._thread.is_alive():
            with suppress(RuntimeError):  # the loop may end between the look and the call
                self.release()
            self._server.should_exit = True
            self._thread.join()
        self._socket.close()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._started.set()
        await self._server.serve(sockets=[self._socket])

    def _in_loop(self, action: Callable[[], object]) -> None:
        # The loop takes calls in order, so a request sent after hold() returned meets it.
        assert self._loop is not None, "the server is used inside its `with` block"
        self._loop.call_soon_threadsafe(action)


def _start(answer: Answer, *, streamed: bool) -> dict[str, Any]:
    headers = {"content-type": "text/event-stream" if streamed else answer.content_type, "request-id": "req_made_up"}
    if not streamed:
        headers["content-length"] = str(len(answer.body))
    pairs = [(name.lower().encode(), value.encode()) for name, value in {**headers, **answer.headers}.items()]
    return {"type": "http.response.start", "status": answer.status, "headers": pairs}


class _Endpoint:
    """The one route, as a bare ASGI app: it has to see a client that hangs up."""

    def __init__(self, scene: Callable[[], _Scene]) -> None:
        self._scene = scene

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, scene = Request(scope, receive), self._scene()
        seen = SeenRequest(request.url.path, dict(request.headers), json.loads(await request.body() or b"{}"))
        playing = asyncio.ensure_future(scene.play(scene.next_answer(seen), send, streamed=seen.streamed))
        leaving = asyncio.ensure_future(_hang_up(receive))
        await asyncio.wait({playing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            scene.hang_ups += 1
        for task in (playing, leaving):
            task.cancel()
        await asyncio.gather(playing, leaving, return_exceptions=True)


async def _hang_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
