"""Nobody reaches what is another's, by whichever route, and nobody comes in without a token.

The routes are those of the running server's own document: one that is added later is walked as well.
"""

import contextlib
import hashlib
import re
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import httpx
from api_play import talking
from msgspec import Struct
from resource_play import People, Person, people

from toolpost.store.contract import Approval
from toolpost.testing import call, text
from toolpost.types.ids import new_id

WRITE = call("write", {"path": "a.txt", "content": "1"})
QUESTION = call("question", {"questions": [{"question": "Which?", "options": ["red", "blue"]}]})
# Ids of the folder, of the gateway and of the page, which belong to nobody alone.
NOBODYS = ("/api/mcp/{server}/", "/api/settings/", "/api/admin/", "/api/auth/", "/v1/models/{id}", "/assets/{name}")
# The page asks for the token itself, and whoever watches over the server needs none.
OPEN = {"/", "/assets/{name}", "/icon.svg", "/mermaid.html", "/healthz", "/readyz", "/api/auth"} | {
    f"/api/auth/{end}"
    for end in ("setup", "login", "sign-up", "reset", "invitations/{token}", "oidc/{id}", "oidc/{id}/callback")
}


# What changes or shows something that is everybody's; the counters; files of the machine.
FOR_ADMINS = ("/api/settings/", "/api/admin/", "/metrics", "/api/project-files")
FOR_ADMINS_ENDS = ("/restart", "/files", "/diff", "/undo", "/redo")
WATCHER = "a-token-for-prometheus-alone"
ITEM = "msg_hers"
LISTS = ("/api/sessions", "/api/asks", "/api/permissions", "/api/schedules")


class Operation(Struct, frozen=True):
    method: str
    path: str
    body: Any

    @property
    def turn(self) -> int:
        """Once a run is stopped it waits for nobody, and once it is deleted there is nothing to try the others on."""
        is_inside = "/{id}/" in self.path
        return (2 if is_inside else 3) if self.method == "DELETE" else 1 if is_inside else 0


class Belongings(Struct, frozen=True):
    """What a user has: a run that waits for a reply, one that waits for an answer, a saved approval, a response and a
    conversation that are kept, a schedule."""

    session: str
    ask: str
    question: str
    approval: str
    response: str
    conversation: str
    schedule: str

    def id_for(self, path: str) -> str:
        """The id that a path takes. A path that is not known here needs a line here: whose ids are they?"""
        prefixes = {
            "/api/sessions/": self.session,
            "/api/chat/": self.session,
            "/api/asks/": self.ask,
            "/api/questions/": self.question,
            "/api/permissions/": self.approval,
            "/api/schedules/": self.schedule,
            "/v1/responses/": self.response,
            "/v1/conversations/": self.conversation,
        }
        (found,) = [known for prefix, known in prefixes.items() if path.startswith(prefix)]
        return found


async def test_another_users_ids_are_as_unknown_as_ids_that_never_were(folder: Path) -> None:
    async with having_belongings(folder) as (every, hers):
        document = await every.ann.get("/api/openapi.json")
        before = await everything_of(every.ann, hers)
        tried = 0
        for operation in with_ids(document):
            known, unknown = hers.id_for(operation.path), new_id("ses")
            for other in (every.bob, every.root):
                there, nowhere = await asked(other, operation, known), await asked(other, operation, unknown)
                assert there[0] == 404, (operation, there)
                assert (there[0], there[1].replace(known, "ID")) == (nowhere[0], nowhere[1].replace(unknown, "ID"))
                tried += 1
        assert await everything_of(every.ann, hers) == before
        assert tried > 40
        for operation in sorted(with_ids(document), key=lambda operation: operation.turn):
            status, told = await asked(every.ann, operation, hers.id_for(operation.path))
            assert status != 404, (operation, told)


async def test_another_users_session_is_unknown_in_queries_and_bodies_too(folder: Path) -> None:
    async with having_belongings(folder) as (every, hers):
        tree = await every.ann.get(f"/api/sessions/{hers.session}/tree")
        message = tree["messages"][0]["id"]
        mine = await every.bob.session()
        await every.bob.post(f"/api/sessions/{mine}/branch", at=message, status=404)
        await every.bob.post(f"/api/sessions/{mine}/fork", at=message, status=404)
        await every.bob.get(f"/api/sessions/{mine}/messages", at=message, status=404)
        document = await every.ann.get("/api/openapi.json")
        given = operations(document, with_parameter="session")
        named = [operation for operation in given if not operation.path.startswith("/api/admin/")]
        assert {operation.path for operation in named} >= {"/api/events", "/api/search"}
        for operation in named:
            for session, status in ((hers.session, 404), (mine, 200)):
                url = f"{operation.path}?session={session}&query=x"
                assert (await status_of(every.bob.http, operation, url)) == status, operation
        assert [one["id"] for one in (await every.bob.get("/api/sessions"))["sessions"]] == [mine]
        assert (await every.bob.get("/api/search", query="go"))["hits"] == []


