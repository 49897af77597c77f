"""What goes out of the gateway, before a wire's writer makes bytes of it.

A stream of these ends with exactly one `Done` or `StreamError`. Text, reasoning and the arguments of the client's
calls are the stream events of a model; several turns of it may follow each other, and nothing tells where one ends.
"""

from typing import Any

from msgspec import Struct

from toolpost.types.messages import Content, ErrorInfo, FinishReason, Usage
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
    ToolInputEnd,
    ToolInputStart,
)


class ServerCall(Struct, frozen=True, gc=False):
    """A call that runs here has begun: its arguments are whole. `server` is the MCP server, or "toolpost", `name` what
    the tool is called there, and `tool` what the model calls it."""

    id: str
    server: str
    name: str
    arguments: dict[str, Any]
    tool: str = ""


class ServerProgress(Struct, frozen=True, gc=False):
    """What such a call shows while it works, or (with `is_input`) a piece of its arguments as they arrive."""

    id: str
    name: str
    text: str
    is_input: bool = False


class ServerResult(Struct, frozen=True, gc=False):
    id: str
    content: tuple[Content, ...]
    is_error: bool = False


class Relayed(Struct, frozen=True, gc=False):
    """Whole events, or a whole answer, of an upstream that speaks the client's wire: they go out as they came. Where
    one comes, nothing else does before the end. The first has the headers that go with the answer; with the one that
    `is_last` the answer is whole."""

    data: bytes
    headers: dict[str, str] = {}
    is_last: bool = False


class InItsWords(ErrorInfo, frozen=True, gc=False, kw_only=True):
    """An upstream's refusal on the client's own wire, which is told as it came."""

    body: bytes
    headers: dict[str, str]


class Done(Struct, frozen=True, gc=False):
    """The end, with what all turns took. `reason` is `tool-calls` only where calls are left for the client."""

    reason: FinishReason
    usage: Usage = Usage()
    model: str = ""
    stop_sequence: str = ""
    metadata: dict[str, Any] | None = None


Out = (
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
    | ServerCall
    | ServerProgress
    | ServerResult
    | Relayed
    | Done
    | StreamError
)
