"""From the bytes of a Gemini stream to stream events, without any input or output of its own."""

from collections.abc import Sequence
from typing import Any, Literal

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
from .openai_chat_wire import whole_characters
from .sse import SSEParser

_FILTERED = frozenset(
    {"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"}
    | {"IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION"}
)
# What the model did wrong, and whether it may do better when asked again.
_MISTAKES = {
    "MALFORMED_FUNCTION_CALL": (True, "the model wrote a function call that Gemini could not read"),
    "MALFORMED_RESPONSE": (True, "the model wrote an answer that Gemini could not read"),
    "UNEXPECTED_TOOL_CALL": (True, "the model called a tool that was not on offer"),
    "TOO_MANY_TOOL_CALLS": (False, "the model called tools too many times in a row"),
    "MISSING_THOUGHT_SIGNATURE": (False, "the conversation has a call without its thought signature"),
    "OTHER": (True, "Gemini stopped without saying why"),
}
_ADVICE = "Say it in other words, give the tool simpler parameters, or take another model"
Block = Literal["", "text", "reasoning"]


class Call(Struct, rename="camel"):
    name: str | None = None
    args: Any = None
    id: str | None = None
    thought_signature: str | None = None


class Blob(Struct, rename="camel"):
    data: str = ""
    mime_type: str = ""


class Part(Struct, rename="camel"):
    text: str | None = None
    thought: bool | None = None
    thought_signature: str | None = None
    function_call: Call | None = None
    inline_data: Blob | None = None


class Content(Struct):
    parts: list[Part] | None = None


class Candidate(Struct, rename="camel"):
    content: Content | None = None
    finish_reason: str | None = None
    finish_message: str | None = None
    index: int | None = 0


class Chunk(Struct, rename="camel"):
    candidates: list[Candidate] | None = None
    usage_metadata: dict[str, Any] | None = None
    prompt_feedback: dict[str, Any] | None = None
    error: Any = None


_decode = msgspec.json.Decoder(Chunk).decode
_decode_all = msgspec.json.Decoder(list[Chunk]).decode


