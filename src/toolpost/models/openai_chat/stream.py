"""Parse an OpenAI chat stream into stream events, without any input or output of its own."""

from collections.abc import Collection, Sequence
from typing import Any

from toolpost.arguments.parse_json import ObjectEnd, parse_arguments
from toolpost.models.call_ids import CallIds
from toolpost.models.provider_errors import from_error_object
from toolpost.models.stream_reader import BlockReader, not_json
from toolpost.types.messages import ErrorInfo, FinishReason, Usage
from toolpost.types.stream import Finish, StreamEvent, ToolCall, ToolInputDelta, ToolInputEnd, ToolInputStart

from .chunks import ChatCallDelta, ChatChoice, ChatChunk, ChatDelta, file_of, read_chunk, usage_of

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
            self._read_delta(delta, events)
        if choice.usage is not None:
            self._usage = usage_of(choice.usage) or self._usage
        if choice.finish_reason:
            self._take_finish(choice.finish_reason, events)

    def _read_delta(self, delta: ChatDelta, events: list[StreamEvent]) -> None:
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


class CallAccumulator:
    """Put tool calls together from the deltas of the wire, as real servers send them.

    The rule: a delta belongs to the call under its index (or its id or position where there is no index). A new call
    begins when a non-empty id differs, when a non-empty name differs, or when the held arguments are one whole JSON
    object and another begins. Empty and null ids and names count as absent. A call goes out once it is known whole.

    `offered` are the names of the tools of this request; they decide whether a split name may be joined. `ids` gives
    the calls theirs.
    """

    def __init__(self, offered: Collection[str] = (), ids: CallIds | None = None) -> None:
        self.seen = False
        self._offered = frozenset(offered)
        self._slots: dict[int, _Call] = {}
        self._waiting: list[_Call] = []
        self._ids = CallIds() if ids is None else ids

    def feed(self, deltas: Sequence[ChatCallDelta]) -> list[StreamEvent]:
        """Take all entries of one chunk."""
        events: list[StreamEvent] = []
        touched: set[int] = set()
        for position, delta in enumerate(deltas):
            key = self._key(delta, position)
            again = key in touched and bool(delta.name)
            touched.add(key)
            self._feed_one(key, delta, again, events)
        return events

    def finish(self, *, cut: bool = False) -> list[StreamEvent]:
        """End every open call. `cut`: the model ran into its length limit, so the last call is half-written."""
        events: list[StreamEvent] = []
        for call in self._waiting:
            half = cut and call is self._waiting[-1] and not call.objects.whole
            self._end(call, half, events)
        self._waiting.clear()
        self._slots.clear()
        return events

    def _key(self, delta: ChatCallDelta, position: int) -> int:
        if delta.index is not None:
            return delta.index
        if delta.id:
            return next((key for key, call in self._slots.items() if call.wire_id == delta.id), position)
        held = self._slots.get(position)
        if held is not None and held.objects.whole and not delta.name and not delta.text.lstrip().startswith("{"):
            # The call at this position is finished, so the text goes on with the one that is not.
            return next((key for key, call in self._slots.items() if not call.objects.whole), position)
        return position

    def _feed_one(self, key: int, delta: ChatCallDelta, again: bool, events: list[StreamEvent]) -> None:
        call = self._slots.get(key)
        text = delta.text
        if call is None or again or self._begins_new(call, delta):
            if call is None and not (delta.id or delta.name or text):
                return
            call = self._open(key, delta.id, "", events)
        elif not call.wire_id and delta.id:
            call.wire_id = delta.id
            self._ids.know(call.id, delta.id)
        if delta.extra_content:
            call.metadata = {"extra_content": delta.extra_content}
        if delta.name and call.name != delta.name:
            call.name = call.name + delta.name if call.name else delta.name
        self._add_text(key, call, text, events)

    def _begins_new(self, call: "_Call", delta: ChatCallDelta) -> bool:
        if delta.id and call.wire_id and delta.id != call.wire_id:
            return True
        if delta.name and call.name and delta.name != call.name:
            return not self._joins(call, delta.name)
        return False

    def _joins(self, call: "_Call", piece: str) -> bool:
        """One server splits names over chunks: join only what cannot be read as two offered tools."""
        joined = call.name + piece
        if call.started or call.name in self._offered or piece in self._offered:
            return False
        return any(name.startswith(joined) for name in self._offered)

    def _add_text(self, key: int, call: "_Call", text: str, events: list[StreamEvent]) -> None:
        while text:
            end = call.objects.feed(text)
            if end < 0:
                call.add(text, events)
                return
            if end:
                call.add(text[:end], events)
            rest = text[end:].lstrip()
            if not rest.startswith("{"):
                # After a whole object only another one means something.
                return
            # The same place and no other id: it may be the same object once more.
            text, call = rest, self._open(key, None, call.name, events, under=call.wire_id or call.under)
        self._start_if_named(call, events)

    def _open(self, key: int, wire_id: str | None, name: str, events: list[StreamEvent], *, under: str = "") -> "_Call":
        for waiting in list(self._waiting):
            # In order, and only up to the first that may still grow: some servers write calls side by side.
            if not waiting.objects.whole:
                break
            self._end(waiting, False, events)
            self._waiting.remove(waiting)
        self.seen = True
        call = _Call(self._ids.unique(wire_id, under=under), wire_id or "", name, under)
        self._slots[key] = call
        self._waiting.append(call)
        return call

    def _start_if_named(self, call: "_Call", events: list[StreamEvent]) -> None:
        # A name that only begins an offered one may be a piece: wait for the rest or for the arguments.
        if call.name in self._offered or not any(name.startswith(call.name) for name in self._offered):
            call.start(events)

    def _end(self, call: "_Call", half: bool, events: list[StreamEvent]) -> None:
        call.named = True
        call.start(events)
        events.append(ToolInputEnd(call.id))
        text = "".join(call.pieces)
        arguments, raw = parse_arguments(text)
        if half and not raw:
            # Cut before its first argument: this must not pass for a call without arguments.
            raw = "{"
        events.append(ToolCall(call.id, call.name, arguments, raw, call.metadata))


class _Call:
    """One open call. Its events are held back until its name is known."""

    __slots__ = ("id", "metadata", "name", "named", "objects", "pieces", "started", "under", "wire_id")

    def __init__(self, call_id: str, wire_id: str, name: str, under: str = "") -> None:
        self.id = call_id
        self.wire_id = wire_id
        self.under = under
        self.name = name
        self.named = bool(name)
        self.started = False
        self.metadata: dict[str, Any] | None = None
        self.pieces: list[str] = []
        self.objects = ObjectEnd()

    def start(self, events: list[StreamEvent]) -> None:
        if self.started or not (self.name or self.named):
            return
        self.started = True
        events.append(ToolInputStart(self.id, self.name))
        if self.pieces:
            events.append(ToolInputDelta(self.id, "".join(self.pieces)))

    def add(self, text: str, events: list[StreamEvent]) -> None:
        self.start(events)
        self.pieces.append(text)
        if self.started:
            events.append(ToolInputDelta(self.id, text))
