"""What happens in the service shows on the page by itself, for exactly the session it happened to."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import CHECKOUT, EXPORT, open_session, summarize
from tests.browser.test_states import state_is
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, intent, summary_reply

pytestmark = pytest.mark.slow


def summaries_read(page: Page) -> list[str]:
    """From here on, every summary that the page reads."""
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url) if request.url.endswith("/summary") else None)
    return seen


async def test_a_turn_brings_its_summary_onto_the_page(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """After a turn the new summary stands on the page, without a reload."""
    open_session(live, EXPORT)
    page = await visit()
    await state_is(page, "none")
    model_server.script(summary_reply([intent("Let reports be mailed")]))
    live.turn("export", "please mail them", "They are mailed.")
    await expect(page.locator(".intent-title")).to_have_text("Let reports be mailed")
    await expect(page.locator(".row-name")).to_have_text("Let reports be mailed")


async def test_another_sessions_news_leaves_the_shown_one_alone(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """News of one session makes the page read no other session's summary."""
    summarize(live, model_server, EXPORT)
    open_session(live, CHECKOUT)
    page = await visit("/?slot=export")
    await state_is(page, "fresh")
    read = summaries_read(page)
    model_server.script(summary_reply([intent("Something else")]))
    live.turn("checkout", "go on", "Done.")
    await expect(page.locator(".row-name").first).to_have_text("Something else")
    assert read == []


async def test_switching_sessions_takes_one_request(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """A click on a row asks the service once."""
    summarize(live, model_server, EXPORT)
    summarize(live, model_server, CHECKOUT)
    page = await visit("/?slot=checkout")
    await state_is(page, "fresh")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    await page.locator(".row[data-slot=export]").click()
    await expect(page.locator(".intent-title")).to_have_text(EXPORT.intents[0]["title"])
    assert asked == [f"{live.url}/api/chat/slots/export/summary"]


async def test_a_session_deleted_while_shown_is_gone(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """The page says that the session was deleted, and shows nothing of it any more."""
    summarize(live, model_server, EXPORT)
    page = await visit()
    await state_is(page, "fresh")
    live.client.delete(live.path("export"))
    await state_is(page, "gone")
    await expect(page.locator(".intent, .row")).to_have_count(0)
    assert await page.evaluate("Object.keys(localStorage).filter((key) => key.includes('export'))") == []


async def test_two_tabs_show_the_same(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """A summary asked for in one tab appears in the other."""
    open_session(live, EXPORT)
    one, other = await visit(), await visit()
    await state_is(other, "none")
    model_server.script(summary_reply(EXPORT.intents))
    await one.get_by_role("button", name="Make a summary").click()
    await state_is(other, "fresh")


async def test_a_new_session_appears_in_the_list(live: LiveService, visit: Visit) -> None:
    """A session that begins while the page is open comes into its list."""
    page = await visit()
    await expect(page.locator(".rows")).to_contain_text("No sessions yet")
    open_session(live, EXPORT)
    await expect(page.locator(".row")).to_have_count(1)


async def test_a_running_turn_shows_in_the_list(live: LiveService, visit: Visit) -> None:
    """A row says that its agent is working, from the start of the turn to its end."""
    open_session(live, EXPORT)
    page = await visit()
    live.client.post(live.path("export", "turn", "start"), json={})
    await expect(page.locator(".row .working")).to_be_visible()
    live.client.post(live.path("export", "turn", "end"), json={"stop_reason": "cancelled"})
    await expect(page.locator(".row .working")).to_have_count(0)


async def test_after_a_gap_nothing_old_is_shown(
    live: LiveService, visit: Visit, model_server: ModelServer, tmp_path: Path
) -> None:
    """What happened while the page was cut off is on it as soon as the connection is back."""
    summarize(live, model_server, EXPORT)
    page = await visit()
    await state_is(page, "fresh")
    await page.context.set_offline(True)
    live.append("export", [{"role": "user", "content": "and XLSX?"}])
    await page.context.set_offline(False)
    await page.evaluate("dispatchEvent(new Event('online'))")
    await state_is(page, "stale")
