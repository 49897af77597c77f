"""Answer as OpenAI's Chat Completions API with scripted replies, for tests."""

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
    argument_pieces,
    arguments_text,
    fields_of,
    pieces,
)
from toolpost.types.messages import FinishReason, Usage

_json = msgspec.json.encode
_REASONS: dict[FinishReason, str] = {"tool-calls": "tool_calls", "content-filter": "content_filter"}


class OpenAIChatWire:
    """`POST …/chat/completions`, streamed or whole."""

    content_type = "text/event-stream"

    def __init__(self) -> None:
        self._calls = count(1)
        self._indices = 0

    def answers(self, path: str) -> bool:
        return path.endswith("/chat/completions")

    def lists(self, path: str, headers: Mapping[str, str]) -> bool:
        return path.endswith("/models")

    def wants_stream(self, path: str, body: Any) -> bool:
        return bool(fields_of(body).get("stream"))

    def opening(self, turn: Turn) -> list[bytes]:
        return [self._chunk({"role": "assistant", "content": ""})]

    def step(self, step: Step) -> list[bytes]:
        match step:
            case Say(text, chunk):
                return [self._chunk({"content": piece}) for piece in pieces(text, chunk)]
            case Think(text, chunk):
                return [self._chunk({"reasoning_content": piece}) for piece in pieces(text, chunk)]
            case CallTool():
                return self._call(step)
            case MakeFile():
                return [self._chunk({"content": "", "images": [_image(step)]})]
            case _:
                return []

    def closing(self, turn: Turn, body: Any) -> list[bytes]:
        chunks = [self._chunk({}, _REASONS.get(turn.reason, turn.reason))]
        if fields_of(fields_of(body).get("stream_options")).get("include_usage"):
            chunks.append(_event({**self._base(), "choices": [], "usage": _usage(turn.usage)}))
        return [*chunks, b"data: [DONE]\n\n"]

    def error_event(self, error: Any) -> bytes:
        return _event({"error": error})

    def error_body(self, status: int, message: Any, code: str = "") -> bytes:
        if isinstance(message, bytes):
            return message
        if not isinstance(message, str):
            return _json(message)
        known = {"context_overflow": "context_length_exceeded", "spend_limit": "insufficient_quota"}
        return _json({"error": {"message": message, "type": "scripted", "code": known.get(code, code) or None}})

    def document(self, turn: Turn) -> bytes:
        said = "".join(step.text for step in turn.steps if isinstance(step, Say))
        message: dict[str, Any] = {"role": "assistant", "content": said or None}
        thought = "".join(step.text for step in turn.steps if isinstance(step, Think))
        if thought:
            message["reasoning_content"] = thought
        images = [_image(step) for step in turn.steps if isinstance(step, MakeFile)]
        if images:
            message["images"] = images
        if turn.calls:
            message["tool_calls"] = [self._whole_call(ask) for ask in turn.calls]
        reason = _REASONS.get(turn.reason, turn.reason)
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return _json({**self._base("chat.completion"), "choices": [choice], "usage": _usage(turn.usage)})

    def models(self, names: tuple[str, ...]) -> bytes:
        rows = [{"id": name, "object": "model", "created": 0, "owned_by": "toolpost"} for name in names]
        return _json({"object": "list", "data": rows})

    def _call(self, ask: CallTool) -> list[bytes]:
        index = self._indices
        self._indices += 1
        start = {**self._whole_call(ask), "index": index, "function": {"name": ask.name, "arguments": ""}}
        rest = [{"index": index, "function": {"arguments": piece}} for piece in argument_pieces(ask)]
        return [self._chunk({"tool_calls": [item]}) for item in (start, *rest)]

    def _whole_call(self, ask: CallTool) -> dict[str, Any]:
        call_id = ask.id or f"call_{next(self._calls)}"
        return {"id": call_id, "type": "function", "function": {"name": ask.name, "arguments": arguments_text(ask)}}

    def _chunk(self, delta: dict[str, Any], reason: str | None = None) -> bytes:
        return _event({**self._base(), "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})

    def _base(self, kind: str = "chat.completion.chunk") -> dict[str, Any]:
        return {"id": "chatcmpl-scripted", "object": kind, "created": 1_700_000_000, "model": "scripted"}


def _image(step: MakeFile) -> dict[str, Any]:
    """As OpenRouter sends it; OpenAI itself has no form for it here."""
    return {"type": "image_url", "index": 0, "image_url": {"url": f"data:{step.mime};base64,{step.data}"}}


def _event(value: Any) -> bytes:
    return b"data: " + _json(value) + b"\n\n"


def _usage(usage: Usage | None) -> dict[str, Any]:
    usage = usage or USUAL_USAGE
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.total,
        "prompt_tokens_details": {"cached_tokens": usage.cache_read},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }
