"""One model turn of a case, read from the stream as the engine reads it, with its times."""

import asyncio
import logging
import time
from typing import Any

from msgspec import Struct, structs

from toolpost.models.contract import Model, ModelRequest, close_stream
from toolpost.types.errors import ModelError
from toolpost.types.messages import ErrorInfo, Part, Pending, ReasoningPart, TextPart, ToolPart, Usage
from toolpost.types.stream import (
    Finish,
    ReasoningDelta,
    ReasoningEnd,
    StreamError,
    StreamEvent,
    TextDelta,
    TextEnd,
    ToolCall,
    ToolInputStart,
)

log = logging.getLogger("toolpost.evals")

# A model that never comes to an end is an error, not a reason to wait all night.
TURN_SECONDS = 600.0


class Turn(Struct, frozen=True):
    """What came: `parts` are as a message holds them, `calls` the whole calls among them. Times are in seconds.

    `is_cut`: the turn ended at the output limit, in its last call if it made one.
    """

    parts: tuple[Part, ...]
    calls: tuple[ToolCall, ...]
    usage: Usage
    first: float
    took: float
    is_cut: bool = False
    error: ErrorInfo | None = None

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def half_calls(self) -> list[ToolPart]:
        """Calls that were begun and never became whole."""
        whole = {call.id for call in self.calls}
        return [part for part in self.parts if isinstance(part, ToolPart) and part.call_id not in whole]


async def take_turn(model: Model, request: ModelRequest) -> Turn:
    """Ask once. A failure is a turn with an `error`; nothing is raised for it."""
    reading = _Reading()
    began = time.perf_counter()
    first = 0.0
    stream = model.stream(request)
    try:
        async with asyncio.timeout(TURN_SECONDS):
            async for event in stream:
                first = first or time.perf_counter() - began
                if reading.take(event):
                    break
    except ModelError as error:
        reading.error = error.info
    except TimeoutError:
        reading.error = ErrorInfo("timeout", f"the turn took longer than {TURN_SECONDS:.0f} s")
    except Exception as error:
        log.exception("the adapter of %s failed", model.info.id)
        reading.error = ErrorInfo("protocol", f"{type(error).__name__}: {error}")
    finally:
        await close_stream(stream)
    return reading.turn(first, time.perf_counter() - began)


class _Reading:
    def __init__(self) -> None:
        self.error: ErrorInfo | None = None
        self._finish: Finish | None = None
        self._parts: list[Part] = []
        self._calls: list[ToolCall] = []
        self._places: dict[str, int] = {}

    def take(self, event: StreamEvent) -> bool:
        """Take one event; true at the end."""
        match event:
            case TextDelta(text, id):
                self._grow(f"text {id}", TextPart(""), text)
            case ReasoningDelta(text, id):
                self._grow(f"reasoning {id}", ReasoningPart(""), text)
            case TextEnd(id, metadata):
                self._end(f"text {id}", metadata)
            case ReasoningEnd(id, metadata):
                self._end(f"reasoning {id}", metadata)
            case ToolInputStart(id, name):
                self._place(f"call {id}", ToolPart(id, name, Pending()))
            case ToolCall(id, name, metadata=metadata):
                place = self._place(f"call {id}", ToolPart(id, name, Pending()))
                self._parts[place] = ToolPart(id, name, Pending(), metadata=metadata)
                self._calls.append(event)
            case Finish():
                self._finish = event
            case StreamError(error):
                self.error = error
            case _:
                pass
        return isinstance(event, Finish | StreamError)

    def turn(self, first: float, took: float) -> Turn:
        finish = self._finish
        error = self.error
        if finish is None and error is None:
            error = ErrorInfo("protocol", "the model's stream ended without a finish", retryable=True)
        usage = finish.usage if finish else Usage()
        is_cut = finish is not None and finish.reason == "length"
        return Turn(tuple(self._parts), tuple(self._calls), usage, first, took, is_cut, error)

    def _place(self, key: str, part: Part) -> int:
        if key not in self._places:
            self._places[key] = len(self._parts)
            self._parts.append(part)
        return self._places[key]

    def _grow(self, key: str, empty: TextPart | ReasoningPart, text: str) -> None:
        place = self._place(key, empty)
        part = self._parts[place]
        assert isinstance(part, TextPart | ReasoningPart)
        self._parts[place] = structs.replace(part, text=part.text + text)

    def _end(self, key: str, metadata: dict[str, Any] | None) -> None:
        """Forget the key, so that a later part may use the same id."""
        place = self._places.pop(key, None)
        if place is not None and metadata:
            self._parts[place] = structs.replace(self._parts[place], metadata=metadata)
