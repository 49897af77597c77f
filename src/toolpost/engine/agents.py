"""A sub-agent as the one that sends it knows it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolpost.guard.rules import Rule
from toolpost.models.contract import Model
from toolpost.tools.offered_tools import ALL, ToolSwitches
from toolpost.tools.registry import Registry


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
