"""A row too large to be held: read to its end all the same, with its longest texts cut short.

What makes rows so large is one text in them, a pasted picture or a tool's output; the row around it may be a prompt.
"""

import re

# More than any text of which something is kept, and little enough that a row of a few hundred of them can be held.
MAX_TEXT_BYTES = 256 * 1024

# Nothing below gives back what it took, which keeps each scan linear whatever it is given.
_WHOLE_TEXTS = re.compile(rb'(?:[^"]*+"[^"\\]*+(?:\\[\s\S][^"\\]*+)*+")*+')
_INSIDE = re.compile(rb'[^"\\]*+(?:\\(?:u[\s\S]{4}|[^u])[^"\\]*+)*+')
_REST_OF_TEXT = re.compile(rb'[^"\\]*+(?:\\[\s\S][^"\\]*+)*+')
_ESCAPE_BYTES = 2
_UNICODE_ESCAPE_BYTES = 6


class RowShortener:
    """Takes a JSON row piece by piece and keeps at most `most` bytes of each text in it; an escape is kept whole."""

    def __init__(self, most: int = MAX_TEXT_BYTES) -> None:
        self.kept = bytearray()
        self._most = most
        self._in_text = False
        self._room = 0
        self._rest = b""  # an escape that the next piece completes

    def feed(self, piece: bytes) -> None:
        """Takes the next piece of the row."""
        data, at = self._rest + piece, 0
        self._rest = b""
        while at < len(data):
            if not self._in_text:
                at = self._between(data, at)
            elif self._room:
                at = self._text(data, at)
            else:
                at = self._beyond(data, at)

    def _between(self, data: bytes, at: int) -> int:
        """What stands between texts is kept as it is, and whole texts that are surely small enough with it."""
        end = _end(_WHOLE_TEXTS, data, at, at + self._most)
        quote = data.find(b'"', end)
        end = len(data) if quote < 0 else quote + 1
        self.kept += data[at:end]
        if quote >= 0:
            self._in_text, self._room = True, self._most
        return end

    def _text(self, data: bytes, at: int) -> int:
        """Once something does not fit, nothing more of this text is kept."""
        end = _end(_INSIDE, data, at, at + self._room)
        self.kept += data[at:end]
        self._room -= end - at
        if end == len(data) or not self._room:
            return end
        if data[end : end + 1] == b'"':
            return self._close(end)
        size = _UNICODE_ESCAPE_BYTES if data[end + 1 : end + 2] == b"u" else _ESCAPE_BYTES
        if len(data) - end < size:
            self._rest = data[end:]
            return len(data)
        self._room = 0
        return end

    def _beyond(self, data: bytes, at: int) -> int:
        """What does not fit is passed over up to the quote that closes the text."""
        end = _end(_REST_OF_TEXT, data, at, len(data))
        if data[end : end + 1] == b'"':
            return self._close(end)
        self._rest = data[end:]  # nothing, or a backslash that may escape a quote
        return len(data)

    def _close(self, quote: int) -> int:
        self.kept += b'"'
        self._in_text = False
        return quote + 1


def _end(pattern: re.Pattern[bytes], data: bytes, at: int, most: int) -> int:
    """Where a pattern that may match nothing stops, at the latest at `most`."""
    found = pattern.match(data, at, most)
    return found.end() if found else at
