"""The page of what waits for the person, in any session."""

from dataclasses import replace

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Visit
from tests.browser.sessions import CHECKOUT, EXPORT, step, summarize
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, intent

pytestmark = pytest.mark.slow


async def test_it_lists_what_waits_and_leads_to_the_session(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Each item says what to do and why, and its link opens the session it belongs to."""
    summarize(live, model_server, EXPORT)
    summarize(live, model_server, CHECKOUT)
    page = await visit("/open-items")
    await expect(page.locator(".open-item")).to_have_count(1)
    await expect(page.locator(".open-item")).to_contain_text("without a run of the payment tests")
    await page.locator(".item-link").click()
    await expect(page.locator("#summary .open-item")).to_have_count(3)


async def test_a_new_item_appears_by_itself(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """An item that comes up while the page is open comes onto it."""
    page = await visit("/open-items")
    await expect(page.locator("[data-state=none]")).to_contain_text("Nothing waits for you")
    summarize(live, model_server, CHECKOUT)
    await expect(page.locator(".open-item")).to_have_count(1)


async def test_its_turn_opens_the_exchange(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """The turn an item comes from can be read on the spot."""
    summarize(live, model_server, CHECKOUT)
    page = await visit("/open-items")
    await page.locator(".open-item .turn").click()
    await expect(page.get_by_role("dialog")).to_contain_text("what about part 14?")


async def test_sessions_that_need_somebody_without_next_steps(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Where no step is listed, the sessions that need the person are, each with its link."""
    need = intent("Merge the fix for the totals", ranges=[[1, 2]], status="completed", verified=False, next_steps=[])
    summarize(live, model_server, replace(EXPORT, intents=[need]))
    page = await visit("/open-items")
    await expect(page.locator("[data-state=unnamed]")).to_contain_text("1 session needs you")
    await page.get_by_role("link", name="Merge the fix for the totals").click()
    await expect(page.locator("#summary .open-items")).to_contain_text("1 goal needs you")


async def test_a_goal_without_a_step_stands_beside_those_with_one(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """What needs the person is never hidden by what needs them elsewhere."""
    need = intent("Merge the fix for the totals", ranges=[[1, 2]], status="completed", verified=False, next_steps=[])
    summarize(live, model_server, replace(EXPORT, intents=[need]))
    summarize(live, model_server, CHECKOUT)
    page = await visit("/open-items")
    await expect(page.locator(".open-item")).to_have_count(2)
    await expect(page.locator("main")).to_contain_text("1 session needs you")
    await page.get_by_role("link", name="Merge the fix for the totals").click()
    await expect(page.locator("#summary h1")).to_have_text("Merge the fix for the totals")


async def test_an_exchange_ends_with_the_session(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """From the turn of an item the next one can be read as long as there is one."""
    summarize(live, model_server, CHECKOUT)
    live.append("checkout", [{"role": "user", "content": "and now?"}])
    page = await visit("/open-items")
    await page.locator(".open-item .turn").click()
    dialog = page.get_by_role("dialog")
    following = dialog.get_by_role("button", name="Next turn")
    await following.click()
    await expect(dialog).to_contain_text("and now?")
    await expect(following).to_be_disabled()


async def test_a_turn_that_was_taken_back_is_called_so(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """After a rewind the old summary still names turns that are no more."""
    summarize(live, model_server, CHECKOUT)
    live.rewrite("checkout", [{"role": "user", "content": f"again, part {n}"} for n in range(3)])
    page = await visit("/?slot=checkout")
    await page.get_by_role("button", name="11–14").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("only 3 turns now")
    await expect(dialog.get_by_role("button", name="Next turn")).to_be_disabled()
    await dialog.get_by_role("button", name="Previous turn").click()
    await expect(dialog).to_contain_text("again, part 2")


async def test_after_the_last_page_the_focus_is_on_its_first_item(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Who asked for more with the keyboard goes on where it begins."""
    steps = [step(f"Step {n}") for n in range(60)]
    need = intent("A long list", ranges=[[1, 2]], status="completed", verified=False, next_steps=steps)
    summarize(live, model_server, replace(EXPORT, intents=[need]))
    page = await visit("/open-items")
    await page.get_by_role("button", name="Show more").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".open-item")).to_have_count(60)
    await expect(page.locator(".open-item").nth(50).locator(".item-link")).to_be_focused()


async def test_items_that_cannot_be_read_again_say_so(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """What is shown stays, with the reason above it; the next reading that works takes the words away."""
    summarize(live, model_server, CHECKOUT)
    page = await visit("/open-items")
    await expect(page.locator(".open-item")).to_have_count(1)
    refusal = {"error": "the store is busy", "code": "store_busy"}
    await page.route("**/api/open-items*", lambda route: route.fulfill(status=503, json=refusal))
    await page.keyboard.press("r")
    for words in ("could not be read again", "The store is busy"):
        await expect(page.locator("main")).to_contain_text(words)
    await expect(page.locator(".open-item")).to_have_count(1)
    await page.unroute("**/api/open-items*")
    await page.get_by_role("button", name="Try again").click()
    await expect(page.locator("main")).not_to_contain_text("could not be read again")


async def test_off_says_so(live: LiveService, visit: Visit) -> None:
    """While summaries are off the page says so, with the switch."""
    live.set("session_summary.enabled", False)
    page = await visit("/open-items")
    await page.get_by_role("button", name="Switch summaries on").click()
    await expect(page.locator("[data-state=none]")).to_be_visible()


async def test_without_a_token_it_says_how_to_get_one(live: LiveService, visit: Visit) -> None:
    """Who opens it without a token reads how to get one."""
    page = await visit("/open-items", signed_in=False)
    await expect(page.locator("[data-state=signed-out]")).to_be_visible()
