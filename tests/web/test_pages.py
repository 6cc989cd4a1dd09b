"""The pages, as they leave the service: without a token they hold nothing, and nothing in them runs inline."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from service.web.pages import PANEL
from tests.support.live import LiveService

PAGES = ("/", "/open-items", "/panel/some%2Fslot")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveService]:
    """One service for all of these tests, which change nothing in it but the switch."""
    with LiveService(tmp_path_factory.mktemp("data")) as service:
        yield service


def get(live: LiveService, path: str) -> httpx2.Response:
    """The answer to somebody without a token."""
    return httpx2.get(live.url + path)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_needs_no_token_and_names_no_session(live: LiveService, path: str) -> None:
    """Each page opens for everyone, and says nothing of any session."""
    live.put("some/slot", title="A secret plan")
    answer = get(live, path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "secret" not in answer.text
    assert "some" not in answer.text


@pytest.mark.parametrize("path", PAGES)
def test_a_page_says_up_to_which_event_it_is_true(live: LiveService, path: str) -> None:
    """It names the id that its stream begins with, so that it need not wait for the stream before it reads."""
    live.put("one more")
    with live.events() as events:
        assert f'data-position="{events.next()["id"]}"' in get(live, path).text


@pytest.mark.parametrize("path", PAGES)
def test_a_page_runs_nothing_inline(live: LiveService, path: str) -> None:
    """The policy allows the service's own files alone, and the page gets by with them."""
    answer = get(live, path)
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:", answer.text)


@pytest.mark.parametrize("path", PAGES)
def test_all_that_a_page_asks_for_is_there(live: LiveService, path: str) -> None:
    """Every file that a page names comes from this service, and exists."""
    named = re.findall(r'(?:href|src)="([^"]+)"', get(live, path).text)
    files = [name for name in named if name.startswith("/static/")]
    assert len(files) > 10
    assert [name for name in named if not name.startswith(("/", "#"))] == []
    assert [name for name in files if get(live, name).status_code != 200] == []


def test_no_other_file_can_be_reached(live: LiveService) -> None:
    """The static folder is no way to the templates or to anything else."""
    for path in ("/static/", "/static/%2e%2e/templates/base.html", "/static/base.html"):
        assert get(live, path).status_code == 404


def test_the_cookie_opens_the_routes(live: LiveService) -> None:
    """The token, traded once, works as a cookie that scripts cannot read and other sites do not send."""
    answer = live.client.post("/api/cookie", json={})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    name, _, value = cookie.partition(";")[0].partition("=")
    slots = httpx2.get(live.url + "/api/chat/slots", headers={"Cookie": f"{name}={value}"})
    assert slots.status_code == 200


def test_an_apps_token_does_not_open_the_page(live: LiveService) -> None:
    """An app cannot make a cookie of its token."""
    token = live.client.post("/api/tokens", json={"app": "a-host"}).json()["token"]
    with live.client_of(token) as app:
        answer = app.post("/api/cookie", json={})
    assert (answer.status_code, answer.json()["code"]) == (403, "dashboard_only")


def _sources(suffix: str) -> list[Path]:
    return sorted((PANEL / "static").glob(f"*.{suffix}"))


@pytest.mark.parametrize("path", _sources("js"), ids=lambda path: path.name)
def test_no_script_makes_markup_of_text(path: Path) -> None:
    """No module uses a way by which text could become markup or code."""
    source = path.read_text()
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function", source
    )


@pytest.mark.parametrize("path", [*_sources("js"), *_sources("css")], ids=lambda path: path.name)
def test_no_file_names_another_host(path: Path) -> None:
    """Nothing on the page comes from anywhere but the service."""
    assert not re.search(r"https?://|@import|url\(", path.read_text())
