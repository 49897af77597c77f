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


class Came(Struct, frozen=True):
    """A request to the byte, for an upstream that speaks its wire."""

    body: bytes
    headers: Mapping[str, str]


class Asked(Struct, frozen=True):
    """`messages` hold the results of calls inside the calls, as everywhere here. `tools` are the client's own: calls of
    them go back to it. `options` are what a model is asked with, in our names; `extra` in them goes as it stands to
    an upstream of the same wire. `body` is the request as it came; `came` its bytes, where they may be sent on.
    `unkept` says what the request names that only a server of its own wire may have kept: sent on it can be answered,
    and else not."""

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
    output_schema: dict[str, Any] | None = None
    is_streamed: bool = False
    wants_usage: bool = True
    mcp: McpWish = McpWish()
    user: str = ""
    came: Came | None = None
    unkept: str = ""
