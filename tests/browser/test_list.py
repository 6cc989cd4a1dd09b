"""The sessions list: narrowed, ordered, a page at a time."""

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Visit
from tests.browser.sessions import CHECKOUT, EXPORT, open_session, summarize
from tests.support.live import LiveService
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.slow


async def test_a_row_says_what_state_its_session_is_in(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Name, state, open items, agent and project stand in one row."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    for words in ("Make the cart total agree", "Needs you", "3 open", "Host · shop"):
        await expect(page.locator(".row")).to_contain_text(words)


async def test_a_state_narrows_the_list(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """A chip leaves the sessions of its state; the same chip again brings back all."""
    summarize(live, model_server, CHECKOUT)
    summarize(live, model_server, EXPORT)
    page = await visit()
    chip = page.get_by_role("group", name="State").get_by_role("button", name="Done")
    await chip.click()
    await expect(page.locator(".row")).to_have_count(1)
    await expect(chip).to_have_attribute("aria-pressed", "true")
    await chip.click()
    await expect(page.locator(".row")).to_have_count(2)


async def test_a_project_narrows_the_list(live: LiveService, visit: Visit) -> None:
    """Where sessions belong to several projects, one of them can be picked."""
    open_session(live, CHECKOUT)
    open_session(live, EXPORT)
    page = await visit()
    await page.get_by_label("Project").select_option(label="reports")
    await expect(page.locator(".row-name")).to_have_text(["CSV export"])


async def test_needs_you_first_and_it_is_remembered(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """When asked, what needs the person stands above what is newer, after a reload too."""
    summarize(live, model_server, CHECKOUT)
    summarize(live, model_server, EXPORT)
    page = await visit()
    await expect(page.locator(".row").first).to_have_attribute("data-slot", "export")
    await page.get_by_label("Needs you first").check()
    await expect(page.locator(".row").first).to_have_attribute("data-slot", "checkout")
    await page.reload()
    await expect(page.locator(".row").first).to_have_attribute("data-slot", "checkout")
    await expect(page.locator(".row")).to_have_count(2)


async def test_a_long_list_comes_a_page_at_a_time(live: LiveService, visit: Visit) -> None:
    """Fifty rows come with one request; the rest when asked for."""
    for n in range(60):
        live.put(f"s{n}", title=f"Session {n}")
    page = await visit()
    await expect(page.locator(".row")).to_have_count(50)
    await page.get_by_role("button", name="Show more").click()
    await expect(page.locator(".row")).to_have_count(60)
    await expect(page.get_by_role("button", name="Show more")).to_have_count(0)


async def test_the_addressed_session_is_in_sight(live: LiveService, visit: Visit) -> None:
    """A link to a session far down the list shows its row without scrolling by hand."""
    for n in range(40):
        live.put(f"s{n}", title=f"Session {n}")
    page = await visit("/?slot=s3")
    await expect(page.locator(".row[aria-current]")).to_have_attribute("data-slot", "s3")
    await expect(page.locator(".row[aria-current]")).to_be_in_viewport()


async def test_what_the_service_has_to_say_stays_until_hidden(live: LiveService, visit: Visit) -> None:
    """A database that was moved aside is named above the list, until somebody has read it."""
    aside = live.folder.path / "session-summary.unreadable-20260810T100000000000.db"
    aside.touch()
    open_session(live, EXPORT)
    page = await visit()
    await expect(page.locator("#banner")).to_contain_text(aside.name)
    await page.get_by_role("button", name="Hide").click()
    await expect(page.locator("#banner")).to_be_hidden()
    live.put("another")
    await expect(page.locator(".row")).to_have_count(2)
    await expect(page.locator("#banner")).to_be_hidden()


async def test_opening_takes_one_request_for_the_list(live: LiveService, visit: Visit) -> None:
    """The page asks for the list once when it is opened."""
    open_session(live, EXPORT)
    page = await visit()
    await expect(page.locator(".row")).to_have_count(1)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/chat/slots?" in request.url else None)
    await page.reload()
    await expect(page.locator("#summary[data-state=none]")).to_be_visible()
    assert len(asked) == 1
