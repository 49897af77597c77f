"""The SDK: an `Agent` is a model with tools and rules; it makes sessions."""

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, cast, get_args, overload

from msgspec import structs

from .arguments.check_sdk_calls import check_function, check_kind, check_number, named, shown
from .engine.asyncio_tasks import run_blocking
from .engine.limits import Limits
from .engine.model_options import check_option_names
from .engine.permissions import Headless, OnAsk
from .engine.questions import OnQuestion
from .engine.result import RunResult
from .engine.run_options import RunArguments
from .engine.session import Session
from .engine.session_setup import AgentParts, Setup, SubAgent, build_setup, listed_price, prepare_all
from .engine.system_prompt import find_instructions
from .extras import require
from .guard.rules import Rule, parse_rules
from .models.contract import Model
from .plugins.hooks import Plugin, models_of
from .plugins.plugin_tools import PluginTools
from .store import open_store
from .store.contract import Store
from .store.memory import MemoryStore
from .tools.default_rules import DEFAULT, DEFAULT_RULES
from .tools.define import Tool
from .tools.files.instructions import Instructions
from .tools.limits import ToolLimits
from .tools.registry import Registry, ToolLike
from .tools.untrusted import RULE
from .types.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from .mcp.config import McpServer
    from .mcp.session_tools import JoinedServers
    from .tools.files.journal import FileJournal
    from .tools.workbench import Workbench

T = TypeVar("T")
Permissions = str | Mapping[str, Any] | Sequence[Rule | str]

log = logging.getLogger("toolpost.sdk")


class Agent:
    """A model with tools.

    - `model`: an id such as `openai/gpt-5`, or a `Model`.
    - `tools`: typed functions, `Tool` objects, names of built-in tools. What you hand over here may run; `permissions`
      says otherwise: `{"delete_file": "ask", "bash": {"*": "deny", "git *": "allow"}}`.
      A built-in may look around in `folder`; what it changes, runs or fetches is asked for.
    - `mcp`: MCP servers, connected when the agent first runs. Use the agent with `async with`, or call `close`, to end
      them; `run_sync` does so itself.
    - `options` go to the model with every request; `variants` are sets of them by name, for `run(…, variant="terse")`,
      beside `low`, `medium` and `high`, which say how much a model reasons.
    - `store`: sessions live in memory unless it is `"sqlite"`, a path, or a `Store`.
    - `on_ask` answers permission asks; without it `headless` does (deny, allow or fail), unless the agent is
      `interactive`: then asks wait for `session.reply`. `on_question` and `session.answer` are the same for what the
      model asks with the `question` tool. A run that has waited for a person for `park_seconds` is parked: it is only
      in the store, until `session.respond` and `session.resume` go on with it.
    - `agents`: others that it may send with the `task` tool. They have their own model, prompt and tools, and may do no
      more than this one; `description` says what each is for. An agent that is `read_only`, and all that it sends, is
      offered only tools that change nothing.
    - `undo`: what built-in tools and commands change in `folder` is noted, by this agent and those that it sends, so
      that `session.changes.undo()` can take it back.
    """

    @named("Agent")
    def __init__(
        self,
        model: str | Model,
        tools: Sequence[ToolLike] | ToolLike = (),
        system: str = "",
        *,
        mcp: "Sequence[McpServer]" = (),
        name: str = "default",
        description: str = "",
        permissions: Permissions | None = None,
        options: Mapping[str, Any] | None = None,
        variants: Mapping[str, Mapping[str, Any]] | None = None,
        limits: Limits | None = None,
        store: str | Path | Store | None = None,
        plugins: Sequence[Plugin] = (),
        folder: str | Path | None = None,
        instructions: bool = False,
        headless: Headless = "deny",
        on_ask: OnAsk | None = None,
        on_question: OnQuestion | None = None,
        interactive: bool = False,
        park_seconds: float | None = None,
        read_only: bool = False,
        agents: "Sequence[Agent]" = (),
        undo: bool = False,
    ) -> None:
        _check_agent(locals())
        self._store = _opened(store)
        self._description = description
        self._agents = agents
        place = Path(folder).resolve() if folder is not None else Path.cwd()
        self._bench = _Bench(place)
        if undo:
            self._note_changes()
        registry = Registry(bench=self._bench)
        plugin_tools = PluginTools(plugins, timeout=(limits or Limits()).hook_timeout)
        below = {agent.name: agent._as_sub_agent() for agent in agents}
        _add_tools(registry, tools, plugin_tools, below)
        parts = AgentParts(
            name,
            _model(model, plugins),
            registry,
            plugins,
            default_rules=[*_trusted_below(below), *_trusted(registry), *_connected(mcp)],
            rules=parse_rules(permissions, "permissions") if permissions is not None else (),
            limits=limits or Limits(),
            folder=place,
            prompt=system,
            told=_reading_rules(registry, mcp),
            instructions=_instructions(place) if instructions else (),
            options=options or {},
            variants=lambda info: variants or {},
            agents=below,
            headless=headless,
            on_ask=on_ask,
            on_question=on_question,
            read_only=read_only,
        )
        setup = replace(
            build_setup(parts),
            interactive=interactive,
            park_seconds=park_seconds,
            price=listed_price,
            files=self._bench.journal,
        )
        self._servers = _joined(mcp, setup)
        prepare = prepare_all(
            [
                *([plugin_tools.prepare] if plugin_tools.waiting else []),
                *([self._servers.prepare] if self._servers is not None else []),
                *(agent._setup.prepare for agent in agents if agent._setup.prepare is not None),
            ]
        )
        self._setup = replace(setup, prepare=prepare)

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
    async def run(self, prompt: str, *, output: type[T], **arguments: Unpack[RunArguments]) -> RunResult[T]: ...

    @overload
    async def run(
        self, prompt: str, *, output: Mapping[str, Any], **arguments: Unpack[RunArguments]
    ) -> RunResult[Any]: ...

    @overload
    async def run(self, prompt: str, *, output: None = None, **arguments: Unpack[RunArguments]) -> RunResult[None]: ...

    async def run(self, prompt: str, *, output: Any = None, **arguments: Unpack[RunArguments]) -> RunResult[Any]:
        """Run a prompt in a session of its own. Takes what `Session.run` takes."""
        return await self.session().run(prompt, output=output, **arguments)

    @overload
    def run_sync(self, prompt: str, *, output: type[T], **arguments: Unpack[RunArguments]) -> RunResult[T]: ...

    @overload
    def run_sync(
        self, prompt: str, *, output: Mapping[str, Any], **arguments: Unpack[RunArguments]
    ) -> RunResult[Any]: ...

    @overload
    def run_sync(self, prompt: str, *, output: None = None, **arguments: Unpack[RunArguments]) -> RunResult[None]: ...

    def run_sync(self, prompt: str, *, output: Any = None, **arguments: Unpack[RunArguments]) -> RunResult[Any]:
        """`run` for code without an event loop."""
        return run_blocking(self._run_and_close(prompt, output, arguments))

    async def close(self) -> None:
        """End what its tools have started: MCP servers, language servers, background jobs. It can go on after that."""
        if self._servers is not None:
            await self._servers.close()
        await self._bench.close()
        for agent in self._agents:
            await agent.close()

    async def __aenter__(self) -> "Agent":
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    def _note_changes(self) -> None:
        self._bench.note_changes()
        for agent in self._agents:
            agent._note_changes()

    async def _run_and_close(self, prompt: str, output: Any, arguments: RunArguments) -> RunResult[Any]:
        try:
            return await self.run(prompt, output=output, **arguments)
        finally:
            await self.close()

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