async def test_every_route_wants_a_token(folder: Path) -> None:
    async with people(folder) as every:
        document = await every.ann.get("/api/openapi.json")
        async with httpx.AsyncClient(base_url=every.play.url, timeout=20.0) as nobody:
            for token in ("", "not-the-token-of-anybody"):
                nobody.headers["x-api-key"] = token
                for operation in operations(document):
                    url = re.sub(r"\{\w+\}", "x", operation.path)
                    assert (await status_of(nobody, operation, url) != 401) == (operation.path in OPEN), operation


async def test_what_is_for_admins_is_for_nobody_else(folder: Path) -> None:
    """The whole table of routes, for an admin, a member, a token for metrics, and nobody."""
    digest = hashlib.sha256(WATCHER.encode()).hexdigest()
    config = f'[server.metrics]\ntoken_sha256 = "{digest}"\n'
    admins = {"server.files_and_commands": "admins"}
    async with talking(folder, config=config, **admins) as every:
        document = await every.root.get("/api/openapi.json")
        mine = {person: await person.session() for person in (every.ann, every.root)}
        async with httpx.AsyncClient(base_url=every.play.url, headers={"x-api-key": WATCHER}, timeout=20.0) as watcher:
            for operation in sorted(operations(document), key=lambda operation: operation.turn):
                path = operation.path
                is_for_admins = path.startswith(FOR_ADMINS) or path.endswith(FOR_ADMINS_ENDS)
                for person, session in mine.items():
                    url = re.sub(r"\{\w+\}", session if "/sessions/{id}" in path else "x", path)
                    status = await status_of(person.http, operation, url)
                    assert (status == 403) == (is_for_admins and person is every.ann), (operation, status)
                    assert status not in (401, 405, 500), (operation, status)
                status = await status_of(watcher, operation, re.sub(r"\{\w+\}", "x", path))
                assert (status != 403) == (path in OPEN or path == "/metrics"), (operation, status)
            assert (await watcher.get("/metrics")).status_code == 200


@contextlib.asynccontextmanager
async def having_belongings(folder: Path) -> AsyncGenerator[tuple[People, Belongings]]:
    async with people(folder, text("hers"), WRITE, QUESTION) as every:
        ann = every.ann
        response = await ann.post("/v1/responses", model="m", input="hi")
        conversation = await ann.post("/v1/conversations", items=[{"id": ITEM, "role": "user", "content": "hi"}])
        waiting, asking = await ann.session(), await ann.session()
        await ann.prompt(waiting)
        ask = (await ann.ask())["id"]
        await ann.prompt(asking)
        question = (await ann.question())["id"]
        saved = Approval(new_id("apr"), str(every.play.workspace.project), "bash", "ls", owner="ann")
        await every.play.workspace.store.approve([saved])
        schedule = await every.ann.post("/api/schedules", status=201, prompt="go", every="1d")
        yield every, Belongings(waiting, ask, question, saved.id, response["id"], conversation["id"], schedule["id"])


async def everything_of(person: Person, hers: Belongings) -> list[Any]:
    paths = [f"/api/sessions/{hers.session}{end}" for end in ("", "/messages", "/tree", "/events", "/status")]
    paths += [f"/v1/responses/{hers.response}", f"/v1/conversations/{hers.conversation}/items"]
    return [await person.get(path) for path in (*paths, *LISTS)]


async def asked(person: Person, operation: Operation, given: str) -> tuple[int, str]:
    """The status and, where it is an error, what is said, without what is new in every answer."""
    url = operation.path.replace("{id}", given).replace("{item}", ITEM)
    async with person.http.stream(operation.method, url, json=operation.body) as answer:
        if answer.status_code < 400:
            return answer.status_code, ""
        await answer.aread()
        return answer.status_code, str(answer.json()["error"])


async def status_of(http: httpx.AsyncClient, operation: Operation, url: str) -> int:
    async with http.stream(operation.method, url, json=operation.body) as answer:
        return answer.status_code


def with_ids(document: dict[str, Any]) -> list[Operation]:
    return [one for one in operations(document) if "{" in one.path and not one.path.startswith(NOBODYS)]


def operations(document: dict[str, Any], with_parameter: str = "") -> Iterator[Operation]:
    schemas = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            names = [parameter["name"] for parameter in told.get("parameters", ())]
            if with_parameter and with_parameter not in names:
                continue
            content = told.get("requestBody", {}).get("content", {}).get("application/json")
            yield Operation(method.upper(), path, content and valid(content["schema"], schemas))


def valid(schema: dict[str, Any], schemas: dict[str, Any]) -> Any:
    """The least that a schema takes."""
    match schema:
        case {"$ref": name}:
            return valid(schemas[name.rpartition("/")[2]], schemas)
        case {"anyOf": [*several]}:
            return None if {"type": "null"} in several else valid(several[0], schemas)
        case {"enum": [first, *_]} | {"const": first}:
            return first
        case {"type": "object"}:
            needed, fields = schema.get("required", ()), schema.get("properties", {})
            return {name: valid(fields[name], schemas) for name in needed}
        case {"type": "array"}:
            return []
        case {"type": "string"}:
            return "x"
        case {"type": kind}:
            return False if kind == "boolean" else schema.get("minimum", 0)
        case _:
            return {}
