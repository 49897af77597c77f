"""Read requests of `POST /v1/chat/completions`."""

from collections.abc import Mapping
from typing import Any

from toolpost.models.openai_chat.chunks import file_of
from toolpost.server.gateway.request import GatewayRequest
from toolpost.server.gateway.wires.openai.request_reader import (
    OpenAIConversation,
    RequestFields,
    read_audio,
    read_file,
    read_image,
    shown,
)
from toolpost.server.gateway.wires.openai.tools import OpenAITools, read_function, read_offer, read_output_format
from toolpost.types.messages import Content, FilePart, ReasoningPart, TextPart

_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_REASONING = ("reasoning_content", "reasoning")
# What is read here; all other fields go on as they stand to a server of the same wire.
_KNOWN = frozenset(
    {
        "model",
        "messages",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "functions",
        "function_call",
        "response_format",
        "stop",
        "seed",
        "temperature",
        "top_p",
        "top_k",
        "max_tokens",
        "max_completion_tokens",
        "reasoning_effort",
        "stream",
        "stream_options",
        "n",
        "user",
    }
)


def read(body: dict[str, Any], headers: Mapping[str, str]) -> GatewayRequest:
    """Read a request. Raises `BadRequest` with the path of the field that is wrong."""
    fields = RequestFields(body)
    model = fields.needed_text("model")
    if (fields.whole_number("n", 1) or 1) > 1:
        raise fields.wrong("n", "must be 1: only one answer is given")
    conversation = _conversation(fields)
    messages = conversation.messages()
    if not messages:
        raise fields.wrong("messages", "must contain at least one message with content")
    offer = _offer(fields)
    is_streamed = fields.flag("stream", False)
    return GatewayRequest(
        "openai_chat",
        model,
        messages,
        body,
        system=conversation.system,
        tools=offer.tools,
        tool_choice=offer.choice,
        only_tool=offer.only_tool,
        is_parallel=fields.flag("parallel_tool_calls", True) and not is_legacy(body),
        options=_options(fields),
        output=read_output_format(fields, "response_format", "nested"),
        is_streamed=is_streamed,
        wants_usage=not is_streamed or _wants_usage(fields),
        mcp=offer.mcp,
    )


def is_legacy(body: Mapping[str, Any]) -> bool:
    """Return whether the client uses the older `functions` instead of `tools`: then there is one `function_call` a
    turn."""
    return bool(body.get("functions")) and not body.get("tools")


def _offer(fields: RequestFields) -> OpenAITools:
    if not is_legacy(fields.raw):
        return read_offer(fields, "nested")
    tools = tuple(map(read_function, fields.each("functions")))
    given = fields.raw.get("function_call")
    if given is None or given == "auto":
        return OpenAITools(tools)
    if given == "none":
        return OpenAITools(tools, choice="none")
    named = fields.fields("function_call")
    name = named.needed_text("name")
    if not any(tool.name == name for tool in tools):
        raise named.wrong("name", f"{shown(name)} is not one of the functions of this request")
    return OpenAITools(tools, choice="required", only_tool=name)


def _options(fields: RequestFields) -> dict[str, Any]:
    limit = fields.whole_number("max_completion_tokens", 1) or fields.whole_number("max_tokens", 1)
    given: dict[str, Any] = {
        "temperature": fields.number("temperature"),
        "top_p": fields.number("top_p"),
        "top_k": fields.whole_number("top_k"),
        "max_tokens": limit,
        "stop": _stop(fields),
        "seed": fields.whole_number("seed"),
        "reasoning_effort": fields.text("reasoning_effort") or None,
        "extra": fields.others(_KNOWN) or None,
    }
    return {name: value for name, value in given.items() if value is not None}


def _stop(fields: RequestFields) -> list[str] | None:
    if isinstance(fields.raw.get("stop"), str):
        return [fields.raw["stop"]]
    return fields.texts("stop") or None


