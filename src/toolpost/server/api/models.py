"""List the models that a session can use, with their sizes and prices."""

import asyncio
import time
from typing import Annotated, Literal

from msgspec import Meta, Struct, structs

from toolpost.models.embedded.weights.folder import PROVIDER as EMBEDDED
from toolpost.models.embedded.weights.folder import pulled
from toolpost.models.prices import known
from toolpost.models.resolve import Located
from toolpost.models.tool_mode import AutoMode
from toolpost.server.gateway.model_catalogue import KEPT_SECONDS, FoundIn
from toolpost.server.gateway.targets import Targets
from toolpost.server.http import Request
from toolpost.server.refusals import Refusal
from toolpost.server.routing import Doc, Route
from toolpost.server.users import User
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ConfigError, ModelError
from toolpost.workspace import Workspace
from toolpost.workspace.provider_list import KeyState, list_provider_models

MAX_MODELS = 500

Source = Literal["route", "provider"] | FoundIn


class Price(Struct, frozen=True):
    """US dollars per million tokens."""

    input: float
    output: float
    cache_read: float
    cache_write: float


class ModelEntry(Struct, frozen=True):
    """`id` is what a session's `model` takes, `model` is the provider's model behind it, and `fallbacks` are tried if
    it fails. `variants` are what a session's `variant` takes. Unknown values are null. `price_varies`: there is a
    price, but it depends on the size or the time. `problem` says why the model cannot be used now."""

    id: str
    model: str
    source: Source
    is_default: bool
    context_window: int | None
    max_output: int | None
    tool_calls: Literal["native", "prompted"] | None
    price: Price | None
    price_varies: bool
    fallbacks: tuple[str, ...]
    problem: str
    variants: tuple[str, ...]


class ProviderEntry(Struct, frozen=True):
    """`key` says where its key is; the key itself is never shown."""

    name: str
    key: KeyState
    problem: str


class ModelList(Struct, frozen=True):
    """`default` is used if a session names no model."""

    default: str
    models: tuple[ModelEntry, ...]
    providers: tuple[ProviderEntry, ...]


class ModelQuery(Struct, frozen=True):
    provider: Annotated[str, Meta(max_length=200, description="Ask this provider for all of its models")] = ""
    fresh: Annotated[bool, Meta(description="Search again, for example after a key was added")] = False


def routes(workspace: Workspace, targets: Targets) -> list[Route]:
    catalogue = _Catalogue(workspace, targets)

    async def models(request: Request) -> None:
        query = request.query_as(ModelQuery)
        found = await (catalogue.of(query.provider) if query.provider else catalogue.all(query.fresh))
        await request.reply_json(_for_user(found, request.user, targets))

    doc = Doc("List the available models", "models", query=ModelQuery, gives=ModelList, errors=(502,))
    return [Route("GET", "/api/models", models, doc)]


def _for_user(found: ModelList, user: User, targets: Targets) -> ModelList:
    """Return the models that the user's role has. Who has not all of them is not told of providers and their keys."""
    if user.role.has_all_models:
        return found
    models = tuple(one for one in found.models if targets.may_use(user, one.id))
    try:
        default = targets.model("", user).info.id
    except Refusal:
        default = ""
    return ModelList(default, tuple(structs.replace(one, is_default=one.id == default) for one in models), ())


class _Wanted(Struct, frozen=True):
    id: str
    model: str
    source: Source
    fallbacks: tuple[str, ...] = ()


class _Catalogue:
    """The list of models, cached for a while."""

    def __init__(self, workspace: Workspace, targets: Targets) -> None:
        self._workspace = workspace
        self._targets = targets
        self._one_look = asyncio.Lock()
        self._found: ModelList | None = None
        self._found_at = 0.0

    @property
    def _default(self) -> str:
        return self._targets.model("").info.id

    async def all(self, fresh: bool = False) -> ModelList:
        async with self._one_look:
            if fresh or self._found is None or time.monotonic() - self._found_at > KEPT_SECONDS:
                self._found, self._found_at = await self._look(fresh), time.monotonic()
            return self._found

    async def of(self, provider: str) -> ModelList:
        """List all models of one provider."""
        if not self._workspace.config.server.pin:
            raise Refusal("permission", "this server offers only its routes: remove `provider`")
        try:
            if provider == EMBEDDED:
                names = [one.name for one in pulled(self._workspace.environ)]
            else:
                names = sorted(await list_provider_models(self._workspace, provider))
        except ModelError as error:
            raise Refusal("unreachable", f"{provider} did not list its models: {error}") from error
        wanted = [_Wanted(f"{provider}/{name}", f"{provider}/{name}", "provider") for name in names[:MAX_MODELS]]
        return ModelList(self._default, await self._entries(wanted), ())

    async def _look(self, fresh: bool) -> ModelList:
        config = self._workspace.config
        routed = [_Wanted(name, one.model, "route", one.fallbacks) for name, one in config.server.routes.items()]
        if not config.server.pin:
            return ModelList(self._default, await self._entries(routed), ())
        found = await self._targets.catalogue.models(self._default, fresh=fresh)
        named = [_Wanted(model_id, model_id, source) for model_id, source in found.models.items()]
        entries = await self._entries([*routed, *named][:MAX_MODELS])
        shown = [ProviderEntry(one.name, one.key, one.problem) for one in found.providers]
        return ModelList(self._default, entries, tuple(shown))

    async def _entries(self, wanted: list[_Wanted]) -> tuple[ModelEntry, ...]:
        """Prices are read from files, so this runs in a thread."""
        return await run_in_thread(lambda: tuple(map(self._entry, wanted)))

    def _entry(self, wanted: _Wanted) -> ModelEntry:
        provider, _, name = wanted.model.partition("/")
        found, problem = self._located(provider, wanted.model)
        priced = known(provider, name)
        rates = priced.rates
        return ModelEntry(
            wanted.id,
            wanted.model,
            wanted.source,
            wanted.model == self._default,
            found.native.info.context_window if found else None,
            found.native.info.max_output if found else None,
            _way_of(found) if found else None,
            rates and Price(rates.input, rates.output, rates.cache_read, rates.cache_write),
            priced.varies,
            wanted.fallbacks,
            problem,
            tuple(self._workspace.variants(found.native.info)) if found else (),
        )

    def _located(self, provider: str, model_id: str) -> tuple[Located | None, str]:
        """Return where a model is, or why it cannot be used. Only the plugin knows that of a plugin's model."""
        if any(provider in plugin.models() for plugin in self._workspace.plugins):
            return None, ""
        try:
            return self._workspace.locate(model_id), ""
        except ConfigError as error:
            return None, str(error)


def _way_of(found: Located) -> Literal["native", "prompted"]:
    """Return how the model is asked for calls now."""
    if found.asking.mode == "auto":
        return AutoMode(found.native, lambda: found.native, found.findings, found.key).mode
    return "prompted" if found.asking.mode == "prompted" else "native"
