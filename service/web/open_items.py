"""GET /api/open-items: what waits for the person, over all sessions."""

from dataclasses import asdict

from starlette.responses import Response
from starlette.routing import Route

from service.store.open_items import list_open_items
from service.web.errors import json_answer
from service.web.queries import page_behind_cursor, page_size
from service.web.state import ApiRequest, caller_of, running


async def open_items(request: ApiRequest) -> Response:
    """The next steps of every intent that needs the person, the one that waits longest first; none while off."""
    service = running(request)
    limit, after = page_size(request), request.query_params.get("after")
    if not service.config.current().enabled:
        return json_answer({"items": [], "next": None, "enabled": False})
    reading = service.db.read(lambda r: list_open_items(r, caller_of(request), limit, after=after))
    page = await page_behind_cursor(reading)
    return json_answer({"items": [asdict(item) for item in page.items], "next": page.next})


ROUTES = [Route("/api/open-items", open_items, methods=["GET"])]
