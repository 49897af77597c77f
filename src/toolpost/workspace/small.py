"""What a very small model is offered: it gets lost among many tools, so it has the user's own, or else a few."""

from collections.abc import Mapping

from toolpost.models.contract import Model
from toolpost.tools.choice import ALL, Choice
from toolpost.tools.registry import Registry

PROVIDER = "embedded"
FEW = ("glob", "grep", "list", "read")


def fit_for(model: Model, tools: Registry, switches: Mapping[str, bool]) -> Choice:
    """All tools for other models. What the configuration switches on by name is offered in any case."""
    if model.info.provider != PROVIDER:
        return ALL
    own = [tool.name for tool in tools if tool.source != "builtin"]
    asked = [name for name, is_on in switches.items() if is_on]
    return Choice.only([*(own or FEW), *asked])
