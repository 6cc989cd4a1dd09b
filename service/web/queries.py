"""What stands behind the `?` of a list: numbers in bounds, and the cursor of an earlier page."""

from collections.abc import Awaitable
from typing import TypeVar

from service.store.cursors import BadCursorError
from service.web.errors import bad_request
from service.web.state import ApiRequest

T = TypeVar("T")

_MOST_LISTED = 200
_LISTED = 50


def page_size(request: ApiRequest) -> int:
    """How many rows are wanted: `?limit=`, 50 where it is absent. Raises ApiError 400."""
    return whole_number(request, "limit", low=1, high=_MOST_LISTED) or _LISTED


def whole_number(request: ApiRequest, name: str, *, low: int, high: int) -> int | None:
    """A number of the query string, None where it is absent. Raises ApiError 400."""
    given = request.query_params.get(name)
    if given is None:
        return None
    if not (given.isascii() and given.isdecimal() and len(given) < 20 and low <= int(given) <= high):
        raise bad_request(f"{name}: a whole number from {low} to {high}")
    return int(given)


async def page_behind_cursor(page: Awaitable[T]) -> T:
    """The page, where its cursor is one that an earlier page gave. Raises ApiError 400."""
    try:
        return await page
    except BadCursorError:
        raise bad_request("after: no such cursor; take `next` of an earlier page") from None
