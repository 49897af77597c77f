"""Agents and commands: who can be talked to, and prompts that are called by name."""

from msgspec import Struct

from toolpost.config.schema import AgentMode, AgentSettings
from toolpost.definitions.commands import CommandFile
from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route
from toolpost.workspace import Workspace


class AgentEntry(Struct, frozen=True):
    """`mode`: to be talked to (primary), to be sent by others (subagent), or both (all). `model` is null where it has
    none of its own. One that is read-only changes nothing."""

    name: str
    description: str
    mode: AgentMode
    model: str | None
    is_read_only: bool
    is_default: bool


class AgentList(Struct, frozen=True):
    agents: tuple[AgentEntry, ...]


class CommandEntry(Struct, frozen=True):
    """`agent` and `model` are used for the run that it starts, where it names them; `source` says whose it is."""

    name: str
    description: str
    agent: str | None
    model: str | None
    source: str


class CommandList(Struct, frozen=True):
    commands: tuple[CommandEntry, ...]


def routes(workspace: Workspace) -> list[Route]:
    async def agents(request: Request) -> None:
        default, _ = workspace.agent()
        known = {default: workspace.agent(default)[1], **workspace.agents}
        found = [_agent(name, known[name], is_default=name == default) for name in sorted(known)]
        await request.reply_json(AgentList(tuple(found)))

    async def commands(request: Request) -> None:
        known = workspace.commands
        await request.reply_json(CommandList(tuple(_command(known[name]) for name in sorted(known))))

    return [
        Route("GET", "/api/agents", agents, Doc("The agents of this folder", tag="tools", gives=AgentList)),
        Route("GET", "/api/commands", commands, Doc("The commands of this folder", tag="tools", gives=CommandList)),
    ]


def _agent(name: str, settings: AgentSettings, *, is_default: bool) -> AgentEntry:
    return AgentEntry(
        name,
        settings.description or "",
        settings.mode or "all",
        settings.model,
        bool(settings.read_only),
        is_default,
    )


def _command(command: CommandFile) -> CommandEntry:
    return CommandEntry(command.name, command.description, command.agent, command.model, command.source)
