"""Messages while they are being read: what counts as said."""

import pytest

from service.domain.messages import Message, Origin
from service.sources.conversation import Conversation

NOTHING = ["", " \n", "\u200b", "\ufeff\u2060", "\u3164", "\ud83d"]


@pytest.mark.parametrize("nothing", NOTHING)
def test_text_of_nothing_visible_is_no_message(nothing: str) -> None:
    """Neither side has said anything where a reader would see nothing."""
    conversation = Conversation()
    conversation.by_user(nothing, Origin.PERSON, None)
    conversation.by_assistant(nothing, None)
    assert conversation.messages() == ()


@pytest.mark.parametrize("nothing", NOTHING)
def test_a_stored_message_of_nothing_visible_is_no_turn(nothing: str) -> None:
    """A message that shows nothing counts as no user turn whichever door it came in by."""
    assert not Message("user", nothing, Origin.PERSON).by_person
    assert Message("user", f"{nothing}go", Origin.PERSON).by_person
