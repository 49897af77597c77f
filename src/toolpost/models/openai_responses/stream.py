"""Parse an OpenAI Responses stream into stream events, without any input or output of its own."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import msgspec
from msgspec import Struct

from toolpost.models.openai_chat.chunks import usage_of
from toolpost.models.provider_errors import from_error_object
from toolpost.models.stream_reader import StreamReader, not_json, whole_characters
from toolpost.types.messages import ErrorInfo, FinishReason, Usage
from toolpost.types.stream import Finish, StreamEvent

from .items import ReceivedCall, ReceivedItem, ReceivedReasoning, ReceivedText, kind_of

# The server is to blame for errors with these words in their code; all other codes blame the request.
_OF_THE_SERVER = ("server_error", "rate_limit", "overloaded", "timeout", "internal", "unavailable")


class ResponsesEvent(Struct):
    """Any event of the stream."""

    type: str = ""
    delta: Any = None
    arguments: Any = None
    name: str | None = None
    item: dict[str, Any] | None = None
    item_id: str | None = None
    output_index: int | None = None
    summary_index: int | None = None
    # Only the last one is read: the others repeat all instructions and tools of the request.
    response: msgspec.Raw = msgspec.Raw(b"null")
    error: Any = None
    code: Any = None
    message: Any = None


_decode = msgspec.json.Decoder(ResponsesEvent).decode


class OpenAIResponsesStreamReader(StreamReader):
    last_word = "response.completed"

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        super().__init__(secrets)
        self._items: list[ReceivedItem] = []
        self._by_index: dict[int | None, ReceivedItem] = {}
        self._by_id: dict[str, ReceivedItem] = {}

    def _read_document(self, body: bytes, events: list[StreamEvent]) -> None:
        try:
            value: Any = msgspec.json.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            value = None
        if not isinstance(value, dict):
            return self._fail(not_json(body), events)
        fields = cast("dict[str, Any]", value)
        if fields.get("error"):
            return self._fail(self._error(fields["error"]), events)
        if "output" in fields:
            return self._end(fields, events)
        return self._fail(ErrorInfo("protocol", "the server's answer is not a response: it has no output"), events)

    def _take(self, payload: bytes, events: list[StreamEvent]) -> None:
        try:
            event = _read(payload)
        except ValueError:
            return self._fail(not_json(payload), events)
        handler = _HANDLERS.get(event.type)
        if handler is not None:
            handler(self, event, events)
        elif event.error and not event.type.startswith("response."):
            self._fail(self._error(event.error), events)
        return None

    def read_delta(self, event: ResponsesEvent, events: list[StreamEvent]) -> None:
        item = self._item_for(event, _DELTAS[event.type], events)
        if isinstance(event.delta, str) and event.delta and not item.ended:
            item.add(event.delta, (event.type, event.summary_index), events)

    def read_arguments(self, event: ResponsesEvent, events: list[StreamEvent]) -> None:
        item = self._item_for(event, ReceivedCall, events)
        if isinstance(item, ReceivedCall) and not item.ended:
            item.complete({"arguments": event.arguments, "name": event.name}, events)

    def read_added_item(self, event: ResponsesEvent, events: list[StreamEvent]) -> None:
        fields = event.item or {}
        known = self._by_index.get(event.output_index)
        if not isinstance(known, ReceivedCall) or kind_of(fields) is not ReceivedCall or not known.is_begun_by(fields):
            self._open(fields, event.output_index, events)

    def read_finished_item(self, event: ResponsesEvent, events: list[StreamEvent]) -> None:
        self._end_item(event.item or {}, event.output_index, events)

    def read_end(self, event: ResponsesEvent, events: list[StreamEvent]) -> None:
        response: Any = msgspec.json.decode(event.response)
        fields = cast("dict[str, Any]", response) if isinstance(response, dict) else {}
        self._end({"status": event.type.removeprefix("response."), **fields}, events)

    def read_error(self, event: ResponsesEvent, events: list[StreamEvent]) -> None:
        error = event.error or {"code": event.code, "message": event.message}
        self._fail(self._error(error), events)

    def _item_for(self, event: ResponsesEvent, kind: type[ReceivedItem], events: list[StreamEvent]) -> ReceivedItem:
        """The item of a delta: by its id, by its place, or the last one that is open. Some proxies send another id
        with every event, some always the same place."""
        named = self._by_id.get(event.item_id or "") or self._by_index.get(event.output_index)
        if named is not None and type(named) is kind and not named.ended:
            return named
        for item in reversed(self._items):
            if type(item) is kind and not item.ended:
                return item
        return named or self._open({"type": _NAMES[kind], "id": event.item_id}, event.output_index, events)

    def _end_item(self, fields: dict[str, Any], index: int | None, events: list[StreamEvent]) -> None:
        item = self._find(fields, index) or self._open(fields, index, events)
        if not item.ended:
            item.end(fields, events)

    def _find(self, fields: dict[str, Any], index: int | None) -> ReceivedItem | None:
        """The item that a whole one is the end of: by its id, by its place, or an open call by the call's id."""
        if found := self._by_id.get(str(fields.get("id") or "")):
            return found
        kind, call_id = kind_of(fields), str(fields.get("call_id") or "")
        placed = self._by_index.get(index)
        near = placed is not None and type(placed) is kind and (index is not None or not placed.ended)
        if placed is not None and near and (not call_id or placed.call_id in ("", call_id)):
            return placed
        open_calls = (item for item in self._items if call_id and item.call_id == call_id and not item.ended)
        return next(open_calls, None)

    def _open(self, fields: dict[str, Any], index: int | None, events: list[StreamEvent]) -> ReceivedItem:
        item = kind_of(fields)(fields, str(len(self._items)))
        if isinstance(item, ReceivedCall):
            item.block = self._ids.unique(item.block)
            item.begin(events)
        self._answered = True
        self._items.append(item)
        self._by_index[index] = item
        if item.id:
            self._by_id[item.id] = item
        return item

    def _end(self, response: dict[str, Any], events: list[StreamEvent]) -> None:
        """The answer is over, with a response that holds all its items once more."""
        if response.get("error") or response.get("status") in ("failed", "cancelled"):
            return self._fail(self._error(response.get("error") or response.get("status")), events)
        output: Any = response.get("output")
        listed = cast("list[Any]", output) if isinstance(output, list) else []
        items: list[dict[str, Any]] = [item for item in listed if isinstance(item, dict)]
        if len(items) > len(self._items):
            # Some servers tell of an item only here.
            for index, fields in enumerate(items):
                self._end_item(fields, index, events)
        details: Any = response.get("incomplete_details")
        why = cast("dict[str, Any]", details).get("reason") if isinstance(details, dict) else None
        incomplete = response.get("status") == "incomplete" or why is not None
        filtered = incomplete and why == "content_filter"
        for item in self._items:
            if not item.ended:
                meant = [one for one in items if isinstance(item, ReceivedCall) and item.is_meant_by(one)]
                if isinstance(item, ReceivedCall) and len(meant) == 1:
                    item.complete(meant[0], events)
                item.stop(events, cut=incomplete)
        reason: FinishReason = "tool-calls" if self._ids else "stop"
        if incomplete:
            reason = "content-filter" if filtered else "length"
        events.append(Finish(reason, usage_of(response.get("usage")) or Usage()))
        self.ended = self.finished = True
        return None

    def _error(self, error: Any) -> ErrorInfo:
        fields = cast("dict[str, Any]", error) if isinstance(error, dict) else {"message": str(error)}
        code = str(fields.get("code") or fields.get("type") or "").lower()
        if "policy" in code or "content_filter" in code:
            info = from_error_object({**fields, "code": 400}, self._secrets)
            return ErrorInfo("content_filter", info.message)
        if not code.isdigit() and not any(word in code for word in _OF_THE_SERVER) and code:
            fields = {**fields, "status": 400}
        return from_error_object(fields, self._secrets)


