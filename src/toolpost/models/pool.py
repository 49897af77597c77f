"""The connections of one event loop, kept for reuse, and how they are dialled: proxies, tunnels, TLS."""

import asyncio
import base64
import os
import ssl
from collections.abc import AsyncGenerator, Sequence
from functools import lru_cache
from typing import Any, cast
from urllib.parse import SplitResult, unquote, urlsplit

from .http1 import Address, Connection, ConnectTimeout, CutShort, ProxyRefused

POOL_IDLE_SECONDS = 60.0


class Pool:
    """The connections of one event loop. They are closed with the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._idle: dict[Address, list[Connection]] = {}
        # Those whose last event was read and whose body has not quite ended.
        self._lingering: set[Connection] = set()
        self._keeper = _close_with_loop(self)

    async def watch_loop(self) -> None:
        await anext(self._keeper)

    async def send(
        self,
        method: str,
        url: str,
        headers: Sequence[tuple[str, str]],
        body: bytes,
        *,
        connect_timeout: float,
        idle_timeout: float,
    ) -> Connection:
        parts, scheme, host, port = origin(url)
        address = Address(scheme, host, port, proxy_for(scheme, host, port))
        head = request_head(method, parts, address, headers, len(body))
        while (kept := self._take(address)) is not None:
            try:
                return await _begin(kept, head, body, idle_timeout)
            except (OSError, CutShort):
                if not kept.never_answered:
                    raise
        connection = await self._connect(address, connect_timeout)
        connection.adopt(self)
        return await _begin(connection, head, body, idle_timeout)

    def linger(self, connection: Connection) -> None:
        self._lingering.add(connection)

    def keep(self, connection: Connection) -> None:
        self._lingering.discard(connection)
        now = connection.idle_since = self._loop.time()
        kept = self._idle.setdefault(connection.address, [])
        kept.append(connection)
        # The last one is taken first, so those that nobody needs grow old at the front.
        while kept[0].idle_since < now - POOL_IDLE_SECONDS:
            kept.pop(0).abort()

    def forget(self, connection: Connection) -> None:
        self._lingering.discard(connection)
        kept = self._idle.get(connection.address)
        if kept and connection in kept:
            kept.remove(connection)

    def close(self) -> None:
        for kept in self._idle.values():
            for connection in kept:
                connection.abort()
        self._idle.clear()
        for connection in list(self._lingering):
            connection.abort()

    async def aclose(self) -> None:
        self.close()
        await self._keeper.aclose()

    def _take(self, address: Address) -> Connection | None:
        kept = self._idle.get(address)
        oldest = self._loop.time() - POOL_IDLE_SECONDS
        while kept:
            connection = kept.pop()
            if connection.idle_since >= oldest and not connection.lost:
                return connection
            connection.abort()
        return None

    async def _connect(self, address: Address, timeout: float) -> Connection:
        connection = Connection(self._loop, address)
        try:
            async with asyncio.timeout(timeout):
                if address.proxy:
                    await self._connect_by_proxy(connection, address)
                else:
                    await self._dial(connection, address.host, address.port, address.scheme == "https")
        except TimeoutError:
            raise ConnectTimeout(f"no connection within {timeout:g} s") from None
        return connection

    async def _dial(self, protocol: asyncio.Protocol, host: str, port: int, tls: bool) -> None:
        # uvloop knows no happy eyeballs and takes the addresses in their order. Where there is only one they are of no
        # use, and before Python 3.12.8 whoever is cancelled meanwhile leaves a socket open.
        is_name = not host.replace(".", "").isdecimal() and ":" not in host
        has_choice = is_name and isinstance(self._loop, asyncio.BaseEventLoop)
        eyeballs: dict[str, Any] = {"happy_eyeballs_delay": 0.25} if has_choice else {}
        context = tls_context() if tls else None
        await self._loop.create_connection(lambda: protocol, host, port, ssl=context, **eyeballs)

    async def _connect_by_proxy(self, connection: Connection, address: Address) -> None:
        proxy = urlsplit(address.proxy)
        host, port = proxy.hostname or "", proxy.port or (443 if proxy.scheme == "https" else 80)
        if address.scheme == "http":
            return await self._dial(connection, host, port, proxy.scheme == "https")
        tunnel = _Tunnel(self._loop)
        await self._dial(tunnel, host, port, proxy.scheme == "https")
        try:
            await tunnel.open(address, proxy_authorization(proxy))
            transport = await self._loop.start_tls(
                tunnel.transport, connection, tls_context(), server_hostname=address.host
            )
        except BaseException:
            tunnel.transport.abort()
            raise
        if transport is None:
            raise CutShort("the proxy closed the tunnel")
        return connection.connection_made(transport)


async def _begin(connection: Connection, head: bytes, body: bytes, idle_timeout: float) -> Connection:
    try:
        await connection.send(head, body, idle_timeout)
    except BaseException:
        connection.abort()
        raise
    return connection


async def _close_with_loop(pool: Pool) -> AsyncGenerator[None]:
    """A loop that shuts down closes its async generators; through this one it closes the kept connections too."""
    try:
        yield
    finally:
        pool.close()
        await asyncio.sleep(0)


class _Tunnel(asyncio.Protocol):
    """The CONNECT exchange with a proxy, before TLS takes the socket over."""

    transport: asyncio.Transport

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._answer: asyncio.Future[bytes] = loop.create_future()
        self._received = bytearray()

    async def open(self, address: Address, authorization: str) -> None:
        target = f"{host_in_url(address.host)}:{address.port}"
        lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
        if authorization:
            lines.append(f"Proxy-Authorization: {authorization}")
        self.transport.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        status = (await self._answer).split(b"\r\n", 1)[0].decode("latin-1")
        if status.split(" ")[1:2] != ["200"]:
            raise ProxyRefused(f"the proxy answered {status!r} to CONNECT")

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if b"\r\n\r\n" in self._received and not self._answer.done():
            self._answer.set_result(bytes(self._received))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._answer.done():
            self._answer.set_exception(exc or CutShort("the proxy closed the connection"))


@lru_cache(maxsize=64)
def origin(url: str) -> tuple[SplitResult, str, str, int]:
    """The parts of a URL, and its scheme, host and port; read once, because every step asks."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("the URL must begin with http:// or https:// and name a host")
    host = parts.hostname if parts.hostname.isascii() else parts.hostname.encode("idna").decode("ascii")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return parts, parts.scheme, host, port


