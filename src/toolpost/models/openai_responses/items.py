"""The output items of an OpenAI Responses stream while they arrive: each turns its deltas into stream events."""

from collections.abc import Iterable
from typing import Any, cast

import msgspec

from toolpost.arguments.parse_json import parse_arguments
from toolpost.types.ids import new_id
from toolpost.types.stream import (
    GeneratedFile,
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    StreamEvent,
    TextDelta,
    TextEnd,
    TextStart,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)

Fields = dict[str, Any]


class ReceivedItem:
    """`block` is its id among the stream events. Every item ends once: with `end`, or with `stop` where no end came."""

    def __init__(self, fields: Fields, block: str) -> None:
        self.id = str(fields.get("id") or "")
        self.call_id = str(fields.get("call_id") or "")
        self.ended = False
        self.block = block
        self.started = False

    def add(self, text: str, part: tuple[str, int | None], events: list[StreamEvent]) -> None:
        """A delta; `part` is the event's type and the part of the item it belongs to."""

    def end(self, fields: Fields, events: list[StreamEvent]) -> None:
        """The item is whole, as `fields` says: what did not come in deltas comes now."""
        self.ended = True

    def stop(self, events: list[StreamEvent], *, cut: bool) -> None:
        """The answer is over. `cut`: the model ran into its length limit."""
        self.ended = True


class ReceivedText(ReceivedItem):
    def add(self, text: str, part: tuple[str, int | None], events: list[StreamEvent]) -> None:
        if not self.started:
            self.started = True
            events.append(TextStart(self.block))
        events.append(TextDelta(text, self.block))

    def end(self, fields: Fields, events: list[StreamEvent]) -> None:
        text = "".join(_texts(fields.get("content"), "text", "refusal"))
        if text and not self.started:
            self.add(text, ("", None), events)
        phase = fields.get("phase")
        self._close({"openai_responses": {"phase": phase}} if phase else None, events)

    def stop(self, events: list[StreamEvent], *, cut: bool) -> None:
        self._close(None, events)

    def _close(self, metadata: Fields | None, events: list[StreamEvent]) -> None:
        self.ended = True
        if self.started:
            events.append(TextEnd(self.block, metadata))


class ReceivedReasoning(ReceivedItem):
    """Reasoning comes as a summary or in full; where it comes as both, what came first is shown."""

    _kind = ""
    _part: int | None = None

    def add(self, text: str, part: tuple[str, int | None], events: list[StreamEvent]) -> None:
        kind, place = part
        if self._kind and kind != self._kind:
            return
        if not self.started:
            self.started = True
            events.append(ReasoningStart(self.block))
        elif place != self._part:
            text = f"\n\n{text}"
        self._kind, self._part = kind, place
        events.append(ReasoningDelta(text, self.block))

    def end(self, fields: Fields, events: list[StreamEvent]) -> None:
        self.ended = True
        texts = list(_texts(fields.get("summary"), "text")) or list(_texts(fields.get("content"), "text"))
        # What neither is sealed nor tells anything cannot be echoed: the server keeps no copy.
        kept = {name: value for name, value in fields.items() if value is not None}
        sealed = bool(kept.get("encrypted_content") or kept.get("content"))
        if not self.started and (texts or sealed):
            # Sealed reasoning without a word makes a part as well: it has to go back.
            self.add("\n\n".join(texts), ("", None), events)
        if self.started:
            metadata = {"openai_responses": {"item": kept}} if sealed else None
            events.append(ReasoningEnd(self.block, metadata))

    def stop(self, events: list[StreamEvent], *, cut: bool) -> None:
        self.ended = True
        if self.started:
            events.append(ReasoningEnd(self.block))


