"""Which models answer a request: the one that it names, or those of a route, in order."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from toolpost.config.schema import RouteSettings
from toolpost.models.contract import Model
from toolpost.server.failures import Refusal
from toolpost.types.errors import ToolpostError
from toolpost.workspace import Workspace

DEFAULT = "default"


class Listed(Struct, frozen=True):
    """A model that clients can name."""

    id: str
    name: str


class Targets:
    """`fallback` answers where neither the request nor a route names a model that is known."""

    def __init__(self, workspace: Workspace, fallback: Model) -> None:
        self._workspace = workspace
        self._routes: Mapping[str, RouteSettings] = workspace.config.server.routes
        self._fallback = fallback
        self._made: dict[str, Model] = {fallback.info.id: fallback}
        self._wires: dict[str, str] = {}

    def of(self, name: str) -> Sequence[Model]:
        """The model that was asked for, then those that stand in for it while nothing has been sent."""
        route = self._routes.get(name)
        if route is None and "/" in name:
            return [self._model(name)]
        route = route or self._routes.get(DEFAULT)
        if route is None:
            return [self._fallback]
        return [self._model(model_id) for model_id in (route.model, *route.fallbacks)]

    def wire_of(self, model: Model) -> str:
        """The wire that a model is asked on; nothing where only a plugin knows."""
        model_id = model.info.id
        if model_id not in self._wires:
            try:
                self._wires[model_id] = self._workspace.locate(model_id).wire
            except ToolpostError:
                self._wires[model_id] = ""
        return self._wires[model_id]

    def listed(self) -> list[Listed]:
        """Routes first, then the models behind them, and the one that answers otherwise."""
        names = dict.fromkeys(self._routes)
        for route in self._routes.values():
            names |= dict.fromkeys((route.model, *route.fallbacks))
        names.setdefault(self._fallback.info.id)
        return [Listed(name, name.rpartition("/")[2]) for name in names]

    def _model(self, model_id: str) -> Model:
        """Made once: a model keeps its connections."""
        if model_id not in self._made:
            try:
                self._made[model_id] = self._workspace.model(model_id)
            except ToolpostError as error:
                raise Refusal("not_found", str(error)) from error
        return self._made[model_id]
