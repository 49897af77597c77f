"""Read the tools, tool choice, MCP servers and output formats of requests on both OpenAI wires."""

from collections.abc import Container, Mapping
from typing import Any, Literal

from msgspec import Struct, structs

from toolpost.mcp.config import McpServer
from toolpost.mcp.names import server_words, tool_names
from toolpost.models.contract import ToolChoice
from toolpost.models.message_parts import digest, wire_name
from toolpost.server.gateway.request import ClientTool, McpOptions, OutputFormat
from toolpost.types.tool_spec import ToolSpec

from .request_reader import RequestFields, is_too_deep, shown

Form = Literal["nested", "flat"]
_CHOICES: dict[str, ToolChoice] = {"auto": "auto", "none": "none", "required": "required"}
_MAX_NAME = 128
OWN_SERVER = "toolpost"


# What runs at OpenAI's own servers, by how the types begin. Calls of all other kinds would be for the client.
_HOSTED = ("web_search", "file_search", "code_interpreter", "image_generation")
_MAX_FLAT_NAME = 64
_FREE_TEXT: dict[str, Any] = {
    "type": "object",
    "properties": {"input": {"type": "string"}},
    "required": ["input"],
    "additionalProperties": False,
}


class OpenAITools(Struct, frozen=True):
    """The tools of one request and the choice among them. `hosted` are tools of OpenAI's own servers, unchanged.
    `renamed` are tools that the client knows in another form, by the names that models know; `notes` tell models about
    their namespaces. `unserved` says which tool only a server of this wire can offer."""

    tools: tuple[ToolSpec, ...] = ()
    mcp: McpOptions = McpOptions()
    hosted: tuple[dict[str, Any], ...] = ()
    renamed: dict[str, ClientTool] = {}
    notes: tuple[str, ...] = ()
    unserved: str = ""
    choice: ToolChoice = "auto"
    only_tool: str = ""


def read_offer(fields: RequestFields, form: Form) -> OpenAITools:
    """Read the tools of a request and the choice among them. Chat Completions nests a function in its entry, Responses
    does not."""
    offer = _read_tools(fields, form)
    given = fields.raw.get("tool_choice")
    if given is None:
        return offer
    if not isinstance(given, dict):
        return structs.replace(offer, choice=_CHOICES[fields.one_of("tool_choice", _CHOICES)])
    return _choose(offer, fields.fields("tool_choice"), form)


def read_function(function: RequestFields) -> ToolSpec:
    name = function.needed_text("name")
    if len(name) > _MAX_NAME:
        raise function.wrong("name", f"must not be longer than {_MAX_NAME} characters")
    parameters = read_schema(function, "parameters") or {"type": "object", "properties": {}}
    return ToolSpec(name, function.text("description"), parameters, strict=function.flag("strict", False))


def read_schema(fields: RequestFields, key: str) -> dict[str, Any] | None:
    schema = fields.table(key)
    if schema is not None and is_too_deep(schema):
        raise fields.wrong(key, "is nested too deeply")
    return schema


def flat_name(namespace: str, name: str) -> str:
    """Return the name that models use for a tool in a namespace: the same in every request."""
    if not namespace:
        return name
    whole = _prefix(namespace) + name.lstrip("_")
    if len(whole) <= _MAX_FLAT_NAME and wire_name(whole) == whole:
        return whole
    return f"{wire_name(whole)[: _MAX_FLAT_NAME - 9]}_{digest(f'{namespace} {name}', 8)}"


def _prefix(namespace: str) -> str:
    return namespace.rstrip("_") + "__"


def read_output_format(fields: RequestFields, key: str, form: Form) -> OutputFormat | None:
    """Read the required output: `text`, any object (`json_object`), or a schema (`json_schema`)."""
    if not fields.has(key):
        return None
    wanted = fields.fields(key)
    kind = wanted.one_of("type", ("text", "json_object", "json_schema"))
    if not kind:
        raise wanted.wrong("type", "is missing: it must be text, json_object or json_schema")
    if kind == "text":
        return None
    if kind == "json_object":
        return OutputFormat()
    told = wanted.fields("json_schema") if form == "nested" else wanted
    schema = read_schema(told, "schema") or {"type": "object"}
    name = told.text("name") or "answer"
    return OutputFormat(schema, name, strict=told.flag("strict", False), description=told.text("description"))


