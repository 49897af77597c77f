"""The table of routes: which handler answers a method and a path, and what OpenAPI says of it."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct
from starlette import routing
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.types import Receive, Scope, Send

from .accounts.roles import Right
from .http import JSON, Request
from .websocket import Socket

Handler = Callable[[Request], Awaitable[None]]
SocketHandler = Callable[[Socket], Awaitable[None]]
# The form of a route's errors.
Shape = Literal["anthropic", "openai", "api"]


class ResponseDoc(Struct, frozen=True):
    """What OpenAPI says of one response: `type` is the type of its JSON. `streams` is the type of each event's data in
    a stream of server-sent events, with `content_type` text/event-stream."""

    meaning: str
    type: Any = None
    content_type: str = JSON
    streams: Any = None


class Doc(Struct, frozen=True):
    """What OpenAPI says of a route.

    `takes` is the type of its JSON body, `query` the struct that `request.query_as` checks its parameters with, and
    `gives` the type of the JSON that it responds with under `status`; 204 has none. `also` are its other responses
    that are not errors. `errors` are statuses besides those that follow from the rest: 400 with a body or a query, 404
    with an id in the path, 401 where a token is needed. `params` says what the names in the path mean.
    """

    summary: str
    tag: str = "server"
    takes: Any = None
    gives: Any = None
    status: int = 200
    query: type[Struct] | None = None
    content_type: str = JSON
    streams: Any = None
    also: Mapping[int, ResponseDoc | Sequence[ResponseDoc]] = {}
    errors: Sequence[int] = ()
    params: Mapping[str, str] = {}
    description: str = ""


class Route(Struct, frozen=True):
    """`path` has `{names}` for parts that differ; the last may be `{name:rest}`, which takes slashes too. The client
    must have the right that the route `needs`; one that `is_open` needs no token."""

    method: str
    path: str
    handler: Handler
    doc: Doc | None = None
    shape: Shape = "api"
    is_open: bool = False
    needs: Right = "use"

    @property
    def params(self) -> list[str]:
        """The names in its path."""
        return [name for name, _ in routing.PARAM_REGEX.findall(self.path)]


class RoutedPath(Struct, frozen=True):
    """What is at a path: a route for each method, or a handler of WebSockets, or nothing. `answer` gets the endpoint
    with every request to it."""

    answer: "AnswerFunction"
    routes: Mapping[str, Route] = {}
    socket: SocketHandler | None = None

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        # Not `async`: a coroutine more would cost time whenever the handler goes on.
        return self.answer(self, scope, receive, send)

    def route(self, method: str) -> Route | None:
        return self.routes.get("GET" if method == "HEAD" else method)


AnswerFunction = Callable[[RoutedPath, Scope, Receive, Send], Awaitable[None]]


class ExactPath(routing.Route):
    """A path that answers all methods itself."""

    def __init__(self, path: str, endpoint: RoutedPath) -> None:
        super().__init__(path, endpoint)
        # It ends with "$", which would let a line break at the end of a path pass.
        self.path_regex = re.compile(self.path_regex.pattern[:-1] + r"\Z")


class RestConvertor(StringConvertor):
    """The rest of a path, with slashes and line breaks."""

    regex = "(?s:.+)"


register_url_convertor("rest", RestConvertor())


def router(
    routes: Sequence[Route],
    sockets: Mapping[str, SocketHandler],
    answer: AnswerFunction,
) -> routing.Router:
    """Have `answer` called for every request, also where there is nothing at its path."""
    methods: dict[str, dict[str, Route]] = {}
    # A path without names is never taken for one with names.
    for route in sorted(routes, key=lambda route: "{" in route.path):
        methods.setdefault(route.path, {})[route.method] = route
    paths = [ExactPath(path, RoutedPath(answer, at_path)) for path, at_path in methods.items()]
    web_sockets = [routing.WebSocketRoute(path, RoutedPath(answer, socket=serve)) for path, serve in sockets.items()]
    return routing.Router([*paths, *web_sockets], redirect_slashes=False, default=RoutedPath(answer))
