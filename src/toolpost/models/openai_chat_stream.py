"""From the bytes of an OpenAI chat stream to stream events, without any input or output of its own."""

from collections.abc import Collection, Sequence
from typing import Literal

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
)

from .accumulate import CallAccumulator
from .failures import from_error_object
from .openai_chat_wire import Choice, Chunk, Delta, NotJSON, call_deltas, read_chunk, usage_of
from .sse import SSEParser
from .think import ThinkSplitter

_FINISH: dict[str, FinishReason] = {
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "tool_calls": "tool-calls",
    "function_call": "tool-calls",
    "content_filter": "content-filter",
    "sensitive": "content-filter",
}
_FAILED = {"error": "server", "network_error": "server", "insufficient_system_resource": "overloaded"}
Block = Literal["", "text", "reasoning"]


class ChatStream:
    """Feed it the body as it comes; `ended` says that the last event was given, `finished` that it was a `Finish`."""

    def __init__(self, offered: Collection[str] = (), secrets: Sequence[str] = ()) -> None:
        self.ended = False
        self.finished = False
        self._secrets = secrets
        self._sse = SSEParser()
        self._calls = CallAccumulator(offered)
        self._think: ThinkSplitter | None = ThinkSplitter()
        self._block: Block = ""
        self._block_id = "0"
        self._blocks = 0
        self._field = ""
        self._reason: FinishReason | None = None
        self._usage = Usage()
        self._answered = False

    @property
    def answer_is_whole(self) -> bool:
        """True once the wire gave a finish reason; what may still come is the usage."""
        return self._reason is not None

    def feed(self, data: bytes) -> list[StreamEvent]:
        events: list[StreamEvent] = []
        for payload in self._sse.feed(data):
            if payload == b"[DONE]":
                self._end(events)
            elif payload:
                self._take_payload(payload, events)
            if self.ended:
                break
        return events

    def close(self) -> list[StreamEvent]:
        """The body ended: with a finish reason that is an answer, without one it was cut."""
        events: list[StreamEvent] = []
        last = self._sse.close()
        if last is not None and not self.ended and last.data != b"[DONE]":
            self._take_tail(last.data, events)
        if not self.ended:
            self._end(events)
        return events

    def failed(self, error: ErrorInfo) -> list[StreamEvent]:
        """The connection broke: nothing is lost if the model had finished already."""
        events: list[StreamEvent] = []
        if self._reason is not None:
            self._end(events)
        else:
            self._fail(error, events)
        return events

    def whole(self, body: bytes) -> list[StreamEvent]:
        """An answer in one JSON document, from a server that does not stream."""
        events: list[StreamEvent] = []
        self._take_payload(body, events)
        if not self.ended:
            self._end(events)
        return events

    def _take_payload(self, payload: bytes, events: list[StreamEvent]) -> None:
        try:
            chunk = read_chunk(payload)
        except NotJSON as error:
            text = f"the server sent something that is not JSON: {str(error)[:200]!r}"
            return self._fail(ErrorInfo("protocol", text), events)
        if chunk.usage is not None:
            self._usage = usage_of(chunk.usage) or self._usage
        elif chunk.x_groq is not None:
            self._usage = usage_of(chunk.x_groq.get("usage")) or self._usage
        choices = chunk.choices
        if not choices:
            return self._take_no_choice(chunk, events)
        self._answered = True
        for choice in choices:
            # Only one answer was asked for; others would be mixed into it.
            if not choice.index:
                self._take_choice(choice, events)
        return None

    def _take_tail(self, payload: bytes, events: list[StreamEvent]) -> None:
        """An event without its blank line counts if it is whole; half of one is only a sign of the cut."""
        try:
            read_chunk(payload)
        except NotJSON:
            return
        self._take_payload(payload, events)

    def _take_no_choice(self, chunk: Chunk, events: list[StreamEvent]) -> None:
        problem = chunk.error if chunk.error is not None else chunk.message
        if problem:
            self._fail(from_error_object(problem, self._secrets), events)

    def _take_choice(self, choice: Choice, events: list[StreamEvent]) -> None:
        delta = choice.delta if choice.delta is not None else choice.message
        if delta is not None:
            self._take_delta(delta, events)
        if choice.usage is not None:
            self._usage = usage_of(choice.usage) or self._usage
        if choice.finish_reason:
            self._take_finish(choice.finish_reason, events)

    def _take_delta(self, delta: Delta, events: list[StreamEvent]) -> None:
        if delta.reasoning_content:
            self._reasoning(delta.reasoning_content, "reasoning_content", events)
        elif delta.reasoning:
            self._reasoning(delta.reasoning, "reasoning", events)
        content = delta.content or delta.refusal
        if content:
            if self._think is None:
                self._text(content, events)
            else:
                self._split(*self._think.feed(content), events)
        if delta.tool_calls or type(delta) is not Delta:
            deltas = call_deltas(delta)
            if deltas:
                self._flush_think(events)
                self._close_block(events)
                events += self._calls.feed(deltas)

    def _take_finish(self, wire: str, events: list[StreamEvent]) -> None:
        if wire in _FAILED:
            code = _FAILED[wire]
            return self._fail(ErrorInfo(code, f"the model stopped: {wire}", retryable=True), events)
        reason = _FINISH.get(wire, "stop")
        # Proxies send two reasons; a cut is the one that must not be lost.
        if self._reason is None or reason == "length":
            self._reason = reason
        return None

    def _text(self, text: str, events: list[StreamEvent]) -> None:
        if self._block != "text":
            self._open_block("text", events)
            events.append(TextStart(self._block_id))
        events.append(TextDelta(text, self._block_id))

    def _reasoning(self, text: str, field: str, events: list[StreamEvent]) -> None:
        if self._block != "reasoning":
            self._open_block("reasoning", events)
            events.append(ReasoningStart(self._block_id))
        self._field = field
        events.append(ReasoningDelta(text, self._block_id))

    def _split(self, reasoning: str, answer: str, events: list[StreamEvent]) -> None:
        if reasoning:
            self._reasoning(reasoning, "think", events)
        if answer:
            self._text(answer, events)
        if self._think is not None and self._think.done:
            self._think = None

    def _flush_think(self, events: list[StreamEvent]) -> None:
        if self._think is not None:
            self._split(*self._think.close(), events)

    def _open_block(self, kind: Block, events: list[StreamEvent]) -> None:
        self._close_block(events)
        self._block = kind
        self._block_id = str(self._blocks)
        self._blocks += 1

    def _close_block(self, events: list[StreamEvent]) -> None:
        if self._block == "text":
            events.append(TextEnd(self._block_id))
        elif self._block == "reasoning":
            events.append(ReasoningEnd(self._block_id, {"openai_chat": {"field": self._field}}))
        self._block = ""

    def _end(self, events: list[StreamEvent]) -> None:
        if self._reason is None:
            what = "in the middle of its answer" if self._answered else "without an answer"
            text = f"the server ended the stream {what}: there was no finish_reason"
            return self._fail(ErrorInfo("truncated", text, retryable=True), events)
        self._flush_think(events)
        self._close_block(events)
        cut = self._reason == "length"
        events += self._calls.finish(cut=cut)
        reason: FinishReason = "tool-calls" if self._calls.seen and not cut else self._reason
        if reason == "tool-calls" and not self._calls.seen:
            reason = "stop"
        events.append(Finish(reason, self._usage))
        self.ended = self.finished = True
        return None

    def _fail(self, error: ErrorInfo, events: list[StreamEvent]) -> None:
        events.append(StreamError(error))
        self.ended = True
