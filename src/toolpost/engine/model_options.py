"""Merge the options of a model: defaults, provider, model, agent, variant, run. Later layers win.

A variant is a set of options with a name, such as `high` for more reasoning.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

from toolpost.arguments.tool_names import repair
from toolpost.models.contract import OPTIONS, ModelInfo
from toolpost.types.errors import ConfigError, UsageError

# The options of each variant that a model has.
Variants = Mapping[str, Mapping[str, Any]]
FindVariants = Callable[[ModelInfo], Variants]


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


def effort_variants(info: ModelInfo) -> Variants:
    """Those that every model has whose adapter knows reasoning efforts."""
    return {effort: {"reasoning_effort": effort} for effort in info.efforts}


def variant_options(info: ModelInfo, name: str, variants: Variants) -> Mapping[str, Any]:
    """The options of a variant; none without a name. Raises `ConfigError` for a name that the model has not."""
    if not name:
        return {}
    if name in variants:
        return variants[name]
    known = f"it has {', '.join(variants)}" if variants else "it has none"
    provider, model = info.provider, info.name
    add = f'[providers.{provider}.models."{model}".variants.{name}]'
    raise ConfigError(f"{info.id} has no variant {name!r}: {known}. The configuration can add it: {add}")
