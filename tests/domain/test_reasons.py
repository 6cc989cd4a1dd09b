"""What a person reads for a reason."""

import pytest

from service.domain.reasons import sentence_for

# Every reason of SPEC section 7 that can come of asking for a summary, but for those that nothing can be done about.
MENDABLE = (
    "disabled",
    "in_flight",
    "running",
    "too_few_turns",
    "moved",
    "queue_full",
    "budget",
    "deadline",
    "model_overloaded",
    "model_timeout",
    "model_unreachable",
    "model_cut",
    "model_refused",
    "model_truncated",
    "model_auth",
    "model_error",
    "reply_unusable",
    "reply_ambiguous",
    "store_busy",
    "store_full",
)


def test_a_missing_key_is_not_called_a_refused_one() -> None:
    """Someone who never set a key is told to set one, or to name a local server, rather than that theirs is wrong."""
    assert sentence_for("model_auth") == (
        "no key, or one the model side refused; check ANTHROPIC_API_KEY, or set anthropic.base_url for a local server"
    )


@pytest.mark.parametrize("reason", MENDABLE)
def test_a_reason_says_what_to_do(reason: str) -> None:
    """Behind what happened stands what can be done about it."""
    happened, _, deed = sentence_for(reason).partition("; ")
    assert happened != reason
    assert deed.split()[0] in {"try", "ask", "look", "check", "choose", "raise", "lower", "go", "make", "switch"}


@pytest.mark.parametrize("reason", ["deleted", "memory_mode"])
def test_what_cannot_be_helped_is_said_in_words_too(reason: str) -> None:
    """A deleted or private session has a sentence of its own."""
    assert sentence_for(reason) != reason


def test_a_reason_without_a_sentence_is_shown_as_it_is() -> None:
    """An unknown reason is still better than silence."""
    assert sentence_for("stop_reason:cancelled") == "stop_reason:cancelled"
