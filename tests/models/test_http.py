"""The HTTP seam under every fault a wire can have, over real sockets."""

import asyncio
import os
import socket
import ssl
import struct
import subprocess
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
import uvloop
from tcp_server import HEAD, Peer, Script, chunk, tcp_server

from toolpost.models import http, http1
from toolpost.models.contract import Tape
from toolpost.testing import Upstream, http_error, stall, text
from toolpost.types.errors import ModelError

AUTH = {"Authorization": "Bearer sk-secret-key"}


async def fetch(url: str, *, idle_timeout: float = 5.0, body: bytes = b"{}") -> list[bytes]:
    response = await http.post(url, body, AUTH, idle_timeout=idle_timeout)
    try:
        return [data async for data in response]
    finally:
        response.close()


async def failure(url: str, **options: float) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await fetch(url, **options)
    assert "sk-secret-key" not in str(caught.value)
    return caught.value


def answer(*pieces: bytes) -> Script:
    async def script(peer: Peer) -> None:
        await peer.take_request()
        for piece in pieces:
            await peer.send(piece)

    return script


async def test_chunks_come_as_they_are_sent() -> None:
    step = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(HEAD + chunk(b"one"))
        await step.wait()
        await peer.send(chunk(b"two") + b"0\r\n\r\n")

    async with tcp_server(script) as server:
        response = await http.post(server.url, b"{}", {})
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


@pytest.mark.parametrize(
    "wire",
    [
        HEAD + b"20\r\nabc",
        HEAD + chunk(b"abc"),
        b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc",
        b"HTTP/1.1 200",
        b"",
    ],
    ids=["mid-chunk", "between-chunks", "short-body", "mid-head", "nothing"],
)
async def test_a_cut_is_truncated_and_retryable(wire: bytes) -> None:
    async with tcp_server(answer(wire)) as server:
        error = await failure(server.url)
    assert error.code == "truncated"
    assert error.info.retryable


async def test_a_reset_is_a_network_error() -> None:
    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(HEAD + chunk(b"abc"))
        held = peer.writer.get_extra_info("socket")
        held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        peer.writer.transport.abort()

    async with tcp_server(script) as server:
        error = await failure(server.url)
    assert error.code == "network"
    assert error.info.retryable
    assert "reset" in str(error)


@pytest.mark.parametrize("begin", [b"", HEAD, HEAD + chunk(b"data: 1\n\n")], ids=["no-head", "no-body", "mid-stream"])
async def test_silence_ends_a_stream_and_closes_the_socket(begin: bytes) -> None:
    closed = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(begin)
        await peer.gone()
        closed.set()

    async with tcp_server(script) as server:
        error = await failure(server.url, idle_timeout=0.15)
        assert error.code == "timeout"
        assert error.info.retryable
        await asyncio.wait_for(closed.wait(), 1)


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
        response = await http.post(server.url, b"{}", {}, idle_timeout=0.1)
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
        response = await http.post(server.url, b"{}", {})
        assert await response.chunk() == b"a"
        response.close()
        await asyncio.wait_for(closed.wait(), 1)


async def test_a_refused_connection_says_where_and_what_to_try() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        error = await failure(f"http://user:pass@127.0.0.1:{port}/v1?key=hidden")
    assert error.code == "unreachable"
    assert f"http://127.0.0.1:{port}/v1" in str(error)
    assert "is the server running" in str(error)
    assert not {"hidden", "pass"} & set(str(error).replace(":", " ").replace("@", " ").split())


async def test_an_unknown_host_is_a_network_error() -> None:
    error = await failure("http://no-such-host.invalid/v1")
    assert error.code in ("network", "unreachable")
    assert "host name is not known" in str(error)


async def test_a_connection_that_never_opens_times_out() -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        port = full.getsockname()[1]
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", port))
        with pytest.raises(ModelError) as caught:
            await http.post(f"http://127.0.0.1:{port}/v1", b"{}", {}, connect_timeout=0.3)
        for filler in fillers:
            filler.close()
    assert caught.value.code == "timeout"


async def test_a_server_that_does_not_speak_http_is_a_protocol_error() -> None:
    async with tcp_server(answer(b"SSH-2.0-OpenSSH_9.2\r\n")) as server:
        assert (await failure(server.url)).code == "protocol"


async def test_plain_bytes_are_asked_for_and_compressed_ones_refused() -> None:
    wire = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 1\r\n\r\nx"
    async with tcp_server(answer(wire)) as server:
        assert (await failure(server.url)).code == "protocol"
        assert b"accept-encoding: identity" in server.peers[0].request


