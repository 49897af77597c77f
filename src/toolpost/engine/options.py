"""Options of a request, merged from layers: defaults, provider, model, agent, variant, call. Later layers win."""

from collections.abc import Mapping
from typing import Any, cast

from toolpost.arguments.names import repair
from toolpost.models.contract import OPTIONS
from toolpost.types.errors import UsageError


def check_option_names(options: Mapping[str, Any]) -> None:
    """Raise `UsageError` for a slip in a name that every wire knows. Any other name is one of the model's server, which
    takes or refuses it."""
    for name in options:
        meant = repair(str(name), OPTIONS)
        if meant is not None and meant != name:
            raise UsageError(f"{name} is not an option; did you mean {meant}?")


def merge(*layers: Mapping[str, Any] | None) -> dict[str, Any]:
    """Deep-merge: tables are merged key by key, everything else is replaced, and None takes a key away."""
    result: dict[str, Any] = {}
    for layer in layers:
        _merge_into(result, layer or {})
    return result


def _merge_into(target: dict[str, Any], layer: Mapping[str, Any]) -> None:
    for key, value in layer.items():
        if value is None:
            target.pop(key, None)
        elif isinstance(value, Mapping):
            held = target.get(key)
            branch: dict[str, Any] = dict(cast("Mapping[str, Any]", held)) if isinstance(held, Mapping) else {}
            _merge_into(branch, cast("Mapping[str, Any]", value))
            target[key] = branch
        else:
            target[key] = value
