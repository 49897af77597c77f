"""Read one turn of a model: its stream, to an end that never raises, and the parts of a message that it makes."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

from msgspec import structs

from toolpost.models.contract import Model, ModelRequest, close_stream
from toolpost.tools.output_collector import clean
from toolpost.types.errors import ModelError
from toolpost.types.events import DeltaKind
from toolpost.types.messages import ErrorInfo, FilePart, Part, Pending, ReasoningPart, TextPart, ToolPart
from toolpost.types.stream import (
    Finish,
    GeneratedFile,
    ReasoningDelta,
    ReasoningEnd,
    StreamError,
    StreamEvent,
    TextDelta,
    TextEnd,
    ToolCall,
    ToolInputDelta,
    ToolInputStart,
)

log = logging.getLogger("toolpost.engine")

_NO_END = StreamError(ErrorInfo("truncated", "the model's stream ended without a finish", retryable=True))


class OpenTurn:
    """An open stream. After its block, `ending` says how the turn ended; None: its time was up before that."""

    def __init__(self, events: AsyncIterator[StreamEvent]) -> None:
        self.events = events
        self.ending: Finish | StreamError | None = None

    def ends_with(self, event: StreamEvent) -> bool:
        """True for the last event, which is then the turn's ending."""
        if isinstance(event, Finish | StreamError):
            self.ending = event
            return True
        return False


@contextlib.asynccontextmanager
async def open_turn(
    model: Model, request: ModelRequest, seconds: float | None = None
) -> AsyncGenerator[OpenTurn, None]:
    """Ask the model, and close its stream at the end of the block. Read `events` until `ends_with` is true.

    What fails in the block, or in the adapter, becomes the `ending`; only a cancellation is raised.
    """
    stream = model.stream(request)
    turn, clock = OpenTurn(stream), asyncio.timeout(seconds)
    try:
        async with clock:
            yield turn
        turn.ending = turn.ending or _NO_END
    except ModelError as error:
        turn.ending = StreamError(error.info)
    except Exception as error:
        if clock.expired():
            turn.ending = None
        else:
            log.exception("the adapter of %s failed", model.info.id)
            turn.ending = StreamError(ErrorInfo("protocol", clean(f"{type(error).__name__}: {error}")))
    finally:
        await close_stream(stream)


class TurnParts:
    """The parts of a message, made of a turn's events. `calls` are the whole calls, by the place of their part."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.calls: dict[int, ToolCall] = {}
        # Deltas are joined once, at the end: a long answer costs no more a delta than a short one.
        self._pieces: dict[int, list[str]] = {}
        self._places: dict[str, int] = {}
        self._text_place = -1
        self._text_id = ""

    def add(self, event: StreamEvent) -> None:
        match event:
            case TextDelta():
                self.add_text(event)
            case ToolInputDelta(id, text):
                self._add_input(self._places[f"call {id}"], clean(text), id)
            case ReasoningDelta(text, id):
                place = self._open(f"reasoning {id}", ReasoningPart("", started=time.time()))
                self._grow(place, "reasoning", clean(text))
            case ReasoningEnd(id, metadata):
                self._end(f"reasoning {id}", metadata)
            case TextEnd(id, metadata):
                self._end(f"text {id}", metadata)
                self._text_place = -1
            case ToolInputStart(id, name):
                self._grow(self._open(f"call {id}", ToolPart(id, name, Pending())), "tool_input", "", id, name)
            case ToolCall():
                self._add_call(event)
            case GeneratedFile():
                self._add_file(event)
            case _:
                pass

    def add_text(self, event: TextDelta) -> None:
        """`add` for the most frequent event, which mostly goes on with the text of the one before."""
        place = self._text_place
        if place < 0 or event.id != self._text_id:
            place = self._open(f"text {event.id}", TextPart(""))
            self._text_place, self._text_id = place, event.id
        self._grow(place, "text", clean(event.text))

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.joined() if isinstance(part, TextPart))

    def joined(self) -> list[Part]:
        """The parts with the deltas that have come so far."""
        return [self._joined(place, part) for place, part in enumerate(self.parts)]

    def _grow(self, place: int, kind: DeltaKind, text: str, call_id: str = "", name: str = "") -> None:
        """Add a delta to a part. Overridden where somebody watches."""
        self._pieces[place].append(text)

    def _add_input(self, place: int, text: str, call_id: str) -> None:
        self._grow(place, "tool_input", text, call_id)

    def _add_call(self, call: ToolCall) -> int:
        place = self._open(f"call {call.id}", ToolPart(call.id, call.name, Pending()))
        raw = call.raw or "".join(self._pieces[place])
        self.parts[place] = ToolPart(call.id, call.name, Pending(raw), metadata=call.metadata)
        self.calls[place] = call
        return place

    def _add_file(self, event: GeneratedFile) -> None:
        self.parts.append(FilePart(clean(event.mime), event.data, event.url, clean(event.name), event.metadata))

    def _joined(self, place: int, part: Part) -> Part:
        pieces = self._pieces.get(place)
        if pieces is None:
            return part
        if isinstance(part, TextPart | ReasoningPart):
            return structs.replace(part, text="".join(pieces))
        if isinstance(part, ToolPart) and isinstance(part.state, Pending) and not part.state.raw:
            return structs.replace(part, state=Pending("".join(pieces)))
        return part

    def _open(self, key: str, part: Part) -> int:
        place = self._places.get(key)
        if place is None:
            place = len(self.parts)
            self._places[key] = place
            self._pieces[place] = []
            self.parts.append(part)
        return place

    def _end(self, key: str, metadata: dict[str, Any] | None) -> None:
        """Forget the key, so that a later part may use the same id."""
        place = self._places.pop(key, None)
        if place is None:
            return
        self._end_reasoning(place)
        if metadata:
            self.parts[place] = structs.replace(self.parts[place], metadata=metadata)

    def _end_reasoning(self, place: int) -> None:
        part = self.parts[place]
        if isinstance(part, ReasoningPart) and not part.ended:
            self.parts[place] = structs.replace(part, ended=time.time())
