"""Handle the requests of MCP clients: tools, prompts, resources, completion, log levels."""

import base64
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from toolpost.mcp.prompts import McpPrompt, PromptMessage
from toolpost.mcp.resources import Resource
from toolpost.tools.define import Tool
from toolpost.types.errors import PermissionDenied, ToolError, ToolpostError
from toolpost.types.messages import Content, FilePart, TextPart

from .client import ServedClient
from .logs import LogLevels, session_of
from .watched_resources import WatchedResources

if TYPE_CHECKING:
    from mcp import MCPError, types
    from mcp.server import Server
    from mcp.server.context import ServerRequestContext

    Context = ServerRequestContext[Any]

NO_RESOURCE = -32002
MAX_VALUES = 100  # of a completion, by the protocol


class ServedHost(Protocol):
    """Whose tools, prompts and resources are served. Calls may raise `ToolpostError`, and are cancelled with their
    requests. `resources` and `prompts` are what is there now."""

    async def tools(self, client: ServedClient) -> Sequence[Tool]: ...

    async def call(self, name: str, arguments: dict[str, Any], client: ServedClient) -> Sequence[Content]: ...

    def prompts(self) -> Sequence[McpPrompt]: ...

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> Sequence[PromptMessage]:
        """Raises `LookupError` for one that there is not."""
        ...

    def resources(self) -> Sequence[Resource]: ...

    async def read(self, uri: str) -> FilePart:
        """Raises `LookupError` for one that there is not."""
        ...

    def path_of(self, uri: str) -> str | None:
        """The file behind a resource, to see when it changes."""
        ...

    async def complete(self, kind: str, name: str, argument: str, value: str) -> Sequence[str]:
        """Values for an argument of a "prompt" or of a "resource" template that begin with `value`."""
        ...


class Handlers:
    """The handlers of a server, shared by all its clients."""

    def __init__(self, host: ServedHost, levels: LogLevels, watched: WatchedResources) -> None:
        self._host = host
        self._levels = levels
        self._watched = watched

    async def list_tools(self, ctx: "Context", params: Any) -> "types.ListToolsResult":
        from mcp import types

        async with self._client(ctx).served() as client:
            return types.ListToolsResult(tools=[_described(tool) for tool in await self._host.tools(client)])

    async def call_tool(self, ctx: "Context", params: "types.CallToolRequestParams") -> "types.CallToolResult":
        from mcp import types

        try:
            async with self._client(ctx).served() as client:
                content = await self._host.call(params.name, params.arguments or {}, client)
        except (ToolError, PermissionDenied) as error:
            return types.CallToolResult(content=[types.TextContent(type="text", text=str(error))], is_error=True)
        return types.CallToolResult(content=[_block(part) for part in content])

    async def list_prompts(self, ctx: "Context", params: Any) -> "types.ListPromptsResult":
        from mcp import types

        return types.ListPromptsResult(prompts=[_prompt(one) for one in self._host.prompts()])

    async def get_prompt(self, ctx: "Context", params: "types.GetPromptRequestParams") -> "types.GetPromptResult":
        from mcp import types

        try:
            async with self._client(ctx).served():
                messages = await self._host.prompt(params.name, params.arguments or {})
        except (LookupError, ToolpostError) as error:
            raise _invalid(error) from error
        said = [
            types.PromptMessage(role=message.role, content=_block(part))
            for message in messages
            for part in message.content
        ]
        about = next((one.description for one in self._host.prompts() if one.name == params.name), "")
        return types.GetPromptResult(description=about or None, messages=said)

    async def list_resources(self, ctx: "Context", params: Any) -> "types.ListResourcesResult":
        from mcp import types

        listed = [
            types.Resource(uri=one.uri, name=one.name, description=one.description, mime_type=one.mime or None)
            for one in self._host.resources()
            if not one.template
        ]
        return types.ListResourcesResult(resources=listed)

    async def list_templates(self, ctx: "Context", params: Any) -> "types.ListResourceTemplatesResult":
        from mcp import types

        listed = [
            types.ResourceTemplate(uri_template=one.uri, name=one.name, description=one.description)
            for one in self._host.resources()
            if one.template
        ]
        return types.ListResourceTemplatesResult(resource_templates=listed)

    async def read_resource(
        self, ctx: "Context", params: "types.ReadResourceRequestParams"
    ) -> "types.ReadResourceResult":
        from mcp import types

        uri = str(params.uri)
        async with self._client(ctx).served():
            return types.ReadResourceResult(contents=[_contents(uri, await self._read(ctx, uri))])

    async def subscribe(self, ctx: "Context", params: "types.SubscribeRequestParams") -> "types.EmptyResult":
        from mcp import types

        uri = str(params.uri)
        # Who may not read it is not told either when it changes.
        await self._read(ctx, uri)
        path = self._host.path_of(uri)
        if path is not None:
            try:
                self._watched.add(session_of(ctx), uri, path, ctx.session)
            except ToolError as error:
                raise _invalid(error) from error
        return types.EmptyResult()

    async def unsubscribe(self, ctx: "Context", params: "types.UnsubscribeRequestParams") -> "types.EmptyResult":
        from mcp import types

        self._watched.remove(session_of(ctx), str(params.uri))
        return types.EmptyResult()

    async def complete(self, ctx: "Context", params: "types.CompleteRequestParams") -> "types.CompleteResult":
        from mcp import types

        ref, argument = params.ref, params.argument
        kind, name = ("prompt", ref.name) if isinstance(ref, types.PromptReference) else ("resource", ref.uri)
        try:
            found = list(await self._host.complete(kind, str(name), argument.name, argument.value))
        except LookupError as error:
            raise _invalid(error) from error
        more = len(found) > MAX_VALUES
        completion = types.Completion(values=found[:MAX_VALUES], total=len(found), has_more=more)
        return types.CompleteResult(completion=completion)

    async def set_level(self, ctx: "Context", params: "types.SetLevelRequestParams") -> "types.EmptyResult":
        from mcp import types

        self._levels.want(session_of(ctx), params.level)
        return types.EmptyResult()

    def _client(self, ctx: "Context") -> ServedClient:
        return ServedClient(ctx, self._levels.of(ctx))

    async def _read(self, ctx: "Context", uri: str) -> FilePart:
        from mcp import MCPError, types
        from mcp.types.version import MODERN_PROTOCOL_VERSIONS

        try:
            return await self._host.read(uri)
        except LookupError:
            code = types.INVALID_PARAMS if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS else NO_RESOURCE
            raise MCPError(code=code, message=f"there is no resource {uri}", data={"uri": uri}) from None
        except ToolpostError as error:
            raise _invalid(error) from error


