"""Sessions that are not there: deleted, made again, not yet come, or lost with their store."""

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import CHECKOUT, EXPORT, open_session, summarize
from tests.browser.test_states import state_is
from tests.support.live import LiveService
from tests.support.model_server import ModelServer
from tests.support.wait import wait_until

pytestmark = pytest.mark.slow


async def kept(page: Page) -> list[str]:
    """Under which keys the browser remembers what was seen."""
    keys: list[str] = await page.evaluate("Object.keys(localStorage).filter((key) => key.includes('seen'))")
    return keys


async def test_a_session_made_again_is_shown_again(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """One that was deleted while shown, and comes back under its key, is on the page by itself."""
    summarize(live, model_server, EXPORT)
    page = await visit()
    await state_is(page, "fresh")
    live.client.delete(live.path("export")).raise_for_status()
    await state_is(page, "gone")
    await expect(page.locator(".notice")).to_contain_text("This session was deleted")
    open_session(live, EXPORT)
    await state_is(page, "none")
    await expect(page.locator(".row[aria-current]")).to_have_attribute("data-slot", "export")
    await page.get_by_role("button", name="Make a summary").click()
    await expect(page.locator(".intent, .notice.failed").first).to_be_visible()


async def test_its_row_opens_a_session_made_again(live: LiveService, visit: Visit) -> None:
    """After another session was looked at, too."""
    open_session(live, EXPORT)
    open_session(live, CHECKOUT)
    page = await visit("/?slot=export")
    await state_is(page, "none")
    live.client.delete(live.path("export")).raise_for_status()
    await state_is(page, "gone")
    await page.locator(".row[data-slot=checkout]").click()
    open_session(live, EXPORT)
    await page.locator(".row[data-slot=export]").click()
    await state_is(page, "none")


@pytest.mark.parametrize("path", ["/panel/later", "/?slot=later"])
async def test_a_session_that_comes_later_is_shown_when_it_comes(live: LiveService, visit: Visit, path: str) -> None:
    """A page that was opened before its host made the session needs no reload."""
    page = await visit(path)
    await state_is(page, "gone")
    await expect(page.locator(".notice")).to_contain_text("No such session")
    live.put("later", title="A new beginning")
    live.append("later", [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}])
    await state_is(page, "none")
    await expect(page.locator("#summary h1")).to_have_text("A new beginning")


async def test_nothing_is_remembered_of_a_session_that_turned_private(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Shown or not, the browser drops what it kept of it."""
    summarize(live, model_server, EXPORT)
    summarize(live, model_server, CHECKOUT)
    page = await visit("/?slot=export")
    await state_is(page, "fresh")
    await page.locator(".row[data-slot=checkout]").click()
    await expect(page.locator(".intent")).to_have_count(4)
    assert len(await kept(page)) == 2
    for slot in ("export", "checkout"):
        live.client.patch(live.path(slot), json={"memory_mode": "incognito"}).raise_for_status()
    await state_is(page, "barred")

    async def forgotten() -> bool:
        return await kept(page) == []

    condition: Callable[[], bool | Awaitable[bool]] = forgotten
    await wait_until(condition, within=5)


def _lose_the_store(live: LiveService) -> None:
    live.database.write_bytes(b"no database" * 1000)
    for file in live.folder.path.glob("*.db-*"):
        file.unlink()


async def _say_so(page: Page, *, truly: str) -> None:
    await expect(page.locator("#banner")).to_contain_text("moved aside")
    await expect(page.locator("main")).to_contain_text(truly)


async def test_a_store_that_was_moved_aside_is_told_on_every_page(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Nowhere is it said that sessions were deleted: their file lies beside the new one."""
    summarize(live, model_server, CHECKOUT)
    pages = [await visit(path) for path in ("/?slot=checkout", "/panel/checkout", "/open-items")]
    for page in pages:
        await expect(page.locator(".open-item").first).to_be_visible()
    live.stop()
    _lose_the_store(live)
    with LiveService(live.folder.path, port=int(live.url.rpartition(":")[2])):
        for page in pages[:2]:
            await _say_so(page, truly="began with an empty store")
            await expect(page.locator("main")).not_to_contain_text("This session was deleted")
        await _say_so(pages[2], truly="Nothing waits for you")
