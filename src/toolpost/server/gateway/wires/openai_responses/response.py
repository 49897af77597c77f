"""Write answers of `POST /v1/responses`: a stream of numbered events, or one response."""

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from msgspec import Raw

from toolpost.models.message_parts import encode
from toolpost.server.gateway.output import Done, OutputEvent, ServerCall, ServerProgress, ServerResult
from toolpost.server.gateway.request import ClientTool, GatewayRequest
from toolpost.server.gateway.wires.openai.errors import broken_off, done_of, error_fields
from toolpost.server.gateway.wires.openai.request_reader import line
from toolpost.server.gateway.wires.openai_chat.response import WORKING
from toolpost.types.ids import new_id
from toolpost.types.messages import FinishReason, Usage
from toolpost.types.stream import (
    GeneratedFile,
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    StreamError,
    TextDelta,
    TextEnd,
    TextStart,
    ToolCall,
    ToolInputDelta,
    ToolInputStart,
)

from .output_items import (
    CallItemWriter,
    CustomCallItemWriter,
    EventWriter,
    ImageItemWriter,
    ItemWriter,
    McpItemWriter,
    ReasoningItemWriter,
    TextItemWriter,
)

_INCOMPLETE: dict[FinishReason, str] = {"length": "max_output_tokens", "content-filter": "content_filter"}
# Told back as they came, or with these values: the specification of Open Responses requires all of them.
_ECHOED: dict[str, Any] = {
    "frequency_penalty": 0.0,
    "instructions": None,
    "max_output_tokens": None,
    "max_tool_calls": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "presence_penalty": 0.0,
    "previous_response_id": None,
    "prompt_cache_key": None,
    "reasoning": {"effort": None, "summary": None},
    "safety_identifier": None,
    "temperature": 1.0,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "top_logprobs": 0,
    "top_p": 1.0,
    "truncation": "disabled",
    "user": None,
}
# What an object of the request is told back with besides what it said.
_TOLD_OF_FUNCTIONS: dict[str, Any] = {"description": None, "parameters": None, "strict": None}
_TOLD_OF_FORMATS: dict[str, Any] = {"description": None, "strict": False}
# The codes of a failed response that its clients know; all others are told by whose fault it was.
_FAILURES = frozenset({"rate_limit_exceeded", "context_length_exceeded", "insufficient_quota", "server_error"})
SomeItemWriter = TypeVar("SomeItemWriter", bound=ItemWriter)
_SECRET = ("headers", "authorization")


