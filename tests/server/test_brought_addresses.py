"""Servers that a request brings along are connected to where their name led when it was looked at, and nowhere else."""

import asyncio
import socket
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from gateway_play import gateway, whole

from toolpost.mcp.transports import pinned_transport
from toolpost.testing import call, text

Look = Callable[..., list[Any]]


class Resolver:
    """The system's own, but for one name, which leads somewhere else from the second time on."""

    def __init__(self, name: str, first: str, then: str) -> None:
        self.asked = 0
        self._name = name
        self._first = first
        self._then = then
        self._real: Look = socket.getaddrinfo

    def __call__(self, host: Any, *given: Any, **named: Any) -> list[Any]:
        if host not in (self._name, self._name.encode()):
            return self._real(host, *given, **named)
        self.asked += 1
        return self._real(self._first if self.asked == 1 else self._then, *given, **named)


async def test_a_name_that_leads_elsewhere_a_moment_later_changes_nothing(
    folder: Path, mcp_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(mcp_url.rpartition(":")[2].removesuffix("/mcp"))
    resolver, inside = Resolver("localhost", "127.0.0.1", "127.0.0.2"), list[str]()

    async def trap(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inside.append("somebody came")
        writer.close()

    trapped = await asyncio.start_server(trap, "127.0.0.2", port)
    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    config = f'[web]\nallow_hosts = ["localhost:{port}"]\n'
    async with trapped, gateway(folder, call("mcp__own__echo", {"text": "hi"}), text("done"), config=config) as play:
        brought = [{"type": "url", "name": "own", "url": f"http://localhost:{port}/mcp"}]
        found, _ = whole(await play.events(mcp_servers=brought))
    assert [block["type"] for block in found] == ["mcp_tool_use", "mcp_tool_result", "text"]
    assert (resolver.asked, inside) == (1, [])


async def test_a_server_cannot_send_us_to_another_host(mcp_url: str) -> None:
    async with httpx2.AsyncClient(transport=pinned_transport("own.example", ["127.0.0.1"])) as client:
        port = mcp_url.rpartition(":")[2].removesuffix("/mcp")
        assert (await client.get(f"http://own.example:{port}/")).status_code == 404
        with pytest.raises(httpx2.ConnectError, match="only, not to"):
            await client.get(f"http://127.0.0.1:{port}/")


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subject = ["-subj", "/CN=own.example", "-addext", "subjectAltName=DNS:own.example"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
    subprocess.run([*command, "-keyout", key, "-out", cert], check=True, capture_output=True, timeout=30)
    return cert, key


async def test_the_certificate_is_still_that_of_the_name(
    certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    context, asked = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), list[bytes]()
    context.load_cert_chain(*certificate)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\nsecret")
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context) as server:
        port = server.sockets[0].getsockname()[1]
        async with httpx2.AsyncClient(transport=pinned_transport("own.example", ["127.0.0.1"])) as client:
            assert (await client.get(f"https://own.example:{port}/")).text == "secret"
        async with httpx2.AsyncClient(transport=pinned_transport("other.example", ["127.0.0.1"])) as client:
            with pytest.raises(httpx2.ConnectError, match="certificate"):
                await client.get(f"https://other.example:{port}/")
    assert f"host: own.example:{port}".encode() in asked[0].lower()
