"""Rows too large to be held: what is kept of them is still the row."""

import io
import json
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.sources.long_rows import RowShortener
from service.sources.rows import RowSplitter, read_rows

_texts = st.text(max_size=40)
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | _texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3),
    max_leaves=8,
)


def shortened(data: bytes, most: int, cuts: list[int]) -> bytes:
    shortener, at, turn = RowShortener(most), 0, 0
    while at < len(data):
        size = cuts[turn % len(cuts)]
        shortener.feed(data[at : at + size])
        at, turn = at + size, turn + 1
    return bytes(shortener.kept)


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from strings(one)


@settings(max_examples=80, deadline=None)
@given(_values, st.integers(0, 30), st.lists(st.integers(1, 9), min_size=1, max_size=5), st.booleans())
def test_a_shortened_row_is_still_json(value: object, most: int, cuts: list[int], ascii_only: bool) -> None:
    """Wherever reads end, what is left can be read, and each of its texts begins as it began."""
    data = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    left = json.loads(shortened(data, most, cuts).decode("utf-8", "replace"))
    assert all(len(text.encode("utf-8", "surrogatepass")) <= 3 * most for text in strings(left))
    if most >= len(data):
        assert left == value


def test_the_prompt_beside_a_huge_picture_is_read_in_bounded_memory() -> None:
    """A row of 60 MB is a prompt like any other: its words are there, its picture is cut short."""

    class Stream(io.RawIOBase):
        pieces = iter([b'{"text":"what is this?","picture":"', *[b"A" * 1_000_000] * 60, b'","after":1}\n{"b":2}\n'])

        def read(self, size: int = -1) -> bytes:
            return next(self.pieces, b"")

    tracemalloc.start()
    splitter = RowSplitter(max_row=4_000_000)
    [row, last] = read_rows(Stream(), splitter)  # type: ignore[arg-type]  # all that is used of a stream is `read`
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (row["text"], row["after"], last) == ("what is this?", 1, {"b": 2})
    assert len(row["picture"]) < 1_000_000
    assert (splitter.counts.too_large, splitter.offset) == (0, splitter.position)
    assert peak < 20_000_000


@pytest.mark.parametrize("piece", [r"\\", r"\"", r"a\n\"", r"\u65e5", '","', '\\\\","'])
def test_a_huge_row_full_of_escapes_takes_linear_time(piece: str) -> None:
    """Whether the escapes fill one text or a million short ones, the rest of the row is found at once."""
    texts = piece.encode() * (12_000_000 // len(piece))
    shortener = RowShortener()
    for at in range(0, len(row := b'{"a":["' + texts + b'"],"b":1}'), 256 * 1024):
        shortener.feed(row[at : at + 256 * 1024])
    left = json.loads(shortener.kept)
    assert left["b"] == 1
    assert all(json.loads(row)["a"][0].startswith(text) for text in left["a"][:1])


def test_a_row_that_is_large_by_number_is_stepped_over() -> None:
    """Millions of small values are no text to shorten: the row is counted, and the next one read."""
    splitter = RowSplitter(max_row=100_000)
    data = b'{"a":[' + b"1," * 200_000 + b'1]}\n{"b":2}\n'
    assert list(read_rows(io.BytesIO(data), splitter)) == [{"b": 2}]
    assert splitter.counts.too_large == 1
