"""What the view of a session costs an event, and whether that grows with the session: `python -m bench.view`.

Each case is run with 1 MB and with 4 MB: the cost of an event has to stay the same. A face that draws reads what is new
once for several events.
"""

import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from toolpost.types.events import (
    Event,
    MessageEnd,
    MessageStart,
    MessageUpdate,
    RunEnd,
    RunStart,
    StepEnd,
    StepStarted,
    ToolCalled,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
)
from toolpost.types.messages import Message, Pending, StepFinish, StepStart, TextPart, ToolPart
from toolpost.view.items import CallItem, TextItem
from toolpost.view.transcript import TranscriptView

DELTA = "word word *word*\nand "
ROUNDS = 5
EVENTS_A_FRAME = 30


def main() -> None:
    print(f"{'':34}{'1 MB':>12}{'4 MB':>12}{'ratio':>8}")
    cases: dict[str, Callable[[int], Sequence[Event]]] = {
        "one answer": _answer,
        "arguments of one call": _arguments,
        "live output of one call": _output,
        "many short runs with calls": _runs,
    }
    for name, case in cases.items():
        small, large = (min(_seconds(case(size)) for _ in range(ROUNDS)) for size in (1_000_000, 4_000_000))
        print(f"{name + ', µs an event':34}{small * 1e6:12.2f}{large * 1e6:12.2f}{large / small:8.2f}")
    tracemalloc.start()
    for megabytes in (1, 4):
        view, before = TranscriptView(), tracemalloc.get_traced_memory()[0]
        for event in _answer(megabytes * 1_000_000):
            view.feed(event)
        grown = tracemalloc.get_traced_memory()[0] - before
        print(f"memory of a view with an answer of {megabytes} MB: {grown / 1e6:.1f} MB")


def _seconds(events: Sequence[Event]) -> float:
    """CPU an event, with a face that reads what is new once a frame."""
    view, seen, read = TranscriptView(), {}, 0
    began = time.process_time()
    for number, event in enumerate(events):
        changes = view.feed(event)
        if number % EVENTS_A_FRAME:
            continue
        for id in (*changes.added, *changes.changed):
            item = view.item(id)
            if isinstance(item, TextItem):
                read += len(item.source.after(seen.get(id, 0)))
                seen[id] = len(item.source)
            elif isinstance(item, CallItem) and item.output is not None:
                read += len(item.output.after(seen.get(id, 0)).lines)
                seen[id] = item.output.count
    return (time.process_time() - began) / len(events)


def _answer(size: int) -> Sequence[Event]:
    return [*_step([MessageUpdate(*stamp, "msg", 1, "text", DELTA) for stamp in _stamps(size // len(DELTA))], "text")]


def _arguments(size: int) -> Sequence[Event]:
    updates = [
        MessageUpdate(*stamp, "msg", 1, "tool_input", DELTA, "call_1", "write") for stamp in _stamps(size // len(DELTA))
    ]
    return [*_step(updates, "call")]


def _output(size: int) -> Sequence[Event]:
    numbers = count(1)
    events: list[Event] = [
        ToolCalled(next(numbers), "ses", 0.0, "msg", "call_1", "bash", {}),
        ToolExecutionStart(next(numbers), "ses", 0.0, "msg", "call_1", "bash", {}),
    ]
    for _ in range(size // len(DELTA)):
        events.append(ToolExecutionUpdate(next(numbers), "ses", 0.0, "call_1", "bash", DELTA))
    return events


def _runs(size: int) -> Sequence[Event]:
    """Runs of one step with a call and a short answer: 2 KB each."""
    numbers = count(1)

    def stamp() -> tuple[int, str, float]:
        return next(numbers), "ses", 0.0

    events: list[Event] = []
    result = (TextPart("row\n" * 250),)
    for run in range(size // 2_000):
        prompt, step = f"p{run}", f"s{run}"
        start = StepStart(1, "m")
        said, called = TextPart(DELTA * 50), ToolPart("call_1", "bash", Pending("{}"))
        whole = Message(step, "assistant", (start, said, called, StepFinish("stop")))
        asked = Message(prompt, "user", (TextPart("go"),))
        events += [
            RunStart(*stamp(), f"r{run}", "m"),
            MessageStart(*stamp(), asked),
            MessageEnd(*stamp(), asked),
            StepStarted(*stamp(), 1, "m"),
            MessageStart(*stamp(), Message(step, "assistant", (start,))),
            *(MessageUpdate(*stamp(), step, 1, "text", DELTA) for _ in range(50)),
            ToolCalled(*stamp(), step, "call_1", "bash", {}),
            MessageEnd(*stamp(), whole),
            ToolExecutionStart(*stamp(), step, "call_1", "bash", {}),
            ToolExecutionEnd(*stamp(), step, "call_1", "bash", result, 0.1),
            StepEnd(*stamp(), 1, "stop"),
            RunEnd(*stamp(), f"r{run}", "done"),
        ]
    return events


def _stamps(number: int) -> Iterator[tuple[int, str, float]]:
    return ((seq, "ses", 0.0) for seq in range(10, 10 + number))


def _step(updates: Sequence[Event], kind: str) -> Iterator[Event]:
    text = DELTA * len(updates)
    part = TextPart(text) if kind == "text" else ToolPart("call_1", "write", Pending(text))
    yield MessageStart(1, "ses", 0.0, Message("msg", "assistant", (StepStart(1, "m"),)))
    yield from updates
    whole = Message("msg", "assistant", (StepStart(1, "m"), part, StepFinish("stop")))
    yield MessageEnd(len(updates) + 10, "ses", 0.0, whole)


if __name__ == "__main__":
    main()
