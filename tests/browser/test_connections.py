"""A browser allows six connections to one address: pages share one stream, and what waits for a model holds few."""

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import EXPORT, open_session, summarize
from tests.browser.test_embedding import Host, serving
from tests.browser.test_states import state_is
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, summary_reply
from tests.support.wait import wait_until

pytestmark = pytest.mark.slow

NEWS = [{"role": "user", "content": "and XLSX?"}]
HIDE = "Object.defineProperty(document, 'hidden', {configurable: true, get: () => true})"
SHOW = "delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))"
# It still asks: once it is replaced, it is one of those that are told.
PASS_NOTHING_ON = """() => {
  const post = BroadcastChannel.prototype.postMessage;
  BroadcastChannel.prototype.postMessage = function (message) {
    if (message.kind === "ask") post.call(this, message);
  };
}"""
HOLD_WHAT_IS_ASKED_OF_OTHERS = """
  const post = BroadcastChannel.prototype.postMessage;
  const letGo = new Promise((go) => (window.letGo = go));
  BroadcastChannel.prototype.postMessage = function (said) { letGo.then(() => post.call(this, said)); };
"""


async def _another(context: BrowserContext, address: str, *, script: str = "") -> Page:
    page = await context.new_page()
    if script:
        await page.add_init_script(script)
    await page.goto(address)
    return page


async def _streams_are(live: LiveService, n: int) -> None:
    await wait_until(lambda: live.hub.streams == n, within=5)


async def test_summaries_under_way_leave_the_page_its_connections(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """While five summaries wait for a slow model, a sixth session is read, and each of the five comes by itself."""
    slots = [f"s{n}" for n in range(6)]
    for slot in slots:
        live.put(slot, title=slot)
        live.append(slot, [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}])
    page = await visit("/?slot=s0")
    model_server.hold()
    for slot in slots[:5]:
        await page.locator(f".row[data-slot={slot}]").click()
        await page.get_by_role("button", name="Make a summary").click()
        await state_is(page, "making")
    await page.locator(".row[data-slot=s5]").click()
    await state_is(page, "none")
    model_server.release()
    for slot in slots[:5]:
        await page.locator(f".row[data-slot={slot}]").click()
        await state_is(page, "fresh")


async def test_a_session_that_could_not_be_read_is_read_again_by_itself(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """One read that fails is no dead end: nobody has to press anything."""
    summarize(live, model_server, EXPORT)
    page = await visit("/?slot=nosuch")
    await state_is(page, "gone")
    await page.route("**/export/summary", lambda route: route.abort(), times=1)
    await page.locator(".row[data-slot=export]").click()
    await state_is(page, "fresh")


async def test_panels_side_by_side_share_one_stream(
    live: LiveService, browser: Browser, model_server: ModelServer
) -> None:
    """Seven panels in one page of a host are all shown and follow what happens, on one connection."""
    slots = [f"s{n}" for n in range(7)]
    for slot in slots:
        live.put(slot, title=slot)
        live.append(slot, [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}])
        live.generate(slot).raise_for_status()
    context = await browser.new_context()
    page = await _another(context, f"{live.url}/#token={live.token}")
    await state_is(page, "fresh")
    await page.close()
    with serving(Host([f"{live.url}/panel/{slot}" for slot in slots])) as host:
        page = await _another(context, f"http://127.0.0.1:{host.server_port}/")
        panels = [page.frame_locator(f"iframe >> nth={n}").locator("#summary") for n in range(7)]
        for panel in panels:
            await expect(panel).to_have_attribute("data-state", "fresh")
        await _streams_are(live, 1)
        live.append("s3", NEWS)
        await expect(panels[3]).to_have_attribute("data-state", "stale")
        await context.close()


