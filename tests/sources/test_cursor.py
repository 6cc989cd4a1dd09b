"""Cursor's agent rows and the Markdown exports of its chats."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.messages import Message
from service.sources import cursor_markdown
from service.sources.cursor import PLACE, CursorReader, claims
from service.sources.formats import find_files, read_file
from service.sources.session import LastTurn, Session

Row = dict[str, Any]


def row(role: str, *content: Row | str) -> Row:
    blocks = [{"type": "text", "text": one} if isinstance(one, str) else one for one in content]
    return {"role": role, "message": {"content": blocks}}


def query(words: str) -> str:
    return f"<user_query>\n{words}\n</user_query>"


def session_of(*rows: Mapping[str, Any], path: Path = Path("nowhere/c1.jsonl")) -> Session:
    reader = CursorReader(path)
    for one in rows:
        reader.add(one)
    return reader.session()


def prompts(*rows: Mapping[str, Any]) -> list[str]:
    return [message.content for message in session_of(*rows).messages if message.by_person]


TOOL_USE: Row = {"type": "tool_use", "name": "Shell", "input": {"command": "ls"}}


# Agent rows


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (query("sort the cart"), ["sort the cart"]),
        ("<attached_files>\n<user_query>old</user_query>\n</attached_files>\n" + query("sort"), ["sort"]),
        (
            "<timestamp>Monday</timestamp>\n<open_and_recently_viewed_files>a</open_and_recently_viewed_files>\n"
            + query("go"),
            ["go"],
        ),
        (query("sort") + "\n<system_reminder>be brief</system_reminder>", ["sort"]),
        ("<attached_files>never closed\n" + query("sort"), ["sort"]),
        (query("what does </user_query> mean?"), ["what does </user_query> mean?"]),
        (query("why is <user_query> there?"), ["why is <user_query> there?"]),
        ("<user_info>\nOS: linux\n</user_info>", []),
        ("<system_notification>done</system_notification>", []),
        ("<div>why is this red?</div>", ["<div>why is this red?</div>"]),
        ("plain words", ["plain words"]),
        (query(" "), []),
    ],
)
def test_a_prompt_is_what_the_tag_holds(text: str, words: list[str]) -> None:
    """Context before and behind is left out, and a person's own tags are not."""
    assert prompts(row("user", text)) == words


def test_several_blocks_are_one_prompt() -> None:
    """Words that stand in two blocks of a message belong together."""
    assert prompts(row("user", "<user_info>x</user_info>", query("one"), query("two"))) == ["one\ntwo"]


def test_a_picture_without_words_is_a_prompt() -> None:
    """A screenshot alone is something a person asked."""
    assert prompts(row("user", {"type": "image"})) == ["[picture without words]"]


@pytest.mark.parametrize(
    ("rows", "last_turn"),
    [
        ([], LastTurn.NONE),
        ([row("user", query("go"))], LastTurn.WORKING),
        ([row("user", query("go")), row("assistant", "Looking.", TOOL_USE)], LastTurn.TOOL_OPEN),
        ([row("user", query("go")), row("assistant", TOOL_USE), row("assistant", "Done.")], LastTurn.REPLIED),
        (
            [row("user", query("go")), row("assistant", "Done."), row("user", "<user_info>x</user_info>")],
            LastTurn.REPLIED,
        ),
    ],
)
def test_the_last_row_tells_how_the_turn_stands(rows: list[Row], last_turn: LastTurn) -> None:
    """A closing text is complete once it stays quiet; a call that comes last has no result."""
    assert session_of(*rows).last_turn is last_turn


def test_the_working_directory_comes_from_the_context() -> None:
    """The folder's name on disk would not tell it; a path that a person mentions is not it."""
    info = "<user_info>\nOS: linux\nWorkspace Path: /home/dev/shop\n</user_info>"
    session = session_of(row("user", query("Workspace Path: /tmp")), row("user", info, query("sort")))
    assert (session.key, session.title, session.project) == ("cursor:c1", "Workspace Path: /tmp", "/home/dev/shop")


def test_a_sub_agents_file_is_no_persons() -> None:
    """Its prompts are its parent agent's."""
    session = session_of(row("user", query("look")), path=Path("p/c1/subagents/s1.jsonl"))
    assert (session.sub_agent, session.user_turns, session.unprompted) == (True, 0, "a sub-agent's file")


def test_rows_of_other_agents_are_not_claimed() -> None:
    """A typed row is somebody else's."""
    assert claims(row("user", "x"))
    assert not claims({"type": "user", **row("user", "x")})
    assert not claims({"role": "tool", "message": {"content": []}})


def test_sessions_are_found_in_either_layout(tmp_path: Path) -> None:
    """A file of its own, or in a folder of its own; sub-agents' files are not looked for."""
    folder = tmp_path / ".cursor/projects/home-dev-shop/agent-transcripts"
    for name in ("a.jsonl", "b/b.jsonl", "b/subagents/c.jsonl"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(row("user", query("go"))))
    found = sorted(find_files(PLACE, {}, tmp_path))
    assert found == [folder / "a.jsonl", folder / "b/b.jsonl"]
    assert read_file(found[0]).format == "cursor"


