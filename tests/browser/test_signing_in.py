"""Without a token that holds, each page says how to get one, whenever it was lost and whatever is clicked."""

import pytest
from playwright.async_api import Page, Route, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import CHECKOUT, EXPORT, JAPANESE, summarize
from tests.browser.test_states import state_is
from tests.support.live import LiveService
from tests.support.model_server import ModelServer
from tests.support.wait import wait_until

pytestmark = pytest.mark.slow


async def says_how_to_sign_in(page: Page) -> None:
    """And says nothing else: neither what was shown before nor that it is still loading."""
    await expect(page.locator("[data-state=signed-out]")).to_contain_text("session-summary token show")
    await expect(page.locator("main")).not_to_contain_text("Loading")
    await expect(page.locator(".intent, .row:visible, dialog")).to_have_count(0)


@pytest.mark.parametrize("path", ["/", "/?slot=checkout", "/panel/checkout", "/open-items"])
async def test_a_page_without_a_token(live: LiveService, visit: Visit, path: str) -> None:
    """By whichever address it was opened."""
    page = await visit(path, signed_in=False)
    await says_how_to_sign_in(page)


@pytest.mark.parametrize(
    ("path", "key"),
    [("/?slot=checkout", "r"), ("/panel/checkout", "r"), ("/open-items", "r")],
)
async def test_a_cookie_that_is_gone(
    live: LiveService, visit: Visit, model_server: ModelServer, path: str, key: str
) -> None:
    """The next thing the page asks for tells it, and the page tells the person."""
    summarize(live, model_server, CHECKOUT)
    page = await visit(path)
    await expect(page.locator(".open-item").first).to_be_visible()
    await page.context.clear_cookies()
    await page.keyboard.press(key)
    await says_how_to_sign_in(page)


async def test_a_cookie_that_is_gone_when_a_turn_is_read(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """No window is left open over it."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    await expect(page.locator(".intent").first).to_be_visible()
    await page.context.clear_cookies()
    await page.get_by_role("button", name="11–14").click()
    await says_how_to_sign_in(page)


async def test_a_token_that_was_changed(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """After a start with another token an open page says so by itself, not that nothing answers."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    await expect(page.locator(".intent").first).to_be_visible()
    live.stop()
    (live.folder.path / "token").unlink()
    with LiveService(live.folder.path, port=int(live.url.rpartition(":")[2])):
        await says_how_to_sign_in(page)


async def test_an_answer_that_never_comes_holds_up_no_other_session(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """While one summary is waited for another can be read."""
    for made in (EXPORT, JAPANESE, CHECKOUT):
        summarize(live, model_server, made)
    page = await visit("/?slot=checkout")
    await state_is(page, "fresh")
    held: list[Route] = []
    await page.route("**/export/summary", lambda route: held.append(route))
    await page.locator(".row[data-slot=export]").click()
    await wait_until(lambda: held)
    await page.locator(".row[data-slot=cjk]").click()
    await state_is(page, "fresh")
    await expect(page.locator(".intent-title")).to_have_text(JAPANESE.intents[0]["title"])
    for route in held:
        await route.continue_()
