"""Server-sent events: the hub that reads the outbox after each commit, and the answer that streams it."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence

import orjson
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from service.store.access import DASHBOARD, Caller
from service.store.engine import Database, Read, StoreBusyError, StoreFullError
from service.store.events import EventType, StoredEvent, events_after, is_known, newest_id

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15.0
MOST_FRAMES = 256
MOST_SECONDS = 10.0
_BATCH = 256
_RETRY_SECONDS = 1.0
# Off stops serving within a second (SPEC section 11); a look at the settings is one `stat`.
_LOOK_SECONDS = 0.5
_HEARTBEAT = b": heartbeat\n\n"
# Off, nothing derived is announced either.
_DERIVED = frozenset({EventType.SUMMARY, EventType.TITLE})


def encode_frame(event: StoredEvent) -> bytes:
    """The frame of one event: keys only, no text of a session."""
    data: dict[str, object] = {"key": event.slot}
    if event.running is not None:
        data["running"] = event.running
    return _frame(event.id, event.type, data)


def _frame(id_: int, type_: str, data: dict[str, object]) -> bytes:
    return b"id: %d\n%s" % (id_, _frame_without_id(type_, data))


def _frame_without_id(type_: str, data: dict[str, object]) -> bytes:
    """Of what is no row of the outbox: a client resumes from the id it had."""
    return b"event: %s\ndata: %s\n\n" % (type_.encode(), orjson.dumps({"type": type_, "data": data}))


class Subscriber:
    """One client's bounded backlog: whoever falls behind is dropped and replays, so a slow reader costs nothing."""

    def __init__(self, caller: Caller, after: int, clock: Callable[[], float]) -> None:
        self.caller = caller
        self.after = after
        self._clock = clock
        self._frames: deque[tuple[float, bytes]] = deque()
        self._news = asyncio.Event()
        self._closed = False

    def wants(self, event: StoredEvent) -> bool:
        """Whether the event is behind what was replayed, and the caller's to see."""
        return event.id > self.after and self.caller.app in (None, event.app)

    def offer(self, frame: bytes) -> bool:
        """Takes a frame; False where the client is so far behind that it must be dropped."""
        oldest = self._frames[0][0] if self._frames else self._clock()
        if len(self._frames) >= MOST_FRAMES or self._clock() - oldest > MOST_SECONDS:
            self._frames.clear()
            self.close()
            return False
        self._frames.append((self._clock(), frame))
        self._news.set()
        return True

    def close(self) -> None:
        """Ends the stream behind the frames that wait."""
        self._closed = True
        self._news.set()

    async def frames(self) -> AsyncGenerator[bytes, None]:
        """Frames as they come, a heartbeat where none does."""
        while True:
            while self._frames:
                yield self._frames.popleft()[1]
            if self._closed:
                return
            self._news.clear()
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await self._news.wait()
            except TimeoutError:
                yield _HEARTBEAT


