"""A request to the gateway in a form that does not depend on its wire, and its options for the wire of a model."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

from toolpost.mcp.config import McpServer
from toolpost.models.contract import ToolChoice
from toolpost.models.message_parts import merge
from toolpost.types.messages import Message
from toolpost.types.tool_spec import ToolSpec

WireName = Literal["anthropic", "openai_chat", "openai_responses"]
# Fields of the client's wire that mean the same on another one; every other wire would refuse them.
_ALIKE = {
    frozenset({"openai_chat", "openai_responses"}): ("frequency_penalty", "presence_penalty"),
}


class McpOptions(Struct, frozen=True):
    """MCP servers that a request brings, and which of their tools it uses.

    `toolsets` are the patterns of names that are on, by server; a server without an entry is used with all its tools.
    `is_shown`: the client knows calls that run here and wants to see them; `is_live`: also while they are written and
    run, in events of our own; `as_tool_use`: in the blocks of calls that a client runs, with their results after them.
    """

    servers: tuple[McpServer, ...] = ()
    toolsets: dict[str, dict[str, bool]] = {}
    is_shown: bool = False
    is_live: bool = False
    as_tool_use: bool = False


class ClientTool(Struct, frozen=True):
    """A tool as its client knows it, if the model knows it in another form: it is in a `namespace`, or it is `custom`
    and takes plain text."""

    name: str
    namespace: str = ""
    is_custom: bool = False


class OutputFormat(Struct, frozen=True):
    """The required format of the answer: JSON that fits the schema or, without one, any JSON object."""

    schema: dict[str, Any] | None = None
    name: str = "answer"
    strict: bool = False
    description: str = ""

    @property
    def as_schema(self) -> dict[str, Any]:
        return {"type": "object"} if self.schema is None else self.schema


class RawRequest(Struct, frozen=True):
    """The original bytes and headers of a request, for a model server that speaks its API."""

    body: bytes
    headers: Mapping[str, str]


class GatewayRequest(Struct, frozen=True):
    """`messages` hold the results of calls inside the calls, as everywhere here. `tools` are the client's own: calls of
    them go back to it. `options` are what a model is asked with, in our names; `extra` in them goes as it stands to
    an upstream of the same wire. `body` is the request as it came; `came` its bytes, where they may be sent on.
    `only_relayed` says what the request has that only a server of its own wire knows: sent on as it came it can be
    answered, and else not. `hosted` are the kinds of tools that a server of its own wire runs itself. `renamed` are
    tools of the client by the names that the model knows. `is_stored`: the answer is kept here, to be named later.
    `follows` is the provider whose server keeps what the request goes on from: no other one gets it as it came."""

    wire: WireName
    model: str
    messages: tuple[Message, ...]
    body: dict[str, Any]
    system: tuple[str, ...] = ()
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: ToolChoice = "auto"
    only_tool: str = ""
    is_parallel: bool = True
    options: dict[str, Any] = {}
    output: OutputFormat | None = None
    is_streamed: bool = False
    wants_usage: bool = True
    mcp: McpOptions = McpOptions()
    came: RawRequest | None = None
    only_relayed: str = ""
    hosted: tuple[str, ...] = ()
    renamed: dict[str, ClientTool] = {}
    is_stored: bool = False
    follows: str = ""


def options_for(asked: GatewayRequest, wire: str) -> dict[str, Any]:
    """The options of a request for a model on this wire. Fields that only the client's wire has go to a model on the
    same wire alone: others would refuse them."""
    options = {name: value for name, value in asked.options.items() if name != "extra"}
    given: dict[str, Any] = dict(asked.options.get("extra") or {})
    alike = _ALIKE.get(frozenset({wire, asked.wire}), ())
    extra = given if wire == asked.wire else {name: value for name, value in given.items() if name in alike}
    if asked.output is not None:
        merge(extra, _as_it_came(asked) if wire == asked.wire else _OUTPUT.get(wire, _untold)(asked.output))
    if asked.tools and not asked.is_parallel:
        options["parallel_tool_calls"] = False
    return {**options, "extra": extra} if extra else options


def _chat_format(output: OutputFormat) -> dict[str, Any]:
    if output.schema is None:
        return {"response_format": {"type": "json_object"}}
    return {"response_format": {"type": "json_schema", "json_schema": _named(output)}}


def _responses_format(output: OutputFormat) -> dict[str, Any]:
    if output.schema is None:
        return {"text": {"format": {"type": "json_object"}}}
    # Without a word about it this wire takes the schema as strict.
    return {"text": {"format": {"type": "json_schema", "strict": False, **_named(output)}}}


def _named(output: OutputFormat) -> dict[str, Any]:
    fields: dict[str, Any] = {"name": output.name, "schema": output.schema}
    if output.description:
        fields["description"] = output.description
    if output.strict:
        fields["strict"] = True
    return fields


def _untold(output: OutputFormat) -> dict[str, Any]:
    return {}


# How each wire is told what the answer has to be.
_OUTPUT: dict[str, Callable[[OutputFormat], dict[str, Any]]] = {
    "openai_chat": _chat_format,
    "openai_responses": _responses_format,
    "anthropic": lambda output: {"output_config": {"format": {"type": "json_schema", "schema": output.as_schema}}},
    "gemini": lambda output: {
        "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": output.as_schema}
    },
    "ollama": lambda output: {"format": output.as_schema},
    # llama.cpp's own word for it, on all of its routes.
    "embedded": lambda output: {"json_schema": output.as_schema},
}


def _as_it_came(asked: GatewayRequest) -> dict[str, Any]:
    """The format as the client wrote it, with its name and strictness."""
    if asked.wire == "openai_chat":
        return {"response_format": asked.body["response_format"]}
    if asked.wire == "openai_responses":
        return {"text": {"format": asked.body["text"]["format"]}}
    # The fields of this one are among the extra ones already.
    return {}
