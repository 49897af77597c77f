"""Encode requests for Ollama's own chat wire. Each message is encoded once; a body is its messages' bytes joined."""

import re
from typing import Any

from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.contract import ModelRequest
from toolpost.models.message_parts import (
    IMAGES,
    arguments_of,
    encode,
    is_own,
    mime_of,
    note,
    result_files,
    result_text,
    text_of,
    wire_name,
)
from toolpost.models.request_writer import RequestWriter, assemble, system_message
from toolpost.models.schemas.provider_schema import spec_for
from toolpost.types.messages import CompactionPart, FilePart, Message, ReasoningPart, TextPart, ToolPart
from toolpost.types.tool_spec import ToolSpec

_NO_THINKING = frozenset({"none", "off", "false", "False"})
_OPTION_NAMES = {"max_tokens": "num_predict"}
_NOT_HERE = frozenset({"parallel_tool_calls"})


class OllamaRequestWriter(RequestWriter):
    """Remembers how far its server follows `think`."""

    def __init__(self, settings: AdapterSettings) -> None:
        super().__init__(settings)
        # Ollama cuts a conversation at its own small default unless it is told the size. It is found out before the
        # first request where the settings do not say it.
        self._sizes = {"num_ctx": settings.context_window, "num_predict": settings.max_output}
        self._levels = True
        self._thinks = True

    def body(self, request: ModelRequest) -> bytes:
        conversation = request.memo.join(request.messages, self.message)
        # This wire has no tool_choice: without tools there are no calls.
        tools = self._tools.of(request.tools) if request.tool_choice != "none" else b""
        return assemble(self._fields(request), "messages", system_message(request.system, conversation), tools)

    def message(self, message: Message) -> bytes:
        wire = [_user(message)] if message.role == "user" else self._assistant(message)
        return b",".join(encode(item) for item in wire if item)

    def fit(self, window: int) -> None:
        """Ask for a window of this size from now on."""
        self._sizes["num_ctx"] = window

    def gives_way(self, refusal: str, request: ModelRequest) -> bool:
        """Remember to ask for thinking in a plainer way, or not at all. False if that is not what was refused."""
        if not self._thinks or not re.search(r"\bthink(ing)?\b", refusal):
            return False
        if self._levels and "does not support" not in refusal:
            self._levels = False
        else:
            self._thinks = False
        return True

    def _tool(self, tool: ToolSpec) -> bytes:
        told = spec_for(tool, "ollama")
        function = {"name": told.name, "description": told.description, "parameters": told.parameters}
        return encode({"type": "function", "function": function})

    def _fields(self, request: ModelRequest) -> dict[str, Any]:
        given, extra = self._given(request)
        effort = given.pop("reasoning_effort", None)
        options: dict[str, Any] = {name: value for name, value in self._sizes.items() if value is not None}
        for name, value in given.items():
            if value is not None and name not in _NOT_HERE:
                options[_OPTION_NAMES.get(name, name)] = value
        if isinstance(options.get("stop"), str):
            options["stop"] = [options["stop"]]
        # Too long a conversation is an error, and a full window the end of the answer: nothing is dropped silently.
        fields: dict[str, Any] = {"model": self._model, "stream": True, "truncate": False, "shift": False}
        if options:
            fields["options"] = options
        think = self._think(effort)
        if think is not None:
            fields["think"] = think
        return self._extended(fields, extra)

    def _think(self, effort: Any) -> bool | str | None:
        if effort is None or not self._thinks:
            return None
        if effort is False or str(effort) in _NO_THINKING:
            return False
        if effort is True or not self._levels:
            return True
        return {"minimal": "low", "xhigh": "max"}.get(str(effort), str(effort))

    def _assistant(self, message: Message) -> list[dict[str, Any]]:
        told = [text_of(part) for part in message.parts if isinstance(part, FilePart | CompactionPart)]
        content = "\n".join(filter(None, [message.text, *told]))
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
    images: list[str] = []
    texts: list[str] = []
    for part in message.parts:
        if isinstance(part, FilePart) and _is_shown(part):
            images.append(part.data)
        elif isinstance(part, TextPart | FilePart | CompactionPart):
            texts.append(note(part) if isinstance(part, FilePart) else text_of(part))
    text = "\n".join(filter(None, texts))
    if not text and not images:
        return None
    wire: dict[str, Any] = {"role": "user", "content": text}
    return {**wire, "images": images} if images else wire


def _is_shown(part: FilePart) -> bool:
    """True for an image that can be sent: this wire takes their bytes, and no addresses."""
    return mime_of(part) in IMAGES and bool(part.data)


def _call(call: ToolPart) -> dict[str, Any]:
    return {"function": {"name": wire_name(call.name), "arguments": arguments_of(call.state)}}


def _result(call: ToolPart) -> dict[str, Any]:
    """This wire has no ids: results stand in the order of the calls."""
    return {"role": "tool", "tool_name": wire_name(call.name), "content": result_text(call.state, _is_shown)}


def _images_of(call: ToolPart) -> dict[str, Any] | None:
    """A tool message holds text only, so the images of a result follow in a user message."""
    images = [part.data for part in result_files(call.state) if _is_shown(part)]
    return {"role": "user", "content": f"From the call of {call.name}:", "images": images} if images else None
