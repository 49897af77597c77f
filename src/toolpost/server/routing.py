"""The table of routes: which handler answers a method and a path, and what the documentation says of it."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from .http import JSON, Request
from .users import Right

Handler = Callable[[Request], Awaitable[None]]
# Whose errors a route speaks.
Shape = Literal["anthropic", "openai", "api"]


class Answer(Struct, frozen=True):
    """One answer of a route: `type` is what its JSON is. `streams` is the type of each event's data in a stream of
    server-sent events, `content_type` then being text/event-stream."""

    meaning: str
    type: Any = None
    content_type: str = JSON
    streams: Any = None


class Doc(Struct, frozen=True):
    """What OpenAPI says of a route.

    `takes` is the type of its JSON body, `query` the struct that `request.query_as` checks its parameters with, and
    `gives` the type of the JSON that it answers with under `status`; 204 has nothing. `also` are its other good
    answers. `errors` are statuses besides those that follow from the rest: 400 where something is taken, 404 where the
    path has an id, 401 where a token is needed. `params` says what the names in the path mean.
    """

    summary: str
    tag: str = "server"
    takes: Any = None
    gives: Any = None
    status: int = 200
    query: type[Struct] | None = None
    content_type: str = JSON
    streams: Any = None
    also: Mapping[int, Answer | Sequence[Answer]] = {}
    errors: Sequence[int] = ()
    params: Mapping[str, str] = {}
    description: str = ""


class Route(Struct, frozen=True):
    """`path` has `{names}` for parts that differ; a last one that is `{name...}` takes slashes too. Who asks must have
    the right that it `needs`; one that `is_open` needs no token."""

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
        return _NAME.findall(self.path)


class Found(Struct, frozen=True):
    route: Route
    params: dict[str, str]


class Routes:
    """A path without names in it is never taken for one of those with names."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self.all = tuple(routes)
        self._plain: dict[str, dict[str, Route]] = {}
        for route in routes:
            if "{" not in route.path:
                self._plain.setdefault(route.path, {})[route.method] = route
        self._patterns = [(_pattern(route.path), route) for route in routes if "{" in route.path]

    def find(self, method: str, path: str) -> Found | None:
        method = "GET" if method == "HEAD" else method
        plain = self._plain.get(path)
        if plain is not None:
            return Found(plain[method], {}) if method in plain else None
        for pattern, route in self._patterns:
            if route.method == method and (match := pattern.fullmatch(path)):
                return Found(route, match.groupdict())
        return None

    def methods(self, path: str) -> list[str]:
        """What can be done with a path; nothing where it is none."""
        if path in self._plain:
            return sorted(self._plain[path])
        return sorted({route.method for pattern, route in self._patterns if pattern.fullmatch(path)})


_NAME = re.compile(r"\{(\w+)(?:\.\.\.)?\}")


def _pattern(path: str) -> re.Pattern[str]:
    pattern, end = "", 0
    for found in _NAME.finditer(path):
        taken = ".+" if found[0].endswith("...}") else "[^/]+"
        pattern += f"{re.escape(path[end : found.start()])}(?P<{found[1]}>{taken})"
        end = found.end()
    # Line breaks may stand in a path as well, once its %0A is read.
    return re.compile(pattern + re.escape(path[end:]), re.DOTALL)
