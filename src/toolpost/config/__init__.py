"""Settings: TOML files, environment and flags, checked against one schema; keys come from elsewhere."""

from .keys import Secret, find_key, forget_key, store_key
from .load import Loaded, Setting, load
from .schema import AgentSettings, Config, LimitSettings, ModelSettings, OptionSettings, ProviderSettings

__all__ = [
    "AgentSettings",
    "Config",
    "LimitSettings",
    "Loaded",
    "ModelSettings",
    "OptionSettings",
    "ProviderSettings",
    "Secret",
    "Setting",
    "find_key",
    "forget_key",
    "load",
    "store_key",
]
