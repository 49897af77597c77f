"""The base of all stream readers: from the bytes of one answer to stream events, without any input or output."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from toolpost.arguments.parse_json import MAX_NESTING, parse_arguments
from toolpost.types.messages import ErrorInfo
from toolpost.types.stream import (
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

from .call_ids import CallIds
from .sse import SSEParser
from .think_tags import ThinkSplitter

_WHITE = b" \t\r\n"
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
_BRACKETS = b"[]{}"
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _BRACKETS)

Taker = Callable[[bytes, list[StreamEvent]], None]


class StreamReader(ABC):
    """Feed it the body as it comes, and close it when that ends.

    `ended`: the last event was given. `finished`: it was a `Finish`. `paused`: the server wants to be asked again with
    what it said so far, which `resume` gives.
    """

    # The word of the wire that ends an answer, as it stands in an error where it never came.
    last_word = ""
    ends_with_done = False
    # How an answer begins that does not stream: one JSON document, whatever its content type says.
    document_marks: tuple[bytes, ...] = (b"{",)

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        self.ended = False
        self.finished = False
        self.paused = False
        self._secrets = secrets
        self._answered = False
        self._ids = CallIds()
        self._begin()

    @property
    def answer_is_whole(self) -> bool:
        """True once nothing of the answer is missing, though the wire may have more to say."""
        return False

    def feed(self, data: bytes) -> Sequence[StreamEvent]:
        events: list[StreamEvent] = []
        if self._document is not None and self._is_document(data):
            return events
        for payload in self._payloads(data):
            if payload == b"[DONE]":
                # Some servers end every stream with it; where it is not of the wire it says nothing.
                if self.ends_with_done:
                    self._end_of_body(events)
            elif payload:
                self._read_event(self._take, payload, events)
            if self.ended or self.paused:
                break
        return self._ids.settle(events)

    def close(self) -> Sequence[StreamEvent]:
        """The body ended: that is an answer only if the wire said so."""
        events: list[StreamEvent] = []
        if self._document:
            self._read_event(self._read_document, b"".join(self._document), events)
        elif (rest := self._rest()) and not self.ended and is_json(rest):
            # An event that was never closed counts if it is whole; half of one is only a sign of the cut.
            self._read_event(self._take, rest, events)
        if not self.ended and not self.paused:
            self._end_of_body(events)
        return self._ids.settle(events)

    def failed(self, error: ErrorInfo) -> Sequence[StreamEvent]:
        """The connection broke: nothing is lost if the model had finished already."""
        events: list[StreamEvent] = []
        if self.answer_is_whole:
            self._end_of_body(events)
        else:
            self._fail(error, events)
        return self._ids.settle(events)

    def resume(self) -> bytes:
        """What a paused server wants back for the rest of its answer."""
        return b""

    @abstractmethod
    def _take(self, payload: bytes, events: list[StreamEvent]) -> None:
        """Take one event of the wire."""

    def _read_event(self, take: Taker, payload: bytes, events: list[StreamEvent]) -> None:
        """Take it, unless it is nested so deeply that it, or what is made of it, can't be read or written."""
        if is_too_deep(payload):
            self._fail(too_deep(payload), events)
            return
        try:
            take(payload, events)
        except RecursionError:
            self._fail(too_deep(payload), events)

    def _read_document(self, body: bytes, events: list[StreamEvent]) -> None:
        self._take(body, events)

    def _end_of_body(self, events: list[StreamEvent]) -> None:
        what = "in the middle of its answer" if self._answered else "without an answer"
        text = f"the server ended the stream {what}: there was no {self.last_word}"
        self._fail(ErrorInfo("truncated", text, retryable=True), events)

    def _fail(self, error: ErrorInfo, events: list[StreamEvent]) -> None:
        if not self.ended:
            events.append(StreamError(error))
        self.ended = True

    def _begin(self) -> None:
        self._sse = SSEParser()
        # None once the body is known to be a stream.
        self._document: list[bytes] | None = []

    def _payloads(self, data: bytes) -> Sequence[bytes]:
        return self._sse.feed(data)

    def _rest(self) -> bytes:
        last = self._sse.close()
        return last.data if last is not None else b""

    def _is_document(self, data: bytes) -> bool:
        """True if the body does not stream; then it is kept until its end. `data` are its first bytes, or more."""
        if self._document or data.lstrip(_WHITE).startswith(self.document_marks):
            assert self._document is not None
            self._document.append(data)
            return True
        if data.strip(_WHITE):
            self._document = None
        return False


