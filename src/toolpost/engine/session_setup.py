"""The resolved parts of a session (`Setup`), and `build_setup`, which assembles them."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolpost.guard.rules import Rule, Rules
from toolpost.models.contract import Model, ModelInfo
from toolpost.plugins.hooks import Hooks, Plugin, rules_of
from toolpost.tools.files.instructions import Instructions
from toolpost.tools.offered_tools import ALL, ToolOffering, ToolSwitches
from toolpost.tools.registry import Registry
from toolpost.tools.throttle import Throttles
from toolpost.types.messages import Usage
from toolpost.types.text import Language

from .limits import Limits
from .model_options import FindVariants, Variants, effort_variants
from .permissions import Headless, OnAsk
from .questions import OnQuestion
from .system_prompt import system_prompt
from .tool_init import InitContext

if TYPE_CHECKING:
    from toolpost.tools.files.journal import FileJournal

    from .state import Run

# What is known of the model where there is none.
NO_MODEL = ModelInfo("none", "none")

Prepare = Callable[[], Awaitable[None]]
NONE_GIVEN: tuple[tuple[Rule, ...], ...] = ((),)


@dataclass(frozen=True)
class SubAgent:
    """What a sub-agent has of its own; what is left out it has from its sender. `agents` are those it may send itself.

    `model` is made when it is needed, with all its options; without one, `options` are laid over the sender's, and
    `variant` is one of the sender's model. `rules`, `choice` and `read_only` only ever narrow.
    """

    description: str = ""
    system: str = ""
    model: Callable[[], tuple[Model, Mapping[str, Any]]] | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    variant: str = ""
    tools: Registry | None = None
    agents: "Mapping[str, SubAgent] | None" = None
    rules: tuple[Rule, ...] = ()
    choice: ToolSwitches = ALL
    limits: Mapping[str, Any] = field(default_factory=dict[str, Any])
    read_only: bool = False


async def unknown_price(provider: str, model: str, usage: Usage) -> float | None:
    """Used where there is no price list."""
    return None


@dataclass(frozen=True)
class Setup:
    """Everything that a session needs to run, resolved: nothing here is looked up by name any more.

    `agents` are those that it may send. `parent` is the run that this session works for, if it is such a sub-agent's.
    `prepare` is waited for before the first step of a run: what offers tools may have to be started first.
    `owner` is whose the session is where several share a store; what is approved counts for that one alone.
    `variant` is the model's where a run names none. `small` makes a small model, with its options, for titles and
    summaries; without one the session's own model writes them, and a title is the beginning of the first prompt.
    `translations` are the head of `system` in other languages. `names_environment`: whether the model is told the
    date and, with `names_folder`, the folder and the operating system.
    `fits_tools`: whether tools that do not fit into a small window are left out.
    `retracts` is False where who reads along can't be told to forget what an attempt said: it is not made again then.
    `tell` gets what a person should know of a tool that is left out; without it, that is an error of the run.
    `files` is the journal of files that its tools change, where they keep one.
    `home` is the kind of process that goes on with its runs by itself; "" where only a person may say so. A run that
    has waited for a person for `park_seconds` is parked; None: it waits in this process for as long as that lives.
    `given` are those of `rules` that were given for what runs now, at their end: they are kept with its runs. Of a run
    that goes on they are layers, each of which narrows the one before.
    `replaces_agent`: whether it may go on with a run that was begun as another agent, because somebody says so.
    `trusts_folder`: whether what the folder brings along holds here.
    """

    model: Model
    tools: Registry
    rules: Rules = field(default_factory=Rules)
    hooks: Hooks = field(default_factory=Hooks)
    limits: Limits = field(default_factory=Limits)
    agent: str = "default"
    system: tuple[str, str] = ("", "")
    translations: Mapping[Language, str] = field(default_factory=dict[Language, str])
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    variant: str = ""
    variants: FindVariants = effort_variants
    small: Callable[[], tuple[Model, Mapping[str, Any]]] | None = None
    names_environment: bool = True
    names_folder: bool = True
    choice: ToolSwitches = ALL
    fits_tools: bool = True
    folder: Path = field(default_factory=Path.cwd)
    owner: str = ""
    spill: Path | None = None
    headless: Headless = "deny"
    interactive: bool = False
    on_ask: OnAsk | None = None
    on_question: OnQuestion | None = None
    read_only: bool = False
    retracts: bool = True
    agents: Mapping[str, SubAgent] = field(default_factory=dict[str, SubAgent])
    parent: "Run | None" = None
    prepare: Prepare | None = None
    files: "FileJournal | None" = None
    price: Callable[[str, str, Usage], Awaitable[float | None]] = unknown_price
    throttles: Throttles = field(default_factory=Throttles)
    tell: Callable[[str], None] | None = None
    home: str = ""
    park_seconds: float | None = None
    given: tuple[tuple[Rule, ...], ...] = NONE_GIVEN
    replaces_agent: bool = True
    trusts_folder: bool = False

    @property
    def depth(self) -> int:
        """How many runs stand above a session with this setup."""
        return 0 if self.parent is None else self.parent.core.setup.depth + 1

    @property
    def offering(self) -> ToolOffering:
        return ToolOffering(self.choice, self.rules, self.read_only)

    def init_context(self, session_id: str) -> InitContext:
        info = self.model.info
        return InitContext(self.agent, None if info is NO_MODEL else info, self.folder, session_id)


@dataclass(frozen=True)
class AgentParts:
    """What an agent is made of, before `build_setup` puts it together.

    `default_rules` stand below the rules of plugins, `rules` above them. The system prompt is `prompt`, `told` (what
    every model is told that has such tools), `instructions` and `additions`. `variants` come on top of the reasoning
    efforts that a model has.
    """

    name: str
    model: Model
    tools: Registry
    plugins: Sequence[Plugin] = ()
    default_rules: Sequence[Rule] = ()
    rules: Sequence[Rule] = ()
    limits: Limits = field(default_factory=Limits)
    folder: Path = field(default_factory=Path.cwd)
    prompt: str = ""
    translations: Mapping[Language, str] = field(default_factory=dict[Language, str])
    told: Sequence[str] = ()
    instructions: Sequence[Instructions] = ()
    additions: str = ""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    variants: Callable[[ModelInfo], Variants] | None = None
    agents: Mapping[str, SubAgent] = field(default_factory=dict[str, SubAgent])
    headless: Headless = "deny"
    on_ask: OnAsk | None = None
    on_question: OnQuestion | None = None
    read_only: bool = False


def build_setup(parts: AgentParts) -> Setup:
    """Put the setup of an agent's sessions together. What only one face has is added to it with `replace`."""
    return Setup(
        model=parts.model,
        tools=parts.tools,
        rules=layered_rules(parts.default_rules, parts.plugins, parts.rules),
        hooks=Hooks(parts.plugins, timeout=parts.limits.hook_timeout),
        limits=parts.limits,
        agent=parts.name,
        system=system_prompt(
            parts.prompt,
            folder=parts.folder,
            additions=parts.additions,
            instructions=parts.instructions,
            rules=parts.told,
        ),
        translations=parts.translations,
        options=parts.options,
        variants=effort_variants if parts.variants is None else variants_over_efforts(parts.variants),
        agents=parts.agents,
        folder=parts.folder,
        headless=parts.headless,
        on_ask=parts.on_ask,
        on_question=parts.on_question,
        read_only=parts.read_only,
    )


