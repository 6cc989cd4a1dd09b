"""Whatever the bytes and however they are cut, the same rows come out."""

import io
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from service.sources.rows import RowSplitter, parse_document, read_rows

_texts = st.text(st.characters(codec="utf-8"), max_size=30)
_rows = st.lists(st.dictionaries(_texts, _texts | st.integers(-(2**63), 2**64 - 1) | st.none(), max_size=4), max_size=8)
_cuts = st.lists(st.integers(min_value=1, max_value=40), min_size=1, max_size=20)


def _pieces(data: bytes, sizes: list[int]) -> list[bytes]:
    pieces, at, turn = [], 0, 0
    while at < len(data):
        size = sizes[turn % len(sizes)]
        pieces.append(data[at : at + size])
        at, turn = at + size, turn + 1
    return pieces


@settings(max_examples=60, deadline=None)
@given(_rows, _cuts)
def test_rows_do_not_depend_on_where_reads_end(rows: list[dict[str, object]], sizes: list[int]) -> None:
    """Followed byte by byte or read at once, a file gives the same rows."""
    data = b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
    splitter = RowSplitter()
    found = [row for piece in _pieces(data, sizes) for row in splitter.feed(piece)]
    assert found == rows
    assert splitter.offset == len(data)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300), _cuts)
def test_no_bytes_make_the_reader_fail(data: bytes, sizes: list[int]) -> None:
    """Any bytes give rows that are objects, counts that add up, and an offset inside the file."""
    splitter = RowSplitter(max_row=64)
    found = [row for piece in _pieces(data, sizes) for row in splitter.feed(piece)]
    found += splitter.finish()
    assert all(isinstance(row, dict) for row in found)
    assert splitter.counts.rows == len(found) + splitter.counts.broken
    assert 0 <= splitter.offset <= splitter.position == len(data)


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(), max_size=40))
def test_rows_never_hold_half_a_character(text: str) -> None:
    """Whatever an agent escaped, every text can be written as UTF-8."""
    data = json.dumps({"a": text}).encode()
    [row] = read_rows(io.BytesIO(data), RowSplitter())
    row["a"].encode()
    assert parse_document(data) == row
