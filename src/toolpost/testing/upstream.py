"""A scripted model server on a real socket: for tests of everything that lies between an agent and its model.

    async with Upstream(text("hello"), http_error(429, headers={"retry-after": "1"})) as up:
        model = OpenAIChat("any", base_url=up.base_url)

As a process, for tests of command lines: `python -m toolpost.testing.upstream --port 0 --script turns.json`; its URL is
the first line it prints.
"""

import argparse
import asyncio
import random
import socket
import struct
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

import msgspec
from msgspec import Struct

from toolpost.arguments.check_sdk_calls import texts
from toolpost.types.messages import ErrorInfo
from toolpost.types.text import counted

from .script import (
    Cut,
    End,
    ErrorObject,
    Fail,
    HttpError,
    Pause,
    Raw,
    Reset,
    ScriptError,
    Stall,
    Step,
    Turn,
    Wait,
    parse_script,
)
from .wires import ScriptedWire, all_wires

# Steps about the connection: they happen to an answer in one piece as well.
_BYTES = (Raw, Cut, Reset, Stall)
_STATUS = {"auth": 401, "spend_limit": 402, "not_found": 404, "rate_limit": 429, "overloaded": 529, "timeout": 408}


class Received(Struct, frozen=True):
    """A request as it came; `body` is its JSON where it is JSON."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes
    body: Any


TurnFrom = Callable[[Received], Turn]


class Upstream:
    """Plays one turn a request. `requests` holds what came; `open` and `total` count connections.

    It speaks every wire, chosen by the path of a request; with `wire` it speaks that one alone.
    `split`: cut the body into HTTP chunks of these sizes (repeated), or at random with this seed; by default one chunk
    an event. `delay`: seconds before every chunk. `repeat`: begin the script again at its end. Leaving the context
    fails if turns are left, unless `strict` is false. `pages` are JSON documents by their path, such as what Ollama
    says at `/api/show`; who asked for one is in `asked`, and not in `requests`.
    """

    def __init__(
        self,
        *turns: Turn | TurnFrom,
        wire: ScriptedWire | None = None,
        split: Sequence[int] | int | None = None,
        delay: float = 0.0,
        models: str | Sequence[str] = ("scripted",),
        repeat: bool = False,
        strict: bool = True,
        port: int = 0,
        pages: Mapping[str, Any] | None = None,
    ) -> None:
        self.requests: list[Received] = []
        self.asked: list[Received] = []
        self.pages: dict[str, Any] = dict(pages or {})
        self.open = 0
        self.total = 0
        self._turns = list(turns)
        self._played = 0
        self._wires = all_wires() if wire is None else [wire]
        self._split = split
        self._delay = delay
        self._models = texts(models, "models")
        self._repeat = repeat
        self._strict = strict
        self._port = port
        self._changed = asyncio.Event()
        self._connections: set[_Connection] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    def add(self, *turns: Turn | TurnFrom) -> None:
        self._turns += turns

    async def closed(self, count: int = 1, timeout: float = 5.0) -> None:
        """Wait until `count` connections in all have ended."""
        async with asyncio.timeout(timeout):
            await self._until(lambda: self.total - self.open >= count)

    async def requested(self, count: int = 1, timeout: float = 5.0) -> None:
        """Wait until `count` requests in all have come."""
        async with asyncio.timeout(timeout):
            await self._until(lambda: len(self.requests) >= count)

    def assert_done(self) -> None:
        if not self._repeat and self._played < len(self._turns):
            raise ScriptError(f"never asked for: {counted(len(self._turns) - self._played, 'turn')} of the script")

    async def start(self) -> None:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self), "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        for connection in list(self._connections):
            connection.drop()
        await self._until(lambda: not self._connections)

    async def serve_forever(self) -> None:
        if self._server is None:
            await self.start()
        assert self._server is not None
        await self._server.serve_forever()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
        if kind is None and self._strict:
            self.assert_done()

    async def _until(self, true: Callable[[], bool]) -> None:
        while not true():
            self._changed.clear()
            await self._changed.wait()

    def came(self, connection: "_Connection") -> None:
        self.open += 1
        self.total += 1
        self._connections.add(connection)
        self._changed.set()

    def went(self, connection: "_Connection") -> None:
        self.open -= 1
        self._connections.discard(connection)
        self._changed.set()

    async def answer(self, connection: "_Connection", request: Received) -> None:
        path = request.path.split("?")[0]
        if path in self.pages:
            self.asked.append(request)
            return connection.send_whole(200, msgspec.json.encode(self.pages[path]))
        wire = self._wire_for(request, path)
        if wire is None:
            return connection.send_whole(404, self._wires[-1].error_body(404, f"no route {request.path}"))
        if request.method == "GET":
            return connection.send_whole(200, wire.models(self._models))
        self.requests.append(request)
        self._changed.set()
        turn = self._next(request)
        if turn is None:
            text = f"the script has no turn left for request {len(self.requests)}"
            return connection.send_whole(400, wire.error_body(400, text))
        first = turn.steps[0] if turn.steps else None
        if isinstance(first, HttpError | Fail):
            return connection.send_whole(*_refusal(wire, first))
        if not wire.wants_stream(path, request.body) and not any(isinstance(step, _BYTES) for step in turn.steps):
            return connection.send_whole(200, wire.document(turn))
        return await self._stream(connection, wire, turn, request)

    def _wire_for(self, request: Received, path: str) -> ScriptedWire | None:
        """The wire that answers, in a copy for this request alone."""
        for wire in self._wires:
            asked = request.method == "POST" and wire.answers(path)
            if asked or (request.method == "GET" and wire.lists(path, request.headers)):
                return copy(wire)
        return None

    def _next(self, request: Received) -> Turn | None:
        if self._repeat and self._turns and self._played >= len(self._turns):
            self._played = 0
        if self._played >= len(self._turns):
            return None
        turn = self._turns[self._played]
        self._played += 1
        return turn if isinstance(turn, Turn) else turn(request)

    async def _stream(self, connection: "_Connection", wire: ScriptedWire, turn: Turn, request: Received) -> None:
        body = _Body(connection, wire.content_type, self._sizes(), self._delay)
        scripted = any(isinstance(step, Raw) for step in turn.steps)
        opened = scripted
        for step in turn.steps:
            # Nothing at all is sent before these.
            if not opened and not isinstance(step, Reset | Stall | Pause):
                opened = True
                await body.send(wire.opening(turn))
            if await _take_step(connection, wire, body, step):
                return
        if not opened:
            await body.send(wire.opening(turn))
        if not scripted:
            await body.send(wire.closing(turn, request.body))
        await body.end()

    def _sizes(self) -> Iterable[int] | None:
        if self._split is None:
            return None
        if isinstance(self._split, int):
            chance = random.Random(self._split)
            return iter(lambda: chance.choice((1, 1, 2, 3, 5, 8, 30, 200)), 0)
        sizes = tuple(self._split)
        return (size for _ in iter(int, 1) for size in sizes)


async def _take_step(connection: "_Connection", wire: ScriptedWire, body: "_Body", step: Step) -> bool:
    """Play one step; True says that the answer is over."""
    match step:
        case Pause():
            await step.wait()
        case Wait(seconds):
            await asyncio.sleep(seconds)
        case Raw(data):
            await body.send([data])
        case ErrorObject(error):
            await body.send([wire.error_event(error)])
        case Fail(error):
            await body.send([wire.error_event({"message": error.message, "code": _status(error)})])
            await body.end()
            return True
        case End():
            await body.end()
            return True
        case Stall():
            await connection.gone.wait()
            return True
        case Cut() | Reset():
            body.cut() if isinstance(step, Cut) else connection.reset()
            return True
        case _:
            await body.send(wire.step(step))
    return False


class _Body:
    """A chunked body; bytes are held until there are enough for the next size of a split."""

    def __init__(self, connection: "_Connection", content_type: str, sizes: Iterable[int] | None, delay: float) -> None:
        self._connection = connection
        self._content_type = content_type
        self._sizes = iter(sizes) if sizes is not None else None
        self._delay = delay
        self._held = b""
        self._begun = False

    async def send(self, events: Sequence[bytes]) -> None:
        self._begin()
        for event in events:
            if self._sizes is None:
                await self._write(event)
                continue
            self._held += event
            while self._held:
                size = next(self._sizes)
                await self._write(self._held[:size])
                self._held = self._held[size:]

    async def end(self) -> None:
        self._begin()
        self._connection.write(b"0\r\n\r\n")

    def cut(self) -> None:
        self._begin()
        self._connection.write(b'fff\r\ndata: {"choices":[{"index":0,"del')
        self._connection.drop()

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            headers = {"content-type": self._content_type, "transfer-encoding": "chunked"}
            self._connection.write(_head(200, headers))

    async def _write(self, data: bytes) -> None:
        if not data:
            return
        await asyncio.sleep(self._delay)
        self._connection.write(b"%x\r\n%s\r\n" % (len(data), data))


class _Connection(asyncio.Protocol):
    """One client: reads requests one after the other, and notices at once when it goes away."""

    def __init__(self, upstream: Upstream) -> None:
        self.gone = asyncio.Event()
        self._upstream = upstream
        self._reader = asyncio.StreamReader()
        self._transport: asyncio.Transport | None = None
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._upstream.came(self)
        self._task = asyncio.get_running_loop().create_task(self._serve())

    def data_received(self, data: bytes) -> None:
        self._reader.feed_data(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone.set()
        self._reader.feed_eof()
        if self._task is not None:
            self._task.cancel()
        self._upstream.went(self)

    def write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def send_whole(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        own = {"content-type": "application/json", "content-length": str(len(body))}
        self.write(_head(status, {**own, **(headers or {})}) + body)

    def drop(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def reset(self) -> None:
        if self._transport is None:
            return
        held: socket.socket = self._transport.get_extra_info("socket")
        held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()

    async def _serve(self) -> None:
        while not self.gone.is_set():
            try:
                request = await _read_request(self._reader)
            except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
                return self.drop()
            await self._upstream.answer(self, request)
        return None


async def _read_request(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    start, *lines = head.split("\r\n")[:-2]
    method, path, _ = start.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    try:
        body: Any = msgspec.json.decode(raw) if raw else None
    except msgspec.DecodeError:
        body = None
    return Received(method, path, headers, raw, body)


def _head(status: int, headers: dict[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} Scripted", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def _refusal(wire: ScriptedWire, step: HttpError | Fail) -> tuple[int, bytes, dict[str, str]]:
    if isinstance(step, HttpError):
        return step.status, wire.error_body(step.status, step.body), step.headers
    status, after = _status(step.error), step.error.retry_after
    headers = {} if after is None else {"retry-after": f"{after:g}"}
    return status, wire.error_body(status, step.error.message, step.error.code), headers


def _status(error: ErrorInfo) -> int:
    return error.status or _STATUS.get(error.code, 500 if error.retryable else 400)


async def _main(arguments: argparse.Namespace, turns: list[Turn]) -> None:
    upstream = Upstream(
        *turns,
        repeat=arguments.repeat,
        delay=arguments.delay,
        models=arguments.model or ("scripted",),
        port=arguments.port,
    )
    await upstream.start()
    sys.stdout.write(f"{upstream.base_url}\n")
    sys.stdout.flush()
    await upstream.serve_forever()


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="toolpost.testing.upstream", description="Serve a scripted model.")
    parser.add_argument(
        "--script", required=True, help="a JSON file of turns; see toolpost.testing.script.parse_script"
    )
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before every chunk")
    parser.add_argument("--model", action="append", help="a name for GET /models; may be given again")
    parser.add_argument("--repeat", action="store_true", help="begin again when the script is over")
    arguments = parser.parse_args(argv)
    turns = parse_script(msgspec.json.decode(Path(arguments.script).read_bytes()))
    try:
        asyncio.run(_main(arguments, turns))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
