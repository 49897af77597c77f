"""The application on a real socket, and a client that says exactly the bytes it is told to."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import msgspec

from toolpost.server.app import App
from toolpost.server.http import Request
from toolpost.server.metrics import Metrics, health_routes
from toolpost.server.routing import Route, SocketHandler
from toolpost.server.serve import bound_socket, make_server
from toolpost.server.settings import ServerSettings
from toolpost.server.users import User, Users

TOKEN = "a-token-of-a-person"
PATIENCE = 10.0


class Answer(msgspec.Struct):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class Client:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def say(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def ask(
        self, method: str, path: str, *lines: str, body: bytes = b"", token: str = TOKEN, host: str = "localhost"
    ) -> None:
        """Send a request; `lines` are further header lines."""
        head = [f"{method} {path} HTTP/1.1", f"host: {host}", f"content-length: {len(body)}", *lines]
        if token:
            head.append(f"authorization: Bearer {token}")
        await self.say("\r\n".join([*head, "", ""]).encode("latin-1") + body)

    async def answer(self, *, bodiless: bool = False) -> Answer:
        async with asyncio.timeout(PATIENCE):
            status, headers = await self.head()
            if bodiless or status == 204:
                return Answer(status, headers, b"")
            if headers.get("transfer-encoding") == "chunked":
                return Answer(status, headers, b"".join([piece async for piece in self.chunks()]))
            return Answer(status, headers, await self.reader.readexactly(int(headers["content-length"])))

    async def head(self) -> tuple[int, dict[str, str]]:
        first, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").strip().split("\r\n")
        pairs = [line.partition(":") for line in lines]
        return int(first.split(" ")[1]), {name.lower(): value.strip() for name, _, value in pairs}

    async def chunks(self) -> AsyncIterator[bytes]:
        while True:
            async with asyncio.timeout(PATIENCE):
                size = int(await self.reader.readline(), 16)
                data = (await self.reader.readexactly(size + 2))[:-2]
            if not size:
                return
            yield data

    async def is_closed(self) -> bool:
        """Wait until the server has ended the connection."""
        async with asyncio.timeout(PATIENCE):
            with contextlib.suppress(ConnectionError):
                while await self.reader.read(65_536):
                    pass
        return True

    def leave(self) -> None:
        self.writer.transport.abort()


class Played:
    def __init__(self, app: App, server: Any, port: int) -> None:
        self.app = app
        self.server = server
        self.port = port
        self.metrics = app.metrics

    @contextlib.asynccontextmanager
    async def client(self, *, buffer: int | None = None) -> AsyncIterator[Client]:
        """`buffer`: how little the client's side of the connection holds, for one that does not read."""
        place = socket.socket()
        if buffer is not None:
            place.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        place.setblocking(False)
        await asyncio.get_running_loop().sock_connect(place, ("127.0.0.1", self.port))
        limit = 2**20 if buffer is None else buffer
        reader, writer = await asyncio.open_connection(sock=place, limit=limit)
        try:
            yield Client(reader, writer)
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def counted(self, line: str) -> None:
        """Wait until the metrics say so."""
        await until(lambda: line in self.metrics.text())

    async def call(self, method: str, path: str, *lines: str, **options: Any) -> Answer:
        async with self.client() as client:
            await client.ask(method, path, *lines, **options)
            return await client.answer(bodiless=method == "HEAD")


@contextlib.asynccontextmanager
async def playing(
    *routes: Route, users: Users | None = None, sockets: Mapping[str, SocketHandler] | None = None, **settings: Any
) -> AsyncIterator[Played]:
    """A server over these routes and those of health. Leaving it checks that no task outlived its request."""
    chosen = ServerSettings(**{"stop_timeout": 0.2, "port": 0, **settings})
    metrics = Metrics()
    app = App(
        [*health_routes(metrics, lambda: app.is_stopping), *routes],
        users or Users({TOKEN: User("")}),
        chosen,
        metrics=metrics,
        sockets=sockets,
    )
    before = asyncio.all_tasks()
    server: Any = make_server(app, chosen)
    with bound_socket(chosen) as listening:
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield Played(app, server, listening.getsockname()[1])
        finally:
            await server.stop()
            await serving
    await until(lambda: not asyncio.all_tasks() - before)


async def until(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait for what nothing tells of."""
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.001)


def echo(path: str = "/echo", *, method: str = "POST", shape: Any = "api") -> Route:
    async def handler(request: Request) -> None:
        await request.reply(request.body, content_type="application/octet-stream")

    return Route(method, path, handler, shape=shape)