class ResponseWriter:
    """The events of one response. Its items are collected, because the last event contains all of them. After that it
    returns nothing more, and `whole` is the JSON of the response if it did not fail."""

    def __init__(self, asked: GatewayRequest, message_id: str = "") -> None:
        self._id = message_id or new_id("resp")
        self.whole = b""
        self._shows_calls = asked.mcp.is_shown
        self._base = _base(asked, self._id)
        self._renamed = asked.renamed
        self._events = EventWriter()
        self._items: list[ItemWriter] = []
        self._texts: dict[str, TextItemWriter] = {}
        self._thoughts: dict[str, ReasoningItemWriter] = {}
        self._calls: dict[str, CallItemWriter | CustomCallItemWriter] = {}
        self._unreadable: list[tuple[CallItemWriter | CustomCallItemWriter, str]] = []
        self._server_calls: dict[str, McpItemWriter] = {}
        self._has_ended = False

    def start(self) -> bytes:
        response = self._response("in_progress")
        created = self._events.write("response.created", response=response)
        return created + self._events.write("response.in_progress", response=response)

    def feed(self, out: OutputEvent) -> bytes:
        handler = _HANDLERS.get(type(out))
        return b"" if handler is None or self._has_ended else handler(self, out)

    def text_start(self, out: TextStart) -> bytes:
        left = self._texts.pop(out.id, None)
        return left.close() if left is not None else b""

    def text(self, out: TextDelta) -> bytes:
        item = self._texts.get(out.id)
        if item is not None:
            return item.add(out.text) if out.text else b""
        if not out.text:
            return b""
        item = self._texts[out.id] = self._new(TextItemWriter, "msg")
        return item.open() + item.add(out.text)

    def text_end(self, out: TextEnd) -> bytes:
        item = self._texts.pop(out.id, None)
        return item.close(_kept(out.metadata).get("phase")) if item is not None else b""

    def reasoning_start(self, out: ReasoningStart) -> bytes:
        left = self._thoughts.pop(out.id, None)
        return left.close() if left is not None else b""

    def reasoning(self, out: ReasoningDelta) -> bytes:
        if not out.text:
            return b""
        item = self._thoughts.get(out.id)
        if item is not None:
            return item.add(out.text)
        item = self._thoughts[out.id] = self._new(ReasoningItemWriter, "rs")
        return item.open() + item.add(out.text)

    def reasoning_end(self, out: ReasoningEnd) -> bytes:
        item = self._thoughts.pop(out.id, None)
        if item is not None:
            return item.close(out.metadata)
        if not out.metadata:
            return b""
        # Not a word of it is told, but it has to come back.
        item = self._new(ReasoningItemWriter, "rs")
        return item.open() + item.close(out.metadata)

    def call_start(self, out: ToolInputStart) -> bytes:
        tool = self._renamed.get(out.name) or ClientTool(out.name)
        item = self._new(CustomCallItemWriter, "ctc") if tool.is_custom else self._new(CallItemWriter, "fc")
        self._calls[out.id] = item
        return item.open(out.id, tool)

    def call_piece(self, out: ToolInputDelta) -> bytes:
        item = self._calls.get(out.id)
        return item.add(out.text) if item is not None and out.text else b""

    def call(self, out: ToolCall) -> bytes:
        begun = b"" if out.id in self._calls else self.call_start(ToolInputStart(out.id, out.name))
        item = self._calls.pop(out.id)
        if out.raw:
            # If they were cut in their middle only the end of the answer tells.
            self._unreadable.append((item, out.raw))
            return begun
        return begun + item.close(encode(out.arguments).decode())

    def file(self, out: GeneratedFile) -> bytes:
        if not out.data or not out.mime.startswith("image/"):
            return b""
        return self._new(ImageItemWriter, "ig").tell(out.data, out.mime.removeprefix("image/"))

    def server_call(self, out: ServerCall) -> bytes:
        if not self._shows_calls:
            return WORKING
        item = self._server_calls[out.id] = self._new(McpItemWriter, "mcp")
        return item.open(out)

    def server_result(self, out: ServerResult) -> bytes:
        item = self._server_calls.pop(out.id, None)
        return item.close(out) if item is not None else WORKING

    def progress(self, out: ServerProgress) -> bytes:
        return b"" if out.is_input else WORKING

    def done(self, out: Done) -> bytes:
        if (failure := broken_off(out)) is not None:
            return self.failed(StreamError(failure))
        self._has_ended = True
        status = "incomplete" if out.reason in _INCOMPLETE else "completed"
        ended = self._close_all(status)
        return ended + self._events.write(f"response.{status}", response=self._finished(out))

    def failed(self, out: StreamError) -> bytes:
        """Return two events, as OpenAI sends them: some clients look for the first, some for the second."""
        self._has_ended = True
        error = error_fields(out.error)
        told = {name: error[name] for name in ("code", "message", "param")}
        blamed = "server_error" if error["type"] == "server_error" else "invalid_prompt"
        code = error["code"] if error["code"] in _FAILURES else blamed
        response = self._response("failed", error={"code": code, "message": out.error.message})
        return self._events.write("error", **told, error=error) + self._events.write(
            "response.failed", response=response
        )

    def _finished(self, out: Done) -> Raw:
        """Return the whole response, once every item is closed."""
        why = _INCOMPLETE.get(out.reason)
        response = self._response(
            "incomplete" if why else "completed",
            usage=usage_fields(out.usage),
            incomplete_details={"reason": why} if why else None,
            completed_at=None if why else int(time.time()),
        )
        self.whole = bytes(response)
        return response

    def _new(self, kind: type[SomeItemWriter], prefix: str) -> SomeItemWriter:
        index = len(self._items)
        item = kind(self._events, f"{prefix}_{self._id.removeprefix('resp_')}_{index}", index)
        self._items.append(item)
        return item

    def _close_all(self, status: str) -> bytes:
        """Close what has no end of its own when the answer ends."""
        ended = [item.close(status=status) for item in (*self._texts.values(), *self._thoughts.values())]
        # A call whose end never came is not whole, however the answer ended.
        ended += [item.close("", "incomplete") for item in self._calls.values()]
        # What the model wrote is all that it wanted to say, however it reads.
        ended += [item.close(raw, status) for item, raw in self._unreadable]
        ended += [item.close(ServerResult(call_id, (), True)) for call_id, item in self._server_calls.items()]
        for kept in (self._texts, self._thoughts, self._calls, self._server_calls):
            kept.clear()
        self._unreadable.clear()
        return b"".join(ended)

    def _response(self, status: str, **fields: Any) -> Raw:
        output = [item.whole for item in self._items if item.whole is not None]
        return Raw(self._base + line({"status": status, "output": output, **_UNTOLD, **fields})[1:])


