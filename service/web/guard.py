"""What a request must pass before any route sees it: host, origin, who is asking, kind and size of the body."""

import asyncio
import hashlib
import hmac
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.passes.outcome import where
from service.store.access import DASHBOARD, Caller
from service.store.engine import StoreBusyError, StoreFullError
from service.web.audit import DENIALS
from service.web.errors import ApiError, error_response, on_store_error

log = logging.getLogger(__name__)

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_OPEN_PATHS = frozenset({"/healthz", "/readyz", "/openapi.json", "/", "/open-items", "/favicon.ico"})
_OPEN_PREFIXES = ("/static/", "/panel/")
_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})

FindApp = Callable[[str], Awaitable[str | None]]


def cookie_name(scope: Scope) -> str:
    """One cookie per port: browsers share cookies between the ports of a host."""
    server = scope.get("server")
    return f"session_summary_{server[1] if server else 0}"


def token_digest(token: str) -> str:
    """What is stored of an app's token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Guard:
    """The outermost layer of the application; it answers what it refuses itself, always in the one error shape."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        on_denial: Callable[[Scope, str], None],
        dashboard_token: str,
        find_app: FindApp,
        allowed_hosts: Callable[[], Iterable[str]],
        most_bytes: Callable[[], int],
    ) -> None:
        self._app = app
        self._on_denial = on_denial
        self._token = dashboard_token.encode()
        self._find_app = find_app
        self._allowed_hosts = allowed_hosts
        self._most_bytes = most_bytes
        self._slowdown = Slowdown()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _with_security_headers(scope, send)
        try:
            scope["caller"] = await self._admit(scope)
            receive = _bounded(receive, Headers(scope=scope), self._most_bytes())
        except ApiError as refused:
            if refused.status in DENIALS:
                self._on_denial(scope, refused.true_reason)
            await refused.response()(scope, receive, send)
            return
        except (StoreBusyError, StoreFullError) as error:
            await (await on_store_error(Request(scope), error))(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            # Only a server that stops cancels a request: one whose body never came whole, by then.
            await _stopping()(scope, receive, send)
        except Exception as error:
            # The answer went out below. What the server would log of the error may quote what a person said.
            log.error("request_broke at=%s", where(error))

    async def _admit(self, scope: Scope) -> Caller | None:
        headers = Headers(scope=scope)
        self._check_host(headers)
        _check_origin(scope, headers)
        caller = None if _is_open(scope["path"]) else await self._identify(scope, headers)
        _check_media_type(scope, headers)
        return caller

    def _check_host(self, headers: Headers) -> None:
        name = host_name(headers.get("host", ""))
        if name not in _LOOPBACK and name not in {allowed.lower() for allowed in self._allowed_hosts()}:
            sentence = "this service does not answer for that host; add it to allowed_hosts in config.json"
            raise ApiError(421, "wrong_host", sentence)

    async def _identify(self, scope: Scope, headers: Headers) -> Caller:
        token = _bearer(headers) or _cookie(headers, cookie_name(scope))
        if token is not None:
            if hmac.compare_digest(token.encode("utf-8", "surrogatepass"), self._token):
                return DASHBOARD
            app = await self._find_app(token_digest(token))
            if app is not None:
                return Caller(app)
        client = scope.get("client")
        await self._slowdown.after_failure(client[0] if client else "")
        sentence = "a token is needed: Authorization: Bearer <token> (see `session-summary token show`)"
        reason = "no_token" if token is None else "wrong_token"
        raise ApiError(401, "unauthorized", sentence, headers={"WWW-Authenticate": "Bearer"}, true_reason=reason)


class Slowdown:
    """Delays the answer to failed authentications of one address more and more; a right token never waits."""

    _FREE = 5
    _LONGEST_SECONDS = 2.0
    _ADDRESSES = 1024

    def __init__(self) -> None:
        self._failures: OrderedDict[str, int] = OrderedDict()

    async def after_failure(self, address: str) -> None:
        """Counts one failure and waits as long as the address has earned."""
        count = self._failures.pop(address, 0) + 1
        self._failures[address] = count
        if len(self._failures) > self._ADDRESSES:
            self._failures.popitem(last=False)
        if count > self._FREE:
            await asyncio.sleep(min(0.05 * (count - self._FREE), self._LONGEST_SECONDS))


def host_name(host: str) -> str:
    """The name in a Host header, without port, in lower case; IPv6 keeps its brackets."""
    host = host.strip().lower()
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.rpartition(":")[0] if ":" in host else host


def _stopping() -> Response:
    return error_response(503, "stopping", "the service is stopping; send it again in a moment")


def _check_origin(scope: Scope, headers: Headers) -> None:
    origin = headers.get("origin")
    foreign = origin is not None and origin.lower().partition("://")[2] != headers.get("host", "").lower()
    if foreign or (headers.get("sec-fetch-site") == "cross-site" and not _is_navigation(scope, headers)):
        raise ApiError(403, "foreign_origin", "requests from other sites are refused")


def _is_navigation(scope: Scope, headers: Headers) -> bool:
    """Somebody followed a link to the page itself, which shows nothing without a token."""
    page = scope["method"] == "GET" and _is_open(scope["path"])
    return page and headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"


def _is_open(path: str) -> bool:
    return path in _OPEN_PATHS or path.startswith(_OPEN_PREFIXES)


def _bearer(headers: Headers) -> str | None:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def _cookie(headers: Headers, name: str) -> str | None:
    # By hand: the standard parser gives up at the first odd pair, and browsers send those of every local program along.
    pairs = (pair.partition("=") for pair in headers.get("cookie", "").split(";"))
    return next((value.strip().strip('"') for key, _, value in pairs if key.strip() == name), None) or None


def _check_media_type(scope: Scope, headers: Headers) -> None:
    """Only JSON writes: a foreign page cannot send those without asking first. An empty body needs no type."""
    if scope["method"] not in _WRITES:
        return
    media_type = headers.get("content-type")
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if media_type is None and not has_body:
        return
    if (media_type or "").partition(";")[0].strip().lower() != "application/json":
        raise ApiError(415, "not_json", "send the body as application/json")


def _bounded(receive: Receive, headers: Headers, most: int) -> Receive:
    """Refuses a body that is too large: at once where its length is declared, else as it arrives."""
    declared = headers.get("content-length", "0")
    if declared.isdecimal() and int(declared) > most:
        raise _too_large(most)
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise _too_large(most)
        return message

    return bounded


def _too_large(most: int) -> ApiError:
    return ApiError(413, "body_too_large", f"the body is larger than {most} bytes (setting max_body_bytes)")


PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self' http://localhost:* http://127.0.0.1:*"
)


def _with_security_headers(scope: Scope, send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Referrer-Policy"] = "no-referrer"
            page = headers.get("content-type", "").startswith("text/html")
            headers["Content-Security-Policy"] = PAGE_POLICY if page else "default-src 'none'"
            if not scope["path"].startswith("/static/"):
                headers["Cache-Control"] = "no-store"
        await send(message)

    return guarded
