"""Parse an OpenAI chat stream into stream events, without any input or output of its own."""

from collections.abc import Collection, Sequence
from typing import Any

from toolpost.models.provider_errors import from_error_object
from toolpost.models.stream_reader import BlockReader, not_json
from toolpost.types.messages import ErrorInfo, FinishReason, Usage
from toolpost.types.stream import Finish, StreamEvent

from .call_accumulator import CallAccumulator
from .chunks import ChatChoice, ChatChunk, ChatDelta, file_of, read_chunk, usage_of

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


class OpenAIChatStreamReader(BlockReader):
    last_word = "finish_reason"
    ends_with_done = True

    def __init__(self, offered: Collection[str] = (), secrets: Sequence[str] = ()) -> None:
        super().__init__(secrets)
        self._calls = CallAccumulator(offered, self._ids)
        self._field = "think"
        self._reason: FinishReason | None = None
        self._usage = Usage()

    @property
    def answer_is_whole(self) -> bool:
        """True once the wire gave a finish reason; what may still come is the usage."""
        return self._reason is not None

    def _take(self, payload: bytes, events: list[StreamEvent]) -> None:
        try:
            chunk = read_chunk(payload)
        except ValueError:
            return self._fail(not_json(payload), events)
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

    def _take_no_choice(self, chunk: ChatChunk, events: list[StreamEvent]) -> None:
        problem = chunk.error if chunk.error is not None else chunk.message
        if problem:
            self._fail(from_error_object(problem, self._secrets), events)

    def _take_choice(self, choice: ChatChoice, events: list[StreamEvent]) -> None:
        delta = choice.delta if choice.delta is not None else choice.message
        if delta is not None:
            self._take_delta(delta, events)
        if choice.usage is not None:
            self._usage = usage_of(choice.usage) or self._usage
        if choice.finish_reason:
            self._take_finish(choice.finish_reason, events)

    def _take_delta(self, delta: ChatDelta, events: list[StreamEvent]) -> None:
        if delta.reasoning_content:
            self._field = "reasoning_content"
            self._reasoning(delta.reasoning_content, events)
        elif delta.reasoning:
            self._field = "reasoning"
            self._reasoning(delta.reasoning, events)
        content = delta.content or delta.refusal
        if content:
            self._content(content, events)
        if delta.images:
            self._flush(events)
            events += [file for image in delta.images if (file := file_of(image))]
        if delta.tool_calls:
            self._flush(events)
            events += self._calls.feed(delta.tool_calls)

    def _take_finish(self, wire: str, events: list[StreamEvent]) -> None:
        if wire in _FAILED:
            code = _FAILED[wire]
            return self._fail(ErrorInfo(code, f"the model stopped: {wire}", retryable=True), events)
        reason = _FINISH.get(wire, "stop")
        # Proxies send two reasons; a cut is the one that must not be lost.
        if self._reason is None or reason == "length":
            self._reason = reason
        return None

    def _kept(self) -> dict[str, Any] | None:
        """The field that reasoning came in, to which it goes back."""
        return {"openai_chat": {"field": self._field}} if self._block == "reasoning" else None

    def _end_of_body(self, events: list[StreamEvent]) -> None:
        if self._reason is None:
            return super()._end_of_body(events)
        self._flush(events)
        cut = self._reason == "length"
        events += self._calls.finish(cut=cut)
        reason: FinishReason = "tool-calls" if self._calls.seen and not cut else self._reason
        if reason == "tool-calls" and not self._calls.seen:
            reason = "stop"
        events.append(Finish(reason, self._usage))
        self.ended = self.finished = True
        return None
