"""GET /api/open-items: what waits for the person, over all sessions."""

from dataclasses import asdict

from starlette.responses import Response
from starlette.routing import Route

from service.store.open_items import list_open_items, list_unnamed
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
        return json_answer({"items": [], "next": None, "enabled": False} | notices(request))
    reading = service.db.read(lambda r: list_open_items(r, caller_of(request), limit, after=after))
    page = await page_behind_cursor(reading)
    unnamed = [] if after else await service.db.read(lambda r: list_unnamed(r, caller_of(request), limit))
    listed = {"items": [asdict(item) for item in page.items], "next": page.next}
    if unnamed:
        listed["unnamed"] = [asdict(item) for item in unnamed]
    return json_answer(listed | notices(request))


ROUTES = [Route("/api/open-items", open_items, methods=["GET"])]
