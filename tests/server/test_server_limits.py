"""What a connection may carry: bodies, heads, several requests, and nothing that hangs or grows without end."""

import asyncio
import logging
import socket

import pytest
from server_play import TOKEN, Client, echo, playing

from toolpost.server.http import Request
from toolpost.server.routing import Route


async def _decode(request: Request) -> None:
    await request.reply_json(request.json(dict))


JSON = Route("POST", "/json", _decode, shape="anthropic")


async def test_a_body_over_the_limit_is_refused_and_the_connection_goes_on() -> None:
    async with playing(echo("/v1/messages", shape="anthropic"), body_bytes=1000) as server, server.client() as client:
        await client.ask("POST", "/v1/messages", body=b"x" * 1000)
        assert len((await client.answer()).body) == 1000
        await client.ask("POST", "/v1/messages", body=b"x" * 2_000_000)
        refused = await client.answer()
        assert (refused.status, refused.json["error"]["type"]) == (413, "request_too_large")
        await client.ask("POST", "/v1/messages", body=b"again")
        assert (await client.answer()).body == b"again"


async def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    async with playing(echo(), body_seconds=0.1) as server, server.client() as client:
        await client.say(f"POST /echo HTTP/1.1\r\nhost: localhost\r\nx-api-key: {TOKEN}\r\n".encode())
        await client.say(b"content-length: 10\r\n\r\nhalf")
        answer = await client.answer()
        assert (answer.status, answer.json["error"]["code"]) == (408, "timeout")
        assert await client.is_closed()


async def test_a_body_in_chunks_is_read_and_bounded() -> None:
    async with playing(echo(), body_bytes=1000) as server, server.client() as client:
        lines = ("POST /echo HTTP/1.1", "host: localhost", f"x-api-key: {TOKEN}", "transfer-encoding: chunked", "", "")
        head = "\r\n".join(lines).encode()
        await client.say(head)
        for piece in (b"3\r\none\r\n", b"4\r\n two\r\n", b"0\r\n\r\n"):
            await client.say(piece)
        assert (await client.answer()).body == b"one two"
        await client.say(head + b"7d0\r\n" + b"x" * 2000 + b"\r\n")
        assert (await client.answer()).status == 413


@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b'{"a": }', b'{"a": "\xff\xfe"}', b"\xff", b'{"a":"\\ud800"}', b"[" * 200_000, b'{"a":' * 200_000],
)
async def test_what_is_no_json_is_told(body: bytes) -> None:
    async with playing(JSON) as server:
        answer = await server.call("POST", "/json", body=body)
        assert (answer.status, answer.json["error"]["type"]) == (400, "invalid_request_error")


@pytest.mark.parametrize("size", [100_000, 1_000_000])
async def test_a_head_that_is_too_large_is_refused(size: int) -> None:
    async with playing(echo()) as server, server.client() as client:
        await client.ask("POST", "/echo", f"x-large: {'x' * size}")
        assert (await client.head())[0] == 431
        assert await client.is_closed()


async def test_many_small_header_lines_count_too() -> None:
    async with playing(echo()) as server, server.client() as client:
        await client.ask("POST", "/echo", *(f"x-{number}: x" for number in range(20_000)))
        assert (await client.head())[0] == 431


async def test_a_head_that_never_ends_is_cut_off() -> None:
    async with playing(head_seconds=0.1) as server:
        async with server.client() as silent:
            assert await silent.is_closed()
        async with server.client() as slow:
            await slow.say(b"GET /healthz HT")
            assert (await slow.head())[0] == 408
        async with server.client() as second:
            await second.ask("GET", "/healthz")
            await second.answer()
            await second.say(b"GET /healthz HT")
            assert (await second.head())[0] == 408


async def test_a_large_head_is_taken_below_the_limit() -> None:
    async with playing(echo()) as server:
        assert (await server.call("POST", "/echo", f"x-large: {'x' * 60_000}", body=b"x" * 600_000)).status == 200


@pytest.mark.parametrize(
    "data",
    [
        b"no http\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcdef",
        b"\x16\x03\x01\x02\x00\x01\x00",
    ],
)
async def test_what_is_no_request_is_refused(data: bytes) -> None:
    async with playing(echo()) as server, server.client() as client:
        await client.say(data)
        status, _ = await client.head()
        assert status == 400
        assert await client.is_closed()


