"""Builders for what lies in the store."""

from service.domain.identity import Identity
from service.domain.messages import Fact, FactKind, FactResult, Message, Origin
from service.store import slots, summaries, transcripts
from service.store.access import DASHBOARD, Caller
from service.store.engine import Database
from service.store.slots import SlotChange
from service.store.summaries import MadeSummary, SlotState

NOW_NS = 1_760_000_000_000_000_000
PAYLOAD = '{"intents":[],"constraints":[]}'


def said(text: str, ts: str | None = None) -> Message:
    """A person's message."""
    return Message("user", text, Origin.PERSON, ts)


def replied(text: str, *facts: Fact, ts: str | None = None) -> Message:
    """An assistant's reply, with what its tool calls proved."""
    return Message("assistant", text, Origin.ASSISTANT, ts, facts)


def failed_run(command: str = "pytest") -> Fact:
    return Fact(FactKind.RAN, command, FactResult.FAILED)


def made(identity: Identity, *, user_turns: int = 1, payload: str = PAYLOAD) -> MadeSummary:
    """A summary made from this identity."""
    return MadeSummary(identity, payload, 1_760_000_000.5, user_turns, "Sort the imports", "in-progress", 1)


async def open_slot(
    db: Database, key: str, *messages: Message, transcript: str | None = None, app: str | None = None, at: int = NOW_NS
) -> None:
    """A slot whose transcript holds these messages."""
    change = SlotChange(transcript_key=transcript)
    await db.write(lambda w: slots.put_slot(w, key, change, Caller(app), at))
    await db.write(lambda w: transcripts.append_messages(w, transcript or key, messages, at))


async def state_of(db: Database, slot: str, caller: Caller = DASHBOARD, now_ns: int = NOW_NS) -> SlotState:
    state = await db.read(lambda r: summaries.read_slot_state(r, slot, caller, now_ns))
    assert state is not None
    return state