_Handler = Callable[[OpenAIResponsesStreamReader, ResponsesEvent, list[StreamEvent]], None]
_DELTAS: dict[str, type[ReceivedItem]] = {
    "response.output_text.delta": ReceivedText,
    "response.refusal.delta": ReceivedText,
    "response.reasoning_summary_text.delta": ReceivedReasoning,
    "response.reasoning_text.delta": ReceivedReasoning,
    # What vLLM and others called it before it had a name.
    "response.reasoning.delta": ReceivedReasoning,
    "response.function_call_arguments.delta": ReceivedCall,
}
_NAMES: dict[type[ReceivedItem], str] = {
    ReceivedText: "message",
    ReceivedReasoning: "reasoning",
    ReceivedCall: "function_call",
}
_HANDLERS: dict[str, _Handler] = {
    **dict.fromkeys(_DELTAS, OpenAIResponsesStreamReader.read_delta),
    "response.function_call_arguments.done": OpenAIResponsesStreamReader.read_arguments,
    "response.output_item.added": OpenAIResponsesStreamReader.read_added_item,
    "response.output_item.done": OpenAIResponsesStreamReader.read_finished_item,
    "response.completed": OpenAIResponsesStreamReader.read_end,
    "response.incomplete": OpenAIResponsesStreamReader.read_end,
    "response.failed": OpenAIResponsesStreamReader.read_end,
    "response.cancelled": OpenAIResponsesStreamReader.read_end,
    "error": OpenAIResponsesStreamReader.read_error,
    "response.error": OpenAIResponsesStreamReader.read_error,
}


def _read(payload: bytes) -> ResponsesEvent:
    """Decode one payload; a server whose types are off is read field by field. Raises `ValueError`."""
    try:
        return _decode(payload)
    except msgspec.ValidationError:
        return _read_loosely(payload)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _read_loosely(whole_characters(payload))


def _read_loosely(payload: bytes) -> ResponsesEvent:
    value: Any = msgspec.json.decode(payload)
    fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {"error": value}
    event = ResponsesEvent(response=msgspec.Raw(msgspec.json.encode(fields.get("response"))))
    kinds: dict[str, type] = {"item": dict, "output_index": int, "summary_index": int}
    for name in event.__struct_fields__:
        given = fields.get(name)
        loose = name in ("delta", "arguments", "error", "code", "message")
        if name != "response" and given is not None and (loose or isinstance(given, kinds.get(name, str))):
            setattr(event, name, given)
    return event