class Hub:
    """Keeps the subscribers; after each commit one task reads what is new in the outbox and hands it round."""

    def __init__(self, db: Database, enabled: Callable[[], bool], times_changed: Callable[[], int] = int) -> None:
        self._db = db
        self._enabled = enabled
        self._times_changed = times_changed
        self._subscribers: set[Subscriber] = set()
        self._position = 0
        self._news = asyncio.Event()
        self._tasks: Sequence[asyncio.Task[None]] = ()
        self._closed = False

    @property
    def streams(self) -> int:
        """How many clients are connected."""
        return len(self._subscribers)

    @property
    def position(self) -> int:
        """The id up to which events were handed round."""
        return self._position

    async def start(self) -> None:
        """Begins at the newest id; what lies before it is replayed on request."""
        self._position = await self._db.read(newest_id)
        self._db.on_commit(self._news.set)
        self._tasks = [asyncio.create_task(self._follow()), asyncio.create_task(self._watch_settings())]

    def close(self) -> None:
        """Ends every stream cleanly; none can begin any more."""
        self._closed = True
        for subscriber in tuple(self._subscribers):
            subscriber.close()
        for task in self._tasks:
            task.cancel()

    def close_app(self, app: str) -> None:
        """Ends the streams of an app whose tokens were revoked."""
        for subscriber in tuple(self._subscribers):
            if subscriber.caller.app == app:
                subscriber.close()

    async def drained(self) -> None:
        """Waits until the hub's own tasks have ended."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _watch_settings(self) -> None:
        """Tells dashboards when a setting changes, wherever that was done: no row of the outbox says so."""
        told = self._times_changed()
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            if (times := self._times_changed()) != told:
                told = times
                frame = _frame_without_id("settings", {"enabled": self._enabled()})
                self._offer_to(frame, lambda subscriber: subscriber.caller == DASHBOARD)

    async def _follow(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            try:
                await self._hand_round()
            except (StoreBusyError, StoreFullError) as error:
                log.warning("events_delayed error=%s", type(error).__name__)
                self._news.set()
                await asyncio.sleep(_RETRY_SECONDS)

    async def _hand_round(self) -> None:
        while True:
            events = await self._events_after(self._position, DASHBOARD)
            for event in events:
                self._position = event.id
                self._offer(event)
            if len(events) < _BATCH:
                return

    def _offer(self, event: StoredEvent) -> None:
        if event.type in _DERIVED and not self._enabled():
            return
        self._offer_to(encode_frame(event), lambda subscriber: subscriber.wants(event))

    def _offer_to(self, frame: bytes, wanted: Callable[[Subscriber], bool]) -> None:
        for subscriber in tuple(self._subscribers):
            if wanted(subscriber) and not subscriber.offer(frame):
                self._subscribers.discard(subscriber)
                log.info("stream_dropped reason=slow")

    async def stream(self, caller: Caller, last_event_id: str | None) -> AsyncGenerator[bytes, None]:
        """Hello, or what was missed since the given id, or a reset; then live frames until the client goes."""
        position = await self._known_position(last_event_id)
        if position is None:
            position = await self._db.read(newest_id)
            yield _frame(position, "hello" if last_event_id is None else "reset", {"id": position})
        while position < self._position and not self._closed:
            upto = self._position
            events = await self._missed(position, caller)
            if events is None:
                position = await self._db.read(newest_id)
                yield _frame(position, "reset", {"id": position})
                continue
            for event in events:
                if event.type not in _DERIVED or self._enabled():
                    yield encode_frame(event)
            position = events[-1].id if len(events) == _BATCH else max(upto, events[-1].id if events else 0)
        if self._closed:
            return
        # No await since the position was compared: no frame can fall between replay and live.
        subscriber = Subscriber(caller, position, asyncio.get_running_loop().time)
        self._subscribers.add(subscriber)
        try:
            async with contextlib.aclosing(subscriber.frames()) as frames:
                async for frame in frames:
                    yield frame
        finally:
            self._subscribers.discard(subscriber)

    async def _events_after(self, position: int, caller: Caller) -> Sequence[StoredEvent]:
        return await self._db.read(lambda r: events_after(r, position, _BATCH, caller))

    async def _missed(self, position: int, caller: Caller) -> Sequence[StoredEvent] | None:
        """The next events behind a position; None where some were pruned while the client was slow to take a replay."""

        async def read(r: Read) -> Sequence[StoredEvent] | None:
            return await events_after(r, position, _BATCH, caller) if await is_known(r, position) else None

        return await self._db.read(read)

    async def _known_position(self, last_event_id: str | None) -> int | None:
        if last_event_id is None or not (last_event_id.isascii() and last_event_id.isdecimal()):
            return None
        position = int(last_event_id[:20])
        return position if await self._db.read(lambda r: is_known(r, position)) else None


class EventStream(Response):
    """A response that streams frames until the client goes, falls behind, or the hub ends it."""

    def __init__(self, frames: AsyncGenerator[bytes, None]) -> None:
        super().__init__(
            headers={"content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no"}
        )
        del self.headers["content-length"]
        self.frames = frames

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        tasks = [asyncio.create_task(_gone(receive)), asyncio.create_task(self._pump(send))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _pump(self, send: Send) -> None:
        async def put(body: bytes, *, more: bool) -> None:
            async with asyncio.timeout(MOST_SECONDS):
                await send({"type": "http.response.body", "body": body, "more_body": more})

        with contextlib.suppress(TimeoutError):
            async with contextlib.aclosing(self.frames) as frames:
                async for frame in frames:
                    await put(frame, more=True)
            await put(b"", more=False)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
