"""The HTTP client under every fault that a server can have, over real sockets."""

import asyncio
import time
from collections.abc import Mapping

import pytest
import uvloop
from tcp_server import HEAD, Peer, answer, chunk, tcp_server

from toolpost.net import connection, pool
from toolpost.net.client import HttpRequest, HttpResponse, send
from toolpost.net.dial import Endpoint
from toolpost.net.errors import (
    BadResponse,
    BodyTooLarge,
    RedirectRefused,
    ResponseCut,
    ResponseStalled,
    UndecodableBody,
)
from toolpost.net.pool import close_pool
from toolpost.net.urls import redirect_url
from toolpost.testing import Upstream, stall, text

ENDED = b"0\r\n\r\n"


async def ask(
    url: str,
    *,
    method: str = "POST",
    body: bytes = b"{}",
    headers: Mapping[str, str] | None = None,
    idle_timeout: float = 5.0,
    redirects: int = 0,
) -> HttpResponse:
    return await send(
        HttpRequest(
            url=url, method=method, body=body, headers=headers or {}, idle_timeout=idle_timeout, redirects=redirects
        )
    )


async def fetch(url: str, *, idle_timeout: float = 5.0, body: bytes = b"{}") -> list[bytes]:
    response = await ask(url, body=body, idle_timeout=idle_timeout)
    try:
        return [data async for data in response]
    finally:
        response.close()


async def test_chunks_come_as_they_are_sent() -> None:
    step = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(HEAD + chunk(b"one"))
        await step.wait()
        await peer.send(chunk(b"two") + b"0\r\n\r\n")

    async with tcp_server(script) as server:
        response = await ask(server.url)
        assert await response.chunk() == b"one"
        step.set()
        assert await response.chunk() == b"two"
        assert await response.chunk() == b""
        response.close()


async def test_a_body_split_at_every_byte_arrives_whole() -> None:
    wire = HEAD + chunk("data: 你好\n\n".encode()) + chunk(b"x" * 20) + b"0\r\n\r\n"
    async with tcp_server(answer(*(bytes([byte]) for byte in wire))) as server:
        assert b"".join(await fetch(server.url)) == "data: 你好\n\n".encode() + b"x" * 20


async def test_a_body_that_ends_with_its_connection_is_whole() -> None:
    async with tcp_server(answer(b"HTTP/1.1 200 OK\r\n\r\nall of it")) as server:
        assert b"".join(await fetch(server.url)) == b"all of it"


async def test_an_early_hint_is_passed_over() -> None:
    wire = (
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" + HEAD + chunk(b"ok") + b"0\r\n\r\n"
    )
    async with tcp_server(answer(wire)) as server:
        assert b"".join(await fetch(server.url)) == b"ok"


async def test_a_slow_drip_is_not_silence() -> None:
    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(HEAD)
        for _ in range(8):
            await asyncio.sleep(0.05)
            await peer.send(chunk(b"."))
        await peer.send(b"0\r\n\r\n")

    async with tcp_server(script) as server:
        assert b"".join(await fetch(server.url, idle_timeout=0.2)) == b"." * 8


async def test_a_reader_that_takes_its_time_is_not_silence() -> None:
    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(HEAD + chunk(b"a"))
        await peer.gone()

    async with tcp_server(script) as server:
        response = await ask(server.url, idle_timeout=0.1)
        await asyncio.sleep(0.3)
        assert await response.chunk() == b"a"
        response.close()


@pytest.mark.parametrize("begin", [b"", HEAD + chunk(b"data: 1\n\n")], ids=["before-the-head", "mid-stream"])
async def test_cancelling_the_reader_closes_the_connection(begin: bytes) -> None:
    sent, closed = asyncio.Event(), asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(begin)
        sent.set()
        await peer.gone()
        closed.set()

    async with tcp_server(script) as server:
        task = asyncio.create_task(fetch(server.url))
        await sent.wait()
        started = time.perf_counter()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(closed.wait(), 1)
        assert time.perf_counter() - started < 1


async def test_closing_a_response_closes_the_connection() -> None:
    closed = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(HEAD + chunk(b"a"))
        await peer.gone()
        closed.set()

    async with tcp_server(script) as server:
        response = await ask(server.url)
        assert await response.chunk() == b"a"
        response.close()
        await asyncio.wait_for(closed.wait(), 1)


