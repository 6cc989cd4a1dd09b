"""A summary as Markdown."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.markdown import as_markdown, escaped
from tests.domain.test_plain_text import INTENT, PAYLOAD

SHOWN = """\
# Checkout

## Open items

- [ ] Deploy to staging (Round the tax once)

## Goals

### Round the tax once

**needs you** · turns 1–2, 5 · resumed once · not verified

**You asked for**

Totals were a cent off

**Where it stands**

- The cart rounds once.

**Suggested next** (inferred)

1. Deploy to staging
   - why: It has not run
   - expect: Equal totals

## How this project works

- Run tests with TZ=UTC

*Made 1970-01-01 00:00 UTC from 5 user turns.*
"""


def test_a_whole_summary() -> None:
    """Open items are a task list, goals are sections, and the footer says how it was made."""
    assert as_markdown(PAYLOAD, title="Checkout") == SHOWN


def test_a_stale_summary_says_so() -> None:
    """The notice stands in front."""
    text = as_markdown({**PAYLOAD, "stale": True, "stale_reason": "rewritten"})
    assert text.startswith("> Out of date: the session was rewritten")


def test_a_dropped_goal_is_its_title_and_turns() -> None:
    """Nothing else of it is shown."""
    assert "Deploy" not in as_markdown({"intents": [{**INTENT, "state": "dropped"}]})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<img src=x onerror=y>", r"\<img src=x onerror=y\>"),
        ("![pixel](http://x/y)", r"!\[pixel\](http://x/y)"),
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
    ],
)
def test_text_stays_text(text: str, shown: str) -> None:
    """Markup, HTML, images and links in a text are shown as their characters."""
    assert escaped(text) == shown


@settings(max_examples=80)
@given(st.text(alphabet="<>![]()`*_~|\\#-+=1.&; ab\n", max_size=60))
def test_no_text_opens_markup(text: str) -> None:
    """Behind every character that could open a tag, a link, an image or code stands an escape."""
    line = escaped(text)
    assert "\n" not in line
    bare = line.replace("\\\\", "")
    assert all(bare[at - 1 : at] == "\\" for at, char in enumerate(bare) if char in "<[`*")


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
    assert "<script" not in as_markdown(payload, title=hostile).replace(r"\<script", "")
