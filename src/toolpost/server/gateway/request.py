"""A request to the gateway in our words, whichever wire it came on."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from toolpost.mcp.config import McpServer
from toolpost.models.contract import ToolChoice
from toolpost.types.messages import Message
from toolpost.types.tools import ToolSpec

WireName = Literal["anthropic", "openai_chat", "openai_responses"]


class McpWish(Struct, frozen=True):
    """MCP servers that a request brings along, and which of their tools it wants.

    `toolsets` are the patterns of names that are on, by server; a server without an entry is wanted whole. `is_shown`:
    the client knows calls that run here, and wants to see them; `is_live`: also as they are written and run, in events
    of our own; `as_tool_use`: in the blocks of calls that a client runs, with their results after them.
    """

    servers: tuple[McpServer, ...] = ()
    toolsets: dict[str, dict[str, bool]] = {}
    is_shown: bool = False
    is_live: bool = False
    as_tool_use: bool = False


class ClientTool(Struct, frozen=True):
    """A tool as its client knows it, where the model knows it in another form: it is in a `namespace`, or it is
    `custom` and takes a plain text."""

    name: str
    namespace: str = ""
    is_custom: bool = False


class OutputFormat(Struct, frozen=True):
    """What the answer has to be: JSON that fits the schema, or, without one, any JSON object."""

    schema: dict[str, Any] | None = None
    name: str = "answer"
    strict: bool = False
    description: str = ""

    @property
    def as_schema(self) -> dict[str, Any]:
        return {"type": "object"} if self.schema is None else self.schema


class Came(Struct, frozen=True):
    """A request to the byte, for an upstream that speaks its wire."""

    body: bytes
    headers: Mapping[str, str]


class Asked(Struct, frozen=True):
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
    mcp: McpWish = McpWish()
    user: str = ""
    came: Came | None = None
    only_relayed: str = ""
    hosted: tuple[str, ...] = ()
    renamed: dict[str, ClientTool] = {}
    is_stored: bool = False
    follows: str = ""
