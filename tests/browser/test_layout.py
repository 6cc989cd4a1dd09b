"""Where things stand: what comes first, which side a text is on, what is cut short, what looks as it is."""

from dataclasses import replace

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import ARABIC, CHECKOUT, EXPORT, LONG, open_session, step, summarize
from tests.browser.test_states import state_is
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, intent

pytestmark = pytest.mark.slow

HOME = "/home/ana/code"


async def _top(part: Locator) -> float:
    box = await part.bounding_box()
    assert box is not None
    return box["y"]


async def _lines(part: Locator) -> int:
    """How many lines a part takes."""
    measured = "(e) => Math.round(e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight))"
    lines: int = await part.evaluate(measured)
    return lines


async def _looks(page: Page, selector: str) -> list[str]:
    style = "(e) => [getComputedStyle(e).backgroundColor, getComputedStyle(e).borderTopColor]"
    looks: list[str] = await page.locator(selector).first.evaluate(style)
    return looks


@pytest.mark.parametrize("width", [360, 700])
async def test_the_title_comes_before_the_button_that_copies(
    live: LiveService, visit: Visit, model_server: ModelServer, width: int
) -> None:
    """Where one pane fits, the way back stands first, then the title; the button is beside or below it."""
    summarize(live, model_server, CHECKOUT)
    page = await visit("/?slot=checkout", width=width, height=780)
    await state_is(page, "fresh")
    title = await _top(page.locator("#summary h1"))
    assert await _top(page.locator(".back")) < title
    assert await _top(page.locator(".copy")) >= title


async def test_an_item_in_arabic_stands_on_the_right_with_its_mark(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """All parts of an item have one direction, and its mark stands where its text begins."""
    summarize(live, model_server, ARABIC)
    page = await visit()
    await state_is(page, "fresh")
    for item in (".open-item", ".steps > li"):
        parts = page.locator(f"{item} > *")
        sides = await parts.evaluate_all("(parts) => parts.map((part) => getComputedStyle(part).direction)")
        assert set(sides) == {"rtl"}
    mark = "(item) => getComputedStyle(item, '::before').right"
    assert await page.locator(".open-item").evaluate(mark) == "0px"


async def test_long_names_are_cut_where_they_are_only_named(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """A project of many words takes one line, the link to a goal two; the goal itself has its whole title."""
    summarize(live, model_server, LONG)
    page = await visit(width=768)
    await state_is(page, "fresh")
    for name in await page.locator(".pane-facts bdi").all():
        assert await _lines(name) == 1
    assert await _lines(page.locator(".goal-line a")) == 2
    assert await _lines(page.locator(".intent-title")) > 3


async def test_a_button_that_does_nothing_looks_like_one(live: LiveService, visit: Visit) -> None:
    """While a turn runs the button is told from one that can be pressed."""
    open_session(live, EXPORT)
    page = await visit()
    await state_is(page, "none")
    offered = await _looks(page, ".primary")
    live.client.post(live.path("export", "turn", "start"), json={}).raise_for_status()
    await state_is(page, "running")
    waiting = await _looks(page, ".primary")
    assert waiting[0] not in (offered[0], "rgba(0, 0, 0, 0)")
    assert waiting[1] == "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_an_empty_list_fills_the_screen(live: LiveService, visit: Visit, scheme: str) -> None:
    """On a telephone the page has one colour down to its end."""
    page = await visit(width=360, height=780, scheme=scheme)
    await expect(page.locator(".nothing")).to_be_visible()
    at = "(y) => getComputedStyle(document.elementFromPoint(180, y)).backgroundColor"
    behind = await page.evaluate(at, 770)
    assert behind == await page.evaluate("getComputedStyle(document.querySelector('.sessions')).backgroundColor")


async def test_an_empty_service_says_how_a_session_comes(live: LiveService, visit: Visit) -> None:
    """Where there is nothing to choose, nobody is told to choose; the first session takes the place of the advice."""
    page = await visit()
    await expect(page.locator(".nothing")).to_contain_text("No sessions yet")
    await expect(page.locator("#summary")).to_contain_text("session-summary doctor")
    await expect(page.locator("#summary")).not_to_contain_text("Choose")
    open_session(live, EXPORT)
    await state_is(page, "none")


async def test_projects_of_one_name_are_told_apart(live: LiveService, visit: Visit) -> None:
    """Of two folders with the same name, list and filter show as much of the path as differs."""
    for slot, project in (("a", f"{HOME}/api"), ("b", "/srv/code/api"), ("c", f"{HOME}/web")):
        open_session(live, replace(EXPORT, slot=slot, project=project))
    page = await visit()
    await expect(page.locator(".row")).to_have_count(3)
    for slot, shown in (("a", "ana/code/api"), ("b", "srv/code/api"), ("c", "web")):
        await expect(page.locator(f".row[data-slot={slot}] .row-place bdi").last).to_have_text(shown)
    options = page.get_by_label("Project").locator("option")
    assert sorted(await options.all_inner_texts()) == ["Any project", "ana/code/api", "srv/code/api", "web"]


@pytest.mark.parametrize("path", ["/?slot=tower", "/panel/tower", "/open-items"])
async def test_a_tower_of_marks_does_not_widen_the_page(
    live: LiveService, visit: Visit, model_server: ModelServer, path: str
) -> None:
    """A letter under hundreds of marks, which no line break narrows, lets nothing scroll sideways."""
    tower = "Z" + "\u0310\u0489\u0315\u035c" * 120 + "algo"
    needing = intent(tower, status="completed", verified=False, progress=[tower], next_steps=[step(tower, tower)])
    summarize(live, model_server, replace(EXPORT, slot="tower", title=tower, intents=[needing]))
    page = await visit(path, width=360, height=780)
    await expect(page.locator(".open-item").first).to_be_visible()
    await page.locator("button.turn").first.click()
    await expect(page.locator("dialog .message").first).to_be_visible()
    for wide in ("document.documentElement", "document.querySelector('dialog')"):
        assert await page.evaluate(f"{wide}.scrollWidth - {wide}.clientWidth") <= 0


async def test_a_title_that_cannot_be_seen_names_nothing(live: LiveService, visit: Visit) -> None:
    """A session whose title is only zero-width characters is listed and headed by its key."""
    live.put("blank", title="\u200b\u2060")
    page = await visit()
    await expect(page.locator(".row-name")).to_have_text("blank")
    await expect(page.locator("#summary h1")).to_have_text("blank")
