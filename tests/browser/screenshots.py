"""Takes pictures of the page: `python -m tests.browser.screenshots FOLDER`. The README shows some of them.

Each scene is taken as wide as a telephone, a tablet and a screen, light and dark, for whoever looks how it reads.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from tests.browser.conftest import CHROMIUM
from tests.browser.sessions import ALL, CHECKOUT, EXPORT, UNNAMED, open_session, summarize
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, error_reply

SIZES = ((360, 780), (768, 1024), (1440, 900))
README_SIZE = (1280, 800)
# What tells that a scene is drawn whole.
DRAWN = ".intents, .notice:not(.unread), .items, .row, .nothing"
SCENES = {
    "list": "/",
    "open-items": "/open-items",
    "panel": "/panel/checkout",
    "stale": "/?slot=stale",
    "none": "/?slot=none",
    "too-few": "/?slot=too-few",
    "failed": "/?slot=failed",
    "renewal-failed": "/?slot=renewal-failed",
    "gone": "/?slot=gone",
} | {made.slot: f"/?slot={made.slot}" for made in (*ALL, UNNAMED)}


@contextmanager
def service() -> Iterator[tuple[LiveService, ModelServer]]:
    """A service of its own with the feature on, whose model is scripted."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ModelServer() as model,
        LiveService(Path(folder), environ={"ANTHROPIC_BASE_URL": model.url}) as live,
    ):
        live.set("session_summary.enabled", True)
        yield live, model


async def take(browser: Browser, live: LiveService, path: str, file: Path, size: tuple[int, int], scheme: str) -> None:
    """One picture of one address, as much of it as fits into the window."""
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = await context.new_page()
    await page.goto(f"{live.url}{path}#token={live.token}")
    await page.locator(DRAWN).locator("visible=true").first.wait_for()
    await page.screenshot(path=file)
    await context.close()


async def gallery(live: LiveService, scenes: dict[str, str], into: Path) -> None:
    """Every scene at every size, light and dark."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, path in scenes.items():
            for size in SIZES:
                for scheme in ("light", "dark"):
                    await take(browser, live, path, into / f"{name}-{size[0]}-{scheme}.png", size, scheme)
        await browser.close()


async def readme(live: LiveService, into: Path) -> None:
    """The pictures that the README shows, in `tests/browser/pictures`."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        await take(browser, live, "/?slot=checkout", into / "sessions.png", README_SIZE, "light")
        await browser.close()


def main(into: Path) -> None:
    """Made-up sessions, summarized by a scripted model, as the page shows them."""
    into.mkdir(parents=True, exist_ok=True)
    with service() as (live, model):
        for made in (EXPORT, CHECKOUT):
            summarize(live, model, made)
        asyncio.run(readme(live, into))
    with service() as (live, model):
        _fill(live, model)
        asyncio.run(gallery(live, SCENES, into))
    with service() as (live, _):
        asyncio.run(gallery(live, {"empty": "/", "empty-open-items": "/open-items"}, into))
        live.set("session_summary.enabled", False)
        asyncio.run(gallery(live, {"off": "/"}, into))
        open_session(live, EXPORT)
        asyncio.run(gallery(live, {"off-list": "/"}, into))


def _fill(live: LiveService, model: ModelServer) -> None:
    """Sessions in every state, besides those of every shape."""
    live.set("session_summary.max_input_chars", 200_000)
    for made in (*ALL, UNNAMED, replace(EXPORT, slot="stale"), replace(CHECKOUT, slot="renewal-failed")):
        summarize(live, model, made)
    for slot in ("stale", "renewal-failed"):
        live.append(slot, [{"role": "user", "content": "And as a spreadsheet?"}])
    open_session(live, replace(EXPORT, slot="failed"))
    for slot in ("failed", "renewal-failed"):
        model.script(error_reply(400))
        live.generate(slot)
    open_session(live, replace(EXPORT, slot="none"))
    open_session(live, replace(EXPORT, slot="too-few", turns=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
