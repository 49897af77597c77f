"""Serve the tools, commands, skills and files of a folder to an MCP client, under the rules of the folder."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from shlex import quote
from typing import Any

from toolpost.engine.external_calls import NoModel, OutsideCalls
from toolpost.guard.rules import Rule
from toolpost.mcp.prompts import McpPrompt, PromptMessage
from toolpost.mcp.resources import Resource
from toolpost.mcp.serve.client import ServedClient
from toolpost.models.contract import ModelInfo, ModelRequest
from toolpost.store.memory import MemoryStore
from toolpost.tools.define import Tool
from toolpost.tools.registry import Registry
from toolpost.types.errors import ToolError
from toolpost.types.events import QuestionAsked
from toolpost.types.messages import Content, ErrorInfo, FilePart
from toolpost.types.stream import Finish, StreamError, StreamEvent, TextDelta, TextEnd, TextStart
from toolpost.workspace import Workspace

from .served_files import ServedFiles
from .served_prompts import ServedPrompts

# Built-ins that are nothing without a session of ours: its list, its other tools, its model.
SESSION_ONLY = frozenset({"batch", "task", "todo_read", "todo_write"})
QUESTION = "question"


class ServedTools:
    """Not offered are the tools of other servers, which are theirs to offer, and what needs a session of ours. Nobody
    is asked for a permission; a person is asked what a tool wants to know, where the client can do that."""

    def __init__(self, workspace: Workspace, agent: str | None = None, rules: Sequence[Rule] = ()) -> None:
        served = Registry()
        for tool in workspace.tools:
            if not tool.source.startswith("mcp:") and not (tool.source == "builtin" and tool.name in SESSION_ONLY):
                served.add(tool, tool.source)
        setup = replace(workspace.calling(NoModel(), agent=agent, rules=rules), tools=served)
        self._calls = OutsideCalls(setup, MemoryStore)
        self._files = ServedFiles(workspace, setup)
        self._prompts = ServedPrompts(workspace, setup, self._files)

    async def tools(self, client: ServedClient) -> list[Tool]:
        return [tool for tool in await self._calls.tools() if client.can_answer or not _asks(tool)]

    async def call(self, name: str, arguments: dict[str, Any], client: ServedClient) -> Sequence[Content]:
        async def on_question(asked: QuestionAsked) -> list[tuple[str, ...]] | None:
            return await client.ask(asked.questions)

        outcome = await self._calls.call(
            name,
            arguments,
            client.progress,
            on_question=on_question if client.can_answer else None,
            model=ClientModel(client),
        )
        if outcome.error_kind is None:
            return outcome.content
        text = outcome.text
        if outcome.missing:
            text += f" The owner of this folder can allow it: toolpost mcp serve --allow {quote(outcome.missing)}"
        raise ToolError(text, kind=outcome.error_kind)

    def prompts(self) -> Sequence[McpPrompt]:
        return self._prompts.prompts()

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> Sequence[PromptMessage]:
        return await self._prompts.prompt(name, arguments)

    def resources(self) -> Sequence[Resource]:
        return self._files.resources()

    async def read(self, uri: str) -> FilePart:
        return await self._files.read(uri)

    def path_of(self, uri: str) -> str | None:
        return self._files.path_of(uri)

    async def complete(self, kind: str, name: str, argument: str, value: str) -> Sequence[str]:
        if kind == "prompt":
            return await self._prompts.complete(name, argument, value)
        return await self._files.complete(name, argument, value)


class ClientModel:
    """The model of a client, for tools that ask the session's model something."""

    info = ModelInfo("mcp", "client")

    def __init__(self, client: ServedClient) -> None:
        self._client = client

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        try:
            system = "\n\n".join(filter(None, request.system))
            said = await self._client.sample(request.messages, system, request.options or {})
        except Exception as error:  # noqa: BLE001 - the SDK raises its own kinds, and a stream ends with an event
            yield StreamError(ErrorInfo("protocol", f"the MCP client did not answer: {error}"))
            return
        yield TextStart()
        yield TextDelta(getattr(said.content, "text", ""))
        yield TextEnd()
        yield Finish("length" if said.stop_reason == "maxTokens" else "stop")


def _asks(tool: Tool) -> bool:
    return tool.source == "builtin" and tool.name == QUESTION
