"""The beginning of an error, whatever follows it."""

from collections.abc import AsyncIterator

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.summarizers.error_answer import ErrorAnswer


class Endless(httpx2.AsyncByteStream):
    """A body without an end, which counts what is taken of it."""

    def __init__(self, beginning: bytes = b"", *, broken_after: int | None = None) -> None:
        self.taken = 0
        self._beginning = beginning
        self._broken_after = broken_after

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._beginning
        while self._broken_after is None or self.taken < self._broken_after:
            self.taken += 1
            yield b" " * 10_000
        raise httpx2.ReadError("gone")


def answer(status: int, body: Endless) -> httpx2.Response:
    return httpx2.Response(status, stream=body, request=httpx2.Request("POST", "http://127.0.0.1"))


@pytest.mark.parametrize("status", [307, 400, 529])
async def test_only_the_beginning_of_an_error_is_taken(status: int) -> None:
    """An error without an end costs 64 KB, and what it said at first is known."""
    refusal, body = ErrorAnswer(), Endless(b'{"error": {"type": "busy_error", "message": "thinking"}}')
    with pytest.raises(httpx2.HTTPStatusError):
        await refusal.stop(answer(status, body))
    assert body.taken == 7
    assert (refusal.status, refusal.kind) == (status, "busy_error")
    assert (refusal.names(["effort", "thinking"]), refusal.names(["effort"])) == (True, False)


async def test_an_answer_that_is_no_error_is_left_alone() -> None:
    """Nothing is taken of an answer that somebody else will read."""
    refusal, body = ErrorAnswer(), Endless()
    await refusal.stop(answer(200, body))
    assert (refusal.status, body.taken) == (None, 0)


async def test_an_error_that_breaks_off_keeps_its_status() -> None:
    """What was heard before a connection broke still counts."""
    refusal = ErrorAnswer()
    with pytest.raises(httpx2.ReadError):
        await refusal.stop(answer(401, Endless(b'{"error": {"type": "a"}}', broken_after=1)))
    assert (refusal.status, refusal.kind) == (401, "a")


@given(
    st.binary(max_size=80) | st.sampled_from([b"[" * 60_000, b'{"error":[]}', b'{"error":{"type":{}}}', b"5", b"null"])
)
async def test_any_words_are_survived(words: bytes) -> None:
    """Noise in an error has no type."""
    refusal = ErrorAnswer()
    with pytest.raises(httpx2.HTTPStatusError):
        await refusal.stop(answer(400, Endless(words)))
    assert refusal.kind == ""
