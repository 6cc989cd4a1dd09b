"""Whether the service lives, whether it can do its work, and the document that describes it."""

from importlib.metadata import version
from pathlib import Path

from starlette.responses import Response
from starlette.routing import Route

from service.store.readiness import Check
from service.web.errors import error_response, json_answer, json_response
from service.web.state import ApiRequest, running

OPENAPI = Path(__file__).with_name("openapi.json")
_DOCUMENT = OPENAPI.read_bytes()


async def healthz(_: ApiRequest) -> Response:
    """The process answers."""
    return json_answer({"status": "ok", "version": version("session-summary")})


async def readyz(request: ApiRequest) -> Response:
    """Whether the database takes writes and has the tables of this release; a 503 names the part that is not ready."""
    checks = await running(request).readiness.checks()
    failing = {part: check for part, check in checks.items() if check is not Check.OK}
    if not failing:
        return json_answer({"status": "ready", "checks": checks})
    named = ", ".join(f"{part} ({check})" for part, check in failing.items())
    return error_response(503, "not_ready", f"not ready: {named}", headers={"Retry-After": "2"}, checks=checks)


async def openapi(_: ApiRequest) -> Response:
    """The OpenAPI document of every route."""
    return json_response(_DOCUMENT)


ROUTES = [
    Route("/healthz", healthz, methods=["GET"]),
    Route("/readyz", readyz, methods=["GET"]),
    Route("/openapi.json", openapi, methods=["GET"]),
]
