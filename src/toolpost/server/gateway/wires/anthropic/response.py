"""Write answers on Anthropic's wire: a stream of server-sent events, one whole message, or an error."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import structs

from toolpost.arguments.parse_json import parse_arguments
from toolpost.models.message_parts import encode, without_surrogates
from toolpost.server.gateway.output import Done, OutputEvent, ServerProgress
from toolpost.server.gateway.request import GatewayRequest
from toolpost.server.refusals import Kind, Refusal, refusal_of
from toolpost.types.ids import new_id
from toolpost.types.messages import ErrorInfo, FinishReason, Usage
from toolpost.types.stream import StreamError

from .call_ids import is_run_here, to_shown
from .content_writer import BlockWriter

# So much of arguments that can't be read is told.
SHOWN_ARGUMENTS = 200
PING = b'event: ping\ndata: {"type":"ping"}\n\n'

_STOP_REASONS: dict[FinishReason, str] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "tool-calls": "tool_use",
    "content-filter": "refusal",
}
_ERROR_TYPES: dict[Kind, str] = {
    "invalid_request": "invalid_request_error",
    "authentication": "authentication_error",
    "billing": "billing_error",
    "permission": "permission_error",
    "not_found": "not_found_error",
    "conflict": "invalid_request_error",
    "too_large": "request_too_large",
    "rate_limit": "rate_limit_error",
    "internal": "api_error",
    "unreachable": "api_error",
    "timeout": "timeout_error",
    "overloaded": "overloaded_error",
}
# The words by which Claude Code knows that it has to make a conversation shorter.
_TOO_LONG = "prompt is too long"

_PIECES = {
    "text": ("text_delta", "text"),
    "thinking": ("thinking_delta", "thinking"),
    "tool_use": ("input_json_delta", "partial_json"),
}
_TAIL = b"}}\n\n"
_STOP = b'event: message_stop\ndata: {"type":"message_stop"}\n\n'
_encode = msgspec.json.Encoder().encode
# Some clients split lines where Unicode does, not only where the protocol does.
_LINE_ENDS = ((b"\xe2\x80\xa8", b"\\u2028"), (b"\xe2\x80\xa9", b"\\u2029"), (b"\xc2\x85", b"\\u0085"))


class AnthropicWriter(BlockWriter):
    """The stream of one answer. Call `start` first, then `feed` with all output; after the end it returns nothing
    more."""

    def __init__(self, asked: GatewayRequest, message_id: str = "") -> None:
        super().__init__(asked, message_id or new_id("msg"))
        self._index = 0
        self._head = b""
        self._ended = False

    def start(self) -> bytes:
        message = _message(self._message_id, self._asked.model, [], None, "", _usage(Usage()))
        return _event("message_start", message=message)

    def feed(self, out: OutputEvent) -> bytes:
        # Nearly everything that is sent is more of what is open.
        piece: Any = out
        if type(out) is self._grows_by and piece.id == self._open_id and piece.text:
            return self._head + _quoted(piece.text) + _TAIL
        if self._ended:
            return b""
        if isinstance(out, Done):
            return self._finish(out)
        if isinstance(out, StreamError):
            return self._fail(out.error)
        return super().feed(out)

    def _finish(self, out: Done) -> bytes:
        reason = _STOP_REASONS.get(out.reason)
        if reason is None:
            return self._fail(_unfinished(out.reason))
        closed = self.close(has_calls=out.reason == "tool-calls")
        self._ended = True
        delta = {"stop_reason": _stop_reason(out, reason), "stop_sequence": out.stop_sequence or None}
        return closed + _event("message_delta", delta=delta, usage=_usage(out.usage)) + _STOP

    def _fail(self, error: ErrorInfo) -> bytes:
        self._ended, self._grows_by = True, None
        refusal = refused(error)
        return error_event(refusal.kind, refusal.message)

    def _begin(self, block: dict[str, Any]) -> bytes:
        if piece := _PIECES.get(block["type"]):
            self._head = self._delta_head(*piece)
        return _event("content_block_start", index=self._index, content_block=block)

    def _add(self, text: str) -> bytes:
        return self._head + _quoted(text) + _TAIL

    def _attach(self, kind: str, field: str, value: Any) -> bytes:
        return self._delta_head(kind, field) + _safe(encode(value)) + _TAIL

    def _end(self) -> bytes:
        index = self._index
        self._index += 1
        return b'event: content_block_stop\ndata: {"type":"content_block_stop","index":%d}\n\n' % index

    def _progress(self, out: ServerProgress) -> bytes:
        kind = "toolpost_input" if out.is_input else "toolpost_progress"
        return _event(kind, id=to_shown(out.id), name=out.name, text=out.text)

    def _delta_head(self, kind: str, field: str) -> bytes:
        head = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":%d,"delta":{"type":"%s","%s":'
        return (head % (self._index, kind, field)).encode()


def whole(asked: GatewayRequest, outs: Sequence[OutputEvent], message_id: str = "") -> bytes:
    """Return the answer as one message. Raises `Refusal` if it failed."""
    message = _Whole(asked, message_id or new_id("msg"))
    for out in outs:
        if isinstance(out, StreamError):
            raise refused(out.error)
        if isinstance(out, Done):
            return message.finish(out)
        message.feed(out)
    raise refused(_unfinished("interrupted"))


def error(refusal: Refusal, request_id: str) -> bytes:
    """Return the body of an error response."""
    return encode(_error(refusal.kind, _worded(refusal.code, refusal.message), request_id))


def error_event(kind: Kind, message: str) -> bytes:
    return b"event: error\ndata: " + _safe(encode(_error(kind, message))) + b"\n\n"


def refused(error: ErrorInfo) -> Refusal:
    """Return a model's failure with the words that clients of this wire look for."""
    return refusal_of(structs.replace(error, message=_worded(error.code, error.message)))


