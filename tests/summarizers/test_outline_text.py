"""Messages read as lines of plain words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.summarizers.outline_pasted import is_pasted, pasted_share
from service.summarizers.outline_text import Kind, clip, lines_of, plain, sentences, visible


@pytest.mark.parametrize(
    "line",
    [
        "2026-03-02 09:00:01,123 ERROR worker.pool: refused",
        "[09:00:01] starting",
        "    at Array.map (<anonymous>)",
        '  File "/srv/app.py", line 12, in main',
        "Traceback (most recent call last):",
        "ValueError: invalid literal for int()",
        "npm ERR! code ELIFECYCLE",
        "error[E0382]: borrow of moved value",
        "FAILED tests/test_cart.py::test_total - assert 1 == 2",
        "$ make test",
        "dev@box:~/shop$ git status",
        "+++ b/shop/cart.py",
        "src/cart.ts:12:5 - error TS2322",
        "GET /orders?page=2 500 12ms",
        '{ "name": "shop", "version": 3 }',
        "const total = items.reduce(add, 0);",
        "thread 'main' panicked at src/parser.rs:212:17:",
        "----------------------------------------",
    ],
)
def test_output_and_code_are_told_from_words(line: str) -> None:
    """A pasted line never becomes part of a title."""
    assert is_pasted(line)


@pytest.mark.parametrize(
    "line",
    [
        "The config parser crashes on files with nested includes",
        "at the top of the page the logo is cut off",
        "import the orders from the old shop",
        "Error messages should be friendlier",
        "return to the list after saving",
        "class names should follow the guide",
        "GET requests must not change anything",
        "Die Umlaute fehlen im PDF",
        "祝日をカレンダーに表示してください",
        "ช่วยเพิ่มหน้ารายการอาหาร",
        "नमस्ते, कृपया यह ठीक करें",
        "use 5 euros, not 4",
        "- add a test for it",
    ],
)
def test_words_are_not_taken_for_output(line: str) -> None:
    """What a person worded is kept, whatever it talks about."""
    assert not is_pasted(line)


def test_a_message_is_read_without_fences_quotes_and_tables() -> None:
    """Only worded lines are left, each with its kind."""
    gone = "```\ncode\n```\n> quoted\n| a | b |\n|---|---|\n"
    text = f"## Done ##\nI fixed **it**.\n{gone}- `one`\n  - two\n- [ ] open\n- [x] shut\n---\n**Next:**"
    assert [(line.kind, line.text, line.nested) for line in lines_of(text)] == [
        (Kind.HEADING, "Done", False),
        (Kind.TEXT, "I fixed it.", False),
        (Kind.ITEM, "one", False),
        (Kind.ITEM, "two", True),
        (Kind.OPEN_TODO, "open", False),
        (Kind.HEADING, "Next", False),
    ]


def test_a_fence_is_closed_by_no_shorter_one() -> None:
    """Code that shows a fence does not end the block it stands in."""
    assert [line.text for line in lines_of("````\n```\ncode words here\n```\n````\nbehind")] == ["behind"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It works. Two tests cover it.", ["It works.", "Two tests cover it."]),
        ("see the list, e.g. this one. fine", ["see the list, e.g. this one.", "fine"]),
        ("Files, folders etc. are kept.", ["Files, folders etc. are kept."]),
        ("Version 1.2.3 is out", ["Version 1.2.3 is out"]),
        ("直しました。確認してください。", ["直しました。", "確認してください。"]),
        ('It says "Stop!" in red. Really.', ['It says "Stop!" in red.', "Really."]),
        ('It says "Stop." Really.', ['It says "Stop."', "Really."]),
        ("Really?! Yes", ["Really?! Yes"]),
        ("", []),
    ],
)
def test_sentences_end_at_stops_alone(text: str, parts: list[str]) -> None:
    """Abbreviations and version numbers do not tear a sentence."""
    assert sentences(text) == parts


def test_signs_are_taken_off() -> None:
    """A line reads as text: links by their words, no stars, no marks in front."""
    assert plain("✅ 3. **Fixed** the [cart](https://example.com/cart) in `cart.py`") == "Fixed the cart in cart.py"


def test_names_with_underscores_stay_whole() -> None:
    """What looks like emphasis inside a name is the name."""
    assert plain("rename __init__ and a*b*c") == "rename __init__ and a*b*c"


def test_invisible_signs_and_half_pairs_are_replaced() -> None:
    """Text can be stored and shown whatever was pasted."""
    assert visible("a\u202eb\x00c\ud83d\r\nd") == "abc\ufffd\nd"


@given(st.text(max_size=200), st.integers(min_value=10, max_value=60))
def test_a_clipped_text_is_its_head(text: str, limit: int) -> None:
    """A shortened line is a beginning of the whole one, never longer than asked for."""
    short = clip(text, limit)
    assert len(short) <= limit + 1
    assert text.startswith(short.removesuffix("…")) or short == text


def test_clipping_leaves_characters_whole() -> None:
    """A family of joined emoji is not torn into its members."""
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
    assert clip(family * 10, 12) == family * 2 + "…"


def test_a_log_is_recognised_by_its_share_of_lines() -> None:
    """Two words above a stack trace leave it a pasted log."""
    assert pasted_share("look\n  at a (b.js:1:2)\n  at c (d.js:3:4)\nTypeError: x") == 0.75
    assert pasted_share("") == 0
