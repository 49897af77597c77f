"""Create the models behind names and routes, each once, and rotate the keys of their providers."""

import ipaddress
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from msgspec import structs

from toolpost.config.schema import RouteSettings
from toolpost.engine.model_options import merge
from toolpost.models.contract import Model, ModelRequest, WrappedModel, close_stream
from toolpost.models.provider_names import canonical_id
from toolpost.models.resolve import split_id
from toolpost.server.accounts.roles import is_pattern
from toolpost.server.refusals import Refusal
from toolpost.server.usage_limits import LocalLedger, has_limits
from toolpost.server.users import User
from toolpost.types.errors import ConfigError, ModelError, ToolpostError
from toolpost.types.messages import ErrorInfo
from toolpost.types.stream import StreamError, StreamEvent
from toolpost.workspace import Workspace

from .budgets import Budgets, LimitedModel
from .key_pool import KeyRing, RotatingModel
from .model_catalogue import ModelCatalogue
from .output import UpstreamError
from .request import GatewayRequest
from .route_choice import DEFAULT, ChosenRoute, RouteChooser
from .wires.model_lists import ListedModel

if TYPE_CHECKING:
    from toolpost.server.spans import Spans


_ELSEWHERE = "another server"
# What may stand after a host: its port, and a path without the sign that ends a sentence.
_REST = r"(?::\d{1,5})?(?:/(?:[\w%~+@=&?#/.-]*[\w%~+@=&#/-])?)?"
_ADDRESS = r"\[[0-9a-f:.]+\]"
_URL = re.compile(
    rf"\b[a-z][a-z0-9+.-]{{0,20}}://(?:[^\s/@]*@)?(?P<host>{_ADDRESS}|[^\s/:'\"<>()]+){_REST}", re.IGNORECASE
)
_BARE = re.compile(rf"(?<![\w.:/-])(?P<host>{_ADDRESS}|(?:\d{{1,3}}\.){{3}}\d{{1,3}}|localhost){_REST}", re.IGNORECASE)
_PRIVATE_NAMES = (".local", ".internal", ".lan", ".home.arpa", ".localhost", ".svc")
# What a route names the configuration's small model.
SMALL = "small"
ANYBODY = User("")


class HiddenAddress:
    """Hides the address of one model's server: clients read the provider's `name` instead. Other private addresses are
    hidden too; public ones, such as links to the provider's documentation, stay."""

    def __init__(self, url: str, name: str) -> None:
        self._name = name
        try:
            host = urlsplit(url).hostname or ""
        except ValueError:
            host = ""
        # A bare name such as `vllm` is an address only where it stands as one.
        is_name = "." in host or ":" in host or host == "localhost"
        start = r"(?:[a-z][a-z0-9+.-]{0,20}://(?:[^\s/@]*@)?)" + ("?" if is_name else "")
        place = rf"(?<![\w.-]){start}\[?{re.escape(host)}\]?(?![\w-]|\.\w){_REST}"
        self._own = re.compile(place, re.IGNORECASE) if host else None

    def told(self, error: ErrorInfo) -> ErrorInfo:
        """Return the error as a client may read it."""
        # In our own words all addresses are of upstreams and proxies, and so is where a redirect leads.
        is_ours = error.status is None or error.status < 400
        told = structs.replace(error, message=self._text(error.message, is_ours))
        if isinstance(told, UpstreamError):
            body = told.body.decode("utf-8", "replace")
            return structs.replace(told, body=self._text(body, False).encode())
        return told

    def _text(self, text: str, is_ours: bool) -> str:
        if self._own is not None:
            text = self._own.sub(self._name, text)
        text = _URL.sub(_ELSEWHERE if is_ours else _unless_public, text)
        return _BARE.sub(_unless_public, text)


def _unless_public(found: re.Match[str]) -> str:
    return found[0] if _is_public(found["host"].strip("[]").lower()) else _ELSEWHERE


