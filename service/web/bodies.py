"""What hosts send, read once: a clear sentence for what cannot be taken, and nothing stored of it."""

import asyncio
import json
import re
from typing import Annotated, Any, TypeVar

import orjson
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictFloat, StrictInt, StrictStr, ValidationError

from service.domain.automation import origin_of
from service.domain.characters import encodable
from service.domain.facts import one_line
from service.domain.keys import KEY_WORDS, is_key
from service.domain.messages import Fact, FactKind, FactResult, Message
from service.domain.redact import redact
from service.domain.times import parse_time
from service.web.errors import ApiError, bad_request
from service.web.state import ApiRequest

_OFF_LOOP_BYTES = 64 * 1024
# Roles and stop reasons go into log lines and answers as they are: they are words, not text.
_PLAIN_WORD = re.compile(r"[A-Za-z0-9_.:-]{1,40}")
_OTHER = "other"
_MOST_FACTS = 1_000
B = TypeVar("B", bound=BaseModel)


def _whole(value: object) -> object:
    return encodable(value) if isinstance(value, str) else value


def _slot_key(value: object) -> object:
    if isinstance(value, str) and not is_key(value):
        raise ValueError(KEY_WORDS)
    return value


# Halves of characters are valid JSON, and pydantic takes none of them for text.
Text = Annotated[StrictStr, BeforeValidator(_whole)]
TranscriptKey = Annotated[StrictStr, BeforeValidator(_slot_key)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class FactBody(_Body):
    """One fact that a host knows of a tool call."""

    kind: Annotated[FactKind, BeforeValidator(_whole)]
    text: Text
    result: Annotated[FactResult, BeforeValidator(_whole)] | None = None

    def fact(self) -> Fact:
        """The fact on one line, capped like those that are read from agents' files."""
        return Fact(self.kind, one_line(self.text, keep_end=self.kind is FactKind.EDITED), self.result)


class MessageBody(_Body):
    """One message; content that is no text (pictures, tool payloads) is taken and not kept, a time that is none too."""

    role: Annotated[Text, Field(min_length=1, max_length=64)]
    content: Any = None
    ts: Text | StrictInt | StrictFloat | None = None
    facts: Annotated[tuple[FactBody, ...], Field(max_length=_MOST_FACTS)] = ()

    def message(self) -> Message:
        """The message as the domain knows it."""
        role = self.role if self.role in ("user", "assistant") else _plain_word(self.role)
        content = encodable(_text(self.content)) if role in ("user", "assistant") else ""
        ts = None if self.ts is None else str(self.ts)
        facts = tuple(fact.fact() for fact in self.facts)
        return Message(role, content, origin_of(role, content), ts if parse_time(ts) else None, facts)


class MessagesBody(_Body):
    """A list of messages, in order; `read_messages` looks at each."""

    messages: tuple[Any, ...]


class NoBody(_Body):
    """Nothing is asked for; whatever is sent must still be a JSON object."""


class TurnEndBody(_Body):
    """How a turn ended, and what it added."""

    stop_reason: Annotated[Text, Field(max_length=200)] | None = None
    messages: tuple[Any, ...] = ()

    def reason(self) -> str | None:
        """The stop reason, None where it is missing or blank; what is no plain word is not repeated anywhere."""
        reason = (self.stop_reason or "").strip()
        return _plain_word(reason) if reason else None


class SlotBody(_Body):
    """What a host says of a slot; `model_fields_set` tells what was sent."""

    transcript_key: TranscriptKey | None = None
    title: Annotated[Text, Field(max_length=2_000)] | None = None
    project: Annotated[Text, Field(max_length=4_096)] | None = None
    memory_mode: Annotated[Text, Field(max_length=64)] | None = None


def _plain_word(text: str) -> str:
    return text if _PLAIN_WORD.fullmatch(text) and redact(text) == text else _OTHER


async def read_messages(body: MessagesBody | TurnEndBody) -> tuple[Message, ...]:
    """The messages that a body holds, looked at one by one in a thread, so that no other request waits for many.

    Raises ApiError 400 for the first that cannot be taken.
    """
    return await asyncio.to_thread(lambda: tuple(_message(at, given) for at, given in enumerate(body.messages)))


def _message(at: int, given: object) -> Message:
    try:
        return MessageBody.model_validate(given).message()
    except ValidationError as error:
        raise _refused(error, "messages", at) from None


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
        raise _refused(error) from None


def _refused(error: ValidationError, *place: str | int) -> ApiError:
    """Where in the body something is wrong, and what; never the value itself."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(map(str, (*place, *first["loc"])))[:200]
    return bad_request(f"{encodable(where)}: {first['msg'].removeprefix('Value error, ')}")


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
