"""An answer with an error status: what its beginning says, however much a server sends behind it."""

import asyncio
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from service.summarizers.messages_stream import decoded, fields_of

if TYPE_CHECKING:
    import httpx2

# An error in the API's own shape is a few hundred bytes.
_LONGEST_ERROR = 64 * 1024
# A server that says no, and then never ends saying so, has said no.
_ERROR_SECONDS = 1.0


class ErrorAnswer:
    """What is known of an error at any moment; `status` is None as long as no answer with an error status began."""

    def __init__(self) -> None:
        self.status: int | None = None
        self.headers: Mapping[str, str] = {}
        self._beginning = bytearray()

    async def stop(self, response: "httpx2.Response") -> None:
        """A response hook: reads the beginning of an error and raises, so that nobody reads on; lets the rest pass."""
        if response.is_success:
            return
        self.status, self.headers = response.status_code, response.headers
        async with asyncio.timeout(_ERROR_SECONDS):
            async for chunk in response.aiter_raw():
                self._beginning += chunk[: _LONGEST_ERROR - len(self._beginning)]
                if len(self._beginning) == _LONGEST_ERROR:
                    break
        response.raise_for_status()

    @property
    def kind(self) -> str:
        """The type the API gives its error, or nothing."""
        kind = fields_of(fields_of(decoded(bytes(self._beginning))).get("error")).get("type")
        return kind if isinstance(kind, str) else ""

    def names(self, words: Collection[str]) -> bool:
        """Whether any of these words stands in what the server says is wrong."""
        return any(word.encode() in self._beginning for word in words)