def _is_public(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(_PRIVATE_NAMES)


class Targets:
    """The models of this server. A route's model may be `small`, which is the one in the configuration's `[small]`.
    `fallback` answers if neither the request nor a route names a known model."""

    def __init__(
        self, workspace: Workspace, fallback: Model, budgets: Budgets | None = None, spans: "Spans | None" = None
    ) -> None:
        config = workspace.config.server
        _check(config.routes, has_small=bool(workspace.config.small.model))
        self._workspace = workspace
        self._routes = config.routes
        self._chooser = RouteChooser(config.routes, pin=config.pin)
        self._is_pinned = config.pin
        self._fallback = fallback
        self._budgets = budgets or Budgets(LocalLedger())
        self._spans = spans
        self.catalogue = ModelCatalogue(workspace)
        self._made: dict[str, Model] = {}
        self._rings: dict[str, KeyRing] = {}
        self._wires: dict[str, str] = {}
        self._hidden: dict[str, HiddenAddress] = {}

    def choose(self, asked: GatewayRequest, user: User) -> ChosenRoute:
        """Return the ids of the models for a request, the first one first, and their route. Raises a `Refusal` where
        the user's role has none of them."""
        chosen = self._chooser.choose(asked, user.name) or self._last_resort
        return self._allowed(chosen, user, asked.model)

    def of(self, name: str) -> Sequence[Model]:
        """Return the models of a name; those of the default if the name is neither a route nor a model."""
        return [self.made(model_id) for model_id in self._named(name).models]

    def model(self, name: str, user: User = ANYBODY, *, usual: str = "") -> Model:
        """Return the model for a user's session by its name: the first of a route, or `provider/model`. Without a name
        it is the agent's `usual` one, the default's, or the first that the role names. Its answers count for the
        user. Raises a `Refusal` for a model that the role does not have."""
        if name and self._chooser.named(name) is None:
            raise no_model(name)
        chosen = self._allowed(self._named(name), user, name) if name else self._usual(usual, user)
        model = self.made(chosen.models[0])
        if not user.is_admin:
            model = _WithHiddenAddress(model, self.hidden(model))
        return LimitedModel(model, user, self._budgets) if self._budgets.counts(user) else model

    def name_of(self, model_id: str, user: User) -> str:
        """Return a name by which the user may use the model with this id. Raises a `Refusal` if there is none."""
        canonical = self._workspace.canonical
        names = [name for name, route in self._routes.items() if canonical(self._real(route.model)) == model_id]
        found = next((name for name in (*names, model_id) if self._may_name(name, user)), None)
        if found is None:
            raise no_model(model_id)
        return found

    def may_use(self, user: User, name: str) -> bool:
        """Return whether the user's role has the model, or the route, of this name."""
        return bool(self._models_of(self._named(name), user))

    def made(self, model_id: str) -> Model:
        """Return the model with this id. Each is created once, because it keeps its connections."""
        if model_id != SMALL:
            model_id = self._workspace.canonical(model_id)
        if model_id not in self._made:
            try:
                self._made[model_id] = self._make(model_id)
            except ToolpostError as error:
                raise Refusal("not_found", str(error), code="not_found", param="model") from error
        return self._made[model_id]

    def single(self, model_id: str) -> Model:
        """Return the model with the next key, for a request that is not a turn."""
        model = self.made(model_id)
        return model.next if isinstance(model, RotatingModel) else model

    def hidden(self, model: Model) -> HiddenAddress:
        """Return what hides the address of a model from clients."""
        model_id = model.info.id
        if model_id not in self._hidden:
            try:
                url = self._workspace.locate(model_id).settings.base_url
            except ToolpostError:
                url = ""
            self._hidden[model_id] = HiddenAddress(url, model.info.provider)
        return self._hidden[model_id]

    def wire_of(self, model: Model) -> str:
        """Return the wire of a model; "" for a plugin's model, whose wire only the plugin knows."""
        model_id = model.info.id
        if model_id not in self._wires:
            try:
                self._wires[model_id] = self._workspace.locate(model_id).wire
            except ToolpostError:
                self._wires[model_id] = ""
        return self._wires[model_id]

    async def listed(self, user: User = ANYBODY) -> list[ListedModel]:
        """List the routes and then, if clients may name models, the models of routes, the default and all others that
        are available. Models that a user's role or cost limit would refuse are left out."""
        names: dict[str, str] = {name: route.model for name, route in self._routes.items()}
        if self._is_pinned or not names:
            behind = [model for route in self._routes.values() for model in (route.model, *route.fallbacks)]
            names |= {model_id: model_id for model_id in (*map(self._real, behind), self._fallback.info.id)}
        if self._is_pinned:
            found = await self.catalogue.models(self._fallback.info.id)
            names |= {model_id: model_id for model_id in found.models if model_id not in names}
        names = {name: model_id for name, model_id in names.items() if self.may_use(user, name)}
        allowed = [name for name, model_id in names.items() if await self._is_affordable(user, self._real(model_id))]
        return [ListedModel(name, name.rpartition("/")[2]) for name in allowed]

    async def find(self, name: str, user: User = ANYBODY) -> ListedModel:
        """Return a model that is listed, or that can be used by this name although it is not listed."""
        for one in await self.listed(user):
            if one.id == name:
                return one
        if self._chooser.named(name) is None:
            raise no_model(name)
        self._allowed(self._named(name), user, name)
        self.of(name)
        return ListedModel(name, name.rpartition("/")[2])

    async def _is_affordable(self, user: User, model_id: str) -> bool:
        if not self._budgets.limits_cost(user):
            return True
        try:
            # Also notes which models run on this machine, and cost nothing.
            info = self._workspace.locate(model_id).native.info
        except ToolpostError:
            return False
        return await self._budgets.has_price(user, info)

    def _may_name(self, name: str, user: User) -> bool:
        return self._chooser.named(name) is not None and self.may_use(user, name)

    def _named(self, name: str) -> ChosenRoute:
        return self._chooser.named(name) or self._chooser.named(DEFAULT) or self._last_resort

    def _usual(self, usual: str, user: User) -> ChosenRoute:
        """Return what a session without a model uses: of the agent's and the default one the first that the role has,
        else the first that the role names."""
        of_agent = ChosenRoute("", (usual,)) if usual and usual not in self._routes else self._named(usual)
        named = [self._chooser.named(name) for name in user.role.models if not is_pattern(name)]
        for chosen in (of_agent, self._named(""), *named):
            if chosen is not None and (models := self._models_of(chosen, user)):
                return ChosenRoute(chosen.name, models)
        return self._allowed(of_agent, user, "")

    def _allowed(self, chosen: ChosenRoute, user: User, name: str) -> ChosenRoute:
        """Return the models of a route that the user's role has."""
        if models := self._models_of(chosen, user):
            return ChosenRoute(chosen.name, models)
        asked = name or chosen.name or chosen.models[0]
        raise Refusal(
            "permission",
            f"model: your role {user.role.name} may not use {asked}: GET /v1/models lists the models that it may use",
            code="model_not_allowed",
            param="model",
        )

    def _models_of(self, chosen: ChosenRoute, user: User) -> tuple[str, ...]:
        if user.role.has_model(chosen.name):
            return chosen.models
        return tuple(name for name in chosen.models if user.role.has_model(name, self._real(name)))

    @property
    def _last_resort(self) -> ChosenRoute:
        return ChosenRoute("", (self._fallback.info.id,))

    def _real(self, model_id: str) -> str:
        return (self._workspace.config.small.model or "") if model_id == SMALL else model_id

    def _make(self, model_id: str) -> Model:
        """Create a model. Several keys are used in turn, and counted if they have limits."""
        if model_id == SMALL:
            model = self.made(self._real(SMALL))
            options = self._workspace.config.small.options.given()
            return _WithOptions(model, options) if options else model
        provider, workspace = model_id.partition("/")[0], self._workspace
        variables = workspace.key_variables(provider)
        if len(variables) < 2 and not any(has_limits(self._budgets.of_key(name)) for name in variables):
            return self._traced(self._fallback if model_id == self._fallback.info.id else workspace.model(model_id))
        if provider not in self._rings:
            self._rings[provider] = KeyRing(provider, variables)
        models = {name: self._traced(workspace.model(model_id, key_env=name)) for name in variables}
        return RotatingModel(models, self._rings[provider], self._budgets)

    def _traced(self, model: Model) -> Model:
        if self._spans is None:
            return model
        try:
            url = self._workspace.locate(model.info.id).settings.base_url
        except ToolpostError:
            url = ""
        return self._spans.traced(model, url)


class _WithHiddenAddress(WrappedModel):
    """A model whose errors do not tell the address of its server."""

    def __init__(self, model: Model, hidden: HiddenAddress) -> None:
        super().__init__(model)
        self._hidden = hidden

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        events = self._model.stream(request)
        try:
            async for event in events:
                yield StreamError(self._hidden.told(event.error)) if isinstance(event, StreamError) else event
        except ModelError as error:
            raise ModelError(self._hidden.told(error.info)) from error
        finally:
            await close_stream(events)


class _WithOptions(WrappedModel):
    """A model with default options of its own; a request's options are stronger."""

    def __init__(self, model: Model, options: Mapping[str, Any]) -> None:
        super().__init__(model)
        self._options = options

    def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        request.options = merge(self._options, request.options)
        return self._model.stream(request)


def no_model(name: str) -> Refusal:
    text = f"model: there is no model {name!r}; GET /v1/models lists the models"
    return Refusal("not_found", text, code="not_found", param="model")


def _check(routes: Mapping[str, RouteSettings], *, has_small: bool) -> None:
    for name, route in routes.items():
        for model_id in (route.model, *route.fallbacks):
            if model_id == SMALL:
                if not has_small:
                    raise ConfigError(
                        f'[server.routes.{name}]: no small model is configured; set one: [{SMALL}] model = "…"'
                    )
                continue
            try:
                split_id(canonical_id(model_id))
            except ConfigError as error:
                raise ConfigError(f"[server.routes.{name}]: {error}") from None
