"""GET /api/usage: what passes came to and what they cost."""

from dataclasses import asdict

from starlette.responses import Response
from starlette.routing import Route

from service.domain.times import parse_time
from service.store.access import DASHBOARD
from service.store.usage import WantedPasses, read_budget, read_usage
from service.web.errors import bad_request, json_answer
from service.web.queries import page_behind_cursor, page_size
from service.web.state import ApiRequest, Running, caller_of, running


async def usage(request: ApiRequest) -> Response:
    """The passes of the slots the caller may see, newest first, with totals over all that match."""
    service, caller, query = running(request), caller_of(request), request.query_params
    wanted = WantedPasses(
        limit=page_size(request),
        slot=query.get("slot"),
        since=_moment(query.get("since")),
        after=query.get("after"),
    )
    reading = service.db.read(lambda r: read_usage(r, wanted, caller))
    answer = asdict(await page_behind_cursor(reading))
    return json_answer(answer | (await _prospects(service) if caller == DASHBOARD else {}))


async def _prospects(service: Running) -> dict[str, object]:
    """What tells whether another pass can come to more than the last: the budget, and since when settings stand."""
    tokens = service.config.current().daily_token_budget
    budget = await service.db.read(lambda r: read_budget(r, tokens, service.now()))
    return {"budget": budget and asdict(budget), "settings_since": service.settings_since()}


def _moment(text: str | None) -> float | None:
    if text is None:
        return None
    # A literal plus of an offset arrives as a blank.
    moment = parse_time(text.strip().replace(" ", "+") if "T" in text else text)
    if moment is None:
        raise bad_request("since: a time such as 2026-08-10T10:00:00Z, or epoch seconds")
    return moment.timestamp()


ROUTES = [Route("/api/usage", usage, methods=["GET"])]
