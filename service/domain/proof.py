"""What the word `verified` rests on: what was seen to run, against what was said."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from service.domain.facts import weigh
from service.domain.messages import Fact


class ProofWord(StrEnum):
    """How the claim of an intent and its evidence stand to each other."""

    CONFIRMED = (
        "confirmed"  # said to be verified, with a passed run after the last edit and no failure that still stands
    )
    PASSED = "passed"  # such a run, and nothing was claimed
    PASSED_ONLY = "passed_only"  # such a run, and yet the goal is said not to be reached
    CONTRADICTED = "contradicted"  # said to be verified, against a failure that still stands
    FAILED = "failed"  # a failure that still stands, and nothing was claimed
    SAID_ONLY = "said_only"  # said to be verified, nothing shows it
    UNVERIFIED = "unverified"  # said not to be verified, nothing shows more


@dataclass(frozen=True, slots=True)
class Proof:
    """The word, and the run it names with its turn where there is one."""

    word: ProofWord
    turn: int | None = None
    text: str | None = None


def proof_of(verified: bool | None, evidence: Sequence[tuple[int, Fact]]) -> Proof | None:
    """What to say beside a claim; None where nothing was claimed and nothing was run."""
    weighed = weigh(evidence)
    if verified is True:
        if weighed.passed:
            return _naming(ProofWord.CONFIRMED, weighed.passed)
        return _naming(ProofWord.CONTRADICTED, weighed.failed) if weighed.failed else Proof(ProofWord.SAID_ONLY)
    if weighed.failed:
        return _naming(ProofWord.FAILED, weighed.failed)
    if weighed.passed:
        return _naming(ProofWord.PASSED_ONLY if verified is False else ProofWord.PASSED, weighed.passed)
    return Proof(ProofWord.UNVERIFIED) if verified is False else None


def _naming(word: ProofWord, run: tuple[int, Fact]) -> Proof:
    turn, fact = run
    return Proof(word, turn, fact.text)
