"""Stream events: what a model adapter yields to the turn. The names are those of the AI SDK's full stream.

An adapter ends with exactly one `Finish` or `StreamError` and does not raise once the stream began. A wire
that closes without its own terminal event is a `StreamError` (code `truncated`), never a `Finish`.
"""

from typing import Any

from msgspec import Struct

from .messages import ErrorInfo, FinishReason, Usage


class _StreamEvent(Struct, frozen=True, tag_field="type", omit_defaults=True, gc=False):
    @property
    def type(self) -> str:
        return str(self.__struct_config__.tag)


class TextStart(_StreamEvent, frozen=True, tag="text-start", gc=False):
    id: str = "0"


class TextDelta(_StreamEvent, frozen=True, tag="text-delta", gc=False):
    text: str
    id: str = "0"


class TextEnd(_StreamEvent, frozen=True, tag="text-end", gc=False):
    id: str = "0"
    metadata: dict[str, Any] | None = None


class ReasoningStart(_StreamEvent, frozen=True, tag="reasoning-start", gc=False):
    id: str = "0"


class ReasoningDelta(_StreamEvent, frozen=True, tag="reasoning-delta", gc=False):
    text: str
    id: str = "0"


class ReasoningEnd(_StreamEvent, frozen=True, tag="reasoning-end", gc=False):
    """`metadata` is kept in the part, to be echoed to the same provider."""

    id: str = "0"
    metadata: dict[str, Any] | None = None


class ToolInputStart(_StreamEvent, frozen=True, tag="tool-input-start", gc=False):
    id: str
    name: str


class ToolInputDelta(_StreamEvent, frozen=True, tag="tool-input-delta", gc=False):
    id: str
    text: str


class ToolInputEnd(_StreamEvent, frozen=True, tag="tool-input-end", gc=False):
    id: str


class ToolCall(_StreamEvent, frozen=True, tag="tool-call", gc=False):
    """A whole call. Where the arguments are not one JSON object, `raw` holds their text and `arguments` is empty."""

    id: str
    name: str
    arguments: dict[str, Any]
    raw: str = ""
    metadata: dict[str, Any] | None = None


class GeneratedFile(_StreamEvent, frozen=True, tag="file", gc=False):
    """A file that the model made: `data` is base64, or `url` says where it is. `metadata` is kept in the part."""

    mime: str
    data: str = ""
    url: str = ""
    name: str = ""
    metadata: dict[str, Any] | None = None


class Finish(_StreamEvent, frozen=True, tag="finish", gc=False):
    reason: FinishReason
    usage: Usage = Usage()
    metadata: dict[str, Any] | None = None


class StreamError(_StreamEvent, frozen=True, tag="error", gc=False):
    error: ErrorInfo


# What an answer consists of, wherever it comes from and goes to.
ContentEvent = (
    TextStart
    | TextDelta
    | TextEnd
    | ReasoningStart
    | ReasoningDelta
    | ReasoningEnd
    | ToolInputStart
    | ToolInputDelta
    | ToolInputEnd
    | ToolCall
    | GeneratedFile
)
StreamEvent = ContentEvent | Finish | StreamError
