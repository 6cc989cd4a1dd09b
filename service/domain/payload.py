"""The summary as it is stored and served, and the lenient way there from a model's draft."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate
from typing import TypedDict, TypeVar, cast

from pydantic import BaseModel, ConfigDict, FiniteFloat

from service.domain.characters import encodable
from service.domain.facts import evidence_for, one_line
from service.domain.lenient import (
    Status,
    items_of,
    raw_step,
    raw_text,
    read_ranges,
    read_status,
    read_turn,
    read_verified,
    shown_text,
    shown_texts,
)
from service.domain.messages import Fact, FactKind, FactResult
from service.domain.proof import ProofWord, proof_of
from service.domain.redact import redact_nested

MAX_BYTES = 256 * 1024  # SPEC section 6

_LOG = logging.getLogger(__name__)

T = TypeVar("T")
P = TypeVar("P", bound=BaseModel | str)


class State(StrEnum):
    """What an intent asks of the person, in the order that counts for a whole session."""

    NEEDS_YOU = "needs-you"
    IN_PROGRESS = "in-progress"
    DONE = "done"
    DROPPED = "dropped"


def derive_state(status: Status, verified: bool | None) -> State:
    """The state of an intent; completed work that is known to be unverified needs the person."""
    if status is Status.COMPLETED:
        return State.NEEDS_YOU if verified is False else State.DONE
    return State.DROPPED if status is Status.ABANDONED else State.IN_PROGRESS


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class NextStep(_Part):
    """Something to do next, as the summarizer infers it."""

    what: str
    why: str = ""
    expect: str = ""


class Evidence(_Part):
    """A fact of a turn the intent covers; the server puts it there, never the model."""

    turn: int
    kind: FactKind
    text: str
    result: FactResult | None = None


class ShownProof(_Part):
    """What the word `verified` rests on, made by the server from the evidence; see `proof.py` for the words."""

    word: ProofWord
    turn: int | None = None
    text: str | None = None


class Intent(_Part):
    """One goal the person pursued."""

    title: str
    initial_intent: str
    ranges: tuple[tuple[int, int], ...]
    status: Status
    verified: bool | None
    state: State
    origin_turn: int | None
    last_touched_turn: int
    progress: tuple[str, ...]
    next_steps: tuple[NextStep, ...]
    evidence: tuple[Evidence, ...] = ()
    proof: ShownProof | None = None


class Coverage(_Part):
    """How many user turns the model read whole, in part and not at all."""

    read_whole: int
    excerpted: int
    left_out: int


class Generator(_Part):
    """What made the summary."""

    engine: str
    model: str


class SummaryPayload(_Part):
    """A whole summary."""

    intents: tuple[Intent, ...]
    constraints: tuple[str, ...]
    generated_at: FiniteFloat
    user_turns: int
    last_activity: str | None
    coverage: Coverage
    generator: Generator
    cost_usd: FiniteFloat | None = None


@dataclass(frozen=True, slots=True)
class NormaliseContext:
    """What the server knows of the session, and the limits of the settings; nothing of it is taken from a draft."""

    user_turns: int
    last_activity: str | None
    generated_at: float
    coverage: Coverage
    generator: Generator
    max_intents: int
    max_constraints: int
    facts_by_turn: Mapping[int, Sequence[Fact]] = field(default_factory=dict)
    cost_usd: float | None = None


def normalise(draft: Mapping[str, object], context: NormaliseContext) -> SummaryPayload | None:
    """The payload that a draft amounts to, redacted and within every bound; None where no intent is usable.

    Bad fields degrade one by one: nothing a draft holds raises, and nothing the server itself knows is taken from it.
    """
    listed = draft.get("intents")
    drafts = [item for item in listed if isinstance(item, Mapping)] if isinstance(listed, list | tuple) else []
    texts = _redacted_texts(drafts, draft.get("constraints"))
    intents = [
        intent
        for item, text in zip(drafts, texts["intents"], strict=True)
        if (intent := _intent(item, text, context)) is not None
    ]
    # Stable: intents last touched in the same turn stay in the model's order.
    intents.sort(key=lambda intent: intent.last_touched_turn, reverse=True)
    payload = SummaryPayload(
        intents=tuple(_limited(intents, context.max_intents, "intents")),
        constraints=tuple(_limited(shown_texts(texts["constraints"]), context.max_constraints, "constraints")),
        generated_at=context.generated_at,
        user_turns=context.user_turns,
        last_activity=encodable(context.last_activity) if context.last_activity else None,
        coverage=context.coverage,
        generator=context.generator,
        cost_usd=context.cost_usd,
    )
    return _fitting(payload) if payload.intents else None


def dump(payload: SummaryPayload) -> str:
    """The exact JSON text that is stored and served: always encodable, always JSON."""
    return _json(payload.model_dump())


class _IntentTexts(TypedDict):
    title: str
    initial_intent: str
    progress: list[str]
    next_steps: list[dict[str, str]]


class _Texts(TypedDict):
    """Every text of a draft that may be stored, not yet capped: half a credential would match no rule."""

    intents: list[_IntentTexts]
    constraints: list[str]


def _redacted_texts(drafts: Sequence[Mapping[str, object]], constraints: object) -> _Texts:
    texts = _Texts(
        intents=[_intent_texts(draft) for draft in drafts],
        constraints=[raw_text(item) for item in items_of(constraints)],
    )
    # One walk over all of them sees a secret that was split over several; it returns the shape it was given.
    return cast(_Texts, redact_nested(texts))


def _intent_texts(draft: Mapping[str, object]) -> _IntentTexts:
    return _IntentTexts(
        title=raw_text(draft.get("title")),
        initial_intent=raw_text(draft.get("initial_intent")),
        progress=[raw_text(item) for item in items_of(draft.get("progress"))],
        next_steps=[raw_step(item) for item in items_of(draft.get("next_steps"))],
    )


def _intent(draft: Mapping[str, object], texts: _IntentTexts, context: NormaliseContext) -> Intent | None:
    """None without a title; without a valid range the intent stays, as touched in no turn."""
    title = shown_text(texts["title"])
    if not title:
        return None
    status, verified = read_status(draft.get("status")), read_verified(draft.get("verified"))
    ranges = read_ranges(draft.get("ranges"), context.user_turns)
    evidence = _evidence(evidence_for(ranges, context.facts_by_turn))
    proof = proof_of(verified, [(one.turn, Fact(one.kind, one.text, one.result)) for one in evidence])
    return Intent(
        title=title,
        initial_intent=shown_text(texts["initial_intent"]),
        ranges=ranges,
        status=status,
        verified=verified,
        state=derive_state(status, verified),
        origin_turn=read_turn(draft.get("origin_turn"), context.user_turns),
        last_touched_turn=max((end for _, end in ranges), default=0),
        progress=shown_texts(texts["progress"]),
        next_steps=_next_steps(texts["next_steps"]),
        evidence=evidence,
        proof=None if proof is None else ShownProof(word=proof.word, turn=proof.turn, text=proof.text),
    )


def _next_steps(steps: Sequence[Mapping[str, str]]) -> tuple[NextStep, ...]:
    read = (NextStep(**{key: shown_text(text) for key, text in step.items()}) for step in steps)
    return tuple(step for step in read if step.what)


def _evidence(found: Sequence[tuple[int, Fact]]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            turn=turn,
            kind=fact.kind,
            text=one_line(fact.text, keep_end=fact.kind is FactKind.EDITED),
            result=fact.result,
        )
        for turn, fact in found
    )


def _limited(items: Sequence[T], limit: int, name: str) -> Sequence[T]:
    if len(items) > limit:
        _LOG.info("summary_cut part=%s dropped=%d limit=%d", name, len(items) - limit, limit)
    return items[:limit]


def _fitting(payload: SummaryPayload) -> SummaryPayload | None:
    """The payload in `MAX_BYTES`: the oldest-touched intents go until it fits, then the last constraints; else None."""
    intents = _that_fit(payload.intents, _room_in(payload.model_copy(update={"intents": ()})))
    if intents:
        return payload.model_copy(update={"intents": intents})
    bare = payload.model_copy(update={"intents": payload.intents[:1], "constraints": ()})
    room = _room_in(bare)
    _LOG.info("summary_cut part=payload bytes_over=%d limit=%d", max(0, -room), MAX_BYTES)
    return None if room < 0 else bare.model_copy(update={"constraints": _that_fit(payload.constraints, room)})


def _that_fit(parts: Sequence[P], room: int) -> tuple[P, ...]:
    sizes = accumulate(_bytes(part) + 1 for part in parts)
    # A list has one comma fewer than items.
    kept = tuple(part for part, size in zip(parts, sizes, strict=True) if size <= room + 1)
    if len(kept) < len(parts):
        _LOG.info("summary_cut part=payload dropped=%d limit=%d", len(parts) - len(kept), MAX_BYTES)
    return kept


def _room_in(payload: SummaryPayload) -> int:
    return MAX_BYTES - _bytes(payload)


def _bytes(part: BaseModel | str) -> int:
    return len(_json(part.model_dump() if isinstance(part, BaseModel) else part).encode())


def _json(value: object) -> str:
    return encodable(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))
