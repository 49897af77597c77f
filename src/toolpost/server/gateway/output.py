"""The output of the gateway: what an answer consists of, before a wire's writer encodes it.

A stream of these ends with exactly one `Done` or `StreamError`. Text, reasoning and the arguments of the client's
calls are the stream events of a model; several turns of it may follow each other, and nothing tells where one ends.
"""

from collections.abc import MutableMapping
from typing import Any, Protocol

from msgspec import Struct

from toolpost.types.messages import Content, ErrorInfo, FinishReason, Usage
from toolpost.types.stream import (
    ContentEvent,
    StreamError,
)


class ServerCall(Struct, frozen=True, gc=False):
    """A call that runs here has begun: its arguments are complete. `server` is the MCP server, or "toolpost", `name`
    the name of the tool there, and `tool` its name for the model."""

    id: str
    server: str
    name: str
    arguments: dict[str, Any]
    tool: str = ""


class ServerProgress(Struct, frozen=True, gc=False):
    """Output of such a call while it runs, or (with `is_input`) a piece of its arguments as they arrive."""

    id: str
    name: str
    text: str
    is_input: bool = False


class ServerResult(Struct, frozen=True, gc=False):
    id: str
    content: tuple[Content, ...]
    is_error: bool = False


class Relayed(Struct, frozen=True, gc=False):
    """Whole events, or a whole answer, of a server that speaks the client's API: they are passed on as they came. An
    answer with one of these has no other pieces before its end. The first has the headers of the answer; with the one
    that `is_last` the answer is complete."""

    data: bytes
    headers: dict[str, str] = {}
    is_last: bool = False


class UpstreamError(ErrorInfo, frozen=True, gc=False, kw_only=True):
    """An error of a server that speaks the client's API: it is passed on as it came."""

    body: bytes
    headers: dict[str, str]


class Done(Struct, frozen=True, gc=False):
    """The end of an answer, with the usage of all turns. `reason` is `tool-calls` only if calls are left for the
    client."""

    reason: FinishReason
    usage: Usage = Usage()
    model: str = ""
    stop_sequence: str = ""


OutputEvent = ContentEvent | ServerCall | ServerProgress | ServerResult | Relayed | Done | StreamError


def stop_sequence_in(metadata: dict[str, Any] | None) -> str:
    """Return the stop sequence that ended a turn, if its provider said which."""
    return str((metadata or {}).get("anthropic", {}).get("stop_sequence") or "")


class AnswerWriter(Protocol):
    """Encode one answer for a wire."""

    def start(self) -> bytes: ...
    def feed(self, out: OutputEvent) -> bytes: ...


class AnswerEncoder:
    """Encode an answer with a writer, or pass it on as it came; then something is added only if it breaks off. Headers
    that came with the answer are added to `headers`."""

    def __init__(self, writer: AnswerWriter, headers: MutableMapping[str, str]) -> None:
        self._writer = writer
        self._headers = headers
        self.feed = self._begin

    def _begin(self, out: OutputEvent) -> bytes:
        if isinstance(out, Relayed):
            self._headers.update(out.headers)
            self.feed = self._pass_on
            return out.data
        self.feed = self._writer.feed
        return self._writer.start() + self._writer.feed(out)

    def _pass_on(self, out: OutputEvent) -> bytes:
        if isinstance(out, Relayed):
            return out.data
        return self._writer.feed(out) if isinstance(out, StreamError) else b""
