"""Bytes to rows: what agents' files do to a line reader."""

import io
import tracemalloc

import pytest

from service.sources.rows import Row, RowSplitter, parse_document, read_rows


def rows_of(data: bytes, splitter: RowSplitter | None = None) -> list[Row]:
    return list(read_rows(io.BytesIO(data), splitter or RowSplitter()))


def test_rows_are_split_at_the_line_feed_alone() -> None:
    """Line separators inside a prompt tear no row."""
    data = '{"a":"x\u2028y\u2029z\u0085"}\n{"b":1}\n'.encode()
    assert rows_of(data) == [{"a": "x\u2028y\u2029z\u0085"}, {"b": 1}]


def test_two_objects_on_one_line_are_two_rows() -> None:
    """Rows that two writers glued together are both read."""
    splitter = RowSplitter()
    assert rows_of(b'{"a":1}{"b":2} {"c":3}\n', splitter) == [{"a": 1}, {"b": 2}, {"c": 3}]
    assert (splitter.counts.rows, splitter.counts.broken) == (3, 0)


def test_a_torn_last_line_is_kept_for_later() -> None:
    """A row that is being written is read once it is whole, even when it was cut inside a character."""
    whole = '{"a":1}\n{"b":"é"}\n'.encode()
    cut = whole.index("é".encode()) + 1
    splitter = RowSplitter()
    assert [*splitter.feed(whole[:cut]), *splitter.finish()] == [{"a": 1}]
    assert (splitter.offset, splitter.position) == (8, cut)
    assert list(splitter.feed(whole[cut:])) == [{"b": "é"}]
    assert splitter.offset == splitter.position == len(whole)


def test_a_whole_last_row_needs_no_line_break() -> None:
    """The last row of a finished file counts although nobody ended its line."""
    splitter = RowSplitter()
    assert rows_of(b'{"a":1}\n{"b":2}', splitter) == [{"a": 1}, {"b": 2}]
    assert list(splitter.feed(b'\n{"c":3}\n')) == [{"c": 3}]
    assert splitter.counts.rows == 3


@pytest.mark.parametrize("line", [b"no json", b"[1]", b'"text"', b"7", b"null", b'{"a":', b"\xff\xfe", b'{"a":1}}'])
def test_what_is_no_object_is_counted_and_stepped_over(line: bytes) -> None:
    """One bad line costs that line, not the rest of the file."""
    splitter = RowSplitter()
    assert rows_of(b'{"before":1}\n' + line + b'\n{"after":1}\n', splitter)[-1] == {"after": 1}
    assert splitter.counts.broken == 1


def test_half_a_surrogate_pair_becomes_a_replacement_character() -> None:
    """Half an emoji can be stored and sent, and whole ones and escaped backslashes stay as they are."""
    [row] = rows_of(rb'{"half":"a\ud83d","whole":"\ud83d\ude00","path":"C:\\ud83d","low":"\ude00b"}' + b"\n")
    assert row == {"half": "a\ufffd", "whole": "\U0001f600", "path": r"C:\ud83d", "low": "\ufffdb"}


def test_invalid_bytes_inside_a_row_cost_only_themselves() -> None:
    """A row with a byte that is no UTF-8 is still read."""
    assert rows_of(b'{"a":"x\xffy"}\n') == [{"a": "x\ufffdy"}]


def test_byte_order_mark_line_ends_and_blank_lines_are_tolerated() -> None:
    """A file that went through an editor on another system reads the same."""
    splitter = RowSplitter()
    assert rows_of(b'\xef\xbb\xbf{"a":1}\r\n\r\n  \n{"b":2}\r\n', splitter) == [{"a": 1}, {"b": 2}]
    assert splitter.counts.broken == 0


def test_a_row_of_fifteen_megabytes_is_read() -> None:
    """A prompt with a pasted picture is not lost."""
    picture = b"x" * 15_000_000
    [row] = rows_of(b'{"picture":"' + picture + b'"}\n')
    assert len(row["picture"]) == len(picture)


def test_a_row_beyond_the_cap_is_stepped_over_in_bounded_memory() -> None:
    """A monstrous row is counted, the rows around it are read, and it never piles up in memory."""
    splitter = RowSplitter(max_row=100_000)
    block = b"y" * 64_000
    tracemalloc.start()
    found = list(splitter.feed(b'{"a":1}\n{"huge":"'))
    for _ in range(400):
        found += splitter.feed(block)
    found += splitter.feed(b'"}\n{"b":2}\n')
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == [{"a": 1}, {"b": 2}]
    assert splitter.counts.too_large == 1
    assert peak < 1_000_000


def test_deep_nesting_is_one_broken_row() -> None:
    """A hostile row of brackets neither crashes the reader nor hides the next row."""
    splitter = RowSplitter()
    deep = b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}\n"
    assert rows_of(deep + b'{"b":1}\n', splitter) == [{"b": 1}]
    assert splitter.counts.broken == 1


def test_a_document_is_one_value_or_nothing() -> None:
    """A pretty-printed document reads whole, two values in one file are no document."""
    assert parse_document(b'\xef\xbb\xbf{\n "a": [1,\n 2]\n}\n') == {"a": [1, 2]}
    assert parse_document(rb'{"a":"\ud83d"}') == {"a": "\ufffd"}
    assert parse_document(b'{"a":1}\n{"b":2}\n') is None


@pytest.mark.parametrize("torn", [b'{"type":"us', b"[1", b"1", b'{"a":"\xc3', b'{"a":"\\ud8'])
def test_a_whole_row_before_a_torn_one_is_taken(torn: bytes) -> None:
    """Of two rows glued on the last line the whole one counts at once, the torn one when it is complete."""
    splitter = RowSplitter()
    whole = '{"a":"é\\ud83d"} {"b":2}'.encode()
    assert [*splitter.feed(whole + torn), *splitter.finish()] == [{"a": "é\ufffd"}, {"b": 2}]
    assert splitter.offset == len(whole)
    assert list(splitter.finish()) == []
    assert list(splitter.feed(b"\n")) == []
    assert (splitter.offset, splitter.counts.rows, splitter.counts.broken) == (splitter.position, 3, 1)


def test_a_torn_row_behind_a_whole_one_is_completed() -> None:
    """What was taken of the last line is not taken again when the rest of it is written."""
    splitter = RowSplitter()
    assert [*splitter.feed(b'\xef\xbb\xbf{"a":1}{"b"'), *splitter.finish()] == [{"a": 1}]
    assert [*splitter.feed(b":2}\n"), *splitter.finish()] == [{"b": 2}]
    assert splitter.counts.broken == 0


def test_a_torn_row_behind_bytes_that_are_no_text_waits_for_its_line() -> None:
    """Where nobody can say at which byte the torn row begins, nothing is taken twice and nothing is lost."""
    splitter = RowSplitter()
    assert [*splitter.feed(b'{"a":"\xff"}{"b"'), *splitter.finish()] == []
    assert list(splitter.feed(b":2}\n")) == [{"a": "\ufffd"}, {"b": 2}]


def test_zero_bytes_before_a_row_cost_no_row() -> None:
    """What a crash left where the next row begins is stepped over, and at the end of the file waits for that row."""
    splitter = RowSplitter()
    assert rows_of(bytes(9) + b'{"a":1}\n' + bytes(9) + b'{"b":2}\n' + bytes(9), splitter) == [{"a": 1}, {"b": 2}]
    assert (splitter.counts.broken, splitter.offset) == (0, splitter.position - 9)
    assert list(splitter.feed(b'{"c":3}\n')) == [{"c": 3}]
    assert (splitter.counts.broken, splitter.offset) == (0, splitter.position)
