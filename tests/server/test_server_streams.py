"""Answers piece by piece: to clients that read, leave, stall, and when the server itself has to stop."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest
from server_play import playing, until

from toolpost.server.http import MAX_WAITING, ReplyStream, Request
from toolpost.server.routing import Route

COMMENT = b": ping\n\n"


def streaming(write: Callable[[ReplyStream], Awaitable[None]], **options) -> Route:
    async def handler(request: Request) -> None:
        async with request.stream(**options) as out:
            await write(out)

    return Route("GET", "/stream", handler)


class Held:
    """Work that waits until it is ended, and says so."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = pieces
        self.started = asyncio.Event()
        self.ended = asyncio.Event()

    async def write(self, out: ReplyStream) -> None:
        for piece in self.pieces:
            await out.write(piece)
        await self.wait()

    async def wait(self, request: object = None) -> None:
        self.started.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()


def failed(why: str) -> bytes:
    return f"event: error\ndata: {why}\n\n".encode()


async def test_the_first_piece_goes_out_at_once() -> None:
    held = Held(b"first")
    async with playing(streaming(held.write)) as server, server.client() as client:
        await client.ask("GET", "/stream")
        status, headers = await client.head()
        assert (status, headers["content-type"]) == (200, "text/event-stream")
        assert headers["x-accel-buffering"] == "no"
        assert await anext(client.chunks()) == b"first"
        assert not held.ended.is_set()


async def test_small_pieces_made_at_once_go_out_as_one() -> None:
    async def write(out: ReplyStream) -> None:
        for number in range(5000):
            await out.write(b"%d " % number)

    async with playing(streaming(write)) as server, server.client() as client:
        await client.ask("GET", "/stream")
        await client.head()
        chunks = [chunk async for chunk in client.chunks()]
        assert b"".join(chunks) == b"".join(b"%d " % number for number in range(5000))
        assert len(chunks) < 10


@pytest.mark.parametrize("pieces", [(), (b"first",)], ids=["before the first piece", "in the middle"])
async def test_a_client_that_leaves_a_stream_ends_the_work(pieces: tuple[bytes, ...]) -> None:
    held = Held(*pieces)
    async with playing(streaming(held.write)) as server:
        async with server.client() as client:
            await client.ask("GET", "/stream")
            await held.started.wait()
            client.leave()
        async with asyncio.timeout(1):
            await held.ended.wait()
        await server.counted(f'status="{200 if pieces else 499}"}} 1')


async def test_a_client_that_leaves_ends_work_that_is_answered_as_a_whole() -> None:
    held = Held()
    async with playing(Route("POST", "/whole", held.wait)) as server:
        async with server.client() as client:
            await client.ask("POST", "/whole", body=b"{}")
            await held.started.wait()
        async with asyncio.timeout(1):
            await held.ended.wait()


async def test_a_client_that_sent_ahead_and_leaves_ends_the_work() -> None:
    held = Held()
    async with playing(Route("POST", "/whole", held.wait)) as server:
        async with server.client() as client:
            await client.ask("POST", "/whole", body=b"{}")
            await held.started.wait()
            await client.ask("POST", "/whole", body=b"{}")
            await server.counted('running{path="/whole"} 1')
            await client.ask("POST", "/whole", body=b"{}")
            client.leave()
        async with asyncio.timeout(1):
            await held.ended.wait()


async def test_what_a_handler_does_after_its_answer_is_not_cut() -> None:
    done = asyncio.Event()

    async def handler(request: Request) -> None:
        await request.reply(b"answer")
        for _ in range(10):
            await asyncio.sleep(0)
        done.set()

    async with playing(Route("GET", "/after", handler)) as server:
        assert (await server.call("GET", "/after")).body == b"answer"
        async with asyncio.timeout(2):
            await done.wait()


async def test_a_reader_that_stalls_holds_little_and_is_cut_off() -> None:
    piece, made, ended = b"x" * 10_000, [0], asyncio.Event()

    async def flood(out: ReplyStream) -> None:
        try:
            while made[0] < 60_000_000:
                await out.write(piece)
                made[0] += len(piece)
        finally:
            ended.set()

    async with playing(streaming(flood), write_timeout=0.3) as server, server.client(buffer=4096) as client:
        client.writer.transport.pause_reading()
        await client.ask("GET", "/stream")
        async with asyncio.timeout(5):
            await ended.wait()
        # What the system's own buffers took is counted here too.
        assert made[0] < 2 * MAX_WAITING + 8_000_000
        await server.counted('total{path="/stream",status="200"} 1')
        # Really cut off: nothing waits for that reader any more.
        await until(lambda: not server.server.server_state.connections, seconds=1.0)


