"""How a scripted server says a turn on a wire. One class a wire; `Upstream` knows nothing of their shapes."""

from typing import Any, Protocol, cast

import msgspec

from toolpost.types.messages import FinishReason, Usage

from .script import Ask, Say, Step, Think, Turn, pieces

_json = msgspec.json.encode
_REASONS: dict[FinishReason, str] = {"tool-calls": "tool_calls", "content-filter": "content_filter"}


class Wire(Protocol):
    """What `Upstream` needs to speak a protocol. Everything returned is body bytes, one item a chunk."""

    content_type: str

    def answers(self, path: str) -> bool: ...

    def wants_stream(self, body: Any) -> bool: ...

    def opening(self) -> list[bytes]: ...

    def step(self, step: Step) -> list[bytes]: ...

    def closing(self, turn: Turn, body: Any) -> list[bytes]: ...

    def error_event(self, error: Any) -> bytes: ...

    def error_body(self, status: int, message: Any, code: str = "") -> bytes: ...

    def document(self, turn: Turn) -> bytes: ...

    def models(self, names: tuple[str, ...]) -> bytes: ...


class OpenAIChatWire:
    """`POST …/chat/completions`, streamed or whole."""

    content_type = "text/event-stream"

    def __init__(self) -> None:
        self._calls = 0
        self._indices = 0

    def answers(self, path: str) -> bool:
        return path.endswith("/chat/completions")

    def wants_stream(self, body: Any) -> bool:
        return bool(_fields(body).get("stream"))

    def opening(self) -> list[bytes]:
        self._indices = 0
        return [self._chunk({"role": "assistant", "content": ""})]

    def step(self, step: Step) -> list[bytes]:
        match step:
            case Say(text, chunk):
                return [self._chunk({"content": piece}) for piece in pieces(text, chunk)]
            case Think(text, chunk):
                return [self._chunk({"reasoning_content": piece}) for piece in pieces(text, chunk)]
            case Ask():
                return self._call(step)
            case _:
                return []

    def closing(self, turn: Turn, body: Any) -> list[bytes]:
        chunks = [self._chunk({}, _REASONS.get(turn.reason, turn.reason))]
        if _fields(_fields(body).get("stream_options")).get("include_usage"):
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
        if turn.calls:
            message["tool_calls"] = [self._whole_call(ask) for ask in turn.calls]
        reason = _REASONS.get(turn.reason, turn.reason)
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return _json({**self._base("chat.completion"), "choices": [choice], "usage": _usage(turn.usage)})

    def models(self, names: tuple[str, ...]) -> bytes:
        rows = [{"id": name, "object": "model", "created": 0, "owned_by": "toolpost"} for name in names]
        return _json({"object": "list", "data": rows})

    def _call(self, ask: Ask) -> list[bytes]:
        index = self._indices
        self._indices += 1
        whole = self._whole_call(ask)
        arguments = whole["function"]["arguments"]
        start = {**whole, "index": index, "function": {"name": ask.name, "arguments": ""}}
        deltas = pieces(arguments, ask.chunk or max(1, -(-len(arguments) // 3)))
        rest = [{"index": index, "function": {"arguments": piece}} for piece in deltas]
        return [self._chunk({"tool_calls": [item]}) for item in (start, *rest)]

    def _whole_call(self, ask: Ask) -> dict[str, Any]:
        self._calls += 1
        text = ask.arguments if isinstance(ask.arguments, str) else _json(ask.arguments).decode()
        function = {"name": ask.name, "arguments": text}
        return {"id": ask.id or f"call_{self._calls}", "type": "function", "function": function}

    def _chunk(self, delta: dict[str, Any], reason: str | None = None) -> bytes:
        return _event({**self._base(), "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})

    def _base(self, kind: str = "chat.completion.chunk") -> dict[str, Any]:
        return {"id": "chatcmpl-scripted", "object": kind, "created": 1_700_000_000, "model": "scripted"}


def _fields(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _event(value: Any) -> bytes:
    return b"data: " + _json(value) + b"\n\n"


def _usage(usage: Usage | None) -> dict[str, Any]:
    usage = usage or Usage(input=10, output=5)
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.total,
        "prompt_tokens_details": {"cached_tokens": usage.cache_read},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }
