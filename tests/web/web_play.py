"""The real page in a real browser, in front of the real server, with a scripted model behind it."""

import base64
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request, expect

from toolpost.definitions.agents import SERVER_AGENT
from toolpost.server.accounts.part import SetupLink
from toolpost.server.serve import bound_socket, make_server, opened
from toolpost.server.settings import ServerSettings
from toolpost.store.memory import MemoryStore
from toolpost.testing import Upstream
from toolpost.workspace import Workspace

HERE = Path(__file__).parent
PICTURES = HERE.parent.parent / "docs" / "images"
TOKEN = "a-token-for-the-page"
# Where diagrams are drawn: a frame of its own, without an origin.
BOARD = "/mermaid.html"
ALLOW = '[permissions]\n"*" = "allow"\n'
ASK = '[permissions]\n"*" = "allow"\necho = "ask"\n'


class Tab:
    """A page of the browser. Leaving it checks that nothing was thrown, refused or asked for elsewhere."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.troubles: list[str] = []
        page.on("pageerror", lambda error: self.troubles.append(f"thrown: {error}"))
        page.on("console", self._hear)
        page.on("request", self._ask)

    @property
    def box(self) -> Locator:
        return self.page.get_by_role("textbox", name="Ask something")

    @property
    def log(self) -> Locator:
        return self.page.get_by_role("log")

    @property
    def questions(self) -> Locator:
        return self.page.get_by_role("article", name="You")

    @property
    def answers(self) -> Locator:
        return self.page.get_by_role("article", name="Toolpost")

    @property
    def chats(self) -> Locator:
        return self.page.get_by_role("navigation")

    def chat(self, title: str) -> Locator:
        """The button that opens a chat of the list."""
        return self.chats.get_by_role("listitem").filter(has_text=title).get_by_role("button").first

    def card(self, name: str, state: str = "") -> Locator:
        """The cards of a tool's calls, in a state."""
        return self.page.get_by_role("region", name=f"{name}: {state}")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    async def open(self, place: str = "") -> None:
        await self.page.goto(f"{self.url}/#token={TOKEN}")
        await expect(self.box).to_be_visible()
        if place:
            await self.page.evaluate("place => { location.hash = place }", place)

    async def say(self, text: str) -> None:
        await self.box.fill(text)
        await self.box.press("Enter")

    async def settled(self) -> None:
        """Wait until nothing runs."""
        await expect(self.button("Send")).to_be_visible()
        await expect(self.button("Stop")).to_have_count(0)

    def _hear(self, said: ConsoleMessage) -> None:
        # A connection that is lost or refused is logged by the browser itself.
        is_network = "Failed to load resource" in said.text or "net::ERR" in said.text
        if said.type == "error" and not is_network and not said.location["url"].endswith(BOARD):
            self.troubles.append(f"console: {said.text}")

    def _ask(self, request: Request) -> None:
        # What a diagram asks for is refused by the policy of its frame; a server would tell if it were not.
        if not request.url.startswith((f"{self.url}/", "data:", "blob:")) and not request.frame.url.endswith(BOARD):
            self.troubles.append(f"asked for {request.url}")


class Play:
    """What a test has in its hands: the first tab, the model's side `up`, and a client of the API."""

    def __init__(self, context: BrowserContext, tab: Tab, up: Upstream, server: Any, workspace: Workspace) -> None:
        self.context = context
        self.tab = tab
        self.page = tab.page
        self.up = up
        self.url = tab.url
        self.workspace = workspace
        self.http = httpx.AsyncClient(base_url=tab.url, headers={"authorization": f"Bearer {TOKEN}"}, timeout=20.0)
        self.setup = ""
        self._server = server

    async def another_tab(self) -> Tab:
        tab = Tab(await self.context.new_page(), self.url)
        await tab.open()
        return tab

    def cut(self) -> None:
        """Reset every connection that the server has."""
        for connection in list(self._server.server_state.connections):
            connection.transport.abort()

    async def api(self, method: str, path: str, body: Any = None) -> Any:
        answer = await self.http.request(method, path, json=body)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def said(self, number: int = -1) -> list[Any]:
        """The messages that the model was given with a request."""
        return self.up.requests[number].body["messages"]


