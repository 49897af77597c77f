"""The real server with two users and an admin, each at a client of their own."""

import asyncio
import hashlib
import ssl
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from gateway_play import Play, gateway, listening

from toolpost.server.serve import opened
from toolpost.server.settings import ServerSettings
from toolpost.store.contract import Store
from toolpost.workspace import Workspace

PATIENCE = 20.0
# To read a machine's certificates takes longer than to start a server.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
EVERYONE = {"server.files_and_commands": "everyone"}
TOKENS = {name: f"a-token-for-{name}-alone" for name in ("ann", "bob", "root")}


class Person:
    """One user of the server."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def get(self, path: str, /, *, status: int = 200, **query: Any) -> Any:
        return _told(await self.http.get(path, params=query), status)

    async def post(self, path: str, /, *, status: int = 200, **body: Any) -> Any:
        return _told(await self.http.post(path, json=body), status)

    async def delete(self, path: str, *, status: int = 204) -> Any:
        return _told(await self.http.delete(path), status)

    async def session(self, **settings: Any) -> str:
        return (await self.post("/api/sessions", status=201, **settings))["id"]

    async def prompt(self, session: str, text: str = "go") -> None:
        await self.post(f"/api/sessions/{session}/prompts", text=text, status=202)

    async def settled(self, session: str) -> None:
        await self.until(f"/api/sessions/{session}/status", lambda status: status["state"] == "idle")

    async def done(self, text: str = "go", **settings: Any) -> str:
        """A session in which one run has ended."""
        session = await self.session(**settings)
        await self.prompt(session, text)
        await self.settled(session)
        return session

    async def ask(self) -> Any:
        """The first thing that is asked, once it is."""
        return (await self.until("/api/asks", lambda found: found["asks"]))["asks"][0]

    async def question(self) -> Any:
        return (await self.until("/api/asks", lambda found: found["questions"]))["questions"][0]

    async def until(self, path: str, true: Callable[[Any], Any]) -> Any:
        """Ask until it is so."""
        async with asyncio.timeout(PATIENCE):
            while not true(found := await self.get(path)):  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.002)
        return found


class People:
    def __init__(self, play: Play, ann: Person, bob: Person, root: Person) -> None:
        self.play = play
        self.ann = ann
        self.bob = bob
        self.root = root


@asynccontextmanager
async def people(folder: Path, *turns: Any, config: str = "", **flags: Any) -> AsyncGenerator[People]:
    """`config` is added to the folder's settings; root is an admin. `flags` are stronger settings: by default ann and
    bob may use files and commands, too."""
    users = "".join(_user(name) for name in TOKENS)
    config = f"{config}\n{users}"
    async with gateway(folder, *turns, config=config, flags={**EVERYONE, **flags}) as play, _at(play) as every:
        yield every


@asynccontextmanager
async def beside(every: People, store: Store) -> AsyncGenerator[People]:
    """The same people at another server of the folder, over this store, as another process would have it."""
    workspace = Workspace(every.play.workspace.folder, trusted=True, flags=EVERYONE)
    workspace.store = store
    token = "another-token-of-the-start"
    async with opened(workspace, workspace.model("up/m"), ServerSettings(), token) as app, listening(app) as url:
        play = Play(url, every.play.up, workspace)
        async with _at(play) as others:
            yield others
        await play.close()


@asynccontextmanager
async def _at(play: Play) -> AsyncGenerator[People]:
    async with AsyncExitStack() as stack:
        clients = [
            httpx.AsyncClient(base_url=play.url, headers={"x-api-key": token}, timeout=PATIENCE, verify=NO_TLS)
            for token in TOKENS.values()
        ]
        yield People(play, *[Person(await stack.enter_async_context(client)) for client in clients])


def message_of(told: Any) -> str:
    return told["error"]["message"]


def _user(name: str) -> str:
    digest = hashlib.sha256(TOKENS[name].encode()).hexdigest()
    return f'[server.users.{name}]\ntoken_sha256 = "{digest}"\nadmin = {str(name == "root").lower()}\n'


def _told(answer: httpx.Response, status: int) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None
