"""What opening the page takes on a folder of 10,000 sessions, and what a long list costs once it is loaded.

Run: python -m tests.bench.bench_page
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from playwright.async_api import BrowserContext, Page, async_playwright

from service.store import slots, transcripts
from service.store.access import DASHBOARD
from service.store.engine import Database, Write
from service.store.schema import migrate
from service.store.slots import SlotChange
from tests.browser.conftest import CHROMIUM
from tests.support.live import LiveService
from tests.support.stored import NOW_NS, replied, said

_SESSIONS = 10_000
_OPENINGS = 15
_LOADED = (50, 1_000, 4_000, 10_000)
# When the first summary is in the page, counted from the moment at which it was asked for.
_NOTE_FIRST_SUMMARY = """
  new MutationObserver(() => {
    if (document.querySelector(".intent")) window.firstSummary ??= performance.now();
  }).observe(document, { childList: true, subtree: true });
"""
_PRESS_J = """async () => {
  const begun = performance.now();
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  return performance.now() - begun;
}"""


async def _fill(database: Path) -> None:
    await migrate(database)
    db = Database(database)

    async def write(w: Write) -> None:
        for n in range(_SESSIONS):
            change = SlotChange(title=f"Session number {n}", project=f"/home/dev/project-{n % 40}")
            await slots.put_slot(w, f"s{n}", change, DASHBOARD, NOW_NS + n)
            messages = [said("Sort the imports"), replied("Sorted."), said("Now the tests"), replied("Done.")]
            await transcripts.append_messages(w, f"s{n}", messages, NOW_NS + n)

    await db.write(write)
    await db.close()


async def _openings(context: BrowserContext, address: str) -> tuple[list[float], list[str]]:
    """Milliseconds from navigation to the first summary, and what the last opening asked the service for."""
    taken: list[float] = []
    asked: list[str] = []
    for _ in range(_OPENINGS):
        page = await context.new_page()
        asked.clear()
        page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
        await page.add_init_script(_NOTE_FIRST_SUMMARY)
        await page.goto(address)
        await page.locator(".intent").first.wait_for()
        taken.append(float(await page.evaluate("window.firstSummary")))
        await page.close()
    return taken, asked


async def _timed(work: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    await work()
    return (time.perf_counter() - begun) * 1000


async def _long_list(page: Page) -> None:
    await page.locator(".row").first.wait_for()
    loaded = 50
    for wanted in _LOADED:
        more: list[float] = []
        while loaded < wanted:
            loaded += 50
            arrived = f".rows li:nth-child({loaded})"

            async def one_page(arrived: str = arrived) -> None:
                await page.evaluate("document.querySelector('.more').click()")
                await page.wait_for_selector(arrived, state="attached")

            more.append(await _timed(one_page))
        pressed = [float(await page.evaluate(_PRESS_J)) for _ in range(5)]
        last = f"Show more {statistics.median(more[-5:]):4.0f} ms, " if more else ""
        sys.stdout.write(f"{wanted:6} rows loaded: {last}j {statistics.median(pressed):4.0f} ms\n")


async def _measure(live: LiveService) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = await browser.new_context(viewport={"width": 1440, "height": 900})
        page = await context.new_page()
        await page.goto(f"{live.url}/#token={live.token}")
        for path in ("/", f"/?slot=s{_SESSIONS - 1}"):
            taken, asked = await _openings(context, live.url + path)
            spread = f"{min(taken):.0f} to {max(taken):.0f} ms, median {statistics.median(taken):.0f} ms"
            lists = sum("/api/chat/slots?" in url for url in asked)
            sys.stdout.write(f"{path}: first summary after {spread}; {lists} request for the list of {len(asked)}\n")
        await _long_list(page)
        await browser.close()


def main() -> None:
    """Fills a folder, serves it with the outline engine, and looks at it through a real browser."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(_fill(folder / "session-summary.db"))
        with LiveService(folder) as live:
            live.set("engine", "outline")
            live.set("session_summary.enabled", True)
            live.generate(f"s{_SESSIONS - 1}").raise_for_status()
            sys.stdout.write(f"load before: {os.getloadavg()[0]:.1f}\n")
            asyncio.run(_measure(live))
            sys.stdout.write(f"load after: {os.getloadavg()[0]:.1f}\n")


if __name__ == "__main__":
    main()