async def test_a_websocket_is_refused_like_any_request() -> None:
    async with playing(echo()) as server:
        answer = await server.call("GET", "/echo", "connection: upgrade", "upgrade: websocket")
        assert answer.status == 405


async def test_one_connection_carries_many_requests() -> None:
    async with playing(echo()) as server, server.client() as client:
        for number in range(20):
            await client.ask("POST", "/echo", body=b"%d" % number)
            assert (await client.answer()).body == b"%d" % number
        # Or each of them would wait 40 ms for the body behind its head.
        (connection,) = server.server.server_state.connections
        assert connection.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_requests_sent_ahead_are_answered_in_order() -> None:
    async with playing(echo()) as server, server.client() as client:
        for number in range(10):
            await client.ask("POST", "/echo", body=b"%d" % number)
        assert [(await client.answer()).body for _ in range(10)] == [b"%d" % number for number in range(10)]


async def test_a_client_that_sends_ahead_without_end_is_cut_off() -> None:
    started = asyncio.Event()

    async def wait(request: Request) -> None:
        started.set()
        await asyncio.Event().wait()

    async with playing(Route("POST", "/wait", wait)) as server, server.client() as client:
        await client.ask("POST", "/wait")
        await started.wait()
        for _ in range(40):
            await client.ask("POST", "/wait")
        assert await client.is_closed()
        await server.counted('running{path="/wait"} 0')


async def test_a_failure_in_a_handler_is_told_without_details_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def fail(request: Request) -> None:
        raise ValueError("the inner thing")

    async with playing(Route("GET", "/fail", fail)) as server:
        with caplog.at_level(logging.ERROR):
            answer = await server.call("GET", "/fail")
    assert (answer.status, answer.json["error"]["code"]) == (500, "internal")
    assert b"inner" not in answer.body
    assert "the inner thing" in caplog.text
    assert answer.headers["request-id"] in caplog.text


async def test_an_answer_that_takes_too_long_is_refused() -> None:
    async def wait(request: Request) -> None:
        await asyncio.Event().wait()

    async with playing(Route("GET", "/wait", wait), request_seconds=0.1) as server:
        answer = await server.call("GET", "/wait")
        assert (answer.status, answer.json["error"]["code"]) == (504, "timeout")


async def test_the_access_log_has_one_line_a_request_and_no_secret(caplog: pytest.LogCaptureFixture) -> None:
    from toolpost.guard.redact import remember

    remember(TOKEN)
    async with playing(echo()) as server:
        with caplog.at_level(logging.INFO, logger="toolpost.access"):
            answer = await server.call("POST", f"/echo/{TOKEN}/a%0aforged?token={TOKEN}")
    lines = [record.getMessage() for record in caplog.records if record.name == "toolpost.access"]
    assert len(lines) == 1
    assert "\n" not in lines[0]
    assert TOKEN not in caplog.text
    assert answer.headers["request-id"] in lines[0]
    assert " POST " in lines[0]
    assert " 404 " in lines[0]


CHUNKED = ("POST /echo HTTP/1.1", "host: localhost", "transfer-encoding: chunked")


async def test_a_trailer_is_not_a_header() -> None:
    """Who is asking has been checked by then, perhaps by a proxy that looks at headers alone."""
    async with playing(echo()) as server, server.client() as client:
        head = "\r\n".join((*CHUNKED, "", "")).encode()
        await client.say(head + b"2\r\nhi\r\n0\r\n" + f"x-api-key: {TOKEN}\r\n\r\n".encode())
        assert (await client.answer()).status == 401


async def test_trailers_without_end_are_cut_off() -> None:
    async with playing(echo()) as server, server.client() as client:
        head = "\r\n".join((*CHUNKED, f"x-api-key: {TOKEN}", "", "")).encode()
        await client.say(head + b"2\r\nhi\r\n0\r\n")
        with pytest.raises(ConnectionError):
            await _say_for_ever(client, b"x-more: " + b"x" * 16_000 + b"\r\n")


async def _say_for_ever(client: Client, line: bytes) -> None:
    for _ in range(1000):
        await client.say(line)
        await asyncio.sleep(0)


async def test_a_body_in_the_smallest_chunks_is_read() -> None:
    async with playing(echo()) as server, server.client() as client:
        await client.say("\r\n".join((*CHUNKED, f"x-api-key: {TOKEN}", "", "")).encode())
        await client.say(b"1\r\nx\r\n" * 100_000 + b"0\r\n\r\n")
        assert (await client.answer()).body == b"x" * 100_000
