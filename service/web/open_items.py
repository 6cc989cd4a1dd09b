"""GET /api/open-items: what waits for the person, over all sessions."""

from starlette.responses import Response
from starlette.routing import Route

from service.store.open_items import NOTHING_WHILE_OFF, list_open_items
from service.web.errors import json_answer
from service.web.notices import notices
from service.web.queries import page_behind_cursor, page_size
from service.web.state import ApiRequest, caller_of, running


async def open_items(request: ApiRequest) -> Response:
    """The next steps of every intent that needs the person, the one that waits longest first; none while off.

    The first page also has the intents whose summary names no step: they need the person no less.
    """
    service = running(request)
    limit, after = page_size(request), request.query_params.get("after")
    if not service.config.current().enabled:
        return json_answer({**NOTHING_WHILE_OFF, **notices(request)})
    reading = service.db.read(lambda r: list_open_items(r, caller_of(request), limit, after=after))
    page = await page_behind_cursor(reading)
    return json_answer(page.as_dict() | notices(request))


ROUTES = [Route("/api/open-items", open_items, methods=["GET"])]