def layered_rules(defaults: Sequence[Rule], plugins: Sequence[Plugin], own: Sequence[Rule]) -> Rules:
    """Defaults, then those of plugins, then a person's own: later ones win."""
    from_plugins = [rule for plugin in plugins for rule in rules_of(plugin)]
    return Rules([*defaults, *from_plugins, *own])


def bounded_by(setup: Setup, given: tuple[tuple[Rule, ...], ...]) -> Setup:
    """The setup for a run that was begun with the rules `given`. Those of this process only narrow them. Nothing is
    known of a run of an earlier version, so these hold for it as they are."""
    own = setup.given[0]
    if not given:
        return setup
    layers = given if own in ((), *given) else (*given, own)
    here = setup.rules.rules
    rules = Rules([*here[: len(here) - len(own)], *layers[0]], parent=setup.rules.parent)
    for layer in layers[1:]:
        rules = Rules(layer, parent=rules)
    return replace(setup, rules=rules, given=layers)


def variants_over_efforts(own: FindVariants) -> FindVariants:
    """A model's reasoning efforts as variants, and over them its own."""
    return lambda info: {**effort_variants(info), **own(info)}


async def listed_price(provider: str, model: str, usage: Usage) -> float | None:
    """What a step costs by the price list. A list that has to be read first is read beside the loop."""
    # Imported here: not needed before the first step has ended.
    from toolpost.models import prices

    if prices.is_at_hand(provider, model):
        return prices.cost(provider, model, usage)
    return await asyncio.to_thread(prices.cost, provider, model, usage)


def prepare_all(prepares: Sequence[Prepare]) -> Prepare | None:
    """One `prepare` that waits for all of them, side by side; None where there is none."""
    if len(prepares) < 2:
        return next(iter(prepares), None)

    async def prepare() -> None:
        await asyncio.gather(*(one() for one in prepares))

    return prepare
