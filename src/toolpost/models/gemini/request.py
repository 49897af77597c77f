"""Encode requests for Gemini's generateContent. Each message is encoded once, as its contents."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, cast

from toolpost.models.contract import ModelRequest
from toolpost.models.message_parts import (
    arguments_of,
    encode,
    mime_of,
    note,
    result_files,
    result_text,
    text_of,
    wire_name,
)
from toolpost.models.request_writer import RequestWriter, assemble
from toolpost.models.schemas.provider_schema import spec_for
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

# Stands for the signature of a call that this model did not make: Gemini 3 refuses a call without any.
UNSIGNED = "skip_thought_signature_validator"
BUDGETS = {"none": 0, "minimal": 512, "low": 1024, "medium": 8192, "high": 24_576, "xhigh": 24_576, "max": 24_576}
LEVELS = {"none": "minimal", "minimal": "minimal", "low": "low", "medium": "medium"}

_OLDER = re.compile(r"gemini-(1|2)\b|gemini-exp|gemma|learnlm")
_GENERATION = {
    "temperature": "temperature",
    "top_p": "topP",
    "top_k": "topK",
    "max_tokens": "maxOutputTokens",
    "stop": "stopSequences",
    "seed": "seed",
}
_MODES = {"required": "ANY", "none": "NONE"}
_MEDIA = re.compile(r"image/(png|jpeg|webp|heic|heif)$|(audio|video)/|application/pdf$")
# A model's turn ends with \x03, which JSON never holds: two of them side by side become one.
_MODEL = b'{"role":"model","parts":['
_GO_ON = b'{"role":"user","parts":[{"text":"Go on."}]},'
WirePart = dict[str, Any]


class GeminiRequestWriter(RequestWriter):
    refusable: ClassVar = {
        "json_schema": re.compile(r"parameters_?json_?schema", re.IGNORECASE),
        "signatures": re.compile(r"thought.?signature", re.IGNORECASE),
        "thinking": re.compile(r"thinking", re.IGNORECASE),
    }

    def body(self, request: ModelRequest) -> bytes:
        declared = self._tools.of(request.tools)
        tools = b'{"functionDeclarations":[' + declared + b"]}" if declared else b""
        return assemble(self._fields(request), "contents", [self._contents(request)], tools)

    def message(self, message: Message) -> bytes:
        # Another model has no use for a signature, even one of the same house.
        return self._message(message, message.model == f"{self._provider}/{self._model}")

    def unsigned_message(self, message: Message) -> bytes:
        """A message without its signatures, for a server that does not know them any more."""
        return self._message(message, False)

    @cached_property
    def _older(self) -> bool:
        return bool(_OLDER.search(self._model))

    def _tool(self, tool: ToolSpec) -> bytes:
        plain = "json_schema" in self._refused
        told = spec_for(tool, "gemini" if plain else "gemini_json")
        declaration: dict[str, Any] = {"name": told.name, "description": told.description}
        # An object without fields is refused: a tool without parameters has no schema at all.
        if told.parameters["properties"] or told.parameters.get("additionalProperties"):
            declaration["parameters" if plain else "parametersJsonSchema"] = told.parameters
        return encode(declaration)

    def _message(self, message: Message, own: bool) -> bytes:
        if message.role == "user":
            spoken = [part for part in message.parts if isinstance(part, TextPart | FilePart | CompactionPart)]
            return _turn([part for item in spoken if (part := _spoken(item))])
        said = [part for item in message.parts if (part := self._said(item, own))]
        if not said:
            return b""
        self._sign(said)
        results = [self._result(call, own) for call in message.calls]
        turns = [_MODEL + b",".join(map(encode, said)) + b"]}\x03", _turn(results)]
        if self._older:
            turns.append(_turn([part for call in message.calls for part in _titled_media(call)]))
        return b",".join(filter(None, turns))

    def _fields(self, request: ModelRequest) -> dict[str, Any]:
        options, extra = self._given(request)
        effort = options.pop("reasoning_effort", None)
        fields: dict[str, Any] = {}
        system = [{"text": part} for part in request.system if part]
        if system:
            fields["systemInstruction"] = {"parts": system}
        if request.tools and request.tool_choice in _MODES:
            fields["toolConfig"] = {"functionCallingConfig": {"mode": _MODES[request.tool_choice]}}
        config: dict[str, Any] = {}
        for name, wire in _GENERATION.items():
            if (value := options.pop(name, None)) is not None:
                config[wire] = [value] if name == "stop" and isinstance(value, str) else value
        if effort is not None and "thinking" not in self._refused:
            config["thinkingConfig"] = self._thinking(str(effort))
        if config:
            fields["generationConfig"] = config
        # This wire has no switch for parallel calls, and refuses fields that it does not know.
        options.pop("parallel_tool_calls", None)
        fields |= {name: value for name, value in options.items() if value is not None}
        return self._extended(fields, extra)

    def _thinking(self, effort: str) -> dict[str, Any]:
        if self._older:
            budget = BUDGETS.get(effort, -1)
            return {"thinkingBudget": budget, "includeThoughts": budget != 0}
        return {"thinkingLevel": LEVELS.get(effort, "high"), "includeThoughts": True}

    def _contents(self, request: ModelRequest) -> bytes:
        encoder = self.unsigned_message if "signatures" in self._refused else self.message
        contents = bytes(request.memo.join(request.messages, encoder))
        contents = contents.replace(b"]}\x03," + _MODEL, b",").replace(b"\x03", b"")
        return _GO_ON + contents if contents.startswith(_MODEL) else contents

    def _said(self, part: Part, own: bool) -> WirePart | None:
        kept = _kept(part) if own else {}
        signed = {"thoughtSignature": kept["signature"]} if kept.get("signature") else {}
        if isinstance(part, ToolPart):
            call = {"name": wire_name(part.name), "args": arguments_of(part.state)}
            return {"functionCall": {**call, "id": part.call_id} if kept.get("id") else call, **signed}
        if isinstance(part, ReasoningPart):
            return {"text": part.text, "thought": True, **signed} if signed else None
        if isinstance(part, FilePart) and part.data and (medium := _medium(part)):
            return {**medium, **signed}
        text = text_of(part)
        return {"text": text, **signed} if text else None

    def _sign(self, said: list[WirePart]) -> None:
        """The first call of a turn has to be signed; those beside it need not."""
        first = next((part for part in said if "functionCall" in part), None)
        if first is not None and "thoughtSignature" not in first and not self._older:
            first["thoughtSignature"] = UNSIGNED

    def _result(self, call: ToolPart, own: bool) -> WirePart:
        done = isinstance(call.state, Completed)
        response: dict[str, Any] = {
            "name": wire_name(call.name),
            "response": {"output" if done else "error": result_text(call.state, _is_media)},
        }
        if own and _kept(call).get("id"):
            response["id"] = call.call_id
        if not self._older and (media := _media(call)):
            response["parts"] = media
        return {"functionResponse": response}


def _kept(part: Part) -> dict[str, Any]:
    """What came with a part and goes back with it."""
    metadata = part.metadata if isinstance(part, TextPart | ReasoningPart | ToolPart | FilePart) else None
    kept: Any = (metadata or {}).get("gemini")
    return cast("dict[str, Any]", kept) if isinstance(kept, dict) else {}


def _turn(parts: Sequence[WirePart]) -> bytes:
    return b'{"role":"user","parts":[' + b",".join(map(encode, parts)) + b"]}" if parts else b""


def _spoken(part: TextPart | FilePart | CompactionPart) -> WirePart | None:
    if isinstance(part, FilePart):
        return _medium(part) or {"text": note(part)}
    text = text_of(part)
    return {"text": text} if text else None


def _medium(part: FilePart) -> WirePart | None:
    """The file as this wire carries it, if it does."""
    mime = mime_of(part)
    if not _MEDIA.match(mime):
        return None
    if part.data:
        return {"inlineData": {"mimeType": mime, "data": part.data}}
    return {"fileData": {"mimeType": mime, "fileUri": part.url}} if part.url else None


def _is_media(part: FilePart) -> bool:
    """True for what can go with a result: no addresses."""
    return bool(part.data) and _medium(part) is not None


def _media(call: ToolPart) -> list[WirePart]:
    return [medium for part in result_files(call.state) if _is_media(part) and (medium := _medium(part))]


def _titled_media(call: ToolPart) -> list[WirePart]:
    """Older models take only text in a result, so what else it holds follows in a turn of its own."""
    media = _media(call)
    return [{"text": f"From the call of {call.name}:"}, *media] if media else []