async def test_connections_are_used_again_and_a_stale_one_is_replaced() -> None:
    async with Upstream(text("a"), text("b")) as up:
        url = f"{up.base_url}/chat/completions"
        await fetch(url, body=b'{"stream":true}')
        await fetch(url, body=b'{"stream":true}')
        assert up.total == 1

    served = 0

    async def one_answer_each(peer: Peer) -> None:
        nonlocal served
        await peer.take_request()
        await peer.send(HEAD + chunk(b"ok") + b"0\r\n\r\n")
        served += 1
        if served == 1:
            # The next request on this connection finds it closed.
            await peer.reader.readuntil(b"\r\n\r\n")

    async with tcp_server(one_answer_each) as server:
        assert await fetch(server.url) == [b"ok"]
        assert await fetch(server.url) == [b"ok"]
        assert len(server.peers) == 2


async def test_kept_connections_can_be_closed() -> None:
    async with Upstream(text("a"), text("b")) as up:
        for count in (1, 2):
            await fetch(f"{up.base_url}/chat/completions", body=b'{"stream":true}')
            assert up.open == 1
            await close_pool()
            await up.closed(count, 1)
        await close_pool()


async def test_a_connection_whose_body_has_not_quite_ended_can_be_closed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LINGER_SECONDS", 3600)
    closed = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(HEAD + chunk(b"last event"))
        await peer.gone()
        closed.set()

    async with tcp_server(script) as server:
        response = await ask(server.url)
        assert await response.chunk() == b"last event"
        response.release()
        await close_pool()
        await asyncio.wait_for(closed.wait(), 30)


async def test_a_connection_is_not_used_again_before_its_answer_was_read() -> None:
    async with tcp_server(answer(HEAD + chunk(b"a" * 10) + chunk(b"b" * 10))) as server:
        first = await ask(server.url)
        await first.chunk()
        first.close()
        second = await ask(server.url)
        assert (await second.chunk()).startswith(b"a")
        second.close()
        assert len(server.peers) == 2


async def test_a_slow_reader_holds_the_server_back_and_not_the_memory() -> None:
    size = 64 * 1024 * 1024
    written = 0

    async def script(peer: Peer) -> None:
        nonlocal written
        await peer.take_request()
        await peer.send(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % size)
        while written < size:
            await peer.send(b"x" * 65536)
            written += 65536

    async with tcp_server(script) as server:
        response = await ask(server.url)
        await response.chunk()
        await asyncio.sleep(0.3)
        assert written < size / 2
        assert len(await response.read(size)) > size / 2
        response.close()
        assert written == size


def test_it_works_the_same_on_uvloop() -> None:
    async def main() -> list[bytes]:
        async with Upstream(text("a") + stall()) as up:
            task = asyncio.create_task(fetch(f"{up.base_url}/chat/completions", body=b'{"stream":true}'))
            await up.requested(1)
            task.cancel()
            await up.closed(1, 1)
        async with Upstream(text("b")) as up:
            return await fetch(f"{up.base_url}/chat/completions", body=b'{"stream":true}')

    assert b'"content":"b"' in b"".join(uvloop.run(main()))


def test_loops_do_not_share_connections_and_leave_none_open() -> None:
    async def once() -> int:
        async with Upstream(text("a")) as up:
            await fetch(f"{up.base_url}/chat/completions", body=b'{"stream":true}')
            return up.open

    assert [asyncio.run(once()) for _ in range(2)] == [1, 1]
    assert not [loop for loop in pool._pools if not loop.is_closed()]


