"""Which model answers when nobody said which: a server on this machine, else a stand-in; never one that costs."""

from collections.abc import Callable
from contextlib import AsyncExitStack

from toolpost.models.catalog import PRESETS, local_servers
from toolpost.models.contract import Model
from toolpost.types.errors import ConfigError
from toolpost.workspace import Workspace, provider_config

DEMO = (
    "no model is configured and no local server answers: a scripted stand-in replies, which is no real model. "
    "Choose one with -m provider/model (`toolpost models` lists them)."
)


async def default_model(workspace: Workspace, stack: AsyncExitStack, tell: Callable[[str], None]) -> Model:
    """What it opens is closed with `stack`; `tell` says which model was taken and why."""
    _refuse_to_guess(workspace)
    providers = {name: provider_config(settings) for name, settings in workspace.config.providers.items()}
    for server in await local_servers(providers=providers, environ=workspace.environ):
        # Servers list embedding models beside the others.
        names = [name for name in server.models if "embed" not in name.lower()]
        if names:
            model_id = f"{server.provider}/{names[0]}"
            tell(f"using {model_id}, the first model of the server at {server.base_url}")
            return workspace.model(model_id)
    # Imported here: who has a model does not need a stand-in.
    from toolpost.testing.demo import demo_model

    tell(DEMO)
    return await stack.enter_async_context(demo_model())


def _refuse_to_guess(workspace: Workspace) -> None:
    """A key means that a real model was meant, and only its owner may choose what it costs."""
    variables = {name: preset.api_key_env for name, preset in PRESETS.items()}
    variables |= {name: own.api_key_env for name, own in workspace.config.providers.items() if own.api_key_env}
    for provider, variable in variables.items():
        if variable and workspace.environ.get(variable):
            raise ConfigError(
                f"no model is chosen. {variable} is set: use -m {provider}/<model> (`toolpost models` lists them), "
                f'or write model = "{provider}/<model>" into the configuration'
            )
