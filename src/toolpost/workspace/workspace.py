"""Open a folder: its settings, tools, agents, models and store, each read when it is first needed."""

import asyncio
import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from toolpost.config.api_keys import may_have_keyring
from toolpost.config.env_files import env_files, joined
from toolpost.config.layers import project_file
from toolpost.config.load import LoadedConfig, load
from toolpost.config.schema import AgentSettings, Config, ProviderSettings, ToolCalls
from toolpost.definitions.agents import DEFAULT_AGENT, find_agents, merged
from toolpost.definitions.commands import CommandFile, find_commands
from toolpost.definitions.skills import find_skills
from toolpost.engine.limits import Limits
from toolpost.engine.model_options import Variants, merge, variant_options
from toolpost.engine.permissions import OnAsk
from toolpost.engine.questions import OnQuestion
from toolpost.engine.session import Session
from toolpost.engine.session_setup import (
    Setup,
    SubAgent,
    build_setup,
    layered_rules,
    listed_price,
    variants_over_efforts,
)
from toolpost.engine.system_prompt import find_instructions
from toolpost.folders import project_root
from toolpost.guard.rules import Rule, Rules
from toolpost.guard.trust import Trust
from toolpost.models.contract import Model, ModelInfo
from toolpost.models.provider_names import canonical_id
from toolpost.models.resolve import Located, MissingKey, ProviderConfig, locate, preset_of, resolve, split_id
from toolpost.models.tool_mode import Asking
from toolpost.plugins.hooks import Plugin, models_of
from toolpost.plugins.installed import installed_plugins
from toolpost.plugins.plugin_tools import PluginTools
from toolpost.store import open_store
from toolpost.store.contract import Store
from toolpost.tools.builtin.skill import Skill
from toolpost.tools.default_rules import DEFAULT_RULES
from toolpost.tools.files.instructions import Instructions
from toolpost.tools.output_file import delete_outputs
from toolpost.tools.registry import Registry
from toolpost.tools.untrusted import RULE
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ConfigError

from .agent_setup import agent_parts, bounded, sub_agent
from .model_settings import (
    EMBEDDED,
    configured_variants,
    fit_for,
    merged_options,
    provider_config,
    set_own_price,
    small_model_of,
    with_key,
)
from .presearch import Presearch
from .tool_setup import built_in_tools, join_servers, make_bench, make_registry, outputs_folder

if TYPE_CHECKING:
    from toolpost.definitions.definition_files import FoundDefinitions
    from toolpost.mcp.session_tools import JoinedServers
    from toolpost.tools.files.journal import FileJournal

DEFAULT_PROMPT = """\
You are Toolpost, an assistant that works with tools. Call a tool whenever it can find out or do what the user wants, \
instead of guessing. Answer from the results, briefly and plainly, in the user's language."""

log = logging.getLogger("toolpost.workspace")


