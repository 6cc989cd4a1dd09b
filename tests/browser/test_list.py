"""The sessions list: narrowed, ordered, a page at a time."""

import asyncio
import sqlite3

import pytest
from playwright.async_api import Route, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import CHECKOUT, EXPORT, open_session, summarize
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, summary_reply

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


async def test_every_agent_and_project_can_be_chosen(live: LiveService, visit: Visit) -> None:
    """Also those of sessions beyond the rows that are loaded; the choice narrows the list to them."""
    live.put("far", title="Far down", project="/home/ana/rare")
    with sqlite3.connect(live.database) as connection:
        connection.execute("UPDATE transcripts SET source = 'codex' WHERE key = 'far'")
    connection.close()
    for n in range(60):
        live.put(f"s{n}", project="/home/ana/shop")
    page = await visit()
    await expect(page.get_by_label("Agent").locator("option")).to_have_text(["Any agent", "Codex", "Host"])
    await expect(page.get_by_label("Project").locator("option")).to_have_text(["Any project", "rare", "shop"])
    await page.get_by_label("Project").select_option(label="rare")
    await expect(page.locator(".row-name")).to_have_text(["Far down"])
    await page.get_by_label("Project").select_option(label="Any project")
    await page.get_by_label("Agent").select_option(label="Codex")
    await expect(page.locator(".row-name")).to_have_text(["Far down"])


async def test_what_is_gone_can_not_be_chosen(live: LiveService, visit: Visit) -> None:
    """With the last session of a project its choice goes, and names that it made longer are short again."""
    for slot, project in (("a", "/home/ana/shop"), ("b", "/srv/ci/shop"), ("c", "/home/ana/reports")):
        live.put(slot, project=project)
    page = await visit()
    offered = page.get_by_label("Project").locator("option")
    await expect(offered).to_have_text(["Any project", "ana/shop", "ci/shop", "reports"])
    live.client.delete(live.path("b"))
    await expect(offered).to_have_text(["Any project", "reports", "shop"])
    await expect(page.locator(".row").last).to_contain_text("Host · shop")


async def test_a_chosen_project_stays_chosen_when_its_last_session_goes(live: LiveService, visit: Visit) -> None:
    """What narrows the list is never hidden; once something else is chosen it is gone."""
    for slot in ("a", "b", "c"):
        live.put(slot, project=f"/home/ana/{slot}")
    page = await visit()
    projects = page.get_by_label("Project")
    await projects.select_option(label="b")
    live.client.delete(live.path("b"))
    await expect(page.locator(".rows")).to_contain_text("No session matches")
    await expect(projects).to_have_value("/home/ana/b")
    await page.get_by_role("button", name="Clear search and filters").click()
    await expect(projects.locator("option")).to_have_text(["Any project", "a", "c"])


async def test_after_the_last_page_the_focus_is_on_its_first_row(live: LiveService, visit: Visit) -> None:
    """Who asked for more with the keyboard goes on where it begins."""
    for n in range(60):
        live.put(f"s{n}")
    page = await visit()
    await page.get_by_role("button", name="Show more").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".row")).to_have_count(60)
    await expect(page.locator(".row").nth(50)).to_be_focused()


async def test_after_clearing_the_focus_is_in_the_search(live: LiveService, visit: Visit) -> None:
    """The button is gone with what it cleared; the next search can be typed at once."""
    live.put("export")
    page = await visit()
    await page.get_by_label("Search sessions").fill("nothing like it")
    await page.get_by_role("button", name="Clear search and filters").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".row")).to_have_count(1)
    await expect(page.get_by_label("Search sessions")).to_be_focused()


@pytest.mark.parametrize(("key", "reached"), [("j", "s1"), ("k", "s3")])
async def test_a_row_that_is_deleted_hands_on_its_place(
    live: LiveService, visit: Visit, key: str, reached: str
) -> None:
    """The focus goes to the row below it, and j and k go on from where it stood."""
    for n in range(5):
        live.put(f"s{n}")
    page = await visit("/?slot=s2")
    await page.locator(".row[data-slot=s2]").focus()
    live.client.delete(live.path("s2"))
    await expect(page.locator(".row[data-slot=s1]")).to_be_focused()
    live.put("s5")
    await expect(page.locator(".row")).to_have_count(5)
    await expect(page.locator(".row[data-slot=s1]")).to_be_focused()
    await page.keyboard.press(key)
    await expect(page.locator(".row[aria-current=true]")).to_have_attribute("data-slot", reached)


