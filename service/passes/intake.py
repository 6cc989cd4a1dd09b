"""The one place where text enters: redacted here, once, before it is written anywhere."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace

from service.domain.messages import Fact, Message
from service.domain.redact import redact


async def redacted_messages(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The messages and their facts as they may be stored; the work is done off the event loop."""
    given = tuple(messages)
    return await asyncio.to_thread(lambda: tuple(_redacted(message) for message in given))


async def redacted_text(text: str | None) -> str | None:
    """A title or project as it may be stored."""
    return None if text is None else await asyncio.to_thread(redact, text)


def _redacted(message: Message) -> Message:
    return replace(message, content=redact(message.content), facts=tuple(map(_redacted_fact, message.facts)))


def _redacted_fact(fact: Fact) -> Fact:
    return replace(fact, text=redact(fact.text))
