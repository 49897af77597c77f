"""Read requests of `POST /v1/responses`, with the items of the conversation that they continue."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from msgspec import Struct, structs

from toolpost.mcp.names import server_words
from toolpost.models.message_parts import encode
from toolpost.server.gateway.request import GatewayRequest
from toolpost.server.gateway.wires.openai.request_reader import (
    OpenAIConversation,
    RequestFields,
    read_audio,
    read_file,
    read_image,
    settled_call,
    shown,
)
from toolpost.server.gateway.wires.openai.tools import (
    OpenAITools,
    flat_name,
    mcp_tool_name,
    read_offer,
    read_output_format,
)
from toolpost.server.gateway.wires.sealed_reasoning import unseal
from toolpost.server.refusals import BadRequest
from toolpost.types.messages import Content, FilePart, ReasoningPart, TextPart

# What is read here; all other fields go on as they stand to a server of the same wire.
_KNOWN = frozenset(
    {
        "model",
        "input",
        "instructions",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "text",
        "reasoning",
        "max_output_tokens",
        "temperature",
        "top_p",
        "stream",
        "stream_options",
        "store",
        "include",
        "user",
        "previous_response_id",
        "conversation",
        "background",
        "prompt",
        "generate",
    }
)
_ROLES = ("user", "assistant", "system", "developer")
_INSTEAD = {"input_image": "image_url", "input_file": "file_data"}
# What only the server that made it may have kept.
_ELSEWHERE = {
    "previous_response_id": "refers to a response that is not stored here: send all earlier items as input",
    "conversation": "refers to a conversation that is not stored here: send all earlier items as input",
    "prompt": "is not supported, because prompts are not stored here: send the text as instructions and input",
}
# Steps of OpenAI's own tools, which come back with the history: what came of them is in the messages around them.
_OF_THE_HOST = frozenset(
    {
        "mcp_list_tools",
        "mcp_approval_request",
        "mcp_approval_response",
        "web_search_call",
        "file_search_call",
        "code_interpreter_call",
        "computer_call",
        "computer_call_output",
    }
)


class RelayOnly(BadRequest):
    """The request has something that only another server of this wire may know: it can only be passed on unchanged."""


class EarlierItems(Struct, frozen=True):
    """The conversation before a request: the `items` that it continues, and the items that it refers to, by their ids.
    `follows` is the provider whose server also stores it, if one does."""

    items: Sequence[dict[str, Any]] = ()
    named: Mapping[str, dict[str, Any]] = {}
    follows: str = ""


def read(body: dict[str, Any], headers: Mapping[str, str], earlier: EarlierItems | None = None) -> GatewayRequest:
    """Read a request. Raises `BadRequest` with the path of the field that is wrong."""
    fields = RequestFields(body)
    model = fields.needed_text("model")
    for key, why in _ELSEWHERE.items():
        if fields.has(key) and (earlier is None or key == "prompt"):
            raise RelayOnly(f"{fields.path(key)} {why}", param=fields.path(key))
    if fields.flag("background", False):
        raise fields.wrong("background", "must be false: responses in the background are not supported")
    offer = read_offer(fields, "flat")
    conversation = _Reader(offer, earlier or EarlierItems()).conversation(fields)
    messages = conversation.messages()
    if not messages:
        raise fields.wrong("input", "must be a string that is not empty, or an array with at least one message")
    text = fields.fields("text") if fields.has("text") else RequestFields({}, "text")
    return GatewayRequest(
        "openai_responses",
        model,
        messages,
        body,
        system=(*conversation.system, *offer.notes),
        tools=offer.tools,
        tool_choice=offer.choice,
        only_tool=offer.only_tool,
        is_parallel=fields.flag("parallel_tool_calls", True),
        options=_options(fields, text, offer),
        output=read_output_format(text, "format", "flat"),
        is_streamed=fields.flag("stream", False),
        mcp=offer.mcp,
        only_relayed=offer.unserved,
        hosted=tuple(dict.fromkeys(str(tool["type"]) for tool in offer.hosted)),
        renamed=offer.renamed,
        follows=earlier.follows if earlier else "",
    )


def read_rest(body: dict[str, Any], headers: Mapping[str, str], missing: RelayOnly) -> GatewayRequest:
    """Read a request without what is not known here: enough to choose the model that gets it unchanged."""
    rest = {name: value for name, value in body.items() if name not in _ELSEWHERE}
    if isinstance(given := body.get("input"), list):
        rows = [cast("dict[str, Any]", row) for row in cast("list[Any]", given) if isinstance(row, dict)]
        # Of the rest some belongs to what is missing: a call to its result, a result to its call.
        rest["input"] = [row for row in rows if row.get("role")] or "…"
    try:
        asked = read(rest, headers)
    except RelayOnly:
        asked = read({**rest, "input": "…"}, headers)
    return structs.replace(asked, body=body, only_relayed=missing.message)


def _options(fields: RequestFields, text: RequestFields, offer: OpenAITools) -> dict[str, Any]:
    reasoning = fields.fields("reasoning") if fields.has("reasoning") else RequestFields({}, "reasoning")
    extra = fields.others(_KNOWN)
    # What these two hold beside what is read here.
    for name, rest in (("reasoning", reasoning.others(("effort",))), ("text", text.others(("format",)))):
        if rest:
            extra[name] = rest
    if offer.hosted:
        extra["tools"] = list(offer.hosted)
    given: dict[str, Any] = {
        "temperature": fields.number("temperature"),
        "top_p": fields.number("top_p"),
        "max_tokens": fields.whole_number("max_output_tokens", 1),
        "reasoning_effort": reasoning.text("effort") or None,
        "extra": extra or None,
    }
    return {name: value for name, value in given.items() if value is not None}


class _Reader:
    """Reads the items of one request."""

    def __init__(self, offer: OpenAITools, earlier: EarlierItems) -> None:
        self._words = server_words(server.name for server in offer.mcp.servers)
        self._earlier = earlier
        self._conversation = OpenAIConversation()
        self._ran_here = False
        self._readers: dict[str, Callable[[RequestFields], None]] = {
            "message": self._message,
            "function_call": self._call,
            "function_call_output": self._result,
            "custom_tool_call": self._custom_call,
            "custom_tool_call_output": self._result,
            "compaction": self._compaction,
            "reasoning": self._reasoning,
            "item_reference": self._reference,
            "mcp_call": self._mcp_call,
            "image_generation_call": self._image,
        }

    def conversation(self, fields: RequestFields) -> OpenAIConversation:
        self._conversation.instruct(fields.text("instructions"))
        for number, earlier in enumerate(self._earlier.items):
            self._item(RequestFields(earlier, f"previous[{number}]"))
        given = fields.raw.get("input")
        if isinstance(given, str):
            self._conversation.ask([TextPart(given)] if given else [])
            return self._conversation
        for item in fields.each("input"):
            self._item(item)
        return self._conversation

    def _item(self, item: RequestFields) -> None:
        kind = item.text("type") or ("message" if item.has("role") else "")
        if kind in _OF_THE_HOST:
            return
        reader = self._readers.get(kind)
        if reader is None and not kind:
            raise item.wrong("type", f"is missing: it must be one of {', '.join(self._readers)}")
        if reader is None:
            why = f"must be one of {', '.join(self._readers)}, not {shown(kind)}"
            raise RelayOnly(f"{item.path('type')} {why}", param=item.path("type"))
        if self._ran_here and kind != "mcp_call":
            # What comes after calls that have their results already is the model's next step.
            self._conversation.close()
        self._ran_here = kind == "mcp_call"
        reader(item)

    def _message(self, item: RequestFields) -> None:
        role = item.one_of("role", _ROLES)
        content = _content(item, "content")
        if role == "user":
            self._conversation.ask(content)
        elif role == "assistant":
            phase = item.text("phase")
            kept = {"openai_responses": {"phase": phase}} if phase else None
            self._conversation.say(*(TextPart(p.text, kept) if isinstance(p, TextPart) else p for p in content))
        elif role:
            if not all(isinstance(part, TextPart) for part in content):
                raise item.wrong("content", "must be text: instructions can contain only text")
            self._conversation.instruct("\n".join(part.text for part in content if isinstance(part, TextPart)))
        else:
            raise item.wrong("role", f"is missing: it must be one of {', '.join(_ROLES)}")

    def _call(self, item: RequestFields) -> None:
        name = flat_name(item.text("namespace"), item.needed_text("name"))
        self._conversation.call(item.needed_text("call_id"), name, item.text("arguments"), item.place)

    def _custom_call(self, item: RequestFields) -> None:
        name = flat_name(item.text("namespace"), item.needed_text("name"))
        arguments = encode({"input": item.text("input")}).decode()
        self._conversation.call(item.needed_text("call_id"), name, arguments, item.place)

    def _result(self, item: RequestFields) -> None:
        call_id = item.needed_text("call_id")
        if not self._conversation.answer(call_id, _content(item, "output")):
            raise item.wrong("call_id", f"{shown(call_id)} is not the id of an earlier call that still needs a result")

    def _reasoning(self, item: RequestFields) -> None:
        """Read reasoning. Sealed metadata goes back to the provider that made it; the words are for all others."""
        texts = [part.text("text") for part in (*item.each("summary"), *item.each("content"))]
        sealed = item.text("encrypted_content")
        metadata = unseal(sealed) if sealed else None
        if metadata is None and sealed:
            metadata = {"openai_responses": {"item": item.raw}}
        text = "\n\n".join(filter(None, texts))
        if text or metadata:
            self._conversation.say(ReasoningPart(text, metadata or None))

    def _reference(self, item: RequestFields) -> None:
        item_id = item.needed_text("id")
        known = self._earlier.named.get(item_id)
        if known is None or known.get("type") == "item_reference":
            why = "refers to an item that is not stored here: send the item itself, and use store: false"
            raise RelayOnly(f"{item.path('id')} {why}", param=item.path("id"))
        self._item(RequestFields(known, item.place))

    def _mcp_call(self, item: RequestFields) -> None:
        label, tool = item.needed_text("server_label"), item.needed_text("name")
        name = mcp_tool_name(self._words, label, tool)
        call_id = item.needed_text("id")
        arguments, output = item.text("arguments"), item.text("output")
        self._conversation.say(settled_call(call_id, name, arguments, output, _error_text(item)))

    def _image(self, item: RequestFields) -> None:
        if data := item.text("result"):
            self._conversation.say(FilePart("image/png", data))

    def _compaction(self, item: RequestFields) -> None:
        """Read a summary that replaces the messages before it."""
        sealed: dict[str, Any] = (unseal(item.needed_text("encrypted_content")) or {}).get("compaction") or {}
        summary = sealed.get("summary")
        if not isinstance(summary, str):
            path = item.path("encrypted_content")
            raise RelayOnly(f"{path} was made by another server: send the items themselves", param=path)
        self._conversation.ask([TextPart(f"<summary>\n{summary}\n</summary>")])


def _error_text(item: RequestFields) -> str:
    """Return why a call failed, or "" if it did not. The error is a string, or one of several objects."""
    error = item.raw.get("error")
    if error is None or isinstance(error, str):
        return error or ""
    fields = item.fields("error")
    if isinstance(fields.raw.get("content"), list):
        return "\n".join(part.text("text") for part in fields.each("content")) or "the call failed"
    return fields.text("message") or "the call failed"


def _content(item: RequestFields, key: str) -> list[Content]:
    content = item.raw.get(key)
    if content is None or isinstance(content, str):
        return [TextPart(content)] if content else []
    if not isinstance(content, list):
        raise item.wrong(key, "must be a string or an array of parts")
    return [part for entry in item.each(key) if (part := _part(entry)) is not None]


def _part(part: RequestFields) -> Content | None:
    kind = part.needed_text("type")
    if kind in ("input_text", "output_text", "text", "refusal"):
        text = part.text("refusal" if kind == "refusal" else "text")
        return TextPart(text) if text else None
    if kind in ("input_image", "input_file") and part.has("file_id"):
        why = f"refers to an uploaded file, but files are not stored here: send it as {_INSTEAD[kind]}"
        raise RelayOnly(f"{part.path('file_id')} {why}", param=part.path("file_id"))
    if kind == "input_image":
        return read_image(part.needed_text("image_url"), part.path("image_url"))
    if kind == "input_file":
        return read_file(part)
    if kind == "input_audio":
        return read_audio(part.fields("input_audio"))
    why = f"must be input_text, output_text, input_image or input_file, not {shown(kind)}"
    raise RelayOnly(f"{part.path('type')} {why}", param=part.path("type"))
