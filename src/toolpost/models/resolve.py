"""Resolve a model id `provider/model` to a `Model`: presets, the user's own providers, keys from the environment."""

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from msgspec import Struct, structs

from toolpost.arguments.suggestions import closest
from toolpost.folders import user_folder
from toolpost.guard.redact import remember, remember_named
from toolpost.net.urls import is_loopback
from toolpost.types.errors import ConfigError, ModelError

from . import prices
from .contract import Model
from .provider_names import ALIASES, canonical_id, canonical_provider
from .tool_mode import Asking, ModeFindings, with_mode

if TYPE_CHECKING:
    from .adapter_settings import AdapterSettings
    from .http_model import HttpModel

PROBE_SECONDS = 0.3


class MissingKey(ConfigError):
    """A provider's key is in no place that was looked in."""


class ModelConfig(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a user says about one model of a provider."""

    context_window: int | None = None
    max_output: int | None = None
    price: prices.Rates | None = None
    options: dict[str, Any] = {}
    extra_body: dict[str, Any] = {}
    asking: Asking = Asking()


class ProviderConfig(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A provider, as a preset or as a table `[providers.<name>]` of the user's config.

    `key` is the key itself, `api_key_env` the variable that holds it; with neither no key is sent. Without a key
    `auth_token_env` names a variable with a bearer token, on the gemini wire with a key. `options` are request options
    used where a request does not say otherwise. `headers_env` maps a header to a variable. `wire` is a key of `WIRES`;
    "" means openai_chat. `max_context` bounds the window where the server says how large it is. `asking` is how its
    models are asked for calls.
    """

    base_url: str = ""
    base_url_env: str = ""
    api_key_env: str = ""
    key: str = ""
    headers: dict[str, str] = {}
    headers_env: dict[str, str] = {}
    extra_body: dict[str, Any] = {}
    options: dict[str, Any] = {}
    models: dict[str, ModelConfig] = {}
    wire: str = ""
    auth_token_env: str = ""
    max_context: int | None = None
    asking: Asking = Asking()


class LocalServer(Struct, frozen=True):
    """A model server that answers on this machine, and the models it lists."""

    provider: str
    base_url: str
    models: tuple[str, ...]


Factory = Callable[[str], Model]

# Where each wire is spoken: the module, which also lists models, and its adapter. Imported when it is used.
WIRES: Mapping[str, tuple[str, str]] = {
    "openai_chat": ("toolpost.models.openai_chat.model", "OpenAIChat"),
    "anthropic": ("toolpost.models.anthropic.model", "Anthropic"),
    "ollama": ("toolpost.models.ollama.model", "Ollama"),
    "openai_responses": ("toolpost.models.openai_responses.model", "OpenAIResponses"),
    "gemini": ("toolpost.models.gemini.model", "Gemini"),
}

_QWEN = ProviderConfig("https://dashscope.aliyuncs.com/compatible-mode/v1", api_key_env="DASHSCOPE_API_KEY")

PRESETS: Mapping[str, ProviderConfig] = {
    "openai": ProviderConfig(
        "https://api.openai.com/v1",
        "OPENAI_BASE_URL",
        "OPENAI_API_KEY",
        headers_env={"openai-organization": "OPENAI_ORG_ID", "openai-project": "OPENAI_PROJECT_ID"},
        asking=Asking("native"),
    ),
    "anthropic": ProviderConfig(
        "https://api.anthropic.com",
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_API_KEY",
        wire="anthropic",
        auth_token_env="ANTHROPIC_AUTH_TOKEN",
    ),
    "openai-responses": ProviderConfig(
        "https://api.openai.com/v1",
        "OPENAI_BASE_URL",
        "OPENAI_API_KEY",
        headers_env={"openai-organization": "OPENAI_ORG_ID", "openai-project": "OPENAI_PROJECT_ID"},
        wire="openai_responses",
    ),
    "gemini": ProviderConfig(
        "https://generativelanguage.googleapis.com/v1beta",
        "GOOGLE_GEMINI_BASE_URL",
        "GEMINI_API_KEY",
        wire="gemini",
        auth_token_env="GOOGLE_API_KEY",
    ),
    "ark": ProviderConfig("https://ark.cn-beijing.volces.com/api/v3", api_key_env="ARK_API_KEY"),
    "deepseek": ProviderConfig("https://api.deepseek.com", api_key_env="DEEPSEEK_API_KEY"),
    "qwen": _QWEN,
    "dashscope": _QWEN,
    "moonshot": ProviderConfig("https://api.moonshot.cn/v1", api_key_env="MOONSHOT_API_KEY"),
    "zhipu": ProviderConfig("https://open.bigmodel.cn/api/paas/v4", api_key_env="ZHIPUAI_API_KEY"),
    "minimax": ProviderConfig("https://api.minimax.io/v1", api_key_env="MINIMAX_API_KEY"),
    "mistral": ProviderConfig("https://api.mistral.ai/v1", api_key_env="MISTRAL_API_KEY"),
    "groq": ProviderConfig("https://api.groq.com/openai/v1", api_key_env="GROQ_API_KEY"),
    "openrouter": ProviderConfig("https://openrouter.ai/api/v1", api_key_env="OPENROUTER_API_KEY"),
    "xai": ProviderConfig("https://api.x.ai/v1", api_key_env="XAI_API_KEY"),
    "ollama": ProviderConfig("http://127.0.0.1:11434", "OLLAMA_HOST", wire="ollama", asking=Asking(grammar="ollama")),
    "vllm": ProviderConfig("http://127.0.0.1:8000/v1", api_key_env="VLLM_API_KEY", asking=Asking(grammar="vllm")),
    "llamacpp": ProviderConfig(
        "http://127.0.0.1:8080/v1", api_key_env="LLAMA_API_KEY", asking=Asking(grammar="llamacpp")
    ),
    "lmstudio": ProviderConfig("http://127.0.0.1:1234/v1", asking=Asking(grammar="json_schema")),
}
EMBEDDED = "embedded"
LOCAL = ("ollama", "vllm", "llamacpp", "lmstudio")
# The default model of each provider, used where a key is set and no model was chosen: small and cheap.
USUAL = {
    "openai": "gpt-5-mini",
    "anthropic": "claude-haiku-4-5",
    "gemini": "gemini-3.5-flash-lite",
    "ark": "doubao-seed-2-0-lite-260428",
    "deepseek": "deepseek-chat",
    "qwen": "qwen-plus",
    "moonshot": "kimi-k2.6",
    "zhipu": "glm-4.5-air",
    "minimax": "MiniMax-M2.7",
    "mistral": "mistral-small-latest",
    "groq": "openai/gpt-oss-20b",
    "openrouter": "openai/gpt-5-mini",
    "xai": "grok-3-mini",
}
# The windows of models by the beginning of their names.
_WINDOWS = {"ark": ("doubao-seed-", 256_000)}


def resolve(
    model_id: str,
    *,
    providers: Mapping[str, ProviderConfig] | None = None,
    environ: Mapping[str, str] = os.environ,
    extra: Mapping[str, Factory] | None = None,
    asking: Asking | None = None,
) -> Model:
    """Return the model behind `provider/model`. `extra` providers are asked first; raises `ConfigError`.

    `asking` says how to ask it for calls, over what the configuration and the presets say.
    """
    model_id = canonical_id(model_id, {*(providers or ()), *(extra or ())})
    provider, name = split_id(model_id)
    if extra and provider in extra:
        return extra[provider](name)
    found = locate(model_id, providers=providers, environ=environ)
    return with_mode(found.native, found.asking.under(asking or Asking()), found.findings, found.key)


class Located(Struct, frozen=True):
    """Where a model is and how it is asked; `key` is what findings about it are kept under."""

    native: Model
    asking: Asking
    findings: ModeFindings
    key: str
    wire: str
    settings: "AdapterSettings"


def locate(
    model_id: str, *, providers: Mapping[str, ProviderConfig] | None = None, environ: Mapping[str, str] = os.environ
) -> Located:
    """The adapter of a model, and all that is known about asking it. Raises `ConfigError`."""
    provider, name = split_id(canonical_id(model_id, providers or ()))
    if provider == EMBEDDED:
        return _embedded(name, (providers or {}).get(EMBEDDED, ProviderConfig()), environ)
    config = provider_config(provider, providers)
    own = config.models.get(name) or ModelConfig()
    settings = _settings(provider, name, config, environ)
    return Located(
        _adapter(provider, config).of(settings),
        _usual_way(config.wire).under(config.asking).under(own.asking),
        ModeFindings(user_folder("data", environ) / "models.json"),
        f"{settings.base_url} {name}",
        config.wire or "openai_chat",
        settings,
    )


def split_id(model_id: str) -> tuple[str, str]:
    """Provider and name. Raises `ConfigError` where it is not a model id."""
    provider, slash, name = model_id.partition("/")
    if not slash or not provider or not name:
        raise ConfigError(f"{model_id!r} is not a model id: write provider/model, for example openai/gpt-5-mini")
    return provider, name


def provider_config(provider: str, providers: Mapping[str, ProviderConfig] | None = None) -> ProviderConfig:
    """The preset with the user's own settings laid over it."""
    own = (providers or {}).get(provider)
    preset = preset_of(provider)
    if own is None and preset is None:
        raise ConfigError(_unknown_provider(provider, providers or {}))
    if own is None or preset is None:
        return own or preset or ProviderConfig()
    blank = ProviderConfig()
    changed = {name: value for name, value in structs.asdict(own).items() if value != getattr(blank, name)}
    if "base_url" in changed and "base_url_env" not in changed:
        # What the user wrote down is meant; the variable must not send the key elsewhere.
        changed["base_url_env"] = ""
    if "asking" in changed:
        changed["asking"] = preset.asking.under(own.asking)
    return structs.replace(preset, **changed)


def preset_of(provider: str) -> ProviderConfig | None:
    """What is known of a provider, by any of its names."""
    return PRESETS.get(canonical_provider(provider))


def base_url_of(provider: str, config: ProviderConfig, environ: Mapping[str, str] = os.environ) -> str:
    value = environ.get(config.base_url_env, "").strip() if config.base_url_env else ""
    if value and config.base_url_env == "OLLAMA_HOST":
        value = _ollama_url(value)
    url = (value or config.base_url).rstrip("/")
    if config.base_url_env == "OLLAMA_HOST" and config.wire == "openai_chat" and not url.endswith("/v1"):
        url += "/v1"
    if not url.startswith(("http://", "https://")):
        where = config.base_url_env if value else f"[providers.{provider}] base_url"
        raise ConfigError(f"{where} must be a URL such as https://host/v1, not {url!r}")
    return url


async def local_servers(
    names: Iterable[str] = LOCAL,
    *,
    providers: Mapping[str, ProviderConfig] | None = None,
    environ: Mapping[str, str] = os.environ,
    timeout: float = PROBE_SECONDS,
) -> list[LocalServer]:
    """Those of these providers whose server answers on this machine, all asked at once, within `timeout` seconds."""
    probes = [_probe(name, provider_config(name, providers), environ, timeout) for name in names]
    return [server for server in await asyncio.gather(*probes) if server is not None]


async def list_models(
    provider: str, config: ProviderConfig, *, environ: Mapping[str, str] = os.environ, timeout: float = 10.0
) -> list[str]:
    """The names that the provider's own list has; raises `ModelError` if it does not answer."""
    return await _adapter(provider, config).list_models(_settings(provider, "", config, environ), timeout=timeout)


def _adapter(provider: str, config: ProviderConfig) -> "type[HttpModel[Any]]":
    """The adapter that speaks the provider's wire."""
    place = WIRES.get(config.wire or "openai_chat")
    if place is None:
        known = ", ".join(WIRES)
        raise ConfigError(f"provider {provider!r} wants the wire {config.wire!r}, which is unknown: use one of {known}")
    module, name = place
    return getattr(import_module(module), name)


def _embedded(name: str, config: ProviderConfig, environ: Mapping[str, str]) -> Located:
    """A model inside this process: there is no address and no key."""
    # Imported here: only who uses one needs it.
    from .embedded.model import find_model

    own = config.models.get(name) or ModelConfig()
    chosen = config.asking.under(own.asking)
    settings = _model_settings(EMBEDDED, name, config)
    model, asking = find_model(settings, grammar=chosen.grammar != "off", environ=environ)
    findings = ModeFindings(user_folder("data", environ) / "models.json")
    return Located(model, asking.under(chosen), findings, f"{EMBEDDED} {name}", EMBEDDED, settings)


def _usual_way(wire: str) -> Asking:
    """Many kinds of servers speak these wires, with tools and without; the others are spoken by their makers."""
    return Asking("auto" if wire in ("", "openai_chat", "ollama") else "native")


def _settings(provider: str, name: str, config: ProviderConfig, environ: Mapping[str, str]) -> "AdapterSettings":
    """The settings of a model behind a URL, or with no name those of its provider. Raises `ConfigError`."""
    url = base_url_of(provider, config, environ)
    key = _key(provider, config, url, environ)
    settings = _model_settings(provider, name, config)
    window = settings.context_window
    if name:
        prices.mark_own(provider, name, own=is_loopback(url))
        if window is None and not is_loopback(url):
            window = prices.context_window(provider, name) or _usual_window(provider, name)
    # A vendor's own address need not be asked, a server of one's own knows best.
    is_own = provider in LOCAL or provider not in PRESETS or is_loopback(url)
    asks = bool(name) and is_own and config.wire in ("", "openai_chat", "ollama")
    headers = _headers(config, environ)
    return structs.replace(
        settings, base_url=url, api_key=key, headers=headers, context_window=window, asks_window=asks
    )


def _usual_window(provider: str, name: str) -> int | None:
    """The window of models that the price list does not have."""
    start, window = _WINDOWS.get(canonical_provider(provider), ("", None))
    return window if start and name.startswith(start) else None


def _model_settings(provider: str, name: str, config: ProviderConfig) -> "AdapterSettings":
    """What the configuration says of a model, over what it says of all models of the provider."""
    # Imported here: only opening a model needs it, and with it the HTTP client.
    from .adapter_settings import AdapterSettings

    own = config.models.get(name) or ModelConfig()
    if name:
        prices.set_own(provider, name, own.price)
    return AdapterSettings(
        name,
        provider,
        extra_body={**config.extra_body, **own.extra_body},
        options={**config.options, **own.options},
        context_window=own.context_window,
        max_context=config.max_context,
        max_output=own.max_output,
    )


def _key(provider: str, config: ProviderConfig, url: str, environ: Mapping[str, str]) -> str | None:
    if key := _given_key(config, environ):
        return key
    wanted = config.api_key_env or config.auth_token_env
    if not wanted or is_loopback(url) or _token(config, environ):
        return None
    raise MissingKey(f"{provider} needs a key: set {wanted}")


def _headers(config: ProviderConfig, environ: Mapping[str, str]) -> dict[str, str]:
    from_env = {header: environ[variable] for header, variable in config.headers_env.items() if environ.get(variable)}
    if not _given_key(config, environ) and (token := _token(config, environ)):
        from_env["authorization"] = f"Bearer {token}"
    headers = {**from_env, **config.headers}
    remember_named(headers)
    return headers


def _given_key(config: ProviderConfig, environ: Mapping[str, str]) -> str:
    key = (config.key or (environ.get(config.api_key_env, "") if config.api_key_env else "")).strip()
    # Google's own clients read one key from either of two variables.
    remember(key)
    return key or (_token(config, environ) if config.wire == "gemini" else "")


def _token(config: ProviderConfig, environ: Mapping[str, str]) -> str:
    token = environ.get(config.auth_token_env, "").strip() if config.auth_token_env else ""
    remember(token)
    return token


def _unknown_provider(provider: str, providers: Mapping[str, ProviderConfig]) -> str:
    names = sorted({*PRESETS, *ALIASES, EMBEDDED, *providers})
    likely = closest(provider, names)
    hint = f"did you mean {likely!r}?" if likely else f"known are {', '.join(names)}."
    return (
        f"unknown provider {provider!r}: {hint} To add one that speaks the OpenAI chat wire, put into the config:\n"
        f'[providers.{provider}]\nbase_url = "https://host/v1"\napi_key_env = "{provider.upper()}_API_KEY"'
    )


def _ollama_url(host: str) -> str:
    """OLLAMA_HOST as Ollama's own client reads it: host, :port, host:port or a URL; 0.0.0.0 is this machine."""
    scheme, sep, rest = host.partition("://")
    if not sep:
        scheme, rest = "http", host
    place, _, path = rest.partition("/")
    default = {"http": 80, "https": 443}.get(scheme, 11434) if sep else 11434
    parts = urlsplit(f"//{place}")
    name = parts.hostname or "127.0.0.1"
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(name, name)
    path = f"/{path.strip('/')}" if path.strip("/") else ""
    return f"{scheme}://{f'[{name}]' if ':' in name else name}:{parts.port or default}{path}"


async def _probe(
    provider: str, config: ProviderConfig, environ: Mapping[str, str], timeout: float
) -> LocalServer | None:
    try:
        url = base_url_of(provider, config, environ)
        if not is_loopback(url):
            return None
        models = await list_models(provider, config, environ=environ, timeout=timeout)
    except (ModelError, ConfigError):
        return None
    return LocalServer(provider, url, tuple(models))