def request_head(
    method: str, parts: SplitResult, address: Address, headers: Sequence[tuple[str, str]], length: int
) -> bytes:
    target = parts.path or "/"
    if parts.query:
        target += "?" + parts.query
    host = host_in_url(address.host)
    if address.port != (443 if address.scheme == "https" else 80):
        host += f":{address.port}"
    own = [("host", host), ("content-length", str(length))] if length or method == "POST" else [("host", host)]
    if address.proxy and address.scheme == "http":
        target = f"http://{host}{target}"
        if authorization := proxy_authorization(urlsplit(address.proxy)):
            own.append(("proxy-authorization", authorization))
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in (*own, *headers))]
    if any("\n" in line or "\r" in line for line in lines):
        raise ValueError("a header or the URL holds a line break")
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def host_in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def proxy_for(scheme: str, host: str, port: int) -> str:
    """The proxy that the environment names for this host; never one for this machine itself, where it means another."""
    if host in ("localhost", "::1") or host.startswith("127."):
        return ""
    if not any(name.lower().endswith("_proxy") for name in os.environ):
        return ""
    # 30 ms of import that only a machine behind a proxy needs.
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    proxy = proxies.get(scheme) or proxies.get("all") or ""
    if not proxy or proxy_bypass(f"{host}:{port}") or proxy_bypass(host):
        return ""
    return proxy if "://" in proxy else f"http://{proxy}"


def proxy_authorization(proxy: SplitResult) -> str:
    if proxy.username is None:
        return ""
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")


def tls_context() -> ssl.SSLContext:
    """The system's trust, or that of SSL_CERT_FILE and SSL_CERT_DIR, which OpenSSL reads itself."""
    return _tls_context(os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", ""))


@lru_cache(maxsize=8)
def _tls_context(cert_file: str, cert_dir: str) -> ssl.SSLContext:
    del cert_file, cert_dir  # only the key: another value needs a new context
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context