Block = Literal["", "text", "reasoning"]


class BlockReader(StreamReader):
    """A reader of a wire that marks no blocks: text and reasoning begin and end one as they take turns."""

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        super().__init__(secrets)
        self._think: ThinkSplitter | None = ThinkSplitter()
        self._block: Block = ""
        self._block_id = "0"
        self._blocks = 0

    def _content(self, text: str, events: list[StreamEvent]) -> None:
        """Text that may begin with thinking in tags."""
        if self._think is None:
            self._text(text, events)
        else:
            self._split(*self._think.feed(text), events)

    def _text(self, text: str, events: list[StreamEvent]) -> None:
        if self._block != "text":
            self._open_block("text", events)
            events.append(TextStart(self._block_id))
        events.append(TextDelta(text, self._block_id))

    def _reasoning(self, text: str, events: list[StreamEvent]) -> None:
        if self._block != "reasoning":
            self._open_block("reasoning", events)
            events.append(ReasoningStart(self._block_id))
        events.append(ReasoningDelta(text, self._block_id))

    def _whole_call(self, wire_id: str | None, name: str, given: Any, events: list[StreamEvent]) -> ToolCall:
        """The call that came at once, after the events of its arguments. Those may be an object, or its text."""
        self._flush(events)
        call_id = self._ids.unique(wire_id)
        text = given if isinstance(given, str) else msgspec.json.encode({} if given is None else given).decode()
        events += [ToolInputStart(call_id, name), ToolInputDelta(call_id, text), ToolInputEnd(call_id)]
        return ToolCall(call_id, name, *parse_arguments(text))

    def _flush(self, events: list[StreamEvent]) -> None:
        """End the block, with what was held back of it."""
        if self._think is not None:
            self._split(*self._think.close(), events)
        self._close_block(events)

    def _close_block(self, events: list[StreamEvent]) -> None:
        if self._block == "text":
            events.append(TextEnd(self._block_id, self._kept()))
        elif self._block == "reasoning":
            events.append(ReasoningEnd(self._block_id, self._kept()))
        self._block = ""

    def _kept(self) -> dict[str, Any] | None:
        """What is kept with the block that ends, to be echoed to its provider."""
        return None

    def _open_block(self, kind: Block, events: list[StreamEvent]) -> None:
        self._close_block(events)
        self._block = kind
        self._block_id = str(self._blocks)
        self._blocks += 1

    def _split(self, reasoning: str, answer: str, events: list[StreamEvent]) -> None:
        if reasoning:
            self._reasoning(reasoning, events)
        if answer:
            self._text(answer, events)
        if self._think is not None and self._think.done:
            self._think = None


def is_json(payload: bytes) -> bool:
    """True for one whole JSON value, even with characters in it that are not whole."""
    # Imported here: only a stream that ends in the middle of an event needs it.
    import json

    try:
        json.loads(payload.decode("utf-8", "replace"))
    except ValueError:
        return False
    except RecursionError:
        # `_read_event` reports it.
        return True
    return True


def is_too_deep(payload: bytes) -> bool:
    """True if lists and objects in a JSON text are nested deeper than anything that a server has to say."""
    if payload.count(b"[") + payload.count(b"{") <= MAX_NESTING:
        return False
    depth = deepest = 0
    for mark in _STRING.sub(b"", payload).translate(None, _NO_BRACKETS):
        depth += 1 if mark in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest > MAX_NESTING


def too_deep(payload: bytes) -> ErrorInfo:
    text = payload[:100].decode("utf-8", "replace")
    return ErrorInfo("protocol", f"the server sent JSON that is nested deeper than {MAX_NESTING} levels: {text!r}…")


def not_json(payload: bytes) -> ErrorInfo:
    text = payload[:200].decode("utf-8", "replace")
    return ErrorInfo("protocol", f"the server sent something that is not JSON: {text!r}")


def whole_characters(payload: bytes) -> bytes:
    """JSON that msgspec reads: proxies that cut by UTF-16 units send the halves of an emoji escaped, in two chunks.
    Raises `ValueError`."""
    # Imported here: only such a server needs it.
    import json

    read = json.dumps(json.loads(payload.decode("utf-8", "replace")), ensure_ascii=False)
    return read.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
