"""What a fault of the wire or a refusal becomes for a model: the code and the text of a `ModelError`."""

import asyncio
import gzip
import socket
import struct
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from certificates import own_certificate
from tcp_server import HEAD, Peer, answer, chunk, tcp_server

from toolpost.models import http
from toolpost.models.contract import Tape
from toolpost.testing import Upstream, http_error, text
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


async def test_plain_bytes_are_asked_for_and_compressed_ones_decoded_where_that_can_be() -> None:
    body = gzip.compress(b"data: 1")
    wire = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(body) + body
    async with tcp_server(answer(wire)) as server:
        assert await fetch(server.url) == [b"data: 1"]
        assert b"accept-encoding: identity" in server.peers[0].request
    async with tcp_server(answer(wire.replace(b"gzip", b"dcb"))) as server:
        error = await failure(server.url)
    assert (error.code, error.info.retryable) == ("protocol", False)
    assert "unknown Content-Encoding 'dcb'" in str(error)


async def test_a_certificate_that_is_not_trusted_says_what_to_set(tmp_path: Path) -> None:
    certificate = own_certificate(tmp_path, "localhost")
    server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0, ssl=certificate.server)
    async with server:
        error = await failure(f"https://localhost:{server.sockets[0].getsockname()[1]}/v1")
    assert error.code == "unreachable"
    assert "SSL_CERT_FILE" in str(error)


async def test_a_proxy_that_is_not_there_is_worth_another_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://user:hunter2@127.0.0.1:9")
    error = await failure("https://model.invalid/v1")
    assert (error.code, error.info.retryable) == ("network", True)
    assert "the proxy 127.0.0.1:9" in str(error)
    assert "hunter2" not in str(error)


async def test_a_redirect_is_told_and_not_followed() -> None:
    async with tcp_server(
        answer(b"HTTP/1.1 308 R\r\nlocation: https://new.test/v1?k=1\r\ncontent-length: 0\r\n\r\n")
    ) as server:
        error = await failure(server.url)
    assert error.code == "bad_request"
    assert "https://new.test/v1:" in str(error)


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


async def test_a_proxy_that_refuses_the_tunnel_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async with tcp_server(answer(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.port}")
        error = await failure("https://model.invalid/v1")
    assert error.code == "unreachable"
    assert "407" in str(error)


async def test_a_tape_records_the_exchange_without_secrets() -> None:
    tape = Tape()
    async with Upstream(text("hello")) as up:
        response = await http.post(f"{up.base_url}/chat/completions?key=hidden", b'{"stream":true}', AUTH, tape=tape)
        body = await response.read()
        response.close()
    assert tape.url == f"{up.base_url}/chat/completions"
    assert (tape.status, tape.sent, bytes(tape.received)) == (200, b'{"stream":true}', body)
    assert tape.sent_at <= tape.first_byte_at