def _wants_usage(fields: RequestFields) -> bool:
    return fields.has("stream_options") and fields.fields("stream_options").flag("include_usage", False)


def _conversation(fields: RequestFields) -> OpenAIConversation:
    conversation = OpenAIConversation()
    for message in fields.each("messages"):
        role = message.one_of("role", _ROLES)
        if role in ("system", "developer"):
            conversation.instruct(_joined(message))
        elif role == "user":
            conversation.ask(_content(message))
        elif role == "assistant":
            _read_answer(message, conversation)
            conversation.close()
        elif role == "tool":
            _read_result(message, "tool_call_id", message.needed_text("tool_call_id"), conversation)
        elif role == "function":
            _read_result(message, "name", _legacy_id(message.needed_text("name")), conversation)
        else:
            raise message.wrong("role", f"is missing: it must be one of {', '.join(_ROLES)}")
    return conversation


def _read_answer(message: RequestFields, conversation: OpenAIConversation) -> None:
    for key in _REASONING:
        # Kept with its field: it goes back in the one that it came in.
        if text := message.text(key) if isinstance(message.raw.get(key), str) else "":
            conversation.say(ReasoningPart(text, {"openai_chat": {"field": key}}))
            break
    conversation.say(*_content(message))
    if refusal := message.text("refusal"):
        conversation.say(TextPart(refusal))
    for image in message.items("images"):
        if made := file_of(image):
            conversation.say(FilePart(made.mime, made.data, made.url))
    for call in message.each("tool_calls"):
        _read_call(call, conversation)
    if message.has("function_call"):
        call = message.fields("function_call")
        name = call.needed_text("name")
        conversation.call(_legacy_id(name), name, call.text("arguments"), call.place)


def _read_call(call: RequestFields, conversation: OpenAIConversation) -> None:
    if call.has("type") and call.raw["type"] != "function":
        raise call.wrong("type", 'must be "function"')
    function = call.fields("function")
    extra = call.table("extra_content")
    conversation.call(
        call.needed_text("id"),
        function.needed_text("name"),
        function.text("arguments"),
        call.place,
        {"extra_content": extra} if extra else None,
    )


def _read_result(message: RequestFields, key: str, call_id: str, conversation: OpenAIConversation) -> None:
    if not conversation.answer(call_id, _content(message)):
        raise message.wrong(
            key, f"{shown(message.text(key))} is not the id of an earlier call that still needs a result"
        )


def _legacy_id(name: str) -> str:
    """Return an id for a `function_call`: these calls had no ids, and a result named only its function."""
    return f"call_{name}"


def _joined(message: RequestFields) -> str:
    parts = _content(message)
    if not all(isinstance(part, TextPart) for part in parts):
        raise message.wrong("content", "must be text: instructions can contain only text")
    return "\n".join(part.text for part in parts if isinstance(part, TextPart))


def _content(message: RequestFields) -> list[Content]:
    content = message.raw.get("content")
    if content is None or isinstance(content, str):
        return [TextPart(content)] if content else []
    if not isinstance(content, list):
        raise message.wrong("content", "must be a string or an array of parts")
    return [part for item in message.each("content") if (part := _part(item)) is not None]


def _part(item: RequestFields) -> Content | None:
    kind = item.needed_text("type")
    if kind in ("text", "refusal"):
        text = item.text(kind)
        return TextPart(text) if text else None
    if kind == "image_url":
        # Some clients give the URL itself where an object belongs.
        holder = item if isinstance(item.raw.get(kind), str) else item.fields(kind)
        key = kind if holder is item else "url"
        return read_image(holder.needed_text(key), holder.path(key))
    if kind == "input_audio":
        return read_audio(item.fields(kind))
    if kind == "file":
        return read_file(item.fields(kind))
    raise item.wrong("type", f"must be text, image_url, input_audio or file, not {shown(kind)}")
