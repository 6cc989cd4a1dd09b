"""A real Chromium against the real service; without a Chromium these tests are skipped."""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, Request, async_playwright, expect

from tests.support.live import LiveService
from tests.support.model_server import ModelServer

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
Visit = Callable[..., Awaitable[Page]]
WITHIN_MS = 8_000

expect.set_options(timeout=WITHIN_MS)


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One browser for the whole run; each page has a profile of its own."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    async with async_playwright() as playwright:
        options = ["--no-sandbox", "--disable-background-networking"]
        launched = await playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        yield launched
        await launched.close()


@pytest.fixture
def live(tmp_path: Path, model_server: ModelServer) -> Iterator[LiveService]:
    """A service with the feature on, whose model is scripted."""
    environ = {"ANTHROPIC_BASE_URL": model_server.url}
    with LiveService(tmp_path, environ=environ) as service:
        service.set("session_summary.enabled", True)
        yield service


@pytest.fixture
async def visit(browser: Browser, live: LiveService) -> AsyncIterator[Visit]:
    """Opens a page of the service, by default with the token in the address as `serve` prints it.

    Afterwards no script may have failed, no dialog of the browser have opened, nothing but the service been asked.
    """
    contexts, problems = [], []

    def watched(page: Page) -> Page:
        page.on("pageerror", lambda error: problems.append(f"script: {error}"))
        page.on("dialog", lambda dialog: problems.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: problems.extend(_elsewhere(request, live.url)))
        page.on("console", lambda said: problems.append(said.text) if "Content Security Policy" in said.text else None)
        return page

    async def opened(
        path: str = "/",
        *,
        width: int = 1440,
        height: int = 900,
        scheme: str = "light",
        signed_in: bool = True,
        touch: bool = False,
    ) -> Page:
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            has_touch=touch,
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        page = watched(await context.new_page())
        await page.goto(live.url + path + (f"#token={live.token}" if signed_in else ""))
        return page

    yield opened
    for context in contexts:
        await context.close()
    assert problems == []


def _elsewhere(request: Request, url: str) -> list[str]:
    return [] if request.url.startswith(url + "/") else [f"request to {request.url}"]
