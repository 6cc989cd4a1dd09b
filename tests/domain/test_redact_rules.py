"""The rule table is its own test: every example is hidden under its name, every counter-example is left alone."""

import re

import pytest

from service.domain.redact import redact
from service.domain.redact_rules import RULES
from service.domain.redact_rules.harmless import is_code, is_name, is_placeholder, is_public
from service.domain.redact_rules.hosts import is_collector, is_local, is_odd_number
from service.domain.redact_rules.keywords import Kind, find_keywords
from service.domain.redact_rules.payloads import hidden_text
from service.domain.redact_rules.rule import Rule
from service.domain.redact_rules.samples import alnum, hexes, lower
from service.domain.redact_rules.tokens import encodes_private_key, has_token_header
from service.domain.redact_rules.tree import lowered, tree_pattern
from service.domain.redact_rules.values import is_hash, looks_random

IDS = [f"{rule.name}-{n}" for n, rule in enumerate(RULES)]
FRAMES = ("{}", "see\n{}\nthere", "用了{}。", "(\t{}\t)")


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_the_example_of_a_rule_is_hidden(rule: Rule) -> None:
    """A secret of every kind in the table is replaced by a mark."""
    match = next(rule.pattern.finditer(rule.example))
    secret = match["secret"] if "secret" in rule.pattern.groupindex else match.group()
    assert secret not in redact(rule.example)
    assert "[redacted:" in redact(rule.example)


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_the_counter_example_of_a_rule_is_left_alone(rule: Rule) -> None:
    """Text that only resembles a kind of secret comes back unchanged."""
    assert redact(rule.counter_example) == rule.counter_example


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule.family not in ("commands", "statements")], ids=lambda rule: rule.name
)
@pytest.mark.parametrize("frame", FRAMES)
def test_an_example_is_hidden_wherever_it_stands(rule: Rule, frame: str) -> None:
    """A secret is found at the edges of a text, on a line of its own, in brackets and right beside CJK text.

    What is told by the shape of a whole line needs that line.
    """
    if rule.pattern.flags & re.MULTILINE and not frame.startswith(("{}", "see\n")):
        pytest.skip("told by its whole line")
    hidden = redact(frame.format(rule.example))
    group = "secret" if "secret" in rule.pattern.groupindex else 0
    match = rule.pattern.search(rule.example)
    assert match is not None
    assert match.group(group) not in hidden


def test_names_of_rules_are_short_and_plain() -> None:
    """A mark stays readable in a summary."""
    assert all(re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+){0,3}", rule.name) and len(rule.name) <= 32 for rule in RULES)


def test_no_example_is_a_literal_that_a_code_host_would_block() -> None:
    """Examples are put together from made-up parts, so their bodies do not look like another rule's counter-example."""
    assert not {rule.example for rule in RULES} & {rule.counter_example for rule in RULES}


@pytest.mark.parametrize(
    "value",
    [
        "<your key>",
        "${TOKEN}",
        "$TOKEN",
        "{{ secret }}",
        "sk-...",
        "xxxx-xxxx",
        "****",
        "your_api_key",
        "changeme",
        "%s",
        "[redacted:jwt]",
    ],
)
def test_a_placeholder_is_no_secret(value: str) -> None:
    """What documentation puts in a secret's place is told from a secret."""
    assert is_placeholder(value)


@pytest.mark.parametrize(
    "value", ["getpass()", "os.environ['X']", "config.db.password", "Optional[str]", "show_default=True", "self.token"]
)
def test_code_is_no_secret(value: str) -> None:
    """An expression in a secret's place is told from a secret."""
    assert is_code(value)


@pytest.mark.parametrize(
    "value",
    [
        "550e8400-e29b-41d4-a716-446655440000",
        "sha512-" + alnum(40),
        "SHA256:" + alnum(43),
        "ssh-ed25519 AAAA",
        "1.26.4",
        "2026-08-10T10:00:00Z",
        "/run/secrets/db",
        "src/auth/token.py",
    ],
)
def test_public_values_are_no_secrets(value: str) -> None:
    """UUIDs, integrity hashes, public keys, versions, times and paths are told from secrets."""
    assert is_public(value)