def mcp_tool_name(words: Mapping[str, str], label: str, tool: str) -> str:
    """Return the name that a model uses for a tool of an MCP server. Tools of this server are shown like those of a
    server, too."""
    if label == OWN_SERVER:
        return tool
    return tool_names(words.get(label) or server_words([label])[label], [tool])[tool]


def _read_tools(fields: RequestFields, form: Form) -> OpenAITools:
    reader = _Tools(form)
    for tool in fields.each("tools"):
        reader.take(tool)
    return reader.offer()


class _Tools:
    """Reads the tools of one request."""

    def __init__(self, form: Form) -> None:
        self._form: Form = form
        self._specs: dict[str, ToolSpec] = {}
        self._servers: dict[str, McpServer] = {}
        self._toolsets: dict[str, dict[str, bool]] = {}
        self._hosted: list[dict[str, Any]] = []
        self._renamed: dict[str, ClientTool] = {}
        self._notes: list[str] = []
        self._unserved = ""

    def offer(self) -> OpenAITools:
        servers = tuple(self._servers.values())
        wish = McpOptions(servers, self._toolsets, is_shown=self._form == "flat" and bool(servers))
        return OpenAITools(
            tuple(self._specs.values()),
            wish,
            tuple(self._hosted),
            self._renamed,
            tuple(self._notes),
            self._unserved,
        )

    def take(self, tool: RequestFields) -> None:
        kind = tool.needed_text("type")
        if kind == "function":
            self._take_function(tool.fields("function") if self._form == "nested" else tool)
        elif kind == "mcp":
            self._take_server(tool)
        elif self._form == "nested":
            raise tool.wrong("type", f'{shown(kind)} is not supported here: use "function" or "mcp"')
        elif kind == "custom":
            self._take_custom(tool)
        elif kind == "namespace":
            self._take_namespace(tool)
        elif kind.startswith(_HOSTED):
            self._hosted.append(tool.raw)
        else:
            self._leave(tool, kind)

    def _take_function(self, function: RequestFields, namespace: str = "") -> None:
        spec = read_function(function)
        self._add(function, spec, ClientTool(spec.name, namespace))

    def _take_custom(self, tool: RequestFields, namespace: str = "") -> None:
        """Read a tool that takes free text: models pass objects, so it becomes an object with one string."""
        name, description = tool.needed_text("name"), tool.text("description")
        wanted = tool.fields("format") if tool.has("format") else RequestFields({})
        if wanted.has("definition"):
            syntax = wanted.text("syntax") or "given"
            description += f"\n\nThe input must fit this {syntax} grammar:\n{wanted.text('definition')}"
        self._add(tool, ToolSpec(name, description.strip(), _FREE_TEXT), ClientTool(name, namespace, is_custom=True))

    def _take_namespace(self, tool: RequestFields) -> None:
        namespace = tool.needed_text("name")
        for inner in tool.each("tools"):
            kind = inner.needed_text("type")
            if kind == "function":
                self._take_function(inner, namespace)
            elif kind == "custom":
                self._take_custom(inner, namespace)
            else:
                self._leave(inner, kind)
        if description := tool.text("description"):
            self._notes.append(f"Tools whose names begin with {_prefix(namespace)}: {description}")

    def _take_server(self, tool: RequestFields) -> None:
        server = _read_server(tool)
        _once(tool, "server_label", server.name, self._servers)
        self._servers[server.name] = server
        if tool.has("allowed_tools"):
            self._toolsets[server.name] = {"*": False, **dict.fromkeys(_allowed(tool), True)}

    def _add(self, fields: RequestFields, spec: ToolSpec, known_as: ClientTool) -> None:
        name = flat_name(known_as.namespace, spec.name)
        _once(fields, "name", name, self._specs)
        self._specs[name] = structs.replace(spec, name=name)
        if known_as != ClientTool(name):
            self._renamed[name] = known_as

    def _leave(self, tool: RequestFields, kind: str) -> None:
        why = f"{shown(kind)} works only with a model on OpenAI's Responses API: remove it, or choose such a model"
        self._unserved = self._unserved or f"{tool.path('type')} {why}"


