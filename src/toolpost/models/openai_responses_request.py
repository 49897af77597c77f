"""Write requests for OpenAI Responses, without any state at the server. Each message is encoded once, as its items."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolpost.types.messages import CompactionPart, Completed, FilePart, Message, ReasoningPart, TextPart, ToolPart

from .contract import ModelRequest, ToolSpec
from .parts import ToolBytes, arguments_of, digest, encode, is_image, is_own, merge, note, result_text, wire_name
from .schemas import Inexpressible, spec_for

# What a server may refuse and can be left out, with what its refusal says.
_OPTIONAL = {
    # Sealed by another organisation or too long ago.
    "sealed": re.compile(r"encrypted.{0,2000}could not be (verified|decrypted|parsed)", re.IGNORECASE | re.DOTALL),
    "include": re.compile(r"encrypted[ _.]content|\binclude\b", re.IGNORECASE),
    "reasoning": re.compile(r"\breasoning\.(effort|summary)\b|reasoning summar", re.IGNORECASE),
    "temperature": re.compile(r"\btemperature\b"),
    "top_p": re.compile(r"\btop_p\b"),
    "store": re.compile(r"\bstore\b"),
}
# This wire has no form for these.
_UNKNOWN = frozenset({"stop", "seed"})
_GOOD_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
Item = dict[str, Any]


class RequestWriter:
    """Writes the bodies of one adapter's requests, and remembers what its server refused.

    `strict` among the extra fields asks for strict tools where their schemas have a strict form.
    """

    def __init__(
        self,
        model: str,
        provider: str,
        extra_body: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._model = model
        self._provider = provider
        self._extra_body = dict(extra_body or {})
        self._options = dict(options or {})
        self._refused: set[str] = set()
        self._tools = ToolBytes(lambda tools: _encode_tools(tools, strict=False))
        self._strict_tools = ToolBytes(lambda tools: _encode_tools(tools, strict=True))

    def body(self, request: ModelRequest) -> bytes:
        fields, strict = self._fields(request)
        extra_tools = fields.pop("tools", None)
        tools = (self._strict_tools if strict else self._tools).of(request.tools)
        if extra_tools:
            tools = b",".join(filter(None, [tools, encode(extra_tools)[1:-1]]))
        encoder = self.unsealed_message if "sealed" in self._refused else self.message
        conversation = request.memo.join(request.messages, encoder)
        pieces: list[bytes | bytearray] = [encode(fields)[:-1], b',"input":[', conversation, b"]"]
        if tools:
            pieces += [b',"tools":[', tools, b"]"]
        pieces.append(b"}")
        return b"".join(pieces)

    def message(self, message: Message) -> bytes:
        """One message as items, joined by commas; empty if it says nothing."""
        # Reasoning goes back as it came, to the model it came from: others refuse it.
        same = message.model == f"{self._provider}/{self._model}"
        return self._message(message, same)

    def unsealed_message(self, message: Message) -> bytes:
        """A message without its sealed reasoning, for a server that cannot open it any more."""
        return self._message(message, False)

    def gives_way(self, refusal: str) -> bool:
        """Remember to leave out what a refusal names. False if it names nothing that can be left out."""
        for name, pattern in _OPTIONAL.items():
            if name not in self._refused and pattern.search(refusal):
                self._refused.add(name)
                return True
        return False

    def _fields(self, request: ModelRequest) -> tuple[dict[str, Any], bool]:
        options = {**self._options, **request.options}
        extra, effort = options.pop("extra", None), options.pop("reasoning_effort", None)
        limit = options.pop("max_tokens", None)
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
        merge(fields, self._extra_body)
        merge(fields, extra or {})
        strict = bool(fields.pop("strict", False))
        return {name: value for name, value in fields.items() if name not in self._refused}, strict

    def _message(self, message: Message, same: bool) -> bytes:
        items = self._user(message) if message.role == "user" else self._assistant(message, same)
        return b",".join(map(encode, items))

    def _user(self, message: Message) -> list[Item]:
        spoken = [part for part in message.parts if isinstance(part, TextPart | FilePart | CompactionPart)]
        content = [item for part in spoken if (item := _content(part))]
        if not content:
            return []
        texts = [item["text"] for item in content if item["type"] == "input_text"]
        return [{"role": "user", "content": "\n".join(texts) if len(texts) == len(content) else content}]

    def _assistant(self, message: Message, same: bool) -> list[Item]:
        """What the model did in its own order, then the results of all its calls."""
        own = is_own(message, self._provider)
        items: list[Item] = []
        sealed: list[Item] = []
        for part in message.parts:
            if isinstance(part, ReasoningPart):
                sealed += _sealed(part) if same else []
            elif item := self._said(part, message, own):
                # Reasoning is refused without the item that came of it, so it waits for one.
                items += [*sealed, item]
                sealed = []
        return items + [_result(call, _call_id(call, message, own)) for call in message.calls]

    def _said(self, part: Any, message: Message, own: bool) -> Item | None:
        if isinstance(part, ToolPart):
            call_id, arguments = _call_id(part, message, own), encode(arguments_of(part.state)).decode()
            return {"type": "function_call", "call_id": call_id, "name": wire_name(part.name), "arguments": arguments}
        text = ""
        if isinstance(part, TextPart):
            text = part.text
        elif isinstance(part, FilePart | CompactionPart):
            text = note(part) if isinstance(part, FilePart) else part.summary
        if not text:
            return None
        kept = (part.metadata or {}).get("openai_responses") if own and isinstance(part, TextPart) else None
        return {"role": "assistant", "content": text, **(kept or {})}


def _sealed(part: ReasoningPart) -> list[Item]:
    kept: dict[str, Any] = (part.metadata or {}).get("openai_responses") or {}
    return [kept["item"]] if isinstance(kept.get("item"), dict) else []


def _encode_tools(tools: Sequence[ToolSpec], *, strict: bool) -> bytes:
    return b",".join(encode(_function(tool, strict)) for tool in tools)


def _function(tool: ToolSpec, strict: bool) -> dict[str, Any]:
    told, strict = _told(tool, strict)
    fields = {"name": told.name, "description": told.description, "parameters": told.parameters}
    # Without a word about it this wire takes every tool as strict.
    return {"type": "function", **fields, "strict": strict}


def _told(tool: ToolSpec, strict: bool) -> tuple[ToolSpec, bool]:
    """The tool in the stricter form that it has, and whether that is the strict one."""
    if strict:
        try:
            return spec_for(tool, "openai_strict"), True
        except Inexpressible:
            pass
    return spec_for(tool, "openai"), False


def _content(part: TextPart | FilePart | CompactionPart) -> Item | None:
    if not isinstance(part, FilePart):
        text = part.text if isinstance(part, TextPart) else part.summary
        return {"type": "input_text", "text": text} if text else None
    data = f"data:{part.mime};base64,{part.data}" if part.data else ""
    if is_image(part):
        return {"type": "input_image", "detail": "auto", "image_url": data or part.url}
    if part.mime == "application/pdf" and data:
        return {"type": "input_file", "filename": part.name or "file.pdf", "file_data": data}
    if part.mime == "application/pdf" and part.url:
        return {"type": "input_file", "file_url": part.url}
    return {"type": "input_text", "text": note(part)}


def _call_id(call: ToolPart, message: Message, own: bool) -> str:
    """Ids must be unique in a conversation; those of other providers need not be, and may be longer."""
    if own and _GOOD_ID.fullmatch(call.call_id):
        return call.call_id
    return "call_" + digest(f"{message.id} {call.call_id}", 24)


def _result(call: ToolPart, call_id: str) -> Item:
    output: Any = result_text(call.state)
    if isinstance(call.state, Completed):
        content = [item for part in call.state.content if (item := _content(part))]
        if any(part["type"] != "input_text" for part in content):
            output = content
    return {"type": "function_call_output", "call_id": call_id, "output": output}
