"""Sessions whose files begin with a copy of another session's rows: what was copied counts where it was said first.

A resumed or forked session's file may repeat the rows of the session it goes on from, under its own id; nothing says so
but the rows themselves, which keep their ids, times and words.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from service.domain.messages import Message
from service.passes.mirrored import grew, same_head
from service.store import sources, transcripts
from service.store.engine import Write
from service.store.sources import SourceRow

_DIGEST_BYTES = 16
# A session that was forked more often than this is compared with so many of its forks.
_MOST_COMPARED = 32


@dataclass(frozen=True, slots=True)
class Shared:
    """How many of a session's first messages are others', and how many of others' first messages are its own."""

    copied: int = 0
    lent: dict[str, int] = field(default_factory=dict)


_NOTHING = Shared()


class Copies:
    """Knows by which row each session begins; those that begin alike are compared, and no others."""

    def __init__(self) -> None:
        self._families: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self._new: set[str] = set()
        self._in_backlog = True
        self._twins: set[str] = set()

    def load(self, rows: Iterable[SourceRow]) -> None:
        """Takes in what is stored."""
        for row in rows:
            self._join(row)

    def note(self, row: SourceRow) -> None:
        """Takes in a session that is stored from now on."""
        if row.transcript_key not in self._family(row):
            if self._in_backlog:
                self._new.add(row.transcript_key)
            self._join(row)

    def end_backlog(self) -> None:
        """What is found from now on came later: what is stored is the original."""
        self._new.clear()
        self._in_backlog = False

    def begins_like_another(self, row: SourceRow) -> bool:
        """Whether the session has to be compared with others."""
        return bool(self._family(row) - {row.transcript_key})

    def is_undecided(self, key: str) -> bool:
        """Whether a session is so far the same as another: which of the two is the copy the next message tells."""
        return key in self._twins

    async def shared(self, write: Write, row: SourceRow, sort_ns: int, messages: Sequence[Message]) -> Shared:
        """What a session has in common with stored ones.

        The session that was stored first is the original; of two that are found in one backlog, the one that ends
        where the other goes on, else the one that was spoken in first.
        """
        self._twins.discard(row.transcript_key)
        family = sorted(self._family(row) - {row.transcript_key})[:_MOST_COMPARED]
        copied, lent = 0, dict[str, int]()
        while copied < len(messages):
            step = 0
            for other in family:
                alike, is_original = await self._compared(write, other, sort_ns, messages[copied:])
                if is_original:
                    step = max(step, alike)
                elif alike and not copied:
                    lent[other] = alike
            if not step:
                break
            copied += step
        if messages and copied == len(messages):
            self._twins.add(row.transcript_key)
            return _NOTHING
        return Shared(copied, {} if copied else lent)

    async def _compared(self, write: Write, other: str, sort_ns: int, messages: Sequence[Message]) -> tuple[int, bool]:
        """How many first messages a stored session has in common, and whether they are that session's own."""
        standing = await sources.find_standing(write, other)
        if standing is None:
            return 0, False
        stored = await transcripts.load_messages(write, other)
        alike = same_head(stored, messages)
        if alike < min(len(stored), len(messages)) and _is_same_reply(stored[alike], messages[alike]):
            alike += 1
        if other not in self._new or alike == len(stored):
            return alike, True
        return alike, alike < len(messages) and standing.sort_ns <= sort_ns

    def _family(self, row: SourceRow) -> set[str]:
        return self._families.get(_origin(row), set()) if row.first_row else set()

    def _join(self, row: SourceRow) -> None:
        if row.first_row:
            self._families[_origin(row)].add(row.transcript_key)


def _origin(row: SourceRow) -> tuple[str, str]:
    return row.transcript_key.partition(":")[0], row.first_row


def _is_same_reply(one: Message, other: Message) -> bool:
    """One of the two went on after it was copied."""
    return one.ts == other.ts and (grew(one, other) or grew(other, one))


def digest_of(messages: Sequence[Message]) -> str:
    """Stands for messages as their file has them, so that a copy is known again after its original is gone."""
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for message in messages:
        for text in (message.role, message.ts or "", message.content):
            digest.update(f"{len(text)}:".encode() + text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
