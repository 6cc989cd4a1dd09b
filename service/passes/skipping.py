"""Why a file or a session of an agent is not taken in, in the words that `doctor` and the page show."""

from collections.abc import Set

from service.domain.keys import is_key
from service.domain.source_filter import SourceFilter
from service.sources import kirocrew
from service.sources.kinds import SUB_AGENT
from service.sources.session import Session

LEFT_OUT = "left out by the settings"
NOT_FOLLOWED = "of an agent that the settings leave out"
UNPLACED = "its project is not known, and the settings leave projects out"
UNJUDGED = "not judged: the settings cannot be read"
OUTDONE = "another file holds more of the same session"
ODD_NAME = "its name is no UTF-8"
ODD_ID = "its id is too long or has control characters"

# What is stored of such sessions stays as it is.
UNDECIDED = frozenset({NOT_FOLLOWED, UNJUDGED, UNPLACED})
# Their sessions belong to no project, so that none can be left out by it.
_WITHOUT_PROJECTS = frozenset({kirocrew.AGENT})


def why_skipped(session: Session, chosen: SourceFilter, stored: Set[str] = frozenset()) -> str | None:
    """None where the session may be taken in; one of the `stored` may be whichever agents are followed."""
    if session.sub_agent:
        return SUB_AGENT
    if not is_key(session.key):
        return ODD_ID
    if not chosen.usable:
        return UNJUDGED
    if chosen.exclude and session.project is None and session.agent not in _WITHOUT_PROJECTS:
        return UNPLACED
    if not chosen.allows(session.project):
        return LEFT_OUT
    return None if chosen.follows(session.agent) or session.key in stored else NOT_FOLLOWED


def broke(error: Exception) -> str:
    """What was read, and broke our own code: a defect, told without a word of what was read."""
    return f"could not be taken in ({type(error).__name__})"
