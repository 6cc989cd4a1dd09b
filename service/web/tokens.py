"""Apps' tokens over HTTP, for the dashboard alone: commands come here while the service owns the database."""

import re
import secrets
from dataclasses import asdict

from pydantic import BaseModel, ConfigDict, StrictStr
from starlette.endpoints import HTTPEndpoint
from starlette.responses import Response
from starlette.routing import Route

from service.store import tokens
from service.web.bodies import read_body
from service.web.errors import ApiError, bad_request, json_answer
from service.web.guard import token_digest
from service.web.state import ApiRequest, check_dashboard, running

APP_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
APP_NAME_WORDS = "an app's name is 1 to 64 letters, digits, '.', '_' or '-', a letter or digit first"


class TokenBody(BaseModel):
    """Which app a token is for."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    app: StrictStr = ""


def new_token() -> tuple[str, str]:
    """A random token of 256 bits, and the digest that is stored of it."""
    token = secrets.token_urlsafe(32)
    return token, token_digest(token)


class TokensEndpoint(HTTPEndpoint):
    """GET lists the tokens, POST makes one and shows it this once."""

    async def get(self, request: ApiRequest) -> Response:
        check_dashboard(request, "manages tokens")
        rows = await running(request).db.read(tokens.list_tokens)
        return json_answer({"tokens": [asdict(row) for row in rows]})

    async def post(self, request: ApiRequest) -> Response:
        check_dashboard(request, "manages tokens")
        service, app = running(request), (await read_body(request, TokenBody)).app
        if not APP_NAME.fullmatch(app):
            raise bad_request(APP_NAME_WORDS)
        token, digest = new_token()
        await service.db.write(lambda w: tokens.add_token(w, digest, app, service.now_ns()))
        return json_answer({"app": app, "token": token}, 201)


async def revoke_tokens(request: ApiRequest) -> Response:
    """Revokes every token of one app."""
    check_dashboard(request, "manages tokens")
    service, app = running(request), request.path_params["app"]
    count = await service.db.write(lambda w: tokens.revoke_tokens(w, app, service.now_ns()))
    if not count:
        raise ApiError(404, "token_not_found", "that app has no valid token")
    service.hub.close_app(app)
    return json_answer({"revoked": count})


ROUTES = [
    Route("/api/tokens", TokensEndpoint),
    Route("/api/tokens/{app}", revoke_tokens, methods=["DELETE"]),
]
