"""Answer as Ollama's API with scripted replies, one JSON object a line, for tests."""

from collections.abc import Mapping
from typing import Any

import msgspec

from toolpost.testing.script import USUAL_USAGE, CallTool, Say, Step, Think, Turn, arguments_value, fields_of, pieces

_json = msgspec.json.encode
_BASE = {"model": "scripted", "created_at": "2026-01-01T00:00:00Z"}


class OllamaWire:
    """`POST …/api/chat`, streamed unless the request says otherwise. Calls come whole."""

    content_type = "application/x-ndjson"

    def answers(self, path: str) -> bool:
        return path.endswith("/api/chat")

    def lists(self, path: str, headers: Mapping[str, str]) -> bool:
        return path.endswith("/api/tags")

    def wants_stream(self, path: str, body: Any) -> bool:
        return fields_of(body).get("stream") is not False

    def opening(self, turn: Turn) -> list[bytes]:
        return []

    def step(self, step: Step) -> list[bytes]:
        match step:
            case Say(text, chunk):
                return [_chunk(content=piece) for piece in pieces(text, chunk)]
            case Think(text, chunk):
                return [_chunk(content="", thinking=piece) for piece in pieces(text, chunk)]
            case CallTool():
                return [_chunk(content="", tool_calls=[_call(step)])]
            case _:
                return []

    def closing(self, turn: Turn, body: Any) -> list[bytes]:
        return [_line({**_BASE, "message": {"role": "assistant", "content": ""}, **_ending(turn)})]

    def error_event(self, error: Any) -> bytes:
        return _line({"error": _text_of(error)})

    def error_body(self, status: int, message: Any, code: str = "") -> bytes:
        if isinstance(message, bytes):
            return message
        if not isinstance(message, str):
            return _json(message)
        text = f"exceeds the context window: {message}" if code == "context_overflow" else message
        return _json({"error": text})

    def document(self, turn: Turn) -> bytes:
        message: dict[str, Any] = {
            "role": "assistant",
            "content": "".join(step.text for step in turn.steps if isinstance(step, Say)),
        }
        thought = "".join(step.text for step in turn.steps if isinstance(step, Think))
        if thought:
            message["thinking"] = thought
        if turn.calls:
            message["tool_calls"] = [_call(ask) for ask in turn.calls]
        return _json({**_BASE, "message": message, **_ending(turn)})

    def models(self, names: tuple[str, ...]) -> bytes:
        return _json({"models": [{"name": name, "model": name, "size": 0, "details": {}} for name in names]})


def _line(value: Any) -> bytes:
    return _json(value) + b"\n"


def _chunk(**message: Any) -> bytes:
    return _line({**_BASE, "message": {"role": "assistant", **message}, "done": False})


def _call(ask: CallTool) -> dict[str, Any]:
    call = {"function": {"name": ask.name, "arguments": arguments_value(ask)}}
    return {"id": ask.id, **call} if ask.id else call


def _ending(turn: Turn) -> dict[str, Any]:
    usage = turn.usage or USUAL_USAGE
    reason = "length" if turn.reason == "length" else "stop"
    counts = {"prompt_eval_count": usage.input, "eval_count": usage.output}
    return {"done": True, "done_reason": reason, "total_duration": 1, **counts}


def _text_of(error: Any) -> str:
    return error if isinstance(error, str) else str(fields_of(error).get("message") or "scripted failure")
