"""Keep the sessions of a user within the user's role: its agents, models, tools and rules."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from toolpost.config.schema import AgentSettings
from toolpost.engine.session_setup import Setup, SubAgent
from toolpost.guard.rules import Rules
from toolpost.models.contract import Model
from toolpost.server.refusals import Refusal
from toolpost.server.users import User
from toolpost.tools.offered_tools import ToolOffering
from toolpost.types.errors import ToolError
from toolpost.types.events import PermissionAsked
from toolpost.workspace import Workspace
from toolpost.workspace.agent_setup import switches_of

from .roles import fits, is_pattern

if TYPE_CHECKING:
    from toolpost.server.gateway.targets import Targets

# What a server offers people who may not touch its machine, where there is an agent of this name.
CHAT = "chat"


def may_use_agent(workspace: Workspace, user: User, name: str) -> bool:
    """Return whether the user's role has this agent. A pattern stands for an agent that touches the machine only where
    the role may do that, too, or where it is the server's default agent, whose tools are then left out."""
    patterns = user.role.agents
    if name in patterns:
        return True
    if not fits(name, patterns):
        return False
    return "machine" in user.rights or name == workspace.default_agent or not _touches_machine(workspace, name)


def agent_for(workspace: Workspace, user: User, wanted: str = "") -> tuple[str, AgentSettings]:
    """Return the agent of a user's session: the one that is `wanted`, else the user's default one. Raises a `Refusal`
    where the role does not have it."""
    if wanted:
        name, settings = workspace.agent(wanted)
        if not may_use_agent(workspace, user, name):
            raise _not_allowed(user, f"may not use the agent {name}")
        return name, settings
    return workspace.agent(default_agent(workspace, user))


def default_agent(workspace: Workspace, user: User) -> str:
    """Return the agent that a user gets without asking for one: the server's, if the role has it and may do what it is
    for; else `chat`, or the first that the role has."""
    usual = workspace.default_agent
    named = [name for name in user.role.agents if not is_pattern(name)]
    others = [name for name, agent in sorted(workspace.agents.items()) if agent.mode != "subagent"]
    known = {*workspace.agents, usual, "default"}
    order = [usual, *named, *others]
    if CHAT in known and "machine" not in user.rights and _touches_machine(workspace, usual):
        order = [CHAT, *order]
    found = next((name for name in order if name in known and may_use_agent(workspace, user, name)), None)
    if found is None:
        raise _not_allowed(user, "may not use any agent of this server")
    return found


def usable_agents(workspace: Workspace, user: User) -> tuple[str, ...]:
    """Return the agents that the user's role has, by name."""
    known = sorted({*workspace.agents, workspace.agent()[0]})
    return tuple(name for name in known if may_use_agent(workspace, user, name))


def bounded(setup: Setup, workspace: Workspace, user: User, targets: "Targets") -> Setup:
    """Return the setup with what the role leaves of it: tools, sub-agents, and the models of sub-agents."""
    agents = {
        name: _bounded_agent(agent, name, user, targets, workspace.agents.get(name))
        for name, agent in setup.agents.items()
        if may_use_agent(workspace, user, name)
    }
    return replace(setup, choice=setup.choice & user.tools, agents=agents, owner=user.name)


def check_approval(workspace: Workspace, user: User, asked: PermissionAsked) -> None:
    """Raise a `Refusal` if the user's role may not do what is asked: then the user may not approve it either. The run
    may have begun when the role could still do more."""
    if Rules(user.rules(workspace)).decide(asked.permission, asked.patterns).action == "deny":
        raise Refusal(
            "permission",
            f"your role {user.role.name} may not use {asked.permission}, so you cannot approve it: reject it, or ask "
            "an admin",
            code="approval_not_allowed",
        )


def _bounded_agent(
    agent: SubAgent, name: str, user: User, targets: "Targets", settings: AgentSettings | None
) -> SubAgent:
    """Return a sub-agent whose own model counts for the user, and is one that the role has."""
    own = agent.model
    if own is None or settings is None or not settings.model:
        return agent
    model_id = settings.model

    def model() -> tuple[Model, Mapping[str, Any]]:
        options = own()[1]
        try:
            return targets.model(model_id, user), options
        except Refusal as refusal:
            raise ToolError(f"The agent {name} cannot be used here: {refusal.message}", kind="denied") from None

    return replace(agent, model=model)


def _touches_machine(workspace: Workspace, name: str) -> bool:
    """Return whether an agent is offered tools that touch the server's files or run commands."""
    settings = workspace.agent(name)[1]
    switches = switches_of(workspace.config, settings)
    offering = ToolOffering(switches, workspace.rules(settings), bool(settings.read_only))
    denied = workspace.machine_permissions
    return any(tool.asks_for in denied and offering.has(tool) for tool in workspace.tools)


def _not_allowed(user: User, what: str) -> Refusal:
    return Refusal(
        "permission",
        f"your role {user.role.name} {what}: GET /api/agents lists the agents that it may use",
        code="agent_not_allowed",
    )
