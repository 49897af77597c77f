"""The models of a folder, as its configuration sets them up: keys, options, variants, the small model."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import structs

from toolpost.config.api_keys import find_key
from toolpost.config.schema import Config, ModelSettings, OptionSettings, PriceSettings, ProviderSettings
from toolpost.engine.model_options import Variants, merge
from toolpost.models.contract import Model, ModelInfo
from toolpost.models.prices import Rates, set_own
from toolpost.models.resolve import LOCAL, ModelConfig, ProviderConfig, preset_of
from toolpost.models.tool_mode import Asking
from toolpost.tools.offered_tools import ALL, ToolSwitches
from toolpost.tools.registry import Registry

if TYPE_CHECKING:
    from .workspace import Workspace

EMBEDDED = "embedded"
FEW = ("glob", "grep", "list", "read")


def provider_config(settings: ProviderSettings, key_env: str = "") -> ProviderConfig:
    """`key_env` is the variable whose key is meant, where there are several."""
    return ProviderConfig(
        base_url=settings.base_url or "",
        api_key_env=key_env or next(iter(settings.key_variables), ""),
        auth_token_env=settings.auth_token_env or "",
        headers=settings.headers,
        extra_body=settings.extra_body,
        models={
            name: ModelConfig(
                context_window=given.context_window,
                max_output=given.max_output,
                price=rates_of(given.price),
                asking=_asking(given),
            )
            for name, given in settings.models.items()
        },
        wire=settings.wire or "",
        max_context=settings.max_context,
        asking=_asking(settings),
    )


def rates_of(price: PriceSettings | None) -> Rates | None:
    if price is None:
        return None
    read = price.input if price.cache_read is None else price.cache_read
    return Rates(price.input, price.output, read, price.input if price.cache_write is None else price.cache_write)


def set_own_price(config: Config, provider: str, name: str) -> None:
    """Set the price of a plugin's model: only the plugin knows the model, and only its user what it costs."""
    known = config.providers.get(provider, ProviderSettings()).models.get(name, ModelSettings())
    set_own(provider, name, rates_of(known.price))


def with_key(config: ProviderConfig, provider: str, environ: Mapping[str, str]) -> ProviderConfig:
    """A provider's settings with its key from the system's keyring, where the environment has none."""
    preset = preset_of(provider)
    variable = config.api_key_env or (preset.api_key_env if preset else "")
    token = config.auth_token_env or (preset.auth_token_env if preset else "")
    given = any(environ.get(known) for known in (variable, token) if known)
    key = find_key(provider, (), environ) if variable and provider not in LOCAL and not given else None
    return config if key is None else structs.replace(config, key=key)


def merged_options(config: Config, info: ModelInfo, *own: OptionSettings) -> dict[str, Any]:
    """Defaults, provider, model, then its own layers: later ones win."""
    provider, model = _settings_of(config, info)
    return merge(*(layer.given() for layer in (config.options, provider.options, model.options, *own)))


def configured_variants(config: Config, info: ModelInfo) -> Variants:
    return {name: given.given() for name, given in _settings_of(config, info)[1].variants.items()}


def fit_for(model: Model, tools: Registry, switches: Mapping[str, bool]) -> ToolSwitches:
    """All tools for other models. An embedded one reads slowly and gets lost among many, so it has the user's
    own, or else a few. What the configuration switches on by name is offered in any case."""
    if model.info.provider != EMBEDDED:
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


def _settings_of(config: Config, info: ModelInfo) -> tuple[ProviderSettings, ModelSettings]:
    provider = config.providers.get(info.provider, ProviderSettings())
    return provider, provider.models.get(info.name, ModelSettings())


def _asking(settings: ProviderSettings | ModelSettings) -> Asking:
    return Asking(settings.tool_calls or "", settings.dialect or "", settings.grammar or "")
