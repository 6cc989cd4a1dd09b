"""Whether a stored summary is of all there is: by identity, and for a mirrored session by its file's size as well."""

import os

from service.domain.identity import StaleReason
from service.store.summaries import SlotState


def moved_on(state: SlotState) -> StaleReason | None:
    """How the session moved on since its summary was made; None where that is current, or there is none.

    An agent's file that is larger than what was read of it has been appended to, before anybody was told.
    """
    if state.stale_reason is None and state.payload is not None and _file_has_grown(state):
        return StaleReason.APPENDED
    return state.stale_reason


def is_current(state: SlotState) -> bool:
    """Whether a pass has nothing to do."""
    return state.fresh and moved_on(state) is None


def _file_has_grown(state: SlotState) -> bool:
    if state.source_path is None or state.source_size is None:
        return False
    try:
        return os.stat(state.source_path).st_size > state.source_size
    except OSError:
        return False
