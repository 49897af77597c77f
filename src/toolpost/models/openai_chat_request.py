"""Write requests for the OpenAI chat wire. Each message is encoded once; a body is its messages' bytes joined."""

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
from .parts import ToolBytes, arguments_of, digest, encode, is_image, is_own, merge, note, result_text, wire_name

_GOOD_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
_ECHOED_FIELDS = frozenset({"reasoning_content", "reasoning"})


class RequestWriter:
    """Writes the bodies of one adapter's requests."""

    def __init__(
        self,
        model: str,
        provider: str,
        extra_body: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._options = dict(options or {})
        self._model = model
        self._provider = provider
        self._extra_body = dict(extra_body or {})
        self._tools = ToolBytes(_encode_tools)

    def body(self, request: ModelRequest, *, stream_options: bool = True) -> bytes:
        fields = self._fields(request, stream_options)
        extra_tools = fields.pop("tools", None)
        conversation = request.memo.join(request.messages, self.message)
        system = "\n\n".join(part for part in request.system if part)
        head = encode({"role": "system", "content": system}) if system else b""
        comma = b"," if head and conversation else b""
        pieces: list[bytes | bytearray] = [encode(fields)[:-1], b',"messages":[', head, comma, conversation, b"]"]
        tools = self._tools.of(request.tools)
        if extra_tools:
            tools = b",".join(filter(None, [tools, encode(extra_tools)[1:-1]]))
        if tools:
            pieces += [b',"tools":[', tools, b"]"]
        pieces.append(b"}")
        return b"".join(pieces)

    def message(self, message: Message) -> bytes:
        """One message as one or more wire messages, joined by commas; empty if it says nothing."""
        wire = [self._user(message)] if message.role == "user" else self._assistant(message)
        return b",".join(encode(item) for item in wire if item)

    def _fields(self, request: ModelRequest, stream_options: bool) -> dict[str, Any]:
        fields: dict[str, Any] = {"model": self._model, "stream": True}
        if stream_options:
            fields["stream_options"] = {"include_usage": True}
        if request.tools and request.tool_choice != "auto":
            fields["tool_choice"] = request.tool_choice
        options = {**self._options, **request.options}
        extra = options.pop("extra", None)
        for name, value in options.items():
            if value is None or (name == "parallel_tool_calls" and not request.tools):
                continue
            if name == "max_tokens" and self._provider == "openai":
                name = "max_completion_tokens"
            elif name == "top_k" and self._provider == "openai":
                continue
            fields[name] = value
        merge(fields, self._extra_body)
        merge(fields, extra or {})
        return fields

    def _user(self, message: Message) -> dict[str, Any] | None:
        spoken = [part for part in message.parts if isinstance(part, TextPart | FilePart | CompactionPart)]
        parts = [part for part in map(self._content, spoken) if part.get("text") != ""]
        if not parts:
            return None
        # Plain text where that is all: chat templates of small servers know no list of parts.
        texts = [part["text"] for part in parts if part["type"] == "text"]
        return {"role": "user", "content": "\n".join(texts) if len(texts) == len(parts) else parts}

    def _assistant(self, message: Message) -> list[dict[str, Any]]:
        calls = message.calls
        text = message.text
        notes = [note(part) for part in message.parts if isinstance(part, FilePart)]
        notes += [part.summary for part in message.parts if isinstance(part, CompactionPart)]
        content = "\n".join(filter(None, [text, *notes]))
        if not content and not calls:
            return []
        wire: dict[str, Any] = {"role": "assistant", "content": content or None}
        if calls:
            wire |= self._reasoning(message)
            wire["tool_calls"] = [self._call(call, message) for call in calls]
        images = [part for call in calls for part in self._images(call)]
        results = [self._result(call) for call in calls]
        return [wire, *results, {"role": "user", "content": images}] if images else [wire, *results]

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

    def _call(self, call: ToolPart, message: Message) -> dict[str, Any]:
        arguments = encode(arguments_of(call.state)).decode()
        function = {"name": wire_name(call.name), "arguments": arguments}
        wire: dict[str, Any] = {"id": self._id(call.call_id), "type": "function", "function": function}
        if call.metadata and is_own(message, self._provider) and (extra := call.metadata.get("extra_content")):
            wire["extra_content"] = extra
        return wire

    def _result(self, call: ToolPart) -> dict[str, Any]:
        return {"role": "tool", "tool_call_id": self._id(call.call_id), "content": result_text(call.state)}

    def _images(self, call: ToolPart) -> list[dict[str, Any]]:
        """A tool message holds text only, so the images of a result follow in a user message."""
        if not isinstance(call.state, Completed):
            return []
        images = [part for part in call.state.content if isinstance(part, FilePart) and is_image(part)]
        if not images:
            return []
        title: dict[str, Any] = {
            "type": "text",
            "text": f"Images from the call {self._id(call.call_id)} ({call.name}):",
        }
        return [title, *(_image(part) for part in images)]

    def _content(self, part: TextPart | FilePart | CompactionPart) -> dict[str, Any]:
        if isinstance(part, TextPart):
            return {"type": "text", "text": part.text}
        if isinstance(part, CompactionPart):
            return {"type": "text", "text": part.summary}
        if is_image(part):
            return _image(part)
        if part.data and part.mime == "application/pdf":
            name = part.name or "file.pdf"
            return {"type": "file", "file": {"filename": name, "file_data": f"data:{part.mime};base64,{part.data}"}}
        if part.data and part.mime in ("audio/wav", "audio/mpeg", "audio/mp3"):
            kind = "wav" if part.mime == "audio/wav" else "mp3"
            return {"type": "input_audio", "input_audio": {"data": part.data, "format": kind}}
        return {"type": "text", "text": note(part)}

    def _id(self, call_id: str) -> str:
        """Ids of other providers may be longer than this wire takes; Mistral takes nine letters or digits only."""
        if self._provider == "mistral":
            good = len(call_id) == 9 and call_id.isalnum()
            return call_id if good else digest(call_id, 9)
        if _GOOD_ID.fullmatch(call_id):
            return call_id
        return "call_" + digest(call_id, 24)


def _encode_tools(tools: Sequence[ToolSpec]) -> bytes:
    return b",".join(encode({"type": "function", "function": _function(tool)}) for tool in tools)


def _function(tool: ToolSpec) -> dict[str, Any]:
    # Imported here: nothing but tools needs it.
    from .schemas import spec_for

    told = spec_for(tool, "openai")
    return {"name": told.name, "description": told.description, "parameters": told.parameters}


def _image(part: FilePart) -> dict[str, Any]:
    url = f"data:{part.mime};base64,{part.data}" if part.data else part.url
    return {"type": "image_url", "image_url": {"url": url}}
