"""Write answers of `POST /v1/chat/completions`: a stream of chunks, or one completion."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from toolpost.models.message_parts import encode
from toolpost.server.gateway.output import Done, OutputEvent, ServerCall, ServerProgress, ServerResult
from toolpost.server.gateway.request import GatewayRequest
from toolpost.server.gateway.wires.openai.errors import broken_off, done_of, error_fields
from toolpost.server.gateway.wires.openai.request_reader import line
from toolpost.types.ids import new_id
from toolpost.types.messages import Usage
from toolpost.types.stream import (
    GeneratedFile,
    ReasoningDelta,
    StreamError,
    TextDelta,
    ToolCall,
    ToolInputDelta,
    ToolInputStart,
)

from .request import is_legacy

_REASONS = {"stop": "stop", "length": "length", "content-filter": "content_filter"}
_DONE = b"data: [DONE]\n\n"
_CLOSE = b'},"finish_reason":null}]}\n\n'
_CALL_CLOSE = b'}}]},"finish_reason":null}]}\n\n'
# A comment, which every client skips: it shows that the connection lives while a call runs here.
WORKING = b": working\n\n"
_GAP = "\n\n"


class ChatWriter:
    """The chunks of one answer. Nothing is stored, so a chunk costs the same however long the answer is. After the end
    it returns nothing more."""

    def __init__(self, asked: GatewayRequest, message_id: str = "") -> None:
        self._asked = asked
        self._is_legacy = is_legacy(asked.body)
        self._base = b"data: " + line(_head(asked, message_id, "chat.completion.chunk"))[:-1] + b',"choices":'
        delta = self._base + b'[{"index":0,"delta":{'
        self._delta = delta
        self._text_head = delta + b'"content":'
        self._reasoning_head = delta + b'"reasoning_content":'
        self._text = SpacedText()
        self._reasoning = SpacedText()
        self._calls: dict[str, _Call] = {}
        self._has_ended = False

    def start(self) -> bytes:
        """Return the first chunk. It has no text, not even an empty one: some clients would show a text although a call
        follows."""
        return self._delta + b'"role":"assistant","content":null' + _CLOSE

    def feed(self, out: OutputEvent) -> bytes:
        handler = _HANDLERS.get(type(out))
        return b"" if handler is None or self._has_ended else handler(self, out)

    def text(self, out: TextDelta) -> bytes:
        text = self._text.spaced(out.text)
        return self._text_head + line(text) + _CLOSE if text else b""

    def reasoning(self, out: ReasoningDelta) -> bytes:
        text = self._reasoning.spaced(out.text)
        return self._reasoning_head + line(text) + _CLOSE if text else b""

    def call_start(self, out: ToolInputStart) -> bytes:
        return self._begin(out.id, out.name)

    def call_piece(self, out: ToolInputDelta) -> bytes:
        call = self._calls.get(out.id)
        return call.piece(out.text) if call is not None and out.text else b""

    def call(self, out: ToolCall) -> bytes:
        """Send what did not come in pieces. Arguments are never "", which a client reads as broken JSON, but {}."""
        begun = b"" if out.id in self._calls else self._begin(out.id, out.name)
        call = self._calls[out.id]
        rest = b"" if call.is_told else call.piece(out.raw or encode(out.arguments).decode())
        return begun + rest + call.extra(_extra_content(out))

    def file(self, out: GeneratedFile) -> bytes:
        image = _image(out)
        return self._delta + b'"images":[' + line(image) + b"]" + _CLOSE if image else b""

    def server_call(self, out: ServerCall | ServerResult) -> bytes:
        self._text.interrupt()
        self._reasoning.interrupt()
        return WORKING

    def progress(self, out: ServerProgress) -> bytes:
        return b"" if out.is_input else WORKING

    def done(self, out: Done) -> bytes:
        if (failure := broken_off(out)) is not None:
            return self.failed(StreamError(failure))
        self._has_ended = True
        reason = _reason(out, self._is_legacy)
        end = self._base + b'[{"index":0,"delta":{},"finish_reason":"' + reason.encode() + b'"}]}\n\n'
        if self._asked.wants_usage:
            end += self._base + b'[],"usage":' + line(_usage(out.usage)) + b"}\n\n"
        return end + _DONE

    def failed(self, out: StreamError) -> bytes:
        self._has_ended = True
        return b"data: " + line({"error": error_fields(out.error)}) + b"\n\n"

    def _begin(self, call_id: str, name: str) -> bytes:
        index = len(self._calls)
        call = _LegacyCall(self._delta, index) if self._is_legacy else _Call(self._delta, index)
        self._calls[call_id] = call
        return call.begin(call_id, name)


class SpacedText:
    """Text or reasoning of one answer. `interrupt` adds a blank line between what is said before and after a call that
    ran here, which the client does not see."""

    def __init__(self) -> None:
        self._has_spoken = False
        self._needs_gap = False

    def spaced(self, text: str) -> str:
        if self._needs_gap and text:
            self._needs_gap = False
            return _GAP + text
        self._has_spoken = self._has_spoken or bool(text)
        return text

    def interrupt(self) -> None:
        self._needs_gap = self._has_spoken


class _Call:
    """One entry of `tool_calls`: its id and name come once, its arguments in pieces."""

    def __init__(self, delta: bytes, index: int) -> None:
        self.is_told = False
        self._place = delta + b'"tool_calls":[{"index":%d,' % index
        self._head = self._place + b'"function":{"arguments":'

    def begin(self, call_id: str, name: str) -> bytes:
        named = b'"id":' + line(call_id) + b',"type":"function","function":{"name":' + line(name)
        return self._place + named + b',"arguments":""' + _CALL_CLOSE

    def piece(self, text: str) -> bytes:
        self.is_told = True
        return self._head + line(text) + _CALL_CLOSE

    def extra(self, content: Any) -> bytes:
        """Return what the model's provider wants back with the call."""
        if not content:
            return b""
        told = b'"function":{"arguments":""},"extra_content":' + line(content)
        return self._place + told + b'}]},"finish_reason":null}]}\n\n'


