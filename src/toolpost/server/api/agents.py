"""List the agents of the folder."""

from msgspec import Struct

from toolpost.config.schema import AgentMode, AgentSettings
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
        default, _ = workspace.agent()
        known = {default: workspace.agent(default)[1], **workspace.agents}
        found = [_agent(name, known[name], is_default=name == default) for name in sorted(known)]
        await request.reply_json(AgentList(tuple(found)))

    return [Route("GET", "/api/agents", agents, Doc("List the agents of this folder", tag="tools", gives=AgentList))]


def _agent(name: str, settings: AgentSettings, *, is_default: bool) -> AgentEntry:
    return AgentEntry(
        name,
        settings.description or "",
        settings.mode or "all",
        settings.model,
        bool(settings.read_only),
        is_default,
    )
