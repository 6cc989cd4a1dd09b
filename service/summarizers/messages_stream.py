"""What a Messages API server says, put together from raw bytes: a stream of events, or one JSON body.

Bytes are read here and not by the SDK's stream for three reasons: its stream takes a plain JSON body for an empty
one, raises for a stream that breaks off (so that the usage already counted is lost), and has no bound.
"""

import json
from collections.abc import Mapping

from service.summarizers.protocol import Usage

# 16,000 tokens in events of one token each, some 200 bytes an event, make 3 MB: beyond this a server is not answering.
_LONGEST_ANSWER = 8 * 1024 * 1024
# One event, or a whole answer in one JSON body: it is decoded in one go, while every other request waits.
_LONGEST_PIECE = 1024 * 1024
# 16 characters a token, and as much as a stored summary may hold. Whatever reads a reply does so in a thread, which
# nothing can stop and the end of the process waits for: 6 MB of text kept one busy for 40 seconds.
_LONGEST_TEXT = 256 * 1024
# A count beyond this is not one: it would overflow an integer column once it is summed up.
_MOST_TOKENS = 1 << 40

_NO_FIELDS: Mapping[str, object] = {}


class AnswerReader:
    """Takes an answer's bytes as they come and tells at any moment what they amount to; never raises.

    `error` is the type of an error the server reported, or `malformed` or `too_long`.
    """

    def __init__(self) -> None:
        self.usage = Usage()
        self.stop_reason: str | None = None
        self.error: str | None = None
        self.begun = False
        self.complete = False
        self._text: list[str] = []
        self._text_length = 0
        self._size = 0
        self._undecoded = 0
        self._is_json: bool | None = None
        self._unread: list[bytes] = []
        self._data: list[bytes] = []

    @property
    def text(self) -> str:
        """The words said so far; halves of a character that came in two events are joined, lone ones replaced."""
        return "".join(self._text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    @property
    def over(self) -> bool:
        """Whether nothing more is of interest."""
        return self.complete or self.error is not None

    def feed(self, chunk: bytes) -> None:
        """Takes the next bytes, cut anywhere."""
        self._size += len(chunk)
        self._undecoded += len(chunk)
        if self._size > _LONGEST_ANSWER or self._undecoded > _LONGEST_PIECE:
            self.error = self.error or "too_long"
        if self.over:
            return
        if self._is_json is None and chunk.strip():
            self._is_json = chunk.lstrip()[:1] in (b"{", b"[")
        if self._is_json:
            self._unread.append(chunk)
        else:
            self._take_lines(chunk)

    def end(self) -> None:
        """The body ended as it should: a JSON body, or a last event without its blank line, is read."""
        rest = b"".join(self._unread)
        self._unread.clear()
        if self._is_json:
            self._take_body(fields_of(decoded(rest)))
        elif not self.over:
            self._take_line(rest)
            self._take_event()

    def _take_lines(self, chunk: bytes) -> None:
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            self._take_line(b"".join((*self._unread, line)))
            self._unread.clear()
            if self.over:
                return
        self._unread.append(rest)

    def _take_line(self, line: bytes) -> None:
        line = line.rstrip(b"\r")
        if not line:
            self._take_event()
        elif line.startswith(b"data:"):
            self._data.append(line[5:])

    def _take_event(self) -> None:
        self._undecoded = 0
        if not self._data:
            return
        event = decoded(b"\n".join(self._data))
        self._data.clear()
        if not isinstance(event, dict):
            self.error = "malformed"  # a lost piece of text would change what was said
            return
        match event.get("type"):
            case "message_start":
                self.begun = True
                self._count(fields_of(event.get("message")))
            case "content_block_start":
                self._say(fields_of(event.get("content_block")))
            case "content_block_delta":
                self._say(fields_of(event.get("delta")))
            case "message_delta":
                self._stop(fields_of(event.get("delta")))
                self._count(event)
            case "message_stop":
                self.complete = True
            case "error":
                self._fail(event)

    def _take_body(self, body: Mapping[str, object]) -> None:
        blocks = body.get("content")
        self._count(body)
        if body.get("type") == "error":
            self._fail(body)
        elif isinstance(blocks, list) and "stop_reason" in body:
            self.begun = self.complete = True
            self._stop(body)
            for block in blocks:
                self._say(fields_of(block))

    def _say(self, block: Mapping[str, object]) -> None:
        # A thinking block may come first, so text is picked by type, not by position.
        text = block.get("text")
        if block.get("type") in ("text", "text_delta") and isinstance(text, str):
            self._text.append(text)
            self._text_length += len(text)
            if self._text_length > _LONGEST_TEXT:
                self.error = self.error or "too_long"

    def _stop(self, fields: Mapping[str, object]) -> None:
        reason = fields.get("stop_reason")
        if isinstance(reason, str):
            self.stop_reason = reason

    def _fail(self, fields: Mapping[str, object]) -> None:
        kind = fields_of(fields.get("error")).get("type")
        self.error = kind if isinstance(kind, str) and kind else "malformed"

    def _count(self, fields: Mapping[str, object]) -> None:
        usage = fields_of(fields.get("usage"))
        # Counts in a stream are running totals, and a later event leaves out what did not change.
        self.usage = Usage(
            _tokens(usage.get("input_tokens"), self.usage.input_tokens),
            _tokens(usage.get("output_tokens"), self.usage.output_tokens),
            _tokens(usage.get("cache_read_input_tokens"), self.usage.cache_read_tokens),
            _tokens(usage.get("cache_creation_input_tokens"), self.usage.cache_write_tokens),
        )


def decoded(data: bytes) -> object:
    """The JSON value in these bytes; None where there is none."""
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value


def fields_of(value: object) -> Mapping[str, object]:
    """A JSON object's fields; anything else has none."""
    return value if isinstance(value, dict) else _NO_FIELDS


def _tokens(value: object, otherwise: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_TOKENS:
        return value
    return otherwise