_HANDLERS: dict[type, Callable[[ResponseWriter, Any], bytes]] = {
    TextStart: ResponseWriter.text_start,
    TextDelta: ResponseWriter.text,
    TextEnd: ResponseWriter.text_end,
    ReasoningStart: ResponseWriter.reasoning_start,
    ReasoningDelta: ResponseWriter.reasoning,
    ReasoningEnd: ResponseWriter.reasoning_end,
    ToolInputStart: ResponseWriter.call_start,
    ToolInputDelta: ResponseWriter.call_piece,
    ToolCall: ResponseWriter.call,
    GeneratedFile: ResponseWriter.file,
    ServerCall: ResponseWriter.server_call,
    ServerProgress: ResponseWriter.progress,
    ServerResult: ResponseWriter.server_result,
    Done: ResponseWriter.done,
    StreamError: ResponseWriter.failed,
}


# Until the end tells otherwise.
_UNTOLD: dict[str, Any] = {"error": None, "incomplete_details": None, "usage": None, "completed_at": None}


def whole(asked: GatewayRequest, outs: Sequence[OutputEvent], message_id: str = "") -> bytes:
    """Return the answer as one response. Raises `Refusal` if it ended with a failure."""
    done_of(outs)
    writer = ResponseWriter(asked, message_id)
    for out in outs:
        writer.feed(out)
    return writer.whole


def _base(asked: GatewayRequest, response_id: str) -> bytes:
    """Return the fields that are the same in all events, up to the place where the others follow."""
    body = asked.body
    given = {name: usual if (value := body.get(name)) is None else value for name, usual in _ECHOED.items()}
    tier = body.get("service_tier")
    fields: dict[str, Any] = {
        "id": response_id,
        "object": "response",
        "created_at": int(time.time()),
        "model": asked.model,
        "background": False,
        "store": asked.is_stored,
        **given,
        # The request says what it would like, the response what it got.
        "service_tier": "default" if tier in (None, "auto") else tier,
        "reasoning": {**_ECHOED["reasoning"], **given["reasoning"]},
        "text": {**given["text"], "format": _told_format(given["text"])},
        "tools": [_told_tool(tool) for tool in body.get("tools") or ()],
    }
    if (conversation := body.get("conversation")) is not None:
        fields["conversation"] = {"id": conversation} if isinstance(conversation, str) else conversation
    if isinstance(choice := given["tool_choice"], dict):
        fields["tool_choice"] = _told_choice(cast("dict[str, Any]", choice))
    return line(fields)[:-1] + b","


def _told_choice(choice: dict[str, Any]) -> dict[str, Any]:
    return {"mode": "auto", **choice} if choice.get("type") == "allowed_tools" else choice


def _told_tool(tool: dict[str, Any]) -> dict[str, Any]:
    told = {name: value for name, value in tool.items() if name not in _SECRET}
    return {**_TOLD_OF_FUNCTIONS, **told} if tool.get("type") == "function" else told


def _told_format(text: dict[str, Any]) -> dict[str, Any]:
    wanted: dict[str, Any] = text.get("format") or _ECHOED["text"]["format"]
    return {**_TOLD_OF_FORMATS, **wanted} if wanted.get("type") == "json_schema" else wanted


def _kept(metadata: dict[str, Any] | None) -> dict[str, Any]:
    kept = (metadata or {}).get("openai_responses")
    return kept if isinstance(kept, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def usage_fields(usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cache_read, "cache_write_tokens": usage.cache_write},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.total,
    }
