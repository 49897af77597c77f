"""Options of a request, merged from layers: defaults, provider, model, agent, variant, call. Later layers win."""

from collections.abc import Mapping
from typing import Any, cast


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
