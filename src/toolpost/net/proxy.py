"""Find the proxy that the environment names for a server, and ask it for a connection: HTTP CONNECT or SOCKS5."""

import asyncio
import os
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import NamedTuple, cast
from urllib.parse import unquote, urlsplit

from .errors import ProxyFailed
from .urls import HttpOrigin, basic_authorization, host_in_url, is_loopback_host

DEFAULT_PORTS = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}
MAX_BYTES = 16_384

_SOCKS_VERSION = 5
_NO_LOGIN, _WITH_PASSWORD = 0, 2
_IPV4, _NAME, _IPV6 = 1, 3, 4
_SOCKS_REFUSALS = {
    1: "general failure",
    2: "not allowed by its rules",
    3: "network unreachable",
    4: "host unreachable",
    5: "connection refused",
    6: "the connection timed out",
    7: "it does not know the command CONNECT",
    8: "it does not know this kind of address",
}


class Proxy(NamedTuple):
    """With the scheme `socks5` names are resolved on this machine, with `socks5h` by the proxy, as curl has it. User
    and password are as they stand in the URL, percent-encoded."""

    scheme: str
    host: str
    port: int
    user: str | None = None
    password: str = ""

    @property
    def is_socks(self) -> bool:
        return self.scheme.startswith("socks")

    @property
    def resolves_names(self) -> bool:
        return self.scheme != "socks5"

    @property
    def authorization(self) -> str:
        """The value of Proxy-Authorization; "" where the proxy has no user."""
        return "" if self.user is None else basic_authorization(self.user, self.password)


def proxy_for(origin: HttpOrigin) -> Proxy | None:
    """Return what HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY say. This machine itself is never asked by a proxy,
    for which the name would mean another machine. Raises `ProxyFailed` for a proxy that can't be used."""
    if is_loopback_host(origin.host):
        return None
    if not any(name.lower().endswith("_proxy") for name in os.environ):
        return None
    # 30 ms of import that only a machine behind a proxy needs.
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    found = proxies.get(origin.scheme) or proxies.get("all") or ""
    if not found or proxy_bypass(f"{origin.host}:{origin.port}") or proxy_bypass(origin.host):
        return None
    if _is_in_networks(origin.host, proxies.get("no", "")):
        return None
    return _parse(found if "://" in found else f"http://{found}")


def _is_in_networks(host: str, no_proxy: str) -> bool:
    """Whether NO_PROXY has a network such as 10.0.0.0/8 with this address in it, which the standard library ignores."""
    networks = [entry.strip() for entry in no_proxy.split(",") if "/" in entry]
    with suppress(ValueError):
        address = ip_address(host)
        for network in networks:
            with suppress(ValueError):
                if address in ip_network(network, strict=False):
                    return True
    return False


class ProxyExchange(asyncio.Protocol):
    """The exchange with a proxy before the connection through it begins."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self._received = bytearray()
        self._ended: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None

    async def open_tunnel(self, origin: HttpOrigin, proxy: Proxy) -> None:
        """Ask an HTTP proxy with CONNECT."""
        target = f"{host_in_url(origin.host)}:{origin.port}"
        lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
        if proxy.authorization:
            lines.append(f"Proxy-Authorization: {proxy.authorization}")
        self.transport.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        while (end := self._received.find(b"\r\n\r\n")) < 0:
            await self._more()
        head = self._take(end + 4)
        status = head.split(b"\r\n", 1)[0].decode("latin-1")
        if status.split(" ")[1:2] != ["200"]:
            raise ProxyFailed(f"the proxy answered {status[:80]!r} to CONNECT")
        self._check_rest()

    async def open_socks(self, host: str, port: int, proxy: Proxy) -> None:
        """Ask a SOCKS5 proxy (RFC 1928); `host` may be a name, which the proxy then resolves."""
        methods = bytes((_NO_LOGIN,)) if proxy.user is None else bytes((_NO_LOGIN, _WITH_PASSWORD))
        self.transport.write(bytes((_SOCKS_VERSION, len(methods))) + methods)
        version, method = await self._read(2)
        if version != _SOCKS_VERSION:
            raise ProxyFailed("the proxy does not speak SOCKS5; is it an HTTP proxy (http://)?")
        if method == _WITH_PASSWORD and proxy.user is not None:
            self.transport.write(b"\x01" + _with_length(proxy.user) + _with_length(proxy.password))
            if (await self._read(2))[1]:
                raise ProxyFailed("the SOCKS proxy refused the user name and password")
        elif method != _NO_LOGIN:
            raise ProxyFailed("the SOCKS proxy wants a user name and password, as in socks5://user:password@host:1080")
        self.transport.write(bytes((_SOCKS_VERSION, 1, 0)) + _socks_address(host) + port.to_bytes(2, "big"))
        _, status, _, kind = await self._read(4)
        if status:
            reason = _SOCKS_REFUSALS.get(status, f"status {status}")
            raise ProxyFailed(f"the SOCKS proxy refused the connection ({reason})")
        await self._read({_IPV4: 4, _IPV6: 16}.get(kind) or (await self._read(1))[0])
        await self._read(2)
        self._check_rest()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if len(self._received) > MAX_BYTES:
            self._ended = ProxyFailed(f"the proxy answered with more than {MAX_BYTES:,} bytes")
            self.transport.abort()
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = self._ended or exc or ProxyFailed("the proxy closed the connection")
        self._wake()

    async def _read(self, count: int) -> bytes:
        while len(self._received) < count:
            await self._more()
        return self._take(count)

    def _take(self, count: int) -> bytes:
        data = bytes(self._received[:count])
        del self._received[:count]
        return data

    async def _more(self) -> None:
        if self._ended is not None:
            raise self._ended
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _check_rest(self) -> None:
        # Here the client speaks first: what the proxy adds would be taken for the server's words.
        if self._received:
            raise ProxyFailed("the proxy sent more than its answer")
        if self._ended is not None:
            raise self._ended

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


@lru_cache(maxsize=16)
def _parse(url: str) -> Proxy:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        # Not the reason that it gives: that quotes the URL, and with it the password.
        raise ProxyFailed("the address of the proxy cannot be read; percent-encode its password") from None
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        raise ProxyFailed(f"a proxy is an http, https, socks5 or socks5h URL; {parts.scheme!r} is not supported")
    return Proxy(
        parts.scheme, parts.hostname, port or DEFAULT_PORTS[parts.scheme], parts.username, parts.password or ""
    )


def _with_length(text: str) -> bytes:
    data = unquote(text).encode()
    if not 0 < len(data) < 256:
        raise ProxyFailed("the user name and password of a SOCKS proxy have 1 to 255 bytes each")
    return bytes((len(data),)) + data


def _socks_address(host: str) -> bytes:
    try:
        address = ip_address(host)
    except ValueError:
        name = host.encode("ascii")
        if len(name) > 255:
            raise ProxyFailed("the host name is too long for a SOCKS proxy") from None
        return bytes((_NAME, len(name))) + name
    return bytes((_IPV4 if address.version == 4 else _IPV6,)) + address.packed
