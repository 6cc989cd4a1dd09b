"""What lists show of a summary."""

from service.domain.payload import State, SummaryPayload


def headline(payload: SummaryPayload) -> str | None:
    """The title of the intent worked on last."""
    return payload.intents[0].title if payload.intents else None


def overall_state(payload: SummaryPayload) -> State | None:
    """The first of needs-you, in-progress, done, dropped that any intent has."""
    states = {intent.state for intent in payload.intents}
    return next((state for state in State if state in states), None)


def open_items(payload: SummaryPayload) -> int:
    """How many next steps wait in intents that need the person or are in progress."""
    waiting = (State.NEEDS_YOU, State.IN_PROGRESS)
    return sum(len(intent.next_steps) for intent in payload.intents if intent.state in waiting)
