"""Answer as OpenAI's Responses API with scripted replies, for tests."""

from collections.abc import Iterator, Mapping, Sequence
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
from toolpost.types.messages import Usage

from .openai_chat import OpenAIChatWire

_json = msgspec.json.encode
Item = dict[str, Any]


class OpenAIResponsesWire:
    """`POST …/responses`, streamed or whole. Reasoning is sealed, and shown as a summary."""

    content_type = "text/event-stream"

    def __init__(self) -> None:
        self._calls = count(1)
        self._sequence = 0
        self._output: tuple[Item, ...] = ()

    def answers(self, path: str) -> bool:
        return path.endswith("/responses")

    def lists(self, path: str, headers: Mapping[str, str]) -> bool:
        return False

    def wants_stream(self, path: str, body: Any) -> bool:
        return bool(fields_of(body).get("stream"))

    def opening(self, turn: Turn) -> list[bytes]:
        response = self._response("in_progress")
        return [self._event(f"response.{name}", response=response) for name in ("created", "in_progress")]

    def step(self, step: Step) -> list[bytes]:
        item = self._item(step)
        if item is None:
            return []
        index = len(self._output)
        self._output = (*self._output, item)
        open_item = {**item, "status": "in_progress", **_EMPTY[item["type"]]}
        return [
            self._event("response.output_item.added", output_index=index, item=open_item),
            *self._deltas(step, {"item_id": item["id"], "output_index": index}),
            self._event("response.output_item.done", output_index=index, item=item),
        ]

    def closing(self, turn: Turn, body: Any) -> list[bytes]:
        status = "incomplete" if turn.reason in ("length", "content-filter") else "completed"
        return [self._event(f"response.{status}", response=self._response(status, turn))]

    def error_event(self, error: Any) -> bytes:
        fields = fields_of(error) or {"message": str(error)}
        given = str(fields.get("code") or fields.get("type") or "")
        code = {"429": "rate_limit_exceeded", "529": "overloaded", "500": "server_error"}.get(given, given) or None
        return self._event("error", code=code, message=fields.get("message", "scripted failure"), param=None)

    def error_body(self, status: int, message: Any, code: str = "") -> bytes:
        return OpenAIChatWire().error_body(status, message, code)

    def document(self, turn: Turn) -> bytes:
        self._output = tuple(item for step in turn.steps if (item := self._item(step)))
        status = "incomplete" if turn.reason in ("length", "content-filter") else "completed"
        return _json(self._response(status, turn))

    def models(self, names: tuple[str, ...]) -> bytes:
        return OpenAIChatWire().models(names)

    def _item(self, step: Step) -> Item | None:
        number = len(self._output) + 1
        match step:
            case Say(text):
                content: list[Item] = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}]
                base = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed"}
                return {**base, "content": content}
            case Think(text):
                summary = [{"type": "summary_text", "text": text}]
                return {
                    "type": "reasoning",
                    "id": f"rs_{number}",
                    "summary": summary,
                    "encrypted_content": f"sealed {number}",
                }
            case CallTool(name, _, call_id):
                base = {"type": "function_call", "id": f"fc_{number}", "status": "completed", "name": name}
                return {**base, "call_id": call_id or f"call_{next(self._calls)}", "arguments": arguments_text(step)}
            case MakeFile(mime, data):
                base = {"type": "image_generation_call", "id": f"ig_{number}", "status": "completed"}
                return {**base, "output_format": mime.removeprefix("image/"), "result": data}
            case _:
                return None

    def _deltas(self, step: Step, place: dict[str, Any]) -> list[bytes]:
        none: list[Any] = []
        match step:
            case Say(text, chunk):
                where = {**place, "content_index": 0}
                part = {"type": "output_text", "annotations": none, "logprobs": none}
                deltas = self._run("output_text", {**where, "logprobs": none}, pieces(text, chunk), text=text)
                return self._part("content_part", where, part, text, deltas)
            case Think(text, chunk):
                where = {**place, "summary_index": 0}
                deltas = self._run("reasoning_summary_text", where, pieces(text, chunk), text=text)
                return self._part("reasoning_summary_part", where, {"type": "summary_text"}, text, deltas)
            case CallTool(name):
                whole = {"arguments": arguments_text(step), "name": name}
                return list(self._run("function_call_arguments", place, argument_pieces(step), **whole))
            case _:
                return []

    def _run(self, kind: str, where: dict[str, Any], deltas: Sequence[str], **whole: str) -> Iterator[bytes]:
        for piece in deltas:
            yield self._event(f"response.{kind}.delta", **where, delta=piece)
        yield self._event(f"response.{kind}.done", **where, **whole)

    def _part(
        self, kind: str, where: dict[str, Any], part: dict[str, Any], text: str, deltas: Iterator[bytes]
    ) -> list[bytes]:
        """The events of one part of an item; its deltas are made in between, for they are numbered."""
        start = self._event(f"response.{kind}.added", **where, part={**part, "text": ""})
        return [start, *deltas, self._event(f"response.{kind}.done", **where, part={**part, "text": text})]

    def _response(self, status: str, turn: Turn | None = None) -> dict[str, Any]:
        why = {"length": "max_output_tokens", "content-filter": "content_filter"}.get(turn.reason if turn else "")
        return {
            "id": "resp_scripted",
            "object": "response",
            "created_at": 1_700_000_000,
            "status": status,
            "model": "scripted",
            "output": self._output,
            "error": None,
            "incomplete_details": {"reason": why} if why else None,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": _usage(turn.usage) if turn else None,
        }

    def _event(self, kind: str, **fields: Any) -> bytes:
        self._sequence += 1
        payload = _json({"type": kind, "sequence_number": self._sequence - 1, **fields})
        return b"event: " + kind.encode() + b"\ndata: " + payload + b"\n\n"


_EMPTY: dict[str, Item] = {
    "message": {"content": []},
    "reasoning": {"summary": [], "encrypted_content": "half"},
    "function_call": {"arguments": ""},
    "image_generation_call": {"result": None},
}


def _usage(usage: Usage | None) -> dict[str, Any]:
    usage = usage or USUAL_USAGE
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cache_read, "cache_write_tokens": usage.cache_write},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.total,
    }