class ReceivedCall(ReceivedItem):
    """A call. Its arguments come in deltas, in `.done`, or only with the whole item."""

    def __init__(self, fields: Fields, block: str) -> None:
        super().__init__(fields, block)
        self.block = self.call_id or self.id or new_id("call")
        self._name = _name(fields)
        self._pieces: list[str] = []
        self._whole = ""

    def add(self, text: str, part: tuple[str, int | None], events: list[StreamEvent]) -> None:
        self._pieces.append(text)
        if self.started:
            events.append(ToolInputDelta(self.block, text))
        elif self._name:
            self._start(events)

    def begin(self, events: list[StreamEvent]) -> None:
        if self._name and not self.started:
            self._start(events)

    def is_begun_by(self, fields: Fields) -> bool:
        """True if these are the fields that it began with, while it is open: the same event once more."""
        same = (str(fields.get("id") or ""), str(fields.get("call_id") or "")) == (self.id, self.call_id)
        return same and not self.ended and bool(self.id or self.call_id)

    def is_meant_by(self, fields: Fields) -> bool:
        """True if these are the fields of the same call, by the ids of both."""
        ids = ((self.id, fields.get("id")), (self.call_id, fields.get("call_id")))
        return kind_of(fields) is ReceivedCall and any(ours and ours == theirs for ours, theirs in ids)

    def complete(self, fields: Fields, events: list[StreamEvent]) -> None:
        """Take the name and the arguments from an event that has them whole: they count, whatever the deltas said."""
        self._name = self._name or _name(fields)
        self.begin(events)
        self._whole = _as_text(fields.get("arguments")) or self._whole
        whole, held = self._whole, "".join(self._pieces)
        if whole.startswith(held) and len(whole) > len(held):
            self.add(whole[len(held) :], ("", None), events)

    def end(self, fields: Fields, events: list[StreamEvent]) -> None:
        self.complete(fields, events)
        self.stop(events, cut=fields.get("status") == "incomplete")

    def stop(self, events: list[StreamEvent], *, cut: bool) -> None:
        self.ended = True
        if not self.started:
            self._start(events)
        events.append(ToolInputEnd(self.block))
        arguments, raw = parse_arguments(self._whole or "".join(self._pieces))
        if cut and not raw and not arguments:
            # Cut before its first argument: this must not pass for a call without arguments.
            raw = "{"
        events.append(ToolCall(self.block, self._name, arguments, raw))

    def _start(self, events: list[StreamEvent]) -> None:
        self.started = True
        events.append(ToolInputStart(self.block, self._name))
        if self._pieces:
            events.append(ToolInputDelta(self.block, "".join(self._pieces)))


class ReceivedImage(ReceivedItem):
    """An image that a tool of the provider made. It goes back under its id."""

    def end(self, fields: Fields, events: list[StreamEvent]) -> None:
        self.ended = True
        data = fields.get("result")
        if isinstance(data, str) and data:
            mime = f"image/{fields.get('output_format') or 'png'}"
            metadata = {"openai_responses": {"id": self.id}} if self.id else None
            events.append(GeneratedFile(mime, data, metadata=metadata))


_KINDS: dict[str, type[ReceivedItem]] = {
    "message": ReceivedText,
    "reasoning": ReceivedReasoning,
    "function_call": ReceivedCall,
    "image_generation_call": ReceivedImage,
}


def kind_of(fields: Fields) -> type[ReceivedItem]:
    """An item of a kind that is not known, such as a search at the provider, says nothing."""
    return _KINDS.get(str(fields.get("type")), ReceivedItem)


def _name(fields: Fields) -> str:
    name = fields.get("name")
    return name if isinstance(name, str) else ""


def _texts(parts: Any, *names: str) -> Iterable[str]:
    for part in cast("list[Any]", parts) if isinstance(parts, list) else ():
        if isinstance(part, dict):
            values = [cast("Fields", part).get(name) for name in names]
            yield from (value for value in values if isinstance(value, str))


def _as_text(arguments: Any) -> str:
    if isinstance(arguments, str) or arguments is None:
        return arguments or ""
    return msgspec.json.encode(arguments).decode()
