"""Tools that run here, inside the stream: the engine's loop over a conversation that the client keeps."""

import contextlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from toolpost.engine.calls import CLIENT
from toolpost.engine.external_calls import NoModel
from toolpost.engine.limits import Limits
from toolpost.engine.session import Session
from toolpost.guard.rules import Rule
from toolpost.models.contract import Model
from toolpost.server.users import Right, User
from toolpost.store.contract import Approval, SessionChanges, SessionInfo
from toolpost.store.memory import MemoryStore
from toolpost.tools.define import Tool, ToolContext
from toolpost.tools.offered_tools import Offering
from toolpost.tools.registry import Registry
from toolpost.tools.switched_tools import ALL, Choice
from toolpost.tools.throttle import Throttles
from toolpost.tools.tool_options import NAME
from toolpost.types.events import RunEnd
from toolpost.types.ids import new_id
from toolpost.types.messages import Message
from toolpost.types.tools import ToolSpec
from toolpost.workspace import Workspace

from .hidden_calls import Recall
from .output import Out
from .request import Asked
from .request_mcp import Brought, approvals_of
from .run_output import FromEvents, handed_over

if TYPE_CHECKING:
    from toolpost.server.spans import Spans

STREAM_IDLE = Limits().stream_idle
# The permission of all tools that clients run themselves. With its space, no tool and no rule of the folder has it.
HANDED_OVER = "client tool"


class Ours(Struct, frozen=True):
    """The tools that run here for one request, which of them it has approved by bringing their server, and what the
    user who makes it may not do."""

    tools: Sequence[Tool] = ()
    approved: Sequence[Approval] = ()
    rules: Sequence[Rule] = ()


class InnerRuns:
    """`offered` are the names or patterns of this folder's tools that clients get besides their own."""

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
        self._choice = Choice.only(offered)
        self._known: dict[frozenset[Right], tuple[int, Sequence[Tool]]] = {}
        self._spans = spans
        # What a request may cost is for the gateway's own budgets.
        own = {"max_steps": max_steps, "max_seconds": max_seconds, "max_tokens": None, "max_cost": None}
        self._limits = {"retries": 0, "stream_idle": stream_idle, **own}
        # Shared, so that a tool is called no more often than it says, by however many requests.
        self._throttles = Throttles()

    def has_none_for(self, asked: Asked, user: User) -> bool:
        """Whether it is plain at once that no tool of ours comes into question."""
        if _must_answer_alone(asked):
            return True
        return not self._workspace.may_get_tools and not asked.mcp.servers and not self._on_offer(user)

    @contextlib.asynccontextmanager
    async def tools_for(self, asked: Asked, user: User) -> AsyncGenerator[Ours]:
        """The tools of ours that a request may use; a name that the client uses itself is the client's."""
        workspace, brought = self._workspace, Brought(asked.mcp)
        await workspace.prepare()
        taken = {tool.name for tool in asked.tools}
        async with brought.tools(workspace) as theirs:
            on_offer, offering = self._on_offer(user), self._offering(user)
            own = [tool for tool in on_offer if brought.wants(tool.name) and not brought.replaces(tool.name)]
            brought_on = [tool for tool in theirs if offering.has(tool)]
            tools = [tool for tool in (*own, *brought_on) if tool.name not in taken]
            yield Ours(tools, approvals_of(brought_on, workspace.project), user.rules(workspace))

    async def run(self, asked: Asked, model: Model, ours: Ours, recall: Recall) -> AsyncGenerator[Out, None]:
        """As many turns as it takes. It ends where the model is done, or calls a tool that the client runs."""
        session = await self._session(asked, model, ours)
        if self._spans is not None:
            self._spans.watch(session)
        given = {message.id for message in session.messages}
        translate = FromEvents({tool.name: tool for tool in ours.tools}, model.info.id)
        try:
            async with contextlib.aclosing(session.stream(None, options=asked.options)) as events:
                async for event in events:
                    if isinstance(event, RunEnd) and event.reason == "handed_over":
                        made = [message for message in session.messages if message.id not in given]
                        recall.keep(made)
                        for out in handed_over(made[-1]):
                            yield out
                    for out in translate(event):
                        yield out
        finally:
            await session.close()

    def _on_offer(self, user: User) -> Sequence[Tool]:
        """The tools of this folder that clients get; they are looked through again only once they have changed."""
        tools = self._workspace.tools
        version, known = self._known.get(user.rights, (-1, ()))
        if version != tools.version:
            offering = self._offering(user)
            known = [tool for tool in tools if offering.has(tool)]
            self._known[user.rights] = (tools.version, known)
        return known

    def _offering(self, user: User) -> Offering:
        bounds = self._workspace.calling(NoModel(), rules=user.rules(self._workspace))
        return Offering(self._choice & bounds.choice, bounds.rules, bounds.read_only)

    async def _session(self, asked: Asked, model: Model, ours: Ours) -> Session:
        workspace = self._workspace
        registry = Registry()
        for tool in ours.tools:
            registry.add(tool, tool.source)
        for spec in asked.tools:
            registry.add(_handed_over(spec), CLIENT)
        bounds = workspace.calling(model, rules=ours.rules, limits=self._limits)
        setup = replace(
            bounds,
            tools=registry,
            choice=ALL,
            rules=bounds.rules.with_rules([Rule(HANDED_OVER, "*", "allow", "the request")]),
            agent="gateway",
            system=("\n\n".join(asked.system), ""),
            # The client says to its model what it wants it to know.
            names_environment=False,
            # The client could not read the file.
            spill=None,
            # What went out on the wire stays with the client.
            retracts=False,
            throttles=self._throttles,
        )
        store = MemoryStore()
        await store.approve(ours.approved)
        info = SessionInfo(new_id("ses"), folder=str(workspace.project))
        await store.create(info)
        messages = _chained(asked.messages)
        await store.commit(SessionChanges(info.id, structs.replace(info, head=messages[-1].id), messages))
        return await Session(setup, store, info.id)


@dataclass(frozen=True)
class _ClientTool(Tool):
    """The client decides over its own tools, and over nothing else: whatever it calls one, no rule of ours that has
    this name is about it, and every such rule holds for what it is about."""

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


def _must_answer_alone(asked: Asked) -> bool:
    """Whether the request leaves no room for tools of ours: it settles what is called, or brings what we can't list."""
    if asked.tool_choice == "none" or asked.only_tool or (asked.tool_choice == "required" and asked.tools):
        return True
    return any(not NAME.fullmatch(tool.name) or not _takes_object(tool) for tool in asked.tools)


def _takes_object(tool: ToolSpec) -> bool:
    return tool.parameters.get("type", "object") == "object"


def _chained(messages: Sequence[Message]) -> list[Message]:
    """One after the other, as a session keeps them."""
    chained: list[Message] = []
    for message in messages:
        parent = chained[-1].id if chained else None
        chained.append(structs.replace(message, id=new_id("msg"), parent_id=parent))
    return chained