class _LegacyCall(_Call):
    """A `function_call`. There can be only one, so a second one is not sent."""

    def __init__(self, delta: bytes, index: int) -> None:
        super().__init__(delta, index)
        self._delta = delta + b'"function_call":{'
        self._is_first = index == 0

    def begin(self, call_id: str, name: str) -> bytes:
        if not self._is_first:
            return b""
        return self._delta + b'"name":' + line(name) + b',"arguments":""}' + _CLOSE

    def piece(self, text: str) -> bytes:
        self.is_told = True
        return self._delta + b'"arguments":' + line(text) + b"}" + _CLOSE if self._is_first else b""

    def extra(self, content: Any) -> bytes:
        return b""


_HANDLERS: dict[type, Callable[[ChatWriter, Any], bytes]] = {
    TextDelta: ChatWriter.text,
    ReasoningDelta: ChatWriter.reasoning,
    ToolInputStart: ChatWriter.call_start,
    ToolInputDelta: ChatWriter.call_piece,
    ToolCall: ChatWriter.call,
    GeneratedFile: ChatWriter.file,
    ServerCall: ChatWriter.server_call,
    ServerResult: ChatWriter.server_call,
    ServerProgress: ChatWriter.progress,
    Done: ChatWriter.done,
    StreamError: ChatWriter.failed,
}


def whole(asked: GatewayRequest, outs: Sequence[OutputEvent], message_id: str = "") -> bytes:
    """Return the answer as one completion. Raises `Refusal` if it ended with a failure."""
    done = done_of(outs)
    legacy = is_legacy(asked.body)
    reason = _reason(done, legacy)
    choice = {"index": 0, "message": _message(outs, legacy), "logprobs": None, "finish_reason": reason}
    head = _head(asked, message_id, "chat.completion")
    return encode({**head, "choices": [choice], "usage": _usage(done.usage)})


def _head(asked: GatewayRequest, message_id: str, kind: str) -> dict[str, Any]:
    made = int(time.time())
    return {"id": message_id or new_id("chatcmpl"), "object": kind, "created": made, "model": asked.model}


def _message(outs: Sequence[OutputEvent], legacy: bool) -> dict[str, Any]:
    text, reasoning = _joined(outs, TextDelta), _joined(outs, ReasoningDelta)
    message: dict[str, Any] = {"role": "assistant", "content": text or None, "refusal": None}
    if reasoning:
        message["reasoning_content"] = reasoning
    if images := [image for out in outs if isinstance(out, GeneratedFile) and (image := _image(out))]:
        message["images"] = images
    calls = _whole_calls(outs)
    if calls and legacy:
        message["function_call"] = calls[0]["function"]
    elif calls:
        message["tool_calls"] = calls
    return message


def _joined(outs: Sequence[OutputEvent], kind: type[TextDelta] | type[ReasoningDelta]) -> str:
    voice = SpacedText()
    pieces: list[str] = []
    for out in outs:
        if isinstance(out, kind):
            pieces.append(voice.spaced(out.text))
        elif isinstance(out, ServerCall | ServerResult):
            voice.interrupt()
    return "".join(pieces)


def _whole_calls(outs: Sequence[OutputEvent]) -> list[dict[str, Any]]:
    """Return the calls in the order in which they began, including one that was cut off in its arguments."""
    names: dict[str, str] = {}
    pieces: dict[str, list[str]] = {}
    extras: dict[str, Any] = {}
    for out in outs:
        if isinstance(out, ToolInputStart | ToolCall):
            names.setdefault(out.id, out.name)
            pieces.setdefault(out.id, [])
        if isinstance(out, ToolInputDelta) and out.id in pieces:
            pieces[out.id].append(out.text)
        elif isinstance(out, ToolCall):
            extras[out.id] = _extra_content(out)
            if not any(pieces[out.id]):
                pieces[out.id].append(out.raw or encode(out.arguments).decode())
    return [_whole_call(call_id, name, pieces[call_id], extras.get(call_id)) for call_id, name in names.items()]


def _whole_call(call_id: str, name: str, pieces: list[str], extra: Any) -> dict[str, Any]:
    call: dict[str, Any] = {"id": call_id, "type": "function", "function": {"name": name, "arguments": "".join(pieces)}}
    return call | {"extra_content": extra} if extra else call


def _extra_content(out: ToolCall) -> Any:
    return (out.metadata or {}).get("extra_content")


def _image(out: GeneratedFile) -> dict[str, Any] | None:
    """Return an image in a form that several gateways share; OpenAI itself has none here."""
    if not out.mime.startswith("image/"):
        return None
    url = f"data:{out.mime};base64,{out.data}" if out.data else out.url
    return {"type": "image_url", "index": 0, "image_url": {"url": url}}


def _reason(out: Done, legacy: bool) -> str:
    if out.reason == "tool-calls":
        return "function_call" if legacy else "tool_calls"
    return _REASONS[out.reason]


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.total,
        "prompt_tokens_details": {"cached_tokens": usage.cache_read, "cache_write_tokens": usage.cache_write},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }
