"""Each state of a summary has its own words, and no button is offered that can only fail."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import CHECKOUT, EXPORT, open_session, summarize
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, error_reply, summary_reply

pytestmark = pytest.mark.slow

MAKE = "Make a summary"
REFRESH = "Refresh"
RETRY = "Try again"


async def state_is(page: Page, state: str) -> None:
    """The pane says that it is in this state."""
    await expect(page.locator(f"#summary[data-state={state}]")).to_be_visible()


async def no_button(page: Page, *names: str) -> None:
    for name in names:
        await expect(page.locator("#summary").get_by_role("button", name=name)).to_have_count(0)


async def test_a_page_without_a_token_says_how_to_get_one(live: LiveService, visit: Visit) -> None:
    """Who opens the page without its token reads which commands print the address and the token."""
    page = await visit(signed_in=False)
    await expect(page.locator("[data-state=signed-out]")).to_contain_text("session-summary token show")


async def test_the_token_leaves_the_address_bar_and_the_page_stays_open(live: LiveService, visit: Visit) -> None:
    """The address holds no token once the page is there, and a reload needs none."""
    open_session(live, EXPORT)
    page = await visit()
    await expect(page.locator(".row")).to_have_count(1)
    assert "token" not in page.url
    await page.reload()
    await expect(page.locator(".row")).to_have_count(1)


async def test_a_wrong_token_is_told_from_a_missing_one(live: LiveService, visit: Visit) -> None:
    """Who comes with an old address reads that its token is not this service's."""
    page = await visit("/#token=of-another-folder", signed_in=False)
    await expect(page.locator("[data-state=signed-out]")).to_contain_text("was not accepted")


