"""Choose the model when none is named: of a provider with a key, of a local server, embedded, or a scripted demo."""

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from toolpost.extras import install_command
from toolpost.models.contract import Model
from toolpost.models.resolve import EMBEDDED, PRESETS, USUAL, local_servers
from toolpost.models.resolve import provider_config as over_preset
from toolpost.types.errors import ConfigError, ModelError
from toolpost.workspace import Workspace
from toolpost.workspace.provider_list import has_value, key_variable, list_provider_models

if TYPE_CHECKING:
    from toolpost.models.embedded.choice import ModelChoice

SMALL = (
    "no API key is set and no local server answers: using {}, a small model in this process. "
    "To use another: -m provider/model (`toolpost models` lists the providers)."
)
FETCHING = (
    "no API key is set and no local server answers: fetching the weights of a small model, once. "
    "To avoid this, set an API key (such as OPENAI_API_KEY) or start a local server."
)
DEMO = (
    "no model is configured and no local server answers: using a scripted demo, not a real model. "
    "To use a model: -m provider/model (`toolpost models` lists the providers), or install a small one: {}"
)


def configured_model(workspace: Workspace) -> tuple[str | None, str]:
    """The model that the configuration names, None if it names none, and where that is set."""
    name, agent = workspace.agent()
    if agent.model:
        return workspace.model_id(None, agent), workspace.loaded.origin(f'agents."{name}".model')
    return workspace.model_id(), workspace.loaded.origin("model")


async def default_model(workspace: Workspace, stack: AsyncExitStack, tell: Callable[[str], None]) -> Model:
    """What it opens is closed with `stack`; `tell` says which model was taken and why."""
    for provider, variable in keyed_providers(workspace):
        model_id = await usual_model(workspace, provider, variable)
        tell(f"using {model_id} because {variable} is set; to use another: -m provider/model")
        return workspace.model(model_id)
    for server in await local_servers(providers=workspace.providers, environ=workspace.environ):
        if name := _first_that_talks(server.models):
            model_id = f"{server.provider}/{name}"
            tell(f"using {model_id}, the first model of the server at {server.base_url}")
            return workspace.model(model_id)
    if (choice := embedded_choice(workspace)) is not None:
        try:
            await _fetch_told(workspace, choice, tell)
            return workspace.model(choice.model_id)
        except ConfigError as error:
            tell(str(error))
    # Imported here: who has a model does not need a stand-in.
    from toolpost.testing.demo import demo_model

    tell(DEMO.format(install_command("local")))
    return await stack.enter_async_context(demo_model())


def embedded_choice(workspace: Workspace) -> "ModelChoice | None":
    """The model that needs neither key nor server, where llama.cpp is installed."""
    from toolpost.models.embedded.choice import choose, memory_available
    from toolpost.models.embedded.server import is_installed

    return choose(memory_available(), workspace.environ) if is_installed() else None


async def _fetch_told(workspace: Workspace, choice: "ModelChoice", tell: Callable[[str], None]) -> None:
    """Say once what is fetched and how to do without, before it is."""
    from toolpost.models.embedded.weights.folder import is_here
    from toolpost.models.embedded.weights.known import KNOWN

    if choice.reason:
        tell(f"{choice.reason}, so {choice.model_id} is used instead")
    if not is_here(KNOWN[choice.name], workspace.environ):
        tell(FETCHING)
        await fetch_default_weights(workspace, choice.model_id)
    tell(SMALL.format(choice.model_id))


async def fetch_default_weights(workspace: Workspace, model_id: str) -> None:
    """Get the weights of an embedded model that come by themselves; shown as they come."""
    if model_id.startswith(f"{EMBEDDED}/"):
        from .fetch_weights import fetch_if_missing

        await fetch_if_missing(workspace, model_id)


def keyed_providers(workspace: Workspace) -> list[tuple[str, str]]:
    """The providers whose key is in the environment, with the variable that holds it; the user's own first."""
    own = workspace.providers
    named = {name: key_variable(workspace, over_preset(name, own)) for name in dict.fromkeys((*own, *PRESETS))}
    return [(name, variable) for name, variable in named.items() if has_value(workspace, variable)]


async def usual_model(workspace: Workspace, provider: str, variable: str) -> str:
    """The preset's usual model at the vendor's own address; elsewhere the first that the server lists."""
    preset = PRESETS.get(provider)
    own = workspace.config.providers.get(provider)
    moved = preset is not None and bool(workspace.environ.get(preset.base_url_env, ""))
    if provider in USUAL and not moved and not (own is not None and own.base_url):
        return f"{provider}/{USUAL[provider]}"
    try:
        name = _first_that_talks(await list_provider_models(workspace, provider))
    except (ModelError, ConfigError):
        name = ""
    if not name:
        raise ConfigError(
            f"no model is selected. {variable} is set: use -m {provider}/<model>, "
            f'or set model = "{provider}/<model>" in the configuration'
        )
    return f"{provider}/{name}"


def _first_that_talks(names: Sequence[str]) -> str:
    """Servers list embedding models beside the others."""
    return next((name for name in names if "embed" not in name.lower()), "")


async def server_model(
    workspace: "Workspace", wanted: str | None, stack: AsyncExitStack, tell: "Callable[[str], None]"
) -> "Model":
    """The model of a server or a worker, for what names none."""
    model_id = workspace.model_id(wanted)
    if model_id is None:
        return await default_model(workspace, stack, tell)
    await fetch_default_weights(workspace, model_id)
    return workspace.model(model_id)
