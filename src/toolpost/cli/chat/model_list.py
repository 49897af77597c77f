"""List the models that a chat can change to, with their windows and prices, and what each lacks."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from toolpost.control.contract import ModelRow
from toolpost.models.contract import ModelInfo
from toolpost.types.errors import ToolpostError
from toolpost.workspace import Workspace

if TYPE_CHECKING:
    from toolpost.workspace.provider_list import ProviderStatus

# A provider that does not list its models by then is shown with its usual one.
LIST_SECONDS = 4.0


async def list_models(workspace: Workspace, current: ModelInfo) -> Sequence[ModelRow]:
    """Those of the providers that have what they need, as they list them now; of the others the usual one."""
    # Imported here: a chat asks for this when a person does.
    from toolpost.models.embedded.weights.folder import PROVIDER, pulled
    from toolpost.models.resolve import LOCAL
    from toolpost.workspace.provider_list import providers, running_servers

    known = await providers(workspace)
    asked = [one for one in known if one.name not in LOCAL]
    lists = asyncio.gather(*(_listed(workspace, one) for one in asked))
    found, servers = await asyncio.gather(lists, running_servers(workspace))
    ids = dict.fromkeys([current.id, *(id for one in servers for id in _ids(one.provider, one.models))], "")
    ids |= {f"{PROVIDER}/{one.name}": "" for one in pulled(workspace.environ)}
    for rows in found:
        ids |= rows
    return await asyncio.to_thread(lambda: [_row(id, missing, current) for id, missing in ids.items()])


async def _listed(workspace: Workspace, provider: "ProviderStatus") -> dict[str, str]:
    from toolpost.models.resolve import USUAL
    from toolpost.workspace.provider_list import list_provider_models

    usual = [USUAL[provider.name]] if provider.name in USUAL else []
    missing = provider.problem or (provider.variable if provider.key == "missing" else "")
    if missing:
        return dict.fromkeys(_ids(provider.name, usual), missing)
    try:
        async with asyncio.timeout(LIST_SECONDS):
            names = sorted(await list_provider_models(workspace, provider.name))
    except (ToolpostError, TimeoutError):
        names = usual
    return dict.fromkeys(_ids(provider.name, names), "")


def _ids(provider: str, names: Sequence[str]) -> list[str]:
    return [f"{provider}/{name}" for name in names]


def _row(id: str, missing: str, current: ModelInfo) -> ModelRow:
    from toolpost.models import prices

    provider, _, name = id.partition("/")
    known = prices.known(provider, name)
    is_current = id == current.id
    window = current.context_window if is_current else known.context_window
    rates = known.rates
    price = (rates.input, rates.output) if rates is not None else (None, None)
    return ModelRow(id, provider, window, *price, missing, is_current)
