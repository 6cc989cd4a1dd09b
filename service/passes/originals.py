"""Which of two sessions that begin alike is the original: by what their files say, else by when they went on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from service.domain.messages import Message
from service.domain.times import parse_time
from service.sources import kirocrew
from service.sources.session import Session
from service.store.sources import SourceRow

# Their rows have no ids: two chats that begin alike need not be one, unless a file says so.
_ONLY_LINKED = frozenset({kirocrew.AGENT})
# A session was copied from one that was copied from another, and so on.
_MOST_GENERATIONS = 100


@dataclass(frozen=True, slots=True)
class Talk:
    """A session's file, when it says that it was begun, and the messages that are compared."""

    row: SourceRow
    born: str | None
    messages: Sequence[Message]

    @property
    def key(self) -> str:
        return self.row.transcript_key

    def behind(self, count: int) -> "Talk":
        """The same without its first messages."""
        return replace(self, messages=self.messages[count:]) if count else self

    def went_on_at(self, alike: int) -> datetime | None:
        """When something was said first that the other does not have; replies may lack a time."""
        moments = (parse_time(message.ts) for message in self.messages[alike:])
        return next((moment for moment in moments if moment), None)


class Origins:
    """Remembers of the sessions that were read what tells original from copy; of others the store knows the order."""

    def __init__(self) -> None:
        self._copied_from: dict[str, str] = {}
        self._born: dict[str, datetime] = {}
        self._together: set[str] = set()
        self._in_backlog = True

    def note(self, session: Session, *, is_new: bool) -> None:
        """Takes in what a session's file says of where it comes from."""
        if session.copied_from:
            self._copied_from[session.key] = f"{session.agent}:{session.copied_from}"
        if born := parse_time(session.born):
            self._born[session.key] = born
        if is_new and self._in_backlog:
            self._together.add(session.key)

    def end_backlog(self) -> None:
        """Sessions of one backlog are found in any order; what is found from now on came later."""
        self._together.clear()
        self._in_backlog = False

    def may_share(self, theirs: Talk, ours: Talk) -> bool:
        """Whether messages that both begin with can be the same."""
        agent = ours.key.partition(":")[0]
        return agent not in _ONLY_LINKED or self._are_linked(theirs.key, ours.key)

    def _are_linked(self, one: str, other: str) -> bool:
        return self._descends(one, other) or self._descends(other, one)

    def is_original(self, theirs: Talk, ours: Talk, alike: int) -> bool:
        """Whether a stored session is the original of one that is looked at, whose first `alike` messages it has."""
        if self._descends(ours.key, theirs.key):
            return True
        if self._descends(theirs.key, ours.key):
            return False
        by_birth = self._is_born_first(theirs, ours, alike)
        if by_birth is not None:
            return by_birth
        they_end, we_end = alike == len(theirs.messages), alike == len(ours.messages)
        if they_end and we_end:
            return (theirs.row.mtime_ns, theirs.key) <= (ours.row.mtime_ns, ours.key)
        if they_end:
            return True
        if theirs.key not in self._together:
            # A file that is being copied to holds for a moment no more than a part of the original's rows.
            return not we_end or theirs.row.mtime_ns < ours.row.mtime_ns
        return not we_end and not _went_on_first(ours, theirs, alike)

    def _is_born_first(self, theirs: Talk, ours: Talk, alike: int) -> bool | None:
        """A copy is born after its original, and without what that said after the copy's birth."""
        we, they = parse_time(ours.born), self._born.get(theirs.key)
        if we and they:
            return they < we if they != we else None
        if we and (moment := theirs.went_on_at(alike)) and moment < we:
            return True
        if they and (moment := ours.went_on_at(alike)) and moment < they:
            return False
        return None

    def _descends(self, key: str, ancestor: str) -> bool:
        for _ in range(_MOST_GENERATIONS):
            parent = self._copied_from.get(key)
            if parent is None or parent == key:
                return False
            if parent == ancestor:
                return True
            key = parent
        return False


def _went_on_first(one: Talk, other: Talk, alike: int) -> bool:
    """Whether one said something of its own before the other did."""
    ours, theirs = one.went_on_at(alike), other.went_on_at(alike)
    return ours is not None and theirs is not None and ours < theirs