async def test_the_last_row_that_is_deleted_hands_its_place_upwards(live: LiveService, visit: Visit) -> None:
    """With nothing below it the row above has the focus; with no row at all the search has."""
    for n in range(2):
        live.put(f"s{n}")
    page = await visit("/?slot=s0")
    await page.locator(".row[data-slot=s0]").focus()
    live.client.delete(live.path("s0"))
    await expect(page.locator(".row[data-slot=s1]")).to_be_focused()
    live.client.delete(live.path("s1"))
    await expect(page.get_by_label("Search sessions")).to_be_focused()


async def test_a_row_that_changes_its_section_keeps_the_focus(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Who stands on a session that now needs somebody stands on it among those that do."""
    open_session(live, CHECKOUT)
    open_session(live, EXPORT)
    page = await visit("/?slot=checkout")
    await page.get_by_label("Needs you first").check()
    await page.locator(".row[data-slot=checkout]").focus()
    model_server.script(summary_reply(CHECKOUT.intents))
    live.generate("checkout").raise_for_status()
    await expect(page.locator(".row").first).to_have_attribute("data-slot", "checkout")
    await expect(page.locator(".row").first).to_be_focused()


async def test_a_list_that_cannot_be_read_again_says_so(live: LiveService, visit: Visit) -> None:
    """What is shown stays, with the reason above it; the next try that works takes the words away."""
    live.put("a", title="Kept")
    page = await visit()
    await expect(page.locator(".row")).to_have_count(1)
    refusal = {"error": "the store is busy", "code": "store_busy"}
    await page.route("**/api/chat/slots?*", lambda route: route.fulfill(status=503, json=refusal))
    live.put("b")
    for words in ("could not be read again", "The store is busy"):
        await expect(page.locator(".rows")).to_contain_text(words)
    await expect(page.locator(".row-name")).to_have_text(["Kept"])
    await page.unroute("**/api/chat/slots?*")
    await page.locator(".rows").get_by_role("button", name="Try again").click()
    await expect(page.locator(".row")).to_have_count(2)
    await expect(page.locator(".rows")).not_to_contain_text("could not be read again")


async def test_a_search_takes_as_much_as_the_service_does(live: LiveService, visit: Visit) -> None:
    """A pasted essay is cut to what can be searched for."""
    live.put("a")
    page = await visit()
    await page.get_by_label("Search sessions").focus()
    await page.keyboard.insert_text("x" * 600)
    await expect(page.get_by_label("Search sessions")).to_have_value("x" * 500)
    await expect(page.locator(".rows")).to_contain_text("No session matches")


async def test_how_many_are_found_is_announced(live: LiveService, visit: Visit) -> None:
    """Who does not see the list shrink hears it, after a search as after a filter."""
    for n in range(3):
        live.put(f"s{n}")
    page = await visit()
    await expect(page.locator(".row")).to_have_count(3)
    for words, heard in (("s", "3 sessions"), ("s2", "1 session"), ("none", "No session matches")):
        await page.get_by_label("Search sessions").fill(words)
        await expect(page.locator("#announcer")).to_have_text(heard)
    await page.get_by_label("Search sessions").fill("")
    await expect(page.locator("#announcer")).to_have_text("3 sessions")
    await page.get_by_role("group", name="State").get_by_role("button", name="Done").click()
    await expect(page.locator("#announcer")).to_have_text("No session matches")


async def test_the_slower_a_list_is_read_the_more_changes_share_a_reading(live: LiveService, visit: Visit) -> None:
    """Of a burst of changes most come with one reading, and what is shown in the end is what there is."""
    live.put("a", title="Before")
    page = await visit()
    await expect(page.locator(".row-name")).to_have_text(["Before"])
    asked: list[str] = []

    async def slowly(route: Route) -> None:
        asked.append(route.request.url)
        await asyncio.sleep(0.3)  # As long as it takes to read thousands of rows.
        await route.continue_()

    await page.route("**/api/chat/slots?*", slowly)
    for n in range(40):
        await asyncio.to_thread(live.client.patch, live.path("a"), json={"title": f"Title {n}"})
        await page.evaluate("new Promise((go) => setTimeout(go, 50))")
    await expect(page.locator(".row-name")).to_have_text(["Title 39"])
    assert len(asked) <= 4
