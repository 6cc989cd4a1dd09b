"""GET /api/events: the stream of what changed."""

from starlette.responses import Response

from service.web.state import ApiRequest, caller_of, running
from service.web.stream import EventStream


async def events(request: ApiRequest) -> Response:
    """Frames for every slot the caller may see, resumed from Last-Event-ID where one is given."""
    hub = running(request).hub
    return EventStream(hub.stream(caller_of(request), request.headers.get("last-event-id")))
