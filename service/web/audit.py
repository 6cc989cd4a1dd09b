"""The audit log: who was refused what, with the true reason that the answer does not tell."""

import logging

from service.store.access import Caller
from service.web.state import ApiRequest

log = logging.getLogger(__name__)


def denied(request: ApiRequest, slot: str, caller: Caller, reason: str) -> None:
    """One line per denial; it names keys, never text."""
    route = f"{request.method} {getattr(request.scope.get('route'), 'path', request.url.path)}"
    log.warning("denied route=%r slot=%r app=%r reason=%s", route, slot, caller.app, reason)
