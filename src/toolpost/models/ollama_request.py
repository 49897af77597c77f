"""Write requests for Ollama's own chat wire. Each message is encoded once; a body is its messages' bytes joined."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolpost.types.messages import (
    CompactionPart,
    Completed,
    FilePart,
    Message,
    ReasoningPart,
    TextPart,
    ToolPart,
)

from .contract import ModelRequest, ToolSpec
from .parts import ToolBytes, arguments_of, encode, is_own, merge, note, result_text, wire_name
from .schemas import spec_for

_NO_THINKING = frozenset({"none", "off", "false", "False"})
_OPTION_NAMES = {"max_tokens": "num_predict"}
_NOT_HERE = frozenset({"parallel_tool_calls"})


class RequestWriter:
    """Writes the bodies of one adapter's requests, and remembers how far its server follows `think`."""

    def __init__(
        self,
        model: str,
        provider: str,
        extra_body: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        context_window: int | None = None,
        max_output: int | None = None,
    ) -> None:
        self._model = model
        self._provider = provider
        self._extra_body = dict(extra_body or {})
        self._options = dict(options or {})
        # Ollama cuts a conversation at its own small default unless it is told the size.
        self._sizes = {"num_ctx": context_window, "num_predict": max_output}
        self._levels = True
        self._thinks = True
        self._tools = ToolBytes(_encode_tools)

    def body(self, request: ModelRequest) -> bytes:
        fields = self._fields(request)
        extra_tools = fields.pop("tools", None)
        conversation = request.memo.join(request.messages, self.message)
        system = "\n\n".join(part for part in request.system if part)
        head = encode({"role": "system", "content": system}) if system else b""
        comma = b"," if head and conversation else b""
        pieces: list[bytes | bytearray] = [encode(fields)[:-1], b',"messages":[', head, comma, conversation, b"]"]
        # This wire has no tool_choice: without tools there are no calls.
        tools = self._tools.of(request.tools) if request.tool_choice != "none" else b""
        if extra_tools:
            tools = b",".join(filter(None, [tools, encode(extra_tools)[1:-1]]))
        if tools:
            pieces += [b',"tools":[', tools, b"]"]
        pieces.append(b"}")
        return b"".join(pieces)

    def message(self, message: Message) -> bytes:
        """One message as one or more wire messages, joined by commas; empty if it says nothing."""
        wire = [_user(message)] if message.role == "user" else self._assistant(message)
        return b",".join(encode(item) for item in wire if item)

    def gives_way(self, refusal: str) -> bool:
        """Remember to ask for thinking in a plainer way, or not at all. False if that is not what was refused."""
        if not self._thinks or not re.search(r"\bthink(ing)?\b", refusal):
            return False
        if self._levels and "does not support" not in refusal:
            self._levels = False
        else:
            self._thinks = False
        return True

    def _fields(self, request: ModelRequest) -> dict[str, Any]:
        given = {**self._options, **request.options}
        extra, effort = given.pop("extra", None), given.pop("reasoning_effort", None)
        options: dict[str, Any] = {name: value for name, value in self._sizes.items() if value is not None}
        for name, value in given.items():
            if value is not None and name not in _NOT_HERE:
                options[_OPTION_NAMES.get(name, name)] = value
        if isinstance(options.get("stop"), str):
            options["stop"] = [options["stop"]]
        fields: dict[str, Any] = {"model": self._model, "stream": True}
        if options:
            fields["options"] = options
        think = self._think(effort)
        if think is not None:
            fields["think"] = think
        merge(fields, self._extra_body)
        merge(fields, extra or {})
        return fields

    def _think(self, effort: Any) -> bool | str | None:
        if effort is None or not self._thinks:
            return None
        if effort is False or str(effort) in _NO_THINKING:
            return False
        if effort is True or not self._levels:
            return True
        return {"minimal": "low", "xhigh": "max"}.get(str(effort), str(effort))

    def _assistant(self, message: Message) -> list[dict[str, Any]]:
        notes = [note(part) for part in message.parts if isinstance(part, FilePart)]
        notes += [part.summary for part in message.parts if isinstance(part, CompactionPart)]
        content = "\n".join(filter(None, [message.text, *notes]))
        calls = message.calls
        if not content and not calls:
            return []
        wire: dict[str, Any] = {"role": "assistant", "content": content}
        thought = "".join(part.text for part in message.parts if isinstance(part, ReasoningPart))
        if thought and is_own(message, self._provider):
            wire["thinking"] = thought
        if calls:
            wire["tool_calls"] = [_call(call) for call in calls]
        seen = [shown for call in calls if (shown := _images_of(call))]
        return [wire, *(_result(call) for call in calls), *seen]


def _user(message: Message) -> dict[str, Any] | None:
    spoken = [part for part in message.parts if isinstance(part, TextPart | FilePart | CompactionPart)]
    images = [part.data for part in spoken if isinstance(part, FilePart) and _is_shown(part)]
    text = "\n".join(filter(None, (_text(part) for part in spoken if not _is_shown(part))))
    if not text and not images:
        return None
    wire: dict[str, Any] = {"role": "user", "content": text}
    return {**wire, "images": images} if images else wire


def _is_shown(part: TextPart | FilePart | CompactionPart) -> bool:
    """True for an image that can be sent: this wire takes their bytes, and no addresses."""
    return isinstance(part, FilePart) and part.mime.startswith("image/") and bool(part.data)


def _text(part: TextPart | FilePart | CompactionPart) -> str:
    if isinstance(part, FilePart):
        return note(part)
    return part.text if isinstance(part, TextPart) else part.summary


def _call(call: ToolPart) -> dict[str, Any]:
    return {"function": {"name": wire_name(call.name), "arguments": arguments_of(call.state)}}


def _result(call: ToolPart) -> dict[str, Any]:
    """This wire has no ids: results stand in the order of the calls."""
    return {"role": "tool", "tool_name": wire_name(call.name), "content": result_text(call.state)}


def _images_of(call: ToolPart) -> dict[str, Any] | None:
    """A tool message holds text only, so the images of a result follow in a user message."""
    if not isinstance(call.state, Completed):
        return None
    images = [part.data for part in call.state.content if isinstance(part, FilePart) and _is_shown(part)]
    if not images:
        return None
    return {"role": "user", "content": f"Images from the call of {call.name}:", "images": images}


def _encode_tools(tools: Sequence[ToolSpec]) -> bytes:
    return b",".join(_encode_tool(spec_for(tool, "ollama")) for tool in tools)


def _encode_tool(tool: ToolSpec) -> bytes:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return encode({"type": "function", "function": function})
