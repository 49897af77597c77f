"""The SDK: an `Agent` is a model, its tools and its rules; it makes sessions."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, overload

from msgspec import structs

from toolpost.engine.agents import SubAgent
from toolpost.engine.asks import Headless, OnAsk
from toolpost.engine.core import Setup
from toolpost.engine.limits import Limits
from toolpost.engine.prompt import find_instructions, system_prompt
from toolpost.engine.questions import OnQuestion
from toolpost.engine.result import RunResult
from toolpost.engine.session import Session
from toolpost.engine.tasks import run_blocking
from toolpost.guard.rules import Rule, Rules, parse_rules
from toolpost.models.contract import Model
from toolpost.plugins.hooks import Hooks, Plugin
from toolpost.store import open_store
from toolpost.store.contract import Store
from toolpost.store.memory import MemoryStore
from toolpost.tools.define import Tool
from toolpost.tools.registry import Registry
from toolpost.types.errors import ConfigError
from toolpost.types.messages import Usage

T = TypeVar("T")
ToolLike = Tool | Callable[..., Any] | str
Permissions = str | Mapping[str, Any] | Sequence[Rule]


class Agent:
    """A model with tools.

    - `model`: an id such as `openai/gpt-5`, or a `Model`.
    - `tools`: typed functions, `Tool` objects, names of built-in tools. What you hand over here may run; `permissions`
      says otherwise: `{"delete_file": "ask", "bash": {"*": "deny", "git *": "allow"}}`.
    - `store`: sessions live in memory unless it is `"sqlite"`, a path, or a `Store`.
    - `on_ask` answers permission asks; without it `headless` does (deny, allow or fail), unless the agent is
      `interactive`: then asks wait for `session.reply`. `on_question` and `session.answer` are the same for what the
      model asks with the `question` tool.
    - `agents`: others that it may send with the `task` tool. They have their own model, prompt and tools, and may do no
      more than this one; `description` says what each is for. An agent that is `read_only`, and all that it sends, is
      offered only tools that change nothing.
    """

    def __init__(
        self,
        model: str | Model,
        tools: Sequence[ToolLike] = (),
        system: str = "",
        *,
        name: str = "default",
        description: str = "",
        permissions: Permissions | None = None,
        options: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        store: str | Path | Store | None = None,
        plugins: Sequence[Plugin] = (),
        folder: str | Path | None = None,
        instructions: bool = False,
        headless: Headless = "deny",
        on_ask: OnAsk | None = None,
        on_question: OnQuestion | None = None,
        interactive: bool = False,
        read_only: bool = False,
        agents: "Sequence[Agent]" = (),
    ) -> None:
        _check_kinds(model, limits, plugins)
        self._store = _opened(store)
        self._description = description
        self._setup = build_setup(
            model,
            tools,
            system,
            name=name,
            rules=parse_rules(permissions, "permissions") if permissions is not None else (),
            options=options or {},
            limits=limits or Limits(),
            plugins=plugins,
            folder=Path(folder).resolve() if folder is not None else Path.cwd(),
            instructions=instructions,
            headless=headless,
            on_ask=on_ask,
            on_question=on_question,
            interactive=interactive,
            read_only=read_only,
            agents={agent.name: agent._as_sub_agent() for agent in agents},
        )

    @property
    def name(self) -> str:
        return self._setup.agent

    @property
    def tools(self) -> Registry:
        return self._setup.tools

    def session(self, session_id: str | None = None, *, title: str = "") -> Session:
        """A new session, or the stored one with this id. In memory each session has a store of its own."""
        if self._store is None and session_id is not None:
            raise ConfigError(f"session {session_id} can't be opened: this agent has no store; give it store='sqlite'")
        return Session(self._setup, self._store or MemoryStore(), session_id, title=title)

    @overload
    async def run(self, prompt: str, *, output: type[T], **arguments: Any) -> RunResult[T]: ...

    @overload
    async def run(self, prompt: str, *, output: Mapping[str, Any], **arguments: Any) -> RunResult[Any]: ...

    @overload
    async def run(self, prompt: str, *, output: None = None, **arguments: Any) -> RunResult[None]: ...

    async def run(self, prompt: str, **arguments: Any) -> RunResult[Any]:
        """Run a prompt in a session of its own. Takes what `Session.run` takes."""
        return await self.session().run(prompt, **arguments)

    @overload
    def run_sync(self, prompt: str, *, output: type[T], **arguments: Any) -> RunResult[T]: ...

    @overload
    def run_sync(self, prompt: str, *, output: Mapping[str, Any], **arguments: Any) -> RunResult[Any]: ...

    @overload
    def run_sync(self, prompt: str, *, output: None = None, **arguments: Any) -> RunResult[None]: ...

    def run_sync(self, prompt: str, **arguments: Any) -> RunResult[Any]:
        """`run` for code without an event loop."""
        return run_blocking(self.run(prompt, **arguments))

    def _as_sub_agent(self) -> SubAgent:
        setup = self._setup
        return SubAgent(
            description=self._description,
            system=setup.system[0],
            model=lambda: (setup.model, setup.options),
            tools=setup.tools,
            agents=setup.agents,
            rules=setup.rules.rules,
            limits={name: value for name, value in structs.asdict(setup.limits).items() if value != _USUAL[name]},
            read_only=setup.read_only,
        )


_USUAL = structs.asdict(Limits())


def build_setup(
    model: str | Model,
    tools: Sequence[ToolLike],
    system: str,
    *,
    name: str,
    rules: Sequence[Rule],
    options: Mapping[str, Any],
    limits: Limits,
    plugins: Sequence[Plugin],
    folder: Path,
    instructions: bool,
    headless: Headless,
    on_ask: OnAsk | None = None,
    on_question: OnQuestion | None = None,
    interactive: bool = False,
    read_only: bool = False,
    agents: Mapping[str, SubAgent] | None = None,
) -> Setup:
    """Resolve what a user wrote into what the engine runs."""
    registry, agents = Registry(), agents or {}
    for plugin in plugins:
        for tool in plugin.tools():
            registry.add(tool, f"plugin:{plugin.name}")
    for tool in tools:
        registry.add(tool, "sdk")
    if agents and "task" not in registry:
        registry.add(_task_tool(agents), "sdk")
    from_plugins = [rule for plugin in plugins for rule in plugin.rules()]
    found = find_instructions(folder) if instructions else []
    return Setup(
        model=resolve_model(model, plugins),
        tools=registry,
        rules=Rules([*_trusted_below(agents), *_trusted(registry), *from_plugins, *rules]),
        hooks=Hooks(plugins, timeout=limits.hook_timeout),
        limits=limits,
        agent=name,
        system=system_prompt(system, folder=folder, instructions=found),
        options=options,
        folder=folder,
        headless=headless,
        on_ask=on_ask,
        on_question=on_question,
        interactive=interactive,
        read_only=read_only,
        agents=agents,
        price=price,
    )


def _task_tool(agents: Mapping[str, SubAgent]) -> Tool:
    # Imported here: few agents send others.
    from toolpost.tools.builtin.task import task_tool
    from toolpost.tools.limits import ToolLimits

    return task_tool({name: agent.description for name, agent in agents.items()}, ToolLimits())


def _check_kinds(model: object, limits: object, plugins: Sequence[object]) -> None:
    """Say at once, and in words, what a type checker would have said."""
    if not isinstance(model, str) and not (hasattr(model, "stream") and hasattr(model, "info")):
        raise ConfigError(f"model is {model!r}: give an id such as 'openai/gpt-5-mini', or a Model")
    if limits is not None and not isinstance(limits, Limits):
        raise ConfigError("limits must be a Limits, as in Limits(max_steps=20)")
    for plugin in plugins:
        if not isinstance(plugin, Plugin):
            raise ConfigError(f"{plugin!r} is no plugin: give an object of a class that extends toolpost.Plugin")


def resolve_model(model: str | Model, plugins: Sequence[Plugin] = ()) -> Model:
    if not isinstance(model, str):
        return model
    # Imported here: the catalog is only needed by those who name a model by its id.
    from toolpost.models.catalog import resolve

    extra = {name: make for plugin in plugins for name, make in plugin.models().items()}
    return resolve(model, extra=extra)


def _trusted(registry: Registry) -> list[Rule]:
    """Handing a tool to an agent in code is the permission to run it; any rule the user gives is stronger."""
    return [Rule(tool.permission or tool.name, "*", "allow", "default") for tool in registry if tool.source == "sdk"]


def _trusted_below(agents: Mapping[str, SubAgent]) -> list[Rule]:
    """The same holds for the tools of agents that it may send."""
    rules: list[Rule] = []
    for agent in agents.values():
        rules += [*_trusted_below(agent.agents or {}), *(_trusted(agent.tools) if agent.tools else ())]
    return rules


async def price(provider: str, model: str, usage: Usage) -> float | None:
    """What a step costs. A price list that has to be read first is read beside the loop."""
    # Imported here: not needed before the first step has ended.
    from toolpost.models import prices

    if prices.is_at_hand(provider, model):
        return prices.cost(provider, model, usage)
    return await asyncio.to_thread(prices.cost, provider, model, usage)


def _opened(store: str | Path | Store | None) -> Store | None:
    return open_store(store) if isinstance(store, str | Path) else store