@asynccontextmanager
async def chatting(
    browser: Browser,
    folder: Path,
    *turns: Any,
    config: str = ALLOW,
    servers: str = "",
    tools: bool = True,
    repeat: bool = False,
    delay: float = 0.0,
    strict: bool = True,
    opens: bool = True,
    accounts: bool = False,
    **look: Any,
) -> AsyncGenerator[Play]:
    """A server over `folder`, with `tools` those of `web_tools.py` too, and a tab on it. `look` is the browser's: its
    size, language, colours. With `accounts` people log in, and the first one by `setup`. Leaving it checks the tab's
    troubles and that the whole script was played."""
    async with Upstream(*turns, repeat=repeat, delay=delay, strict=strict) as up:
        _write(folder / ".git" / "HEAD", "")
        provider = f'[providers.up]\nwire = "openai_chat"\nbase_url = "{up.base_url}"\ntool_calls = "native"\n'
        _write(folder / ".toolpost" / "config.toml", provider + config)
        if servers:
            _write(folder / ".mcp.json", servers)
        workspace = Workspace(
            folder,
            trusted=True,
            flags={"server.accounts": True} if accounts else {},
            tool_files=[HERE / "web_tools.py"] if tools else [],
            default_agent=SERVER_AGENT if accounts else "",
        )
        if not accounts:
            workspace.store = MemoryStore()
        link = SetupLink() if accounts else None
        async with _serving(workspace, link) as (server, url):
            given = {"viewport": {"width": 1200, "height": 800}, "locale": "en-US", "reduced_motion": "reduce", **look}
            context = await browser.new_context(**given)
            context.set_default_timeout(10_000)
            play = Play(context, Tab(await context.new_page(), url), up, server, workspace)
            play.setup = f"{url}/#setup={link.secret}" if link else ""
            try:
                if opens:
                    await play.tab.open()
                yield play
            finally:
                await context.close()
                await play.http.aclose()
            assert not play.tab.troubles, play.tab.troubles


@asynccontextmanager
async def _serving(workspace: Workspace, link: SetupLink | None) -> AsyncGenerator[tuple[Any, str]]:
    settings = ServerSettings(port=0, stop_timeout=0.5)
    async with opened(workspace, workspace.model("up/scripted"), settings, TOKEN, setup_link=link) as app:
        server: Any = make_server(app, settings)
        server.config.load()
        server.lifespan = server.config.lifespan_class(server.config)
        with bound_socket(settings) as door:
            await server.startup(sockets=[door])
            try:
                yield server, f"http://127.0.0.1:{door.getsockname()[1]}"
            finally:
                await app.stop()
                await server.shutdown(sockets=[door])


@asynccontextmanager
async def listening(app: Any) -> AsyncGenerator[str]:
    """Any application, an MCP server's say, on a port of its own."""
    config = uvicorn.Config(app, log_level="warning", ws="none", timeout_graceful_shutdown=2)
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    with bound_socket(ServerSettings(port=0)) as door:
        await server.startup(sockets=[door])
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}"
        finally:
            await server.shutdown(sockets=[door])


async def picture(page: Page, name: str) -> None:
    """Keep what the page looks like, where it was asked for (TOOLPOST_SCREENSHOTS=1)."""
    if not os.environ.get("TOOLPOST_SCREENSHOTS"):
        return
    # The browser writes WebP by itself; Playwright knows only of PNG and JPEG.
    session = await page.context.new_cdp_session(page)
    shot = await session.send("Page.captureScreenshot", {"format": "webp", "quality": 80})
    await session.detach()
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / f"{name}.webp").write_bytes(base64.b64decode(shot["data"]))


def _write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
