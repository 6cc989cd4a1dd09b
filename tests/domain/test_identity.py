"""Freshness is equality, never order."""

from hypothesis import given
from hypothesis import strategies as st

from service.domain.identity import Identity, StaleReason, stale_reason

identities = st.builds(Identity, st.integers(0, 3), st.integers(0, 3))


@given(identities, identities)
def test_only_equal_identities_are_fresh(stored: Identity, current: Identity) -> None:
    """Older or newer, what differs is stale; a changed generation is what it is called by."""
    reason = stale_reason(stored, current)
    assert (reason is None) == (stored == current)
    if reason is not None:
        assert (reason is StaleReason.REWRITTEN) == (stored.gen != current.gen)