async def test_a_redirect_is_told_and_not_followed() -> None:
    async with tcp_server(
        answer(b"HTTP/1.1 308 R\r\nlocation: https://new.test/v1?k=1\r\ncontent-length: 0\r\n\r\n")
    ) as server:
        error = await failure(server.url)
    assert error.code == "bad_request"
    assert "https://new.test/v1:" in str(error)


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
            await http.close()
            await up.closed(count, 1)
        await http.close()


async def test_a_connection_whose_body_has_not_quite_ended_can_be_closed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http1, "LINGER_SECONDS", 3600)
    closed = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(HEAD + chunk(b"last event"))
        await peer.gone()
        closed.set()

    async with tcp_server(script) as server:
        response = await http.post(server.url, b"{}", {})
        assert await response.chunk() == b"last event"
        response.release()
        await http.close()
        await asyncio.wait_for(closed.wait(), 30)


async def test_a_connection_is_not_used_again_before_its_answer_was_read() -> None:
    async with tcp_server(answer(HEAD + chunk(b"a" * 10) + chunk(b"b" * 10))) as server:
        first = await http.post(server.url, b"{}", {})
        await first.chunk()
        first.close()
        second = await http.post(server.url, b"{}", {})
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
        response = await http.post(server.url, b"{}", {})
        await response.chunk()
        await asyncio.sleep(0.3)
        assert written < size / 2
        assert len(await response.read(size)) > size / 2
        response.close()
        assert written == size


@pytest.mark.parametrize(
    ("status", "body", "code", "retryable"),
    [
        (401, {"error": {"message": "bad key"}}, "auth", False),
        (403, "forbidden", "auth", False),
        (402, {"error": "pay"}, "spend_limit", False),
        (404, {"error": {"message": "no such model"}}, "not_found", False),
        (408, "slow", "timeout", True),
        (409, "conflict", "server", True),
        (413, "too big", "bad_request", False),
        (413, {"error": {"message": "Prompt is too long"}}, "context_overflow", False),
        (422, {"detail": [{"msg": "field required"}]}, "bad_request", False),
        (429, {"error": {"message": "slow down"}}, "rate_limit", True),
        (
            429,
            {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}},
            "spend_limit",
            False,
        ),
        (429, {"error": {"message": "账户余额不足"}}, "spend_limit", False),
        (400, {"error": {"message": "x", "code": "context_length_exceeded"}}, "context_overflow", False),
        (400, {"error": {"message": "This model's maximum context length is 8192 tokens"}}, "context_overflow", False),
        (400, {"message": "Range of input length should be [1, 30720]"}, "context_overflow", False),
        (400, {"error": {"message": "输入的 tokens 超过了模型的上下文长度限制"}}, "context_overflow", False),
        (400, {"error": {"message": "max_tokens is too large: 99. maximum context length is 8"}}, "bad_request", False),
        (400, {"error": {"message": "The model `x` does not exist", "code": "model_not_found"}}, "not_found", False),
        (400, {"error": {"message": "flagged", "code": "content_filter"}}, "content_filter", False),
        (400, {"error": {"message": "temperature must be a number"}}, "bad_request", False),
        (500, "oops", "server", True),
        (503, {"error": {"message": "The engine is currently overloaded"}}, "overloaded", True),
        (504, b"<html><body><h1>Gateway Time-out</h1></body></html>", "server", True),
        (529, {"error": {"message": "Overloaded"}}, "overloaded", True),
    ],
)
async def test_a_status_becomes_a_code(status: int, body: object, code: str, retryable: bool) -> None:
    async with Upstream(http_error(status, body)) as up:
        error = await failure(f"{up.base_url}/chat/completions")
    assert (error.code, error.info.retryable, error.info.status) == (code, retryable, status)
    assert f"answered {status}" in str(error)
    assert "<h1>" not in str(error)


async def test_retry_after_is_read_in_all_its_forms() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    headers = [{"retry-after": "7"}, {"retry-after-ms": "1500"}, {"retry-after": date}, {"retry-after": "soon"}]
    async with Upstream(*(http_error(429, "x", header) for header in headers)) as up:
        url = f"{up.base_url}/chat/completions"
        waits = [(await failure(url)).info.retry_after for _ in headers]
    assert waits[:2] == [7.0, 1.5]
    assert waits[2] is not None
    assert 25 < waits[2] <= 30
    assert waits[3] is None


async def test_the_server_may_say_whether_to_retry() -> None:
    async with Upstream(
        http_error(429, "x", {"x-should-retry": "false"}), http_error(400, "x", {"x-should-retry": "true"})
    ) as up:
        url = f"{up.base_url}/chat/completions"
        assert [(await failure(url)).info.retryable for _ in range(2)] == [False, True]