def _check_agent(given: Mapping[str, Any]) -> None:
    """Say at once, and in words, what a type checker would have said."""
    _check_model(given["model"])
    for name in ("system", "name", "description"):
        check_kind(given[name], str, name, "a text")
    for name in ("instructions", "interactive", "read_only", "undo"):
        check_kind(given[name], bool, name, "True or False")
    check_kind(given["options"], (Mapping, NoneType), "options", 'a dict such as {"temperature": 0}')
    check_option_names(given["options"] or {})
    if given["park_seconds"] is not None:
        check_number(given["park_seconds"], "park_seconds", zero=True)
    for options in cast("Mapping[str, Mapping[str, Any]]", given["variants"] or {}).values():
        check_option_names(options)
    check_kind(given["limits"], (Limits, NoneType), "limits", "a Limits, as in Limits(max_steps=20)")
    check_kind(given["folder"], (str, Path, NoneType), "folder", "a path")
    if given["folder"] is not None and not Path(given["folder"]).is_dir():
        raise UsageError(f"folder is {shown(given['folder'])}: there is no such folder")
    if given["headless"] not in get_args(Headless):
        raise UsageError(f'headless is {shown(given["headless"])}: give "deny", "allow" or "fail"')
    for name, what in (("on_ask", "asked"), ("on_question", "asked")):
        if given[name] is not None:
            check_function(given[name], name, what)
    _check_lists(given)


def _check_model(model: object) -> None:
    if isinstance(model, type):
        raise UsageError(f"model is the class {model.__name__}: make one, as in {model.__name__}(…)")
    if not isinstance(model, str) and not (hasattr(model, "stream") and hasattr(model, "info")):
        raise UsageError(f"model is {shown(model)}: give an id such as 'openai/gpt-5-mini', or a Model")


