"""The rules of axe, against what the page shows in its main states, light and dark."""

from importlib.resources import files
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import ARABIC, CHECKOUT, EXPORT, MANY, open_session, summarize
from tests.browser.test_states import state_is
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, error_reply, summary_reply

pytestmark = pytest.mark.slow

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
SERIOUS = ("serious", "critical")
LANDMARKS = {"page-has-heading-one", "landmark-one-main", "region"}
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])


async def violations(page: Page) -> list[tuple[str, list[Any]]]:
    """What axe finds grave: the rule, and the elements that break it."""
    await page.evaluate(AXE)
    found = await page.evaluate("axe.run()")
    assert len(found["passes"]) > 10
    grave = [rule for rule in found["violations"] if rule["impact"] in SERIOUS or rule["id"] in LANDMARKS]
    return [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in grave]


@SCHEMES
async def test_a_summary_beside_the_list(
    live: LiveService, visit: Visit, model_server: ModelServer, scheme: str
) -> None:
    """Everybody can perceive and operate the list and a summary with all that one can hold."""
    for made in (MANY, ARABIC, CHECKOUT):
        summarize(live, model_server, made)
    page = await visit("/?slot=checkout", scheme=scheme)
    await expect(page.locator("#summary[data-state=fresh]")).to_be_visible()
    assert await violations(page) == []
    await page.locator(".turn").first.click()
    await expect(page.get_by_role("dialog")).to_contain_text("what about part 1?")
    assert await violations(page) == []


@SCHEMES
@pytest.mark.parametrize("state", ["none", "off", "stale", "too-few", "gone"])
async def test_a_state_without_a_fresh_summary(
    live: LiveService, visit: Visit, model_server: ModelServer, state: str, scheme: str
) -> None:
    """What is said in place of a summary, and its button, are there for everybody."""
    open_session(live, EXPORT)
    if state == "stale":
        summarize(live, model_server, CHECKOUT)
        live.append("checkout", [{"role": "user", "content": "One more thing"}])
    if state == "too-few":
        live.rewrite("export", [{"role": "user", "content": "Only this"}])
    live.set("session_summary.enabled", state != "off")
    slot = {"stale": "checkout", "gone": "nowhere"}.get(state, "export")
    page = await visit(f"/?slot={slot}", scheme=scheme)
    await expect(page.locator(f"#summary[data-state={state}]")).to_be_visible()
    assert await violations(page) == []


@SCHEMES
@pytest.mark.parametrize("path", ["/", "/?slot=checkout", "/panel/checkout", "/open-items"])
async def test_on_a_narrow_screen(
    live: LiveService, visit: Visit, model_server: ModelServer, path: str, scheme: str
) -> None:
    """Each page has its main part and its heading where only one pane fits."""
    summarize(live, model_server, CHECKOUT)
    page = await visit(path, width=360, height=740, scheme=scheme)
    await expect(page.locator(".row, .open-item").locator("visible=true").first).to_be_visible()
    assert await violations(page) == []


@SCHEMES
async def test_without_a_token(live: LiveService, visit: Visit, scheme: str) -> None:
    """The page that asks for its token can be read by everybody."""
    page = await visit(signed_in=False, scheme=scheme)
    await expect(page.locator("[data-state=signed-out]")).to_be_visible()
    assert await violations(page) == []


async def _is_told(page: Page, words: str) -> None:
    await expect(page.locator("#announcer[role=status]")).to_contain_text(words)


async def test_a_screen_reader_hears_how_a_summary_comes_and_goes_stale(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """That one is being made, that it is there, that the session went on, and why the next one failed."""
    open_session(live, EXPORT)
    page = await visit()
    model_server.hold()
    model_server.script(summary_reply(EXPORT.intents), summary_reply([]), error_reply(401, "authentication_error"))
    await page.get_by_role("button", name="Make a summary").click()
    await _is_told(page, "A summary is being made")
    model_server.release()
    await _is_told(page, "The summary was made")
    live.append("export", [{"role": "user", "content": "and XLSX?"}])
    await _is_told(page, "The session went on.")
    await page.get_by_role("button", name="Refresh").click()
    await _is_told(page, "The model's answer held no usable summary.")
    await page.get_by_role("button", name="Try again").click()
    await _is_told(page, "Check ANTHROPIC_API_KEY")


async def test_what_failed_stays_told_when_something_else_is_announced(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """A told error is an alert of its own: no announcement takes its words or its place."""
    summarize(live, model_server, EXPORT)
    page = await visit()
    await state_is(page, "fresh")
    await page.route("**/api/settings", lambda route: route.fulfill(status=409, json={"error": "No.", "code": "no"}))
    await page.get_by_role("switch").click()
    told = page.get_by_role("alert")
    await expect(told).to_contain_text("The switch could not be changed")
    await page.keyboard.press("r")
    await _is_told(page, "Up to date")
    await expect(told).to_contain_text("The switch could not be changed")
    await expect(told).to_be_in_viewport()