keys = st.sampled_from(["role", "message", "content", "type", "text"])
values = st.recursive(
    st.none() | st.integers() | st.sampled_from(["user", "assistant", "text", "<user_query>", "<a_b>"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60)
@given(st.lists(st.dictionaries(keys, values), max_size=6))
def test_no_row_of_an_odd_shape_is_an_error(rows: list[Row]) -> None:
    """Whatever a row holds, the session can be told."""
    session_of(*rows)


# Markdown exports


def export(*turns: str, heading: str = "# Sort the cart (2026-03-02 09:00Z)") -> str:
    return f"<!-- Generated by SpecStory -->\n\n{heading}\n\n" + "\n\n---\n\n".join(turns) + "\n\n---\n"


def user(words: str, note: str = "") -> str:
    return f"_**User{note}**_\n\n{words}"


def reply(words: str, name: str = "Assistant") -> str:
    return f"_**{name}**_\n\n{words}"


def read(text: str) -> Session:
    return cursor_markdown.read(text, Path("nowhere/2026-03-02_09-00Z-cart.md"))[0]


def said(text: str) -> list[tuple[str, str]]:
    def one(message: Message) -> tuple[str, str]:
        return message.role, message.content

    return [one(message) for message in read(text).messages]


def test_an_export_is_read_turn_by_turn() -> None:
    """Separators between the turns are not part of them; those inside a reply are."""
    text = export(user("sort"), reply("First.\n\n---\n\nThen."), user("thanks"))
    assert said(text) == [("user", "sort"), ("assistant", "First.\n\n---\n\nThen."), ("user", "thanks")]
    assert read(text).last_turn is LastTurn.WORKING


def test_an_export_names_itself() -> None:
    """Title and time stand in the heading, the id in the file's name."""
    session = read(export(user("sort"), reply("Done.")))
    assert (session.key, session.title) == ("cursor:2026-03-02_09-00Z-cart", "Sort the cart")
    assert (session.last_activity, session.last_turn) == ("2026-03-02T09:00:00+00:00", LastTurn.REPLIED)


def test_newer_exports_tell_model_time_and_id() -> None:
    """Notes in the markers are understood, and a heading that is a time is no title."""
    comment = (
        "<!-- cursor Session 11111111-2222-3333-4444-555555555555 (2026-03-02 09:00:00Z) -->\n\n# 2026-03-02 09:00:00Z"
    )
    text = export(user("sort", " (2026-03-02 09:05:00Z)"), reply("Done.", "Agent (some-model)"), heading=comment)
    session = read(text)
    assert (session.session_id, session.title) == ("11111111-2222-3333-4444-555555555555", "sort")
    assert session.messages[0].ts == "2026-03-02 09:05:00Z"
    assert session.last_activity == "2026-03-02T09:05:00+00:00"
    assert [one.role for one in session.messages] == ["user", "assistant"]


@pytest.mark.parametrize("words", ["see _**User**_ here", " _**User**_", "_**User**_ said", "_**Other**_"])
def test_a_marker_must_be_the_whole_line(words: str) -> None:
    """Words that hold a marker begin no turn."""
    assert said(export(user("sort"), reply(f"Look:\n{words}\nThere."))) == [
        ("user", "sort"),
        ("assistant", f"Look:\n{words}\nThere."),
    ]


def test_a_marker_quoted_in_a_code_fence_begins_no_turn() -> None:
    """A reply that shows what an export looks like stays one reply."""
    quoted = "Like so:\n```md\n_**User**_\n\nhello\n```\nDone."
    assert said(export(user("how?"), reply(quoted))) == [("user", "how?"), ("assistant", quoted)]


def test_a_fence_that_was_never_closed_swallows_no_turn() -> None:
    """A separator before the marker tells that the reply is over."""
    assert said(export(user("one"), reply("```py\nx = 1"), user("two")))[-1] == ("user", "two")


def test_thinking_and_tool_output_are_no_words() -> None:
    """What the agent thought and its tools printed is left out of the reply."""
    asides = '<think>hm</think>\n<tool-use data-tool-name="shell">\nls\n</tool-use>\nSorted.\n<details>more</details>'
    assert said(export(user("sort"), reply(asides)))[1:] == [("assistant", "Sorted.")]


def test_an_export_is_recognised_by_its_content(tmp_path: Path) -> None:
    """Windows line ends, a byte order mark and another name do not matter; plain Markdown is nobody's."""
    path = tmp_path / "notes.txt"
    path.write_bytes(b"\xef\xbb\xbf" + export(user("sort"), reply("Done.")).replace("\n", "\r\n").encode())
    found = read_file(path)
    assert found.format == "cursor-markdown"
    assert found.session is not None
    assert [one.content for one in found.session.messages] == ["sort", "Done."]
    assert not cursor_markdown.claims("# Title\n\nHello **User**")


pieces = st.sampled_from(
    [
        "_**User**_",
        "_**Assistant (x)**_",
        "---",
        "```",
        "````md",
        "# a (2026-03-02 09:00Z)",
        "<think>",
        "</think>",
        "words",
        "",
        "\r",
    ]
)


@settings(max_examples=100)
@given(st.lists(pieces, max_size=20))
def test_no_export_is_an_error_and_none_lacks_its_prompts(lines: list[str]) -> None:
    """Whatever the text, it is one session, with at most one turn for each marker."""
    session = read("\n".join(lines))
    assert session.user_turns <= sum(line == "_**User**_" for line in lines)
