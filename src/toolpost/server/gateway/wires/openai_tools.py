"""Tools, the choice among them, MCP servers and output schemas, as requests on the OpenAI wires bring them."""

from collections.abc import Container, Mapping
from typing import Any, Literal

from msgspec import Struct, structs

from toolpost.mcp.config import McpServer
from toolpost.mcp.names import server_words, tool_names
from toolpost.models.contract import ToolChoice
from toolpost.server.gateway.asked import McpWish
from toolpost.types.tools import ToolSpec

from .openai_shared import Fields, is_too_deep, shown

Form = Literal["nested", "flat"]
_CHOICES: dict[str, ToolChoice] = {"auto": "auto", "none": "none", "required": "required"}
_LONGEST_NAME = 128
OWN_SERVER = "toolpost"


class Offer(Struct, frozen=True):
    """`hosted` are tools of OpenAI's own servers, as they came. `is_strict`: every function is asked for strictly."""

    tools: tuple[ToolSpec, ...] = ()
    mcp: McpWish = McpWish()
    hosted: tuple[dict[str, Any], ...] = ()
    is_strict: bool = False
    choice: ToolChoice = "auto"
    only_tool: str = ""


def read_offer(fields: Fields, form: Form) -> Offer:
    """The tools of a request and the choice among them. Chat nests a function in its entry, Responses does not."""
    offer = _read_tools(fields, form)
    given = fields.raw.get("tool_choice")
    if given is None:
        return offer
    if not isinstance(given, dict):
        return structs.replace(offer, choice=_CHOICES[fields.one_of("tool_choice", _CHOICES)])
    return _choose(offer, fields.fields("tool_choice"), form)


def read_function(function: Fields) -> ToolSpec:
    name = function.needed_text("name")
    if len(name) > _LONGEST_NAME:
        raise function.wrong("name", f"must not be longer than {_LONGEST_NAME} characters")
    parameters = read_schema(function, "parameters") or {"type": "object", "properties": {}}
    return ToolSpec(name, function.text("description"), parameters)


def read_schema(fields: Fields, key: str) -> dict[str, Any] | None:
    schema = fields.table(key)
    if schema is not None and is_too_deep(schema):
        raise fields.wrong(key, "is nested too deep")
    return schema


def read_output_schema(fields: Fields, key: str, form: Form) -> dict[str, Any] | None:
    """What the answer has to be: `text`, any object (`json_object`), or what a schema says (`json_schema`)."""
    if not fields.has(key):
        return None
    wanted = fields.fields(key)
    kind = wanted.one_of("type", ("text", "json_object", "json_schema"))
    if not kind:
        raise wanted.wrong("type", "is missing: it must be text, json_object or json_schema")
    if kind == "text":
        return None
    if kind == "json_object":
        return {"type": "object"}
    return read_schema(wanted.fields("json_schema") if form == "nested" else wanted, "schema") or {"type": "object"}


def mcp_tool_name(words: Mapping[str, str], label: str, tool: str) -> str:
    """The name under which a model knows a tool of a server, given the words for those of the request. Our own tools
    are shown as a server's, too."""
    if label == OWN_SERVER:
        return tool
    return tool_names(words.get(label) or server_words([label])[label], [tool])[tool]


def _read_tools(fields: Fields, form: Form) -> Offer:
    specs: dict[str, ToolSpec] = {}
    strict: list[bool] = []
    servers: dict[str, McpServer] = {}
    toolsets: dict[str, dict[str, bool]] = {}
    hosted: list[dict[str, Any]] = []
    for tool in fields.each("tools"):
        kind = tool.needed_text("type")
        if kind == "function":
            function = tool.fields("function") if form == "nested" else tool
            spec = read_function(function)
            _once(function, "name", spec.name, specs)
            specs[spec.name] = spec
            strict.append(function.flag("strict", False))
        elif kind == "mcp":
            server = _read_server(tool)
            _once(tool, "server_label", server.name, servers)
            servers[server.name] = server
            if tool.has("allowed_tools"):
                toolsets[server.name] = {"*": False, **dict.fromkeys(_allowed(tool), True)}
        elif kind == "custom" or form == "nested":
            raise tool.wrong("type", f'{shown(kind)} is not supported here: use "function" or "mcp"')
        else:
            hosted.append(tool.raw)
    wish = McpWish(tuple(servers.values()), toolsets, is_shown=form == "flat" and bool(servers))
    return Offer(tuple(specs.values()), wish, tuple(hosted), bool(strict) and all(strict))


