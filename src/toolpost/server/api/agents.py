"""List the agents and commands of the folder."""

from msgspec import Struct

from toolpost.config.schema import AgentMode, AgentSettings
from toolpost.definitions.commands import CommandFile
from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route
from toolpost.workspace import Workspace


class AgentEntry(Struct, frozen=True):
    """`mode`: a person talks to it (primary), other agents start it (subagent), or both (all). `model` is null if it
    has none of its own. A read-only agent changes nothing."""

    name: str
    description: str
    mode: AgentMode
    model: str | None
    is_read_only: bool
    is_default: bool


class AgentList(Struct, frozen=True):
    agents: tuple[AgentEntry, ...]


class CommandEntry(Struct, frozen=True):
    """`agent` and `model` are used for its run, if it names them; `source` says where it comes from."""

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
        Route("GET", "/api/agents", agents, Doc("List the agents of this folder", tag="tools", gives=AgentList)),
        Route(
            "GET", "/api/commands", commands, Doc("List the commands of this folder", tag="tools", gives=CommandList)
        ),
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
