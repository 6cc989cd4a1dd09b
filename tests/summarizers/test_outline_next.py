"""What somebody who was away is told to do next, over whole made-up sessions of many kinds."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from service.domain.lenient import Status
from service.domain.messages import Fact, FactKind, FactResult, Message, Origin
from service.domain.payload import derive_state
from service.summarizers.outline import draft_text

PASSED = Fact(FactKind.RAN, "pytest", FactResult.PASSED)
FAILED = Fact(FactKind.RAN, "pytest", FactResult.FAILED)


# What the person typed, what the agent said to it, and what its tools proved.
Row = tuple[str, tuple[str, ...]] | tuple[str, tuple[str, ...], tuple[Fact, ...]]


@dataclass(frozen=True, slots=True)
class Told:
    """One goal as it is shown."""

    title: str
    state: str
    steps: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """A session, and the goals as a person who comes back must find them, the newest last."""

    name: str
    said: tuple[Row, ...]
    goals: tuple[Told, ...]


def edited(path: str) -> Fact:
    return Fact(FactKind.EDITED, path)


def committed(subject: str) -> Fact:
    return Fact(FactKind.COMMITTED, f"4be1c20 {subject}")


STORIES = [
    Story(
        "a question answered",
        (
            (
                "Which of our queues still uses the old broker?",
                ("Let me search the settings.", "Only the mail queue does. `settings/queues.toml` still names it."),
            ),
        ),
        (Told("Which of our queues still uses the old broker?", "done", ()),),
    ),
    Story(
        "a bug fixed and tested",
        (
            (
                "Orders over 1,000 euros show no total. Please fix that.",
                ("Looking at the formatter.", "The thousands separator ended the number. Totals are shown again."),
                (edited("shop/format.py"), PASSED),
            ),
        ),
        (Told("Orders over 1,000 euros show no total", "done", ()),),
    ),
    Story(
        "tests that fail at the end",
        (
            (
                "Move the price rules into their own module",
                ("The rules live in `shop/rules.py`. Two tests still fail: the discount is applied twice.",),
                (edited("shop/rules.py"), FAILED),
            ),
        ),
        (
            Told(
                "Move the price rules into their own module",
                "in-progress",
                ("Blocked: Two tests still fail: the discount is applied twice.", "Find out why this failed: pytest"),
            ),
        ),
    ),
    Story(
        "a plan proposed and not accepted",
        (
            (
                "How would you split the billing service? Only a plan, no code yet.",
                (
                    "Here is the plan I propose:\n\n1. Move invoices into a module\n2. Give it a table of its own\n"
                    "3. Switch the callers over\n\nShall I start with the first step?",
                ),
            ),
        ),
        (
            Told(
                "How would you split the billing service?",
                "in-progress",
                ("Offered: Shall I start with the first step?",),
            ),
        ),
    ),
    Story(
        "a deploy that waits for a hand",
        (
            (
                "Prepare the release of the ticket service",
                (
                    "Version 4.2 is tagged and its image is built.\n\nIt is not deployed yet: production asks for a "
                    "second person. You need to approve the release in the console.",
                ),
                (committed("Release 4.2"), Fact(FactKind.PUSHED, "v4.2")),
            ),
        ),
        (
            Told(
                "Release 4.2",
                "needs-you",
                ("You need to approve the release in the console.",),
                "It is not deployed yet: production asks for a second person.",
            ),
        ),
    ),
    Story(
        "research with options",
        (
            (
                "Compare two ways to store the sensor data",
                (
                    "Both hold a year of readings:\n\n- **Parquet files**: cheap, slow to change\n- **Timescale**: "
                    "quick, needs a server\n\nI recommend Parquet, since nothing is ever changed.",
                ),
            ),
        ),
        (
            Told(
                "Compare two ways to store the sensor data",
                "in-progress",
                ("Proposed: I recommend Parquet, since nothing is ever changed.",),
            ),
        ),
    ),
    Story(
        "thanks at the end",
        (
            (
                "Make the export skip empty rows",
                ("Empty rows are skipped. Please restart the worker to see it. Want me to add a switch for it?",),
                (edited("shop/export.py"), PASSED),
            ),
            ("perfect, thanks!", ("Glad it helps.",)),
        ),
        (Told("Make the export skip empty rows", "needs-you", ("Please restart the worker to see it.",)),),
    ),
    Story(
        "an interrupted turn",
        (
            ("Add a dark theme to the reader", ("The colors are variables.",), (edited("reader/theme.css"),)),
            (
                "Now let the reader follow the theme of the system",
                ("I see where the theme is set. Let me add the media query:",),
            ),
        ),
        (
            Told(
                "Add a dark theme to the reader",
                "in-progress",
                ("Now let the reader follow the theme of the system",),
                "Begun, not finished. Let me add the media query:",
            ),
        ),
    ),
    Story(
        "an unanswered request",
        (
            ("Add a dark theme to the reader", ("The colors are variables.",), (edited("reader/theme.css"),)),
            ("the theme must also hold in print, please check", ()),
        ),
        (
            Told(
                "Add a dark theme to the reader",
                "in-progress",
                ("the theme must also hold in print, please check",),
                "Not answered yet.",
            ),
        ),
    ),
    Story(
        "German",
        (
            (
                "Bitte erzeuge die Mahnungen als PDF",
                ("Die Mahnungen entstehen jetzt als PDF. Soll ich auch die Vorlage für Österreich anpassen?",),
                (edited("mahnung.py"),),
            ),
        ),
        (
            Told(
                "Erzeuge die Mahnungen als PDF",
                "in-progress",
                ("Offered: Soll ich auch die Vorlage für Österreich anpassen?",),
            ),
        ),
    ),
    Story(
        "several goals",
        (
            (
                "Round the prices in the cart once",
                ("Prices are rounded once, on the sum.",),
                (edited("shop/cart.py"), PASSED),
            ),
            (
                "Next topic: translate the imprint to Danish",
                ("The imprint is translated. Which address is the Danish branch at?",),
                (edited("site/imprint.md"),),
            ),
            (
                "Something else: why does the nightly backup take four hours?",
                ("It copies every picture again. Nothing is compared before.",),
            ),
        ),
        (
            Told("Round the prices in the cart once", "done", ()),
            Told(
                "Translate the imprint to Danish",
                "in-progress",
                ("Asked: Which address is the Danish branch at?",),
            ),
            Told("Why does the nightly backup take four hours", "done", ()),
        ),
    ),
    Story(
        "a draft that was not sent",
        (
            (
                "Write the announcement of the move to the new office",
                ("Here is a draft you can post:\n\n```\nWe move on Monday.\nThe new door is on the river side.\n```",),
            ),
        ),
        (
            Told(
                "Write the announcement of the move to the new office",
                "in-progress",
                ("Drafted: We move on Monday.",),
            ),
        ),
    ),
    Story(
        "a yes that nothing came of",
        (
            (
                "Sort the archive by year",
                ("The archive is sorted. Shall I delete the empty folders?",),
                (edited("archive/sort.py"),),
            ),
            ("yes, do it", ()),
        ),
        (
            Told(
                "Sort the archive by year",
                "in-progress",
                ("Offered: Shall I delete the empty folders?",),
                "Not answered yet.",
            ),
        ),
    ),
    Story(
        "work committed and never run",
        (
            (
                "Retry the upload three times",
                ("Uploads are tried three times.",),
                (edited("upload/retry.py"), committed("Retry uploads three times")),
            ),
        ),
        (Told("Retry uploads three times", "needs-you", ("Never run: 4be1c20 Retry uploads three times",)),),
    ),
    Story(
        "a refused tool",
        (
            (
                "Delete the old buckets",
                ("I'll delete them now.",),
                (Fact(FactKind.DENIED, "Bash: not the production one"),),
            ),
        ),
        (
            Told(
                "Delete the old buckets",
                "in-progress",
                ("Delete the old buckets",),
                "Begun, not finished. Denied Bash: not the production one",
            ),
        ),
    ),
    Story(
        "questions before the start",
        (("Design the import of orders", ("A few things are open:\n\n1. Which file formats?\n2. Who may import?",)),),
        (
            Told(
                "Design the import of orders",
                "in-progress",
                ("Asked: Which file formats?", "Asked: Who may import?"),
            ),
        ),
    ),
    Story(
        "commits that stayed local",
        (
            (
                "Cache the avatars for a day",
                ("Avatars are cached.\n\nNot pushed — say the word if you want it up.",),
                (edited("cache.py"), PASSED, committed("Cache avatars")),
            ),
            ("the avatars flicker on the first load", ("They are loaded early now.",), (edited("cache.py"), PASSED)),
        ),
        (Told("Cache avatars", "needs-you", ("Not pushed — say the word if you want it up.",)),),
    ),
    Story(
        "a Chinese session",
        (("修复登录页面的报错", ("已修复，测试全部通过。请重启服务后再试。",), (edited("login.ts"), PASSED)),),
        (Told("修复登录页面的报错", "needs-you", ("请重启服务后再试。",)),),
    ),
    Story(
        "a Japanese session",
        (
            (
                "ログイン画面の期限切れを直して",
                ("原因は二つあります。\n\nどちらから直しますか？\n- セッション\n- クッキー",),
            ),
        ),
        (
            Told(
                "ログイン画面の期限切れを直して",
                "in-progress",
                ("Offered: どちらから直しますか？ セッション · クッキー",),
            ),
        ),
    ),
]


def messages(story: Story) -> list[Message]:
    found: list[Message] = []
    for words, replies, *facts in story.said:
        found.append(Message("user", words, Origin.PERSON))
        found += [Message("assistant", reply, Origin.ASSISTANT) for reply in replies[:-1]]
        if replies:
            found.append(Message("assistant", replies[-1], Origin.ASSISTANT, None, facts[0] if facts else ()))
    return found


def told(said: Sequence[Message]) -> tuple[Told, ...]:
    intents: list[dict[str, Any]] = json.loads(draft_text(said))["intents"]
    return tuple(
        Told(
            intent["title"],
            derive_state(Status(intent["status"]), intent["verified"]),
            tuple(step["what"] for step in intent["next_steps"]),
            "".join(step["why"] for step in intent["next_steps"]),
        )
        for intent in intents
    )


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_the_next_action_is_plain(story: Story) -> None:
    """State and next steps say what waits, and nothing waits where all is done."""
    assert told(messages(story)) == story.goals
