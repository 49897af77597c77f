"""Take one turn of a model under test, and measure its times."""

import time

from msgspec import Struct

from toolpost.engine.turn_reader import TurnParts, TurnReader
from toolpost.models.contract import Model, ModelRequest
from toolpost.types.messages import ErrorInfo, Part, TextPart, ToolPart, Usage
from toolpost.types.stream import (
    Finish,
    ToolCall,
)

# A model that never comes to an end is an error, not a reason to wait all night.
TURN_SECONDS = 600.0


class TimedTurn(Struct, frozen=True):
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


async def take_turn(model: Model, request: ModelRequest) -> TimedTurn:
    """Ask once. A failure is a turn with an `error`; nothing is raised for it."""
    parts = TurnParts()
    began = time.perf_counter()
    first = 0.0
    async with TurnReader(model, request, TURN_SECONDS) as turn:
        async for event in turn.events:
            first = first or time.perf_counter() - began
            if turn.ends_with(event):
                break
            parts.add(event)
    took, ending = time.perf_counter() - began, turn.ending
    came = tuple(parts.joined()), tuple(parts.calls.values())
    if isinstance(ending, Finish):
        return TimedTurn(*came, ending.usage, first, took, ending.reason == "length")
    late = ErrorInfo("timeout", f"the turn took longer than {TURN_SECONDS:.0f} s")
    return TimedTurn(*came, Usage(), first, took, error=ending.error if ending is not None else late)
