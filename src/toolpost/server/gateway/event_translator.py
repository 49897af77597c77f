"""Translate the events of a run into the gateway's output: calls for the client, and calls that ran here."""

from collections.abc import Iterator, Mapping

from toolpost.tools.define import ALL_SERVERS, Tool
from toolpost.types.events import (
    CUTTING_LIMITS,
    Event,
    MessageEnd,
    MessageUpdate,
    RunEnd,
    ToolCalled,
    ToolExecutionEnd,
    ToolExecutionUpdate,
)
from toolpost.types.messages import ErrorInfo, FilePart, FinishReason, Message, ReasoningPart, Running, TextPart
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
)

from .output import Done, OutputEvent, ServerCall, ServerProgress, ServerResult, stop_sequence_in

OURS = "toolpost"


class EventTranslator:
    """Call it with each event of one run. Parts of different messages never share an id."""

    def __init__(self, ours: Mapping[str, Tool], model: str) -> None:
        self._ours = ours
        self._model = model
        self._open: dict[str, str] = {}
        self._writing: dict[str, str] = {}
        self._running: set[str] = set()
        self._stop_sequence = ""

    def __call__(self, event: Event) -> Iterator[OutputEvent]:
        match event:
            case MessageUpdate():
                yield from self._delta(event)
            case MessageEnd(message=message) if message.role == "assistant":
                yield from self._message_end(event)
            case ToolCalled():
                yield from self._called(event)
            case ToolExecutionUpdate() if event.call_id in self._running and event.text:
                yield ServerProgress(event.call_id, event.name, event.text)
            case ToolExecutionEnd() if event.call_id in self._running:
                self._running.discard(event.call_id)
                yield ServerResult(event.call_id, event.content, event.is_error)
            case RunEnd():
                yield self._end(event)
            case _:
                return

    def _delta(self, event: MessageUpdate) -> Iterator[OutputEvent]:
        part = f"{event.message_id}.{event.part}"
        if event.kind == "text":
            if part not in self._open:
                self._open[part] = "text"
                yield TextStart(part)
            yield TextDelta(event.text, part)
        elif event.kind == "reasoning":
            if part not in self._open:
                self._open[part] = "reasoning"
                yield ReasoningStart(part)
            yield ReasoningDelta(event.text, part)
        elif event.kind == "tool_input":
            # The name stands in the first event of a call alone.
            name = self._writing.get(event.call_id, event.name)
            if name in self._ours:
                self._writing[event.call_id] = name
                yield ServerProgress(event.call_id, name, event.text, is_input=True)

    def _called(self, event: ToolCalled) -> Iterator[OutputEvent]:
        if event.name in self._ours:
            self._writing.pop(event.call_id, None)
            self._running.add(event.call_id)
            server, name = _server_and_name(self._ours[event.name])
            yield ServerCall(event.call_id, server, name, event.arguments, event.name)

    def _message_end(self, event: MessageEnd) -> Iterator[OutputEvent]:
        """Close what is open, with the metadata that the provider wants back."""
        finish = event.message.finish
        self._stop_sequence = stop_sequence_in(finish.metadata if finish else None)
        for place, part in enumerate(event.message.parts):
            name = f"{event.message.id}.{place}"
            kind = self._open.pop(name, "")
            if kind == "text" and isinstance(part, TextPart):
                yield TextEnd(name, part.metadata)
            elif isinstance(part, ReasoningPart):
                if not kind:
                    yield ReasoningStart(name)
                yield ReasoningEnd(name, part.metadata)
            elif isinstance(part, FilePart):
                yield GeneratedFile(part.mime, part.data, part.url, part.name, part.metadata)

    def _end(self, event: RunEnd) -> OutputEvent:
        if event.reason in ("error", "aborted", "denied", "repetition"):
            return StreamError(event.error or ErrorInfo(event.reason, f"the run ended: {event.reason}"))
        reason: FinishReason = "tool-calls" if event.reason == "handed_over" else "stop"
        if event.reason == "limit" and event.limit in CUTTING_LIMITS:
            reason = "length"
        return Done(reason, event.usage, self._model, self._stop_sequence)


def handed_over(message: Message) -> Iterator[OutputEvent]:
    """The calls that a run leaves for the client. They go out when it has ended: a call whose arguments cannot be read
    is asked for again, and a misspelt name is repaired, before the client hears of either."""
    for part in message.calls:
        if isinstance(part.state, Running):
            yield ToolCall(part.call_id, part.name, part.state.arguments, metadata=part.metadata)


def _server_and_name(tool: Tool) -> tuple[str, str]:
    """Return the server of a tool, and its name there."""
    kind, _, server = tool.source.partition(":")
    if kind != "mcp" or tool.source == ALL_SERVERS:
        return OURS, tool.name
    return server, tool.name.split("__", 2)[-1]
