"""Serve commands and skills of a folder as MCP prompts."""

from collections.abc import Mapping, Sequence

from toolpost.definitions.commands import CommandFile, expand_parts
from toolpost.engine.external_calls import OutsideCalls
from toolpost.engine.session_setup import Setup
from toolpost.mcp.prompts import McpPrompt, PromptArgument, PromptMessage
from toolpost.store.memory import MemoryStore
from toolpost.types.errors import ToolError
from toolpost.types.messages import Content, FilePart, TextPart
from toolpost.workspace import Workspace

from .served_files import ServedFiles

SKILL = "skill"
TASK = PromptArgument("task", "What to do with the skill")


class ServedPrompts:
    """What a command runs and reads is a call of the folder's tools, behind its rules; a skill is one of `skill`."""

    def __init__(self, workspace: Workspace, setup: Setup, files: ServedFiles) -> None:
        self._commands = workspace.commands
        self._setup = setup
        self._files = files
        offered = any(known.name == SKILL and setup.offering.has(known) for known in setup.tools)
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
        skills = [McpPrompt(name, "", name, skill.description, (TASK,)) for name, skill in self._skills.items()]
        return sorted((*commands, *skills), key=lambda prompt: prompt.name)

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> list[PromptMessage]:
        """Raises `LookupError` for one that there is not, and `ToolpostError` for what may not be done."""
        if name in self._commands:
            return await self._command(self._commands[name], arguments)
        if name not in self._skills:
            raise LookupError(f"there is no prompt {name}")
        said = await self._called(SKILL, {"name": name})
        task = arguments.get(TASK.name, "")
        return [_message(TextPart(f"{said}\n\n{task}" if task else said))]

    async def complete(self, name: str, argument: str, value: str) -> Sequence[str]:
        """Values that a command names for an argument, or files where it takes one."""
        if name in self._skills and argument == TASK.name:
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
