"""Proxies of the environment, HTTP and SOCKS5, and TLS through them, over real sockets."""

import asyncio
import os
import socket
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_address

import pytest
import uvloop
from certificates import OwnCertificate, own_certificate
from tcp_server import HEAD, Peer, answer, chunk, tcp_server

from toolpost.net.client import HttpRequest, send
from toolpost.net.dial import Dialer, Endpoint, endpoint_of
from toolpost.net.errors import ConnectTimedOut, ProxyFailed, ProxyUnreachable, explain

BY_PROXY = HEAD + chunk(b"by proxy") + b"0\r\n\r\n"


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> OwnCertificate:
    return own_certificate(tmp_path_factory.mktemp("tls"), "localhost", "model.invalid")


class Names(Dialer):
    """Resolves names as a test says, and notes which were asked for."""

    def __init__(self, **names: Sequence[str]) -> None:
        self.names = {name.replace("_", "."): addresses for name, addresses in names.items()}
        self.asked: list[str] = []

    async def resolve(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        return self.names[host]


async def fetch(url: str, *, connect_timeout: float = 5.0) -> bytes:
    response = await send(HttpRequest(url=url, connect_timeout=connect_timeout))
    try:
        return await response.read(100_000)
    finally:
        response.close()


async def fetch_checked(url: str, names: Names) -> bytes:
    """As web tools do: the addresses are resolved and checked before each connection."""

    async def check(endpoint: Endpoint) -> Sequence[str]:
        return await names.resolve(endpoint.origin.host)

    response = await send(HttpRequest(url=url), check=check, dialer=names)
    try:
        return await response.read(100_000)
    finally:
        response.close()


async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    while data := await source.read(65536):
        sink.write(data)
    sink.close()


async def join(peer: Peer, port: int, said: bytes) -> None:
    """Connect the peer to a port of this machine, and let both talk."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await peer.send(said)
    try:
        await asyncio.gather(pump(peer.reader, writer), pump(reader, peer.writer), return_exceptions=True)
    finally:
        writer.close()


@asynccontextmanager
async def tls_server(certificate: OwnCertificate) -> AsyncIterator[int]:
    """The port of a server that says "secret" over TLS."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\nsecret")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=certificate.server)
    async with server:
        yield server.sockets[0].getsockname()[1]


class Socks:
    """A SOCKS5 proxy that leads everything to one port, and notes what it was asked for."""

    def __init__(self, port: int = 0, *, login: tuple[str, str] | None = None, refused: Sequence[str] = ()) -> None:
        self.asked: list[tuple[str, int]] = []
        self._port = port
        self._login = login
        self._refused = refused

    async def __call__(self, peer: Peer) -> None:
        read = peer.reader.readexactly
        _, count = await read(2)
        methods = await read(count)
        if self._login is None:
            await peer.send(b"\x05\x00")
        elif 2 not in methods:
            await peer.send(b"\x05\xff")
            return
        else:
            await peer.send(b"\x05\x02")
            await read(1)
            given = [(await read((await read(1))[0])).decode() for _ in range(2)]
            await peer.send(b"\x01\x00" if tuple(given) == self._login else b"\x01\x01")
        _, _, _, kind = await read(4)
        host = (
            (await read((await read(1))[0])).decode() if kind == 3 else str(ip_address(await read({1: 4, 4: 16}[kind])))
        )
        self.asked.append((host, int.from_bytes(await read(2), "big")))
        if host in self._refused:
            await peer.send(b"\x05\x04\x00\x01" + bytes(6))
            return
        await join(peer, self._port, b"\x05\x00\x00\x03\x05ab.cd\x04\x38")


async def test_a_proxy_of_the_environment_is_used_and_no_proxy_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with tcp_server(answer(BY_PROXY)) as proxy, tcp_server(answer(HEAD + b"0\r\n\r\n")) as local:
        monkeypatch.setenv("HTTP_PROXY", f"http://me:wo%40rd@127.0.0.1:{proxy.port}")
        monkeypatch.setenv("NO_PROXY", "direct.invalid")
        assert await fetch("http://model.invalid/v1/x?y") == b"by proxy"
        sent = proxy.peers[0].request
        assert sent.startswith(b"GET http://model.invalid/v1/x?y HTTP/1.1\r\n")
        assert b"proxy-authorization: Basic bWU6d29AcmQ=" in sent
        with pytest.raises(socket.gaierror) as raised:
            await fetch("http://direct.invalid/v1/x")
        assert "host name is not known" in explain(raised.value)
        assert await fetch(local.url) == b""
        assert len(proxy.peers) == 1


