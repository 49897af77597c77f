"""Parse an Anthropic Messages stream into stream events, without any input or output of its own."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec
from msgspec import Struct

from toolpost.arguments.parse_json import parse_arguments
from toolpost.models.message_parts import encode
from toolpost.models.provider_errors import from_error_object
from toolpost.models.stream_reader import StreamReader, not_json, whole_characters
from toolpost.types.messages import ErrorInfo, FinishReason, Usage
from toolpost.types.stream import (
    Finish,
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    StreamEvent,
    TextDelta,
    TextEnd,
    TextStart,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)

MAX_PAUSES = 16
_FINISH: dict[str, FinishReason] = {"max_tokens": "length", "refusal": "content-filter", "pause_turn": "length"}
_BLOCK_OF = {
    "text_delta": "text",
    "citations_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "thinking",
    "input_json_delta": "tool_use",
}
_OURS = frozenset({"text", "thinking", "redacted_thinking", "tool_use"})


class AnthropicDelta(Struct):
    type: str = ""
    text: str | None = None
    partial_json: str | None = None
    thinking: str | None = None
    signature: str | None = None
    citation: Any = None
    stop_reason: str | None = None
    stop_sequence: str | None = None
    stop_details: Any = None


class AnthropicEvent(Struct):
    """Any event of the stream. A whole answer is one too: its blocks are in `content`."""

    type: str = ""
    index: int = 0
    delta: AnthropicDelta | None = None
    content_block: dict[str, Any] | None = None
    message: Any = None
    usage: Any = None
    error: Any = None
    content: list[Any] | None = None
    stop_reason: str | None = None
    stop_sequence: str | None = None


class AnthropicStreamReader(StreamReader):
    last_word = "message_stop"

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        super().__init__(secrets)
        self._blocks: list[_Block] = []
        self._open: dict[int, _Block] = {}
        self._count = 0
        self._pauses = 0
        self._said: list[bytes] = []
        self._reason: str | None = None
        self._metadata: dict[str, Any] = {}
        self._before = Usage()
        self._counts: dict[str, int] = {}

    def resume(self) -> bytes:
        """All blocks that the server said before its pauses, joined by commas."""
        self._said += [encode(block.wire()) for block in self._blocks]
        self._blocks, self._open, self._reason = [], {}, None
        self._before, self._counts = self._usage(), {}
        self._begin()
        self.paused = False
        return b",".join(self._said)

    def _take(self, payload: bytes, events: list[StreamEvent]) -> None:
        try:
            event = _read(payload)
        except ValueError:
            return self._fail(not_json(payload), events)
        kind = event.type or self._sse.name_of(payload)
        if kind == "content_block_delta":
            return self._read_delta(event.index, event.delta or AnthropicDelta(), events)
        if kind == "content_block_start":
            return self._start(event.index, event.content_block or {}, events)
        if kind == "content_block_stop":
            return self._stop(event.index, events)
        if kind == "error" or event.error is not None:
            problem = event.error if event.error is not None else event.message
            return self._fail(from_error_object(problem, self._secrets), events)
        return self._take_rest(kind, event, events)

    def _take_rest(self, kind: str, event: AnthropicEvent, events: list[StreamEvent]) -> None:
        if kind == "message_start":
            self._read_usage(_fields(event.message).get("usage"))
        elif kind == "message_delta":
            delta = event.delta or AnthropicDelta()
            self._take_stop(delta.stop_reason, delta.stop_sequence, delta.stop_details)
            self._read_usage(event.usage)
        elif kind == "message_stop":
            self._end(events)
        elif kind == "message" and event.content is not None:
            for index, block in enumerate(event.content):
                self._start(index, _fields(block), events)
                self._stop(index, events)
            self._take_stop(event.stop_reason, event.stop_sequence, None)
            self._read_usage(event.usage)
            self._end(events)

    def _start(self, index: int, wire: dict[str, Any], events: list[StreamEvent]) -> None:
        held = self._open.get(index)
        if held is not None and wire.get("id") and held.start == wire:
            # The same start once more.
            return
        self._stop(index, events)
        block = self._add(index, str(wire.get("type", "text")), wire)
        if block.kind == "tool_use":
            block.id = self._ids.unique(wire.get("id"), "toolu")
            events.append(ToolInputStart(block.id, str(wire.get("name") or "")))
        # Some servers put all of a block into its start.
        elif block.kind == "text" and wire.get("text"):
            self._read_delta(index, AnthropicDelta("text_delta", text=wire["text"]), events)
        elif block.kind == "thinking":
            block.signature = str(wire.get("signature") or "")
            if wire.get("thinking"):
                self._read_delta(index, AnthropicDelta("thinking_delta", thinking=wire["thinking"]), events)

    def _add(self, index: int, kind: str, wire: dict[str, Any]) -> "_Block":
        block = self._open[index] = _Block(kind, str(self._count), wire)
        self._count += 1
        self._answered = True
        self._blocks.append(block)
        return block

    def _read_delta(self, index: int, delta: AnthropicDelta, events: list[StreamEvent]) -> None:
        block = self._open.get(index)
        if block is None or block.kind != _BLOCK_OF.get(delta.type):
            block = self._block_for(index, block, delta, events)
            if block is None:
                return
        if delta.text:
            if not block.pieces:
                events.append(TextStart(block.id))
            block.pieces.append(delta.text)
            events.append(TextDelta(delta.text, block.id))
        elif delta.partial_json:
            block.pieces.append(delta.partial_json)
            if block.kind == "tool_use":
                events.append(ToolInputDelta(block.id, delta.partial_json))
        elif delta.thinking:
            if not block.pieces:
                events.append(ReasoningStart(block.id))
            block.pieces.append(delta.thinking)
            events.append(ReasoningDelta(delta.thinking, block.id))
        elif delta.signature:
            block.signature = delta.signature
        elif delta.citation:
            block.citations.append(delta.citation)

    def _block_for(
        self, index: int, held: "_Block | None", delta: AnthropicDelta, events: list[StreamEvent]
    ) -> "_Block | None":
        """The block of a delta that does not fit the one under its index, or has none: gateways do such things."""
        if held is not None and held.kind not in _OURS:
            # A block of a kind that is not ours to show; its input is kept for a pause.
            return held if delta.type == "input_json_delta" else None
        if delta.type == "text_delta" or delta.type == "thinking_delta":
            kind = _BLOCK_OF[delta.type]
            beside = self._open.get(~index)
            if beside is not None and beside.kind == kind:
                return beside
            if beside is not None:
                self._open.pop(~index).close(events)
            return self._add(~index, kind, {"type": kind})
        if delta.type == "input_json_delta" and delta.partial_json:
            text = "the server sent arguments of a call that it never began"
            self._fail(ErrorInfo("protocol", text), events)
        return None

    def _stop(self, index: int, events: list[StreamEvent]) -> None:
        for key in (index, ~index):
            block = self._open.pop(key, None)
            if block is not None:
                block.close(events)

    def _take_stop(self, reason: str | None, sequence: str | None, details: Any) -> None:
        # Proxies send two reasons; a cut is the one that must not be lost.
        if reason and self._reason != "max_tokens":
            self._reason = reason
        if sequence:
            self._metadata["stop_sequence"] = sequence
        if details:
            self._metadata["stop_details"] = details

    def _read_usage(self, usage: Any) -> None:
        """Counts are totals so far; one that is missing or nought leaves the last one standing."""
        fields = _fields(usage)
        details = _fields(fields.get("output_tokens_details"))
        for name, value in (*fields.items(), *details.items()):
            if isinstance(value, int) and value:
                self._counts[name] = value

    def _usage(self) -> Usage:
        return self._before + usage_of(self._counts)

    def _end(self, events: list[StreamEvent]) -> None:
        for index in list(self._open):
            self._stop(index, events)
        if self._reason == "model_context_window_exceeded":
            return self._fail(ErrorInfo("context_overflow", "the model's context window is full"), events)
        called = any(block.kind == "tool_use" for block in self._blocks)
        if self._reason == "pause_turn" and not called and self._pauses < MAX_PAUSES:
            self._pauses += 1
            self.paused = True
            return None
        reason = _FINISH.get(self._reason or "", "stop")
        if called and self._reason != "max_tokens":
            reason = "tool-calls"
        events.append(Finish(reason, self._usage(), {"anthropic": self._metadata} if self._metadata else None))
        self.ended = self.finished = True
        return None


def usage_of(counts: Mapping[str, int]) -> Usage:
    """The counts of this wire, which names what was cached apart from the rest."""
    read, written = counts.get("cache_read_input_tokens", 0), counts.get("cache_creation_input_tokens", 0)
    return Usage(
        input=counts.get("input_tokens", 0) + read + written,
        output=counts.get("output_tokens", 0),
        reasoning=counts.get("thinking_tokens", 0),
        cache_read=read,
        cache_write=written,
    )


class _Block:
    """One content block: what it began with, and the pieces that came."""

    __slots__ = ("citations", "id", "kind", "pieces", "signature", "start")

    def __init__(self, kind: str, block_id: str, start: dict[str, Any]) -> None:
        self.kind = kind
        self.id = block_id
        self.start = start
        self.pieces: list[str] = []
        self.signature = ""
        self.citations: list[Any] = []

    def close(self, events: list[StreamEvent]) -> None:
        if self.kind == "text" and self.pieces:
            metadata = {"anthropic": {"citations": self.citations}} if self.citations else None
            events.append(TextEnd(self.id, metadata))
        elif self.kind == "thinking" and (self.pieces or self.signature):
            self._end_thinking({"signature": self.signature} if self.signature else None, events)
        elif self.kind == "redacted_thinking":
            self._end_thinking({"redacted": str(self.start.get("data") or "")}, events)
        elif self.kind == "tool_use":
            self._end_call(events)

    def wire(self) -> dict[str, Any]:
        """The block as it goes back to its server."""
        text = "".join(self.pieces)
        if self.kind == "text":
            return {**self.start, "text": text, **({"citations": self.citations} if self.citations else {})}
        if self.kind == "thinking":
            return {"type": "thinking", "thinking": text, "signature": self.signature}
        return {**self.start, "input": parse_arguments(text)[0]} if text else self.start

    def _end_thinking(self, kept: dict[str, Any] | None, events: list[StreamEvent]) -> None:
        if not self.pieces:
            # Hidden thinking has to be kept too: it goes back with its signature.
            events += [ReasoningStart(self.id), ReasoningDelta("", self.id)]
        events.append(ReasoningEnd(self.id, {"anthropic": kept} if kept else None))

    def _end_call(self, events: list[StreamEvent]) -> None:
        text, whole = "".join(self.pieces), self.start.get("input")
        if not text.strip() and whole:
            text = whole if isinstance(whole, str) else encode(whole).decode()
            events.append(ToolInputDelta(self.id, text))
        arguments, raw = parse_arguments(text)
        events.append(ToolInputEnd(self.id))
        events.append(ToolCall(self.id, str(self.start.get("name") or ""), arguments, raw))


_decode = msgspec.json.Decoder(AnthropicEvent).decode


def _read(payload: bytes) -> AnthropicEvent:
    """One event; where types are off, all that can be read of it. Raises `ValueError`."""
    try:
        return _decode(payload)
    except msgspec.ValidationError:
        fields = _fields(msgspec.json.decode(payload))
    except (msgspec.DecodeError, UnicodeDecodeError):
        fields = _fields(msgspec.json.decode(whole_characters(payload)))
    try:
        return msgspec.convert(fields, AnthropicEvent, strict=False)
    except msgspec.ValidationError:
        return AnthropicEvent(str(fields.get("type") or ""), error=fields.get("error"), message=fields.get("message"))


def _fields(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
