"""Bytes to JSON objects, block by block: split at 0x0A alone, whatever a row's size, and never an error."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import orjson

from service.sources.long_rows import RowShortener
from service.sources.opened import read_blocks

Row = Mapping[str, Any]

BLOCK_BYTES = 256 * 1024
# Prompts with pictures make rows of 15 MB; of what lies beyond this the longest texts are cut short.
MAX_ROW_BYTES = 32 * 1024 * 1024

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# Takes escapes two characters at a time, so that an escaped backslash before a "u" is never read as an escape.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
_BLANKS = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder(strict=False)


@dataclass(slots=True)
class Counts:
    """What became of the rows of a file."""

    rows: int = 0
    broken: int = 0
    too_large: int = 0
    unknown: int = 0


class RowSplitter:
    """Cuts a growing file into rows; holds no more than one unfinished row of at most `max_row` bytes.

    A larger row is read with its texts cut short, and stepped over only where that makes it no smaller. `position` is
    how many bytes were fed, `offset` where the torn last line begins, if there is one.
    """

    def __init__(self, max_row: int = MAX_ROW_BYTES) -> None:
        self.counts = Counts()
        self.position = 0
        self._max_row = max_row
        self._partial = bytearray()
        self._shortener: RowShortener | None = None
        self._line_bytes = 0

    @property
    def offset(self) -> int:
        return self.position - self._line_bytes

    def feed(self, block: bytes) -> Iterator[Row]:
        """The objects that the block completes; to be used up before the next block is fed."""
        start = 0
        while (end := block.find(b"\n", start)) >= 0:
            self._hold(block[start:end])
            line = self._finish()
            self.position += end + 1 - start
            start = end + 1
            if line is not None:
                yield from self._objects(line)
        self._hold(block[start:])
        self.position += len(block) - start

    def finish(self) -> Iterator[Row]:
        """Takes what is whole of the last line, which lacks its line break; a torn rest stays for later."""
        held = self._held()
        if len(held) > self._max_row:
            return
        line = self._without_mark(held)
        objects, used = _whole_objects(line)
        if used == len(line) and (line or not held):
            self._finish()
        elif self._shortener is None and objects:
            self._partial = bytearray(line[used:])
            self._line_bytes = len(self._partial)
        else:
            return
        self.counts.rows += len(objects)
        yield from objects

    def _hold(self, piece: bytes) -> None:
        self._line_bytes += len(piece)
        if self._shortener is None and self._line_bytes > self._max_row:
            self._shortener = RowShortener()
            self._shortener.feed(bytes(self._partial))
            self._partial = bytearray()
        if self._shortener is None:
            self._partial += piece
        elif len(self._shortener.kept) <= self._max_row:
            self._shortener.feed(piece)

    def _held(self) -> bytes:
        return bytes(self._partial if self._shortener is None else self._shortener.kept)

    def _finish(self) -> bytes | None:
        """The line that ends here, or None where it is too large even with its texts cut short."""
        line = self._held()
        self._partial, self._shortener, self._line_bytes = bytearray(), None, 0
        if len(line) > self._max_row:
            self.counts.too_large += 1
            return None
        return self._without_mark(line)

    def _without_mark(self, line: bytes) -> bytes:
        """The line without what is no part of its rows: a crash may leave zero bytes where the next row begins."""
        return line.lstrip(b"\0").removeprefix(_BYTE_ORDER_MARK)

    def _objects(self, line: bytes) -> Iterator[Row]:
        found = _parse(line)
        self.counts.rows += len(found.objects) + found.broken
        self.counts.broken += found.broken
        yield from found.objects


@dataclass(slots=True)
class _Line:
    objects: list[Row]
    broken: int = 0


def _parse(line: bytes) -> _Line:
    if not line.strip():
        return _Line([])
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return _parse_tolerantly(line)
    return _Line([value]) if isinstance(value, dict) else _Line([], broken=1)


def _parse_tolerantly(line: bytes) -> _Line:
    """Value after value until the line is used up or no JSON."""
    found, text, used = _Line([]), _text_of(line), 0
    for value, end in _values(text):
        used = end
        if isinstance(value, dict):
            found.objects.append(value)
        else:
            found.broken += 1
    found.broken += used < len(text)
    return found


def _whole_objects(line: bytes) -> tuple[list[Row], int]:
    """The objects a line begins with, and how many of its bytes they take up with the blanks behind them."""
    found = _parse(line)
    if not found.broken:
        return found.objects, len(line)
    objects, text, used = list[Row](), _text_of(line), 0
    for value, at in _values(text):
        if not isinstance(value, dict):
            break
        objects.append(value)
        used = at
    taken = len(text[:used].encode())
    # Bytes that are no UTF-8 have another length as text, so that nobody could say where the torn rest begins.
    return (objects, taken) if _is_utf8(line[:taken]) else ([], 0)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _text_of(line: bytes) -> str:
    """The line as text of the same length; half a surrogate pair becomes U+FFFD."""
    return _ESCAPE.sub(_whole_escape, line.decode("utf-8", "replace"))


def _values(text: str) -> Iterator[tuple[Any, int]]:
    """Each JSON value with where it and the blanks behind it end, until the text is used up or no JSON."""
    at = _end_of_blanks(text, 0)
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        at = _end_of_blanks(text, at)
        yield value, at


def _end_of_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks else at


def _whole_escape(match: re.Match[str]) -> str:
    return "\\ufffd" if match[1] else match[0]


def parse_document(data: bytes) -> object:
    """The one JSON value the bytes hold, None where they hold none or more than one."""
    data = data.lstrip(b"\0").removeprefix(_BYTE_ORDER_MARK)
    try:
        value: object = orjson.loads(data)
    except orjson.JSONDecodeError:
        return _parse_one_tolerantly(data)
    return value


def _parse_one_tolerantly(data: bytes) -> object:
    text = _ESCAPE.sub(_whole_escape, data.decode("utf-8", "replace"))
    try:
        value: object = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return value


def read_rows(stream: BinaryIO, splitter: RowSplitter) -> Iterator[Row]:
    """Every object to the end of the stream, the last one too if it is whole."""
    for block in read_blocks(stream):
        yield from splitter.feed(block)
    yield from splitter.finish()
