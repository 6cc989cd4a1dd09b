"""The pages, their static files, and the cookie that a page trades its token for."""

from pathlib import Path

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.templating import Jinja2Templates

from service.web.assets import Assets
from service.web.errors import json_answer
from service.web.guard import cookie_name
from service.web.state import ApiRequest, check_dashboard, running

PANEL = Path(__file__).parents[1] / "panel"
_COOKIE_SECONDS = 365 * 24 * 3600
_templates = Jinja2Templates(directory=PANEL / "templates")
_assets = Assets(PANEL / "static")
# Modules name each other: announced in the head they are fetched at once instead of one level after another.
_MODULES = [name for name in _assets.names if name.endswith(".js") and not name.endswith("_page.js")]


def _page(request: ApiRequest, template: str) -> Response:
    """A page holds no text of any session; it shows nothing until its script has a cookie.

    With the id up to which events were handed round it can read and listen at once: what it reads cannot be older.
    """
    page = _templates.get_template(template)
    position = running(request).hub.position
    return HTMLResponse(page.render(modules=_MODULES, static=f"/static/{_assets.version}", position=position))


async def index(request: ApiRequest) -> Response:
    """The whole page: the sessions list, and the summary of the selected one."""
    return _page(request, "index.html")


async def panel(request: ApiRequest) -> Response:
    """One session's summary alone, for a host to embed; whether the slot exists only its script finds out."""
    return _page(request, "panel.html")


async def open_items(request: ApiRequest) -> Response:
    """What waits for the person in any session."""
    return _page(request, "open_items.html")


async def make_cookie(request: ApiRequest) -> Response:
    """Turns the dashboard token, which came in the URL's fragment, into a cookie that scripts cannot read."""
    check_dashboard(request, "opens the page")
    answer = json_answer({"ok": True})
    token = request.headers.get("authorization", "").partition(" ")[2].strip()
    if token:
        answer.set_cookie(cookie_name(request.scope), token, httponly=True, samesite="strict", max_age=_COOKIE_SECONDS)
    return answer


ROUTES = [
    Route("/", index, methods=["GET"]),
    Route("/open-items", open_items, methods=["GET"]),
    Route("/panel/{slot:path}", panel, methods=["GET"]),
    Route("/api/cookie", make_cookie, methods=["POST"]),
    _assets.route(),
]
