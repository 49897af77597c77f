"""Encode requests for OpenAI Responses, keeping no state at the server. Each message is encoded once, as its items."""

import re
from functools import cached_property
from typing import Any, ClassVar

from toolpost.models.contract import ModelRequest
from toolpost.models.message_parts import (
    ToolBytes,
    arguments_of,
    data_url,
    digest,
    encode,
    is_image,
    is_own,
    mime_of,
    note,
    result_text,
    text_of,
    wire_name,
)
from toolpost.models.request_writer import RequestWriter, assemble
from toolpost.models.schemas.provider_schema import openai_spec
from toolpost.types.messages import (
    CompactionPart,
    Completed,
    FilePart,
    Message,
    Part,
    ReasoningPart,
    TextPart,
    ToolPart,
)
from toolpost.types.tool_spec import ToolSpec

# This wire has no form for these.
_UNKNOWN = frozenset({"stop", "seed"})
_GOOD_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
WireItem = dict[str, Any]


class OpenAIResponsesRequestWriter(RequestWriter):
    """`strict` among the extra fields asks for all tools to be strict whose schemas have a strict form."""

    refusable: ClassVar = {
        # Sealed by another organisation or too long ago.
        "sealed": re.compile(r"encrypted.{0,2000}could not be (verified|decrypted|parsed)", re.IGNORECASE | re.DOTALL),
        "include": re.compile(r"encrypted[ _.]content|\binclude\b", re.IGNORECASE),
        "reasoning": re.compile(r"\breasoning\.(effort|summary)\b|reasoning summar", re.IGNORECASE),
        "temperature": re.compile(r"\btemperature\b"),
        "top_p": re.compile(r"\btop_p\b"),
        "store": re.compile(r"\bstore\b"),
    }

    def body(self, request: ModelRequest) -> bytes:
        fields, strict = self._fields(request)
        tools = (self._strict_tools if strict else self._tools).of(request.tools)
        encoder = self.unsealed_message if "sealed" in self._refused else self.message
        return assemble(fields, "input", [request.memo.join(request.messages, encoder)], tools)

    def message(self, message: Message) -> bytes:
        # Reasoning goes back as it came, to the model it came from: others refuse it.
        same = message.model == f"{self._provider}/{self._model}"
        return self._message(message, same)

    def unsealed_message(self, message: Message) -> bytes:
        """A message without its sealed reasoning, for a server that cannot open it any more."""
        return self._message(message, False)

    def _tool(self, tool: ToolSpec) -> bytes:
        return _function(openai_spec(tool))

    @cached_property
    def _strict_tools(self) -> ToolBytes:
        return ToolBytes(self._strict_tool)

    def _strict_tool(self, tool: ToolSpec) -> bytes:
        return _function(openai_spec(tool, strict=True))

    def _fields(self, request: ModelRequest) -> tuple[dict[str, Any], bool]:
        options, extra = self._given(request)
        effort, limit = options.pop("reasoning_effort", None), options.pop("max_tokens", None)
        fields: dict[str, Any] = {"model": self._model, "stream": True, "store": False}
        # Reasoning comes back sealed, to be echoed: nothing of the conversation stays at the server.
        fields["include"] = ["reasoning.encrypted_content"]
        if system := "\n\n".join(part for part in request.system if part):
            fields["instructions"] = system
        if request.tools and request.tool_choice != "auto":
            fields["tool_choice"] = request.tool_choice
        if limit is not None:
            fields["max_output_tokens"] = limit
        if effort is not None:
            fields["reasoning"] = {"effort": effort}
        for name, value in options.items():
            needless = name == "parallel_tool_calls" and not request.tools
            if value is not None and name not in _UNKNOWN and not needless:
                fields[name] = value
        if self._provider.startswith("openai"):
            fields.pop("top_k", None)
        self._extended(fields, extra)
        strict = bool(fields.pop("strict", False))
        return {name: value for name, value in fields.items() if name not in self._refused}, strict

    def _message(self, message: Message, same: bool) -> bytes:
        items = self._user(message) if message.role == "user" else self._assistant(message, same)
        return b",".join(map(encode, items))

    def _user(self, message: Message) -> list[WireItem]:
        spoken = [part for part in message.parts if isinstance(part, TextPart | FilePart | CompactionPart)]
        content = [item for part in spoken if (item := _content(part))]
        if not content:
            return []
        texts = [item["text"] for item in content if item["type"] == "input_text"]
        return [{"role": "user", "content": "\n".join(texts) if len(texts) == len(content) else content}]

    def _assistant(self, message: Message, same: bool) -> list[WireItem]:
        """What the model did in its own order, then the results of all its calls."""
        own = is_own(message, self._provider)
        items: list[WireItem] = []
        sealed: list[WireItem] = []
        for part in message.parts:
            if isinstance(part, ReasoningPart):
                sealed += _sealed(part) if same else []
            elif item := self._said(part, message, own):
                # Reasoning is refused without the item that came of it, so it waits for one.
                items += [*sealed, item]
                sealed = []
        return items + [_result(call, _call_id(call, message, own)) for call in message.calls]

    def _said(self, part: Part, message: Message, own: bool) -> WireItem | None:
        if isinstance(part, ToolPart):
            call_id, arguments = _call_id(part, message, own), encode(arguments_of(part.state)).decode()
            return {"type": "function_call", "call_id": call_id, "name": wire_name(part.name), "arguments": arguments}
        text = text_of(part)
        if not text:
            return None
        kept: WireItem = {}
        if own and isinstance(part, TextPart | FilePart):
            kept = (part.metadata or {}).get("openai_responses") or {}
        if isinstance(part, FilePart) and kept.get("id"):
            # The model's own image, as it gave it.
            return {"type": "image_generation_call", "status": "completed", **kept, "result": part.data}
        return {"role": "assistant", "content": text, **kept}


def _sealed(part: ReasoningPart) -> list[WireItem]:
    kept: dict[str, Any] = (part.metadata or {}).get("openai_responses") or {}
    return [kept["item"]] if isinstance(kept.get("item"), dict) else []


def _function(tool: ToolSpec) -> bytes:
    fields = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    # Without a word about it this wire takes every tool as strict.
    return encode({"type": "function", **fields, "strict": tool.strict})


def _content(part: TextPart | FilePart | CompactionPart) -> WireItem | None:
    if isinstance(part, FilePart):
        return _file(part) or {"type": "input_text", "text": note(part)}
    text = text_of(part)
    return {"type": "input_text", "text": text} if text else None


def _file(part: FilePart) -> WireItem | None:
    """The file as this wire carries it, if it does."""
    if is_image(part):
        return {"type": "input_image", "detail": "auto", "image_url": data_url(part)}
    if mime_of(part) != "application/pdf" or not (part.data or part.url):
        return None
    if part.data:
        return {"type": "input_file", "filename": part.name or "file.pdf", "file_data": data_url(part)}
    return {"type": "input_file", "file_url": part.url}


def _call_id(call: ToolPart, message: Message, own: bool) -> str:
    """Ids must be unique in a conversation; those of other providers need not be, and may be longer."""
    if own and _GOOD_ID.fullmatch(call.call_id):
        return call.call_id
    return "call_" + digest(f"{message.id} {call.call_id}", 24)


def _result(call: ToolPart, call_id: str) -> WireItem:
    output: Any = result_text(call.state, lambda part: _file(part) is not None)
    if isinstance(call.state, Completed):
        content = [item for part in call.state.content if (item := _content(part))]
        if any(part["type"] != "input_text" for part in content):
            output = content
    return {"type": "function_call_output", "call_id": call_id, "output": output}
