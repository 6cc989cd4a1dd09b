"""The page's static files: kept for good under their version, asked about without it."""

import re
from collections.abc import Iterator

import httpx2
import pytest

from service.web.assets import Assets
from service.web.pages import PANEL
from tests.support.live import LiveService


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveService]:
    """One service for all of these tests, which only read."""
    with LiveService(tmp_path_factory.mktemp("data")) as service:
        yield service


def test_what_a_page_names_is_kept_for_good(live: LiveService) -> None:
    """The address of a file changes with its content, so a browser never has to ask again."""
    script = re.search(r'src="([^"]+)"', httpx2.get(live.url + "/").text)
    assert script is not None
    answer = httpx2.get(live.url + script[1])
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]


def test_a_file_without_a_version_is_asked_about_each_time(live: LiveService) -> None:
    """The plain address always gives the newest content, and an unchanged one is not sent again."""
    answer = httpx2.get(live.url + "/static/texts.js")
    assert answer.headers["cache-control"] == "no-cache"
    again = httpx2.get(live.url + "/static/texts.js", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_files_of_another_version_are_not_there(live: LiveService) -> None:
    """A page of an older version does not get newer modules under its own address."""
    assert httpx2.get(live.url + "/static/0123456789abcdef/texts.js").status_code == 404


def test_any_change_is_another_version(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whichever file changes, all addresses change."""
    folder = tmp_path_factory.mktemp("static")
    (folder / "a.js").write_text("one")
    before = Assets(folder).version
    (folder / "a.js").write_text("two")
    assert Assets(folder).version != before
    assert Assets(PANEL / "static").version == Assets(PANEL / "static").version
