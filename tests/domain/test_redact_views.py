"""Tokens that are written so that they do not stand out: behind escapes, between colors, split by what nobody sees."""

import pytest

from service.domain.redact import redact
from service.domain.redact_rules.samples import alnum, hexes, upper

TOKENS = {
    "github": "gh" + "p_" + alnum(36),
    "gitlab": "glp" + "at-" + alnum(20),
    "aws": "AK" + "IA" + upper(16),
    "anthropic": "sk-" + "ant-" + "api03-" + alnum(93),
    "slack": "xox" + "b-123456789012-1234567890123-" + alnum(24),
    "npm": "np" + "m_" + alnum(36),
    "google": "AI" + "za" + alnum(35),
    "digitalocean": "dop" + "_v1_" + hexes(64),
}
TOKEN = TOKENS["github"]
HEAD, TAIL = TOKEN[:20], TOKEN[20:]


@pytest.mark.parametrize(
    "before",
    ["\x1b[32m", "\x1b[1;31m", "\\u001b[33m", "\\x1b[0m", "\\033[31m", "\\n", "\\t", "\\u0022", "\\x22", "%20", "%3D"],
)
@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
def test_a_token_right_behind_an_escape_is_hidden(before: str, token: str) -> None:
    """An escape may end with a letter or a digit; what follows it begins a word all the same."""
    hidden = redact(f"log: {before}{token} and more")
    assert hidden.startswith(f"log: {before}[redacted:")
    assert hidden.endswith("] and more")


@pytest.mark.parametrize(
    "between",
    ["\u200b", "\u00ad", "\ufe0f", "\u034f", "\x00", "\x1b[31m", "<wbr>", "<b>", "**"],
)
def test_a_token_split_by_what_nobody_sees_goes_whole(between: str) -> None:
    """On the screen it looks like the token, and whoever copies it has it."""
    assert redact(f"use {HEAD}{between}{TAIL}, then") == "use [redacted:github-token], then"


@pytest.mark.parametrize("joint", ["\\_", "%5F", "%5f", "&#95;", "&#x5F;", "\\u005f"])
def test_a_token_with_a_sign_in_codes_goes_whole(joint: str) -> None:
    """Markdown, addresses, pages and JSON write the underscore in their own way."""
    assert redact("use gh" + f"p{joint}{alnum(36)}, then") == "use [redacted:github-token], then"


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[32mPASSED\x1b[0m tests/test_token.py \x1b[1mghp_ is a prefix\x1b[0m",
        "**bold** and <b>bold</b> and snake\\_case\\_name",
        "https://example.com/a%20b%5Fc?q=x%2Dy",
        "C:\\new\\table\\readme \\u0041",
        "family \U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f",
    ],
)
def test_text_with_escapes_but_no_token_stays(text: str) -> None:
    """Escapes, colors and markup alone hide nothing."""
    assert redact(text) == text
