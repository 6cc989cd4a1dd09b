"""Text of sessions and models is shown as text, whatever it holds, and fits wherever it is shown."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import ALL, LONG, MANY, fact, step, summarize
from tests.browser.test_states import state_is
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, intent, summary_reply

pytestmark = pytest.mark.slow

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "<img src='http://198.51.100.7/x.png'>",
    "<svg onload=alert(3)></svg>",
    "<iframe src='javascript:alert(4)'></iframe>",
    "<a href='javascript:alert(5)'>here</a>",
    "<style>*{background:url(http://198.51.100.7/c)}</style>",
    "<link rel=stylesheet href=http://198.51.100.7/s.css>",
    "<base href=http://198.51.100.7/>",
    "<meta http-equiv=refresh content='0;url=http://198.51.100.7/'>",
    "<form action=http://198.51.100.7/><button>go</button></form>",
    "<details open ontoggle=alert(6)>x</details>",
    "<math><mtext></p><img src=x onerror=alert(7)></mtext></math>",
    "<template><script>alert(8)</script></template>",
    "</textarea><script>alert(9)</script>",
    "</title><script>alert(10)</script>",
    "--><script>alert(11)</script>",
    "]]><script>alert(12)</script>",
    '" onmouseover="alert(13)',
    "' autofocus onfocus='alert(14)",
    "`${alert(15)}`",
    "{{7*7}}{% include '/etc/passwd' %}",
    "${7*7}#{7*7}<%= 7*7 %>",
    "javascript:alert(16)",
    "JaVaScRiPt:alert(17)",
    "data:text/html,<script>alert(18)</script>",
    "vbscript:msgbox(19)",
    "file:///etc/passwd",
    "//198.51.100.7/protocol-relative",
    "![image](http://198.51.100.7/i.png)",
    "[link](javascript:alert(20))",
    "&lt;script&gt;alert(21)&lt;/script&gt;",
    "&#60;script&#62;alert(22)&#60;/script&#62;",
    "\u202egnp.exe\u202c",
    "\u2066\u2067nested isolates",
    "a\u0300\u0301\u0302\u0303" * 40,
    "Z" + "\u0310\u0489\u0315\u035c" * 120 + "algo",
    "\u200b\u200bzero\u200bwidth",
    "\ufeffbyte order mark",
    "line\u2028separator\u2029paragraph",
    "tab\tand\nline\r\nbreaks",
    "very" + "long" * 300,
    "日本語" * 80,
    "שלום עולם " * 30,
    "مرحبا بالعالم " * 30,
    "👩‍👩‍👧‍👦" * 30,
    "💥" * 200,
    "constructor",
    "__proto__",
    "toString",
    "null",
    "undefined",
    "NaN",
    "true",
    '{"intents": []}',
    "[object Object]",
    "../../../etc/passwd",
    "%00%0d%0aSet-Cookie: a=b",
    "' OR 1=1 --",
    '<!--#exec cmd="ls"-->',
    "<xss style='xss:expression(alert(23))'>",
)


def _everywhere(live: LiveService, model: ModelServer, text: str) -> None:
    """A session that holds the text in every field there is."""
    slot = text.replace("\x00", "")[:200].translate({code: " " for code in (*range(32), *range(0x7F, 0xA0))})
    live.put(slot, title=text[:2000], project=text[:4000]).raise_for_status()
    facts = [fact("edited", text), fact("opened_pr", text), fact("ran", text, "failed")]
    live.append(slot, [{"role": "user", "content": text}, {"role": "assistant", "content": text, "facts": facts}])
    live.append(slot, [{"role": "user", "content": text, "ts": text}]).raise_for_status()
    model.script(
        summary_reply(
            [
                intent(
                    text, initial_intent=text, ranges=[[1, 2]], progress=[text], next_steps=[step(text, text, text)]
                ),
                intent(text, status="abandoned", initial_intent=text),
            ],
            [text],
            model=text,
        )
    )
    live.generate(slot).raise_for_status()


async def _no_sideways_scroll(page: Page) -> None:
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


async def test_hostile_text_in_every_field_is_only_text(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Sixty hostile strings in every field open no dialog, ask nobody else for anything, and are shown as they are."""
    for text in HOSTILE:
        _everywhere(live, model_server, text)
    page = await visit(width=360, height=800)
    await expect(page.locator(".row")).to_have_count(50)
    await page.get_by_role("button", name="Show more").click()
    await expect(page.locator(".row")).to_have_count(len(HOSTILE))
    for slot in await page.locator(".row").evaluate_all("(rows) => rows.map((row) => row.dataset.slot)"):
        await page.evaluate('(slot) => document.querySelector(`.row[data-slot="${CSS.escape(slot)}"]`).click()', slot)
        await state_is(page, "fresh")
        await _no_sideways_scroll(page)
        await page.locator(".back").click()
    markup = ":is(script, img, iframe, style, form, svg)"
    await expect(page.locator(f"#summary {markup}, .rows {markup}")).to_have_count(0)


async def test_hostile_text_in_an_exchange_is_only_text(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """The exchange behind a turn number shows markup as text, and only http(s) addresses as links."""
    text = "".join(HOSTILE[:20])
    _everywhere(live, model_server, text)
    page = await visit()
    await page.locator("button.turn").first.click()
    await expect(page.locator("dialog .message.person .content")).to_contain_text("<script>alert(1)</script>")
    await expect(page.locator("dialog a:not([href^='http'])")).to_have_count(0)


async def test_a_pull_request_is_a_link_only_where_its_address_is_http(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """An address that is no http(s) is shown and cannot be clicked."""
    live.put("s")
    facts = [fact("opened_pr", "ftp://code.example.org/pull/2"), fact("opened_pr", "https://code.example.org/pull/1")]
    live.append("s", [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b", "facts": facts}])
    live.append("s", [{"role": "user", "content": "c"}])
    model_server.script(summary_reply([intent()]))
    live.generate("s").raise_for_status()
    page = await visit()
    await page.locator(".evidence summary").click()
    await expect(page.locator(".evidence")).to_contain_text("ftp://code.example.org/pull/2")
    await expect(page.locator(".evidence a")).to_have_attribute("href", "https://code.example.org/pull/1")


@pytest.mark.parametrize("width", [360, 768, 1440])
async def test_nothing_is_wider_than_the_screen(
    live: LiveService, visit: Visit, model_server: ModelServer, width: int
) -> None:
    """No title, path or word makes the page scroll sideways, at any width."""
    live.set("session_summary.max_input_chars", 200_000)
    for made in ALL:
        summarize(live, model_server, made)
    page = await visit(width=width, height=800)
    await expect(page.locator(".row")).to_have_count(len(ALL))
    await _no_sideways_scroll(page)
    for made in ALL:
        await page.goto(f"{live.url}/?slot={made.slot}")
        await state_is(page, "fresh")
        await _no_sideways_scroll(page)


async def test_the_panel_alone_fits_into_360_pixels(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """An embedded panel with the longest words does not scroll sideways."""
    summarize(live, model_server, LONG)
    page = await visit("/panel/long", width=360, height=640)
    await state_is(page, "fresh")
    await _no_sideways_scroll(page)


async def test_fifty_intents_are_all_there(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """A long week with fifty goals is shown whole, the latest first."""
    live.set("session_summary.max_input_chars", 200_000)
    summarize(live, model_server, MANY)
    page = await visit()
    await expect(page.locator(".intent")).to_have_count(50)
    await expect(page.locator(".intent-title").first).to_have_text("Goal number 50 of a long week")
