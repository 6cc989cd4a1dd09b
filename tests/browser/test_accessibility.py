"""The rules of axe, against what the page shows in its main states, light and dark."""

from importlib.resources import files
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import ARABIC, CHECKOUT, EXPORT, MANY, open_session, summarize
from tests.support.live import LiveService
from tests.support.model_server import ModelServer

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
