"""Reading an answer from raw bytes."""

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from service.summarizers.messages_stream import AnswerReader
from service.summarizers.protocol import Usage
from tests.support.model_server import Answer, text_reply


def stream_of(answer: Answer) -> bytes:
    return b"".join(frame for frame in answer.frames if isinstance(frame, bytes))


def read(*chunks: bytes) -> AnswerReader:
    reader = AnswerReader()
    for chunk in chunks:
        reader.feed(chunk)
    reader.end()
    return reader


def event(**fields: object) -> bytes:
    return b"data: " + json.dumps(fields).encode() + b"\n\n"


@given(text=st.text(), cuts=st.lists(st.integers(0, 2000), max_size=8))
def test_it_does_not_matter_where_the_bytes_are_cut(text: str, cuts: list[int]) -> None:
    """An answer reads the same however the network splits it."""
    body = stream_of(text_reply(text))
    edges = sorted({0, *(cut for cut in cuts if cut < len(body)), len(body)})
    reader = read(*(body[start:end] for start, end in pairwise(edges)))
    assert (reader.text, reader.stop_reason, reader.complete) == (text, "end_turn", True)


@given(st.lists(st.binary(max_size=60), max_size=10))
def test_any_bytes_are_survived(chunks: list[bytes]) -> None:
    """Noise is never an exception and never a whole answer."""
    assert not read(*chunks).complete


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "message", "delta", "usage", "content_block", "error", "text", "stop_reason", "content"]
            ),
            inner
            | st.sampled_from(
                ["message_start", "message_delta", "content_block_delta", "text_delta", "error", "message"]
            ),
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=4))
def test_any_events_are_survived(events: list[object]) -> None:
    """Events of an odd shape are stepped over or end the answer; text and usage stay readable."""
    reader = read(*(b"data: " + json.dumps(each).encode() + b"\n\n" for each in events))
    assert reader.text.encode() is not None
    assert reader.usage.input_tokens >= 0


@given(JSON)
def test_any_json_body_is_survived(body: object) -> None:
    """A plain body of an odd shape is no exception."""
    reader = read(json.dumps({"content": body, "stop_reason": body, "usage": body, "error": body}).encode())
    assert reader.text.encode() is not None


def test_carriage_returns_end_lines_too() -> None:
    """A server that writes CRLF is understood."""
    assert read(stream_of(text_reply("hello")).replace(b"\n", b"\r\n")).text == "hello"


def test_a_last_event_without_its_blank_line_counts() -> None:
    """A stream that ends right behind its last event is whole."""
    assert read(stream_of(text_reply("hello")).rstrip(b"\n")).complete


def test_halves_of_a_character_in_two_events_are_joined() -> None:
    """An emoji cut in the middle by the server comes out whole, a lone half as a replacement character."""
    delta = [
        event(type="content_block_delta", delta={"type": "text_delta", "text": half})
        for half in ("\ud83d", "\udc4b", "\ud83d")
    ]
    assert read(*delta).text == "👋\ufffd"


def test_text_that_comes_with_the_start_of_a_block_is_kept() -> None:
    """A server that puts the first words into the block's start loses none."""
    assert read(event(type="content_block_start", content_block={"type": "text", "text": "first"})).text == "first"


def test_a_later_count_replaces_an_earlier_one() -> None:
    """Counts are running totals: the last one stands, and one that is left out or nonsense changes nothing."""
    reader = read(
        event(type="message_start", message={"usage": {"input_tokens": 0, "cache_creation_input_tokens": 7}}),
        event(type="message_delta", usage={"input_tokens": 50, "output_tokens": 9, "cache_read_input_tokens": 3}),
        event(
            type="message_delta", usage={"input_tokens": True, "output_tokens": -1, "cache_read_input_tokens": 10**40}
        ),
    )
    assert reader.usage == Usage(50, 9, 3, 7)


def test_a_line_after_the_end_is_not_read() -> None:
    """What a server sends behind its last event changes nothing."""
    reader = read(stream_of(text_reply("hello")) + b"data: [DONE]\n\n")
    assert (reader.text, reader.error) == ("hello", None)


def test_a_garbled_event_spoils_the_answer() -> None:
    """A piece of text that cannot be read does not silently go missing."""
    reader = read(event(type="message_start"), b"data: {torn\n\n", event(type="message_stop"))
    assert (reader.error, reader.complete) == ("malformed", False)


def test_an_endless_answer_is_ended() -> None:
    """A server that never stops talking is cut off, with or without line breaks."""
    reader = AnswerReader()
    for _ in range(40):
        reader.feed(b"x" * 1_000_000)
    assert (reader.error, reader.over) == ("too_long", True)


def test_text_beyond_any_summary_is_ended() -> None:
    """An answer that says more than could ever be stored is given up while it comes."""
    reader = AnswerReader()
    while not reader.over:
        reader.feed(event(type="content_block_delta", delta={"type": "text_delta", "text": "x" * 1000}))
    assert reader.error == "too_long"
    assert 256_000 < len(reader.text) < 264_000


def test_a_gigantic_event_is_ended_before_it_is_decoded() -> None:
    """One event of megabytes does not hold up everybody else."""
    reader = AnswerReader()
    reader.feed(b"data: [")
    for _ in range(20):
        reader.feed(b"1," * 32_000)
    assert reader.error == "too_long"


def test_a_long_answer_of_small_events_is_read() -> None:
    """Megabytes of events are no gigantic event: a model may think for long before it speaks."""
    reader = AnswerReader()
    thought = event(type="content_block_delta", delta={"type": "thinking_delta", "thinking": "hm " * 300})
    for _ in range(4000):
        reader.feed(thought)
    reader.feed(stream_of(text_reply("hello")))
    assert (reader.text, reader.complete) == ("hello", True)