async def test_a_page_opened_in_the_background_holds_no_stream(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """It begins to listen when it is looked at, and is then as new as the store."""
    summarize(live, model_server, EXPORT)
    front = await visit()
    await state_is(front, "fresh")
    await front.close()
    await _streams_are(live, 0)
    hidden = await _another(front.context, live.url, script=HIDE)
    await state_is(hidden, "fresh")
    live.append("export", NEWS)
    assert live.hub.streams == 0
    await hidden.evaluate(SHOW)
    await state_is(hidden, "stale")
    await _streams_are(live, 1)


async def close(page: Page) -> None:
    await page.close()


async def hide(page: Page) -> None:
    await page.evaluate(f"{HIDE}; document.dispatchEvent(new Event('visibilitychange'))")


async def freeze(page: Page) -> None:
    session = await page.context.new_cdp_session(page)
    await session.send("Page.setWebLifecycleState", {"state": "frozen"})


@pytest.mark.parametrize("leave", [close, hide, freeze])
async def test_when_the_listening_page_goes_the_others_miss_nothing(
    live: LiveService, visit: Visit, model_server: ModelServer, leave: Callable[[Page], Awaitable[None]]
) -> None:
    """What happens just then, and later, is on the pages that stay."""
    summarize(live, model_server, EXPORT)
    first = await visit()
    await state_is(first, "fresh")
    others = [await _another(first.context, live.url) for _ in range(2)]
    for other in others:
        await state_is(other, "fresh")
    await _streams_are(live, 1)
    await leave(first)
    live.append("export", NEWS)
    for other in others:
        await state_is(other, "stale")
    live.generate("export").raise_for_status()
    for other in others:
        await state_is(other, "fresh")
    await _streams_are(live, 1)


async def test_a_listening_page_that_falls_silent_is_replaced(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Where it holds on to its place and passes nothing on, another page takes that place and has missed nothing."""
    summarize(live, model_server, EXPORT)
    first = await visit()
    await state_is(first, "fresh")
    other = await first.context.new_page()
    await other.clock.install()
    await other.goto(live.url)
    await state_is(other, "fresh")
    await _streams_are(live, 1)
    await first.evaluate(PASS_NOTHING_ON)
    live.append("export", NEWS)
    await state_is(first, "stale")
    await other.clock.fast_forward(60_000)
    await state_is(other, "stale")
    live.generate("export").raise_for_status()
    for page in (first, other):
        await state_is(page, "fresh")
    await _streams_are(live, 1)


async def test_a_page_that_comes_late_misses_nothing(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """What happens after a page has read, and before it hears the page that listens, is on it."""
    summarize(live, model_server, EXPORT)
    first = await visit()
    await state_is(first, "fresh")
    late = await _another(first.context, live.url, script=HOLD_WHAT_IS_ASKED_OF_OTHERS)
    await state_is(late, "fresh")
    live.append("export", NEWS)
    await state_is(first, "stale")
    await late.evaluate("letGo()")
    await state_is(late, "stale")


async def test_two_pages_open_with_one_list_request_each(live: LiveService, visit: Visit) -> None:
    """A page that joins reads nothing twice where nothing happened."""
    open_session(live, EXPORT)
    first = await visit()
    await state_is(first, "none")
    second = await first.context.new_page()
    asked: list[str] = []
    second.on("request", lambda request: asked.append(request.url) if "/api/chat/slots?" in request.url else None)
    await second.goto(live.url)
    await state_is(second, "none")
    live.put("later", title="Later")
    await expect(second.locator(".row")).to_have_count(2)
    assert len(asked) == 2


async def test_a_restart_is_followed_by_every_page(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """Pages that share a stream all say that the service is away, and are all right when it is back."""
    summarize(live, model_server, EXPORT)
    first = await visit()
    pages = [first, await _another(first.context, live.url)]
    for page in pages:
        await state_is(page, "fresh")
    live.stop()
    for page in pages:
        await expect(page.locator("#connection")).to_contain_text("does not answer")
    with LiveService(live.folder.path, port=int(live.url.rpartition(":")[2])) as again:
        again.append("export", NEWS)
        for page in pages:
            await state_is(page, "stale")
            await expect(page.locator("#connection")).to_be_empty()


async def test_a_service_that_hangs_is_told(live: LiveService, visit: Visit) -> None:
    """A connection on which not even a heartbeat comes any more is given up, and the page says that nobody answers."""
    open_session(live, EXPORT)
    blank = await visit("/healthz")
    page = await blank.context.new_page()
    await page.clock.install()
    await page.goto(f"{live.url}/#token={live.token}")
    await state_is(page, "none")
    await _streams_are(live, 1)

    async def hang(route: Route) -> None:
        """Neither answers nor refuses."""

    await page.route("**/api/events", hang)
    await page.clock.fast_forward(40_000)
    await page.clock.fast_forward(2_000)
    await expect(page.locator("#connection")).to_contain_text("does not answer")
    await page.unroute("**/api/events")
    await page.clock.fast_forward(20_000)
    await page.clock.fast_forward(20_000)
    await expect(page.locator("#connection")).to_be_empty()


async def test_a_summary_that_was_asked_for_is_read_once(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """A click on the button is one request to make it and one to read it."""
    open_session(live, EXPORT)
    model_server.script(summary_reply(EXPORT.intents))
    page = await visit()
    await expect(page.get_by_role("button", name="Make a summary")).to_be_visible()
    await _streams_are(live, 1)
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.method) if sent.url.endswith("/summary") else None)
    await page.get_by_role("button", name="Make a summary").click()
    await state_is(page, "fresh")
    live.put("later", title="Later")
    await expect(page.locator(".row")).to_have_count(2)
    assert asked == ["POST", "GET"]
