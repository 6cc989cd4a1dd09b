"""What a summarizer is given and what it gives back."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from service.domain.messages import Message


class Task(StrEnum):
    """What is asked for: the JSON object of a summary, or one line for the sessions list."""

    SUMMARY = "summary"
    TITLE = "title"


@dataclass(frozen=True, slots=True)
class Request:
    """One question: `instructions` and the rendered `text` for a model, the `messages` behind it for the outline.

    `deadline` is the moment, on the running loop's clock, beyond which the caller has no use for an answer.
    """

    task: Task
    instructions: str
    text: str
    messages: tuple[Message, ...]
    deadline: float | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the model side counted them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer that stopped of its own accord."""

    text: str
    model: str
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer: a reason of SPEC section 7 (`model_overloaded`, `model_timeout`, …).

    `usage` holds what was spent all the same; `retry_after` is the model side's wish in seconds.
    """

    reason: str
    model: str
    usage: Usage = field(default_factory=Usage)
    retry_after: float | None = None


class Summarizer(Protocol):
    """Turns a rendered transcript into a draft summary: text in, text out; it knows no store and no settings."""

    engine: str
    model: str

    async def ask(self, request: Request) -> Reply | Failure:
        """Answers once, before the request's deadline where it names one; never raises but for cancellation."""
        ...