def make_server(host: ServedHost, levels: LogLevels, watched: WatchedResources) -> "Server":
    # Imported here, and everything of the SDK: it takes a second or two.
    from importlib.metadata import version

    from mcp import types
    from mcp.server import Server

    handlers = Handlers(host, levels, watched)
    server = Server(
        "toolpost",
        version=version("toolpost"),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_subscribe_resource=handlers.subscribe,
        on_unsubscribe_resource=handlers.unsubscribe,
        on_completion=handlers.complete,
    )
    # Not as an argument: the newest protocol has dropped it, and the SDK warns of it there.
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, handlers.set_level)
    return server


def _invalid(error: Exception) -> "MCPError":
    from mcp import MCPError, types

    return MCPError(code=types.INVALID_PARAMS, message=str(error.args[0]) if error.args else str(error))


def _described(tool: Tool) -> "types.Tool":
    from mcp import types

    return types.Tool(
        name=tool.name,
        title=tool.label or None,
        description=tool.description,
        input_schema={"type": "object", **tool.parameters},
        annotations=types.ToolAnnotations(read_only_hint=tool.read_only),
    )


def _prompt(prompt: McpPrompt) -> "types.Prompt":
    from mcp import types

    arguments = [
        types.PromptArgument(name=one.name, description=one.description or None, required=one.required)
        for one in prompt.arguments
    ]
    return types.Prompt(name=prompt.name, description=prompt.description or None, arguments=arguments or None)


def _block(part: Content) -> "types.ContentBlock":
    from mcp import types

    if isinstance(part, TextPart):
        return types.TextContent(type="text", text=part.text)
    if part.mime.startswith("image/"):
        return types.ImageContent(type="image", data=part.data, mime_type=part.mime)
    if part.mime.startswith("audio/"):
        return types.AudioContent(type="audio", data=part.data, mime_type=part.mime)
    return types.EmbeddedResource(
        type="resource", resource=_contents(part.url or f"file:///{part.name or 'file'}", part)
    )


def _contents(uri: str, part: FilePart) -> "types.TextResourceContents | types.BlobResourceContents":
    from mcp import types

    try:
        text = base64.b64decode(part.data).decode()
    except UnicodeDecodeError:
        return types.BlobResourceContents(uri=uri, blob=part.data, mime_type=part.mime)
    return types.TextResourceContents(uri=uri, text=text, mime_type=part.mime)
