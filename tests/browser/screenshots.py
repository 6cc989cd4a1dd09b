"""Takes the pictures of the README: `python -m tests.browser.screenshots FOLDER`."""

import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from tests.browser.conftest import CHROMIUM
from tests.browser.sessions import CHECKOUT, EXPORT, summarize
from tests.support.live import LiveService
from tests.support.model_server import ModelServer

PICTURES = (
    ("sessions", "/?slot=checkout", 1280, 800, False),
    ("sessions-dark", "/?slot=checkout", 1440, 900, True),
    ("panel", "/panel/checkout", 360, 780, False),
    ("open-items", "/open-items", 1024, 560, False),
)


async def take(live: LiveService, into: Path) -> None:
    """All pictures of one running service."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, path, width, height, dark in PICTURES:
            await _picture(browser, f"{live.url}{path}#token={live.token}", into / f"{name}.png", (width, height), dark)
        await browser.close()


async def _picture(browser: Browser, address: str, file: Path, size: tuple[int, int], dark: bool) -> None:
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
    )
    page = await context.new_page()
    await page.goto(address)
    await page.locator(".open-item").first.wait_for()
    await page.screenshot(path=file)
    await context.close()


def main(into: Path) -> None:
    """Made-up sessions, summarized by a scripted model, as the page shows them."""
    into.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        ModelServer() as model,
        LiveService(Path(folder), environ={"ANTHROPIC_BASE_URL": model.url}) as live,
    ):
        live.set("session_summary.enabled", True)
        for made in (EXPORT, CHECKOUT):
            summarize(live, model, made)
        asyncio.run(take(live, into))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
