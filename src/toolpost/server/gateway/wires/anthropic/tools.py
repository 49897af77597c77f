"""Read the tools of a request on Anthropic's wire: the client's own, those of MCP servers, and the provider's."""

from typing import Any

from msgspec import Struct

from toolpost.mcp.config import McpServer
from toolpost.models.contract import ToolChoice
from toolpost.server.gateway.wires import checked_values
from toolpost.server.refusals import BadRequest
from toolpost.types.tools import ToolSpec

_CHOICES: dict[str, ToolChoice] = {"auto": "auto", "any": "required", "tool": "required", "none": "none"}
_TOLD = ("name", "description", "input_schema")


class AnthropicToolChoice(Struct, frozen=True):
    choice: ToolChoice = "auto"
    only_tool: str = ""
    is_parallel: bool = True


class AnthropicTools:
    """The tools of one request. `specs` are the client's own; `foreign` are defined by the provider and passed on to a
    server of this wire."""

    def __init__(self) -> None:
        self.specs: list[ToolSpec] = []
        self.foreign: list[dict[str, Any]] = []
        self.servers: dict[str, McpServer] = {}
        self.toolsets: dict[str, dict[str, bool]] = {}

    def take_tools(self, tools: Any) -> None:
        names: set[str] = set()
        for index, item in enumerate(checked_values.rows(tools, "tools")):
            path = f"tools[{index}]"
            tool = checked_values.table(item, path)
            kind = tool.get("type")
            if kind == "mcp_toolset":
                self._take_toolset(tool, path)
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

    def take_servers(self, servers: Any) -> None:
        for index, item in enumerate(checked_values.rows(servers, "mcp_servers")):
            path = f"mcp_servers[{index}]"
            server = checked_values.table(item, path)
            name = checked_values.name(server.get("name"), f"{path}.name")
            if name in self.servers:
                raise BadRequest(f"{path}.name: another server is also called {name!r}; names must be unique")
            self.servers[name] = _server(name, server, path)
            if (told := server.get("tool_configuration")) is not None:
                self.toolsets[name] = _configured(checked_values.table(told, f"{path}.tool_configuration"), path)

    def _take_toolset(self, tool: dict[str, Any], path: str) -> None:
        name = checked_values.name(tool.get("mcp_server_name"), f"{path}.mcp_server_name")
        patterns = self.toolsets.setdefault(name, {})
        patterns["*"] = _is_enabled(tool.get("default_config"), f"{path}.default_config", otherwise=True)
        configs = tool.get("configs")
        for pattern, told in checked_values.table({} if configs is None else configs, f"{path}.configs").items():
            patterns[pattern] = _is_enabled(told, f"{path}.configs.{pattern}", otherwise=patterns["*"])


def read_choice(given: Any) -> AnthropicToolChoice:
    if given is None:
        return AnthropicToolChoice()
    told = checked_values.table(given, "tool_choice")
    kind = told.get("type")
    if not isinstance(kind, str) or kind not in _CHOICES:
        raise checked_values.wrong(kind, "tool_choice.type", "auto, any, tool or none")
    only = checked_values.name(told.get("name"), "tool_choice.name") if kind == "tool" else ""
    return AnthropicToolChoice(_CHOICES[kind], only, told.get("disable_parallel_tool_use") is not True)


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
