"""Scan a text in pieces and look at what came out, without the ids, which are new each time."""

from collections.abc import Sequence
from typing import Any

from call_samples import TOOLS

from toolpost.models.prompted.scanner import CallScanner
from toolpost.types.stream import ReasoningDelta, StreamEvent, TextDelta, ToolCall, ToolInputDelta

Joined = list[tuple[Any, ...]]


def scan(text: str, cuts: Sequence[int] = (), dialect: str | None = None, tools: Any = TOOLS) -> list[StreamEvent]:
    """The events of `text`, fed in pieces that end at `cuts`."""
    scanner = CallScanner(tools=tools, dialect=dialect)
    ends = [*sorted(cuts), len(text)]
    events: list[StreamEvent] = []
    for start, end in zip([0, *ends], ends, strict=False):
        events += scanner.feed(text[start:end])
    return events + scanner.close()


def joined(events: Sequence[StreamEvent]) -> Joined:
    """Events with deltas that stand side by side joined, and ids by their order."""
    ids: dict[str, int] = {}
    rows: Joined = []
    for event in events:
        place = ids.setdefault(event.id, len(ids)) if not isinstance(event, TextDelta | ReasoningDelta) else -1
        row: tuple[Any, ...] = (event.type, place, *_details(event))
        if isinstance(event, TextDelta | ReasoningDelta | ToolInputDelta) and rows and rows[-1][:2] == row[:2]:
            row = (*row[:2], rows.pop()[2] + row[2])
        rows.append(row)
    return rows


def calls(events: Sequence[StreamEvent]) -> list[tuple[str, dict[str, Any]]]:
    return [(event.name, event.arguments) for event in events if isinstance(event, ToolCall) and not event.raw]


def shown(events: Sequence[StreamEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def _details(event: StreamEvent) -> tuple[Any, ...]:
    if isinstance(event, ToolCall):
        return event.name, event.arguments, event.raw, event.metadata
    return (getattr(event, "text", getattr(event, "name", "")),)
