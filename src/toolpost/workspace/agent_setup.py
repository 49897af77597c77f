"""What the agents of a folder may do: their tools, rules and limits, and the agents that they may send."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from toolpost.config.schema import AgentSettings, Config
from toolpost.engine.limits import Limits
from toolpost.engine.session_setup import AgentParts, Setup, SubAgent
from toolpost.guard.rules import Rule
from toolpost.models.contract import Model
from toolpost.tools.default_rules import DEFAULT_RULES
from toolpost.tools.offered_tools import ToolSwitches, misnamed, unknown_flags

from .tool_setup import outputs_folder

if TYPE_CHECKING:
    from .workspace import Workspace


def agent_parts(
    workspace: "Workspace", model: Model, agent: str | None, rules: Sequence[Rule], limits: Mapping[str, Any] | None
) -> AgentParts:
    """What bounds an agent's calls; `rules` and `limits` are stronger than those of the configuration."""
    name, settings = workspace.agent(agent)
    config = workspace.config
    workspace.note(unknown_flags(rules, workspace.tools))
    return AgentParts(
        name,
        model,
        workspace.tools,
        workspace.plugins,
        default_rules=DEFAULT_RULES,
        rules=[*config.permissions, *settings.permissions, *rules],
        limits=Limits(**{**config.limits.given(), **settings.limits.given(), **(limits or {})}),
        folder=workspace.folder,
        headless=config.headless,
        read_only=bool(settings.read_only),
    )


def bounded(workspace: "Workspace", setup: Setup, settings: AgentSettings) -> Setup:
    """A setup with what holds for every call in the folder."""
    workspace.note(misnamed(setup.rules.rules, workspace.tools))
    return replace(
        setup,
        choice=switches_of(workspace.config, settings),
        folder=workspace.project,
        spill=outputs_folder(),
        tell=workspace.leave_out,
    )


def sub_agent(workspace: "Workspace", settings: AgentSettings) -> SubAgent:
    """An agent as others may send it; its model is found when it is first sent."""

    def model() -> tuple[Model, Mapping[str, Any]]:
        made = workspace.model(settings.model or "")
        return made, workspace.options(made, settings)

    return SubAgent(
        description=settings.description or "",
        system=settings.system or "",
        model=model if settings.model else None,
        options=settings.options.given(),
        variant=settings.variant or "",
        rules=settings.permissions,
        choice=switches_of(workspace.config, settings),
        limits=settings.limits.given(),
        read_only=bool(settings.read_only),
    )


def switches_of(config: Config, agent: AgentSettings) -> ToolSwitches:
    """Which tools the configuration and an agent have switched on."""
    if isinstance(agent.tools, dict):
        return ToolSwitches.switches(config.tools, agent.tools)
    switches = ToolSwitches.switches(config.tools)
    return switches if agent.tools is None else switches & ToolSwitches.only(agent.tools)
