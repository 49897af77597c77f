"""Answer as Anthropic's Messages API with scripted replies, for tests."""

from collections.abc import Mapping
from itertools import count
from typing import Any

import msgspec

from toolpost.testing.script import (
    USUAL_USAGE,
    CallTool,
    Say,
    Step,
    Think,
    Turn,
    argument_pieces,
    arguments_value,
    fields_of,
    pieces,
)
from toolpost.types.messages import FinishReason, Usage

_json = msgspec.json.encode
_REASONS: dict[FinishReason, str] = {
    "stop": "end_turn",
    "tool-calls": "tool_use",
    "length": "max_tokens",
    "content-filter": "refusal",
}
_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
# What the API says where a code of ours has no type of its own there.
_TEXTS = {"context_overflow": "prompt is too long", "spend_limit": "Your credit balance is too low"}


class AnthropicWire:
    """`POST …/v1/messages`, streamed or whole. Thinking is signed."""

    content_type = "text/event-stream"

    def __init__(self) -> None:
        self._calls = count(1)
        self._signatures = count(1)
        self._index = 0

    def answers(self, path: str) -> bool:
        return path.endswith("/v1/messages")

    def lists(self, path: str, headers: Mapping[str, str]) -> bool:
        return path.endswith("/v1/models") and "anthropic-version" in headers

    def wants_stream(self, path: str, body: Any) -> bool:
        return bool(fields_of(body).get("stream"))

    def opening(self, turn: Turn) -> list[bytes]:
        message: dict[str, Any] = {**_BASE, "content": [], "stop_reason": None, "stop_sequence": None}
        usage = {**_usage(turn.usage), "output_tokens": 1}
        return [_event("message_start", message={**message, "usage": usage}), _event("ping")]

    def step(self, step: Step) -> list[bytes]:
        match step:
            case Say(text, chunk):
                deltas = [{"type": "text_delta", "text": piece} for piece in pieces(text, chunk)]
                return self._block({"type": "text", "text": ""}, deltas)
            case Think(text, chunk):
                deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces(text, chunk)]
                deltas.append({"type": "signature_delta", "signature": self._signature()})
                return self._block({"type": "thinking", "thinking": "", "signature": ""}, deltas)
            case CallTool():
                deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in argument_pieces(step)]
                return self._block({**self._call(step), "input": {}}, deltas)
            case _:
                return []

    def closing(self, turn: Turn, body: Any) -> list[bytes]:
        delta = {"stop_reason": _REASONS.get(turn.reason, turn.reason), "stop_sequence": None}
        return [_event("message_delta", delta=delta, usage=_usage(turn.usage)), _event("message_stop")]

    def error_event(self, error: Any) -> bytes:
        fields = fields_of(error) or {"message": str(error)}
        if "type" not in fields:
            status = fields.get("code")
            kind = _TYPES.get(status, "api_error") if isinstance(status, int) else "api_error"
            fields = {"type": kind, "message": fields.get("message", "scripted failure")}
        return _event("error", error=fields)

    def error_body(self, status: int, message: Any, code: str = "") -> bytes:
        if isinstance(message, bytes):
            return message
        if not isinstance(message, str):
            return _json(message)
        text = f"{_TEXTS[code]}: {message}" if code in _TEXTS else message
        error = {"type": _TYPES.get(status, "api_error"), "message": text}
        return _json({"type": "error", "error": error, "request_id": "req_scripted"})

    def document(self, turn: Turn) -> bytes:
        content: list[dict[str, Any]] = []
        for step in turn.steps:
            if isinstance(step, Say):
                content.append({"type": "text", "text": step.text})
            elif isinstance(step, Think):
                content.append({"type": "thinking", "thinking": step.text, "signature": self._signature()})
            elif isinstance(step, CallTool):
                content.append({**self._call(step), "input": arguments_value(step)})
        reason = _REASONS.get(turn.reason, turn.reason)
        ending = {"stop_reason": reason, "stop_sequence": None, "usage": _usage(turn.usage)}
        return _json({**_BASE, "content": content, **ending})

    def models(self, names: tuple[str, ...]) -> bytes:
        created = "2026-01-01T00:00:00Z"
        rows = [{"type": "model", "id": name, "display_name": name, "created_at": created} for name in names]
        ends = {"first_id": names[0] if names else None, "last_id": names[-1] if names else None}
        return _json({"data": rows, "has_more": False, **ends})

    def _block(self, start: dict[str, Any], deltas: list[dict[str, str]]) -> list[bytes]:
        index = self._index
        self._index += 1
        return [
            _event("content_block_start", index=index, content_block=start),
            *(_event("content_block_delta", index=index, delta=delta) for delta in deltas),
            _event("content_block_stop", index=index),
        ]

    def _call(self, ask: CallTool) -> dict[str, Any]:
        return {"type": "tool_use", "id": ask.id or f"toolu_{next(self._calls)}", "name": ask.name}

    def _signature(self) -> str:
        return f"signature-{next(self._signatures)}"


_BASE = {"id": "msg_scripted", "type": "message", "role": "assistant", "model": "scripted"}


def _event(kind: str, **fields: Any) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), _json({"type": kind, **fields}))


def _usage(usage: Usage | None) -> dict[str, Any]:
    usage = usage or USUAL_USAGE
    counts: dict[str, Any] = {
        "input_tokens": usage.input - usage.cache_read - usage.cache_write,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cache_read,
        "output_tokens": usage.output,
    }
    if usage.reasoning:
        counts["output_tokens_details"] = {"thinking_tokens": usage.reasoning}
    return counts
