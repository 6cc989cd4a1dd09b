"""GET /api/open-items: what waits for the person, over all sessions."""

from dataclasses import asdict

from starlette.responses import Response
from starlette.routing import Route

from service.store.listing import BadCursorError
from service.store.open_items import list_open_items
from service.web.errors import bad_request, json_answer
from service.web.slots import whole_number
from service.web.state import ApiRequest, caller_of, running

_MOST_LISTED = 200


async def open_items(request: ApiRequest) -> Response:
    """The next steps of every intent that needs the person, the one that waits longest first; none while off."""
    service = running(request)
    limit = whole_number(request, "limit", low=1, high=_MOST_LISTED) or 50
    if not service.config.current().enabled:
        return json_answer({"items": [], "next": None, "enabled": False})
    try:
        page = await service.db.read(
            lambda r: list_open_items(r, caller_of(request), limit, after=request.query_params.get("after"))
        )
    except BadCursorError:
        raise bad_request("after: no such cursor; take `next` of an earlier page") from None
    return json_answer({"items": [asdict(item) for item in page.items], "next": page.next, "enabled": True})


ROUTES = [Route("/api/open-items", open_items, methods=["GET"])]