async def test_a_key_that_the_server_quotes_is_not_in_the_error() -> None:
    async with Upstream(http_error(401, {"error": {"message": "wrong key sk-secret-key given"}})) as up:
        error = await failure(f"{up.base_url}/chat/completions")
    assert "wrong key *** given" in str(error)


async def test_a_huge_error_page_is_not_read_to_its_end() -> None:
    async with Upstream(http_error(500, b"x" * 5_000_000)) as up:
        error = await failure(f"{up.base_url}/chat/completions")
    assert len(str(error)) < 1000


@pytest.mark.parametrize("value", ["sk\r\nx-evil: 1", "ключ"])
async def test_a_header_that_http_cannot_carry_is_refused(value: str) -> None:
    with pytest.raises(ModelError) as caught:
        await http.post("http://127.0.0.1:9/v1", b"{}", {"authorization": f"Bearer {value}"})
    assert caught.value.code == "bad_request"
    assert value not in str(caught.value)


async def test_json_is_fetched_and_what_is_none_is_an_error() -> None:
    async with Upstream(models=["a", "b"]) as up:
        assert [row["id"] for row in (await http.get_json(f"{up.base_url}/models"))["data"]] == ["a", "b"]
    async with tcp_server(answer(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n<>")) as server:
        with pytest.raises(ModelError, match="did not answer with JSON"):
            await http.get_json(server.url)


async def test_a_json_document_that_never_ends_times_out() -> None:
    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(HEAD)
        while True:
            await peer.send(chunk(b" "))
            await asyncio.sleep(0.02)

    async with tcp_server(script) as server:
        with pytest.raises(ModelError) as caught:
            await http.get_json(server.url, timeout=0.2)
    assert caught.value.code == "timeout"


async def test_a_proxy_of_the_environment_is_used_and_no_proxy_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with tcp_server(answer(HEAD + chunk(b"by proxy") + b"0\r\n\r\n")) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://me:word@127.0.0.1:{proxy.port}")
        monkeypatch.setenv("NO_PROXY", "direct.invalid")
        assert await fetch("http://model.invalid/v1/x") == [b"by proxy"]
        sent = proxy.peers[0].request
        assert sent.startswith(b"POST http://model.invalid/v1/x HTTP/1.1\r\n")
        assert b"proxy-authorization: Basic bWU6d29yZA==" in sent
        assert "host name is not known" in str(await failure("http://direct.invalid/v1/x"))
        async with Upstream(text("local")) as up:
            assert await fetch(f"{up.base_url}/chat/completions")
        assert len(proxy.peers) == 1


async def test_a_proxy_that_refuses_the_tunnel_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async with tcp_server(answer(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.port}")
        error = await failure("https://model.invalid/v1")
    assert error.code == "unreachable"
    assert "407" in str(error)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    key, cert = folder / "key.pem", folder / "cert.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,DNS:model.invalid"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
    subprocess.run([*command, "-keyout", key, "-out", cert], check=True, capture_output=True)
    return cert, key


async def test_an_own_ca_is_trusted_through_ssl_cert_file_also_through_a_tunnel(
    certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*map(os.fspath, certificate))

    async def serve_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\nsecret")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve_tls, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]

    async def tunnel(peer: Peer) -> None:
        await peer.take_request()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await peer.send(b"HTTP/1.1 200 Connection established\r\n\r\n")

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            while data := await source.read(65536):
                sink.write(data)
            sink.close()

        try:
            await asyncio.gather(pump(peer.reader, writer), pump(reader, peer.writer), return_exceptions=True)
        finally:
            writer.close()

    async with server, tcp_server(tunnel) as proxy:
        refused = await failure(f"https://localhost:{port}/v1")
        assert refused.code == "unreachable"
        assert "SSL_CERT_FILE" in str(refused)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        assert await fetch(f"https://localhost:{port}/v1") == [b"secret"]
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.port}")
        assert await fetch("https://model.invalid/v1") == [b"secret"]
        assert proxy.peers[0].request.startswith(b"CONNECT model.invalid:443 HTTP/1.1\r\n")


async def test_a_tape_records_the_exchange_without_secrets() -> None:
    tape = Tape()
    async with Upstream(text("hello")) as up:
        response = await http.post(f"{up.base_url}/chat/completions?key=hidden", b'{"stream":true}', AUTH, tape=tape)
        body = await response.read()
        response.close()
    assert tape.url == f"{up.base_url}/chat/completions"
    assert (tape.status, tape.sent, bytes(tape.received)) == (200, b'{"stream":true}', body)
    assert tape.sent_at <= tape.first_byte_at


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
    assert not [loop for loop in http._pools if not loop.is_closed()]


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
