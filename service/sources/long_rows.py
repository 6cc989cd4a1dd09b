"""A row too large to be held: read to its end all the same, with its longest texts cut short.

What makes rows so large is one text in them, a pasted picture or a tool's output; the row around it may be a prompt.
"""

import re

# More than any text of which something is kept, and little enough that a row of a few hundred of them can be held.
MAX_TEXT_BYTES = 256 * 1024

_SPECIAL = re.compile(rb'["\\]')
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
            at = self._text(data, at) if self._in_text else self._between(data, at)

    def _between(self, data: bytes, at: int) -> int:
        """What stands between texts is kept as it is."""
        quote = data.find(b'"', at)
        end = len(data) if quote < 0 else quote + 1
        self.kept += data[at:end]
        if quote >= 0:
            self._in_text, self._room = True, self._most
        return end

    def _text(self, data: bytes, at: int) -> int:
        special = _SPECIAL.search(data, at)
        end = special.start() if special else len(data)
        self._keep(data[at:end], whole=False)
        if special is None:
            return end
        if special[0] == b'"':
            self.kept += b'"'
            self._in_text = False
            return end + 1
        return self._escape(data, end)

    def _escape(self, data: bytes, at: int) -> int:
        size = _UNICODE_ESCAPE_BYTES if data[at + 1 : at + 2] == b"u" else _ESCAPE_BYTES
        escape = data[at : at + size]
        if len(escape) < size:
            self._rest = escape
        else:
            self._keep(escape, whole=True)
        return at + size

    def _keep(self, part: bytes, *, whole: bool) -> None:
        """As much as there is room for; once something did not fit, nothing more of this text does."""
        if len(part) > self._room:
            self.kept += b"" if whole else part[: self._room]
            self._room = 0
        else:
            self.kept += part
            self._room -= len(part)
