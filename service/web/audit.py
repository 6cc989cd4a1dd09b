"""The audit log: who was refused what, with the true reason that the answer does not tell."""

import logging
from collections.abc import Sequence
from urllib.parse import unquote

from starlette.routing import BaseRoute, Match
from starlette.types import Scope

from service.domain.keys import MOST_KEY_CHARS
from service.domain.redact import redact

log = logging.getLogger(__name__)

DENIALS = frozenset({401, 403, 404, 421})


def denied(scope: Scope, reason: str) -> None:
    """One line per denial. It names the route, never the path: a stranger may have put anything there."""
    caller = scope.get("caller")
    slot = _safe_key(str(scope.get("path_params", {}).get("slot", "")))
    route = f"{scope['method']} {getattr(scope.get('route'), 'path', '-')}"
    log.warning("denied route=%r slot=%r app=%r reason=%s", route, slot, getattr(caller, "app", None), reason)


def _safe_key(path_part: str) -> str:
    """The key without credentials; they are hidden before it is cut, since a piece of one looks harmless."""
    return redact(unquote(path_part)[: 2 * MOST_KEY_CHARS])[:MOST_KEY_CHARS]


def denied_unrouted(scope: Scope, routes: Sequence[BaseRoute], reason: str) -> None:
    """The same for a request that was refused before the router saw it."""
    for route in routes:
        match, found = route.matches(scope)
        if match is not Match.NONE:
            denied({**scope, **found, "route": route}, reason)
            return
    denied(scope, reason)
