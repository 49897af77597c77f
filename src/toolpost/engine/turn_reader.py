"""Read one model response stream without raising, and collect it into message parts."""

import asyncio
import logging
import time
from types import TracebackType
from typing import Any, Self

from msgspec import structs

from toolpost.guard.redact import known_secrets
from toolpost.models.contract import Model, ModelRequest, close_stream
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
from toolpost.types.text import clean

log = logging.getLogger("toolpost.engine")

_NO_END = StreamError(ErrorInfo("truncated", "the model's stream ended without a finish", retryable=True))


class TurnReader:
    """`async with` asks the model, and closes its stream at the end. Read `events` until `ends_with` is true.

    What fails in the block, or in the adapter, becomes the `ending`; only a cancellation is raised. After the block,
    `ending` is None if the time of `seconds` was up before the answer was whole.
    """

    def __init__(self, model: Model, request: ModelRequest, seconds: float | None = None) -> None:
        self.events = model.stream(request)
        self.ending: Finish | StreamError | None = None
        self._model = model
        self._clock = asyncio.timeout(seconds)

    def ends_with(self, event: StreamEvent) -> bool:
        """True for the last event, which is then the turn's ending."""
        if isinstance(event, Finish | StreamError):
            self.ending = event
            return True
        return False

    async def __aenter__(self) -> Self:
        await self._clock.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        is_late = False
        try:
            await self._clock.__aexit__(kind, error, traceback)
        except TimeoutError:
            is_late = True
        finally:
            await close_stream(self.events)
        if error is None:
            self.ending = self.ending or _NO_END
        elif is_late or (isinstance(error, Exception) and self._clock.expired()):
            self.ending = None
        elif isinstance(error, ModelError):
            self.ending = StreamError(error.info)
        elif isinstance(error, Exception):
            log.error("the adapter of %s failed", self._model.info.id, exc_info=error)
            self.ending = StreamError(ErrorInfo("protocol", clean(f"{type(error).__name__}: {error}")))
        else:
            return False
        if isinstance(self.ending, StreamError):
            self.ending = structs.replace(self.ending, error=without_secrets(self.ending.error))
        return True


def without_secrets(error: ErrorInfo) -> ErrorInfo:
    """Some servers say in their refusal which key they were given."""
    return structs.replace(error, message=known_secrets().hide(error.message))


class TurnParts:
    """The parts of a message, made of a turn's events. `calls` are the whole calls, by the place of their part."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.calls: dict[int, ToolCall] = {}
        # Deltas are joined once, at the end: a long answer costs no more a delta than a short one.
        self._pieces: dict[int, list[str]] = {}
        self._places: dict[str, int] = {}

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
            case ToolInputStart(id, name):
                self._grow(self._open(f"call {id}", ToolPart(id, name, Pending())), "tool_input", "", id, name)
            case ToolCall():
                self._add_call(event, event.raw)
            case GeneratedFile():
                self._add_file(event)
            case _:
                pass

    def add_text(self, event: TextDelta) -> None:
        self._grow(self._open(f"text {event.id}", TextPart("")), "text", clean(event.text))

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.joined() if isinstance(part, TextPart))

    def joined(self) -> list[Part]:
        """The parts with the deltas that have come so far."""
        return [self._joined(place, part) for place, part in enumerate(self.parts)]

    def _grow(self, place: int, kind: DeltaKind, text: str, call_id: str = "", name: str = "") -> None:
        """Add a delta to a part. Overridden where deltas are published."""
        self._pieces[place].append(text)

    def _add_input(self, place: int, text: str, call_id: str) -> None:
        self._grow(place, "tool_input", text, call_id)

    def _add_call(self, call: ToolCall, raw: str) -> None:
        place = self._open(f"call {call.id}", ToolPart(call.id, call.name, Pending()))
        state = Pending(raw or "".join(self._pieces[place]))
        self.parts[place] = ToolPart(call.id, call.name, state, metadata=call.metadata)
        self.calls[place] = call

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
