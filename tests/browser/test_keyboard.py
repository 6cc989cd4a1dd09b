"""Everything can be done without a mouse."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import CHECKOUT, EXPORT, open_session, summarize
from tests.browser.test_states import state_is
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, summary_reply

pytestmark = pytest.mark.slow


async def selected(page: Page, slot: str) -> None:
    """This row, and no other, is the current one."""
    await expect(page.locator(".row[aria-current=true]")).to_have_attribute("data-slot", slot)


async def test_j_and_k_move_and_show_what_they_reach(live: LiveService, visit: Visit) -> None:
    """Below one another: j goes down, k goes up, and the summary follows."""
    open_session(live, EXPORT)
    open_session(live, CHECKOUT)
    page = await visit()
    await selected(page, "checkout")
    await page.keyboard.press("j")
    await selected(page, "export")
    await expect(page.locator("#summary h1")).to_have_text("CSV export")
    await page.keyboard.press("j")
    await selected(page, "export")
    await page.keyboard.press("k")
    await selected(page, "checkout")
    await expect(page.locator("#summary h1")).to_have_text("Totals are off by a cent")


async def test_enter_goes_into_the_summary(live: LiveService, visit: Visit) -> None:
    """Enter on a row moves the focus to its summary."""
    open_session(live, EXPORT)
    open_session(live, CHECKOUT)
    page = await visit()
    await selected(page, "checkout")
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await expect(page.locator("#summary")).to_be_focused()
    await expect(page.locator("#summary h1")).to_have_text("CSV export")


async def test_on_a_narrow_screen_enter_opens_and_escape_goes_back(live: LiveService, visit: Visit) -> None:
    """Where only one fits, Enter shows the summary and Escape the list again."""
    open_session(live, EXPORT)
    page = await visit(width=360)
    await expect(page.locator(".row")).to_have_count(1)
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await expect(page.locator("#summary h1")).to_be_visible()
    await expect(page.locator(".row")).to_be_hidden()
    await page.keyboard.press("Escape")
    await expect(page.locator(".row")).to_be_focused()


async def test_the_back_button_of_the_browser_leads_to_the_list(live: LiveService, visit: Visit) -> None:
    """On a narrow screen the browser's way back is the page's."""
    open_session(live, EXPORT)
    page = await visit(width=360)
    await page.locator(".row").click()
    await expect(page.locator("#summary h1")).to_be_visible()
    await page.go_back()
    await expect(page.locator(".row")).to_be_visible()


async def test_slash_searches_and_escape_leaves_the_search(live: LiveService, visit: Visit) -> None:
    """What is typed after a slash narrows the list; the letters j and k are then only letters."""
    open_session(live, EXPORT)
    open_session(live, CHECKOUT)
    page = await visit()
    await expect(page.locator(".row")).to_have_count(2)
    await page.keyboard.press("/")
    await page.keyboard.type("shop")
    await expect(page.locator(".row")).to_have_count(1)
    await page.keyboard.type("kj")
    await expect(page.locator(".rows")).to_contain_text("No session matches")
    await page.get_by_role("button", name="Clear search and filters").click()
    await expect(page.locator(".row")).to_have_count(2)


async def test_r_makes_a_summary_where_one_can_be_made(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """The key does what the button does, and spends nothing on a summary that is fresh."""
    open_session(live, EXPORT)
    model_server.script(summary_reply(EXPORT.intents))
    page = await visit()
    # What the button does is known once it is there.
    await expect(page.get_by_role("button", name="Make a summary")).to_be_visible()
    await page.keyboard.press("r")
    await state_is(page, "fresh")
    asked = len(model_server.requests)
    await page.keyboard.press("r")
    await expect(page.locator("#announcer")).to_have_text("Up to date")
    assert len(model_server.requests) == asked


async def test_the_question_mark_lists_the_keys(live: LiveService, visit: Visit) -> None:
    """A question mark shows the keys, Escape takes them away."""
    page = await visit()
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_contain_text("next")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize(
    ("path", "over", "keys"),
    [
        ("/", "session", ["j", "k", "Enter", "/", "r", "?", "Esc"]),
        ("/open-items", "open item", ["j", "k", "Enter", "r", "?", "Esc"]),
        ("/panel/export", "goal", ["j", "k", "r", "?", "Esc"]),
    ],
)
async def test_each_page_lists_the_keys_it_has(
    live: LiveService, visit: Visit, path: str, over: str, keys: list[str]
) -> None:
    """No key is named that does nothing there, and each says what it moves over."""
    open_session(live, EXPORT)
    page = await visit(path)
    await expect(page.locator("main")).not_to_be_empty()
    await page.keyboard.press("?")
    await expect(page.locator("dialog kbd")).to_have_text(keys)
    await expect(page.locator("dialog dd").first).to_have_text(f"next {over}")


async def test_tab_reaches_every_control_of_the_summary(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """From the first Tab on, the skip link leads past the list into the summary's own controls."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    await state_is(page, "fresh")
    await page.keyboard.press("Tab")
    await expect(page.locator(".skip")).to_be_focused()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="Copy as Markdown")).to_be_focused()


async def test_the_skip_link_leads_to_the_session_that_is_shown(live: LiveService, visit: Visit) -> None:
    """Where another session has become the first of the list meanwhile, the one that is read stays."""
    open_session(live, EXPORT)
    open_session(live, CHECKOUT)
    page = await visit()
    await selected(page, "checkout")
    live.append("export", [{"role": "user", "content": "and XLSX?"}])
    await expect(page.locator(".row").first).to_have_attribute("data-slot", "export")
    await page.locator(".skip").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#summary")).to_be_focused()
    await expect(page.locator("#summary h1")).to_have_text("Totals are off by a cent")
    await selected(page, "checkout")


async def test_a_live_update_leaves_the_focus_where_it_is(live: LiveService, visit: Visit) -> None:
    """Who stands on a row with the keyboard still stands there after the list was read again."""
    open_session(live, EXPORT)
    page = await visit()
    await selected(page, "export")
    await page.keyboard.press("j")
    await expect(page.locator(".row")).to_be_focused()
    live.client.patch(live.path("export"), json={"title": "Renamed"})
    await expect(page.locator(".row-name")).to_have_text("Renamed")
    await expect(page.locator(".row")).to_be_focused()