class Workspace:
    """`notices` are things that a person should be told; who wants to hear them at once sets `tell`. `tool_problems`
    are those that say why a tool, or a file of tools, was left out; they are known once `tools` is.

    What the project's own folder brings along (settings, tools, servers, agents, commands, skills) is there only where
    the folder is trusted; `trusted` says so in place of the user's list of trusted folders. `default_agent` works where
    neither the configuration nor a person names one: that of a terminal, unless another is given.

    `environ` is the environment and the project's `.env` files, if these may be read; child processes get only
    `process_environ`.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        flags: Mapping[str, Any] | None = None,
        environ: Mapping[str, str] | None = None,
        tool_files: Sequence[Path] = (),
        trusted: bool | None = None,
        default_agent: str = "",
    ) -> None:
        self.folder = (folder or Path.cwd()).resolve()
        self.process_environ = os.environ if environ is None else environ
        self.read_env_files()
        self.notices: list[str] = []
        self.tool_problems: list[str] = []
        self.tell: Callable[[str], None] = self.notices.append
        self._noted: set[str] = set()
        # Of which tools, by the version of `tools`, for some may join later.
        self._machine_permissions: tuple[int, frozenset[str]] = -1, frozenset()
        self._trusted = trusted
        self._default_agent = default_agent or DEFAULT_AGENT
        self._flags = flags
        self._tool_files = tool_files

    def read_env_files(self) -> None:
        """Look at the project's `.env` files, and use their variables where a person has said so."""
        self.env_files = env_files(self.project, self.process_environ)
        self.environ = joined(self.process_environ, self.env_files)

    @cached_property
    def loaded(self) -> LoadedConfig:
        loaded = load(self.folder, environ=self.environ, flags=self._flags, project=self.trusted)
        self.notices += loaded.warnings
        return loaded

    @property
    def config(self) -> Config:
        return self.loaded.config

    @cached_property
    def project(self) -> Path:
        """The folder that approvals belong to and tools come from: the nearest one marked as a project."""
        return project_root(self.folder)

    @cached_property
    def trusted(self) -> bool:
        """Whether what this folder brings along may act."""
        if self._trusted is not None:
            return self._trusted
        trust = Trust.of_user(self.environ)
        for root in self.roots:
            standing = trust.standing(root)
            if not standing.trusted:
                self.notices.append(standing.notice(root))
                return False
        return True

    @cached_property
    def roots(self) -> Sequence[Path]:
        """The folders that have to be trusted: the project's, and the one above it whose settings hold here."""
        file = project_file(self.folder)
        return tuple(dict.fromkeys([self.project, *([file.parent.parent] if file else [])]))

    @cached_property
    def journal(self) -> "FileJournal":
        """Which files agents have changed in this project."""
        from toolpost.tools.files.journal import journal_of

        return journal_of(self.project)

    @cached_property
    def bench(self) -> Workbench:
        """What the built-in tools share."""
        return make_bench(self)

    @cached_property
    def servers(self) -> "JoinedServers | None":
        """The MCP servers, whose tools join `tools` once they are connected."""
        return join_servers(self)

    @cached_property
    def store(self) -> Store:
        return open_store(self.config.store or "sqlite")

    @cached_property
    def plugins(self) -> Sequence[Plugin]:
        plugins, warnings = installed_plugins(self.config.plugins)
        self.notices += warnings
        return plugins

    @cached_property
    def tools(self) -> Registry:
        """Every tool that this folder offers, before any rule or switch."""
        registry, problems, notices = make_registry(self, self._tool_files)
        self.tool_problems = problems
        self.notices += [*problems, *notices]
        return registry

    @cached_property
    def plugin_tools(self) -> PluginTools:
        """The plugins' tools, which join `tools` at once, or where they take their time by `prepare`."""
        return PluginTools(self.plugins, timeout=Limits().hook_timeout, tell=self.leave_out)

    @property
    def may_get_tools(self) -> bool:
        """Whether more tools may join those that are there: of servers, or of plugins that take their time."""
        return self.servers is not None or self.plugin_tools.waiting

    async def prepare(self) -> None:
        """Wait for the tools of plugins and, a while, for those of MCP servers."""
        await self.prepare_plugins()
        if self.servers is not None:
            await self.servers.prepare()

    async def prepare_plugins(self) -> None:
        self.tools  # noqa: B018 - loaded now, for others to join them
        await self.plugin_tools.prepare()

    def leave_out(self, text: str) -> None:
        """Say once why a tool, or a plugin's tools, are not there."""
        if text not in self._noted:
            self._noted.add(text)
            log.warning("%s", text)
            self.tell(text)

    def note(self, texts: Iterable[str]) -> None:
        """Say each once, however often a session is set up here; to the log as well, for a server that runs by then."""
        new = [text for text in texts if text not in self._noted]
        for text in new:
            log.warning("%s", text)
        self._noted.update(new)
        self.notices += new

    @property
    def machine_permissions(self) -> frozenset[str]:
        """What tools that touch this machine's files or run commands ask for. A tool of the project's that stands in
        for such a built-in, and so asks for the same, is held to it as well."""
        version, known = self._machine_permissions
        if version != self.tools.version:
            found = (*built_in_tools(self.bench), *self.tools)
            known = frozenset(tool.asks_for for tool in found if tool.touches_machine)
            self._machine_permissions = self.tools.version, known
        return known

    @cached_property
    def agents(self) -> Mapping[str, AgentSettings]:
        """The built-in agents, those of Markdown files, and over them what the configuration says."""
        found, given = self._found_agents, self.config.agents
        names = [name for name in {**found.items, **given} if name not in found.broken]
        return {name: merged(found.items.get(name), given.get(name)) for name in names}

    @property
    def broken_agents(self) -> Mapping[str, str]:
        """Agents whose file cannot be used, with what is wrong."""
        return self._found_agents.broken

    @cached_property
    def _found_agents(self) -> "FoundDefinitions[AgentSettings]":
        found = find_agents(self.project, self.environ, trusted=self.trusted)
        self.notices += found.warnings
        return found

    @cached_property
    def commands(self) -> Mapping[str, CommandFile]:
        """The commands of Markdown files, by name."""
        found = find_commands(self.project, self.environ, trusted=self.trusted)
        self.notices += found.warnings
        return found.items

    @cached_property
    def skills(self) -> Sequence[Skill]:
        found = find_skills(self.project, self.environ, trusted=self.trusted)
        self.notices += found.warnings
        return [found.items[name] for name in sorted(found.items)]

    def instructions(self) -> Sequence[Instructions]:
        """The instruction files of this folder and those that the configuration names, as they are now."""
        found = find_instructions(self.folder, [Path(file).expanduser() for file in self.config.instructions])
        self.note(found.left_out)
        return found.files

    @property
    def default_agent(self) -> str:
        """The agent where none is named."""
        return self.config.agent or self._default_agent

    def agent(self, name: str | None = None) -> tuple[str, AgentSettings]:
        """The settings of an agent; `default` needs none."""
        wanted = name or self.default_agent
        known = self.agents
        if problem := self.broken_agents.get(wanted):
            raise ConfigError(f"the agent {wanted} cannot be used: {problem}")
        if wanted not in known and wanted != "default":
            names = ", ".join(sorted({*known, "default"}))
            raise ConfigError(f"no agent {wanted!r}; known: {names}. Add [agents.{wanted}] to the configuration.")
        return wanted, known.get(wanted, AgentSettings())

    def rules(self, agent: AgentSettings, extra: Sequence[Rule] = ()) -> Rules:
        """The built-ins', then plugins', the configuration's, the agent's and the command line's: later ones win."""
        return layered_rules(DEFAULT_RULES, self.plugins, [*self.config.permissions, *agent.permissions, *extra])

    def model(
        self,
        model_id: str,
        *,
        tools: ToolCalls | Literal[""] = "",
        dialect: str | None = None,
        grammar: bool | None = None,
        key_env: str = "",
    ) -> Model:
        """The model with this id, with its key found and its settings applied. `tools`, `dialect` and `grammar` are how
        to ask it for calls, where that is not what the settings say; `key_env` is the variable with the key to use,
        where its provider has several."""
        extra = models_of(self.plugins)
        model_id = self.canonical(model_id)
        provider, _, name = model_id.partition("/")
        if provider in extra:
            set_own_price(self.config, provider, name)
        asking = Asking(tools, dialect or "", "off" if grammar is False else "")
        providers = self._provider(provider, key_env)
        try:
            return resolve(model_id, providers=providers, environ=self.environ, extra=extra, asking=asking)
        except MissingKey as error:
            if not may_have_keyring(self.environ):
                raise
            raise ConfigError(f"{error}, or run `toolpost config set-key {provider}`") from None

    def canonical(self, model_id: str) -> str:
        """The id under which a model is known, whichever name of its provider is used."""
        return canonical_id(model_id, {*self.config.providers, *models_of(self.plugins)})

    @property
    def providers(self) -> dict[str, ProviderConfig]:
        """The user's own settings of all providers, as the catalog takes them."""
        named = self.config.providers.items()
        return {name: provider_config(given, next(iter(self.key_variables(name)), "")) for name, given in named}

    def key_variables(self, provider: str) -> tuple[str, ...]:
        """The variables that hold a provider's keys, those that are set where any is; none where it needs no key."""
        given = self.config.providers.get(provider, ProviderSettings()).key_variables
        preset = preset_of(provider)
        known = given or ((preset.api_key_env,) if preset and preset.api_key_env else ())
        return tuple(name for name in known if self.environ.get(name, "").strip()) or known[:1]

    def locate(self, model_id: str) -> Located:
        """Where a model is and how it is asked."""
        model_id = self.canonical(model_id)
        provider = split_id(model_id)[0]
        if any(provider in plugin.models() for plugin in self.plugins):
            raise ConfigError(f"{provider} comes from a plugin, which alone knows how its models are asked")
        return locate(model_id, providers=self._provider(provider), environ=self.environ)

    def model_id(self, model: str | None = None, agent: AgentSettings | None = None) -> str | None:
        """What was asked for, else what the agent or the configuration says, else None."""
        wanted = model or (agent.model if agent else None) or self.config.model
        return self.canonical(wanted) if wanted else None

    def options(self, model: Model, agent: AgentSettings) -> dict[str, Any]:
        """Defaults, provider, model, agent, variant: later ones win."""
        variant = variant_options(model.info, agent.variant or "", self.variants(model.info))
        return merge(merged_options(self.config, model.info, agent.options), variant)

    def small_options(self, model: Model) -> dict[str, Any]:
        """Those of the small model: defaults, provider, model, `[small]`."""
        return merged_options(self.config, model.info, self.config.small.options)

    def variants(self, info: ModelInfo) -> Variants:
        """The variants of a model: reasoning efforts, and over them those of the configuration."""
        return variants_over_efforts(self._own_variants)(info)

    def setup(
        self,
        model: Model,
        *,
        agent: str | None = None,
        variant: str = "",
        rules: Sequence[Rule] = (),
        limits: Mapping[str, Any] | None = None,
        on_ask: OnAsk | None = None,
        on_question: OnQuestion | None = None,
    ) -> Setup:
        """What a session needs to run here. Without `on_ask` the configured headless policy answers; without `variant`
        the agent's holds."""
        settings = self.agent(agent)[1]
        parts = agent_parts(self, model, agent, rules, limits)
        setup = build_setup(
            replace(
                parts,
                plugins=self._hooked(settings, self.rules(settings, rules)),
                prompt=settings.system or DEFAULT_PROMPT,
                translations=settings.translations.given(),
                told=(RULE,),
                instructions=self.instructions(),
                additions=self.config.system or "",
                options=merged_options(self.config, model.info, settings.options),
                variants=self._own_variants,
                agents=self.sub_agents(),
                on_ask=on_ask,
                on_question=on_question,
            )
        )
        setup = bounded(self, setup, settings)
        return replace(
            setup,
            choice=setup.choice & fit_for(model, self.tools, self.config.tools),
            # For an embedded model a few were chosen already, and they are told in fewer words.
            fits_tools=model.info.provider != EMBEDDED,
            variant=self._variant(model.info, variant or settings.variant or ""),
            small=self._small,
            prepare=self.prepare if self.may_get_tools else None,
            price=listed_price,
            # An agent that is offered nothing that touches this machine need not know where it runs.
            names_folder=any(tool.touches_machine and setup.offering.has(tool) for tool in self.tools),
            given=(tuple(rules),),
            trusts_folder=self.trusted,
        )

    def calling(
        self,
        model: Model,
        *,
        agent: str | None = None,
        rules: Sequence[Rule] = (),
        limits: Mapping[str, Any] | None = None,
    ) -> Setup:
        """What bounds the calls of an agent here: its tools, rules and limits, the hooks, and whether it may change
        anything. Where its tools are run for others, this is all that is needed."""
        return bounded(self, build_setup(agent_parts(self, model, agent, rules, limits)), self.agent(agent)[1])

    @cached_property
    def _small(self) -> Callable[[], tuple[Model, Mapping[str, Any]]] | None:
        return small_model_of(self)

    def _variant(self, info: ModelInfo, name: str) -> str:
        """The name of a variant that the model has; raises `ConfigError` for another."""
        variant_options(info, name, self.variants(info))
        return name

    def sub_agents(self) -> dict[str, SubAgent]:
        """The agents that others may send."""
        return {name: sub_agent(self, given) for name, given in self.agents.items() if given.mode != "primary"}

    def session(self, setup: Setup, session_id: str | None = None, *, title: str = "") -> Session:
        return Session(setup, self.store, session_id, title=title)

    async def delete_session(self, session_id: str) -> None:
        """Delete a session for good, and the long outputs that it has left on this machine."""
        await self.store.delete(session_id)
        await asyncio.to_thread(delete_outputs, outputs_folder(), session_id)

    def again(self) -> "Workspace":
        """The same folder, with its settings read anew."""
        return Workspace(self.folder, flags=self._flags, environ=self.environ, trusted=self._trusted)

    async def close(self) -> None:
        """End what was started: jobs, language servers, MCP servers."""
        opened = self.__dict__
        if "bench" in opened:
            await self.bench.close()
            for text in self.bench.watch.unsaid() if self.bench.watch else ():
                self.tell(text)
        if opened.get("servers"):
            await opened["servers"].close()
        if "store" in opened:
            await self.store.close()

    def _hooked(self, settings: AgentSettings, rules: Rules) -> Sequence[Plugin]:
        return (*self.plugins, Presearch(self.bench, rules)) if settings.presearch else self.plugins

    def _provider(self, name: str, key_env: str = "") -> dict[str, ProviderConfig]:
        """The user's settings for a provider, with its key; nothing where there are none."""
        settings = self.config.providers.get(name, ProviderSettings())
        config = provider_config(settings, key_env or next(iter(self.key_variables(name)), ""))
        own = with_key(config, name, self.environ)
        return {name: own} if name in self.config.providers or own.key else {}

    def _own_variants(self, info: ModelInfo) -> Variants:
        return configured_variants(self.config, info)
