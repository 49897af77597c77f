"""From the lines of Ollama's chat stream to stream events, without any input or output of its own."""

from collections.abc import Sequence
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct

from toolpost.types.ids import new_id
from toolpost.types.messages import ErrorInfo, FinishReason, Usage
from toolpost.types.stream import (
    Finish,
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    StreamError,
    StreamEvent,
    TextDelta,
    TextEnd,
    TextStart,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)

from .accumulate import parse_arguments
from .failures import from_error_object
from .parts import encode
from .think import ThinkSplitter


class Function(Struct):
    name: str | None = None
    arguments: Any = None


class Call(Struct):
    id: str | None = None
    function: Function | None = None


class Said(Struct):
    content: str | None = None
    thinking: str | None = None
    tool_calls: list[Call] | None = None


class Line(Struct):
    """One line of the stream. A whole answer is one line too."""

    message: Said | None = None
    done: bool = False
    done_reason: str | None = None
    prompt_eval_count: int | None = None
    eval_count: int | None = None
    error: Any = None


class LineStream:
    """Feed it the body as it comes; `ended` says that the last event was given, `finished` that it was a `Finish`."""

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        self.ended = False
        self.finished = False
        self._secrets = secrets
        # A line that has not ended, in the pieces it came in; joined once, when its end comes.
        self._pieces: list[bytes] = []
        self._think: ThinkSplitter | None = ThinkSplitter()
        self._block: Literal["", "text", "reasoning"] = ""
        self._block_id = "0"
        self._count = 0
        self._ids: set[str] = set()
        self._answered = False

    def feed(self, data: bytes) -> list[StreamEvent]:
        events: list[StreamEvent] = []
        if b"\n" not in data:
            self._pieces.append(data)
            return events
        self._pieces.append(data)
        *lines, rest = b"".join(self._pieces).split(b"\n")
        self._pieces = [rest] if rest else []
        for line in lines:
            if line.strip() and not self.ended:
                self._take_line(line, events)
        return events

    def close(self) -> list[StreamEvent]:
        """The body ended: without a last line that says `done` it was cut."""
        events: list[StreamEvent] = []
        rest = b"".join(self._pieces).strip()
        if rest and not self.ended and _is_json(rest):
            self._take_line(rest, events)
        if not self.ended:
            what = "in the middle of its answer" if self._answered else "without an answer"
            text = f'the server ended the stream {what}: there was no line with "done"'
            self._fail(ErrorInfo("truncated", text, retryable=True), events)
        return events

    def failed(self, error: ErrorInfo) -> list[StreamEvent]:
        events: list[StreamEvent] = []
        self._fail(error, events)
        return events

    def _take_line(self, payload: bytes, events: list[StreamEvent]) -> None:
        try:
            line = _read(payload)
        except (msgspec.DecodeError, UnicodeError):
            text = f"the server sent something that is not JSON: {payload[:200].decode('utf-8', 'replace')!r}"
            return self._fail(ErrorInfo("protocol", text), events)
        if line.error:
            return self._fail(from_error_object(line.error, self._secrets), events)
        if line.message is not None:
            self._answered = True
            self._take_said(line.message, events)
        if line.done:
            self._end(line, events)
        return None

    def _take_said(self, said: Said, events: list[StreamEvent]) -> None:
        if said.thinking:
            self._show("reasoning", said.thinking, events)
        if said.content:
            if self._think is None:
                self._show("text", said.content, events)
            else:
                self._split(*self._think.feed(said.content), events)
        for call in said.tool_calls or ():
            self._flush(events)
            self._take_call(call, events)

    def _take_call(self, call: Call, events: list[StreamEvent]) -> None:
        """Calls come whole, their arguments as an object; an older server may send them as text."""
        function = call.function or Function()
        given = function.arguments
        text = given if isinstance(given, str) else encode({} if given is None else given).decode()
        arguments, raw = parse_arguments(text)
        call_id = call.id if call.id and call.id not in self._ids else new_id("call")
        self._ids.add(call_id)
        name = function.name or ""
        events += [ToolInputStart(call_id, name), ToolInputDelta(call_id, text), ToolInputEnd(call_id)]
        events.append(ToolCall(call_id, name, arguments, raw))

    def _show(self, kind: Literal["text", "reasoning"], text: str, events: list[StreamEvent]) -> None:
        if self._block != kind:
            self._close_block(events)
            self._block, self._block_id = kind, str(self._count)
            self._count += 1
            events.append(TextStart(self._block_id) if kind == "text" else ReasoningStart(self._block_id))
        delta = TextDelta(text, self._block_id) if kind == "text" else ReasoningDelta(text, self._block_id)
        events.append(delta)

    def _split(self, reasoning: str, answer: str, events: list[StreamEvent]) -> None:
        if reasoning:
            self._show("reasoning", reasoning, events)
        if answer:
            self._show("text", answer, events)
        if self._think is not None and self._think.done:
            self._think = None

    def _flush(self, events: list[StreamEvent]) -> None:
        if self._think is not None:
            self._split(*self._think.close(), events)
        self._close_block(events)

    def _close_block(self, events: list[StreamEvent]) -> None:
        if self._block == "text":
            events.append(TextEnd(self._block_id))
        elif self._block == "reasoning":
            events.append(ReasoningEnd(self._block_id))
        self._block = ""

    def _end(self, line: Line, events: list[StreamEvent]) -> None:
        self._flush(events)
        reason: FinishReason = "length" if line.done_reason == "length" else "stop"
        if self._ids and reason != "length":
            reason = "tool-calls"
        events.append(Finish(reason, Usage(line.prompt_eval_count or 0, line.eval_count or 0)))
        self.ended = self.finished = True

    def _fail(self, error: ErrorInfo, events: list[StreamEvent]) -> None:
        if not self.ended:
            events.append(StreamError(error))
        self.ended = True


_decode = msgspec.json.Decoder(Line).decode


def _read(payload: bytes) -> Line:
    """One line; where types are off, all that can be read of it."""
    try:
        return _decode(payload)
    except msgspec.ValidationError:
        value: Any = msgspec.json.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError):
        value = msgspec.json.decode(payload.decode("utf-8", "replace"))
    try:
        return msgspec.convert(value, Line, strict=False)
    except msgspec.ValidationError:
        fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        return Line(done=bool(fields.get("done")), error=fields.get("error"))


def _is_json(payload: bytes) -> bool:
    try:
        msgspec.json.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True
