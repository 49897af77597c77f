"""List the providers that can be used here, and whether each has its key."""

import asyncio
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, structs

from toolpost.models.provider_names import canonical_provider
from toolpost.tools.web.settings import TAVILY, TAVILY_VARIABLE
from toolpost.types.errors import ConfigError, ToolpostError

if TYPE_CHECKING:
    from toolpost.models.resolve import LocalServer, ProviderConfig

    from .workspace import Workspace

KEYRING_SECONDS = 1.0

KeyState = Literal["environment", "keyring", "missing", "not needed"]


class ProviderStatus(Struct, frozen=True):
    """`variable` is where the environment would hold the key; the key itself is never here."""

    name: str
    base_url: str
    key: KeyState
    variable: str = ""
    configured: bool = False
    problem: str = ""

    @property
    def key_text(self) -> str:
        match self.key:
            case "environment":
                return f"set ({self.variable})"
            case "keyring":
                return "set (keyring)"
            case "missing":
                return f"missing ({self.variable})"
            case "not needed":
                return "not needed"


async def providers(workspace: "Workspace") -> list[ProviderStatus]:
    """All of them, each with the state of its key; keyrings are asked side by side."""
    from toolpost.models.resolve import PRESETS

    names = dict.fromkeys((*workspace.config.providers, *PRESETS))
    return list(await asyncio.gather(*(asyncio.to_thread(provider, workspace, name) for name in names)))


def provider(workspace: "Workspace", name: str) -> ProviderStatus:
    """One provider; raises `ConfigError` for an unknown name."""
    from toolpost.models.resolve import base_url_of

    name = canonical_provider(name, workspace.config.providers)
    config = _config(workspace, name)
    configured = name in workspace.config.providers
    try:
        url = base_url_of(name, config, workspace.environ)
    except ConfigError as error:
        return ProviderStatus(name, config.base_url, "missing", config.api_key_env, configured, str(error))
    variable = key_variable(workspace, config)
    return ProviderStatus(name, url, _key_state(workspace, name, variable, url), variable, configured)


def search_provider(workspace: "Workspace") -> ProviderStatus:
    """Tavily, the web search that takes a key. Without one it works too, for a few searches."""
    key = _key_state(workspace, TAVILY, TAVILY_VARIABLE, workspace.config.web.tavily)
    return ProviderStatus(TAVILY, workspace.config.web.tavily, key, TAVILY_VARIABLE)


async def list_provider_models(workspace: "Workspace", name: str) -> list[str]:
    """What the provider's own list says; raises `ModelError` if it does not answer."""
    from toolpost.config.api_keys import find_key
    from toolpost.models.resolve import list_models

    name = canonical_provider(name, workspace.config.providers)
    config, known = _config(workspace, name), await asyncio.to_thread(provider, workspace, name)
    if known.problem:
        raise ConfigError(known.problem)
    if known.key == "missing":
        raise ToolpostError(f"{name} needs a key: {how_to_give_a_key(workspace, known)}")
    key = await asyncio.to_thread(find_key, name, (config.api_key_env,), workspace.environ)
    return await list_models(name, structs.replace(config, key=key or ""), environ=workspace.environ)


def key_variable(workspace: "Workspace", config: "ProviderConfig") -> str:
    """The variable that holds the key or the token, or that would hold the key; "" where none is needed."""
    known = [name for name in (config.api_key_env, config.auth_token_env) if name]
    return next((name for name in known if has_value(workspace, name)), known[0] if known else "")


def has_value(workspace: "Workspace", variable: str) -> bool:
    """True if the environment has something under that name."""
    return bool(variable and workspace.environ.get(variable, "").strip())


async def running_servers(workspace: "Workspace") -> "list[LocalServer]":
    """The model servers that answer on this machine within the time of a probe: those that are known, and those that
    the configuration names."""
    from toolpost.models.resolve import LOCAL, local_servers

    names = dict.fromkeys((*LOCAL, *workspace.config.providers))
    return await local_servers(names, providers=workspace.providers, environ=workspace.environ)


def how_to_give_a_key(workspace: "Workspace", of: ProviderStatus) -> str:
    """The one command that works on this system."""
    from toolpost.config.api_keys import keyring_in_use

    if of.variable and keyring_in_use(workspace.environ) is None:
        return f"export {of.variable}=<your key>"
    return f"toolpost config set-key {of.name}"


def _config(workspace: "Workspace", name: str) -> "ProviderConfig":
    from toolpost.models.resolve import provider_config

    return provider_config(name, workspace.providers)


def _key_state(workspace: "Workspace", name: str, variable: str, url: str) -> KeyState:
    from toolpost.config.api_keys import find_key
    from toolpost.net.urls import is_loopback

    if has_value(workspace, variable):
        return "environment"
    if not variable or is_loopback(url):
        return "not needed"
    return "keyring" if find_key(name, (), workspace.environ, patience=KEYRING_SECONDS) else "missing"
