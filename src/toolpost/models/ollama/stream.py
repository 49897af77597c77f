"""Parse the lines of Ollama's chat stream into stream events, without any input or output of its own."""

from collections.abc import Sequence
from typing import Any, cast

import msgspec
from msgspec import Struct

from toolpost.models.provider_errors import from_error_object
from toolpost.models.stream_reader import BlockReader, not_json, whole_characters
from toolpost.types.messages import FinishReason, Usage
from toolpost.types.stream import Finish, StreamEvent


class OllamaFunction(Struct):
    name: str | None = None
    arguments: Any = None


class OllamaCall(Struct):
    id: str | None = None
    function: OllamaFunction | None = None


class OllamaMessage(Struct):
    content: str | None = None
    thinking: str | None = None
    tool_calls: list[OllamaCall] | None = None


class OllamaLine(Struct):
    """One line of the stream. A whole answer is one line too."""

    message: OllamaMessage | None = None
    done: bool = False
    done_reason: str | None = None
    prompt_eval_count: int | None = None
    eval_count: int | None = None
    error: Any = None


class OllamaStreamReader(BlockReader):
    last_word = 'line with "done"'
    # A whole answer is one line like any other.
    document_marks = ()

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        super().__init__(secrets)
        # A line that has not ended, in the pieces it came in; joined once, when its end comes.
        self._pieces: list[bytes] = []

    def _payloads(self, data: bytes) -> Sequence[bytes]:
        self._pieces.append(data)
        if b"\n" not in data:
            return ()
        *lines, rest = b"".join(self._pieces).split(b"\n")
        self._pieces = [rest] if rest else []
        return [line for line in lines if line.strip()]

    def _rest(self) -> bytes:
        return b"".join(self._pieces).strip()

    def _take(self, payload: bytes, events: list[StreamEvent]) -> None:
        try:
            line = _read(payload)
        except ValueError:
            return self._fail(not_json(payload), events)
        if line.error:
            return self._fail(from_error_object(line.error, self._secrets), events)
        if line.message is not None:
            self._answered = True
            self._take_said(line.message, events)
        if line.done:
            self._end(line, events)
        return None

    def _take_said(self, said: OllamaMessage, events: list[StreamEvent]) -> None:
        if said.thinking:
            self._reasoning(said.thinking, events)
        if said.content:
            self._content(said.content, events)
        for call in said.tool_calls or ():
            function = call.function or OllamaFunction()
            events.append(self._whole_call(call.id, function.name or "", function.arguments, events))

    def _end(self, line: OllamaLine, events: list[StreamEvent]) -> None:
        self._flush(events)
        reason: FinishReason = "length" if line.done_reason == "length" else "stop"
        if self._ids and reason != "length":
            reason = "tool-calls"
        events.append(Finish(reason, Usage(line.prompt_eval_count or 0, line.eval_count or 0)))
        self.ended = self.finished = True


_decode = msgspec.json.Decoder(OllamaLine).decode


def _read(payload: bytes) -> OllamaLine:
    """One line; where types are off, all that can be read of it. Raises `ValueError`."""
    try:
        return _decode(payload)
    except msgspec.ValidationError:
        value: Any = msgspec.json.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError):
        value = msgspec.json.decode(whole_characters(payload))
    try:
        return msgspec.convert(value, OllamaLine, strict=False)
    except msgspec.ValidationError:
        fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        return OllamaLine(done=bool(fields.get("done")), error=fields.get("error"))