def _check_lists(given: Mapping[str, Any]) -> None:
    # Imported here where it is needed: MCP takes its time, and few agents have servers.
    wanted: dict[str, tuple[type, str]] = {"plugins": (Plugin, "a Plugin"), "agents": (Agent, "an Agent")}
    if given["mcp"]:
        from .mcp.config import McpServer

        wanted["mcp"] = McpServer, "a McpServer"
    for name, (kind, what) in wanted.items():
        several: object = given[name]
        if not isinstance(several, Sequence) or isinstance(several, str):
            raise UsageError(f"{name} is {shown(several)}: give a list, each of it {what}")
        for one in cast("Sequence[object]", several):
            if isinstance(one, type):
                raise UsageError(f"{name} has the class {one.__name__} in it: make one, as in {one.__name__}()")
            if not isinstance(one, kind):
                raise UsageError(f"{name} has {shown(one)} in it: give a list, each of it {what}")
    names = [agent.name for agent in given["agents"]]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f'two of agents are named "{name}": give each another, as in Agent(…, name="reviewer")')


def _add_tools(
    registry: Registry,
    tools: Sequence[ToolLike] | ToolLike,
    of_plugins: PluginTools,
    agents: Mapping[str, SubAgent],
) -> None:
    of_plugins.add(registry)
    registry.add_all(tools, "sdk")
    if agents and "task" not in registry:
        registry.add(_task_tool(agents), "sdk")


def _instructions(folder: Path) -> Sequence[Instructions]:
    found = find_instructions(folder)
    for text in found.left_out:
        log.warning("%s", text)
    return found.files


def _task_tool(agents: Mapping[str, SubAgent]) -> Tool:
    # Imported here: few agents send others.
    from .tools.builtin.task import task_tool

    return task_tool({name: agent.description for name, agent in agents.items()}, ToolLimits())


def _model(model: str | Model, plugins: Sequence[Plugin] = ()) -> Model:
    if not isinstance(model, str):
        return model
    # Imported here: the catalog is only needed by those who name a model by its id.
    from .models.resolve import resolve

    return resolve(model, extra=models_of(plugins))


def _trusted(registry: Registry) -> list[Rule]:
    """Handing a tool to an agent in code is the permission to run it; any rule the user gives is stronger. A built-in
    may do more than its caller may have thought of, so it has only the permissions that it has everywhere."""
    permissions = {tool.permission or tool.name: tool.source for tool in registry}
    own = [Rule(name, "*", "allow", DEFAULT) for name, source in permissions.items() if source == "sdk"]
    return [*(rule for rule in DEFAULT_RULES if permissions.get(rule.permission) == "builtin"), *own]


def _reading_rules(registry: Registry, servers: "Sequence[McpServer]") -> tuple[str, ...]:
    """What a model has to know whose tools bring texts of others."""
    return (RULE,) if servers or any(name in registry for name in ("sql_query", "web_fetch", "web_search")) else ()


def _connected(servers: "Sequence[McpServer]") -> list[Rule]:
    """The same holds for a server that is handed over in code."""
    if not servers:
        return []
    from .mcp.names import server_words

    words = server_words(server.name for server in servers)
    return [Rule(f"mcp__{words[server.name]}__*", "*", "allow", DEFAULT) for server in servers]


def _joined(servers: "Sequence[McpServer]", setup: Setup) -> "JoinedServers | None":
    if not servers:
        return None
    require("mcp", "Agent(mcp=[…])")
    # Imported here: MCP takes its time, and few agents have servers.
    from .mcp.session_tools import JoinedServers

    return JoinedServers(
        servers,
        setup.tools,
        folder=setup.folder,
        environ=os.environ,
        patience=ToolLimits().mcp_seconds,
        hides=setup.rules.hides,
        trusted=True,
    )


class _Bench:
    """The workbench of an agent's built-in tools, made when the first of them is."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: Workbench | None = None
        self.journal: FileJournal | None = None

    def __call__(self) -> "Workbench":
        from .tools.workbench import bench_at

        self._made = self._made or bench_at(self._folder)
        self._made.changes = self.journal
        return self._made

    def note_changes(self) -> None:
        """Keep a journal of what the tools change."""
        # Imported here: few agents keep one.
        from .tools.files.journal import journal_of

        self.journal = journal_of(self._folder)
        if self._made is not None:
            self._made.changes = self.journal

    async def close(self) -> None:
        if self._made is not None:
            await self._made.close()


def _trusted_below(agents: Mapping[str, SubAgent]) -> list[Rule]:
    """The same holds for the tools of agents that it may send, which have such rules themselves."""
    return [rule for agent in agents.values() for rule in agent.rules if rule.source == DEFAULT]


def _is_store(given: object) -> bool:
    return hasattr(given, "commit") and hasattr(given, "lease")


def _opened(store: str | Path | Store | None) -> Store | None:
    if store is not None and not isinstance(store, str | Path) and (isinstance(store, type) or not _is_store(store)):
        raise UsageError(f"store is {shown(store)}: give 'sqlite', a path, a postgresql:// URL or a Store")
    return open_store(store) if isinstance(store, str | Path) else store
