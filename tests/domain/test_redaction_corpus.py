"""Redaction finds what people paste and leaves the rest alone, measured on a corpus its rules were not written from."""

import pytest

from tests.redaction_corpus import Group, Part, load
from tests.redaction_corpus.score import Score, changed_share, recall, score

PARTS: tuple[Part, ...] = ("open", "heldout")


@pytest.fixture(scope="module", params=PARTS)
def scored(request: pytest.FixtureRequest) -> Score:
    part: Part = request.param
    return score(part)


def test_most_secrets_of_plain_shape_are_gone(scored: Score) -> None:
    """Of the secrets that a prefix or the words around them give away, at least 92 % cannot be read any more."""
    found = recall(scored.secrets, with_hard=False)
    assert found >= 0.92


def test_most_secrets_of_any_shape_are_gone(scored: Score) -> None:
    """Of all secrets, cut, glued and prose ones included, at least 86 % cannot be read any more."""
    found = recall(scored.secrets, with_hard=True)
    assert found >= 0.86


def test_what_only_looks_like_a_secret_stays(scored: Score) -> None:
    """Hashes, ids, placeholders and ordinary words come back as they were, but for 0.8 % at most."""
    changed = changed_share(scored.lookalikes)
    assert changed <= 0.008


def test_most_plain_beacons_are_gone(scored: Score) -> None:
    """Of the URLs that plainly carry data out, at least 95 % do not show their payload any more."""
    found = recall(scored.beacons, with_hard=False)
    assert found >= 0.95


def test_most_beacons_of_any_shape_are_gone(scored: Score) -> None:
    """Of all URLs that carry data out, at least 88 % do not show their payload any more."""
    found = recall(scored.beacons, with_hard=True)
    assert found >= 0.88


def test_ordinary_links_stay(scored: Score) -> None:
    """No ordinary link changes."""
    changed = changed_share(scored.links)
    assert changed == 0


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("group", ["secrets", "beacons"])
def test_every_secret_of_the_corpus_stands_once_in_its_text(part: Part, group: Group) -> None:
    """A row that could not be missed, or missed twice, would make the score say something else than it claims."""
    assert [row.id for row in load(f"{part}_{group}") if row.secret is None or row.text.count(row.secret) != 1] == []


@pytest.mark.parametrize("group", ["secrets", "lookalikes", "beacons", "links"])
def test_no_row_of_the_corpus_is_both_open_and_held_out(group: Group) -> None:
    """What is held out is not to be seen in the open part."""
    assert {row.text for row in load(f"open_{group}")}.isdisjoint(row.text for row in load(f"heldout_{group}"))


def test_a_text_that_is_left_alone_counts_as_missed() -> None:
    """Without any redaction every secret is missed and nothing is changed."""
    untouched = score("open", lambda text: text)
    assert recall(untouched.secrets, with_hard=True) == 0
    assert changed_share(untouched.lookalikes) == 0


def test_half_a_secret_counts_as_missed() -> None:
    """A redaction that leaves the greater part of each secret readable finds none of them."""
    secrets = {row.text: row.secret or "" for row in load("open_secrets")}

    def cut(text: str) -> str:
        secret = secrets.get(text, "")
        return text.replace(secret, secret[: -(len(secret) // 4)]) if len(secret) >= 32 else text

    assert recall(score("open", cut).secrets, with_hard=True) == 0