def _read_server(tool: RequestFields) -> McpServer:
    if tool.has("connector_id"):
        raise tool.wrong("connector_id", "is not supported here: use the server_url of an MCP server")
    url = tool.needed_text("server_url")
    if not url.startswith(("https://", "http://")):
        raise tool.wrong("server_url", "must begin with https:// or http://")
    if tool.has("require_approval") and tool.raw["require_approval"] != "never":
        raise tool.wrong("require_approval", 'must be "never": calls cannot be approved through this API')
    headers = tool.table("headers") or {}
    for name, value in headers.items():
        if not isinstance(value, str):
            raise tool.wrong(f"headers.{name}", "must be a string")
    if token := tool.text("authorization"):
        headers = {**headers, "Authorization": token if " " in token else f"Bearer {token}"}
    return McpServer(tool.needed_text("server_label"), url=url, headers=headers, origin="request")


def _allowed(tool: RequestFields) -> list[str]:
    """Read the names of `allowed_tools`: an array, or an object with one."""
    if not isinstance(tool.raw["allowed_tools"], dict):
        return tool.texts("allowed_tools")
    wanted = tool.fields("allowed_tools")
    if wanted.has("read_only"):
        raise wanted.wrong("read_only", "is not supported here: list the tools in tool_names")
    return wanted.texts("tool_names") if wanted.has("tool_names") else ["*"]


def _once(fields: RequestFields, key: str, name: str, known: dict[str, Any]) -> None:
    if name in known:
        raise fields.wrong(key, f"{shown(name)} is used twice: names must be unique")


def _choose(offer: OpenAITools, choice: RequestFields, form: Form) -> OpenAITools:
    kind = choice.needed_text("type")
    names, labels = _names(offer)
    if kind in ("function", "custom"):
        named = choice.fields("function") if form == "nested" else choice
        return structs.replace(offer, choice="required", only_tool=_known(named, names))
    if kind == "allowed_tools":
        return _narrow(offer, choice.fields("allowed_tools") if form == "nested" else choice, form)
    if kind == "mcp":
        label, tool = _known_server(choice, labels), choice.text("name")
        only = mcp_tool_name(server_words(labels), label, tool) if tool else ""
        return structs.replace(offer, choice="required", only_tool=only)
    if any(tool.get("type") == kind for tool in offer.hosted):
        return structs.replace(offer, choice="required")
    if offer.unserved:
        return structs.replace(offer, choice="required")
    raise choice.wrong("type", f"{shown(kind)} is not the type of any tool in this request")


def _narrow(offer: OpenAITools, allowed: RequestFields, form: Form) -> OpenAITools:
    """Keep only the tools that the choice allows."""
    mode = allowed.one_of("mode", ("auto", "required")) or "auto"
    names, labels = _names(offer)
    functions: set[str] = set()
    wanted: set[str] = set()
    for tool in allowed.each("tools"):
        kind = tool.needed_text("type")
        if kind in ("function", "custom"):
            functions.add(_known(tool.fields("function") if form == "nested" else tool, names))
        elif kind == "namespace":
            functions |= _in_namespace(offer, tool)
        elif kind == "mcp":
            wanted.add(_known_server(tool, labels))
    servers = tuple(server for server in offer.mcp.servers if server.name in wanted)
    return structs.replace(
        offer,
        tools=tuple(spec for spec in offer.tools if spec.name in functions),
        mcp=structs.replace(offer.mcp, servers=servers),
        choice=_CHOICES[mode],
    )


def _names(offer: OpenAITools) -> tuple[set[str], set[str]]:
    """Return the names of the functions, and the labels of the servers."""
    return {spec.name for spec in offer.tools}, {server.name for server in offer.mcp.servers}


def _in_namespace(offer: OpenAITools, tool: RequestFields) -> set[str]:
    namespace = tool.needed_text("name")
    found = {name for name, known_as in offer.renamed.items() if known_as.namespace == namespace}
    if not found:
        raise tool.wrong("name", f"{shown(namespace)} is not a namespace of this request")
    return found


def _known(fields: RequestFields, names: Container[str]) -> str:
    """Return the name of a chosen tool as the model knows it."""
    name = flat_name(fields.text("namespace"), fields.needed_text("name"))
    if name not in names:
        raise fields.wrong("name", f"{shown(fields.text('name'))} is not one of the tools of this request")
    return name


def _known_server(fields: RequestFields, labels: Container[str]) -> str:
    label = fields.needed_text("server_label")
    if label not in labels:
        raise fields.wrong("server_label", f"{shown(label)} is not one of the tools of this request")
    return label
