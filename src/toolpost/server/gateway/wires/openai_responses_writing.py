"""Write answers of `POST /v1/responses`: a stream of numbered events, or one response."""

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from msgspec import Raw

from toolpost.models.parts import encode
from toolpost.server.gateway.asked import Asked
from toolpost.server.gateway.told import Done, Out, ServerCall, ServerProgress, ServerResult
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

from .openai_chat_writing import WORKING
from .openai_errors import broken_off, done_of, error_fields
from .openai_responses_items import CallItem, Events, ImageItem, Item, McpItem, ReasoningItem, TextItem
from .openai_shared import line

_INCOMPLETE: dict[FinishReason, str] = {"length": "max_output_tokens", "content-filter": "content_filter"}
# Told back as they came, or with these values.
_ECHOED: dict[str, Any] = {
    "instructions": None,
    "max_output_tokens": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "reasoning": {"effort": None, "summary": None},
    "temperature": 1.0,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "top_p": 1.0,
    "truncation": "disabled",
    "user": None,
}
SomeItem = TypeVar("SomeItem", bound=Item)
_SECRET = ("headers", "authorization")


class Writer:
    """The events of one response. Its items are kept, because the last event tells them all once more. After that there
    is nothing more."""

    def __init__(self, asked: Asked, message_id: str = "") -> None:
        self._id = message_id or new_id("resp")
        self._shows_calls = asked.mcp.is_shown
        self._base = _base(asked, self._id)
        self._events = Events()
        self._items: list[Item] = []
        self._texts: dict[str, TextItem] = {}
        self._thoughts: dict[str, ReasoningItem] = {}
        self._calls: dict[str, CallItem] = {}
        self._server_calls: dict[str, McpItem] = {}
        self._has_ended = False

    @property
    def items(self) -> dict[str, bytes]:
        """The JSON of every item that is whole, by its id, for a client that later names it by that."""
        return {item.id: bytes(item.whole) for item in self._items if item.whole is not None}

    def start(self) -> bytes:
        response = self._response("in_progress")
        created = self._events.write("response.created", response=response)
        return created + self._events.write("response.in_progress", response=response)

    def feed(self, out: Out) -> bytes:
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
        item = self._texts[out.id] = self._new(TextItem, "msg")
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
        item = self._thoughts[out.id] = self._new(ReasoningItem, "rs")
        return item.open() + item.add(out.text)

    def reasoning_end(self, out: ReasoningEnd) -> bytes:
        item = self._thoughts.pop(out.id, None)
        if item is not None:
            return item.close(out.metadata)
        if not out.metadata:
            return b""
        # Not a word of it is told, but it has to come back.
        item = self._new(ReasoningItem, "rs")
        return item.open() + item.close(out.metadata)

    def call_start(self, out: ToolInputStart) -> bytes:
        item = self._calls[out.id] = self._new(CallItem, "fc")
        return item.open(out.id, out.name)

    def call_piece(self, out: ToolInputDelta) -> bytes:
        item = self._calls.get(out.id)
        return item.add(out.text) if item is not None and out.text else b""

    def call(self, out: ToolCall) -> bytes:
        begun = b"" if out.id in self._calls else self.call_start(ToolInputStart(out.id, out.name))
        arguments = out.raw or encode(out.arguments).decode()
        # Arguments that cannot be read were cut in their middle.
        return begun + self._calls.pop(out.id).close(arguments, "incomplete" if out.raw else "completed")

    def file(self, out: GeneratedFile) -> bytes:
        if not out.data or not out.mime.startswith("image/"):
            return b""
        return self._new(ImageItem, "ig").tell(out.data, out.mime.removeprefix("image/"))

    def server_call(self, out: ServerCall) -> bytes:
        if not self._shows_calls:
            return WORKING
        item = self._server_calls[out.id] = self._new(McpItem, "mcp")
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
        return ended + self._events.write(f"response.{status}", response=self.response(out))

    def failed(self, out: StreamError) -> bytes:
        """Two events, as OpenAI sends them: some clients look for the one, some for the other."""
        self._has_ended = True
        error = error_fields(out.error)
        told = {name: error[name] for name in ("code", "message", "param")}
        code = error["code"] or "invalid_prompt"
        response = self._response("failed", error={"code": code, "message": out.error.message})
        return self._events.write("error", **told, error=error) + self._events.write(
            "response.failed", response=response
        )

    def response(self, out: Done) -> Raw:
        """The whole response, once every item is closed."""
        why = _INCOMPLETE.get(out.reason)
        return self._response(
            "incomplete" if why else "completed",
            usage=_usage(out.usage),
            incomplete_details={"reason": why} if why else None,
        )

    def _new(self, kind: type[SomeItem], prefix: str) -> SomeItem:
        index = len(self._items)
        item = kind(self._events, f"{prefix}_{self._id.removeprefix('resp_')}_{index}", index)
        self._items.append(item)
        return item

    def _close_all(self, status: str) -> bytes:
        """What has no end of its own: the end of the answer is theirs."""
        ended = [item.close(status=status) for item in (*self._texts.values(), *self._thoughts.values())]
        # A call whose end never came is not whole, however the answer ended.
        ended += [item.close("", "incomplete") for item in self._calls.values()]
        ended += [item.close(ServerResult(call_id, (), True)) for call_id, item in self._server_calls.items()]
        for kept in (self._texts, self._thoughts, self._calls, self._server_calls):
            kept.clear()
        return b"".join(ended)

    def _response(self, status: str, **fields: Any) -> Raw:
        output = [item.whole for item in self._items if item.whole is not None]
        told: dict[str, Any] = {"error": None, "incomplete_details": None, "usage": None, **fields}
        return Raw(self._base + line({"status": status, "output": output, **told})[1:])


_HANDLERS: dict[type, Callable[[Writer, Any], bytes]] = {
    TextStart: Writer.text_start,
    TextDelta: Writer.text,
    TextEnd: Writer.text_end,
    ReasoningStart: Writer.reasoning_start,
    ReasoningDelta: Writer.reasoning,
    ReasoningEnd: Writer.reasoning_end,
    ToolInputStart: Writer.call_start,
    ToolInputDelta: Writer.call_piece,
    ToolCall: Writer.call,
    GeneratedFile: Writer.file,
    ServerCall: Writer.server_call,
    ServerProgress: Writer.progress,
    ServerResult: Writer.server_result,
    Done: Writer.done,
    StreamError: Writer.failed,
}


def whole(asked: Asked, outs: Sequence[Out], message_id: str = "") -> bytes:
    """The answer as one response. Raises `Refusal` where it ended with a failure."""
    done = done_of(outs)
    writer = Writer(asked, message_id)
    for out in outs:
        writer.feed(out)
    return bytes(writer.response(done))


def _base(asked: Asked, response_id: str) -> bytes:
    """The fields that are the same from the first event to the last, up to where the others follow."""
    given = {name: usual if (value := asked.body.get(name)) is None else value for name, usual in _ECHOED.items()}
    tools = [
        {name: value for name, value in tool.items() if name not in _SECRET} for tool in asked.body.get("tools") or ()
    ]
    fields: dict[str, Any] = {
        "id": response_id,
        "object": "response",
        "created_at": int(time.time()),
        "model": asked.model,
        "background": False,
        "previous_response_id": None,
        "store": False,
        **given,
        "tools": tools,
    }
    return line(fields)[:-1] + b","


def _kept(metadata: dict[str, Any] | None) -> dict[str, Any]:
    kept = (metadata or {}).get("openai_responses")
    return kept if isinstance(kept, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cache_read, "cache_write_tokens": usage.cache_write},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.total,
    }
