"""Read requests of `POST /v1/messages`; unknown fields are passed on to a model server of the same wire."""

from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct

from toolpost.mcp.config import McpServer
from toolpost.mcp.names import server_words
from toolpost.models.contract import ToolChoice
from toolpost.server.gateway.request import GatewayRequest, McpOptions, OutputFormat
from toolpost.server.gateway.wires import checked_values
from toolpost.server.refusals import BadRequest
from toolpost.types.tool_spec import ToolSpec

from .content_reader import blocks_of
from .conversation import AnthropicConversation

_CHOICES: dict[str, ToolChoice] = {"auto": "auto", "any": "required", "tool": "required", "none": "none"}
_TOLD = ("name", "description", "input_schema")
# It shows a client that brings no MCP servers the calls that run here: as those of MCP servers, or in the blocks of the
# client's own calls where it says so.
SHOW_HEADER = "x-toolpost-show-calls"
AS_TOOL_USE = "tool_use"
LOW_BUDGET, MEDIUM_BUDGET = 1024, 8192

# What has a place of its own in `GatewayRequest`; everything else is `extra`.
_OURS = frozenset(
    {
        "model",
        "messages",
        "system",
        "tools",
        "tool_choice",
        "mcp_servers",
        "stream",
        "max_tokens",
        "temperature",
        "top_p",
        "top_k",
        "stop_sequences",
    }
)
_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"", "0", "false", "no", "off"})
_EFFORTS = frozenset({"minimal", "low", "medium", "high", "xhigh", "max"})


class _AnthropicToolChoice(Struct, frozen=True):
    choice: ToolChoice = "auto"
    only_tool: str = ""
    is_parallel: bool = True


class _AnthropicTools:
    """The tools of one request. `specs` are the client's own; `foreign` are defined by the provider and passed on to a
    server of this wire."""

    def __init__(self) -> None:
        self.specs: list[ToolSpec] = []
        self.foreign: list[dict[str, Any]] = []
        self.servers: dict[str, McpServer] = {}
        self.toolsets: dict[str, dict[str, bool]] = {}

    def read_tools(self, tools: Any) -> None:
        names: set[str] = set()
        for index, item in enumerate(checked_values.rows(tools, "tools")):
            path = f"tools[{index}]"
            tool = checked_values.table(item, path)
            kind = tool.get("type")
            if kind == "mcp_toolset":
                self._read_toolset(tool, path)
                continue
            name = checked_values.name(tool.get("name"), f"{path}.name") if "name" in tool or kind is None else ""
            if name and name in names:
                raise BadRequest(f"{path}.name: another tool is also called {name!r}; names must be unique")
            names.add(name)
            if kind is None or kind == "custom" or "input_schema" in tool:
                self.specs.append(_spec(tool, path))
            else:
                checked_values.name(kind, f"{path}.type")
                self.foreign.append(tool)

    def read_servers(self, servers: Any) -> None:
        for index, item in enumerate(checked_values.rows(servers, "mcp_servers")):
            path = f"mcp_servers[{index}]"
            server = checked_values.table(item, path)
            name = checked_values.name(server.get("name"), f"{path}.name")
            if name in self.servers:
                raise BadRequest(f"{path}.name: another server is also called {name!r}; names must be unique")
            self.servers[name] = _server(name, server, path)
            if (told := server.get("tool_configuration")) is not None:
                self.toolsets[name] = _configured(checked_values.table(told, f"{path}.tool_configuration"), path)

    def _read_toolset(self, tool: dict[str, Any], path: str) -> None:
        name = checked_values.name(tool.get("mcp_server_name"), f"{path}.mcp_server_name")
        patterns = self.toolsets.setdefault(name, {})
        patterns["*"] = _is_enabled(tool.get("default_config"), f"{path}.default_config", otherwise=True)
        configs = tool.get("configs")
        for pattern, told in checked_values.table({} if configs is None else configs, f"{path}.configs").items():
            patterns[pattern] = _is_enabled(told, f"{path}.configs.{pattern}", otherwise=patterns["*"])


