"""POST /api/sessions/summarize: one-line titles for the sessions list."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict
from starlette.responses import Response
from starlette.routing import Route

from service.domain.characters import encodable
from service.domain.keys import is_key
from service.web.bodies import read_body
from service.web.errors import json_answer, summary_disabled
from service.web.state import ApiRequest, caller_of, running


def _slot_keys(value: object) -> tuple[str, ...]:
    """What can be a slot key, each once; everything else in the list is passed over."""
    if not isinstance(value, list):
        raise ValueError("a list of slot keys")
    return tuple(dict.fromkeys(key for key in value if isinstance(key, str) and is_key(key) and encodable(key) == key))


class KeysBody(BaseModel):
    """Which sessions; only the first eight that the caller may see count."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    keys: Annotated[tuple[str, ...], BeforeValidator(_slot_keys)]


async def summarize(request: ApiRequest) -> Response:
    """The titles there are and can be made; a session that has none, or that the caller may not see, is left out."""
    body = await read_body(request, KeysBody)
    lines = await running(request).titles.lines(body.keys, caller_of(request))
    if lines is None:
        raise summary_disabled()
    return json_answer({"summaries": lines})


ROUTES = [Route("/api/sessions/summarize", summarize, methods=["POST"])]