def _read_server(tool: Fields) -> McpServer:
    if tool.has("connector_id"):
        raise tool.wrong("connector_id", "is not supported here: give the server_url of an MCP server")
    url = tool.needed_text("server_url")
    if not url.startswith(("https://", "http://")):
        raise tool.wrong("server_url", "must begin with https:// or http://")
    if tool.has("require_approval") and tool.raw["require_approval"] != "never":
        raise tool.wrong("require_approval", 'must be "never": calls cannot be approved over this wire')
    headers = tool.table("headers") or {}
    for name, value in headers.items():
        if not isinstance(value, str):
            raise tool.wrong(f"headers.{name}", "must be a string")
    if token := tool.text("authorization"):
        headers = {**headers, "Authorization": token if " " in token else f"Bearer {token}"}
    return McpServer(tool.needed_text("server_label"), url=url, headers=headers, origin="request")


def _allowed(tool: Fields) -> list[str]:
    """The names of `allowed_tools`: a list, or an object with one."""
    if not isinstance(tool.raw["allowed_tools"], dict):
        return tool.texts("allowed_tools")
    wanted = tool.fields("allowed_tools")
    if wanted.has("read_only"):
        raise wanted.wrong("read_only", "is not supported here: list the tools in tool_names")
    return wanted.texts("tool_names") if wanted.has("tool_names") else ["*"]


def _once(fields: Fields, key: str, name: str, known: dict[str, Any]) -> None:
    if name in known:
        raise fields.wrong(key, f"{shown(name)} is there twice: names must differ")


def _choose(offer: Offer, choice: Fields, form: Form) -> Offer:
    kind = choice.needed_text("type")
    names, labels = _names(offer)
    if kind == "function":
        named = choice.fields("function") if form == "nested" else choice
        return structs.replace(offer, choice="required", only_tool=_known(named, "name", names))
    if kind == "allowed_tools":
        return _narrow(offer, choice.fields("allowed_tools") if form == "nested" else choice, form)
    if kind == "mcp":
        label, tool = _known(choice, "server_label", labels), choice.text("name")
        only = mcp_tool_name(server_words(labels), label, tool) if tool else ""
        return structs.replace(offer, choice="required", only_tool=only)
    if any(tool.get("type") == kind for tool in offer.hosted):
        return structs.replace(offer, choice="required")
    raise choice.wrong("type", f"{shown(kind)} is no kind of tool that this request has")


def _narrow(offer: Offer, allowed: Fields, form: Form) -> Offer:
    """Only some of the tools, named in the choice."""
    mode = allowed.one_of("mode", ("auto", "required")) or "auto"
    names, labels = _names(offer)
    functions: set[str] = set()
    wanted: set[str] = set()
    for tool in allowed.each("tools"):
        if tool.needed_text("type") == "function":
            functions.add(_known(tool.fields("function") if form == "nested" else tool, "name", names))
        elif tool.raw["type"] == "mcp":
            wanted.add(_known(tool, "server_label", labels))
    servers = tuple(server for server in offer.mcp.servers if server.name in wanted)
    return structs.replace(
        offer,
        tools=tuple(spec for spec in offer.tools if spec.name in functions),
        mcp=structs.replace(offer.mcp, servers=servers),
        choice=_CHOICES[mode],
    )


def _names(offer: Offer) -> tuple[set[str], set[str]]:
    """The names of the functions, and the labels of the servers."""
    return {spec.name for spec in offer.tools}, {server.name for server in offer.mcp.servers}


def _known(fields: Fields, key: str, known: Container[str]) -> str:
    name = fields.needed_text(key)
    if name not in known:
        raise fields.wrong(key, f"{shown(name)} is not among the tools of this request")
    return name
