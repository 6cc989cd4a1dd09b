"""What a claim rests on."""

import pytest

from service.domain.facts import edited
from service.domain.messages import Fact, FactKind, FactResult
from service.domain.proof import Proof, ProofWord, proof_of

PASSED = (3, Fact(FactKind.RAN, "pytest", FactResult.PASSED))
FAILED = (4, Fact(FactKind.RAN, "pytest", FactResult.FAILED))
EDITED = (5, edited("cart.py"))


@pytest.mark.parametrize(
    ("verified", "evidence", "proof"),
    [
        (True, [PASSED], Proof(ProofWord.CONFIRMED, 3, "pytest")),
        (None, [PASSED], Proof(ProofWord.PASSED, 3, "pytest")),
        (None, [PASSED, EDITED], None),
        (False, [PASSED, EDITED], Proof(ProofWord.UNVERIFIED)),
        (False, [PASSED], Proof(ProofWord.PASSED_ONLY, 3, "pytest")),
        (True, [PASSED, FAILED], Proof(ProofWord.CONTRADICTED, 4, "pytest")),
        (None, [PASSED, FAILED], Proof(ProofWord.FAILED, 4, "pytest")),
        (False, [FAILED], Proof(ProofWord.FAILED, 4, "pytest")),
        (True, [PASSED, EDITED], Proof(ProofWord.SAID_ONLY)),
        (True, [], Proof(ProofWord.SAID_ONLY)),
        (False, [], Proof(ProofWord.UNVERIFIED)),
        (None, [], None),
    ],
)
def test_a_claim_stands_beside_what_ran(
    verified: bool | None, evidence: list[tuple[int, Fact]], proof: Proof | None
) -> None:
    """A passed run after the last edit confirms a claim, a standing failure contradicts it, a mere word is told."""
    assert proof_of(verified, evidence) == proof