async def test_a_slow_reader_gets_everything() -> None:
    async def flood(out: ReplyStream) -> None:
        for _ in range(300):
            await out.write(b"x" * 10_000)

    async with playing(streaming(flood), write_timeout=5.0) as server, server.client(buffer=4096) as client:
        await client.ask("GET", "/stream")
        await client.head()
        assert sum([len(chunk) async for chunk in client.chunks()]) == 3_000_000


async def test_a_silent_stream_is_kept_alive_between_events() -> None:
    silent = asyncio.Event()

    async def write(out: ReplyStream) -> None:
        await out.write(b"data: first\n\n")
        await silent.wait()
        await out.write(b"data: last\n\n")

    async with playing(streaming(write, ping=COMMENT), keep_alive=0.05) as server, server.client() as client:
        began = time.monotonic()
        await client.ask("GET", "/stream")
        await client.head()
        chunks = client.chunks()
        assert await anext(chunks) == b"data: first\n\n"
        assert [await anext(chunks), await anext(chunks)] == [COMMENT, COMMENT]
        assert 0.1 <= time.monotonic() - began < 2
        silent.set()
        rest = b"".join([chunk async for chunk in chunks])
        assert rest.replace(COMMENT, b"") == b"data: last\n\n"


async def test_a_busy_stream_is_not_pinged() -> None:
    async def write(out: ReplyStream) -> None:
        for _ in range(20):
            await out.write(b"piece ")
            await asyncio.sleep(0.01)

    async with playing(streaming(write, ping=COMMENT), keep_alive=0.15) as server:
        assert (await server.call("GET", "/stream")).body == b"piece " * 20


async def test_a_handler_that_fails_in_the_middle_says_so() -> None:
    async def write(out: ReplyStream) -> None:
        await out.write(b"first ")
        raise ValueError("secret")

    async with playing(streaming(write, on_failure=failed)) as server:
        answer = await server.call("GET", "/stream")
        assert answer.body == b"first " + failed("the server failed")


async def test_a_broken_answer_without_last_words_is_not_ended_as_if_it_were_whole() -> None:
    async def write(out: ReplyStream) -> None:
        await out.write(b"first ")
        await asyncio.sleep(0)
        raise ValueError

    async with playing(streaming(write)) as server, server.client() as client:
        await client.ask("GET", "/stream")
        rest = await client.reader.read()
        assert not rest.endswith(b"0\r\n\r\n")


async def test_a_failure_after_all_was_said_leaves_the_answer_whole() -> None:
    async def write(out: ReplyStream) -> None:
        await out.write(b"first and last")
        raise ValueError

    async with playing(streaming(write, on_failure=lambda why: b"")) as server:
        assert (await server.call("GET", "/stream")).body == b"first and last"


async def test_a_failure_before_the_first_piece_has_its_own_status() -> None:
    async def write(out: ReplyStream) -> None:
        raise ValueError

    async with playing(streaming(write, on_failure=failed)) as server:
        assert (await server.call("GET", "/stream")).status == 500


async def test_stopping_refuses_what_is_new_and_finishes_what_runs() -> None:
    go = asyncio.Event()

    async def write(out: ReplyStream) -> None:
        await out.write(b"first ")
        await go.wait()
        await out.write(b"last")

    async with playing(streaming(write, on_failure=failed), stop_timeout=5.0) as server, server.client() as client:
        await client.ask("GET", "/stream")
        await client.head()
        chunks = client.chunks()
        assert await anext(chunks) == b"first "
        stopping = asyncio.create_task(server.server.stop())
        await asyncio.sleep(0)
        refused = await server.call("GET", "/stream")
        assert (refused.status, refused.headers["connection"]) == (503, "close")
        assert "retry-after" in refused.headers
        assert (await server.call("GET", "/readyz", token="")).status == 503
        assert (await server.call("GET", "/healthz", token="")).status == 200
        go.set()
        assert [chunk async for chunk in chunks] == [b"last"]
        await stopping


async def test_what_runs_too_long_after_the_stop_is_told() -> None:
    stream, whole = Held(b"first "), Held()
    routes = (streaming(stream.write, on_failure=failed), Route("GET", "/whole", whole.wait))
    async with playing(*routes, stop_timeout=0.1) as server, server.client() as one, server.client() as two:
        await one.ask("GET", "/stream")
        await two.ask("GET", "/whole")
        await asyncio.gather(stream.started.wait(), whole.started.wait())
        await server.server.stop()
        assert (await one.answer()).body == b"first " + failed("the server is stopping")
        assert (await two.answer()).status == 503


async def test_a_second_stop_does_not_wait() -> None:
    held = Held()
    async with playing(Route("GET", "/whole", held.wait), stop_timeout=60.0) as server, server.client() as client:
        await client.ask("GET", "/whole")
        await held.started.wait()
        first = asyncio.create_task(server.server.stop())
        await asyncio.sleep(0)
        async with asyncio.timeout(2):
            await server.server.stop()
            await first
        assert (await client.answer()).status == 503
