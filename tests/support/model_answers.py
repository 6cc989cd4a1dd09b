"""What the model server can say: whole answers, streams, errors, and answers that break off."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

MODEL = "claude-haiku-5-5"
USAGE: Mapping[str, int] = {
    "input_tokens": 1200,
    "output_tokens": 80,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
}


class Pause(Enum):
    """What may stand between two pieces of an answer."""

    HOLD = "hold"  # go on once the test has called release()
    CUT = "cut"  # close the connection here
    FLOOD = "flood"  # send empty lines until the client goes away


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server says to one request: `frames` to one that asks for a stream, else `body`."""

    body: bytes = b""
    frames: tuple[bytes | Pause, ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    delay: float = 0.0
    always_json: bool = False

    def with_headers(self, headers: Mapping[str, str]) -> "Answer":
        return replace(self, headers={**self.headers, **headers})

    def after(self, seconds: float) -> "Answer":
        """Begins only after so long."""
        return replace(self, delay=seconds)

    def plain(self) -> "Answer":
        """Answers with one JSON body even where a stream was asked for, as some compatible servers do."""
        return replace(self, always_json=True)

    def held_after(self, frames: int) -> "Answer":
        """Sends so many frames of a stream, then waits until `release()` is or was called."""
        return self._paused(frames, Pause.HOLD)

    def cut_after(self, frames: int) -> "Answer":
        """Sends so many frames of a stream (of a plain answer: half the body), then closes the connection."""
        return self._paused(frames, Pause.CUT)

    def flooding_after(self, frames: int) -> "Answer":
        """Sends so many frames of a stream (of an answer without one: the body), then empty lines for ever."""
        return replace(self, frames=(*(self.frames[:frames] or (self.body,)), Pause.FLOOD))

    def unfinished(self) -> "Answer":
        """Sends the body without its length, then nothing, until `release()` is or was called."""
        return replace(self, frames=(self.body, Pause.HOLD))

    def failing_after(self, frames: int, kind: str = "overloaded_error") -> "Answer":
        """Sends so many frames of a stream, then an error event, as an overload inside a 200 looks."""
        return replace(self, frames=(*self.frames[:frames], _frame(_error(kind))), body=_json(_error(kind)))

    def _paused(self, frames: int, pause: Pause) -> "Answer":
        return replace(self, frames=(*self.frames[:frames], pause, *self.frames[frames:]))

    def as_stream(self, *, asked: bool) -> bool:
        return asked and bool(self.frames) and not self.always_json

    def pieces(self, *, asked_for_stream: bool) -> tuple[bytes | Pause, ...]:
        if self.as_stream(asked=asked_for_stream):
            return self.frames
        if Pause.CUT in self.frames:
            return (self.body[: len(self.body) // 2], Pause.CUT)
        return (self.body,) if Pause.HOLD not in self.frames else (Pause.HOLD, self.body)


def intent(title: str = "Add dark mode", **fields: Any) -> dict[str, Any]:
    """An intent as a model drafts it; any field may be given another value."""
    return {
        "title": title,
        "initial_intent": f"They asked for it: {title}.",
        "ranges": [[1, 1]],
        "status": "active",
        "verified": None,
        "origin_turn": None,
        "progress": ["The first step is done."],
        "next_steps": [{"what": "Run the tests", "why": "Nothing shows they pass", "expect": "They pass"}],
    } | fields


def summary_reply(
    intents: Sequence[Mapping[str, Any]] | None = None,
    constraints: Sequence[str] = (),
    *,
    stop_reason: str = "end_turn",
    usage: Mapping[str, int] = USAGE,
    model: str = MODEL,
) -> Answer:
    """A summary as the JSON object that was asked for; one made-up intent where none is given."""
    draft = {"intents": [intent()] if intents is None else list(intents), "constraints": list(constraints)}
    return text_reply(json.dumps(draft), stop_reason=stop_reason, usage=usage, model=model)


def title_reply(line: str = "Adds dark mode", *, stop_reason: str = "end_turn", model: str = MODEL) -> Answer:
    """A one-line title."""
    return text_reply(line, stop_reason=stop_reason, model=model)


def text_reply(
    text: str,
    *,
    stop_reason: str | None = "end_turn",
    usage: Mapping[str, int] = USAGE,
    model: str = MODEL,
    thinking: str | None = None,
) -> Answer:
    """Any text in a whole message, behind a thinking block where one is given."""
    blocks = [] if thinking is None else [{"type": "thinking", "thinking": thinking, "signature": "c2ln"}]
    blocks.append({"type": "text", "text": text})
    message = {
        "id": "msg_made_up",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": blocks,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": dict(usage),
    }
    return Answer(_json(message), tuple(_frame(event) for event in _events(message)))


def error_reply(
    status: int, kind: str = "api_error", headers: Mapping[str, str] | None = None, *, message: str = "made up"
) -> Answer:
    """An error in the API's own shape."""
    return Answer(_json(_error(kind, message)), status=status, headers=dict(headers or {}))


def raw_reply(body: bytes, *, status: int = 200, content_type: str = "application/json") -> Answer:
    """These bytes and nothing else, whatever was asked."""
    return Answer(body, status=status, content_type=content_type)


def _error(kind: str, message: str = "made up") -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_made_up"}


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _frame(event: Mapping[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _events(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    usage = message["usage"]
    opened = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield {"type": "message_start", "message": opened}
    yield {"type": "ping"}
    for index, block in enumerate(message["content"]):
        kind = block["type"]
        yield {"type": "content_block_start", "index": index, "content_block": {**block, kind: ""}}
        for piece in _halves(block[kind]):
            yield {"type": "content_block_delta", "index": index, "delta": {"type": f"{kind}_delta", kind: piece}}
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": usage.get("output_tokens", 0)}}
    yield {"type": "message_stop"}


def _halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]
