"""Which route a path is for."""

import pytest
from starlette.routing import Match

from toolpost.server.http import Request
from toolpost.server.routing import Route, RoutedPath, router


async def nothing(request: Request) -> None: ...


async def answer(endpoint: RoutedPath, scope, receive, send) -> None: ...


TABLE = router(
    [
        Route("GET", "/things/{id}", nothing),
        Route("DELETE", "/things/{id}", nothing),
        Route("GET", "/things/{id}/parts/{part}", nothing),
        Route("POST", "/things/import", nothing),
        Route("GET", "/names/{name:rest}", nothing),
        Route("GET", "/names", nothing),
    ],
    {},
    answer,
)


def found(path: str) -> tuple[RoutedPath, dict[str, str]]:
    """What the router would give a request for this path to."""
    scope = {"type": "http", "method": "GET", "path": path}
    for one in TABLE.routes:
        match, child = one.matches(scope)
        if match is Match.FULL:
            return child["endpoint"], child["path_params"]
    return TABLE.default, {}


@pytest.mark.parametrize(
    ("method", "path", "route", "params"),
    [
        ("GET", "/things/a", "/things/{id}", {"id": "a"}),
        ("HEAD", "/things/a", "/things/{id}", {"id": "a"}),
        ("GET", "/things/a\nb", "/things/{id}", {"id": "a\nb"}),
        ("GET", "/things/a/parts/b", "/things/{id}/parts/{part}", {"id": "a", "part": "b"}),
        ("POST", "/things/import", "/things/import", {}),
        ("GET", "/things/a\n", "/things/{id}", {"id": "a\n"}),
        ("GET", "/names/a/b", "/names/{name:rest}", {"name": "a/b"}),
        ("GET", "/names/a\nb/\n", "/names/{name:rest}", {"name": "a\nb/\n"}),
    ],
)
def test_a_path_finds_its_route(method: str, path: str, route: str, params: dict[str, str]) -> None:
    endpoint, given = found(path)
    chosen = endpoint.route(method)
    assert chosen is not None
    assert (chosen.path, given) == (route, params)


@pytest.mark.parametrize(
    ("method", "path", "methods"),
    [
        ("GET", "/things/a/b", []),
        ("GET", "/things/", []),
        ("PUT", "/things/a", ["DELETE", "GET"]),
        # A word of ours is nobody's id.
        ("GET", "/things/import", ["POST"]),
        ("POST", "/names/a/b", ["GET"]),
        ("GET", "/names/", []),
        ("GET", "/names\n", []),
        ("GET", "/things/a/parts/", []),
    ],
)
def test_a_path_that_is_none_says_what_can_be_done_with_it(method: str, path: str, methods: list[str]) -> None:
    endpoint, _ = found(path)
    assert endpoint.route(method) is None
    assert sorted(endpoint.routes) == methods
