"""What hosts send, read once: a clear sentence for what cannot be taken, and nothing stored of it."""

import asyncio
import json
from typing import Annotated, Any, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, StrictStr, ValidationError

from service.domain.automation import origin_of
from service.domain.messages import Fact, FactKind, FactResult, Message
from service.web.errors import bad_request
from service.web.state import ApiRequest

_OFF_LOOP_BYTES = 64 * 1024
B = TypeVar("B", bound=BaseModel)


class _Body(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class FactBody(_Body):
    """One fact that a host knows of a tool call."""

    kind: FactKind
    text: StrictStr
    result: FactResult | None = None


class MessageBody(_Body):
    """One message; content that is no text (pictures, tool payloads) is taken and not kept."""

    role: Annotated[StrictStr, Field(min_length=1, max_length=64)]
    content: Any = None
    ts: StrictStr | StrictInt | StrictFloat | None = None
    facts: tuple[FactBody, ...] = ()

    def message(self) -> Message:
        """The message as the domain knows it."""
        role = clean(self.role)
        content = clean(_text(self.content)) if role in ("user", "assistant") else ""
        ts = None if self.ts is None else clean(str(self.ts))
        facts = tuple(Fact(fact.kind, clean(fact.text), fact.result) for fact in self.facts)
        return Message(role, content, origin_of(role, content), ts, facts)


class MessagesBody(_Body):
    """A list of messages, in order."""

    messages: tuple[MessageBody, ...]

    def as_messages(self) -> tuple[Message, ...]:
        return tuple(body.message() for body in self.messages)


class NoBody(_Body):
    """Nothing is asked for; whatever is sent must still be a JSON object."""


class TurnEndBody(_Body):
    """How a turn ended, and what it added."""

    stop_reason: Annotated[StrictStr, Field(max_length=200)] | None = None
    messages: tuple[MessageBody, ...] = ()

    def as_messages(self) -> tuple[Message, ...]:
        return tuple(body.message() for body in self.messages)

    def reason(self) -> str | None:
        """The stop reason on one line, since it goes into log lines; None where it is missing or blank."""
        return "".join(c if c.isprintable() else " " for c in self.stop_reason or "").strip() or None


class SlotBody(_Body):
    """What a host says of a slot; `model_fields_set` tells what was sent."""

    transcript_key: StrictStr | None = None
    title: Annotated[StrictStr, Field(max_length=2_000)] | None = None
    project: Annotated[StrictStr, Field(max_length=4_096)] | None = None
    memory_mode: Annotated[StrictStr, Field(max_length=64)] | None = None


def clean(text: str) -> str:
    """Text that can be stored and sent: half a surrogate pair becomes U+FFFD."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)]
        return "\n".join(texts)
    return ""


async def read_body(request: ApiRequest, shape: type[B]) -> B:
    """The body in the given shape; an empty one counts as an empty object. Raises ApiError 400."""
    data = await request.body()
    if len(data) < _OFF_LOOP_BYTES:
        return _parse(data, shape)
    return await asyncio.to_thread(_parse, data, shape)


def _parse(data: bytes, shape: type[B]) -> B:
    value = _decode(data) if data.strip() else {}
    if not isinstance(value, dict):
        raise bad_request("the body must be a JSON object")
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])[:200]
        raise bad_request(f"{clean(place)}: {first['msg']}") from None


def _decode(data: bytes) -> object:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        pass
    try:
        # Half surrogate pairs are valid JSON escapes that orjson refuses.
        return json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise bad_request("the body is no valid JSON", "invalid_json") from None


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is no JSON")
