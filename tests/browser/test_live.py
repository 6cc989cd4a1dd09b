"""What happens in the service shows on the page by itself, for exactly the session it happened to."""

from pathlib import Path

import pytest
from playwright.async_api import Page, Route, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import CHECKOUT, EXPORT, open_session, summarize
from tests.browser.test_states import state_is
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, intent, summary_reply
from tests.support.wait import wait_until

pytestmark = pytest.mark.slow


async def follows(live: LiveService) -> None:
    """A page that hears of nothing yet reads again what happened before it did."""
    await wait_until(lambda: live.hub.streams == 1, within=8)


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
    await follows(live)
    read = summaries_read(page)
    model_server.script(summary_reply([intent("Something else")]))
    live.turn("checkout", "go on", "Done.")
    await expect(page.locator(".row-name").first).to_have_text("Something else")
    assert read == []


SELECT_A_TEXT = "getSelection().selectAllChildren(document.querySelector('.intent .parts'))"
SELECTED = "getSelection().toString()"


@pytest.mark.parametrize("slot", ["export", "checkout"])
async def test_news_leave_a_reader_where_they_are(
    live: LiveService, visit: Visit, model_server: ModelServer, slot: str
) -> None:
    """What is unfolded, selected and focused stays so, whether another session moves on or the shown one does."""
    summarize(live, model_server, EXPORT)
    summarize(live, model_server, CHECKOUT)
    page = await visit("/?slot=checkout")
    await state_is(page, "fresh")
    evidence = page.locator("details.evidence").first
    await evidence.locator("summary").click()
    await page.evaluate(SELECT_A_TEXT)
    selected = await page.evaluate(SELECTED)
    turn = page.get_by_role("button", name="11–14")
    await turn.focus()
    live.client.post(live.path(slot, "turn", "start"), json={}).raise_for_status()
    await expect(page.locator(f".row[data-slot={slot}] .working")).to_be_visible()
    live.append(slot, [{"role": "user", "content": "and now?"}]).raise_for_status()
    if slot == "checkout":
        await state_is(page, "stale")
    await expect(page.locator(".row").first).to_have_attribute("data-slot", slot)
    assert await evidence.get_attribute("open") is not None
    assert len(selected) > 100
    assert await page.evaluate(SELECTED) == selected
    await expect(turn).to_be_focused()


async def test_a_second_tab_shows_that_a_summary_is_being_made(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """What was asked for in one tab is not offered once more in the other."""
    summarize(live, model_server, EXPORT)
    one = await visit()
    other = await one.context.new_page()
    await other.goto(live.url)
    live.append("export", [{"role": "user", "content": "and XLSX?"}])
    await state_is(one, "stale")
    await state_is(other, "stale")
    model_server.hold()
    model_server.script(summary_reply(EXPORT.intents))
    await one.get_by_role("button", name="Refresh").click()
    await state_is(other, "making")
    model_server.release()
    await state_is(other, "fresh")


async def test_a_click_on_what_is_under_way_shows_it(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Where nothing told the page of a pass that somebody else asked for, its button leads to it, not to a failure."""
    summarize(live, model_server, EXPORT)
    live.append("export", [{"role": "user", "content": "and XLSX?"}])
    one, other = await visit(), await visit()
    await expect(other.get_by_role("button", name="Refresh")).to_be_visible()
    model_server.hold()
    model_server.script(summary_reply(EXPORT.intents))
    await one.get_by_role("button", name="Refresh").click()
    await state_is(one, "making")
    await wait_until(lambda: model_server.requests)
    await other.get_by_role("button", name="Refresh").click()
    await state_is(other, "making")
    model_server.release()
    await state_is(other, "fresh")


async def test_a_late_answer_is_older_than_what_is_shown(live: LiveService, visit: Visit) -> None:
    """A list that was asked for first and comes last is not believed."""
    open_session(live, EXPORT)
    page = await visit()
    await state_is(page, "none")
    held: list[Route] = []

    async def hold_the_first(route: Route) -> None:
        if held:
            await route.continue_()
        else:
            held.append(route)

    late = live.client.get("/api/chat/slots?limit=50").text
    await page.route("**/api/chat/slots?*", hold_the_first)
    live.client.patch(live.path("export"), json={"title": "Renamed once"})
    await wait_until(lambda: held)
    live.client.patch(live.path("export"), json={"title": "Renamed twice"})
    await expect(page.locator(".row-name")).to_have_text("Renamed twice")
    async with page.expect_event("requestfinished"):
        await held[0].fulfill(body=late, content_type="application/json")
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    assert await page.locator(".row-name").text_content() == "Renamed twice"


async def test_rows_beyond_the_largest_page_stay_true(live: LiveService, visit: Visit) -> None:
    """However many rows were loaded, each of them says what the store says."""
    for n in range(260):
        live.put(f"s{n}", title=f"Session {n}")
    page = await visit()
    for loaded in range(100, 301, 50):
        await page.get_by_role("button", name="Show more").click()
        await expect(page.locator(".row")).to_have_count(min(loaded, 260))
    live.client.patch(live.path("s3"), json={"title": "Renamed"})
    await expect(page.locator(".row[data-slot=s3] .row-name")).to_have_text("Renamed")
    await expect(page.locator(".row")).to_have_count(260)


@pytest.mark.parametrize("path", ["/", "/panel/checkout", "/open-items"])
async def test_a_switch_elsewhere_is_followed(
    live: LiveService, visit: Visit, model_server: ModelServer, path: str
) -> None:
    """Off in the settings' file takes everything derived off each page; on again brings it back."""
    summarize(live, model_server, CHECKOUT)
    page = await visit(path)
    await expect(page.locator(".open-item").first).to_be_visible()
    live.set("session_summary.enabled", False)
    await expect(page.locator(".open-item, .chip, .intent")).to_have_count(0)
    await expect(page.locator("[data-state=off]").first).to_be_visible()
    live.set("session_summary.enabled", True)
    await expect(page.locator(".open-item").first).to_be_visible()


async def test_a_restart_on_the_same_port_is_followed(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """What happened in a service that was started again is on the open page, and goes on to be."""
    summarize(live, model_server, EXPORT)
    page = await visit()
    await state_is(page, "fresh")
    live.stop()
    environ = {"ANTHROPIC_BASE_URL": model_server.url}
    with LiveService(live.folder.path, environ=environ, port=int(live.url.rpartition(":")[2])) as again:
        again.client.patch(again.path("export"), json={"title": "Renamed meanwhile"})
        again.append("export", [{"role": "user", "content": "and XLSX?"}])
        await state_is(page, "stale")
        await expect(page.locator("#connection")).to_be_empty()
        model_server.script(summary_reply([intent("Let reports be mailed")]))
        await page.get_by_role("button", name="Refresh").click()
        await expect(page.locator(".row-name")).to_have_text("Let reports be mailed")


async def test_the_title_of_the_document_names_the_session(live: LiveService, visit: Visit) -> None:
    """Of many tabs each says which session it shows, and follows a new name."""
    open_session(live, EXPORT)
    page = await visit("/panel/export")
    await expect(page).to_have_title("CSV export · Session Summary")
    live.client.patch(live.path("export"), json={"title": "XLSX export"})
    await expect(page).to_have_title("XLSX export · Session Summary")


async def test_switching_sessions_takes_one_request(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """A click on a row asks the service once."""
    summarize(live, model_server, EXPORT)
    summarize(live, model_server, CHECKOUT)
    page = await visit("/?slot=checkout")
    await state_is(page, "fresh")
    await follows(live)
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
