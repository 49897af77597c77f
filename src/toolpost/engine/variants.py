"""Variants of a model: the same model with other options, by name, such as `high` for more reasoning."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import structs

from toolpost.models.contract import ModelInfo
from toolpost.types.errors import ConfigError

from .options import merge
from .run_options import RunOptions

# The options of each variant that a model has.
Variants = Mapping[str, Mapping[str, Any]]
FindVariants = Callable[[ModelInfo], Variants]


def effort_variants(info: ModelInfo) -> Variants:
    """Those that every model has whose adapter knows reasoning efforts."""
    return {effort: {"reasoning_effort": effort} for effort in info.efforts}


def with_variant(asked: RunOptions, info: ModelInfo, usual: str, variants: FindVariants) -> RunOptions:
    """A run's options with those of its variant, or of the `usual` one, below them. Raises `ConfigError` where the
    model has no such variant."""
    options = variant_options(info, asked.variant or usual, variants(info))
    return structs.replace(asked, options=merge(options, asked.options))


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
