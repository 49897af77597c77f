"""How the databases keep events: many in one row, a line of JSON for each."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from toolpost.types.events import Event, event_encoder

# A restored session's events are put together in rows of about this size.
EVENT_BATCH_BYTES = 64 * 1024


def unbroken_runs(events: Sequence[Event]) -> Iterator[Sequence[Event]]:
    """Split where a `seq` was left out: what was left out may come later, after a commit that failed."""
    start = 0
    for index in range(1, len(events) + 1):
        if index == len(events) or events[index].seq != events[index - 1].seq + 1:
            yield events[start:index]
            start = index


def packed(events: Iterable[Event], session_id: str) -> Iterator[tuple[int, int, bytes]]:
    """The rows of a restored session: first `seq`, last `seq`, lines."""
    lines = bytearray()
    first = last = 0
    for event in events:
        first = event.seq if not lines else first
        last = event.seq
        lines += event_encoder.encode(msgspec.structs.replace(event, session_id=session_id)) + b"\n"
        if len(lines) >= EVENT_BATCH_BYTES:
            yield first, last, bytes(lines)
            lines.clear()
    if lines:
        yield first, last, bytes(lines)
