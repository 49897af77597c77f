"""Keep one MCP server connected in the background: connect, load its tools, reconnect."""

import asyncio
import contextlib
import logging
import math
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from toolpost.extras import is_installed, missing_text
from toolpost.tools.define import Tool, ToolContext
from toolpost.tools.untrusted import untrusted
from toolpost.types.errors import ToolError

from . import oauth
from .call_timeout import SilenceTimeout, progress_of
from .config import McpServer
from .errors import ConnectionBroken, HttpFailure, Mark, NoSession, call_error, first_leaf, reason_of
from .message_stream import StreamWatch, watched
from .requests import Elicit, Sample, ServerRequests
from .server_process import ServerReaper, StderrTail, end, started
from .tools import MAX_DESCRIPTION, Quarantined, make_tools, one_line, visible
from .transports import ConnectMode, heard_failures, remote, ways

if TYPE_CHECKING:
    from mcp import Client, types
    from mcp.client._transport import TransportStreams
    from mcp.client.session import IncomingMessage

log = logging.getLogger("toolpost.mcp")

State = Literal["off", "untrusted", "connecting", "connected", "waiting", "needs_login", "failed", "closed"]
# While it is coming back, what it offered stays on offer: a list that flickers costs more than a call that waits.
OFFERING = ("connected", "connecting", "waiting")

MAX_FAILURES = 6  # of a server that never was connected; one that was is waited for
MAX_DELAY = 60.0
STEADY_SECONDS = 30.0  # a connection that held so long was a good one
PATIENCE = 15.0  # a call waits so long for a server that is coming back
CLOSE_SECONDS = 1.0  # a server may take so long to end by itself
MAX_PAGES = 100
RELOAD_SECONDS = 1.0
RELOAD_PATIENCE = 2.0  # a call waits so long for a list that is being asked for again
MAX_NAME = 200
LISTEN_ATTEMPTS = 3


@dataclass(frozen=True)
class ConnectionContext:
    """The settings and helpers that all connections of a folder share."""

    folder: Path
    environ: Mapping[str, str]
    on_change: Callable[[], None]
    sample: Sample | None = None
    elicit: Elicit | None = None
    vault: oauth.TokenStore | None = None
    warden: ServerReaper = field(default_factory=ServerReaper)


class Catalogue(Struct, frozen=True):
    """What a server offers, as it was last told; its tools by its own names for them."""

    by_name: dict[str, Tool] = {}
    prompts: "tuple[types.Prompt, ...]" = ()
    has_resources: bool = False
    quarantined: tuple[Quarantined, ...] = ()

    @property
    def tools(self) -> tuple[Tool, ...]:
        return tuple(self.by_name.values())


class ServerIdentity(Struct, frozen=True):
    """Who answered: the server's own name and version, the protocol's version, and what it wants models to know."""

    name: str = ""
    protocol: str = ""
    instructions: str = ""


