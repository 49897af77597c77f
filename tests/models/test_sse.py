"""The SSE parser: any cut of the bytes gives the same events, and the cost stays linear."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.models.sse import SSEEvent, SSEParser


def naive(text: bytes) -> list[SSEEvent]:
    """The standard's algorithm over the whole text, as plainly as it can be written."""
    events: list[SSEEvent] = []
    data: list[bytes] = []
    name, last_id = "", ""
    text = text.removeprefix(b"\xef\xbb\xbf")
    lines = re.split(rb"\r\n|\n|\r", text)
    for line in lines[:-1]:
        if not line:
            if data:
                events.append(SSEEvent(b"\n".join(data), name or "message", last_id))
            data, name = [], ""
            continue
        field, _, value = line.partition(b":")
        value = value[1:] if value.startswith(b" ") else value
        if field == b"data":
            data.append(value)
        elif field == b"event":
            name = value.decode("utf-8", "replace")
        elif field == b"id" and b"\0" not in value:
            last_id = value.decode("utf-8", "replace")
    return events


def cut(text: bytes, places: list[int]) -> list[bytes]:
    marks = sorted({place % (len(text) + 1) for place in places})
    return [text[start:end] for start, end in zip([0, *marks], [*marks, len(text)], strict=True)]


LINES = st.sampled_from(
    [
        b"data: {}",
        b'data: {"a":"\xe4\xbd\xa0\xe5\xa5\xbd"}',
        b"data:x",
        b"data:  two",
        b"data",
        b"data:",
        b"event: ping",
        b"event:",
        b"id: 7",
        b"id: a\0b",
        b": a comment",
        b":",
        b"retry: 10",
        b"unknown: x",
        b"\xef\xbb\xbfdata: late mark",
        b"",
        b"",
        b"",
    ]
)
ENDS = st.sampled_from([b"\n", b"\n", b"\r", b"\r\n"])
TEXTS = st.builds(
    lambda bom, lines, tail: bom + b"".join(line + end for line, end in lines) + tail,
    st.sampled_from([b"", b"", b"\xef\xbb\xbf"]),
    st.lists(st.tuples(LINES, ENDS), max_size=14),
    st.sampled_from([b"", b"data: half", b"da"]),
)
# A lone CR before a LF that begins the next line reads as one CRLF, so the naive parser must see the same bytes.
USUAL = [
    b"data: {}\n\n",
    b"data: [1]\n\n",
    b"event: e\ndata: 1\n\n",
    b"event: f\ndata: {}\n\n",
    b"event: g\ndata: \n\n",
]
ODD = [
    b": ping\n\n",
    b"event: \ndata: 2\n\n",
    b"event: e\n\n",
    b"event: e\ndata: 1\ndata: 2\n\n",
    b"event: e\nid: 3\n\n",
]
PLAIN = st.lists(st.one_of(st.sampled_from(USUAL), st.sampled_from(USUAL), st.sampled_from(ODD)), max_size=12)


@settings(deadline=None)
@given(st.one_of(TEXTS, PLAIN.map(b"".join)), st.lists(st.integers(0, 400), max_size=12))
def test_every_cut_gives_the_events_of_the_whole_text(text: bytes, places: list[int]) -> None:
    parser = SSEParser()
    events = [event for chunk in cut(text, places) for event in parser.feed_events(chunk)]
    assert events == naive(text)


@settings(deadline=None)
@given(st.one_of(TEXTS, PLAIN.map(b"".join)), st.lists(st.integers(0, 400), max_size=12))
def test_the_fast_path_gives_the_same_payloads(text: bytes, places: list[int]) -> None:
    parser = SSEParser()
    payloads = [payload for chunk in cut(text, places) for payload in parser.feed(chunk)]
    assert payloads == [event.data for event in naive(text)]


def test_byte_by_byte_is_the_same_as_at_once() -> None:
    text = b"\xef\xbb\xbfevent: a\r\ndata: \xe4\xbd\xa0\r\ndata: 2\r\n\r\n: c\n\ndata: 3\n\n"
    parser = SSEParser()
    events = [event for byte in text for event in parser.feed_events(bytes([byte]))]
    assert events == [SSEEvent("你\n2".encode(), "a"), SSEEvent(b"3")]


def test_an_event_without_its_blank_line_is_not_given_but_can_be_asked_for() -> None:
    parser = SSEParser()
    assert parser.feed(b"data: 1\n\ndata: 2\ndata: ha") == [b"1"]
    assert parser.tail
    assert parser.close() == SSEEvent(b"2\nha")
    assert not parser.tail


def test_a_stream_that_ended_well_leaves_nothing() -> None:
    parser = SSEParser()
    parser.feed(b"data: 1\n\n")
    assert not parser.tail
    assert parser.close() is None


def test_the_retry_time_is_kept() -> None:
    parser = SSEParser()
    parser.feed(b"retry: 250\nretry: soon\n\n")
    assert parser.retry == 250


@pytest.mark.parametrize("line", [b"data: " + b"x" * 2_000_000 + b"\n\n", b"data: x\n" * 250_000 + b"\n"])
def test_a_huge_event_in_tiny_pieces_costs_linear_time(line: bytes) -> None:
    started = time.process_time()
    parser = SSEParser()
    found = [payload for start in range(0, len(line), 64) for payload in parser.feed(line[start : start + 64])]
    assert len(found) == 1
    # Quadratic work would take minutes; the bound only has to tell the two apart on a slow machine.
    assert time.process_time() - started < 30
