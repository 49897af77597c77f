"""The document of the API: all routes are in it, and errors have the shape that it says."""

import contextlib
import json
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Annotated, Any

import httpx
import msgspec
import pytest
from gateway_play import write
from resource_play import TOKENS
from server_play import playing

from toolpost.server.api.openapi import ERRORS, document, operation_id
from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route
from toolpost.server.serve import opened
from toolpost.server.settings import ServerSettings
from toolpost.store.memory import MemoryStore
from toolpost.testing import ScriptedModel
from toolpost.workspace import Workspace

TOKEN = TOKENS["ann"]


@contextlib.asynccontextmanager
async def table(folder: Path) -> AsyncGenerator[tuple[Any, httpx.AsyncClient]]:
    """The application, and a client of the server that it is."""
    write(folder / ".git" / "HEAD", "")
    workspace = Workspace(folder, trusted=True)
    workspace.store = MemoryStore()
    settings = ServerSettings(port=0, body_bytes=10_000, stop_timeout=0.1)
    async with (
        opened(workspace, ScriptedModel(), settings, TOKEN) as app,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://localhost", headers={"x-api-key": TOKEN}
        ) as http,
    ):
        yield app, http


async def test_every_route_is_in_the_document_under_a_name_of_its_own(folder: Path) -> None:
    async with table(folder) as (app, http):
        told = (await http.get("/api/openapi.json")).json()
        routes = app.routes
    assert [route.path for route in routes if route.doc is None] == []
    names = [method["operationId"] for methods in told["paths"].values() for method in methods.values()]
    assert sorted(names) == sorted(operation_id(route) for route in routes)
    assert len(set(names)) == len(names)


async def test_everything_that_the_document_refers_to_is_in_it(folder: Path) -> None:
    async with table(folder) as (_, http):
        told = (await http.get("/api/openapi.json")).json()
    schemas = told["components"]["schemas"]
    referred = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(told)))
    assert referred == set(schemas)
    assert all(told["paths"][path] for path in ("/v1/messages", "/healthz", "/api/chat", "/api/events"))
    for methods in told["paths"].values():
        for operation in methods.values():
            assert operation["summary"]
            assert {"5XX", "403"} <= operation["responses"].keys()
    assert told["paths"]["/healthz"]["get"]["security"] == []


REFUSED = [
    ("GET", "/api/sessions/x", 404, "api"),
    ("GET", "/api/sessions?limit=0", 400, "api"),
    ("GET", "/api/sessions?limit=501", 400, "api"),
    ("GET", "/api/sessions?limit=many", 400, "api"),
    ("GET", "/api/sessions?before=x", 400, "api"),
    ("GET", "/api/search", 400, "api"),
    ("GET", "/api/nothing", 404, "api"),
    ("PUT", "/api/sessions", 405, "api"),
    ("GET", "/api/sessions/import", 405, "api"),
    ("POST", "/api/sessions", 400, "api"),
    ("POST", "/v1/messages", 400, "anthropic"),
    ("POST", "/v1/chat/completions", 400, "openai"),
    ("POST", "/v1/responses", 400, "openai"),
    ("GET", "/v1/models/no/such", 404, "openai"),
]


@pytest.mark.parametrize(("method", "path", "status", "shape"), REFUSED)
async def test_a_refusal_has_the_shape_that_the_document_says(
    folder: Path, method: str, path: str, status: int, shape: str
) -> None:
    async with table(folder) as (_, http):
        content = None if method == "GET" else b'{"nonsense": 1}'
        answer = await http.request(method, path, content=content)
        unknown = await http.request(method, path, content=content, headers={"x-api-key": "not-a-token-of-ours"})
        large = await http.post("/api/sessions", content=b" " * 20_000)
        foreign = await http.get("/api/me", headers={"host": "elsewhere.example"})
    assert (answer.status_code, unknown.status_code) == (status, 401)
    assert (large.status_code, foreign.status_code) == (413, 403)
    for told, kind in ((answer, shape), (unknown, shape), (large, "api"), (foreign, "api")):
        assert msgspec.json.decode(told.content, type=ERRORS[kind])
        assert told.headers["content-type"] == "application/json"


async def test_a_failure_of_the_server_has_the_shape_that_the_document_says() -> None:
    async def fail(request: Request) -> None:
        raise RuntimeError("a secret of the inside")

    async with playing(Route("GET", "/fail", fail, Doc("Fails"))) as server:
        answer = await server.call("GET", "/fail")
    assert answer.status == 500
    told = msgspec.json.decode(answer.body, type=ERRORS["api"])
    assert (told.error.code, told.error.message) == ("internal", "the server failed")


class Query(msgspec.Struct):
    word: str
    limit: Annotated[int, msgspec.Meta(ge=1, le=9, description="How many")] = 5


async def test_parameters_stand_with_their_meaning_and_bounds() -> None:
    async def nothing(request: Request) -> None: ...

    told = document([Route("GET", "/x/{id:rest}", nothing, Doc("X", query=Query, params={"id": "Which"}))])
    which, word, limit = told["paths"]["/x/{id}"]["get"]["parameters"]
    assert (which["name"], which["in"], which["required"], which["description"]) == ("id", "path", True, "Which")
    assert (word["name"], word["in"], word["required"]) == ("word", "query", True)
    assert (limit["description"], limit["required"]) == ("How many", False)
    assert limit["schema"] == {"type": "integer", "minimum": 1, "maximum": 9, "default": 5}
    assert "Query" not in told["components"]["schemas"]
