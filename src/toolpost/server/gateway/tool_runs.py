"""Run tools inside the stream of an answer: the engine's loop over a conversation that the client keeps."""

import contextlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from toolpost.definitions.agents import DEFAULT_AGENT
from toolpost.engine.call_pipeline import CLIENT
from toolpost.engine.external_calls import NoModel
from toolpost.engine.limits import Limits
from toolpost.engine.session import Session
from toolpost.engine.state import Setup
from toolpost.guard.rules import Rule
from toolpost.models.contract import Model
from toolpost.plugins.hooks import rules_of
from toolpost.server.accounts.roles import Role
from toolpost.server.users import User
from toolpost.store.contract import Approval, SessionChanges, SessionInfo
from toolpost.store.memory import MemoryStore
from toolpost.tools.check_definition import NAME
from toolpost.tools.define import Tool, ToolContext
from toolpost.tools.offered_tools import ALL, ToolOffering, ToolSwitches
from toolpost.tools.registry import Registry
from toolpost.tools.throttle import Throttles
from toolpost.types.events import RunEnd
from toolpost.types.ids import new_id
from toolpost.types.messages import Message
from toolpost.types.tool_spec import ToolSpec
from toolpost.workspace import Workspace

from .event_translator import EventTranslator, handed_over
from .hidden_calls import HiddenCalls
from .output import OutputEvent
from .request import GatewayRequest
from .request_mcp import RequestServers, approvals_of

if TYPE_CHECKING:
    from toolpost.server.spans import Spans

STREAM_IDLE = Limits().stream_idle
# The permission of all tools that clients run themselves. With its space, no tool and no rule of the folder has it.
HANDED_OVER = "client tool"
MAX_ROLES = 64


class OwnTools(Struct, frozen=True):
    """The tools that run here for one request, which of them it has approved by bringing their server, and the bounds
    of their calls: rules, limits and hooks."""

    tools: Sequence[Tool]
    approved: Sequence[Approval]
    bounds: Setup


class _Bounds(Struct, frozen=True):
    """The bounds of a user's requests in this folder, for one version of its tools and these rules of its plugins."""

    version: int
    rules: Sequence[Rule]
    setup: Setup
    offering: ToolOffering
    tools: Sequence[Tool]


