"""What stood in the way of a summary is told whoever looks whenever, and no button is drawn before it is known."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import EXPORT, open_session, summarize
from tests.browser.test_states import MAKE, REFRESH, RETRY, no_button, state_is
from tests.support.live import LiveService, exchange
from tests.support.model_server import ModelServer, error_reply, summary_reply
from tests.support.wait import wait_until

pytestmark = pytest.mark.slow

NOTES_BUTTONS = """
  window.offered = [];
  new MutationObserver(() => {
    for (const button of document.querySelectorAll("#summary .primary:not([aria-disabled])")) {
      window.offered.push(button.textContent);
    }
  }).observe(document, { childList: true, subtree: true });
"""


def passes(live: LiveService) -> int:
    count: int = live.rows("SELECT count(*) FROM passes")[0][0]
    return count


async def test_a_failure_is_told_after_a_reload(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """Its reason and when it was; where a second try can only fail there is still no button for it."""
    open_session(live, EXPORT)
    model_server.script(error_reply(401, "authentication_error"))
    page = await visit()
    await page.get_by_role("button", name=MAKE).click()
    await state_is(page, "failed")
    await page.reload()
    await state_is(page, "failed")
    await expect(page.locator(".notice")).to_contain_text("ANTHROPIC_API_KEY")
    await expect(page.locator(".notice time")).to_have_text("It was tried just now.")
    await no_button(page, MAKE, RETRY)


async def test_other_settings_make_a_second_try_worth_while(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """After the settings were changed what could only fail may come to something: nobody is locked out."""
    open_session(live, EXPORT)
    model_server.script(error_reply(401, "authentication_error"), summary_reply(EXPORT.intents))
    assert live.generate("export").status_code == 409
    live.set("models.background", "another-model")
    page = await visit()
    await state_is(page, "failed")
    await page.get_by_role("button", name=RETRY).click()
    await state_is(page, "fresh")


@pytest.mark.parametrize("summarized", [True, False])
async def test_a_pass_that_failed_while_nobody_looked(
    live: LiveService, visit: Visit, model_server: ModelServer, summarized: bool
) -> None:
    """Who comes later reads why there is no summary, or why it is old: the failure, and what made it stale."""
    (summarize(live, model_server, EXPORT) if summarized else open_session(live, EXPORT))
    before = passes(live)
    model_server.script(error_reply(400))
    live.turn("export", "one more", "Done.")
    await wait_until(lambda: passes(live) > before)
    page = await visit()
    await state_is(page, "failed")
    await expect(page.locator(".notice")).to_contain_text("answered with an error")
    await expect(page.get_by_role("button", name=RETRY)).to_be_visible()
    if summarized:
        await expect(page.locator(".notice")).to_contain_text("1 turn was added after this summary was made")
        await expect(page.locator(".intent")).to_have_count(1)


async def test_skips_do_not_hide_a_failure(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """A pass that was not made, since its turn ended otherwise, says nothing of the one that failed."""
    open_session(live, EXPORT)
    model_server.script(error_reply(400))
    live.generate("export")
    before = passes(live)
    live.turn("export", "stop", stop_reason="cancelled")
    await wait_until(lambda: passes(live) > before)
    page = await visit()
    await expect(page.locator(".notice")).to_contain_text("answered with an error")


async def test_a_failure_is_over_with_the_next_summary(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """A summary that came after it ends it, also once that one is old."""
    open_session(live, EXPORT)
    model_server.script(error_reply(400))
    live.generate("export")
    model_server.script(summary_reply(EXPORT.intents))
    live.generate("export").raise_for_status()
    live.append("export", exchange("and XLSX?"))
    page = await visit()
    await state_is(page, "stale")
    await expect(page.get_by_role("button", name=REFRESH)).to_be_visible()


async def test_a_budget_that_is_used_up_is_told_before_anybody_clicks(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Instead of a button that can only fail stand the reason and when tokens are counted anew."""
    summarize(live, model_server, EXPORT)
    live.append("export", exchange("and XLSX?"))
    live.set("daily_token_budget", 10)
    page = await visit()
    await state_is(page, "failed")
    for words in ("token budget is used up", "can be tried again", "1 turn was added"):
        await expect(page.locator(".notice")).to_contain_text(words)
    await no_button(page, REFRESH, RETRY)
    live.set("daily_token_budget", 0)
    await page.reload()
    await expect(page.get_by_role("button", name=REFRESH)).to_be_visible()


async def _offered(page: Page) -> list[str]:
    found: list[str] = await page.evaluate("window.offered")
    return found


@pytest.mark.parametrize("path", ["/panel/s1", "/?slot=s1"])
@pytest.mark.parametrize("state", ["running", "barred"])
async def test_no_button_flashes_before_it_is_known_whether_it_can_work(
    live: LiveService, visit: Visit, path: str, state: str
) -> None:
    """By a link to a session far down the list its state is right at once: at no moment can anything be clicked."""
    live.put("s1", title="Far down")
    live.append("s1", exchange("a") + exchange("b"))
    if state == "barred":
        live.client.patch(live.path("s1"), json={"memory_mode": "incognito"})
    for n in range(60):
        live.put(f"s1{n}", title=f"Session {n} of s1")
        live.append(f"s1{n}", exchange("a"))
    if state == "running":
        live.client.post(live.path("s1", "turn", "start"), json={}).raise_for_status()
    page = await visit("/?slot=s10")
    await page.add_init_script(NOTES_BUTTONS)
    await page.goto(live.url + path)
    await state_is(page, state)
    assert await _offered(page) == []
    if state == "running":
        live.client.post(live.path("s1", "turn", "end"), json={"stop_reason": "cancelled"}).raise_for_status()
        await expect(page.get_by_role("button", name=MAKE)).to_be_enabled()


async def test_nothing_is_offered_while_the_service_is_away(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """A button that needs the service waits for it; what is clicked nonetheless says aloud that it came to nothing."""
    summarize(live, model_server, EXPORT)
    live.append("export", exchange("and XLSX?"))
    page = await visit()
    await expect(page.get_by_role("button", name=REFRESH)).to_be_visible()
    live.stop()
    await no_button(page, REFRESH)
    await expect(page.locator("#connection")).to_contain_text("does not answer")
    switch = page.get_by_role("switch")
    for button in (switch, page.get_by_role("button", name="Copy as Markdown")):
        await expect(button).to_have_attribute("aria-disabled", "true")
        await button.click(force=True)
        await expect(page.locator(".told")).to_contain_text("works again as soon as it does")
    await expect(switch).to_have_attribute("aria-checked", "true")
    await expect(page.locator(".told")).to_be_in_viewport()
