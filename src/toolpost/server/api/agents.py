"""List the agents of the folder that a user may use."""

from msgspec import Struct

from toolpost.config.schema import AgentMode, AgentSettings
from toolpost.server.accounts.bounds import default_agent, usable_agents
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


def routes(workspace: Workspace) -> list[Route]:
    async def agents(request: Request) -> None:
        default, names = default_agent(workspace, request.user), usable_agents(workspace, request.user)
        found = [_agent(name, workspace.agent(name)[1], is_default=name == default) for name in names]
        await request.reply_json(AgentList(tuple(found)))

    return [
        Route(
            "GET",
            "/api/agents",
            agents,
            Doc("List the agents of this folder that you may use", tag="tools", gives=AgentList),
        )
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
