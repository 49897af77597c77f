"""A vendor's server that answers to the byte as a test tells it to, with the gateway in front of it."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gateway_play import TOKEN, WIRES, Play, listening, write
from msgspec import Struct

from toolpost.server.serve import make_server, opened
from toolpost.server.settings import ServerSettings
from toolpost.store.memory import MemoryStore
from toolpost.workspace import Workspace

STREAM = "text/event-stream; charset=utf-8"
KEY = "the-key-of-the-operator"


class Says(Struct):
    """`pieces` are sent one by one; an event among them is waited for. `is_cut`: the connection ends in the middle."""

    pieces: Sequence[bytes | asyncio.Event] = ()
    status: int = 200
    headers: dict[str, str] = {}
    content_type: str = STREAM
    is_cut: bool = False


class Heard(Struct):
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Vendor:
    def __init__(self, *answers: Says) -> None:
        self.heard: list[Heard] = []
        self.gone = asyncio.Event()
        self._answers = list(answers)
        self._open: dict[asyncio.Task[Any], asyncio.StreamWriter] = {}

    async def close(self) -> None:
        for writer in self._open.values():
            writer.transport.abort()
        if self._open:
            await asyncio.wait(list(self._open))

    def will_say(self, *answers: Says) -> None:
        self._answers += answers

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open[task] = writer
        task.add_done_callback(self._open.pop)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                self.heard.append(Heard(first.split(" ")[1], headers, body))
                if not await self._answer(self._answers.pop(0), reader, writer):
                    break
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    async def _answer(self, says: Says, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        given = {"content-type": says.content_type, "transfer-encoding": "chunked", **says.headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
        writer.write(f"HTTP/1.1 {says.status} Said\r\n{head}\r\n".encode())
        for piece in says.pieces:
            if isinstance(piece, asyncio.Event):
                await self._until(piece, reader)
            elif piece:
                writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                await writer.drain()
        if says.is_cut:
            return False
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    async def _until(self, event: asyncio.Event, reader: asyncio.StreamReader) -> None:
        """Wait for the event, or for the gateway to leave."""
        leaving, opened = asyncio.ensure_future(reader.read(1)), asyncio.ensure_future(event.wait())
        await asyncio.wait({leaving, opened}, return_when=asyncio.FIRST_COMPLETED)
        opened.cancel()
        if leaving.done():
            self.gone.set()
            raise ConnectionError
        leaving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await leaving


class Relay(Play):
    def __init__(self, url: str, vendor: Vendor, workspace: Workspace) -> None:
        super().__init__(url, vendor, workspace)  # pyright: ignore[reportArgumentType]
        self.vendor = vendor

    async def streamed(self, path: str, headers: dict[str, str] | None = None, **body: Any) -> bytes:
        answer = await self.http.post(path, json={"stream": True, **body}, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.content


@asynccontextmanager
async def relaying(folder: Path, *answers: Says, wire: str = "anthropic", config: str = "") -> AsyncGenerator[Relay]:
    """A gateway whose only provider `up` is the vendor; `config` is more about it, and may have tables of its own."""
    vendor = Vendor(*answers)
    server = await asyncio.start_server(vendor, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    base = f"http://127.0.0.1:{port}{WIRES[wire]}"
    write(folder / ".git" / "HEAD", "")
    provider = f'[providers.up]\nwire = "{wire}"\nbase_url = "{base}"\ntool_calls = "native"\napi_key_env = "UP_KEY"\n'
    write(folder / ".toolpost" / "config.toml", provider + config)
    workspace = Workspace(folder, trusted=True, environ={"UP_KEY": KEY, "HOME": str(folder)})
    workspace.store = MemoryStore()
    model, settings = workspace.model("up/m"), ServerSettings()
    async with (
        server,
        opened(workspace, model, settings, TOKEN) as app,
        listening(app, make_server(app, settings)) as url,
    ):
        play = Relay(url, vendor, workspace)
        try:
            yield play
        finally:
            await play.close()
            await vendor.close()


def events(*payloads: dict[str, Any], end: str = "\n") -> list[bytes]:
    """Events with names, as Anthropic and the Responses wire have them."""
    return [f"event: {one['type']}{end}data: {json.dumps(one)}{end}{end}".encode() for one in payloads]


def chunks(*payloads: Any) -> list[bytes]:
    """Events of OpenAI's chat wire."""
    return [b"data: " + (one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n\n" for one in payloads]
