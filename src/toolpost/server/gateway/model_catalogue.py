"""Find the models that clients can use: configured, of providers with a key, on local servers, embedded."""

import asyncio
import time
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from toolpost.models.embedded.weights.folder import PROVIDER as EMBEDDED
from toolpost.models.embedded.weights.folder import pulled
from toolpost.models.resolve import USUAL
from toolpost.workspace import Workspace
from toolpost.workspace.provider_list import ProviderStatus, providers, running_servers

# To find out takes requests to servers on this machine, and questions to a keyring.
KEPT_SECONDS = 30.0

FoundIn = Literal["default", "configuration", "provider", "running", "embedded"]


class FoundModels(Struct, frozen=True):
    """`models` has the ids, in the form `provider/model`, and where each was found first."""

    models: dict[str, FoundIn]
    providers: tuple[ProviderStatus, ...]


class ModelCatalogue:
    """Finds models and caches the list for a while; parallel requests wait for one search."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._one_look = asyncio.Lock()
        self._found: FoundModels | None = None
        self._found_at = 0.0

    async def models(self, default: str, *, fresh: bool = False) -> FoundModels:
        async with self._one_look:
            if fresh or self._found is None or time.monotonic() - self._found_at > KEPT_SECONDS:
                self._found, self._found_at = await self._look(default), time.monotonic()
            return self._found

    async def _look(self, default: str) -> FoundModels:
        known, servers = await asyncio.gather(providers(self._workspace), running_servers(self._workspace))
        usable = [one.name for one in known if one.key in ("environment", "keyring") and one.name in USUAL]
        groups: list[tuple[FoundIn, Iterable[str]]] = [
            ("default", [default]),
            ("configuration", self._configured()),
            ("provider", [f"{name}/{USUAL[name]}" for name in usable]),
            ("running", [f"{server.provider}/{name}" for server in servers for name in server.models]),
            ("embedded", [f"{EMBEDDED}/{one.name}" for one in pulled(self._workspace.environ)]),
        ]
        found: dict[str, FoundIn] = {}
        for source, ids in groups:
            for model_id in ids:
                found.setdefault(model_id, source)
        return FoundModels(found, tuple(known))

    def _configured(self) -> list[str]:
        config = self._workspace.config
        chosen = [config.model, *(agent.model for agent in self._workspace.agents.values())]
        of_providers = [f"{name}/{model}" for name, one in config.providers.items() for model in one.models]
        return [*filter(None, chosen), *of_providers]
