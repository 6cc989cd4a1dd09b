"""GET /api/usage: what passes came to and what they cost."""

from dataclasses import asdict

from starlette.responses import Response
from starlette.routing import Route

from service.domain.times import parse_time
from service.store.usage import WantedPasses, read_usage
from service.web.errors import bad_request, json_answer
from service.web.queries import page_behind_cursor, page_size
from service.web.state import ApiRequest, caller_of, running


async def usage(request: ApiRequest) -> Response:
    """The passes of the slots the caller may see, newest first, with totals over all that match."""
    query = request.query_params
    wanted = WantedPasses(
        limit=page_size(request),
        slot=query.get("slot"),
        since=_moment(query.get("since")),
        after=query.get("after"),
    )
    reading = running(request).db.read(lambda r: read_usage(r, wanted, caller_of(request)))
    return json_answer(asdict(await page_behind_cursor(reading)))


def _moment(text: str | None) -> float | None:
    if text is None:
        return None
    # A literal plus of an offset arrives as a blank.
    moment = parse_time(text.strip().replace(" ", "+") if "T" in text else text)
    if moment is None:
        raise bad_request("since: a time such as 2026-08-10T10:00:00Z, or epoch seconds")
    return moment.timestamp()


ROUTES = [Route("/api/usage", usage, methods=["GET"])]