class _Whole(BlockWriter):
    """Collects the blocks of a message in one piece."""

    def __init__(self, asked: GatewayRequest, message_id: str) -> None:
        super().__init__(asked, message_id)
        self._content: list[dict[str, Any]] = []
        self._pieces: list[str] = []
        # What a model wrote as the arguments of a call and is no JSON object, by the place of the call's block.
        self._unreadable: dict[int, str] = {}

    def finish(self, out: Done) -> bytes:
        reason = _STOP_REASONS.get(out.reason)
        if reason is None:
            raise refused(_unfinished(out.reason))
        self.close(has_calls=out.reason == "tool-calls")
        for place, written in self._unreadable.items():
            name = self._content[place]["name"]
            if is_run_here(self._content[place]["id"]):
                # The model was told, and the result after it says so.
                continue
            if out.reason != "length":
                raise refused(_unreadable(name, written))
            # The client could run a half-written call, so it gets none.
            self._content[place] = {"type": "text", "text": f"[The call of {name} was cut at the limit: {written}]"}
        stop = _stop_reason(out, reason)
        usage = _usage(out.usage)
        return encode(_message(self._message_id, self._asked.model, self._content, stop, out.stop_sequence, usage))

    def _begin(self, block: dict[str, Any]) -> bytes:
        self._content.append(block)
        return b""

    def _add(self, text: str) -> bytes:
        self._pieces.append(text)
        return b""

    def _attach(self, kind: str, field: str, value: Any) -> bytes:
        block = self._content[-1]
        if kind == "citations_delta":
            block.setdefault("citations", []).append(value)
        else:
            block[field] = value
        return b""

    def _end(self) -> bytes:
        if self._pieces:
            block, text = self._content[-1], "".join(self._pieces)
            if block["type"] == "tool_use":
                block["input"], unreadable = parse_arguments(text)
                if unreadable:
                    self._unreadable[len(self._content) - 1] = unreadable
            else:
                block[block["type"]] = text
            self._pieces.clear()
        return b""

    def _progress(self, out: ServerProgress) -> bytes:
        return b""


def _worded(code: str, message: str) -> str:
    return f"{_TOO_LONG}: {message}" if code == "context_overflow" and _TOO_LONG not in message else message


def _message(
    message_id: str, model: str, content: list[dict[str, Any]], reason: str | None, sequence: str, usage: dict[str, Any]
) -> dict[str, Any]:
    head: dict[str, Any] = {"id": message_id, "type": "message", "role": "assistant", "model": model}
    return {**head, "content": content, "stop_reason": reason, "stop_sequence": sequence or None, "usage": usage}


def _stop_reason(out: Done, reason: str) -> str:
    return "stop_sequence" if out.reason == "stop" and out.stop_sequence else reason


def _unfinished(reason: FinishReason) -> ErrorInfo:
    return ErrorInfo("truncated", f"the response is incomplete: it ended with {reason!r}")


def _unreadable(name: str, written: str) -> ErrorInfo:
    shown = written if len(written) <= SHOWN_ARGUMENTS else f"{written[:SHOWN_ARGUMENTS]}…"
    text = f"the model wrote arguments for {name} that are not a JSON object: {shown!r}. Try again"
    return ErrorInfo("protocol", text, retryable=True)


def _usage(usage: Usage) -> dict[str, Any]:
    counts: dict[str, Any] = {
        "input_tokens": max(0, usage.input - usage.cache_read - usage.cache_write),
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cache_read,
        "output_tokens": usage.output,
    }
    if usage.reasoning:
        counts["output_tokens_details"] = {"thinking_tokens": usage.reasoning}
    return counts


def _error(kind: Kind, message: str, request_id: str = "") -> dict[str, Any]:
    fields: dict[str, Any] = {"type": "error", "error": {"type": _ERROR_TYPES[kind], "message": message}}
    return {**fields, "request_id": request_id} if request_id else fields


def _event(kind: str, **fields: Any) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), _safe(encode({"type": kind, **fields})))


def _quoted(text: str) -> bytes:
    try:
        quoted = _encode(text)
    except UnicodeEncodeError:
        quoted = _encode(without_surrogates(text))
    return quoted if quoted.isascii() else _safe(quoted)


def _safe(data: bytes) -> bytes:
    if b"\xe2\x80" in data or b"\xc2\x85" in data:
        for end, escaped in _LINE_ENDS:
            data = data.replace(end, escaped)
    return data
