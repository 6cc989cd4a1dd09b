"""From a snapshot of a transcript to a summary that may be stored: extract, ask, read the reply, normalise."""

import asyncio
from dataclasses import dataclass, replace

from service.config import Config
from service.domain.extract import Rendered, render
from service.domain.facts import facts_by_turn
from service.domain.identity import Identity
from service.domain.messages import Message
from service.domain.overview import headline, open_items, overall_state
from service.domain.payload import Generator, NormaliseContext, dump, normalise
from service.domain.prompt import instructions
from service.domain.reply import ReplyProblem, read_reply
from service.passes.outcome import MODEL_TIMEOUT, REPLY_UNUSABLE, PassResult, failed
from service.store.ledger import Outcome
from service.store.summaries import MadeSummary
from service.summarizers.prices import cost_usd, prices_with
from service.summarizers.protocol import Failure, Reply, Request, Summarizer, Task


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a summary is made from, and which content that is: both from one read transaction."""

    identity: Identity
    messages: tuple[Message, ...]


async def rendered(snapshot: Snapshot, config: Config) -> Rendered:
    """The bounded model input of the whole transcript."""
    section = config.section
    # Whatever its size: many small messages cost as much as a long one, and a pass is no matter of microseconds.
    return await asyncio.to_thread(
        render,
        snapshot.messages,
        excerpt_chars=section.assistant_excerpt_chars,
        max_chars=section.max_input_chars,
    )


def question(snapshot: Snapshot, text: Rendered, config: Config, deadline: float) -> Request:
    """What the summarizer is asked."""
    section = config.section
    wanted = instructions(max_intents=section.max_intents, max_constraints=section.max_constraints)
    return Request(Task.SUMMARY, wanted, text.text, snapshot.messages, deadline=deadline)


async def answer(summarizer: Summarizer, request: Request) -> Reply | PassResult:
    """The summarizer's reply, or the end of the pass where there is none."""
    try:
        reply = await summarizer.ask(request)
    except TimeoutError:
        return replace(failed(MODEL_TIMEOUT), model=summarizer.model)
    if isinstance(reply, Failure):
        return PassResult(Outcome.FAILED, reply.reason, reply.retry_after, reply.model, reply.usage)
    return reply


async def made_summary(
    reply: Reply, snapshot: Snapshot, text: Rendered, config: Config, engine: str, now: float
) -> MadeSummary | PassResult:
    """The summary a reply amounts to, or why it amounts to none."""
    # Whatever its size: a reply of 58 KB that is all brackets takes a second.
    return await asyncio.to_thread(_read, reply, snapshot, text, config, engine, now)


def _read(
    reply: Reply, snapshot: Snapshot, text: Rendered, config: Config, engine: str, now: float
) -> MadeSummary | PassResult:
    draft = read_reply(reply.text)
    if isinstance(draft, ReplyProblem):
        return failed(draft.value)
    context = NormaliseContext(
        user_turns=text.user_turns,
        last_activity=text.last_activity,
        generated_at=now,
        coverage=text.coverage,
        generator=Generator(engine=engine, model=reply.model),
        max_intents=config.section.max_intents,
        max_constraints=config.section.max_constraints,
        facts_by_turn=facts_by_turn(snapshot.messages),
        cost_usd=cost_usd(reply.model, reply.usage, prices_with(config.prices)),
    )
    payload = normalise(draft, context)
    if payload is None:
        return failed(REPLY_UNUSABLE)
    return MadeSummary(
        identity=snapshot.identity,
        payload=dump(payload),
        generated_at=now,
        user_turns=text.user_turns,
        headline=headline(payload),
        state=overall_state(payload),
        open_items=open_items(payload),
    )
