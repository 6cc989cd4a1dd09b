"""What holds for redaction of any text whatever."""

from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.redact import redact, redact_nested
from service.domain.redact_rules import RULES, find_spans
from service.domain.redact_rules.rule import Rule

_PIECES = (
    [rule.example for rule in RULES]
    + [rule.counter_example for rule in RULES]
    + [
        "password",
        "token",
        "key",
        "secret",
        "=",
        ": ",
        " is ",
        '"',
        "'",
        "\\",
        "\n",
        " ",
        "://",
        "?d=",
        "https",
        "@",
        "{",
        "}",
    ]
    + [
        "[redacted:",
        "]",
        "[redacted:jwt]",
        "-----BEGIN",
        "\ud800",
        "İ",
        "密码",
        "。",
        "\u200b",
        "%41",
        "](",
        "![",
        "--",
        "-u ",
    ]
)
# By number: a strategy that is shown shows all it chooses from.
PIECES = st.integers(0, len(_PIECES) - 1).map(lambda number: _PIECES[number])
TEXTS = st.lists(PIECES | st.text(max_size=12), max_size=12).map("".join)
SHORT = st.lists(PIECES | st.text(max_size=12), max_size=3).map("".join)
NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | SHORT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
SHAPES = [rule for rule in RULES if rule.family not in ("commands", "statements")]
FEW = settings(max_examples=60, deadline=None)


@FEW
@given(TEXTS)
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    """Stored text can be scrubbed again and again and stays as it is."""
    once = redact(text)
    assert redact(once) == once


@FEW
@given(TEXTS)
def test_nothing_is_left_to_find(text: str) -> None:
    """After redaction no rule finds anything."""
    assert find_spans(redact(text)) == []


@FEW
@given(TEXTS)
def test_spans_lie_within_the_text(text: str) -> None:
    """Every span is a stretch of the original text and is not empty."""
    assert all(0 <= span.start < span.end <= len(text) for span in find_spans(text))


@FEW
@given(st.text(max_size=80), st.sampled_from(SHAPES))
def test_an_example_is_hidden_after_any_text(text: str, rule: Rule) -> None:
    """What stands on the lines before a secret does not protect it."""
    match = rule.pattern.search(rule.example)
    assert match is not None
    secret = match.group("secret" if "secret" in rule.pattern.groupindex else 0)
    assert secret not in redact(f"{text}\n\n{rule.example}\n")


@FEW
@given(NESTED)
def test_nested_values_keep_their_shape(value: object) -> None:
    """Containers keep their length and everything but text keeps its value."""
    assert _shape(redact_nested(value)) == _shape(value)


@FEW
@given(NESTED)
def test_redacting_nested_values_twice_changes_nothing_more(value: object) -> None:
    """A stored payload can be scrubbed again and stays as it is."""
    once = redact_nested(value)
    assert redact_nested(once) == once


def _shape(value: object) -> object:
    if isinstance(value, dict):
        return [_shape(item) for item in value.values()]
    if isinstance(value, list):
        return [_shape(item) for item in value]
    return "text" if isinstance(value, str) else value