@pytest.mark.parametrize(
    "value", ["claude-haiku-4-5", "refresh_token_v2", "us-east-1", "cl100k_base", "base64-encoded"]
)
def test_names_are_no_secrets(value: str) -> None:
    """Identifiers with numbers in them are told from secrets."""
    assert is_name(value) or not looks_random(value)


@pytest.mark.parametrize("value", [alnum(20), alnum(40), lower(24), hexes(32)])
def test_made_up_bodies_look_random(value: str) -> None:
    """Letters and digits without a pattern count as random."""
    assert looks_random(value)


@pytest.mark.parametrize("value", ["AudioCodecPrimeInfo", "getPasswordFromConfig", "sha256WithRSAEncryption", "a" * 40])
def test_identifiers_do_not_look_random(value: str) -> None:
    """Capitals inside an identifier do not make it random."""
    assert not looks_random(value)


def test_a_commit_is_a_hash() -> None:
    """Forty hexadecimal digits count as a hash, so a weak keyword beside them hides nothing."""
    assert is_hash(hexes(40))
    assert not is_hash(alnum(40))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("DB_PASS", Kind.PASSWORD),
        ("dbPass", Kind.PASSWORD),
        ("apiKey", Kind.SECRET),
        ("datadog key", Kind.SECRET),
        ("a key", Kind.WEAK),
    ],
)
def test_a_keyword_is_found_inside_an_identifier(text: str, kind: Kind) -> None:
    """The part of a name that tells of a secret counts, in any way of writing names."""
    assert [keyword.kind for keyword in find_keywords(text, lowered(text))] == [kind]


@pytest.mark.parametrize("text", ["keyboard", "compass", "tokenizer", "monkey", "public key", "cache key", "passenger"])
def test_words_that_only_contain_a_keyword_are_passed_over(text: str) -> None:
    """A keyword in the middle of an ordinary word, or one that names something harmless, is not one."""
    assert list(find_keywords(text, lowered(text))) == []


@pytest.mark.parametrize(
    "value",
    ["aHVudGVyMiBpcyB0aGUgcGFzc3dvcmQ", "68756e746572322069732074686520706173", "nb2w45dfoizca2ltebqsa43fmnzgk5a"],
)
def test_encoded_text_is_read(value: str) -> None:
    """Base64, hexadecimal and base32 of readable text are recognized as text in disguise."""
    assert hidden_text(value) is not None


@pytest.mark.parametrize("value", ["documentation", hexes(40), alnum(44), "20240115123456789012"])
def test_ids_hashes_and_words_hide_no_text(value: str) -> None:
    """What does not decode to readable text is not taken for a message."""
    assert hidden_text(value) is None


def test_hosts_are_told_apart() -> None:
    """Request bins, private addresses and addresses in disguise are each known for what they are."""
    assert is_collector("abc.oast.fun")
    assert not is_collector("notwebhook.site.example.com")
    assert is_local("192.168.1.10")
    assert not is_local("203.0.113.9")
    assert is_odd_number("3221226219")
    assert is_odd_number("0xc0000201")
    assert not is_odd_number("192.0.2.1")


def test_only_private_keys_count_in_encoded_pem() -> None:
    """A kubeconfig's certificate stays, its key goes."""
    assert not encodes_private_key("LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t")
    assert encodes_private_key("LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t")


@pytest.mark.parametrize("token", ["eyJ", "eyJust.a.word", "ey\ud800.x.y", "ewog" + "W" * 4000])
def test_a_broken_token_header_is_refused(token: str) -> None:
    """What does not decode to a header is not a token, and never an error."""
    assert not has_token_header(token)


def test_the_tree_finds_the_longest_word() -> None:
    """Of two literals that begin alike the longer one is found."""
    assert tree_pattern(["pass", "password"]).findall("a password, a pass") == ["password", "pass"]


def test_small_letters_keep_every_place() -> None:
    """The one capital that lowers to two characters does not shift what follows."""
    assert len(lowered("İstanbul TOKEN")) == len("İstanbul TOKEN")
