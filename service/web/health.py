"""Whether the service lives, and whether it can do its work."""

from importlib.metadata import version

from starlette.responses import Response

from service.web.errors import json_answer
from service.web.state import ApiRequest


async def healthz(_: ApiRequest) -> Response:
    """The process answers."""
    return json_answer({"status": "ok", "version": version("session-summary")})