@pytest.mark.parametrize(
    ("no_proxy", "url", "is_direct"),
    [
        ("10.0.0.0/8", "http://10.1.2.3:8000/v1", True),
        ("x, 10.1.2.3/8 ,fd00::/8", "http://[fd00::1]/", True),
        ("10.0.0.0/8", "http://11.1.2.3/", False),
        ("10.0.0.0/8,no/network", "http://model.invalid/", False),
        (".corp.example", "http://a.corp.example/", True),
        ("corp.example:8080", "http://corp.example/", False),
        ("corp.example:8080", "http://corp.example:8080/", True),
        ("*", "http://model.invalid/", True),
        ("", "http://127.0.0.1.example.com/", False),
        ("", "http://api.localhost/", True),
        ("", "http://[::1]/", True),
    ],
)
def test_no_proxy_names_hosts_domains_and_networks(
    no_proxy: str, url: str, is_direct: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://proxy.lan:3128")
    monkeypatch.setenv("NO_PROXY", no_proxy)
    assert (endpoint_of(url).proxy is None) == is_direct


async def test_a_proxy_that_is_not_there_is_named_and_not_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with pytest.raises(ProxyUnreachable, match=r"the proxy 127\.0\.0\.1:9 \(Connection refused\)") as raised:
        await fetch("http://model.invalid/")
    assert "NO_PROXY" in explain(raised.value)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "407 Proxy Auth"),
        (b"HTTP/1.1 200 OK\r\n\r\nand more", "more than its answer"),
        (b"HTTP/1.1 200 OK\r\nx: " + b"x" * 20_000, "more than 16,384 bytes"),
        (b"", "the proxy closed the connection"),
    ],
)
async def test_a_tunnel_that_does_not_open_is_told(said: bytes, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with tcp_server(answer(said)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.port}")
        with pytest.raises(ProxyFailed, match=told):
            await fetch("https://model.invalid/v1")


@pytest.mark.parametrize("scheme", ["http", "socks5h"])
async def test_a_proxy_that_falls_silent_is_given_up_and_its_socket_closed(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.gone()
        closed.set()

    async with tcp_server(script) as proxy:
        monkeypatch.setenv("ALL_PROXY", f"{scheme}://127.0.0.1:{proxy.port}")
        with pytest.raises(ConnectTimedOut, match=r"within 0\.2 s"):
            await fetch("https://model.invalid/", connect_timeout=0.2)
        await asyncio.wait_for(closed.wait(), 5)


@pytest.mark.parametrize("url", ["socks4://h:1", "ftp://h", "http://u:hunter2/x@h:1"])
async def test_a_proxy_that_cannot_be_used_is_told_without_its_password(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", url)
    with pytest.raises(ProxyFailed, match=r"is not supported|cannot be read") as raised:
        await fetch("http://model.invalid/")
    assert "hunter2" not in str(raised.value)


async def test_an_own_ca_is_trusted_through_ssl_cert_file_also_through_a_tunnel(
    certificate: OwnCertificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tls_server(certificate) as port:

        async def tunnel(peer: Peer) -> None:
            await peer.take_request()
            await join(peer, port, b"HTTP/1.1 200 Connection established\r\n\r\n")

        async with tcp_server(tunnel) as proxy:
            with pytest.raises(ssl.SSLCertVerificationError):
                await fetch(f"https://localhost:{port}/v1")
            monkeypatch.setenv("SSL_CERT_FILE", str(certificate.file))
            assert await fetch(f"https://localhost:{port}/v1") == b"secret"
            monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.port}")
            assert await fetch("https://model.invalid/v1") == b"secret"
            assert proxy.peers[0].request.startswith(b"CONNECT model.invalid:443 HTTP/1.1\r\n")
            with pytest.raises(ssl.SSLCertVerificationError):
                await fetch("https://other.invalid/v1")


async def test_a_socks_proxy_of_all_proxy_gets_the_name_and_connections_through_it_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def twice(peer: Peer) -> None:
        for _ in range(2):
            await peer.take_request()
            await peer.send(BY_PROXY)
        await peer.gone()

    async with tcp_server(twice) as server:
        socks = Socks(server.port, login=("me", "wo@rd"))
        async with tcp_server(socks) as proxy:
            monkeypatch.setenv("ALL_PROXY", f"socks5h://me:wo%40rd@127.0.0.1:{proxy.port}")
            assert await fetch("http://model.invalid:8000/a") == b"by proxy"
            assert await fetch("http://model.invalid:8000/b") == b"by proxy"
            assert socks.asked == [("model.invalid", 8000)]
            assert server.peers[0].request.startswith(b"GET /b HTTP/1.1\r\nhost: model.invalid:8000\r\n")


def test_socks_works_the_same_on_uvloop(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> bytes:
        async with tcp_server(answer(BY_PROXY)) as server, tcp_server(Socks(server.port)) as proxy:
            monkeypatch.setenv("ALL_PROXY", f"socks5h://127.0.0.1:{proxy.port}")
            return await fetch("http://model.invalid/")

    assert uvloop.run(main()) == b"by proxy"


async def test_tls_goes_through_a_socks_proxy_to_the_server_itself(
    certificate: OwnCertificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tls_server(certificate) as port, tcp_server(Socks(port)) as proxy:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.file))
        monkeypatch.setenv("HTTPS_PROXY", f"socks5h://127.0.0.1:{proxy.port}")
        assert await fetch("https://model.invalid/v1") == b"secret"


async def test_socks5_resolves_here_and_the_proxy_gets_only_addresses_that_were_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = Names(model_invalid=["2606:4700::1", "93.184.215.14"])
    async with tcp_server(answer(BY_PROXY)) as server:
        socks = Socks(server.port, refused=["2606:4700::1"])
        async with tcp_server(socks) as proxy:
            monkeypatch.setenv("ALL_PROXY", f"socks5://127.0.0.1:{proxy.port}")
            assert await fetch_checked("http://model.invalid/", names) == b"by proxy"
            assert socks.asked == [("2606:4700::1", 80), ("93.184.215.14", 80)]
            assert names.asked == ["model.invalid"]


async def test_a_name_without_checked_addresses_is_not_resolved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names(model_invalid=[])
    async with tcp_server(Socks()) as proxy:
        with pytest.raises(OSError, match="no address that was checked"):
            await fetch_checked("http://model.invalid/", names)
        monkeypatch.setenv("ALL_PROXY", f"socks5://127.0.0.1:{proxy.port}")
        with pytest.raises(OSError, match="no address that was checked"):
            await fetch_checked("http://model.invalid/", names)
        assert names.asked == ["model.invalid"] * 2
        assert proxy.peers == []


@pytest.mark.parametrize(
    ("login", "user", "told"),
    [
        (("me", "word"), "", "wants a user name and password"),
        (("me", "word"), "me:wrong@", "refused the user name and password"),
        (("me", "word"), "me@", "1 to 255 bytes"),
        (None, "", r"refused the connection \(host unreachable\)"),
    ],
)
async def test_a_refusal_of_a_socks_proxy_is_told(
    login: tuple[str, str] | None, user: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tcp_server(Socks(login=login, refused=["model.invalid"])) as proxy:
        monkeypatch.setenv("ALL_PROXY", f"socks5h://{user}127.0.0.1:{proxy.port}")
        with pytest.raises(ProxyFailed, match=told):
            await fetch("http://model.invalid/")


@pytest.mark.parametrize(
    ("said", "told"),
    [(b"HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak SOCKS5"), (b"\x05\x00\x05\x00", "closed the connection")],
)
async def test_a_proxy_that_does_not_speak_socks_to_its_end_is_told(
    said: bytes, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(peer: Peer) -> None:
        await peer.reader.readexactly(3)
        await peer.send(said)
        if not told.startswith("does"):
            await peer.reader.readexactly(4 + 1 + len("model.invalid") + 2)

    async with tcp_server(script) as proxy:
        monkeypatch.setenv("ALL_PROXY", f"socks5h://127.0.0.1:{proxy.port}")
        with pytest.raises(ProxyFailed, match=told):
            await fetch("http://model.invalid/")
