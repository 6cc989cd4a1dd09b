"""What the summary says of each intent, and how its claims can be checked."""

import re
from dataclasses import replace

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Visit
from tests.browser.sessions import CHECKOUT, EXPORT, UNNAMED, fact, open_session, step, summarize
from tests.browser.test_states import state_is
from tests.support.live import LiveService
from tests.support.model_server import ModelServer, error_reply, intent, summary_reply

pytestmark = pytest.mark.slow


async def test_open_items_come_first_and_those_that_need_the_person_before_the_rest(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """The next steps stand above everything else, the one that waits for the person on top."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    items = page.locator(".open-items .what")
    await expect(items).to_have_count(3)
    await expect(items.first).to_contain_text("Place a test order")
    first = await page.locator(".pane section").first.get_attribute("class")
    assert first == "open-items"


async def test_work_in_progress_without_a_next_step_is_not_called_finished(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Where no step is named, the goals that go on are, and the last turn is a click away."""
    summarize(live, model_server, UNNAMED)
    page = await visit()
    items = page.locator(".open-items")
    await expect(items).to_contain_text("No next step named; 1 goal in progress:")
    await expect(items).to_contain_text("the report library takes six of the nine seconds")
    await expect(items).not_to_contain_text("Nothing waits")
    await items.get_by_role("link", name="Start the worker").click()
    await expect(page.locator("article.intent")).to_be_focused()
    await items.get_by_role("button", name="Read the last turn").click()
    await expect(page.get_by_role("dialog")).to_contain_text("what about part 5?")


async def test_goals_without_a_step_are_named_beside_those_with_one(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """A goal that needs the person is not hidden by the steps of another."""
    open_session(live, UNNAMED)
    silent = [intent(f"Silent {n}", status="completed", verified=False, next_steps=[]) for n in range(5)]
    model_server.script(summary_reply([intent("With a step"), *silent]))
    live.generate("unnamed").raise_for_status()
    page = await visit()
    items = page.locator(".open-items")
    await expect(items.locator(".what")).to_have_text("Run the tests")
    await expect(items).to_contain_text("No next step named; 5 goals need you:")
    await expect(items.locator(".unnamed li")).to_have_count(4)
    await expect(items).to_contain_text("and 2 more below")
    await expect(items.get_by_role("button", name="Read the last turn")).to_have_count(0)


async def test_the_last_turn_can_be_read_where_everything_is_done(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Nothing waits, and how it ended is a click away; the last turn is the session's, not the summary's."""
    summarize(live, model_server, EXPORT)
    live.append("export", [{"role": "user", "content": "what about part 7?"}])
    page = await visit()
    await expect(page.locator(".open-items")).to_contain_text("Nothing waited for you")
    await page.get_by_role("button", name="Read the last turn").click()
    await expect(page.get_by_role("dialog")).to_contain_text("what about part 7?")


async def test_too_short_a_session_names_the_setting_and_can_be_read(live: LiveService, visit: Visit) -> None:
    """Who has one turn reads why it is not summed up, which setting decides that, and the turn itself."""
    open_session(live, replace(EXPORT, turns=1))
    page = await visit()
    await expect(page.locator(".notice")).to_contain_text("The session has 1 turn so far")
    await expect(page.locator(".notice")).to_contain_text("(setting session_summary.min_user_turns)")
    await page.get_by_role("button", name="Read the last turn").click()
    await expect(page.get_by_role("dialog")).to_contain_text("what about part 1?")


async def test_a_stale_summary_says_how_much_it_misses(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """How many turns were added since tells whether a refresh is worth it."""
    summarize(live, model_server, EXPORT)
    live.append("export", [{"role": "user", "content": "one more"}, {"role": "assistant", "content": "Fine."}] * 2)
    page = await visit()
    await expect(page.locator(".notice.stale")).to_contain_text("2 turns were added after this summary was made.")


async def test_a_long_wait_is_told_as_a_time_of_day(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """Hours until the next try are no count of seconds."""
    open_session(live, EXPORT)
    model_server.script(error_reply(529, "overloaded_error", {"retry-after": "38456"}))
    page = await visit()
    await page.get_by_role("button", name="Make a summary").click()
    await expect(page.locator(".notice.failed")).to_contain_text(
        re.compile(r"tried again at .*\d:\d\d.*\(in 11 hr\.\)")
    )
    await expect(page.locator(".notice.failed")).not_to_contain_text("second")


async def test_an_intent_has_all_its_parts(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """Title, state, turns, how often resumed, what was asked, where it stands, what is suggested and why."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    shown = page.locator(".intent").first
    for words in (
        "Make the cart total agree with the invoice",
        "Needs you",
        "turns 1–5, 11–14",
        "resumed once",
        "You asked for",
        "Where it stands",
        "Suggested next",
        "inferred",
        "Both totals end in the same cent.",
    ):
        await expect(shown).to_contain_text(words)


async def test_a_dropped_intent_is_one_line_that_unfolds(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """What was given up takes one line; a click shows the rest."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    rest = page.locator("details.dropped .parts")
    await expect(rest).to_be_hidden()
    await page.locator("details.dropped > summary").click()
    await expect(rest).to_be_visible()


@pytest.mark.parametrize(
    ("verified", "facts", "words"),
    [
        (True, [fact("ran", "pytest -q", "passed")], "Confirmed in turn 1: pytest -q passed"),
        (True, [], "Said to be verified, nothing shows it"),
        (True, [fact("ran", "pytest -q", "failed")], "Said to be verified, but in turn 1: pytest -q failed"),
        (True, [fact("ran", "pytest -q", "passed"), fact("edited", "a.py")], "Said to be verified, nothing shows it"),
        (False, [fact("ran", "pytest -q", "failed")], "Not confirmed; in turn 1: pytest -q failed"),
        (False, [], "Not verified yet"),
        (None, [fact("ran", "pytest -q", "passed")], "In turn 1: pytest -q passed"),
    ],
)
async def test_a_claim_is_told_from_what_shows_it(
    live: LiveService,
    visit: Visit,
    model_server: ModelServer,
    verified: bool | None,
    facts: list[dict[str, str]],
    words: str,
) -> None:
    """A result that the tools prove reads otherwise than one that was only said."""
    live.put("s")
    live.append("s", [{"role": "user", "content": "go"}, {"role": "assistant", "content": "Done.", "facts": facts}])
    live.append("s", [{"role": "user", "content": "thanks"}])
    model_server.script(summary_reply([intent(status="completed", verified=verified)]))
    live.generate("s").raise_for_status()
    page = await visit()
    await expect(page.locator(".verdict")).to_have_text(words)
    await expect(page.locator(".verdict.good")).to_have_count(1 if words.startswith("Confirmed") else 0)


async def test_a_turn_number_opens_the_exchange(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """A click on a turn shows what was said in it; the next turn is a click away; Escape closes it."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    await page.get_by_role("button", name="11–14").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("what about part 11?")
    await dialog.get_by_role("button", name="Next turn").click()
    await expect(dialog).to_contain_text("what about part 12?")
    await expect(dialog).to_contain_text("pytest tests/payment -q failed")
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(page.get_by_role("button", name="11–14")).to_be_focused()


async def test_constraints_and_the_making_are_told(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """Below stand how the project works, by what the summary was made, what it covers, and its cost."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    await expect(page.locator(".constraints li")).to_have_count(2)
    foot = page.locator(".foot")
    await expect(foot).to_contain_text("by claude-haiku-5-5")
    await expect(foot).to_contain_text("covers 14 turns")
    await expect(foot).to_contain_text("cost $0.00016")


async def test_an_outline_says_that_no_model_made_it(live: LiveService, visit: Visit) -> None:
    """A summary without a model says so."""
    live.set("engine", "outline")
    open_session(live, EXPORT)
    live.generate("export").raise_for_status()
    page = await visit()
    await expect(page.locator(".foot")).to_contain_text("without a model")


async def test_what_changed_since_you_left_is_marked(
    live: LiveService, visit: Visit, model_server: ModelServer
) -> None:
    """Who comes back sees which intents are new, changed, or need them now; what they saw is kept without text."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    await state_is(page, "fresh")
    await page.goto("about:blank")
    live.append("checkout", [{"role": "user", "content": "and now?"}])
    first, second, third, _ = CHECKOUT.intents
    changed = [
        first,
        {**second, "progress": ["All of it works."]},
        {**third, "verified": False},
        intent("Something new"),
        intent("Something new to decide", status="completed", verified=False),
    ]
    model_server.script(summary_reply(changed))
    live.generate("checkout").raise_for_status()
    await page.goto(live.url)
    since = "): 1 goal now needs you, 1 new that needs you, 1 new, 1 changed."
    await expect(page.locator("[data-since]")).to_contain_text(since)
    marked = page.locator(".intent", has=page.locator(".mark"))
    chips = [await one.locator("h3 .chip, h3 .mark").all_inner_texts() for one in await marked.all()]
    assert sorted(chips) == [
        ["In progress", "Changed"],
        ["In progress", "New"],
        ["Needs you", "New"],
        ["Now needs you"],
    ]
    kept = await page.evaluate("localStorage.getItem('session-summary:seen:checkout')")
    assert "cart" not in kept
    assert "invoice" not in kept


async def test_nothing_is_marked_on_a_first_visit(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """Who sees a session for the first time is not told that all of it is new."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    await state_is(page, "fresh")
    await expect(page.locator(".mark, [data-since]")).to_have_count(0)


async def test_a_live_update_is_marked_too(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """A summary that changes under the reader's eyes says what changed."""
    summarize(live, model_server, EXPORT)
    page = await visit()
    await state_is(page, "fresh")
    model_server.script(summary_reply([*EXPORT.intents, intent("Mail the reports", next_steps=[step("Send one")])]))
    live.turn("export", "mail them too", "They are mailed.")
    await expect(page.locator(".intent .mark.new")).to_have_count(1)


async def test_copy_as_markdown(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """The button puts the summary into the clipboard as Markdown, or goes where the service has none."""
    summarize(live, model_server, CHECKOUT)
    page = await visit()
    speaks = live.client.get(live.path("checkout", "summary"), headers={"Accept": "text/markdown"})
    await page.get_by_role("button", name="Copy as Markdown").click()
    if speaks.headers["content-type"].startswith("text/markdown"):
        await expect(page.get_by_role("button", name="Copied")).to_be_visible()
        assert await page.evaluate("navigator.clipboard.readText()") == speaks.text
        await expect(page.get_by_role("button", name="Copy as Markdown")).to_be_visible()
    else:
        await expect(page.locator(".copy")).to_have_count(0)


async def test_the_panel_stands_alone(live: LiveService, visit: Visit, model_server: ModelServer) -> None:
    """`/panel/{slot}` shows one summary without list and head, for a key with a slash too."""
    live.put("a/b", transcript_key="export", title="CSV")
    live.append("a/b", [{"role": "user", "content": "one"}, {"role": "user", "content": "two"}])
    model_server.script(summary_reply(EXPORT.intents))
    live.generate("a/b").raise_for_status()
    page = await visit("/panel/a%2Fb", width=360, height=640)
    await state_is(page, "fresh")
    await expect(page.locator(".sessions, .top")).to_have_count(0)
    remade = [intent("Another goal")]
    model_server.script(summary_reply(remade))
    live.turn("a/b", "go on")
    await expect(page.locator(".intent-title")).to_have_text("Another goal")
