"""One session as a file shows it, made true in the store by one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from service.domain.messages import Message
from service.passes.copies import Copies, Shared, digest_of
from service.passes.intake import redacted_messages
from service.passes.mirrored import Difference, difference, is_open, stop_reason
from service.passes.skipping import OUTDONE
from service.sources.presence import is_gone
from service.sources.session import LastTurn, Session
from service.store import sources, transcripts
from service.store.engine import Write
from service.store.events import EventType, announce
from service.store.sources import Admission, Mirrored, SourceRow, Standing


class Refused(StrEnum):
    """Why a session in a file is not stored from it."""

    DELETED = "deleted here"
    TAKEN = "a host's session has the same key"
    OUTDONE = OUTDONE
    MOVED = "changed meanwhile"  # never shown: the session is compared with the store anew


_NOT_ADMITTED = {Admission.DELETED: Refused.DELETED, Admission.TAKEN: Refused.TAKEN}


@dataclass(frozen=True, slots=True)
class Stored:
    """What came of a look: the row that was noted, whether content or turn moved, and how the turn stands.

    `running` is None where the look told nothing new about the turn.
    """

    row: SourceRow
    moved: bool
    running: bool | None


@dataclass(frozen=True, slots=True)
class Before:
    """A session as it was taken in by the last look at its file."""

    session: Session
    row: SourceRow

    @property
    def is_mere_copy(self) -> bool:
        """Whether all of it was another session's: what came since may be too."""
        return 0 < self.row.copied == len(self.session.messages)


@dataclass(frozen=True, slots=True)
class Seen:
    """A session in a file, what the file says of it, and when the file last gave a row (ns).

    Where it `is_answered` somebody has said that the turn is over: a closing text is taken for its end. Where the turn
    `was_running` when the service ended, it may run still.
    """

    session: Session
    facts: Mirrored
    row: SourceRow
    row_at_ns: int
    is_answered: bool
    was_running: bool


@dataclass(frozen=True, slots=True)
class Sighting:
    """What is to be stored of it, redacted: `changed` since the look `before`, or all `texts` where none is known."""

    seen: Seen
    before: Before | None
    changed: Difference | None
    texts: tuple[Message, ...]


async def sighting_after(before: Before | None, seen: Seen) -> Sighting:
    """Redacts what is new, or all of it where the messages that are another session's may be others by now."""
    copied = before.row.copied if before else 0
    messages = seen.session.messages
    if before is None or before.session.messages[:copied] != messages[:copied]:
        return Sighting(seen, None, None, await redacted_messages(messages))
    changed = difference(before.session.messages[copied:], messages[copied:])
    if changed is not None:
        changed = replace(changed, messages=await redacted_messages(changed.messages))
    return Sighting(seen, before, changed, ())


