"""Messages, calls and results as attributes of spans, in the form of OpenTelemetry's conventions, with a size limit."""

from collections.abc import Sequence
from typing import Any

from toolpost.models.contract import ModelRequest
from toolpost.models.message_parts import encode
from toolpost.types.messages import Completed, Content, Failed, Message, Part, ReasoningPart, TextPart, ToolPart
from toolpost.types.stream import ToolCall

# Of one attribute, in characters.
MAX_CHARS = 65_536


def request(request: ModelRequest) -> dict[str, str]:
    told = {"gen_ai.input.messages": plain([_message(message) for message in request.messages])}
    if any(request.system):
        told["gen_ai.system_instructions"] = plain([_text(text) for text in request.system if text])
    return told


def answer(text: str, calls: Sequence[ToolCall], reason: str) -> dict[str, str]:
    parts = [_text(text)] if text else []
    parts += [_call(call.id, call.name, call.arguments) for call in calls]
    return {"gen_ai.output.messages": plain([{"role": "assistant", "parts": parts, "finish_reason": reason}])}


def result(content: Sequence[Content]) -> str:
    return "\n".join(part.text for part in content if isinstance(part, TextPart))[:MAX_CHARS]


def plain(value: Any) -> str:
    return encode(value).decode()[:MAX_CHARS]


def _message(message: Message) -> dict[str, Any]:
    return {"role": message.role, "parts": [told for part in message.parts for told in _part(part)]}


def _part(part: Part) -> list[dict[str, Any]]:
    match part:
        case TextPart(text=text):
            return [_text(text)]
        case ReasoningPart(text=text):
            return [{"type": "reasoning", "content": text}]
        case ToolPart(call_id=call_id, name=name, state=Completed() as state):
            response = {"type": "tool_call_response", "id": call_id, "response": result(state.content)}
            return [_call(call_id, name, state.arguments), response]
        case ToolPart(call_id=call_id, name=name, state=Failed() as state):
            response = {"type": "tool_call_response", "id": call_id, "response": state.message}
            return [_call(call_id, name, state.arguments or {}), response]
        case _:
            return []


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "content": text}


def _call(call_id: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments}