async def test_bytes_that_nobody_asked_for_end_a_kept_connection() -> None:
    """A server that gives an idle connection up with a 408 must not answer the next request with it."""
    sent, given_up = asyncio.Event(), asyncio.Event()
    served = 0

    async def script(peer: Peer) -> None:
        nonlocal served
        served += 1
        await peer.take_request()
        await peer.send(HEAD + chunk(b"ok") + b"0\r\n\r\n")
        if served == 1:
            await sent.wait()
            await peer.send(b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n")
            await peer.gone()
            given_up.set()

    async with tcp_server(script) as server:
        assert await fetch(server.url) == [b"ok"]
        sent.set()
        await asyncio.wait_for(given_up.wait(), 5)
        assert await fetch(server.url) == [b"ok"]
        assert len(server.peers) == 2


FLOODS = {
    "headers": (b"HTTP/1.1 200 OK\r\n", b"x-a: " + b"a" * 1000 + b"\r\n", BadResponse),
    "interim responses": (b"", b"HTTP/1.1 100 Continue\r\n\r\n", BadResponse),
    "extensions of chunks": (HEAD, b"1;" + b"e" * 5000 + b"\r\nx\r\n", BodyTooLarge),
    "trailers": (HEAD + b"0\r\n", b"x-trailer: " + b"t" * 5000 + b"\r\n", BodyTooLarge),
}


async def test_a_large_response_that_is_left_unread_does_not_block_the_next_one() -> None:
    body = b"x" * (connection.BUFFER_LIMIT + 50_000)
    wire = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(body) + body

    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(wire)
        await peer.take_request()
        await peer.send(HEAD + chunk(b"next") + ENDED)

    async with tcp_server(script) as server:
        response = await ask(server.url)
        async with asyncio.timeout(10):
            while not response._connection._complete:  # noqa: ASYNC110 - no event tells of it
                await asyncio.sleep(0)
        response.close()
        assert await fetch(server.url) == [b"next"]
        assert len(server.peers) == 1


@pytest.mark.parametrize("kind", FLOODS)
async def test_a_response_of_nothing_but_framing_is_given_up(kind: str) -> None:
    begin, endless, error = FLOODS[kind]
    closed = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(begin)
        try:
            while True:
                await peer.send(endless)
        except ConnectionError:
            closed.set()

    async with tcp_server(script) as server:
        with pytest.raises(error):
            await fetch(server.url)
        await asyncio.wait_for(closed.wait(), 5)


async def test_a_body_of_very_small_chunks_is_no_flood() -> None:
    async with tcp_server(answer(HEAD + chunk(b"x") * 100_000 + ENDED)) as server:
        assert b"".join(await fetch(server.url)) == b"x" * 100_000


async def test_trailers_are_not_headers() -> None:
    wire = HEAD + chunk(b"x") + b"0\r\nx-late: 1\r\ncontent-encoding: gzip\r\n\r\n"
    async with tcp_server(answer(wire)) as server:
        response = await ask(server.url)
        assert await response.read(10) == b"x"
        assert not {"x-late", "content-encoding"} & set(response.headers)
        response.close()


async def test_a_second_response_in_the_same_packet_is_neither_read_nor_kept() -> None:
    one = b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\none"
    forged = b"HTTP/1.1 500 No\r\nx-forged: 1\r\ncontent-length: 6\r\n\r\nforged"
    async with tcp_server(answer(one + forged)) as server:
        for count in (1, 2):
            response = await ask(server.url)
            assert (response.status, await response.read(100)) == (200, b"one")
            assert "x-forged" not in response.headers
            response.close()
            assert len(server.peers) == count


async def test_what_was_closed_is_not_read_on() -> None:
    async with Upstream(text("a"), text("b")) as up:
        response = await ask(f"{up.base_url}/chat/completions", body=b'{"stream":true}')
        while await response.chunk():
            pass
        response.close()
        other = await ask(f"{up.base_url}/chat/completions", body=b'{"stream":true}')
        with pytest.raises(ResponseCut):
            await response.chunk()
        other.close()


async def test_silence_is_counted_from_when_it_is_waited_for() -> None:
    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(HEAD + chunk(b"a"))
        await peer.gone()

    async with tcp_server(script) as server:
        response = await ask(server.url, idle_timeout=0.2)
        assert await response.chunk() == b"a"
        time.sleep(0.3)  # noqa: ASYNC251 - the loop itself stands still, as between two reads of a download
        began = time.monotonic()
        with pytest.raises(ResponseStalled):
            await response.chunk()
        assert time.monotonic() - began > 0.1
        response.close()


def moved(location: str, status: str = "302 Found") -> bytes:
    return f"HTTP/1.1 {status}\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n".encode()


async def test_a_redirect_is_not_followed_unless_asked_for() -> None:
    async with tcp_server(answer(moved("/elsewhere"))) as server:
        response = await ask(server.url, method="GET", body=b"")
        response.close()
        assert (response.status, response.headers["location"]) == (302, "/elsewhere")
        with pytest.raises(RedirectRefused, match=r"more than 3 times.*/elsewhere"):
            await ask(server.url, method="GET", body=b"", redirects=3)
        with pytest.raises(RedirectRefused, match="only a GET"):
            await ask(server.url, redirects=3)


@pytest.mark.parametrize(
    ("location", "error"), [("http://h/", RedirectRefused), ("//h/x", None), ("file:///etc/passwd", ValueError)]
)
def test_a_redirect_leaves_https_for_nothing_else(location: str, error: type[Exception] | None) -> None:
    if error is None:
        assert redirect_url("https://example.com/a", location) == "https://h/x"
        return
    with pytest.raises(error):
        redirect_url("https://example.com/a", location)


async def test_a_redirect_to_another_server_gets_no_secrets() -> None:
    async with tcp_server(answer(HEAD + chunk(b"end") + ENDED)) as other:
        there = f"http://localhost:{other.port}/b?c=é"
        async with tcp_server(answer(moved(there))) as server:
            url = server.url.replace("//", "//user:word@")
            headers = {"authorization": "Bearer x", "cookie": "y", "x-api-key": "z", "range": "bytes=1-"}
            response = await ask(url, method="GET", body=b"", headers=headers, redirects=1)
            assert await response.read(10) == b"end"
            response.close()
    assert response.url == f"http://localhost:{other.port}/b?c=%C3%A9"
    first, second = server.peers[0].request, other.peers[0].request
    assert b"authorization: Bearer x" in first
    assert b"range: bytes=1-" in second
    assert not [name for name in (b"authorization", b"cookie", b"x-api-key") if name in second.lower()]


async def test_a_user_and_password_in_the_url_are_sent_as_a_header() -> None:
    async with tcp_server(answer(HEAD + ENDED)) as server:
        (await ask(server.url.replace("//", "//us%40er:word@"))).close()
        assert b"authorization: Basic dXNAZXI6d29yZA==\r\n" in server.peers[0].request
        assert b"word@" not in server.peers[0].request


@pytest.mark.parametrize("url", ["ftp://h/", "http:///x", "h/x", "http://h:99999/", "http://h/\u20ac"])
async def test_a_url_that_cannot_be_requested_is_a_value_error(url: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        await ask(url)


async def test_a_connection_that_was_checked_is_used_once() -> None:
    """What was checked for one request is used for no other."""

    async def check(endpoint: Endpoint) -> list[str]:
        assert endpoint.origin == ("http", "model.invalid", server.port)
        return ["127.0.0.1"]

    async with tcp_server(answer(HEAD + ENDED)) as server:
        for count in (1, 2):
            response = await send(HttpRequest(url=f"http://model.invalid:{server.port}/"), check=check)
            assert await response.read(1) == b""
            response.close()
            assert len(server.peers) == count
            assert b"connection: close\r\n" in server.peers[-1].request


async def test_what_follows_a_response_in_its_packet_answers_no_other_request() -> None:
    asked = 0

    async def script(peer: Peer) -> None:
        nonlocal asked
        await peer.take_request()
        asked += 1
        whole = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n"
        await peer.send(whole + (b"ok" + whole.removesuffix(b"\r\n") if asked == 1 else b"me"))
        await peer.gone()

    async with tcp_server(script) as server:
        for expected in (b"ok", b"me"):
            response = await ask(server.url)
            assert await response.read(100) == expected
            response.close()
        assert len(server.peers) == 2


async def test_the_status_of_a_response_counts_whatever_its_body_is_encoded_in() -> None:
    async with tcp_server(answer(b"HTTP/1.1 429 No\r\ncontent-encoding: odd\r\ncontent-length: 2\r\n\r\nxx")) as server:
        response = await ask(server.url)
        assert response.status == 429
        with pytest.raises(UndecodableBody, match="odd"):
            await response.read(100)
        response.close()
