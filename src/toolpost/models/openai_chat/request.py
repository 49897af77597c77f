"""Encode requests for the OpenAI chat wire. Each message is encoded once; a body is its messages' bytes joined."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec
from msgspec import Raw

from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.contract import ModelRequest
from toolpost.models.message_parts import (
    arguments_of,
    data_url,
    digest,
    encode,
    is_image,
    is_own,
    mime_of,
    note,
    result_files,
    result_text,
    text_of,
    wire_name,
)
from toolpost.models.provider_names import canonical_provider
from toolpost.models.request_writer import RequestWriter, assemble, system_message
from toolpost.types.messages import CompactionPart, FilePart, Message, ReasoningPart, TextPart, ToolPart
from toolpost.types.tool_spec import ToolSpec

_GOOD_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
_ECHOED_FIELDS = frozenset({"reasoning_content", "reasoning"})
# Who wants thinking back in the tags that it came in.
_ECHOES_TAGS = frozenset({"minimax"})
_NO_THINKING = ("none", "off", "false", "minimal")
_AUDIO = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3"}


class OpenAIChatRequestWriter(RequestWriter):
    refusable: ClassVar = {"stream_options": re.compile(r"stream_options|include_usage")}

    def __init__(self, settings: AdapterSettings) -> None:
        super().__init__(settings)
        self._switches_thinking = canonical_provider(settings.provider) == "ark"

    def body(self, request: ModelRequest) -> bytes:
        conversation = request.memo.join(request.messages, self.message)
        messages = system_message(request.system, conversation)
        return assemble(self._fields(request), "messages", messages, self._tools.of(request.tools))

    def message(self, message: Message) -> bytes:
        wire = [self._user(message)] if message.role == "user" else self._assistant(message)
        return b",".join(encode(item) for item in wire if item)

    def _needed(self, fields: Mapping[str, Raw]) -> dict[str, Raw]:
        """Usage, even if the client does not ask for it: we count it in any case."""
        given: Any = msgspec.json.decode(fields.get("stream_options", b"null")) or {}
        is_streamed = bytes(fields.get("stream", b"")) == b"true"
        if "stream_options" in self._refused or not is_streamed or not isinstance(given, dict):
            return {}
        return {"stream_options": Raw(encode({**given, "include_usage": True}))}

    def _tool(self, tool: ToolSpec) -> bytes:
        # Imported here: nothing but tools needs it.
        from toolpost.models.schemas.provider_schema import openai_spec

        told = openai_spec(tool)
        function: dict[str, Any] = {"name": told.name, "description": told.description, "parameters": told.parameters}
        if told.strict:
            # Said only where it is so: it is not strict by itself on this wire, and not every server knows the field.
            function["strict"] = True
        return encode({"type": "function", "function": function})

    def _fields(self, request: ModelRequest) -> dict[str, Any]:
        options, extra = self._given(request)
        fields: dict[str, Any] = {"model": self._model, "stream": True}
        if "stream_options" not in self._refused:
            fields["stream_options"] = {"include_usage": True}
        if request.tools and request.tool_choice != "auto":
            fields["tool_choice"] = request.tool_choice
        for name, value in options.items():
            if value is None or (name == "parallel_tool_calls" and not request.tools):
                continue
            if name == "max_tokens" and self._provider == "openai":
                name = "max_completion_tokens"
            elif name == "top_k" and self._provider == "openai":
                continue
            elif name == "reasoning_effort" and self._switches_thinking and (value is False or value in _NO_THINKING):
                # Thinking is on by itself there.
                fields["thinking"] = {"type": "disabled"}
                continue
            fields[name] = value
        return self._extended(fields, extra)

    def _user(self, message: Message) -> dict[str, Any] | None:
        spoken = [part for part in message.parts if isinstance(part, TextPart | FilePart | CompactionPart)]
        parts = [part for part in map(_content, spoken) if part.get("text") != ""]
        if not parts:
            return None
        # Plain text where that is all: chat templates of small servers know no list of parts.
        texts = [part["text"] for part in parts if part["type"] == "text"]
        return {"role": "user", "content": "\n".join(texts) if len(texts) == len(parts) else parts}

    def _assistant(self, message: Message) -> list[dict[str, Any]]:
        calls = message.calls
        told = [text_of(part) for part in message.parts if isinstance(part, FilePart | CompactionPart)]
        content = "\n".join(filter(None, [self._tagged_thought(message) + message.text, *told]))
        if not content and not calls:
            return []
        wire: dict[str, Any] = {"role": "assistant", "content": content or None}
        if calls:
            wire |= self._reasoning(message)
            wire["tool_calls"] = [self._call(call, message) for call in calls]
        results = [self._result(call) for call in calls]
        files = [*self._files_made(message), *(part for call in calls for part in self._files(call))]
        return [wire, *results, {"role": "user", "content": files}] if files else [wire, *results]

    def _reasoning(self, message: Message) -> dict[str, str]:
        """Thinking goes back in the field it came in, to the provider it came from: some refuse a call without it."""
        if not is_own(message, self._provider):
            return {}
        fields: dict[str, str] = {}
        for part in message.parts:
            if isinstance(part, ReasoningPart) and (kept := (part.metadata or {}).get("openai_chat")):
                field = str(kept.get("field"))
                if field in _ECHOED_FIELDS:
                    fields[field] = fields.get(field, "") + part.text
        return fields

    def _tagged_thought(self, message: Message) -> str:
        if self._provider not in _ECHOES_TAGS or not is_own(message, self._provider):
            return ""
        thought = "".join(part.text for part in message.parts if isinstance(part, ReasoningPart))
        return f"<think>{thought}</think>\n\n" if thought else ""

    def _call(self, call: ToolPart, message: Message) -> dict[str, Any]:
        arguments = encode(arguments_of(call.state)).decode()
        function = {"name": wire_name(call.name), "arguments": arguments}
        wire: dict[str, Any] = {"id": self._id(call.call_id), "type": "function", "function": function}
        if call.metadata and is_own(message, self._provider) and (extra := call.metadata.get("extra_content")):
            wire["extra_content"] = extra
        return wire

    def _result(self, call: ToolPart) -> dict[str, Any]:
        content = result_text(call.state, lambda part: _file(part) is not None)
        return {"role": "tool", "tool_call_id": self._id(call.call_id), "content": content}

    def _files(self, call: ToolPart) -> list[dict[str, Any]]:
        """A tool message holds text only, so the files of a result follow in a user message."""
        files = [shown for part in result_files(call.state) if (shown := _file(part))]
        return _titled(f"From the call {self._id(call.call_id)} ({call.name}):", files)

    def _files_made(self, message: Message) -> list[dict[str, Any]]:
        """So does an assistant's. An image goes back only to who made it: another may not be able to see."""
        if not is_own(message, self._provider):
            return []
        files = [_file(part) for part in message.parts if isinstance(part, FilePart) and is_image(part)]
        return _titled("From your last answer:", [shown for shown in files if shown])

    def _id(self, call_id: str) -> str:
        """Ids of other providers may be longer than this wire takes; Mistral takes nine letters or digits only."""
        if self._provider == "mistral":
            good = len(call_id) == 9 and call_id.isalnum()
            return call_id if good else digest(call_id, 9)
        if _GOOD_ID.fullmatch(call_id):
            return call_id
        return "call_" + digest(call_id, 24)


def _content(part: TextPart | FilePart | CompactionPart) -> dict[str, Any]:
    if isinstance(part, FilePart):
        return _file(part) or {"type": "text", "text": note(part)}
    return {"type": "text", "text": text_of(part)}


def _file(part: FilePart) -> dict[str, Any] | None:
    """The file as this wire carries it, if it does."""
    if is_image(part):
        return {"type": "image_url", "image_url": {"url": data_url(part)}}
    if part.data and mime_of(part) == "application/pdf":
        return {"type": "file", "file": {"filename": part.name or "file.pdf", "file_data": data_url(part)}}
    if part.data and (kind := _AUDIO.get(mime_of(part))):
        return {"type": "input_audio", "input_audio": {"data": part.data, "format": kind}}
    return None


def _titled(title: str, files: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": title}, *files] if files else []
