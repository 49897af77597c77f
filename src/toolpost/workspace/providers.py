"""The configuration's words for a provider in the catalog's."""

from toolpost.config.schema import ModelSettings, ProviderSettings
from toolpost.models.resolve import ModelConfig, ProviderConfig
from toolpost.models.tool_mode import Asking


def provider_config(settings: ProviderSettings, key_env: str = "") -> ProviderConfig:
    """`key_env` is the variable whose key is meant, where there are several."""
    return ProviderConfig(
        base_url=settings.base_url or "",
        api_key_env=key_env or next(iter(settings.key_variables), ""),
        auth_token_env=settings.auth_token_env or "",
        headers=settings.headers,
        extra_body=settings.extra_body,
        models={
            name: ModelConfig(context_window=given.context_window, max_output=given.max_output, asking=_asking(given))
            for name, given in settings.models.items()
        },
        wire=settings.wire or "",
        asking=_asking(settings),
    )


def _asking(settings: ProviderSettings | ModelSettings) -> Asking:
    return Asking(settings.tool_calls or "", settings.dialect or "", settings.grammar or "")