class ToolRuns:
    """Run the tools of this server for requests. `offered` are the names or patterns of this folder's tools that
    clients get besides their own."""

    def __init__(
        self,
        workspace: Workspace,
        offered: Sequence[str],
        *,
        max_steps: int,
        max_seconds: float,
        stream_idle: float = STREAM_IDLE,
        spans: "Spans | None" = None,
    ) -> None:
        self._workspace = workspace
        # Clients of the gateway bring their own prompt and tools, so what the agent of chats lacks is nothing to them.
        self._agent = workspace.config.agent or DEFAULT_AGENT
        self._choice = ToolSwitches.only(offered)
        self._bounds: dict[Role, _Bounds] = {}
        self._spans = spans
        # What a request may cost is for the gateway's own budgets.
        own = {"max_steps": max_steps, "max_seconds": max_seconds, "max_tokens": None, "max_cost": None}
        self._limits = {"retries": 0, "stream_idle": stream_idle, **own}
        # Shared, so that a tool is called no more often than it says, by however many requests.
        self._throttles = Throttles()

    def has_none_for(self, asked: GatewayRequest, user: User) -> bool:
        """Return whether it is certain at once that no tool of this server can be used."""
        if _must_answer_alone(asked):
            return True
        return not self._workspace.may_get_tools and not asked.mcp.servers and not self._bounds_of(user).tools

    @contextlib.asynccontextmanager
    async def tools_for(self, asked: GatewayRequest, user: User) -> AsyncGenerator[OwnTools]:
        """The tools of this server that a request may use. If the client uses the same name, the name is the
        client's."""
        workspace, brought = self._workspace, RequestServers(asked.mcp)
        await workspace.prepare()
        taken = {tool.name for tool in asked.tools}
        async with brought.tools(workspace) as theirs:
            bounds = self._bounds_of(user)
            setup, offering = bounds.setup, bounds.offering
            if theirs:
                # Rules remember each permission that was looked up: names from requests must not fill the shared ones.
                setup = replace(setup, rules=setup.rules.with_rules(()))
                offering = structs.replace(offering, rules=setup.rules)
            own = [tool for tool in bounds.tools if brought.wants(tool.name) and not brought.replaces(tool.name)]
            brought_on = [tool for tool in theirs if offering.has(tool)]
            tools = [tool for tool in (*own, *brought_on) if tool.name not in taken]
            yield OwnTools(tools, approvals_of(brought_on, workspace.project), setup)

    async def run(
        self, asked: GatewayRequest, model: Model, ours: OwnTools, hidden: HiddenCalls
    ) -> AsyncGenerator[OutputEvent, None]:
        """Run as many turns as needed, until the model is done or calls a tool that the client runs."""
        session = await self._session(asked, model, ours)
        if self._spans is not None:
            self._spans.watch(session)
        given = {message.id for message in session.messages}
        translate = EventTranslator({tool.name: tool for tool in ours.tools}, model.info.id)
        try:
            async with contextlib.aclosing(session.stream(None, options=asked.options)) as events:
                async for event in events:
                    if isinstance(event, RunEnd) and event.reason == "handed_over":
                        made = [message for message in session.messages if message.id not in given]
                        hidden.keep(made)
                        for out in handed_over(made[-1]):
                            yield out
                    for out in translate(event):
                        yield out
        finally:
            await session.close()

    def _bounds_of(self, user: User) -> _Bounds:
        """Return the bounds of a user's requests. They are made again only when the folder's tools or the rules of its
        plugins have changed; nothing else in them can change."""
        workspace = self._workspace
        version, rules = workspace.tools.version, [rule for one in workspace.plugins for rule in rules_of(one)]
        known = self._bounds.get(user.role)
        if known is None or (known.version, known.rules) != (version, rules):
            setup = workspace.calling(NoModel(), agent=self._agent, rules=user.rules(workspace), limits=self._limits)
            offering = ToolOffering(self._choice & setup.choice & user.tools, setup.rules, setup.read_only)
            setup = replace(
                setup,
                choice=ALL,
                rules=setup.rules.with_rules([Rule(HANDED_OVER, "*", "allow", "the request")]),
                agent="gateway",
                # The client says to its model what it wants it to know.
                names_environment=False,
                # Which tools there are is for the client to decide.
                fits_tools=False,
                # The client could not read the file.
                spill=None,
                # What went out on the wire stays with the client.
                retracts=False,
                throttles=self._throttles,
            )
            tools = [tool for tool in workspace.tools if offering.has(tool)]
            if len(self._bounds) >= MAX_ROLES:
                # Roles that changed with the configuration are asked for no more.
                self._bounds.clear()
            known = self._bounds[user.role] = _Bounds(version, rules, setup, offering, tools)
        return known

    async def _session(self, asked: GatewayRequest, model: Model, ours: OwnTools) -> Session:
        """Create a session over the request's conversation, in a store that lives as long as the session."""
        registry = Registry()
        for tool in ours.tools:
            registry.add(tool, tool.source)
        for spec in asked.tools:
            registry.add(_handed_over(spec), CLIENT)
        setup = replace(ours.bounds, model=model, tools=registry, system=("\n\n".join(asked.system), ""))
        store = MemoryStore()
        await store.approve(ours.approved)
        messages = _chained(asked.messages)
        info = SessionInfo(new_id("ses"), folder=str(setup.folder), head=messages[-1].id)
        await store.create(info)
        await store.commit(SessionChanges(info.id, info, messages))
        return await Session(setup, store, info.id)


@dataclass(frozen=True)
class _ClientTool(Tool):
    """A tool that the client runs. The client decides over its own tools only: a rule of ours with the same name is not
    about it, and it weakens no such rule."""

    told: ToolSpec = field(kw_only=True)

    @property
    def spec(self) -> ToolSpec:
        return self.told

    @property
    def names(self) -> tuple[str, ...]:
        return (HANDED_OVER,)


def _handed_over(spec: ToolSpec) -> Tool:
    async def never(arguments: object, ctx: ToolContext) -> None:
        raise AssertionError("the client runs this tool")

    return _ClientTool(
        spec.name,
        spec.name,
        spec.description,
        spec.parameters,
        never,
        source=CLIENT,
        permission=HANDED_OVER,
        # It changes nothing here.
        read_only=True,
        told=spec,
    )


def _must_answer_alone(asked: GatewayRequest) -> bool:
    """Return whether the request leaves no room for tools of this server: it forces a call, or has tools that we cannot
    list."""
    if asked.tool_choice == "none" or asked.only_tool or (asked.tool_choice == "required" and asked.tools):
        return True
    return any(not NAME.fullmatch(tool.name) or not _takes_object(tool) for tool in asked.tools)


def _takes_object(tool: ToolSpec) -> bool:
    return tool.parameters.get("type", "object") == "object"


def _chained(messages: Sequence[Message]) -> list[Message]:
    """Each message with the one before it as its parent, as a session keeps them."""
    parents = (None, *(message.id for message in messages))
    return [structs.replace(message, parent_id=parent) for message, parent in zip(messages, parents, strict=False)]