def _read_choice(given: Any) -> _AnthropicToolChoice:
    if given is None:
        return _AnthropicToolChoice()
    told = checked_values.table(given, "tool_choice")
    kind = told.get("type")
    if not isinstance(kind, str) or kind not in _CHOICES:
        raise checked_values.wrong(kind, "tool_choice.type", "auto, any, tool or none")
    only = checked_values.name(told.get("name"), "tool_choice.name") if kind == "tool" else ""
    return _AnthropicToolChoice(_CHOICES[kind], only, told.get("disable_parallel_tool_use") is not True)


def _spec(tool: dict[str, Any], path: str) -> ToolSpec:
    description = tool.get("description")
    text = "" if description is None else checked_values.text(description, f"{path}.description")
    schema = checked_values.table(tool.get("input_schema"), f"{path}.input_schema")
    kept = {name: value for name, value in tool.items() if name not in _TOLD and value is not None}
    metadata = {"anthropic": kept} if kept else None
    return ToolSpec(tool["name"], text, schema, metadata, strict=tool.get("strict") is True)


def _server(name: str, server: dict[str, Any], path: str) -> McpServer:
    """Read an MCP server. Only remote servers: a request never starts a program here."""
    url = checked_values.name(server.get("url"), f"{path}.url")
    if not url.startswith(("https://", "http://")):
        raise BadRequest(f"{path}.url must begin with https:// or http://")
    token = server.get("authorization_token")
    headers: dict[str, str] = {}
    if token is not None:
        headers["authorization"] = f"Bearer {checked_values.text(token, f'{path}.authorization_token')}"
    return McpServer(name, url=url, headers=headers, origin="request")


def _configured(told: dict[str, Any], path: str) -> dict[str, bool]:
    enabled = _is_enabled(told, f"{path}.tool_configuration", otherwise=True)
    allowed = told.get("allowed_tools")
    if allowed is None or not enabled:
        return {"*": enabled}
    return {
        "*": False,
        **dict.fromkeys(checked_values.names(allowed, f"{path}.tool_configuration.allowed_tools"), True),
    }


def _is_enabled(config: Any, path: str, *, otherwise: bool) -> bool:
    if config is None:
        return otherwise
    enabled = checked_values.table(config, path).get("enabled")
    return otherwise if enabled is None else checked_values.flag(enabled, f"{path}.enabled")


def read(body: dict[str, Any], headers: Mapping[str, str]) -> GatewayRequest:
    """Read a request. Raises `BadRequest` with the path of the field that is wrong."""
    try:
        return _read(body, headers)
    except RecursionError:
        raise BadRequest("the request body is nested too deeply") from None


def _read(body: dict[str, Any], headers: Mapping[str, str]) -> GatewayRequest:
    model = checked_values.name(body.get("model"), "model")
    offer = _offer(body)
    conversation = AnthropicConversation(f"anthropic/{model}", server_words(offer.servers))
    system = _system(body.get("system"))
    for index, turn in enumerate(checked_values.rows(body.get("messages"), "messages")):
        path = f"messages[{index}]"
        conversation.take(checked_values.table(turn, path), path)
    messages = conversation.finish()
    if not messages:
        raise BadRequest("messages must contain at least one message with content")
    choice = _read_choice(body.get("tool_choice"))
    return GatewayRequest(
        "anthropic",
        model,
        messages,
        body,
        system=(*system, *conversation.system),
        tools=tuple(offer.specs),
        tool_choice=choice.choice,
        only_tool=choice.only_tool,
        is_parallel=choice.is_parallel,
        options=_options(body, offer.foreign, conversation.system),
        output=_output_format(body),
        is_streamed=_stream(body.get("stream")),
        mcp=_mcp(offer, headers),
    )


def _offer(body: dict[str, Any]) -> _AnthropicTools:
    offer = _AnthropicTools()
    if body.get("mcp_servers") is not None:
        offer.read_servers(body["mcp_servers"])
    if body.get("tools") is not None:
        offer.read_tools(body["tools"])
    return offer


