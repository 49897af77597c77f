"""The table of routes: which handler answers a method and a path, and what the documentation says of it."""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

from msgspec import Struct

from .http import Request

Handler = Callable[[Request], Awaitable[None]]
# Whose errors a route speaks.
Shape = Literal["anthropic", "openai", "api"]


class Doc(Struct, frozen=True):
    """What OpenAPI says of a route. `takes` and `gives` are types of JSON bodies, `query` names with their meaning."""

    summary: str
    takes: Any = None
    gives: Any = None
    status: int = 200
    query: dict[str, str] = {}
    content_type: str = "application/json"


class Route(Struct, frozen=True):
    """`path` has `{names}` for parts that differ. One that `is_open` needs no token."""

    method: str
    path: str
    handler: Handler
    doc: Doc | None = None
    shape: Shape = "api"
    is_open: bool = False


class Found(Struct, frozen=True):
    route: Route
    params: dict[str, str]


class Routes:
    def __init__(self, routes: Sequence[Route]) -> None:
        self.all = tuple(routes)
        self._plain = {(route.method, route.path): route for route in routes if "{" not in route.path}
        self._patterns = [(_pattern(route.path), route) for route in routes if "{" in route.path]

    def find(self, method: str, path: str) -> Found | None:
        method = "GET" if method == "HEAD" else method
        plain = self._plain.get((method, path))
        if plain is not None:
            return Found(plain, {})
        for pattern, route in self._patterns:
            if route.method == method and (match := pattern.fullmatch(path)):
                return Found(route, match.groupdict())
        return None

    def methods(self, path: str) -> list[str]:
        """What can be done with a path; nothing where it is none."""
        known = {route.method for pattern, route in self._patterns if pattern.fullmatch(path)}
        return sorted(known | {method for method, plain in self._plain if plain == path})


def _pattern(path: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", path)
    pattern = ""
    for place, part in enumerate(parts):
        if place % 2 == 0:
            pattern += re.escape(part)
        else:
            # Names of models have slashes in them, so the last part takes all that is left.
            is_last = place == len(parts) - 2 and not parts[-1]
            pattern += f"(?P<{part}>.+)" if is_last else f"(?P<{part}>[^/]+)"
    return re.compile(pattern)
