"""What a person reads for a reason."""

from service.domain.reasons import sentence_for


def test_a_missing_key_is_not_called_a_refused_one() -> None:
    """Someone who never set a key is told to set one, or to name a local server, rather than that theirs is wrong."""
    assert sentence_for("model_auth") == (
        "no key, or one the model side refused; check ANTHROPIC_API_KEY, or set anthropic.base_url for a local server"
    )


def test_a_reason_without_a_sentence_is_shown_as_it_is() -> None:
    """An unknown reason is still better than silence."""
    assert sentence_for("store_full") == "store_full"
