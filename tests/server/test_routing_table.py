"""Which route a path is for."""

import pytest

from toolpost.server.http import Request
from toolpost.server.routing import Route, Routes


async def nothing(request: Request) -> None: ...


TABLE = Routes(
    [
        Route("GET", "/things/{id}", nothing),
        Route("DELETE", "/things/{id}", nothing),
        Route("GET", "/things/{id}/parts/{part}", nothing),
        Route("POST", "/things/import", nothing),
        Route("GET", "/names/{name...}", nothing),
    ]
)


@pytest.mark.parametrize(
    ("method", "path", "route", "params"),
    [
        ("GET", "/things/a", "/things/{id}", {"id": "a"}),
        ("HEAD", "/things/a", "/things/{id}", {"id": "a"}),
        ("GET", "/things/a\nb", "/things/{id}", {"id": "a\nb"}),
        ("GET", "/things/a/parts/b", "/things/{id}/parts/{part}", {"id": "a", "part": "b"}),
        ("POST", "/things/import", "/things/import", {}),
        ("GET", "/names/a/b", "/names/{name...}", {"name": "a/b"}),
    ],
)
def test_a_path_finds_its_route(method: str, path: str, route: str, params: dict[str, str]) -> None:
    found = TABLE.find(method, path)
    assert found is not None
    assert (found.route.path, found.params) == (route, params)


@pytest.mark.parametrize(
    ("method", "path", "methods"),
    [
        ("GET", "/things/a/b", []),
        ("GET", "/things/", []),
        ("PUT", "/things/a", ["DELETE", "GET"]),
        # A word of ours is nobody's id.
        ("GET", "/things/import", ["POST"]),
        ("POST", "/names/a/b", ["GET"]),
    ],
)
def test_a_path_that_is_none_says_what_can_be_done_with_it(method: str, path: str, methods: list[str]) -> None:
    assert TABLE.find(method, path) is None
    assert TABLE.methods(path) == methods
