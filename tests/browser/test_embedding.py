"""`/panel/{slot}` in a frame of a page that another service on this machine serves."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.async_api import Browser, expect

from tests.browser.sessions import CHECKOUT, summarize
from tests.support.live import LiveService
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.slow


class Host(ThreadingHTTPServer):
    """A host of its own origin, whose only page holds these frames."""

    def __init__(self, framed: Sequence[str]) -> None:
        frames = [f'<iframe title="Summary" width=360 height=640 src="{address}"></iframe>' for address in framed]
        page = f"<!doctype html>{''.join(frames)}".encode()

        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, format: str, *args: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Page)


@contextmanager
def serving(host: Host) -> Iterator[Host]:
    """The host, while it answers."""
    with host:
        thread = threading.Thread(target=host.serve_forever)
        thread.start()
        try:
            yield host
        finally:
            host.shutdown()
            thread.join()


@pytest.fixture
def host(live: LiveService) -> Iterator[Host]:
    with serving(Host([f"{live.url}/panel/checkout#token={live.token}"])) as server:
        yield server


async def test_a_host_on_this_machine_shows_a_panel(
    live: LiveService, browser: Browser, host: Host, model_server: ModelServer
) -> None:
    """Under the same host name the panel signs in by its address, shows the summary and follows what happens."""
    summarize(live, model_server, CHECKOUT)
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(f"http://127.0.0.1:{host.server_port}/")
    panel = page.frame_locator("iframe")
    await expect(panel.locator("#summary[data-state=fresh]")).to_be_visible()
    live.append("checkout", [{"role": "user", "content": "and now?"}])
    await expect(panel.locator("#summary[data-state=stale]")).to_be_visible()
    await context.close()


async def test_a_page_under_another_name_cannot(
    live: LiveService, browser: Browser, host: Host, model_server: ModelServer
) -> None:
    """To a browser that is another site, whose frames get no cookie of this one: it is refused, as every site is."""
    summarize(live, model_server, CHECKOUT)
    context = await browser.new_context()
    page = await context.new_page()
    async with page.expect_response(lambda answer: "/panel/" in answer.url) as framed:
        await page.goto(f"http://localhost:{host.server_port}/")
    assert (await framed.value).status == 403
    await context.close()
