"""Small models: what an embedded one is offered, and the one that the configuration names for small work."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from toolpost.models.contract import Model
from toolpost.tools.offered_tools import ALL, ToolSwitches
from toolpost.tools.registry import Registry

if TYPE_CHECKING:
    from .workspace import Workspace

PROVIDER = "embedded"
FEW = ("glob", "grep", "list", "read")


def fit_for(model: Model, tools: Registry, switches: Mapping[str, bool]) -> ToolSwitches:
    """All tools for other models. An embedded one reads slowly and gets lost among many, so it has the user's
    own, or else a few. What the configuration switches on by name is offered in any case."""
    if model.info.provider != PROVIDER:
        return ALL
    own = [tool.name for tool in tools if tool.source != "builtin"]
    asked = [name for name, is_on in switches.items() if is_on]
    return ToolSwitches.only([*(own or FEW), *asked])


def small_model_of(workspace: "Workspace") -> Callable[[], tuple[Model, Mapping[str, Any]]] | None:
    """Makes the model of `[small]`, once, with its options; None where the configuration names none."""
    model_id = workspace.config.small.model
    if not model_id:
        return None
    made: list[tuple[Model, Mapping[str, Any]]] = []

    def make() -> tuple[Model, Mapping[str, Any]]:
        if not made:
            model = workspace.model(model_id)
            made.append((model, workspace.small_options(model)))
        return made[0]

    return make
