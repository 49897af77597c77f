"""Parse a Gemini stream into stream events, without any input or output of its own."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct, structs

from toolpost.models.provider_errors import from_error_object
from toolpost.models.stream_reader import BlockReader, whole_characters
from toolpost.types.messages import ErrorInfo, FinishReason, Usage
from toolpost.types.stream import Finish, GeneratedFile, StreamEvent, ToolCall

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


class GeminiCall(Struct, rename="camel"):
    name: str | None = None
    args: Any = None
    id: str | None = None
    thought_signature: str | None = None


class GeminiBlob(Struct, rename="camel"):
    data: str = ""
    mime_type: str = ""
    display_name: str | None = None


class GeminiPart(Struct, rename="camel"):
    text: str | None = None
    thought: bool | None = None
    thought_signature: str | None = None
    function_call: GeminiCall | None = None
    inline_data: GeminiBlob | None = None


class GeminiContent(Struct):
    parts: list[GeminiPart] | None = None


class GeminiCandidate(Struct, rename="camel"):
    content: GeminiContent | None = None
    finish_reason: str | None = None
    finish_message: str | None = None
    index: int | None = 0


class GeminiChunk(Struct, rename="camel"):
    candidates: list[GeminiCandidate] | None = None
    usage_metadata: dict[str, Any] | None = None
    prompt_feedback: dict[str, Any] | None = None
    error: Any = None


_decode = msgspec.json.Decoder(GeminiChunk).decode
_decode_all = msgspec.json.Decoder(list[GeminiChunk]).decode


class GeminiStreamReader(BlockReader):
    """`on_mistake` is told of a mistake of the model that may be tried again; without it none may."""

    last_word = "finishReason"
    # A server that knows no `alt=sse` answers in one document, or in a list of chunks.
    document_marks = (b"{", b"[")

    def __init__(self, secrets: Sequence[str] = (), *, on_mistake: Callable[[], None] | None = None) -> None:
        super().__init__(secrets)
        # Thinking is marked on this wire; what looks like it is text.
        self._think = None
        self._on_mistake = on_mistake
        self._signature: str | None = None
        self._calls: list[ToolCall] = []
        # What goes back with a call, by its id.
        self._echoes: dict[str, dict[str, Any]] = {}
        self._reason = ""
        self._message = ""
        self._usage: dict[str, Any] = {}

    @property
    def answer_is_whole(self) -> bool:
        """True once the wire gave a finish reason. Old servers give one with every chunk, so more may come."""
        return bool(self._reason)

    def _take(self, payload: bytes, events: list[StreamEvent]) -> None:
        try:
            self._take_chunk(_read(payload), events)
        except ValueError:
            self._fail(_unreadable(payload), events)

    def _read_document(self, body: bytes, events: list[StreamEvent]) -> None:
        try:
            chunks = _decode_all(body) if body.lstrip()[:1] == b"[" else [_decode(body)]
        except ValueError:
            return self._fail(_unreadable(body), events)
        for chunk in chunks:
            if not self.ended:
                self._take_chunk(chunk, events)
        return None

    def _take_chunk(self, chunk: GeminiChunk, events: list[StreamEvent]) -> None:
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

    def _take_candidate(self, candidate: GeminiCandidate, events: list[StreamEvent]) -> None:
        self._answered = True
        for part in (candidate.content.parts or ()) if candidate.content is not None else ():
            self._take_part(part, events)
        if candidate.finish_reason and candidate.finish_reason != "FINISH_REASON_UNSPECIFIED":
            # A later STOP does not undo what was wrong before.
            if self._reason in ("", "STOP"):
                self._reason = candidate.finish_reason
            self._message = candidate.finish_message or self._message

    def _take_part(self, part: GeminiPart, events: list[StreamEvent]) -> None:
        if part.function_call is not None:
            return self._read_call(part.function_call, part.thought_signature, events)
        if part.inline_data is not None:
            return self._take_file(part, part.inline_data, events)
        if part.text:
            self._add(part, part.text, events)
        if part.thought_signature:
            self._sign(part, part.thought_signature, events)
        return None

    def _take_file(self, part: GeminiPart, blob: GeminiBlob, events: list[StreamEvent]) -> None:
        # What a model draws while it thinks is not part of the answer.
        if part.thought or not blob.data:
            return
        self._flush(events)
        kept = {"gemini": {"signature": part.thought_signature}} if part.thought_signature else None
        mime = blob.mime_type or "application/octet-stream"
        events.append(GeneratedFile(mime, blob.data, name=blob.display_name or "", metadata=kept))

    def _read_call(self, call: GeminiCall, signature: str | None, events: list[StreamEvent]) -> None:
        made = self._whole_call(call.id, call.name or "", call.args, events)
        self._calls.append(made)
        echo = self._echoes[made.id] = {"id": True} if made.id == call.id else {}
        if signature := signature or call.thought_signature:
            echo["signature"] = signature

    def _sign(self, part: GeminiPart, signature: str, events: list[StreamEvent]) -> None:
        """A signature that comes late belongs to the first call, or to the text or thought before it."""
        if not part.text and self._calls and not self._block:
            self._echoes[self._calls[0].id].setdefault("signature", signature)
            return
        if not self._block:
            self._add(part, "", events)
        self._signature = signature

    def _add(self, part: GeminiPart, text: str, events: list[StreamEvent]) -> None:
        if part.thought:
            self._reasoning(text, events)
        else:
            self._text(text, events)

    def _kept(self) -> dict[str, Any] | None:
        signature, self._signature = self._signature, None
        return {"gemini": {"signature": signature}} if signature else None

    def _end_of_body(self, events: list[StreamEvent]) -> None:
        if not self._reason:
            return super()._end_of_body(events)
        if self._reason in _MISTAKES:
            return self._fail(self._mistake(), events)
        self._close_block(events)
        for call in self._calls:
            echo = self._echoes[call.id]
            events.append(structs.replace(call, metadata={"gemini": echo}) if echo else call)
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
        text = f"{what} ({self._reason}){f': {self._message[:300]}' if self._message else ''}. {_ADVICE}."
        if not again or self._on_mistake is None:
            return ErrorInfo("protocol", text)
        self._on_mistake()
        return ErrorInfo("protocol", text, retryable=True, retry_after=0.0)


def _read(payload: bytes) -> GeminiChunk:
    try:
        return _decode(payload)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _decode(whole_characters(payload))


def _unreadable(payload: bytes) -> ErrorInfo:
    text = payload[:200].decode("utf-8", "replace")
    return ErrorInfo("protocol", f"the server sent something that is not an answer of Gemini: {text!r}")


def _usage(counts: dict[str, Any]) -> Usage:
    thoughts = counts.get("thoughtsTokenCount", 0)
    return Usage(
        input=counts.get("promptTokenCount", 0) + counts.get("toolUsePromptTokenCount", 0),
        output=counts.get("candidatesTokenCount", 0) + thoughts,
        reasoning=thoughts,
        cache_read=counts.get("cachedContentTokenCount", 0),
    )