class McpConnection:
    """A connection to one server, started once, in a task of its own. `client` is the SDK's client while connected."""

    def __init__(self, server: McpServer, word: str, around: ConnectionContext, state: State = "connecting") -> None:
        self.server = server
        self.word = word
        self.state: State = "failed" if server.problem else state
        self.problem = server.problem
        self.catalogue = Catalogue()
        self.identity = ServerIdentity()
        self.stderr = StderrTail()
        self.settled = asyncio.Event()
        self._around = around
        self._requests = ServerRequests(server.name, around.folder, around.sample, around.elicit)
        self._client: Client | None = None
        self._task: asyncio.Task[None] | None = None
        self._cancel: Callable[[], None] | None = None
        self._watch: StreamWatch | None = None
        self._connected = 0.0
        self._closing = False
        self._stale = False
        self._loading = False
        self._wake = asyncio.Event()
        self._moved = asyncio.Event()
        self._mark = ""

    def start(self) -> None:
        if self.state == "connecting":
            self._task = asyncio.create_task(self._supervise(), name=f"mcp {self.server.name}")
        else:
            self.settled.set()

    async def close(self) -> None:
        """Disconnect, wait briefly for the process to end, then kill what is left of it."""
        self._closing = True
        task, self._task = self._task, None
        if task is not None:
            if self._cancel is not None:
                self._cancel()
            else:
                task.cancel()
            if not (await asyncio.wait({task}, timeout=CLOSE_SECONDS))[0] and self._mark:
                await end(self._mark)
            await asyncio.wait({task})
        if self.state not in ("off", "untrusted"):
            self._become("closed")

    @property
    def offered(self) -> Catalogue:
        return self.catalogue if self.state in OFFERING else Catalogue()

    async def client(self, patience: float = PATIENCE, mark: Mark = untrusted) -> "Client":
        """The client, once it is connected; `ToolError` if it is not in time."""
        deadline = time.monotonic() + patience
        while self._client is None:
            left = deadline - time.monotonic()
            if self.state not in OFFERING or left <= 0:
                raise self._absent(mark)
            self._moved.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._moved.wait()
        return self._client

    async def call(
        self,
        tool: str,
        arguments: dict[str, Any],
        ctx: ToolContext,
        digest: str = "",
        silence: float | None = None,
        mark: Mark = untrusted,
    ) -> "types.CallToolResult":
        """Call a tool. It is sent a second time only where the server surely never looked at it. With `digest` it is
        called only as what it was when somebody allowed the call. `silence` is how long it may take without progress,
        where that is not what the settings say. `mark` marks the server's own words in errors."""
        silence = silence or self.server.silence
        try:
            return await self._call(tool, arguments, ctx, digest, silence, mark)
        except NoSession:
            return await self._call(tool, arguments, ctx, digest, silence, mark)

    async def ask(self, request: "Callable[[Client], Awaitable[Any]]") -> Any:
        """Send another request through the client: read a resource, get a prompt."""
        client, patience, what = await self.client(), SilenceTimeout(self.server.silence), "the request"
        with heard_failures() as http:
            try:
                async with patience:
                    return await request(client)
            except Exception as error:  # the SDK raises its own kinds, which end here
                raise self._silent(what, patience) or call_error(error, self.server.name, what, http) from error

    def _absent(self, mark: Mark) -> ToolError:
        name = self.server.name
        why = f" Reason:\n{mark(self.problem, f'MCP server {name}')}" if self.problem else ""
        return ToolError(f"The MCP server {name} is not connected. Continue without it.{why}")

    async def _check_same(self, tool: str, digest: str) -> None:
        """Raise if a tool changed since it was offered. A change that was just announced is waited for."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(RELOAD_PATIENCE):
                while self._stale or self._loading:
                    self._moved.clear()
                    await self._moved.wait()
        known = self.catalogue.by_name.get(tool)
        now = known.fingerprint if known else None
        if digest and (now is None or now.digest != digest):
            raise ToolError(
                f"The MCP server {self.server.name} has changed {tool} since it was offered, so it was not called. "
                "Read its description again before you call it."
            )

    def _silent(self, what: str, patience: SilenceTimeout) -> ToolError | None:
        """The error if the server was silent for too long."""
        if not patience.is_over:
            return None
        text = (
            f"The MCP server {self.server.name} was silent for {patience.seconds:g} s during {what} and is not waited "
            "for any longer. It is not known whether it was done: check before you try again."
        )
        return ToolError(text, kind="timeout")

    async def _call(
        self, tool: str, arguments: dict[str, Any], ctx: ToolContext, digest: str, silence: float, mark: Mark
    ) -> "types.CallToolResult":
        client, watch = await self.client(mark=mark), self._watch
        await self._check_same(tool, digest)
        patience = SilenceTimeout(silence)
        with heard_failures() as http:
            try:
                with self._requests.during(ctx, patience):
                    async with patience:
                        return await client.call_tool(tool, arguments, progress_callback=progress_of(ctx, patience))
            except Exception as error:  # the SDK raises its own kinds, which end here
                reason = watch.reason if watch is not None else ""
                failure = self._silent(tool, patience) or call_error(
                    error, self.server.name, tool, http, reason=reason, mark=mark
                )
                if isinstance(failure, NoSession | ConnectionBroken) and watch is not None and watch is self._watch:
                    # The server is gone, or has forgotten us: leave, and come back as somebody new.
                    watch.end()
                raise failure from error

    async def _supervise(self) -> None:
        if not is_installed("mcp"):
            self._become("failed", missing_text("mcp", "an MCP server"))
            return
        # The SDK is loaded beside the loop: it takes a second or two, in which everything else goes on.
        await asyncio.to_thread(_load_sdk)
        tries = ways(self.server)
        known = False
        failures = 0
        while not self._closing:
            self._become("connecting", self.problem)
            self._connected = 0.0
            way = tries[failures % len(tries)]
            problem, final = await self._attempt(way)
            if problem != self.problem and not self._closing:
                log.warning("MCP server %s is not connected: %s", self.server.name, problem)
            self._client = self._cancel = None
            if final is not None:
                self._become(final, problem)
                return
            if self._connected:
                tries, known = (way,), True
            held = bool(self._connected) and time.monotonic() - self._connected > STEADY_SECONDS
            failures = 0 if held else failures + 1
            if failures >= MAX_FAILURES and not known:
                self._become("failed", problem)
                return
            self.problem = problem
            # One that fell over is picked up at once, and another way is tried at once.
            if not self._closing and failures >= len(tries) + bool(self._connected):
                self._become("waiting", problem)
                await asyncio.sleep(_delay(failures))

    async def _attempt(self, way: ConnectMode) -> tuple[str, State | None]:
        """Connect once until it ends; return why it ended, and the state to stay in if a retry is pointless."""
        with heard_failures() as http:
            try:
                await self._live(way)
            except Exception as error:  # every way to fail is a state of this server, never of another
                log.debug("MCP server %s", self.server.name, exc_info=True)
                leaf = first_leaf(error)
                if self._wants_person(http) or isinstance(leaf, oauth.NeedsLogin):
                    return f"it requires a login: toolpost mcp login {self.server.name}", "needs_login"
                if isinstance(leaf, FileNotFoundError | PermissionError | NotADirectoryError):
                    return f"{leaf.filename or self.server.command} cannot be started: {leaf.strerror}", "failed"
                return self._why_left() or reason_of(error, http), None
        return self._why_left() or "the connection ended", None

    def _wants_person(self, http: Sequence[HttpFailure]) -> bool:
        by_itself = self.server.oauth.grant == "client_credentials"
        refused = any(one.status == HTTPStatus.UNAUTHORIZED or one.scope is not None for one in http)
        return refused and not by_itself

    def _why_left(self) -> str:
        return self._watch.reason if self._watch is not None else ""

    async def _live(self, way: ConnectMode) -> None:
        """Connect, and stay until the connection ends."""
        import anyio
        from mcp import Client

        watch = self._watch = StreamWatch(self.server.name, self._on_end)
        seconds = self.server.connect_timeout
        with anyio.CancelScope(deadline=anyio.current_time() + seconds) as scope:
            self._cancel = scope.cancel
            client = Client(
                watched(self._open(way), watch),
                mode=way.mode,
                client_info=_client_info(),
                message_handler=self._on_message,
                log_level="debug" if log.isEnabledFor(logging.DEBUG) else "warning",
                cache=None,
                **self._requests.callbacks(),
            )
            async with client:
                await self._load(client, watch)
                scope.deadline = math.inf
                self._client = client
                self._connected = time.monotonic()
                self._become("connected")
                await self._stay(client, watch)
        if scope.cancelled_caught and not self._closing:
            raise TimeoutError(f"it did not answer within {seconds:g} s")

    @asynccontextmanager
    async def _open(self, way: ConnectMode) -> "AsyncGenerator[TransportStreams]":
        assert self._watch is not None
        around, cut = self._around, self._watch.cut
        if way.kind == "stdio":
            self._mark = around.warden.mark()
            async with started(self.server, around.folder, around.environ, self._mark, self.stderr, cut) as streams:
                yield streams
            return
        # A keyring may take its time.
        auth = await asyncio.to_thread(oauth.silent, self.server, around.vault) if around.vault else None
        async with remote(self.server, way.kind, auth, cut) as streams:
            yield streams

    async def _stay(self, client: "Client", watch: StreamWatch) -> None:
        import anyio

        rested = 0.0
        async with anyio.create_task_group() as group:
            group.start_soon(self._listen, client)
            while not watch.ended:
                await self._wake.wait()
                self._wake.clear()
                if self._stale and not watch.ended and time.monotonic() >= rested:
                    self._stale, self._loading = False, True
                    await self._reload(client, watch)
                    # One that says without end that it has changed is asked only so often.
                    rested = time.monotonic() + RELOAD_SECONDS
                    asyncio.get_running_loop().call_later(RELOAD_SECONDS, self._wake.set)
            group.cancel_scope.cancel()

    async def _reload(self, client: "Client", watch: StreamWatch) -> None:
        import anyio
        from mcp import MCPError

        with heard_failures() as http:
            try:
                with anyio.fail_after(self.server.connect_timeout):
                    await self._load(client, watch)
            except (MCPError, TimeoutError, ValueError) as error:
                log.warning(
                    "MCP server %s: its new list could not be loaded: %s", self.server.name, reason_of(error, http)
                )
            finally:
                self._loading = False
                self._moved.set()
        self._around.on_change()

    async def _load(self, client: "Client", watch: StreamWatch) -> None:
        """List tools, resources and prompts, but only those kinds that the server declares."""
        can = client.server_capabilities
        watch.bad_tools.clear()
        listed = await all_pages(lambda at: client.list_tools(cursor=at), "tools") if can.tools else []
        prompts = await all_pages(lambda at: client.list_prompts(cursor=at), "prompts") if can.prompts else []
        # Beside the loop: every schema is looked at.
        tools, bad = await asyncio.to_thread(
            make_tools, self.word, listed, self.call, server=self.server.name, timeout=self.server.timeout
        )
        bad += [Quarantined(name, reason) for name, reason in watch.bad_tools.items()]
        self.catalogue = Catalogue(tools, tuple(prompts), can.resources is not None, tuple(bad))
        info = client.server_info
        name = one_line(f"{info.name} {info.version}")[:MAX_NAME] if info else ""
        instructions = visible(client.instructions or "")[:MAX_DESCRIPTION]
        self.identity = ServerIdentity(name, client.protocol_version, instructions)

    async def _listen(self, client: "Client") -> None:
        """The newest protocol tells changes only to those who listen; the older ones tell them anyway."""
        import anyio
        from mcp import MCPError
        from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost

        for attempt in range(LISTEN_ATTEMPTS):
            try:
                async with client.listen(
                    tools_list_changed=True, prompts_list_changed=True, resources_list_changed=True
                ) as changes:
                    # What changed before we listened was told to nobody.
                    self._change()
                    async for _ in changes:
                        self._change()
                return
            except (ListenNotSupportedError, MCPError):
                return
            except SubscriptionLost:
                await anyio.sleep(_delay(attempt + 1))

    async def _on_message(self, message: "IncomingMessage") -> None:
        if isinstance(message, Exception):
            log.warning("MCP server %s sent something that is not a message: %s", self.server.name, reason_of(message))
        elif message.method in ("notifications/tools/list_changed", "notifications/prompts/list_changed"):
            self._change()
        elif message.method == "notifications/resources/list_changed":
            self._around.on_change()

    def _on_end(self) -> None:
        # At once: a call that comes now has to wait for the next connection.
        self._client = None
        self._wake.set()

    def _change(self) -> None:
        self._stale = True
        self._wake.set()

    def _become(self, state: State, problem: str = "") -> None:
        self.state, self.problem = state, problem
        if state != "connecting":
            self.settled.set()
        self._moved.set()
        self._around.on_change()


def _load_sdk() -> None:
    import_module("mcp")


def _client_info() -> "types.Implementation":
    from importlib.metadata import version

    from mcp import types

    return types.Implementation(name="toolpost", version=version("toolpost"))


async def all_pages(fetch: Callable[[str | None], Awaitable[Any]], key: str) -> list[Any]:
    """Fetch all pages of a list; stop if a server repeats its pages."""
    found: list[Any] = []
    cursors: set[str] = set()
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await fetch(cursor)
        found += getattr(page, key)
        cursor = page.next_cursor
        if not cursor or cursor in cursors:
            break
        cursors.add(cursor)
    return found


def _delay(failures: int) -> float:
    return min(MAX_DELAY, 2.0 ** min(failures - 1, 10)) * random.uniform(0.8, 1.2)
