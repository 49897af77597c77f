"""Load and check the configuration; find, store and delete API keys."""

from .api_keys import Secret, find_key, forget_key, store_key
from .load import LoadedConfig, LoadedSetting, load
from .schema import AgentSettings, Config, LimitSettings, ModelSettings, OptionSettings, ProviderSettings

__all__ = [
    "AgentSettings",
    "Config",
    "LimitSettings",
    "LoadedConfig",
    "LoadedSetting",
    "ModelSettings",
    "OptionSettings",
    "ProviderSettings",
    "Secret",
    "find_key",
    "forget_key",
    "load",
    "store_key",
]