async def test_off_says_so_and_its_button_switches_on(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """While summaries are off nothing of them is shown; one click switches them on and shows what there is."""
    summarize(live, model_server, EXPORT)
    live.set("session_summary.enabled", False)
    page = await visit()
    await state_is(page, "off")
    await expect(page.locator(".intent, .chip")).to_have_count(0)
    await page.get_by_role("button", name="Switch summaries on").click()
    await state_is(page, "fresh")
    assert live.client.get("/api/open-items").json() == {"items": [], "next": None}


async def test_the_switch_in_the_head_takes_everything_away(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Switched off in the head of the page, summary, headlines and states are gone at once."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    await state_is(page, "fresh")
    await page.get_by_role("switch").click()
    await state_is(page, "off")
    await expect(page.locator(".row-name")).to_have_text(["Totals are off by a cent"])


async def test_the_switch_stands_beside_an_unknown_session(live: LiveService, visit: Visit) -> None:
    """An old link to a session that is gone still shows whether summaries are on."""
    page = await visit("/?slot=nosuch")
    await state_is(page, "gone")
    await expect(page.get_by_role("switch")).to_have_attribute("aria-checked", "true")


async def test_no_session_at_all_says_how_one_comes(live: LiveService, visit: Visit) -> None:
    """An empty list tells how sessions get into it."""
    page = await visit()
    await expect(page.locator(".rows")).to_contain_text("No sessions yet")


async def test_off_is_said_before_there_is_any_session(live: LiveService, visit: Visit) -> None:
    """On a fresh machine the page says that summaries are off, and how to switch them on."""
    live.set("session_summary.enabled", False)
    page = await visit()
    await expect(page.get_by_role("button", name="Switch summaries on")).to_be_visible()


async def test_none_yet_offers_to_make_one(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """A session without a summary gets one at a click, and the page shows it."""
    open_session(live, EXPORT)
    model_server.script(summary_reply(EXPORT.intents))
    page = await visit()
    await state_is(page, "none")
    await page.get_by_role("button", name=MAKE).click()
    await state_is(page, "fresh")
    await expect(page.locator(".intent")).to_have_count(1)


async def test_too_few_turns_says_why_without_a_button(live: LiveService, visit: Visit) -> None:
    """A session that has just begun says that it is too short; there is nothing to click."""
    live.put("begun", title="Just begun")
    live.append("begun", [{"role": "user", "content": "hello"}])
    page = await visit()
    await state_is(page, "too-few")
    await no_button(page, MAKE)


async def test_a_private_session_says_so_without_a_button(live: LiveService, visit: Visit) -> None:
    """A private session says that nothing is kept of it."""
    live.put("secret", memory_mode="incognito")
    page = await visit()
    await state_is(page, "barred")
    await expect(page.locator("#summary .notice")).to_contain_text("private")
    await no_button(page, MAKE)


async def test_while_a_turn_runs_the_button_waits_and_says_why(live: LiveService, visit: Visit) -> None:
    """During a turn the button does nothing but say what it waits for; afterwards it works, without a reload."""
    open_session(live, EXPORT)
    live.client.post(live.path("export", "turn", "start"), json={})
    page = await visit()
    await state_is(page, "running")
    await expect(page.get_by_role("button", name=MAKE)).to_have_attribute("aria-disabled", "true")
    live.client.post(live.path("export", "turn", "end"), json={"stop_reason": "cancelled"})
    await state_is(page, "none")


async def test_generating_is_shown_to_a_page_that_did_not_ask(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """A pass that a turn set off shows as such, then its summary."""
    open_session(live, EXPORT)
    model_server.hold()
    model_server.script(summary_reply(EXPORT.intents))
    live.turn("export", "one more", "Done.")
    page = await visit()
    await state_is(page, "making")
    await no_button(page, MAKE)
    model_server.release()
    await state_is(page, "fresh")


async def test_an_automatic_pass_that_fails_says_why(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """A failed pass announces nothing; the page that waits for it finds out, and says what happened."""
    open_session(live, EXPORT)
    model_server.hold()
    model_server.script(error_reply(400))
    live.turn("export", "one more", "Done.")
    page = await visit()
    await state_is(page, "making")
    model_server.release()
    await state_is(page, "failed")
    await expect(page.locator(".notice")).to_contain_text("answered with an error")


async def test_stale_is_still_shown_says_why_and_refreshes(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """After more was said the old summary stays, with what happened and a button that renews it."""
    summarize(live, model_server, EXPORT)
    live.append("export", [{"role": "user", "content": "and XLSX?"}])
    model_server.script(summary_reply(EXPORT.intents))
    page = await visit()
    await state_is(page, "stale")
    await expect(page.locator(".notice")).to_contain_text("1 turn was added")
    await expect(page.locator(".intent")).to_have_count(1)
    await page.get_by_role("button", name=REFRESH).click()
    await state_is(page, "fresh")
    await no_button(page, REFRESH)


async def test_a_rewritten_session_says_so(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """A summary of messages that were taken back says that the session was rewritten."""
    summarize(live, model_server, EXPORT)
    live.rewrite("export", [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}])
    page = await visit()
    await state_is(page, "stale")
    await expect(page.locator(".notice")).to_contain_text("rewritten")


async def test_a_failure_says_what_to_do_and_can_be_retried(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """A model that answers nonsense is named, and a second try is a click away."""
    open_session(live, EXPORT)
    model_server.script(summary_reply([]), summary_reply(EXPORT.intents))
    page = await visit()
    await page.get_by_role("button", name=MAKE).click()
    await state_is(page, "failed")
    await expect(page.locator(".notice")).to_contain_text("no usable summary")
    await page.get_by_role("button", name=RETRY).click()
    await state_is(page, "fresh")


async def test_a_refused_key_offers_no_second_try(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """Where a second try can only fail too there is no button for it; the notice says what to change."""
    open_session(live, EXPORT)
    model_server.script(error_reply(401, "authentication_error"))
    page = await visit()
    await page.get_by_role("button", name=MAKE).click()
    await state_is(page, "failed")
    await expect(page.locator(".notice")).to_contain_text("ANTHROPIC_API_KEY")
    await no_button(page, RETRY)


async def test_a_failed_refresh_keeps_the_summary(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """The earlier summary stays on the page when a new one could not be made."""
    summarize(live, model_server, EXPORT)
    live.append("export", [{"role": "user", "content": "and XLSX?"}])
    model_server.script(summary_reply([]))
    page = await visit()
    await page.get_by_role("button", name=REFRESH).click()
    await state_is(page, "failed")
    await expect(page.locator(".intent")).to_have_count(1)


async def test_an_unknown_session_says_so(live: LiveService, visit: Visit) -> None:
    """An address with a key that nobody knows is answered in words."""
    page = await visit("/?slot=nowhere")
    await expect(page.locator(".notice")).to_contain_text("No such session")


async def test_a_budget_that_was_raised_stands_in_nobodys_way(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Who raises the budget as advised needs no reload: the notice goes, and the button comes."""
    open_session(live, CHECKOUT)
    live.generate("checkout").raise_for_status()
    open_session(live, EXPORT)
    live.set("daily_token_budget", 1)
    page = await visit("/?slot=export")
    await state_is(page, "failed")
    await expect(page.locator(".notice")).to_contain_text("daily_token_budget")
    live.set("daily_token_budget", 1_000_000)
    await state_is(page, "none")
    await expect(page.get_by_role("button", name=MAKE)).to_be_visible()


async def test_r_tries_again_where_a_failure_stands(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """The key asks whether what stood in the way still does, also where nothing told the page that it went."""
    open_session(live, CHECKOUT)
    live.generate("checkout").raise_for_status()
    open_session(live, EXPORT)
    live.set("daily_token_budget", 1)
    page = await visit("/?slot=export")
    await state_is(page, "failed")
    await page.evaluate("document.dispatchEvent(new Event('freeze'))")
    live.set("daily_token_budget", 1_000_000)
    model_server.script(summary_reply(EXPORT.intents))
    await page.keyboard.press("r")
    await state_is(page, "fresh")
