"""The outline as a summarizer: what it answers, and what it never claims."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.messages import Fact, FactKind, FactResult, Message, Origin
from service.summarizers.outline import Outline, draft, draft_text, newest_title
from service.summarizers.protocol import Reply, Request, Summarizer, Task, Usage
from tests.summarizers.outline_cases import labelled_sessions

EDITED = Fact(FactKind.EDITED, "shop/cart.py")
PASSED = Fact(FactKind.RAN, "pytest", FactResult.PASSED)
FAILED = Fact(FactKind.RAN, "pytest", FactResult.FAILED)
COMMITTED = Fact(FactKind.COMMITTED, "4be1c20 Round prices once")


def person(text: str, *facts: Fact, ts: str | None = None) -> Message:
    return Message("user", text, Origin.PERSON, ts, facts)


def agent(text: str, *facts: Fact) -> Message:
    return Message("assistant", text, Origin.ASSISTANT, None, facts)


def intents(*messages: Message) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(draft_text(messages))["intents"]
    return found


async def ask(task: Task, *messages: Message) -> Reply:
    outline: Summarizer = Outline()
    reply = await outline.ask(Request(task, "instructions", "rendered", messages))
    assert isinstance(reply, Reply)
    return reply


async def test_the_answer_is_a_draft_that_costs_nothing() -> None:
    """A summary by the outline has goals and rules, names its engine, and spends no token."""
    reply = await ask(Task.SUMMARY, person("Round the prices of the cart"), agent("Prices are rounded to cents."))
    assert set(json.loads(reply.text)) == {"intents", "constraints"}
    assert (reply.model, reply.usage) == ("outline", Usage())


async def test_an_intent_has_every_field_a_summary_needs() -> None:
    """Nothing is missing in an entry, and what nobody said stays empty."""
    (intent,) = intents(
        person("Round the prices of the cart"), agent("Prices are rounded.\n\nNext steps:\n- Deploy it")
    )
    assert intent == {
        "title": "Round the prices of the cart",
        "initial_intent": "Round the prices of the cart",
        "ranges": [[1, 1]],
        "status": "active",
        "verified": None,
        "origin_turn": 1,
        "progress": ["Prices are rounded."],
        "next_steps": [{"what": "Deploy it", "why": "", "expect": ""}],
    }


async def test_a_title_is_the_newest_goal() -> None:
    """The sessions list shows what the person worked on last."""
    reply = await ask(
        Task.TITLE,
        person("Round the prices of the cart"),
        agent("Done.", EDITED, COMMITTED),
        person("Translate the imprint to Danish"),
        agent("The imprint is translated.", Fact(FactKind.EDITED, "site/imprint.md")),
    )
    assert reply.text == "Translate the imprint to Danish"


@pytest.mark.parametrize("messages", [(), (agent("Hello, what can I do?"),), (person("\u200b\u200b"),)])
async def test_a_session_without_words_has_no_title(messages: tuple[Message, ...]) -> None:
    """Where nobody said anything there is no line to show."""
    assert (await ask(Task.TITLE, *messages)).text == "SKIP"


async def test_a_large_session_is_outlined_the_same_way() -> None:
    """Leaving the event loop changes nothing in the answer."""
    messages = tuple(person(f"Describe warehouse {number} in two sentences " + "word " * 40) for number in range(400))
    assert (await ask(Task.SUMMARY, *messages)).text == draft_text(messages)


def test_the_outline_never_verifies() -> None:
    """However cheerful a session, no entry says that its result was verified."""
    verdicts = {intent["verified"] for session in labelled_sessions() for intent in intents(*session.messages)}
    assert verdicts <= {None, False}


def test_every_line_is_the_transcripts_own() -> None:
    """No word appears that nobody said and no fact holds, but for the mark of an offer, a question or a fact."""
    for session in labelled_sessions():
        said = " ".join(" ".join(message.content.replace("`", "").split()) for message in session.messages)
        said += " ".join(fact.text for message in session.messages for fact in message.facts)
        for intent in intents(*session.messages):
            for line in [*intent["progress"], *(step["what"] for step in intent["next_steps"])]:
                assert _without_mark(line).rstrip("…") in said


def _without_mark(line: str) -> str:
    return re.sub(r"^(?:Offered|Asked|Blocked|Drafted|Proposed|Find out why this failed|Never run): ", "", line)


def test_no_reason_is_invented() -> None:
    """A suggested step of an outline gives no expectation, and no reason but how far its words got."""
    steps = [step for session in labelled_sessions() for i in intents(*session.messages) for step in i["next_steps"]]
    assert steps
    assert all(step["why"] == step["expect"] == "" for step in steps)


def test_a_failed_run_is_something_to_do() -> None:
    """A reply says that all is well, the tests failed: the step names the action, the evidence the fact, once each."""
    (intent,) = intents(person("Round the prices of the cart"), agent("All tests pass now.", EDITED, FAILED))
    assert intent["progress"] == ["All tests pass now."]
    assert [step["what"] for step in intent["next_steps"]] == ["Find out why this failed: pytest"]
    assert intent["status"] == "active"


def test_automation_opens_no_goal() -> None:
    """A scheduled job's message is nobody's wish."""
    wake = Message("user", "[cron notification] Rebuild the search index", Origin.AUTOMATION)
    (intent,) = intents(person("Round the prices of the cart"), agent("Done so far."), wake, agent("Index is rebuilt."))
    assert intent["ranges"] == [[1, 1]]


def test_a_resend_opens_no_goal() -> None:
    """Sending the same words again is one wish, not two."""
    text = "Find out why node seven fills its disk"
    late = person(text, ts="2026-03-02T12:00:00Z")
    (intent,) = intents(
        person(text, ts="2026-03-02T09:00:00Z"), agent("Looking.", COMMITTED), late, agent("Log files.")
    )
    assert intent["ranges"] == [[1, 2]]


def test_a_goal_dropped_for_another_is_abandoned() -> None:
    """Taking a wish back and naming another one leaves a dropped entry and a fresh one."""
    first, second = intents(
        person("Build a dashboard for the sensors"),
        agent("The first page stands.", EDITED),
        person("Forget the dashboard. Write a weekly e-mail with the averages instead."),
        agent("The e-mail goes out on Mondays.", Fact(FactKind.EDITED, "mail/weekly.py")),
    )
    assert (first["status"], second["title"]) == ("abandoned", "Write a weekly e-mail with the averages instead")


def test_a_pasted_log_alone_is_named_without_its_dress() -> None:
    """A session that holds nothing but a log still has a name, and it is not a line of that log."""
    log = "2026-03-02 09:00:01,123 ERROR worker.pool: connection to the broker was refused"
    assert newest_title((person(log), agent("The broker is down. Start it first."))) == "The broker is down"
    assert newest_title((person(log),)) == "worker.pool: connection to the broker was refused"


def test_the_outline_is_deterministic() -> None:
    """The same session always reads the same."""
    for session in labelled_sessions():
        assert draft_text(session.messages) == draft_text(session.messages)


HOSTILE = st.text(
    alphabet=st.sampled_from("aB1 \n.:?`*#-[](){}<>/\\\"'|\ud800\u0301\u200d好あก\U0001f600"), max_size=120
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), HOSTILE), max_size=8))
def test_hostile_text_never_breaks_the_outline(rows: list[tuple[bool, str]]) -> None:
    """Torn, invisible and half-encoded text yields a draft that can be stored."""
    messages = [person(text, EDITED) if typed else agent(text, FAILED) for typed, text in rows]
    turns = sum(message.by_person for message in messages)
    draft_text(messages).encode("utf-8")
    covered = [turn for i in intents(*messages) for start, end in i["ranges"] for turn in range(start, end + 1)]
    assert len(covered) == len(set(covered))
    assert set(covered) <= set(range(1, turns + 1))


@pytest.mark.parametrize(
    "pattern", ["a", " ", "* ", "[", "let me know ", "use ", "/a", "好", "- [ ] x\n", "`", "next: ", "?"]
)
def test_a_gigantic_message_is_taken_in_stride(pattern: str) -> None:
    """A megabyte of one pattern still ends in short lines."""
    text = pattern * (1_000_000 // len(pattern))
    found = draft([person(f"Please read this {text}"), agent(text)])
    assert len(json.dumps(found)) < 20_000
