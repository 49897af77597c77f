"""Choose the route of a request: the one it names, the first whose conditions it meets, or the default."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any, cast

from msgspec import Struct, structs

from toolpost.config.schema import RouteSettings, WhenSettings
from toolpost.engine.token_estimate import CHARS_PER_TOKEN, estimate
from toolpost.models.message_parts import encode
from toolpost.models.provider_names import canonical_id
from toolpost.types.messages import Completed, FilePart, Message, Part, ToolPart

from .request import GatewayRequest

DEFAULT = "default"
LONG_CONTEXT_TOKENS = 60_000
SMALL_MODELS = ("*haiku*", "*-mini*", "*-nano*", "*-lite*", "*-small*")
# Naming a model is enough for these. They are looked at in this order, after the rules of one's own.
USUAL: Mapping[str, WhenSettings] = {
    "image": WhenSettings(images=True),
    "long_context": WhenSettings(min_tokens=LONG_CONTEXT_TOKENS),
    "web_search": WhenSettings(tools=("web_search*",)),
    "background": WhenSettings(models=SMALL_MODELS),
    "think": WhenSettings(thinking=True),
}
# From little to much; what is below "low" is no wish to think.
_EFFORTS = ("low", "medium", "high", "xhigh", "max")


class ChosenRoute(Struct, frozen=True):
    """A route and its models. `name` is "" if the client named a model, which is then the only one in `models`."""

    name: str
    models: tuple[str, ...]


class RouteChooser:
    def __init__(self, routes: Mapping[str, RouteSettings], *, pin: bool = True) -> None:
        self._routes = routes
        self._pin = pin
        own = {name: route.when for name, route in routes.items() if name not in USUAL and name != DEFAULT}
        usual = {name: _over(when, routes[name].when) for name, when in USUAL.items() if name in routes}
        self._rules = [(name, when) for name, when in {**own, **usual}.items() if when != WhenSettings()]

    def named(self, name: str) -> ChosenRoute | None:
        """Return the route of a name, or the model of a provider."""
        if name in self._routes:
            return self._chosen(name)
        return ChosenRoute("", (model_id,)) if self._pin and (model_id := _model_id(name)) else None

    def choose(self, asked: GatewayRequest, user: str = "") -> ChosenRoute | None:
        """Return the route of a request; None if no route fits and there is no default."""
        if chosen := self.named(asked.model):
            return chosen
        if self._rules:
            request = _Facts(asked, user)
            for name, when in self._rules:
                if request.meet(when):
                    return self._chosen(name)
        return self._chosen(DEFAULT) if DEFAULT in self._routes else None

    def _chosen(self, name: str) -> ChosenRoute:
        route = self._routes[name]
        return ChosenRoute(name, (route.model, *route.fallbacks))


def tokens_of(asked: GatewayRequest) -> int:
    """Estimate how many tokens a request has."""
    told = sum(len(text) for text in asked.system)
    told += sum(len(tool.name) + len(tool.description) + len(encode(tool.parameters)) for tool in asked.tools)
    return sum(estimate(message) for message in asked.messages) + told // CHARS_PER_TOKEN


class _Facts:
    """What the conditions of routes ask about a request, computed when first needed."""

    def __init__(self, asked: GatewayRequest, user: str) -> None:
        self._asked = asked
        self._user = user
        self._tokens: int | None = None

    def meet(self, when: WhenSettings) -> bool:
        asked = self._asked
        return (
            (not when.models or _fits(asked.model, when.models))
            and (not when.users or _fits(self._user, when.users))
            and (not when.wires or _fits(asked.wire, when.wires))
            and (not when.system or _fits("\n".join(asked.system), when.system))
            and (when.thinking is None or _thinks(asked, when.thinking))
            and (not when.tools or any(_fits(name, when.tools) for name in _tool_names(asked)))
            and (when.images is None or _has_image(asked) == when.images)
            and (when.min_tokens is None or self.tokens >= when.min_tokens)
            and (when.max_tokens is None or self.tokens <= when.max_tokens)
        )

    @property
    def tokens(self) -> int:
        if self._tokens is None:
            self._tokens = tokens_of(self._asked)
        return self._tokens


def _over(usual: WhenSettings, own: WhenSettings) -> WhenSettings:
    blank = WhenSettings()
    said = {name: value for name, value in structs.asdict(own).items() if value != getattr(blank, name)}
    return structs.replace(usual, **said)


def _model_id(name: str) -> str:
    """`provider/model`, also as claude-code-router's users write it: `provider,model`."""
    provider, comma, model = name.partition(",")
    if comma and "/" not in provider:
        return f"{provider.strip()}/{model.strip()}"
    # The id of an endpoint of Ark is one of a model too.
    known = canonical_id(name)
    return name if "/" in name else known if "/" in known else ""


def _fits(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name.lower(), pattern.lower()) for pattern in patterns)


def _thinks(asked: GatewayRequest, wanted: bool | str) -> bool:
    effort = asked.options.get("reasoning_effort", "")
    if isinstance(wanted, bool):
        return (effort in _EFFORTS) == wanted
    return effort in _EFFORTS[_EFFORTS.index(wanted) :]


def _tool_names(asked: GatewayRequest) -> list[str]:
    """The names of the client's own tools, and the types of the provider's tools."""
    given: Any = asked.body.get("tools")
    rows = cast("list[Any]", given) if isinstance(given, list) else []
    tables = [cast("dict[str, Any]", row) for row in rows if isinstance(row, dict)]
    named = [value for table in tables for key in ("name", "type") if isinstance(value := table.get(key), str)]
    return [*(tool.name for tool in asked.tools), *named]


def _has_image(asked: GatewayRequest) -> bool:
    """Return whether the last user message, or a result after it, has an image."""
    for message in reversed(asked.messages):
        if any(_is_image(part) for part in _shown(message)):
            return True
        if message.role == "user":
            return False
    return False


def _shown(message: Message) -> list[Part]:
    parts = list(message.parts)
    for part in message.parts:
        if isinstance(part, ToolPart) and isinstance(part.state, Completed):
            parts += part.state.content
    return parts


def _is_image(part: Part) -> bool:
    return isinstance(part, FilePart) and part.mime.startswith("image/")
