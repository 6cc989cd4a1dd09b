"""What becomes of a reply, without holding anybody up."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from service.config import Config
from service.domain.identity import Identity
from service.passes.making import Snapshot, made_summary, rendered
from service.passes.outcome import PassResult
from service.summarizers.protocol import Reply
from tests.support.stored import replied, said

SNAPSHOT = Snapshot(Identity(1, 0), (said("sort the imports"), replied("Sorted.")))


@contextlib.asynccontextmanager
async def others() -> AsyncIterator[list[int]]:
    """Somebody else who wants the loop, and how often it was given."""
    turns: list[int] = []

    async def take_turns() -> None:
        while True:
            turns.append(1)
            await asyncio.sleep(0)

    task = asyncio.create_task(take_turns())
    yield turns
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_requests_are_answered_while_a_reply_is_read() -> None:
    """A reply that is costly for its size, brackets alone, holds up nobody but its own pass."""
    text = await rendered(SNAPSHOT, Config())
    reply = Reply('{"intents": [' + "[" * 20_000, "a-model")
    async with others() as turns:
        made = await made_summary(reply, SNAPSHOT, text, Config(), "anthropic", 1.0)
        assert turns
    assert isinstance(made, PassResult)


async def test_requests_are_answered_while_a_transcript_is_rendered() -> None:
    """Many messages of a letter each are much work and little text."""
    talk = Snapshot(Identity(1, 0), (said("a"), replied("b")) * 1_000)
    async with others() as turns:
        assert (await rendered(talk, Config())).user_turns == 1_000
        assert turns