class SessionWrite:
    """The work of one transaction; how it ends is a value."""

    def __init__(self, sighting: Sighting, copies: Copies, now_ns: int) -> None:
        self._sighting = sighting
        self._seen = sighting.seen
        self._copies = copies
        self._now_ns = now_ns

    @property
    def _key(self) -> str:
        return self._seen.session.key

    async def run(self, w: Write) -> Stored | Refused:
        """Stores what the file says, unless the session is another's to tell or gone for good."""
        standing = await sources.find_standing(w, self._key)
        owner = await sources.find_source(w, self._key)
        if standing is not None and owner is not None and self._is_outdone(owner, standing):
            return Refused.OUTDONE
        if self._sighting.before is not None and not self._goes_on(owner, standing):
            return Refused.MOVED
        admission = await sources.admit_session(w, self._seen.facts, self._now_ns)
        if admission is not Admission.OPEN:
            return _NOT_ADMITTED[admission]
        return await self._store(w, owner, standing)

    async def _store(self, w: Write, owner: SourceRow | None, standing: Standing | None) -> Stored:
        facts = self._seen.facts
        row, changed = await self._content(w, owner, standing)
        if changed is not None and changed.kept is None:
            await transcripts.rewrite_messages(
                w, self._key, changed.messages, self._now_ns, same_turns=changed.same_turns
            )
        elif changed is not None:
            await transcripts.append_messages(
                w, self._key, changed.messages, self._now_ns, kept=changed.kept, sort_ns=facts.sort_ns
            )
        if row.copied and (why := _why_unprompted(self._seen.session.messages[row.copied :])):
            facts = replace(facts, unprompted=why)
        if await sources.set_metadata(w, facts) and changed is None:
            await announce(w, EventType.CHANGED, self._key, self._now_ns)
        await sources.remember_source(w, row)
        running = self._running(standing, has_changed=changed is not None)
        turned = await self._set_turn(w, running)
        # Other words in the middle of an old session are a rewrite, and the end of no turn.
        return Stored(row, turned or (changed is not None and not changed.ends_alike), running)

    def _is_outdone(self, owner: SourceRow, standing: Standing) -> bool:
        """Of two files that hold a session, the one it was spoken in last has it, else the longer one."""
        if owner.file == self._seen.row.file or is_gone(owner.file):
            return False
        theirs = (standing.sort_ns, standing.messages + owner.copied, str(owner.file))
        ours = (self._seen.facts.sort_ns, len(self._seen.session.messages), str(self._seen.row.file))
        return ours < theirs

    def _goes_on(self, owner: SourceRow | None, standing: Standing | None) -> bool:
        """Whether the store still holds what the last look left there."""
        before = self._sighting.before
        return (
            before is not None
            and owner is not None
            and standing is not None
            and owner.file == before.row.file
            and owner.copied == before.row.copied
            and standing.messages == len(before.session.messages) - before.row.copied
        )

    async def _content(
        self, w: Write, owner: SourceRow | None, standing: Standing | None
    ) -> tuple[SourceRow, Difference | None]:
        """What of the messages is new, without those that are another session's."""
        sighting = self._sighting
        if sighting.before is not None:
            return self._seen.row, sighting.changed
        shared = await self._shared(w, owner, standing)
        await self._take_back(w, shared)
        digest = digest_of(self._seen.session.messages[: shared.copied]) if shared.copied else ""
        row = replace(self._seen.row, copied=shared.copied, copied_digest=digest)
        self._copies.note(row, self._seen.session)
        return row, difference(await transcripts.load_messages(w, self._key), sighting.texts[shared.copied :])

    async def _shared(self, w: Write, owner: SourceRow | None, standing: Standing | None) -> Shared:
        """What was found to be another's stays so whatever became of that session, but while it leaves.

        A session with nothing of its own may be one that is still being copied.
        """
        session, texts = self._seen.session, self._sighting.texts
        if owner is None or not owner.copied or digest_of(session.messages[: owner.copied]) != owner.copied_digest:
            return await self._copies.shared(w, self._seen.row, session, texts)
        kept = await self._copies.still_copied(w, owner, texts)
        if kept < owner.copied:
            return await self._copies.shared(w, self._seen.row, session, texts, copied=kept)
        if standing is not None and standing.messages:
            return Shared(kept)
        shared = await self._copies.shared(w, self._seen.row, session, texts)
        return shared if shared.copied > kept else Shared(kept)

    async def _take_back(self, w: Write, shared: Shared) -> None:
        """What a copy was given before its original was found is the original's; its file still tells its activity."""
        for other, lent in shared.lent.items():
            standing, stored = await sources.find_standing(w, other), await transcripts.load_messages(w, other)
            copied, rest = shared.copied + lent, stored[lent:]
            await transcripts.rewrite_messages(w, other, rest, self._now_ns)
            await sources.note_copied(w, other, copied, digest_of(self._seen.session.messages[:copied]))
            if standing is not None:
                await sources.note_rest(
                    w, other, last_activity=standing.last_activity, unprompted=_why_unprompted(rest)
                )

    def _running(self, standing: Standing | None, *, has_changed: bool) -> bool | None:
        """Whether the last turn runs; rows that say nothing of the talk, such as a late title, begin none."""
        turn, before = self._seen.session.last_turn, self._sighting.before
        quiet = (self._now_ns - self._seen.row_at_ns) / 1e9
        if not is_open(turn, quiet) or (self._seen.is_answered and turn is LastTurn.REPLIED):
            return False
        was_running = self._seen.was_running or (standing is not None and standing.running)
        stirred = (
            has_changed
            or standing is None
            or self._seen.was_running
            or standing.last_activity != self._seen.session.last_activity
            or (before is not None and before.session.last_turn is not turn)
        )
        if not stirred or (turn is LastTurn.REPLIED and not has_changed and not was_running):
            return None
        return True

    async def _set_turn(self, w: Write, running: bool | None) -> bool:
        if running is None:
            return False
        reason = None if running else stop_reason(self._seen.session.last_turn)
        return await sources.set_mirrored_turn(w, self._key, running=running, stop_reason=reason, now_ns=self._now_ns)


def _why_unprompted(rest: Sequence[Message]) -> str | None:
    """Of a session that was copied from another: None where a person said something since."""
    spoken = any(message.by_person for message in rest)
    return None if spoken else "nothing said since it was copied from another session"
