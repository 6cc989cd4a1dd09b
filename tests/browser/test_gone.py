"""Sessions that are not there: deleted, made again, not yet come, or lost with their store."""

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import CHECKOUT, EXPORT, open_session, summarize
from tests.browser.test_states import state_is
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, intent, summary_reply
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


async def test_a_session_made_again_is_not_compared_with_the_deleted_one(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Who saw a session that was deleted while they were away is not told what changed in the other one of its key."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    await state_is(page, "fresh")
    await page.goto("about:blank")
    live.client.delete(live.path("checkout")).raise_for_status()
    open_session(live, CHECKOUT)
    model_server.script(summary_reply([intent("Another goal")]))
    live.generate("checkout").raise_for_status()
    await page.goto(live.url)
    await expect(page.locator(".intent-title")).to_have_text("Another goal")
    await expect(page.locator(".mark, [data-since]")).to_have_count(0)


async def _delete(live: LiveService) -> None:
    live.client.delete(live.path("checkout")).raise_for_status()


async def _make_private(live: LiveService) -> None:
    live.client.patch(live.path("checkout"), json={"memory_mode": "incognito"}).raise_for_status()


async def _switch_off(live: LiveService) -> None:
    live.set("session_summary.enabled", False)


@pytest.mark.parametrize("path", ["/?slot=checkout", "/panel/checkout", "/open-items"])
@pytest.mark.parametrize("end", [_delete, _make_private])
async def test_an_open_turn_goes_with_its_session(
    live: LiveService, visit: Visit, model_server: ModelServer, path: str, end: Callable[[LiveService], Awaitable[None]]
) -> None:
    """A turn that somebody reads is closed when its session is deleted or turns private, and its words are gone."""
    summarize(live, model_server, CHECKOUT)
    page = await visit(path)
    await page.locator("button.turn").first.click()
    await expect(page.locator("dialog .message").first).to_be_visible()
    await end(live)
    await expect(page.locator("dialog")).to_have_count(0)
    await expect(page.locator("body")).not_to_contain_text("what about part")


@pytest.mark.parametrize("end", [_delete, _make_private, _switch_off])
async def test_text_to_copy_by_hand_goes_with_its_summary(
    live: LiveService, visit: Visit, model_server: ModelServer, end: Callable[[LiveService], Awaitable[None]]
) -> None:
    """The Markdown that a browser would not copy is gone with the summary it was made from."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    await page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); }")
    await page.get_by_role("button", name="Copy as Markdown").click()
    await expect(page.locator("dialog textarea")).to_be_visible()
    await end(live)
    await expect(page.locator("dialog")).to_have_count(0)


async def test_an_open_turn_stays_while_its_session_goes_on(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """News of a session take no turn away that somebody reads; where its words were changed, it says what they are."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    await page.locator("button.turn").first.click()
    await expect(page.locator("dialog .message").first).to_be_visible()
    live.append("checkout", [{"role": "user", "content": "and now?"}])
    await state_is(page, "stale")
    await expect(page.locator("dialog")).to_contain_text("what about part 1?")
    live.rewrite("checkout", [{"role": "user", "content": "in other words"}])
    await expect(page.locator("dialog")).to_contain_text("in other words")


async def test_a_turn_of_a_rewritten_session_says_so(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Who checks a claim reads that the words may be others than those it was made from."""
    summarize(live, model_server, CHECKOUT)
    live.rewrite("checkout", [{"role": "user", "content": "in other words"}] * 2)
    page = await visit()
    await state_is(page, "stale")
    await page.locator("button.turn").first.click()
    await expect(page.get_by_role("dialog")).to_contain_text("rewritten after this summary was made")


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
