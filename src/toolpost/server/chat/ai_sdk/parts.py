"""Make parts of the AI SDK's UI messages, the same for a stream and for the history."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from toolpost.types.events import ToolExecutionEnd
from toolpost.types.messages import (
    CallErrorKind,
    Completed,
    Consent,
    Content,
    ContextPart,
    Failed,
    FilePart,
    Message,
    Pending,
    ReasoningPart,
    Running,
    SourceLink,
    TextPart,
    ToolPart,
    Usage,
)

UiPart = dict[str, Any]
MCP = "mcp__"
_CUT_SHORT = ("aborted", "interrupted", "length")


def user_parts(message: Message) -> list[UiPart]:
    parts: list[UiPart] = []
    for part in message.parts:
        if isinstance(part, TextPart):
            parts.append({"type": "text", "text": part.text})
        elif isinstance(part, FilePart):
            parts.append({"type": "file", **file_fields(part)})
        elif isinstance(part, ContextPart):
            # What was found beforehand stands beside the question; what the model read of it is for the model.
            parts += [_source(link, f"{message.id}.{place}") for place, link in enumerate(part.links, len(parts))]
    return parts


def step_parts(message: Message, asks: dict[str, str]) -> list[UiPart]:
    """Return the parts of one step of an answer. `asks` are the open asks by their calls.

    Files are at its end: in a stream they come when the message is complete.
    """
    parts: list[UiPart] = [{"type": "step-start"}]
    state = "done" if message.finish else "streaming"
    for place, part in enumerate(message.parts):
        match part:
            case TextPart():
                parts.append({"type": "text", "text": part.text, "state": state})
            case ReasoningPart():
                parts.append({"type": "reasoning", "id": block_id(message, place), "text": part.text, "state": state})
            case ToolPart():
                parts += [tool_part(part, asks.get(part.call_id)), tool_data(part.call_id, extras(part))]
            case _:
                pass
    return parts + [{"type": "file", **file_fields(part)} for part in message.parts if isinstance(part, FilePart)]


def _source(link: SourceLink, source_id: str) -> UiPart:
    part = {"type": "source-url", "sourceId": source_id, "url": link.url}
    return {**part, "title": link.title} if link.title else part


def block_id(message: Message, place: int) -> str:
    """Return a short id. Each attempt at a step is a message of its own, so no id is used twice; the end of an id is
    random."""
    return f"{message.id[-12:]}.{place}"


def tool_part(part: ToolPart, ask_id: str | None = None) -> UiPart:
    name = shown_name(part)
    kind: UiPart = {"type": "dynamic-tool", "toolName": name} if is_dynamic(name) else {"type": f"tool-{name}"}
    made: UiPart = {**kind, "toolCallId": part.call_id, **_state(part, is_dynamic(name))}
    if part.consent is not None:
        made["approval"] = approval(part.consent)
    elif ask_id is not None:
        made |= {"state": "approval-requested", "approval": {"id": ask_id}}
    return made


def is_dynamic(name: str) -> bool:
    """Return whether a tool is not known before its MCP server runs."""
    return name.startswith(MCP)


def shown_name(part: ToolPart) -> str:
    """Return the model's spelling of the name: the call began with it, and a part cannot change its name."""
    return part.asked or part.name


def approval(consent: Consent) -> UiPart:
    given: UiPart = {"id": consent.ask_id, "approved": consent.reply != "reject"}
    return {**given, "reason": consent.message} if consent.message else given


def tool_data(call_id: str, data: dict[str, Any]) -> UiPart:
    return {"type": "data-tool", "id": call_id, "data": data}


def extras(part: ToolPart) -> dict[str, Any]:
    """Return what the SDK's tool part has no fields for."""
    state = part.state
    if isinstance(state, Completed):
        return _extras(_duration(state), state.title, state.details)
    if isinstance(state, Failed):
        return _extras(_duration(state), "", state.details, state.kind, state.message)
    return {}


def extras_of(event: ToolExecutionEnd) -> dict[str, Any]:
    """Return the same from the event that ends a call."""
    return _extras(event.duration, event.title, event.details, event.error_kind, text_of(event.content))


def cut_extras(kind: CallErrorKind) -> dict[str, Any]:
    """Return the same for a call that was cut off before it began."""
    return _extras(0.0, "", None, kind)


def output_of(content: Sequence[Content]) -> Any:
    """Return the output of a tool: its text, or all its parts if some are not text."""
    if all(isinstance(part, TextPart) for part in content):
        return text_of(content)
    return {"content": [_piece(part) for part in content]}


def text_of(content: Sequence[Content]) -> str:
    return "\n".join(part.text for part in content if isinstance(part, TextPart))


def file_fields(part: FilePart) -> UiPart:
    url = part.url or f"data:{part.mime};base64,{part.data}"
    fields = {"mediaType": part.mime, "url": url}
    return {**fields, "filename": part.name} if part.name else fields


def totals(messages: Sequence[Message]) -> dict[str, Any]:
    """Return the usage and cost of an answer, the seconds of each thought, its error, and how it ended if it was cut
    short."""
    ends = [message.finish for message in messages if message.finish is not None]
    usage = sum((end.usage for end in ends), Usage())
    told: dict[str, Any] = {"usage": msgspec.to_builtins(usage)}
    costs = [end.cost for end in ends if end.usage.total or end.cost is not None]
    known = [cost for cost in costs if cost is not None]
    if len(known) == len(costs):
        told["cost"] = sum(known)
    if thinking := {name: took for message in messages for name, took in _thinking(message)}:
        told["thinking"] = thinking
    if ends and ends[-1].reason in _CUT_SHORT:
        told["finish"] = ends[-1].reason
    error = messages[-1].error if messages else None
    return told if error is None else {**told, "error": {"code": error.code, "message": error.message}}


def _thinking(message: Message) -> Iterator[tuple[str, float]]:
    for place, part in enumerate(message.parts):
        if isinstance(part, ReasoningPart) and part.started and part.ended:
            yield block_id(message, place), part.ended - part.started


def _state(part: ToolPart, dynamic: bool) -> UiPart:
    match part.state:
        case Pending(raw):
            return _pending(raw)
        case Running(arguments):
            return {"state": "input-available", "input": arguments}
        case Completed(arguments, content):
            return {"state": "output-available", "input": arguments, "output": output_of(content)}
        case Failed(kind="denied", arguments=arguments):
            return {"state": "output-denied", "input": arguments}
        case Failed(message=message, arguments=None, raw=raw):
            return {"state": "output-error", "input" if dynamic else "rawInput": raw, "errorText": message}
        case Failed(message=message, arguments=arguments):
            return {"state": "output-error", "input": arguments, "errorText": message}


def _pending(raw: str) -> UiPart:
    try:
        return {"state": "input-available", "input": msgspec.json.decode(raw)}
    except msgspec.DecodeError:
        return {"state": "input-streaming"}


def _duration(state: Completed | Failed) -> float:
    return state.ended - state.started if state.started and state.ended else 0.0


def _extras(
    duration: float,
    title: str = "",
    details: dict[str, Any] | None = None,
    kind: CallErrorKind | None = None,
    message: str = "",
) -> dict[str, Any]:
    given: dict[str, Any] = {"duration": duration}
    if title:
        given["title"] = title
    if details is not None:
        given["details"] = details
    if kind is not None:
        given["kind"] = kind
    if kind == "denied":
        # The part itself says that it was denied, but not why.
        given["message"] = message
    return given


def _piece(part: Content) -> UiPart:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    return {"type": "file", **file_fields(part)}
