"""One-line titles: their own table, their own writer; whose call for one may still write, the row itself says."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from service.domain.identity import Identity, Refusal
from service.store.access import Caller, visible_to
from service.store.engine import Read, Write
from service.store.events import EventType, announce
from service.store.tables import Slot, Title, Transcript
from service.store.transcripts import PRIVATE_MODES, is_private


@dataclass(frozen=True, slots=True)
class TitleState:
    """A slot's one-line title beside what its transcript is at this moment; `made` with no title says SKIP."""

    slot: str
    transcript_key: str
    identity: Identity
    user_turns: int
    title: str | None
    stored: Identity
    made: bool

    @property
    def fresh(self) -> bool:
        """Whether asking again could give nothing new."""
        return self.made and self.stored == self.identity


@dataclass(frozen=True, slots=True)
class MadeTitle:
    """A title on its way to the store, and what it was made from; `line` is None where there was nothing to say."""

    identity: Identity
    line: str | None
    generated_at: float


async def find_titles(read: Read, slots: Sequence[str], caller: Caller, most: int) -> Sequence[TitleState]:
    """The first `most` of these slots that exist, are the caller's to see and are not private, in their order."""
    asked = sa.func.json_each(json.dumps(slots, ensure_ascii=False)).table_valued("key", "value")
    query = (
        sa.select(
            Slot.key,
            Slot.transcript_key,
            Transcript.sig,
            Transcript.gen,
            Transcript.user_turns,
            Title.title,
            Title.sig,
            Title.gen,
            Title.generated_at.is_not(None),
        )
        .select_from(asked)
        .join(Slot, Slot.key == asked.c.value)
        .join(Transcript, Transcript.key == Slot.transcript_key)
        .join(Title, Title.transcript_key == Transcript.key)
        .where(visible_to(caller), Transcript.memory_mode.not_in(PRIVATE_MODES))
        .order_by(asked.c.key)
        .limit(most)
    )
    return [
        TitleState(slot, transcript, Identity(sig, gen), turns, title, Identity(t_sig, t_gen), bool(made))
        for slot, transcript, sig, gen, turns, title, t_sig, t_gen, made in await read.execute(query)
    ]


async def claim_title(write: Write, transcript_key: str, owner: str) -> Refusal | None:
    """Makes `owner` the one call whose title may be stored, or says why none may be made.

    The mark lies in the row, so it goes with a deleted transcript: one that is made again under the same key has none.
    It is also the proof, before a model is paid, that the store takes writes at all.
    """
    claimed = await write.scalar(
        sa.update(Title)
        .where(Title.transcript_key == transcript_key, _public(transcript_key))
        .values(lease_owner=owner)
        .returning(Title.transcript_key)
    )
    return None if claimed is not None else await _refusal(write, transcript_key)


async def store_title(write: Write, transcript_key: str, owner: str, made: MadeTitle, now_ns: int) -> Refusal | None:
    """Stores the title and announces it, or stores nothing and says why.

    A transcript that moved on does not matter: the title reads as stale at once. One that was deleted or is private
    does, and so does one that was either meanwhile.
    """
    stored = await write.scalar(
        sa.update(Title)
        .where(Title.transcript_key == transcript_key, Title.lease_owner == owner, _public(transcript_key))
        .values(
            sig=made.identity.sig,
            gen=made.identity.gen,
            title=made.line,
            generated_at=made.generated_at,
            lease_owner=None,
        )
        .returning(Title.transcript_key)
    )
    if stored is None:
        return await _refusal(write, transcript_key)
    await announce(write, EventType.TITLE, transcript_key, now_ns)
    return None


def _public(transcript_key: str) -> sa.ColumnElement[bool]:
    return sa.exists().where(Transcript.key == transcript_key, Transcript.memory_mode.not_in(PRIVATE_MODES))


async def _refusal(write: Write, transcript_key: str) -> Refusal:
    mode = await write.scalar(sa.select(Transcript.memory_mode).where(Transcript.key == transcript_key))
    if mode is None:
        return Refusal.DELETED
    return Refusal.MEMORY_MODE if is_private(mode) else Refusal.MOVED
