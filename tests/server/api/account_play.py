"""A server with accounts, its first admin, and browsers that come to it."""

import contextlib
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from gateway_play import Play, listening, write
from resource_play import NO_TLS, PATIENCE, Person

from toolpost.server.accounts.part import SetupLink
from toolpost.server.serve import make_server, opened
from toolpost.server.settings import ServerSettings
from toolpost.store.contract import Store
from toolpost.store.memory import MemoryStore
from toolpost.testing import Upstream, text
from toolpost.workspace import Workspace

PASSWORD = "seven green lanterns"
OTHER_PASSWORD = "nine quiet harbours"
CHAT_AGENT = '[agents.chat]\ndescription = "Talks"\ntools = ["web_search", "web_fetch", "todo_write", "question"]\n'


class Browser(Person):
    """A page in a browser: it keeps cookies, and sends along what GET /api/auth says."""

    csrf = ""

    async def look(self) -> Any:
        state = await self.get("/api/auth")
        self.take(state)
        return state

    def take(self, state: Any) -> Any:
        self.csrf = state["csrf"] or ""
        self.http.headers.pop("x-toolpost-csrf", None)
        if self.csrf:
            self.http.headers["x-toolpost-csrf"] = self.csrf
        return state

    async def patch(self, path: str, /, *, status: int = 200, **body: Any) -> Any:
        answer = await self.http.patch(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def enter(self, path: str, **body: Any) -> Any:
        """Send what ends with a person logged in."""
        return self.take(await self.post(f"/api/auth/{path}", **body))

    async def log_in(self, name: str, password: str = PASSWORD) -> Any:
        return await self.enter("login", name=name, password=password)

    async def refused(self, method: str, path: str, code: str, status: int, **body: Any) -> httpx.Response:
        answer = await self.http.request(method, path, json=body or None)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
        return answer

    @property
    def cookie(self) -> str:
        return self.http.cookies.get("toolpost_session") or ""


class Team:
    """`root` has logged in as the first admin."""

    def __init__(self, play: Play, stack: AsyncExitStack) -> None:
        self.play = play
        self._stack = stack
        self.root: Browser

    async def browser(self, **headers: str) -> Browser:
        client = httpx.AsyncClient(base_url=self.play.url, headers=headers, timeout=PATIENCE, verify=NO_TLS)
        return Browser(await self._stack.enter_async_context(client))

    async def invited(self, name: str, role: str = "member") -> Browser:
        """Somebody who has signed up with an invitation."""
        invitation = await self.root.post("/api/admin/invitations", status=201, role=role)
        browser = await self.browser()
        await browser.enter("sign-up", name=name, password=PASSWORD, invitation=invitation["token"])
        return browser


@asynccontextmanager
async def served(
    folder: Path,
    *turns: Any,
    config: str = "",
    store: Store | None = None,
    settings: ServerSettings | None = None,
    accounts: bool = True,
    default_agent: str = "",
) -> AsyncGenerator[tuple[Team, SetupLink]]:
    """A server as it is at its start. The model says the same again and again."""
    async with Upstream(*(turns or (text("hello"),)), repeat=True) as up:
        write(folder / ".git" / "HEAD", "")
        provider = f'[providers.up]\nwire = "openai_chat"\nbase_url = "{up.url}/v1"\ntool_calls = "native"\n'
        write(folder / ".toolpost" / "config.toml", f"{config}\n{provider}")
        flags = {"server.accounts": accounts}
        workspace = Workspace(folder, trusted=True, flags=flags, default_agent=default_agent)
        workspace.store = store or MemoryStore()
        settings, link = settings or ServerSettings(), SetupLink()
        async with (
            opened(workspace, workspace.model("up/m"), settings, "", setup_link=link) as app,
            listening(app, make_server(app, settings)) as url,
            AsyncExitStack() as stack,
        ):
            play = Play(url, up, workspace, app)
            stack.push_async_callback(play.close)
            yield Team(play, stack), link


@contextlib.asynccontextmanager
async def team(folder: Path, *turns: Any, **options: Any) -> AsyncGenerator[Team]:
    async with served(folder, *turns, **options) as (made, link):
        made.root = await made.browser()
        await made.root.enter("setup", token=link.secret, name="root", password=PASSWORD)
        yield made