def _mcp(offer: _AnthropicTools, headers: Mapping[str, str]) -> McpOptions:
    """Clients that bring servers know the blocks of their calls. Events of our own types are sent only to clients that
    ask for them: some clients treat an unknown event as an error."""
    wish = headers.get(SHOW_HEADER, "").strip().lower()
    if wish not in (AS_TOOL_USE, *_YES, *_NO):
        text = f"{SHOW_HEADER} is {wish[:80]!r}: it must be 1, {AS_TOOL_USE} or 0"
        raise BadRequest(text, param=SHOW_HEADER)
    as_tool_use, is_wished = wish == AS_TOOL_USE, wish not in _NO
    is_shown = bool(offer.servers or offer.toolsets) or is_wished
    is_live = is_wished and not as_tool_use
    return McpOptions(tuple(offer.servers.values()), offer.toolsets, is_shown, is_live, as_tool_use)


def _system(given: Any) -> list[str]:
    if given is None:
        return []
    texts: list[str] = []
    for block, path in blocks_of(given, "system"):
        if block["type"] != "text":
            raise BadRequest(f"{path}.type must be text")
        texts.append(checked_values.text(block.get("text"), f"{path}.text"))
    return [text for text in texts if text]


def _options(body: dict[str, Any], foreign: list[dict[str, Any]], more_system: list[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for name in ("temperature", "top_p"):
        if (value := body.get(name)) is not None:
            options[name] = checked_values.number(value, name)
    for name in ("max_tokens", "top_k"):
        if (value := body.get(name)) is not None:
            options[name] = checked_values.count(value, name)
    if (stops := body.get("stop_sequences")) is not None and checked_values.names(stops, "stop_sequences"):
        options["stop"] = stops
    if effort := _effort(body):
        options["reasoning_effort"] = effort
    if extra := _extra(body, foreign, more_system):
        options["extra"] = extra
    return options


def _effort(body: dict[str, Any]) -> str:
    """Return the reasoning effort that is asked for; "" if the model shall decide."""
    thinking = body.get("thinking")
    told = {} if thinking is None else checked_values.table(thinking, "thinking")
    kind = told.get("type")
    if kind == "disabled":
        return "none"
    if kind == "enabled":
        budget = checked_values.count(told.get("budget_tokens"), "thinking.budget_tokens")
        return "low" if budget <= LOW_BUDGET else "medium" if budget <= MEDIUM_BUDGET else "high"
    effort = _table(body, "output_config").get("effort")
    return effort if isinstance(effort, str) and effort in _EFFORTS else ""


def _extra(body: dict[str, Any], foreign: list[dict[str, Any]], more_system: list[str]) -> dict[str, Any]:
    """Return the fields that are passed on unchanged to a model server of this wire. If the client sets cache marks,
    ours are off."""
    extra = {name: value for name, value in body.items() if name not in _OURS and value is not None}
    if foreign:
        extra["tools"] = foreign
    if isinstance(body.get("system"), list) and any(len(block) > 2 for block in body["system"]):
        extra["system"] = [*body["system"], *({"type": "text", "text": text} for text in more_system)]
    if "cache_control" not in extra and _is_marked(body):
        extra["cache_control"] = False
    return extra


def _is_marked(body: dict[str, Any]) -> bool:
    """Return whether a tool, a block, or a block in a result has a cache mark."""
    turns = [turn.get("content") for turn in body["messages"]]
    for block in (block for place in (body.get("tools"), body.get("system"), *turns) for block in _blocks(place)):
        if block.get("cache_control") or any(inner.get("cache_control") for inner in _blocks(block.get("content"))):
            return True
    return False


def _blocks(given: Any) -> list[dict[str, Any]]:
    items = cast("list[Any]", given) if isinstance(given, list) else []
    return [item for item in items if isinstance(item, dict)]


def _output_format(body: dict[str, Any]) -> OutputFormat | None:
    for path, given in (
        ("output_config.format", _table(body, "output_config").get("format")),
        ("output_format", body.get("output_format")),
    ):
        if given is None:
            continue
        wanted = checked_values.table(given, path)
        if wanted.get("type") != "json_schema":
            raise BadRequest(f"{path}.type must be json_schema")
        return OutputFormat(checked_values.table(wanted.get("schema"), f"{path}.schema"))
    return None


def _stream(given: Any) -> bool:
    return given is not None and checked_values.flag(given, "stream")


def _table(body: dict[str, Any], name: str) -> dict[str, Any]:
    given = body.get(name)
    return {} if given is None else checked_values.table(given, name)
