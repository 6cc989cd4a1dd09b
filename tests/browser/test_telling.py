"""What the page says: no false calm, each failure with what to do, and nothing offered that cannot be done."""

from dataclasses import replace
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.sessions import CHECKOUT, EXPORT, MANY, UNNAMED, fact, open_session, step, summarize
from tests.browser.test_states import state_is
from tests.domain.test_reasons import MENDABLE
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, error_reply, intent, summary_reply

pytestmark = pytest.mark.slow

# Reasons that the page shows as a state of their own.
STATES = {"disabled", "in_flight", "running"}


async def test_a_stale_summary_does_not_say_that_nothing_waits(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Nobody knows what waits in turns no summary has read: it is told when nothing waited, and what came since."""
    summarize(live, model_server, EXPORT)
    page = await visit()
    items = page.locator(".open-items")
    await expect(items).to_contain_text("Nothing waits for you in this session.")
    live.append("export", [{"role": "user", "content": "and XLSX?"}, {"role": "assistant", "content": "?"}] * 2)
    await state_is(page, "stale")
    await expect(items).to_contain_text("Nothing waited for you when this summary was made; 2 turns came since.")
    model_server.hold()
    model_server.script(summary_reply(EXPORT.intents))
    await page.get_by_role("button", name="Refresh").click()
    await state_is(page, "making")
    await expect(items).not_to_contain_text("Nothing waits")
    model_server.release()
    await expect(items).to_contain_text("Nothing waits for you in this session.")


async def test_a_failed_renewal_is_told_beside_the_summary_it_leaves(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Its title does not deny the summary that stands below, and one paragraph says all."""
    summarize(live, model_server, EXPORT)
    live.append("export", [{"role": "user", "content": "and XLSX?"}])
    model_server.script(error_reply(400))
    page = await visit()
    await page.get_by_role("button", name="Refresh").click()
    await state_is(page, "failed")
    notice = page.locator(".notice.failed")
    await expect(notice.locator("h2")).to_have_text("The summary could not be renewed")
    await expect(notice.locator("p")).to_have_count(1)
    await expect(notice.locator("p")).to_contain_text("models.background and anthropic.base_url")
    await expect(notice.locator("p")).to_contain_text("1 turn was added after this summary was made.")


async def test_every_failure_says_what_to_do(visit: Visit) -> None:
    """Behind each sentence of what happened stands another of what can be done."""
    page = await visit()
    module = await page.locator("link[rel=modulepreload][href$='texts.js']").get_attribute("href")
    failures: dict[str, str] = await page.evaluate("(module) => import(module).then(({ T }) => T.failures)", module)
    assert {reason for reason in MENDABLE if reason not in failures} == STATES
    for sentences in (failures[reason] for reason in MENDABLE if reason not in STATES):
        _, deed = sentences.split(". ", 1)
        assert deed.split()[0] in {"Try", "Check", "Raise", "Lower", "Go", "Make"}, sentences


async def test_while_the_service_is_down_nothing_that_needs_it_can_be_pressed(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Copying and switching are barred, and say why, until the service answers again."""
    summarize(live, model_server, EXPORT)
    page = await visit()
    await state_is(page, "fresh")
    live.stop()
    for button in (page.locator(".copy"), page.get_by_role("switch")):
        await expect(button).to_have_attribute("aria-disabled", "true")
        await expect(button).to_have_attribute(
            "title", "The service does not answer; this works again as soon as it does."
        )
        await button.click(force=True)
        await expect(page.locator(".told")).to_contain_text("this works again as soon as it does")
    await expect(page.get_by_role("switch")).to_have_attribute("aria-checked", "true")


async def _marks_of(page: Page) -> list[str]:
    marks: list[str] = await page.locator(".open-items :is(.chip, .mark)").all_inner_texts()
    return marks


async def test_what_is_new_since_the_last_look_is_marked_among_the_open_items(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """What is counted above is marked where the person looks first; the counts stay whole."""
    summarize(live, model_server, CHECKOUT)
    page = await visit("/?slot=checkout")
    await state_is(page, "fresh")
    await page.goto("about:blank")
    live.append("checkout", [{"role": "user", "content": "and now?"}])
    first, second, third, _ = CHECKOUT.intents
    needing = {**third, "verified": False, "next_steps": [step("Sort it by code")]}
    model_server.script(summary_reply([first, {**second, "progress": ["All of it works."]}, needing]))
    live.generate("checkout").raise_for_status()
    await page.goto(f"{live.url}/?slot=checkout")
    since = page.locator("[data-since]")
    await expect(since).to_contain_text("Since your last look (summary of ")
    await expect(since).to_contain_text("): 1 goal now needs you, 1 changed.")
    assert await _marks_of(page) == ["Needs you", "Now needs you", "In progress", "Changed"]
    breaks = "(parts) => parts.map((part) => getComputedStyle(part).whiteSpace)"
    assert await since.locator(".unbroken").evaluate_all(breaks) == ["nowrap"] * 2


async def test_turns_that_follow_each_other_are_one_range(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Ranges that overlap or touch are no pause: nobody resumed anything."""
    goals = [
        {**EXPORT.intents[0], "title": "overlapping", "ranges": [[1, 3], [2, 6]]},
        {**EXPORT.intents[0], "title": "adjacent", "ranges": [[2, 2], [1, 1]]},
        {**EXPORT.intents[0], "title": "apart", "ranges": [[1, 1], [3, 3]]},
    ]
    summarize(live, model_server, replace(EXPORT, intents=goals))
    page = await visit()
    await state_is(page, "fresh")
    lines = page.locator(".intent .turns")
    await expect(lines).to_have_text(["turns 1–6", "turns 1, 3 · resumed once", "turns 1–2"])


async def test_a_goal_that_needs_the_person_stands_above_what_goes_on(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Also where no step of it is named."""
    open_session(live, UNNAMED)
    silent = intent("Silent", status="completed", verified=False, next_steps=[])
    model_server.script(summary_reply([intent("Going on", next_steps=[step("Go on")]), silent]))
    live.generate("unnamed").raise_for_status()
    page = await visit()
    await expect(page.locator(".open-items .goal-line a")).to_have_text(["Silent", "Going on"])
    await expect(page.locator(".open-items")).to_contain_text("No next step named; 1 goal needs you:")


async def test_open_items_name_the_session_and_the_goal(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """A step alone says little to who comes back: it stands with its goal and with the title of its session."""
    older = intent("Older", ranges=[[1, 1]], status="completed", verified=False, next_steps=[step("Do the older one")])
    newer = intent("Newer", ranges=[[2, 2]], status="completed", verified=False, next_steps=[step("Do the newer one")])
    summarize(live, model_server, replace(EXPORT, intents=[older, newer]))
    page = await visit("/open-items")
    await expect(page.locator(".item-link")).to_have_text(["CSV export", "CSV export"])
    await expect(page.locator(".open-item .of bdi")).to_have_text(["Older", "Newer"])


async def test_doubted_work_has_no_tick(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """Done is ticked where it is shown or nothing was claimed, not where the claim is contradicted or only said."""
    live.put("s")
    for result in ("passed", "failed", None):
        facts = [fact("ran", f"pytest {result}", result)] if result else []
        live.append("s", [{"role": "user", "content": "go"}, {"role": "assistant", "content": "Done.", "facts": facts}])
    model_server.script(
        summary_reply([intent(f"Goal {n}", ranges=[[n, n]], status="completed", verified=True) for n in (1, 2, 3)])
    )
    live.generate("s").raise_for_status()
    page = await visit()
    await state_is(page, "fresh")
    tick = "(chips) => chips.map((chip) => getComputedStyle(chip, '::before').content.includes('✓'))"
    assert await page.locator(".intent h3 .chip").evaluate_all(tick) == [False, False, True]


@pytest.mark.parametrize("sessions", [0, 1])
async def test_a_telephone_is_told_that_summaries_are_off(live: LiveService, visit: Visit, sessions: int) -> None:
    """Where only the list fits, the words and the button stand above the rows; states are no choice then."""
    for _ in range(sessions):
        open_session(live, EXPORT)
    live.set("session_summary.enabled", False)
    page = await visit(width=360, height=780)
    notice = page.locator(".notice.off")
    await expect(notice).to_contain_text("Summaries are off")
    below = page.locator(".row" if sessions else ".nothing")
    await expect(below).to_be_visible()
    assert (await _box(page, ".notice.off"))["y"] < (await _box(page, ".rows"))["y"]
    await expect(page.locator(".narrowing")).to_be_hidden()
    await notice.get_by_role("button", name="Switch summaries on").click()
    await expect(notice).to_be_hidden()
    if sessions:
        await expect(page.locator(".narrowing")).to_be_visible()


async def test_a_telephone_is_told_how_the_first_session_comes(live: LiveService, visit: Visit) -> None:
    """The advice for an empty service is there however narrow the page is, and nothing to narrow nothing with."""
    page = await visit(width=360, height=780)
    await expect(page.locator(".notice.first-session")).to_contain_text("session-summary doctor")
    await expect(page.locator(".narrowing")).to_be_hidden()
    open_session(live, EXPORT)
    await expect(page.locator(".row")).to_be_visible()
    await expect(page.locator(".notice.first-session")).to_be_hidden()
    await expect(page.locator(".narrowing")).to_be_visible()


async def test_a_search_without_a_match_keeps_its_filters(live: LiveService, visit: Visit) -> None:
    """Only a list that is empty by itself has nothing to narrow."""
    open_session(live, EXPORT)
    page = await visit()
    await page.get_by_role("searchbox").fill("nothing like it")
    await expect(page.locator(".nothing")).to_contain_text("No session matches")
    await expect(page.locator(".narrowing")).to_be_visible()


async def test_nothing_said_yet_is_said(live: LiveService, visit: Visit) -> None:
    """A session without a turn is not told how few turns it has; a private one is told in a sentence."""
    live.put("blank", title="Blank")
    page = await visit("/?slot=blank")
    await expect(page.locator(".notice")).to_contain_text("Nothing was said yet.")
    live.put("blank", memory_mode="incognito")
    await expect(page.locator(".notice.barred p")).to_have_text("This session is private: nothing is kept of it.")


async def test_a_finger_finds_turns_and_goals(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """Turn numbers are at least 24 pixels each way on a touch screen."""
    summarize(live, model_server, CHECKOUT)
    page = await visit("/?slot=checkout", width=360, height=780, touch=True)
    await state_is(page, "fresh")
    sizes = "(parts) => parts.map((e) => e.getBoundingClientRect()).map(({ width, height }) => [width, height])"
    found: list[list[float]] = await page.locator("article .turn, .goal-line a").evaluate_all(sizes)
    assert found
    assert all(width >= 24 and height >= 24 for width, height in found)


@pytest.mark.parametrize("width", [*range(340, 420, 8), 700])
async def test_no_line_begins_or_ends_with_a_separator(
    live: LiveService, visit: Visit, model_server: ModelServer, width: int
) -> None:
    """A separator is shown only between two parts on one line."""
    live.set("session_summary.max_input_chars", 4_000)
    summarize(live, model_server, replace(MANY, slot="checkout", title="Totals are off", intents=CHECKOUT.intents))
    page = await visit("/?slot=checkout", width=width, height=780)
    await state_is(page, "fresh")
    await expect(page.locator(".pane-facts")).to_contain_text("50 turns")
    assert await page.evaluate(_DANGLING) == []


# The lines on which a separator is shown though nothing stands before it or behind it there.
_DANGLING = """() => {
  const found = [];
  for (const parts of document.querySelectorAll(".pane .separated")) {
    const start = parts.parentElement.getBoundingClientRect().left;
    for (const part of [...parts.children].slice(1)) {
      const separator = part.querySelector(".separator").getBoundingClientRect();
      const behind = document.createRange();
      behind.setStartAfter(part.querySelector(".separator"));
      behind.setEndAfter(part.lastChild);
      const shown = separator.right > start;
      const ends = behind.getClientRects()[0].top > separator.bottom;
      const begins = part.previousElementSibling.getBoundingClientRect().bottom <= separator.top;
      if (shown && (begins || ends)) found.push(parts.textContent);
    }
  }
  return found;
}"""


async def _box(page: Page, selector: str) -> dict[str, Any]:
    box = await page.locator(selector).first.bounding_box()
    assert box is not None
    return dict(box)
