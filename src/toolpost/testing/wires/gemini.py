"""Answer as Gemini's API with scripted replies, for tests."""

from collections.abc import Mapping
from itertools import count
from typing import Any

import msgspec

from toolpost.testing.script import (
    USUAL_USAGE,
    CallTool,
    MakeFile,
    Say,
    Step,
    Think,
    Turn,
    arguments_value,
    fields_of,
    pieces,
)
from toolpost.types.messages import FinishReason, Usage

_json = msgspec.json.encode
_REASONS: dict[FinishReason, str] = {"length": "MAX_TOKENS", "content-filter": "SAFETY"}
_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    529: "UNAVAILABLE",
}
# What the API says where a code of ours has no status of its own there.
_TEXTS = {
    "context_overflow": "The input token count exceeds the maximum number of tokens allowed",
    "spend_limit": "Your credit balance is used up: insufficient_quota",
    "overloaded": "The model is overloaded",
}


class GeminiWire:
    """`POST …/models/{name}:streamGenerateContent`, or `:generateContent` for the whole at once.

    The first call of a turn is signed, as Gemini 3 does.
    """

    content_type = "text/event-stream"

    def __init__(self) -> None:
        self._calls = count(1)
        self._signatures = count(1)
        self._signed = False

    def answers(self, path: str) -> bool:
        return path.endswith((":streamGenerateContent", ":generateContent"))

    def lists(self, path: str, headers: Mapping[str, str]) -> bool:
        return path.endswith("/models") and ("x-goog-api-key" in headers or "/v1beta/" in path)

    def wants_stream(self, path: str, body: Any) -> bool:
        return path.endswith(":streamGenerateContent")

    def opening(self, turn: Turn) -> list[bytes]:
        return []

    def step(self, step: Step) -> list[bytes]:
        return [_event(_chunk([part])) for part in self._parts(step)]

    def closing(self, turn: Turn, body: Any) -> list[bytes]:
        reason = _REASONS.get(turn.reason, "STOP")
        return [_event({**_chunk([{"text": ""}], reason), "usageMetadata": _usage(turn.usage)})]

    def error_event(self, error: Any) -> bytes:
        fields = fields_of(error) or {"message": str(error)}
        code = fields.get("code")
        status = _STATUSES.get(code, "INTERNAL") if isinstance(code, int) else "INTERNAL"
        return _event({"error": {"code": code if isinstance(code, int) else 500, "status": status, **fields}})

    def error_body(self, status: int, message: Any, code: str = "") -> bytes:
        if isinstance(message, bytes):
            return message
        if not isinstance(message, str):
            return _json(message)
        text = f"{_TEXTS[code]}: {message}" if code in _TEXTS else message
        return _json({"error": {"code": status, "message": text, "status": _STATUSES.get(status, "UNKNOWN")}})

    def document(self, turn: Turn) -> bytes:
        parts = [part for step in turn.steps for part in self._parts(step)]
        return _json({**_chunk(parts, _REASONS.get(turn.reason, "STOP")), "usageMetadata": _usage(turn.usage)})

    def models(self, names: tuple[str, ...]) -> bytes:
        methods = ["generateContent", "countTokens"]
        return _json({"models": [{"name": f"models/{name}", "supportedGenerationMethods": methods} for name in names]})

    def _parts(self, step: Step) -> list[dict[str, Any]]:
        match step:
            case Say(text, chunk):
                return [{"text": piece} for piece in pieces(text, chunk)]
            case Think(text, chunk):
                return [{"text": piece, "thought": True} for piece in pieces(text, chunk)]
            case CallTool(name, _, call_id):
                call = {"name": name, "args": arguments_value(step), "id": call_id or f"call_{next(self._calls)}"}
                part: dict[str, Any] = {"functionCall": call}
                if not self._signed:
                    self._signed = True
                    part["thoughtSignature"] = f"signed {next(self._signatures)}"
                return [part]
            case MakeFile(mime, data):
                return [{"inlineData": {"mimeType": mime, "data": data}}]
            case _:
                return []


def _chunk(parts: list[dict[str, Any]], reason: str | None = None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if reason:
        candidate["finishReason"] = reason
    return {"candidates": [candidate], "modelVersion": "scripted", "responseId": "scripted"}


def _event(value: Any) -> bytes:
    return b"data: " + _json(value) + b"\r\n\r\n"


def _usage(usage: Usage | None) -> dict[str, Any]:
    usage = usage or USUAL_USAGE
    return {
        "promptTokenCount": usage.input,
        "cachedContentTokenCount": usage.cache_read,
        "candidatesTokenCount": usage.output - usage.reasoning,
        "thoughtsTokenCount": usage.reasoning,
        "totalTokenCount": usage.total,
    }