class GeminiStream:
    """Feed it the body as it comes; `ended` says that the last event was given, `finished` that it was a `Finish`.

    `again`: a mistake of the model may be tried once more.
    """

    def __init__(self, secrets: Sequence[str] = (), *, again: bool = True) -> None:
        self.ended = False
        self.finished = False
        self.mistaken = False
        self._again = again
        self._secrets = secrets
        self._sse = SSEParser()
        self._block: Block = ""
        self._blocks = 0
        self._signature: str | None = None
        self._calls: list[ToolCall] = []
        self._signatures: dict[str, str] = {}
        self._reason = ""
        self._message = ""
        self._usage: dict[str, Any] = {}
        self._answered = False

    @property
    def answer_is_whole(self) -> bool:
        """True once the wire gave a finish reason. Old servers give one with every chunk, so more may come."""
        return bool(self._reason)

    def feed(self, data: bytes) -> list[StreamEvent]:
        events: list[StreamEvent] = []
        for payload in self._sse.feed(data):
            if payload and payload != b"[DONE]":
                self._take_payload(payload, events)
            if self.ended:
                break
        return events

    def close(self) -> list[StreamEvent]:
        """The body ended: with a finish reason that is an answer, without one it was cut."""
        events: list[StreamEvent] = []
        last = self._sse.close()
        if last is not None and not self.ended and _is_whole(last.data):
            self._take_payload(last.data, events)
        if not self.ended:
            self._end(events)
        return events

    def failed(self, error: ErrorInfo) -> list[StreamEvent]:
        """The connection broke: nothing is lost if the model had finished already."""
        events: list[StreamEvent] = []
        if self._reason:
            self._end(events)
        else:
            self._fail(error, events)
        return events

    def whole(self, body: bytes) -> list[StreamEvent]:
        """An answer in one JSON document, or in a list of chunks, from a server that knows no `alt=sse`."""
        events: list[StreamEvent] = []
        try:
            chunks = _decode_all(body) if body.lstrip()[:1] == b"[" else [_decode(body)]
        except ValueError:
            self._fail(_unreadable(body), events)
            return events
        for chunk in chunks:
            if not self.ended:
                self._take(chunk, events)
        if not self.ended:
            self._end(events)
        return events

    def _take_payload(self, payload: bytes, events: list[StreamEvent]) -> None:
        try:
            self._take(_read(payload), events)
        except ValueError:
            self._fail(_unreadable(payload), events)

    def _take(self, chunk: Chunk, events: list[StreamEvent]) -> None:
        if chunk.error is not None:
            return self._fail(from_error_object(chunk.error, self._secrets), events)
        if chunk.usage_metadata:
            self._usage |= {name: count for name, count in chunk.usage_metadata.items() if isinstance(count, int)}
        for candidate in chunk.candidates or ():
            # Only one answer was asked for; others would be mixed into it.
            if not candidate.index:
                self._take_candidate(candidate, events)
        blocked = (chunk.prompt_feedback or {}).get("blockReason")
        if blocked and not self._answered:
            why = (chunk.prompt_feedback or {}).get("blockReasonMessage") or "it has to be said in other words"
            self._fail(ErrorInfo("content_filter", f"Gemini blocked the prompt ({blocked}): {why}"), events)
        return None

    def _take_candidate(self, candidate: Candidate, events: list[StreamEvent]) -> None:
        self._answered = True
        for part in (candidate.content.parts or ()) if candidate.content is not None else ():
            self._take_part(part, events)
        if candidate.finish_reason and candidate.finish_reason != "FINISH_REASON_UNSPECIFIED":
            # A later STOP does not undo what was wrong before.
            if self._reason in ("", "STOP"):
                self._reason = candidate.finish_reason
            self._message = candidate.finish_message or self._message

    def _take_part(self, part: Part, events: list[StreamEvent]) -> None:
        if part.function_call is not None:
            return self._take_call(part.function_call, part.thought_signature, events)
        if part.inline_data is not None:
            blob = part.inline_data
            size = len(blob.data) * 3 // 4
            # Stream events carry no files, so an image is told of.
            self._add(
                "text", f"[{blob.mime_type.partition('/')[0] or 'file'} ({blob.mime_type}, {size} bytes)]", events
            )
        elif part.text:
            self._add("reasoning" if part.thought else "text", part.text, events)
        if part.thought_signature:
            self._sign(part, part.thought_signature, events)
        return None

    def _take_call(self, call: Call, signature: str | None, events: list[StreamEvent]) -> None:
        self._close_block(events)
        known = {held.id for held in self._calls}
        call_id = call.id if call.id and call.id not in known else new_id("call")
        text = call.args if isinstance(call.args, str) else msgspec.json.encode(call.args or {}).decode()
        arguments, raw = parse_arguments(text)
        name = call.name or ""
        events += [ToolInputStart(call_id, name), ToolInputDelta(call_id, text), ToolInputEnd(call_id)]
        self._calls.append(ToolCall(call_id, name, arguments, raw, {"id": True} if call_id == call.id else {}))
        if signature := signature or call.thought_signature:
            self._signatures[call_id] = signature

    def _sign(self, part: Part, signature: str, events: list[StreamEvent]) -> None:
        """A signature that comes late belongs to the first call, or to the text or thought before it."""
        if not part.text and self._calls and not self._block:
            self._signatures.setdefault(self._calls[0].id, signature)
            return
        if not self._block:
            self._add("reasoning" if part.thought else "text", "", events)
        self._signature = signature

    def _add(self, kind: Block, text: str, events: list[StreamEvent]) -> None:
        if self._block != kind:
            self._close_block(events)
            self._block = kind
            events.append(TextStart(str(self._blocks)) if kind == "text" else ReasoningStart(str(self._blocks)))
        block = str(self._blocks)
        events.append(TextDelta(text, block) if kind == "text" else ReasoningDelta(text, block))

    def _close_block(self, events: list[StreamEvent]) -> None:
        if not self._block:
            return
        metadata = {"gemini": {"signature": self._signature}} if self._signature else None
        block = str(self._blocks)
        events.append(TextEnd(block, metadata) if self._block == "text" else ReasoningEnd(block, metadata))
        self._block, self._signature = "", None
        self._blocks += 1

    def _end(self, events: list[StreamEvent]) -> None:
        if not self._reason:
            what = "in the middle of its answer" if self._answered else "without an answer"
            text = f"the server ended the stream {what}: there was no finishReason"
            return self._fail(ErrorInfo("truncated", text, retryable=True), events)
        if self._reason in _MISTAKES:
            return self._fail(self._mistake(), events)
        self._close_block(events)
        for call in self._calls:
            signature = self._signatures.get(call.id)
            kept = {**(call.metadata or {}), **({"signature": signature} if signature else {})}
            events.append(ToolCall(call.id, call.name, call.arguments, call.raw, {"gemini": kept} if kept else None))
        reason: FinishReason = "tool-calls" if self._calls else "stop"
        if self._reason == "MAX_TOKENS":
            reason = "length"
        elif self._reason in _FILTERED:
            reason = "content-filter"
        events.append(Finish(reason, _usage(self._usage)))
        self.ended = self.finished = True
        return None

    def _mistake(self) -> ErrorInfo:
        again, what = _MISTAKES[self._reason]
        self.mistaken = again
        text = f"{what} ({self._reason}){f': {self._message[:300]}' if self._message else ''}. {_ADVICE}."
        retried = again and self._again
        return ErrorInfo("protocol", text, retryable=retried, retry_after=0.0 if retried else None)

    def _fail(self, error: ErrorInfo, events: list[StreamEvent]) -> None:
        events.append(StreamError(error))
        self.ended = True


def _read(payload: bytes) -> Chunk:
    try:
        return _decode(payload)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _decode(whole_characters(payload.decode("utf-8", "replace")).encode())


def _is_whole(payload: bytes) -> bool:
    """An event without its blank line counts if it is whole; half of one is only a sign of the cut."""
    try:
        _read(payload)
    except ValueError:
        return False
    return True


def _unreadable(payload: bytes) -> ErrorInfo:
    text = payload[:200].decode("utf-8", "replace")
    return ErrorInfo("protocol", f"the server sent something that is no answer of Gemini: {text!r}")


def _usage(counts: dict[str, Any]) -> Usage:
    thoughts = counts.get("thoughtsTokenCount", 0)
    return Usage(
        input=counts.get("promptTokenCount", 0) + counts.get("toolUsePromptTokenCount", 0),
        output=counts.get("candidatesTokenCount", 0) + thoughts,
        reasoning=thoughts,
        cache_read=counts.get("cachedContentTokenCount", 0),
    )
