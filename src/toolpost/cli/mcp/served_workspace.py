"""Offer the tools, prompts, skills and files of a workspace to the client of `toolpost mcp serve`."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from shlex import quote
from typing import Any

from toolpost.definitions.commands import CommandFile, expand_parts
from toolpost.engine.external_calls import NoModel, OutsideCalls
from toolpost.engine.session_setup import Setup
from toolpost.guard.rules import Rule
from toolpost.mcp.prompts import McpPrompt, PromptArgument, PromptMessage
from toolpost.mcp.resources import Resource
from toolpost.mcp.serve.client import ServedClient
from toolpost.models.contract import ModelInfo, ModelRequest
from toolpost.store.memory import MemoryStore
from toolpost.tools.define import Tool
from toolpost.tools.registry import Registry
from toolpost.types.errors import ToolError
from toolpost.types.events import QuestionAsked
from toolpost.types.messages import Content, ErrorInfo, FilePart, TextPart
from toolpost.types.stream import Finish, StreamError, StreamEvent, TextDelta, TextEnd, TextStart
from toolpost.workspace import Workspace

from .served_files import ServedFiles

# Built-ins that are nothing without a session of ours: its list, its other tools, its model.
SESSION_ONLY = frozenset({"batch", "task", "todo_read", "todo_write"})
QUESTION = "question"
_SKILL = "skill"
_TASK = PromptArgument("task", "What to do with the skill")


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
        self._prompts = _ServedPrompts(workspace, setup, self._files)

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


class _ServedPrompts:
    """What a command runs and reads is a call of the folder's tools, behind its rules; a skill is one of `skill`."""

    def __init__(self, workspace: Workspace, setup: Setup, files: ServedFiles) -> None:
        self._commands = workspace.commands
        self._setup = setup
        self._files = files
        offered = any(known.name == _SKILL and setup.offering.has(known) for known in setup.tools)
        self._skills = {skill.name: skill for skill in workspace.skills if skill.name not in self._commands and offered}

    def prompts(self) -> list[McpPrompt]:
        commands = [
            McpPrompt(
                name,
                "",
                name,
                command.description,
                tuple(PromptArgument(one.name, one.description, one.required) for one in command.arguments),
            )
            for name, command in self._commands.items()
        ]
        skills = [McpPrompt(name, "", name, skill.description, (_TASK,)) for name, skill in self._skills.items()]
        return sorted((*commands, *skills), key=lambda prompt: prompt.name)

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> list[PromptMessage]:
        """Raises `LookupError` for one that there is not, and `ToolpostError` for what may not be done."""
        if name in self._commands:
            return await self._command(self._commands[name], arguments)
        if name not in self._skills:
            raise LookupError(f"there is no prompt {name}")
        said = await self._called(_SKILL, {"name": name})
        task = arguments.get(_TASK.name, "")
        return [_message(TextPart(f"{said}\n\n{task}" if task else said))]

    async def complete(self, name: str, argument: str, value: str) -> Sequence[str]:
        """Values that a command names for an argument, or files where it takes one."""
        if name in self._skills and argument == _TASK.name:
            return []
        command = self._commands.get(name)
        known = next((one for one in command.arguments if one.name == argument), None) if command else None
        if known is None:
            raise LookupError(f"there is no prompt {name} with an argument {argument}")
        if known.is_path and not known.values:
            return await self._files.paths(value)
        return [one for one in known.values if one.lower().startswith(value.lower())]

    async def _command(self, command: CommandFile, arguments: Mapping[str, str]) -> list[PromptMessage]:
        async def shell(line: str) -> str:
            return await self._called("bash", {"command": line})

        async def file(path: str) -> FilePart | None:
            return await self._files.file(path)

        text, files = await expand_parts(command, command.joined(arguments), shell=shell, file=file)
        return [*(_message(part) for _, part in files), _message(TextPart(text))]

    async def _called(self, tool: str, arguments: dict[str, str]) -> str:
        outcome = await OutsideCalls(self._setup, MemoryStore).call(tool, dict(arguments))
        if outcome.error_kind is not None:
            raise ToolError(outcome.text)
        return outcome.text


def _message(part: Content) -> PromptMessage:
    return PromptMessage("user", (part,))
