"""A summary as Markdown."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from service.domain.lines import visible
from service.domain.markdown import About, as_markdown, escaped
from tests.domain.test_plain_text import INTENT, PAYLOAD

ABOUT = About("Checkout", "claude-code:1f2e", "/home/ana/shop")

SHOWN = """\
# Checkout

- Project: /home/ana/shop
- Session: claude-code:1f2e
- Made 1970-01-01 00:00 UTC from 5 user turns.

## Open items

*Suggested by the summary; nobody said so in the session.*

- [ ] Deploy to staging (Round the tax once)
  - why: It has not run
  - expect: Equal totals

## Goals

### Round the tax once

**needs you** · turns 1–2, 5 · resumed once · not verified

**You asked for**

Totals were a cent off

**Where it stands**

- The cart rounds once.

## How this project works

- Run tests with TZ=UTC
"""


def test_a_whole_summary() -> None:
    """It says which session it is of and how it was made; open items are a task list, goals are sections."""
    assert as_markdown(PAYLOAD, ABOUT) == SHOWN


@pytest.mark.parametrize(
    ("reason", "user_turns", "words"),
    [
        ("rewritten", 9, "the session was rewritten after this was made."),
        ("appended", 6, "1 turn was added to the session after this was made."),
        ("appended", 8, "3 turns were added to the session after this was made."),
        ("appended", 5, "the session went on after this was made."),
        ("appended", None, "the session went on after this was made."),
    ],
)
def test_a_stale_summary_says_so(reason: str, user_turns: int | None, words: str) -> None:
    """The notice stands in front, with how much of the session is not in it where that is known."""
    stale = {**PAYLOAD, "stale": True, "stale_reason": reason}
    assert as_markdown(stale, About("Checkout", user_turns=user_turns)).splitlines()[2] == f"> **Out of date:** {words}"


def test_a_fresh_summary_is_not_called_out_of_date() -> None:
    """Turns that are counted otherwise do not make it stale."""
    assert "Out of date" not in as_markdown({**PAYLOAD, "stale": False}, About(user_turns=9))


def test_each_step_is_one_box_to_tick() -> None:
    """The steps of what waits stand among the open items alone, those of finished work with their goal."""
    done = {**INTENT, "title": "Other", "state": "done"}
    text = as_markdown({"intents": [INTENT, done]}, ABOUT)
    assert text.count("- [ ] Deploy to staging (Round the tax once)") == 1
    assert text.count("- [ ] ") == 2
    assert "**Suggested next** (inferred)\n\n- [ ] Deploy to staging\n" in text


@pytest.mark.parametrize(
    ("states", "words"),
    [
        (["in-progress"], "No next step named; 1 goal in progress."),
        (["needs-you", "needs-you", "done"], "No next step named; 2 goals need you."),
        (["needs-you", "in-progress", "in-progress"], "No next step named; 1 goal needs you, 2 goals in progress."),
        (["done", "dropped"], "Nothing waits for you in this session."),
    ],
)
def test_work_without_a_named_step_is_not_called_finished(states: list[str], words: str) -> None:
    """That nothing waits is said only where nothing does."""
    intents = [{**INTENT, "state": state, "next_steps": []} for state in states]
    assert f"## Open items\n\n{words}\n" in as_markdown({"intents": intents}, ABOUT)


def test_no_summary_says_so() -> None:
    """Nothing is said of how one was made, and nothing called open or done, where there is none."""
    text = as_markdown({"enabled": True, "intents": [], "constraints": [], "generated_at": None}, About("Checkout"))
    assert text == "# Checkout\n\n- There is no summary to show.\n"


def test_a_dropped_goal_is_its_title_and_turns() -> None:
    """Nothing else of it is shown."""
    assert "Deploy" not in as_markdown({"intents": [{**INTENT, "state": "dropped"}]}, ABOUT)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<img src=x onerror=y>", r"\<img src=x onerror=y\>"),
        ("![pixel](http://x/y)", r"!\[pixel\](<http://x/y>)"),
        ("see https://x.example/a_b/~c?d=[1]&copy=2.", "see <https://x.example/a_b/~c?d=[1]&copy=2>."),
        ("(https://x.example/Tax_(EU))", "(<https://x.example/Tax_(EU)>)"),
        ("https:// and ftp://x", "https:// and ftp://x"),
        ("ask @ana-b about #12, api#3 and web/api#4", "ask `@ana-b` about `#12`, `api#3` and `web/api#4`"),
        ("a@b.example, color #a1b2c3", "a@b.example, color #a1b2c3"),
        ("[a](javascript:b)", r"\[a\](javascript:b)"),
        ("`code` and *bold*", r"\`code\` and \*bold\*"),
        ("snake_case_name stays", "snake_case_name stays"),
        ("_emphasis_", r"\_emphasis\_"),
        ("# heading", r"\# heading"),
        ("- item", r"\- item"),
        ("1. item", r"1\. item"),
        ("> quote", r"\> quote"),
        ("a\n\n# b", "a # b"),
        ("&lt; &#60; & so", r"\&lt; \&#60; & so"),
        ("back\\slash", r"back\\slash"),
        ("C# and a-b stay", "C# and a-b stay"),
        ("Learn C #", r"Learn C \#"),
        ("Learn C ##", r"Learn C \##"),
        ("[x] done", r"\[x\] done"),
        ("| a | b |", r"\| a \| b \|"),
    ],
)
def test_text_stays_text(text: str, shown: str) -> None:
    """Markup, HTML, images and links in a text are shown as their characters."""
    assert escaped(text) == shown


@pytest.mark.parametrize("part", ["#", "_", "(a", "a/", "@a.", "http://(", "http://a.", "&#", "`"])
def test_a_long_text_is_escaped_at_once(part: str) -> None:
    """No run of characters makes the work grow faster than the text."""
    assert len(escaped(part * (200_000 // len(part)))) >= 200_000 // len(part)


def test_every_field_is_escaped() -> None:
    """Each text of a payload passes the same gate."""
    hostile = "<script>alert(1)</script>"
    step = {"what": hostile, "why": hostile, "expect": hostile}
    intent = {**INTENT, "title": hostile, "initial_intent": hostile, "state": hostile, "progress": [hostile]}
    payload = {
        "intents": [{**intent, "next_steps": [step]}],
        "constraints": [hostile],
        "generator": {"engine": hostile, "model": hostile},
        "user_turns": 1,
    }
    text = as_markdown({**payload, "stale": True, "stale_reason": hostile}, About(hostile, hostile, hostile))
    assert "<script" not in text.replace(r"\<script", "")


HOSTILE = st.text(alphabet="<>![]()`*_~|\\#@-+=1.&:/ ab\n\r\t\u2028", min_size=1, max_size=40)
ADDRESSED = st.tuples(HOSTILE, HOSTILE).map(lambda texts: f"{texts[0]}https://x.example/{texts[1]}")
READER = MarkdownIt("gfm-like", {"linkify": False})


def structure(text: str) -> list[str]:
    """What a reader of Markdown makes of a document, its words left out."""
    tokens = [inner for token in READER.parse(text) for inner in (token, *(token.children or ()))]
    return [f"{token.type} {token.tag}" for token in tokens if token.type not in ("text", "code_inline")]


def document(text: str) -> str:
    """A summary that says the text in every field."""
    step = {"what": text, "why": text, "expect": text}
    intent = {**INTENT, "title": text, "initial_intent": text, "progress": [text, text], "next_steps": [step]}
    payload = {"intents": [intent], "constraints": [text], "stale": True, "stale_reason": "appended"}
    return as_markdown(payload, About(text, text, text))


@settings(max_examples=150)
@given(HOSTILE.filter(str.strip))
def test_no_text_changes_the_structure(text: str) -> None:
    """Whatever a model, a title or a key says, a reader of the document finds the same headings, lists and boxes."""
    assert structure(document(text)) == structure(document("word"))


@settings(max_examples=80)
@given(HOSTILE.filter(str.strip) | ADDRESSED)
def test_a_text_reads_as_it_was_said(text: str) -> None:
    """What Markdown shows of an escaped text is the text."""
    shown = READER.parseInline(escaped(text))[0].children or []
    assert "".join(token.content for token in shown) == " ".join(visible(text).split())


@settings(max_examples=80)
@given(ADDRESSED)
def test_an_address_is_a_link_to_itself(text: str) -> None:
    """The only links are those that a text spells out, and they lead where it says."""
    shown = READER.parseInline(escaped(text))[0].children or []
    targets = [str(token.attrGet("href")) for token in shown if token.type == "link_open"]
    assert targets
    assert all(target.startswith("https://x.example/") for target in targets)
