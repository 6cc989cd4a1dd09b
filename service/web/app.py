"""The wiring: routes, lifespan, error handlers."""

import contextlib
from collections.abc import AsyncIterator, Callable

from starlette.applications import Starlette
from starlette.endpoints import HTTPEndpoint
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from service.store.engine import StoreBusyError, StoreFullError
from service.store.tokens import find_app
from service.web import events, health, metrics, open_items, pages, sessions, settings, slots, sources, tokens, usage
from service.web.audit import denied_unrouted
from service.web.errors import ApiError, on_api_error, on_defect, on_http_error, on_store_error
from service.web.guard import Guard
from service.web.state import Running, State
from service.web.summary import SummaryEndpoint

_SLOTS = "/api/chat/slots/"


class _SlotEndpoint(HTTPEndpoint):
    put = staticmethod(slots.put_slot)
    patch = staticmethod(slots.patch_slot)
    delete = staticmethod(slots.delete_slot)


class _MessagesEndpoint(HTTPEndpoint):
    get = staticmethod(slots.read_exchange)
    post = staticmethod(slots.append_messages)
    put = staticmethod(slots.rewrite_messages)


_SLOT_ROUTES = [
    Route("/api/chat/slots", slots.list_slots, methods=["GET"]),
    Route("/api/chat/slots/{slot}", _SlotEndpoint),
    Route("/api/chat/slots/{slot}/summary", SummaryEndpoint),
    Route("/api/chat/slots/{slot}/messages", _MessagesEndpoint),
    Route("/api/chat/slots/{slot}/turn/start", slots.start_turn, methods=["POST"]),
    Route("/api/chat/slots/{slot}/turn/end", slots.end_turn, methods=["POST"]),
]

# Every route there is; the document at /openapi.json names the same ones.
ROUTES: tuple[BaseRoute, ...] = (
    *_SLOT_ROUTES,
    *sessions.ROUTES,
    *open_items.ROUTES,
    *usage.ROUTES,
    Route("/api/events", events.events, methods=["GET"]),
    *settings.ROUTES,
    *sources.ROUTES,
    *tokens.ROUTES,
    *health.ROUTES,
    *metrics.ROUTES,
    *pages.ROUTES,
)


class RawSlotPath:
    """Lets the router see a slot key as it was sent: `%2F` belongs to the key, a literal `/` separates."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(as_sent(scope), receive, send)


def as_sent(scope: Scope) -> Scope:
    """The scope with a slot's path as it was sent, any other as it is."""
    if scope["type"] != "http" or not scope["path"].startswith(_SLOTS):
        return scope
    raw = scope.get("raw_path") or scope["path"].encode()
    return {**scope, "path": raw.partition(b"?")[0].decode("latin-1")}


def create_app(
    running: Running,
    *,
    dashboard_token: str,
    lifespan: Callable[[], contextlib.AbstractAsyncContextManager[None]],
) -> ASGIApp:
    """The application over a service that `lifespan` starts and stops."""

    @contextlib.asynccontextmanager
    async def live(_: Starlette) -> AsyncIterator[State]:
        async with lifespan():
            yield {"running": running}

    app = Starlette(
        routes=ROUTES,
        lifespan=live,
        exception_handlers={
            ApiError: on_api_error,
            StoreBusyError: on_store_error,
            StoreFullError: on_store_error,
            HTTPException: on_http_error,
            Exception: on_defect,
        },
    )
    app.router.redirect_slashes = False
    return Guard(
        RawSlotPath(app),
        on_denial=lambda scope, reason: denied_unrouted(as_sent(scope), ROUTES, reason),
        dashboard_token=dashboard_token,
        find_app=lambda digest: running.db.read(lambda r: find_app(r, digest)),
        allowed_hosts=lambda: running.config.current().allowed_hosts,
        most_bytes=lambda: running.config.current().max_body_bytes,
    )
