"""Sessions whose files begin with a copy of another session's rows: what was copied counts where it was said first.

A resumed or forked session's file may repeat the rows of the session it goes on from, under its own id; often nothing
says so but the rows themselves, which keep their ids, times and words.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from service.domain.messages import Message
from service.passes.mirrored import grew, same_head
from service.passes.originals import Origins, Talk
from service.sources.session import Session
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


class Copies:
    """Knows by which row each session begins; those that begin alike are compared, and no others."""

    def __init__(self) -> None:
        self._families: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self._origins = Origins()
        self._leaving: set[str] = set()

    def load(self, rows: Iterable[SourceRow]) -> None:
        """Takes in what is stored."""
        for row in rows:
            self._join(row)

    def note(self, row: SourceRow, session: Session) -> None:
        """Takes in a session that is stored from now on."""
        self._note_origin(row, session)
        self._join(row)

    def end_backlog(self) -> None:
        """What is found from now on came later."""
        self._origins.end_backlog()

    def begins_like_another(self, row: SourceRow) -> bool:
        """Whether the session has to be compared with others."""
        return bool(self._family(row) - {row.transcript_key})

    @contextmanager
    def without(self, key: str) -> Iterator[None]:
        """While the session leaves, what others had copied of it is nobody's, and theirs from then on."""
        self._leaving.add(key)
        try:
            yield
        finally:
            self._leaving.discard(key)

    async def still_copied(self, write: Write, row: SourceRow, messages: Sequence[Message]) -> int:
        """How many of a copy's first messages stay others', those of the session that leaves no more.

        Those before them stay out: they may be of a session that a person deleted, of which nothing is known any more.
        """
        kept = row.copied
        for key in self._leaving & self._family(row):
            lender = await sources.find_source(write, key)
            if lender is not None and lender.copied < kept:
                own = await transcripts.load_messages(write, key)
                if same_head(own, messages[lender.copied : kept]):
                    kept = lender.copied
        return kept

    async def shared(
        self, write: Write, row: SourceRow, session: Session, messages: Sequence[Message], *, copied: int = 0
    ) -> Shared:
        """What a session has in common with stored ones, where its first `copied` messages are known to be others'."""
        self._note_origin(row, session)
        family = sorted(self._family(row) - self._leaving - {row.transcript_key})[:_MOST_COMPARED]
        ours = Talk(row, session.born, messages)
        while True:
            step, lent = await self._common(write, family, ours.behind(copied), copied)
            if not step:
                return Shared(copied, lent)
            copied += step

    async def _common(self, write: Write, family: Sequence[str], ours: Talk, copied: int) -> tuple[int, dict[str, int]]:
        """How many messages are those of an original, and how many, by session, copies have of ours."""
        step, lent = 0, dict[str, int]()
        for key in family:
            theirs = await _stored_talk(write, key)
            alike = _alike(theirs, ours) if theirs and self._origins.may_share(theirs, ours) else 0
            if theirs is None or not alike:
                continue
            if self._origins.is_original(theirs, ours, alike):
                step = max(step, alike)
            elif theirs.row.copied == copied:
                lent[key] = alike
        return step, lent

    def _note_origin(self, row: SourceRow, session: Session) -> None:
        self._origins.note(session, is_new=row.transcript_key not in self._family(row))

    def _family(self, row: SourceRow) -> set[str]:
        return self._families.get(_origin(row), set()) if row.first_row else set()

    def _join(self, row: SourceRow) -> None:
        if row.first_row:
            self._families[_origin(row)].add(row.transcript_key)


def _origin(row: SourceRow) -> tuple[str, str]:
    return row.transcript_key.partition(":")[0], row.first_row


async def _stored_talk(write: Write, key: str) -> Talk | None:
    source = await sources.find_source(write, key)
    return None if source is None else Talk(source, None, await transcripts.load_messages(write, key))


def _alike(theirs: Talk, ours: Talk) -> int:
    """How many messages both begin with, the last of them perhaps a reply of which one has more."""
    one, other = theirs.messages, ours.messages
    alike = same_head(one, other)
    goes_on = alike < min(len(one), len(other)) and _is_same_reply(one[alike], other[alike])
    return alike + 1 if goes_on else alike


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
