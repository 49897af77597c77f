"""Decode the chunks of the OpenAI chat stream: typed, and leniently for servers whose types are off."""

from typing import Any, cast

import msgspec
from msgspec import Struct

from toolpost.models.stream_reader import whole_characters
from toolpost.types.messages import Usage
from toolpost.types.stream import GeneratedFile


class ChatFunction(Struct, gc=False):
    name: str | None = None
    arguments: str | None = None


class ChatCallDelta(Struct):
    """One entry of `delta.tool_calls`."""

    index: int | None = None
    id: str | None = None
    function: ChatFunction | None = None
    extra_content: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        return (self.function.name or "") if self.function is not None else ""

    @property
    def text(self) -> str:
        """What comes of the arguments."""
        return (self.function.arguments or "") if self.function is not None else ""


class ChatDelta(Struct):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[ChatCallDelta] | None = None
    refusal: str | None = None
    images: list[Any] | None = None


class ChatChoice(Struct):
    delta: ChatDelta | None = None
    message: ChatDelta | None = None
    finish_reason: str | None = None
    index: int | None = 0
    usage: Any = None


class ChatChunk(Struct):
    """One event of the stream, or, with `message` in place of `delta`, a whole answer."""

    choices: list[ChatChoice] | None = None
    usage: Any = None
    error: Any = None
    message: Any = None
    x_groq: dict[str, Any] | None = None


decode_chunk = msgspec.json.Decoder(ChatChunk).decode


def read_chunk(payload: bytes) -> ChatChunk:
    """Decode one payload; a server whose types are off is read field by field. Raises `ValueError`."""
    try:
        return decode_chunk(payload)
    except msgspec.ValidationError:
        return loose_chunk(payload)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return loose_chunk(whole_characters(payload))


def loose_chunk(payload: bytes) -> ChatChunk:
    value: Any = msgspec.json.decode(payload)
    if not isinstance(value, dict):
        return ChatChunk(error=value) if isinstance(value, str) else ChatChunk()
    fields = cast("dict[str, Any]", value)
    return ChatChunk(
        [_loose_choice(item) for item in _dicts(fields.get("choices"))],
        fields.get("usage"),
        fields.get("error"),
        fields.get("message"),
    )


def file_of(image: Any) -> GeneratedFile | None:
    """The file of one entry of `images`, a form that OpenRouter and other gateways share."""
    url = _text(_dict(_dict(image).get("image_url")).get("url")) or ""
    head, comma, data = url.partition(";base64,")
    if comma and head.startswith("data:"):
        return GeneratedFile(head.removeprefix("data:"), data)
    return GeneratedFile("image/png", url=url) if url.startswith(("https://", "http://")) else None


def usage_of(value: Any) -> Usage | None:
    """Usage from any of the shapes in use; None where there is none."""
    if not isinstance(value, dict) or not value:
        return None
    fields = cast("dict[str, Any]", value)
    prompt = _dict(fields.get("prompt_tokens_details") or fields.get("input_tokens_details"))
    completion = _dict(fields.get("completion_tokens_details") or fields.get("output_tokens_details"))
    return Usage(
        input=_count(fields, "prompt_tokens", "input_tokens"),
        output=_count(fields, "completion_tokens", "output_tokens"),
        reasoning=_count(completion, "reasoning_tokens"),
        cache_read=_count(prompt, "cached_tokens") or _count(fields, "prompt_cache_hit_tokens", "cached_tokens"),
        cache_write=_count(prompt, "cache_write_tokens", "cache_creation_tokens", "cache_creation_input_tokens"),
    )


def _loose_choice(fields: dict[str, Any]) -> ChatChoice:
    delta = _loose_delta(_dict(fields.get("delta"))) if fields.get("delta") else None
    message = _loose_delta(_dict(fields.get("message"))) if fields.get("message") else None
    reason, index = _text(fields.get("finish_reason")), _int(fields.get("index")) or 0
    return ChatChoice(delta, message, reason, index, fields.get("usage"))


def _loose_delta(fields: dict[str, Any]) -> ChatDelta:
    return ChatDelta(
        content=_text(fields.get("content")),
        reasoning_content=_text(fields.get("reasoning_content")),
        reasoning=_text(fields.get("reasoning")),
        refusal=_text(fields.get("refusal")),
        images=_dicts(fields.get("images")) or None,
        tool_calls=[_loose_call(item) for item in _dicts(fields.get("tool_calls"))],
    )


def _loose_call(fields: dict[str, Any]) -> ChatCallDelta:
    function = _dict(fields.get("function"))
    arguments = function.get("arguments")
    text = msgspec.json.encode(arguments).decode() if isinstance(arguments, dict) else _text(arguments)
    return ChatCallDelta(
        _int(fields.get("index")),
        _text(fields.get("id")),
        ChatFunction(_text(function.get("name")), text),
        _dict(fields.get("extra_content")) or None,
    )


def _dicts(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [cast("dict[str, Any]", value)]
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [item for item in items if isinstance(item, dict)]


def _dict(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    """A text, the texts of a list of parts, or a number as it reads."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_text(part.get("text")) or "" for part in _dicts(cast("list[Any]", value))) or None
    return str(value) if isinstance(value, int | float) else None


def _int(value: Any) -> int | None:
    if isinstance(value, str) and value.strip().isdigit():
        return int(value)
    return int(value) if isinstance(value, int | float) else None


def _count(fields: dict[str, Any], *names: str) -> int:
    for name in names:
        if fields and (number := _int(fields.get(name))):
            return number
    return 0
