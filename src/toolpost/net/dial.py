"""Open connections: directly or through a proxy, with TLS, to addresses that the caller has checked."""

import asyncio
import os
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from .connection import HttpConnection
from .errors import ConnectTimedOut, ProxyFailed, ProxyUnreachable, os_reason
from .proxy import Proxy, ProxyExchange, proxy_for
from .urls import HttpOrigin, host_in_url, origin_of

# Of several addresses, one that swallows packets must not take the time of the others.
ADDRESS_SECONDS = 4.0

P = TypeVar("P", bound=asyncio.Protocol)


class Endpoint(NamedTuple):
    """Where a connection leads: connections with the same endpoint may stand in for each other."""

    origin: HttpOrigin
    proxy: Proxy | None = None


# Called before every connection. It gives the addresses to connect to, and raises where there may be no connection.
# Where a proxy resolves names it may give none.
AddressCheck = Callable[[Endpoint], Awaitable[Sequence[str]]]


class Dialer:
    """Resolves names and opens sockets: the only place where the client does either."""

    async def resolve(self, host: str) -> Sequence[str]:
        """Return every address of `host`; raises `OSError` if it has none."""
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
        return [str(entry[4][0]) for entry in found]

    async def connect(
        self,
        protocol: asyncio.Protocol,
        host: str,
        port: int,
        *,
        tls: ssl.SSLContext | None = None,
        server_name: str | None = None,
    ) -> None:
        """Connect `protocol` to a host or address. With `tls` the certificate has to be one of `server_name`, or of
        `host` where that is not given."""
        loop = asyncio.get_running_loop()
        options: dict[str, Any] = {"ssl": tls, "server_hostname": server_name} if tls else {}
        # uvloop does not know happy eyeballs and takes the addresses in their order. Where there is only one they are
        # of no use, and before Python 3.12.8 a cancelled connect then leaves a socket open.
        is_name = not host.replace(".", "").isdecimal() and ":" not in host
        if is_name and isinstance(loop, asyncio.BaseEventLoop):
            options["happy_eyeballs_delay"] = 0.25
        await loop.create_connection(lambda: protocol, host, port, **options)


MACHINE = Dialer()


def endpoint_of(url: str) -> Endpoint:
    """Return where a request for `url` connects. Raises `ValueError` for a URL that can't be requested, and
    `ProxyFailed` for a proxy that can't be used."""
    origin = origin_of(url)
    return Endpoint(origin, proxy_for(origin))


async def open_connection(
    endpoint: Endpoint, timeout: float | None, check: AddressCheck | None, dialer: Dialer
) -> HttpConnection:
    """Open a connection, ready for its first request."""
    try:
        async with asyncio.timeout(timeout):
            addresses = await _addresses_to_try(endpoint, check, dialer)
            if endpoint.proxy is None:
                return await _open_directly(endpoint.origin, addresses, dialer)
            if endpoint.proxy.is_socks:
                return await _open_through_socks(endpoint.origin, endpoint.proxy, addresses, dialer)
            return await _open_through_http(endpoint.origin, endpoint.proxy, dialer)
    except TimeoutError:
        within = f" within {timeout:g} s" if timeout is not None else ""
        raise ConnectTimedOut(f"no connection{within}") from None


async def _addresses_to_try(endpoint: Endpoint, check: AddressCheck | None, dialer: Dialer) -> Sequence[str]:
    """Return the addresses to connect to; none where connecting by name is right, here or at the proxy."""
    proxy = endpoint.proxy
    if check is not None:
        addresses = await check(endpoint)
        if not addresses and (proxy is None or not proxy.resolves_names):
            # To resolve it again would lead to what was not checked.
            raise OSError(f"{endpoint.origin.host} has no address that was checked")
        return addresses
    if proxy is not None and not proxy.resolves_names:
        return tuple(dict.fromkeys(await dialer.resolve(endpoint.origin.host)))
    return ()


async def _open_directly(origin: HttpOrigin, addresses: Sequence[str], dialer: Dialer) -> HttpConnection:
    tls = tls_context() if origin.scheme == "https" else None

    async def to(host: str) -> HttpConnection:
        connection = HttpConnection()
        await dialer.connect(connection, host, origin.port, tls=tls, server_name=origin.host if tls else None)
        return connection

    return await _first(addresses or (origin.host,), to)


async def _open_through_socks(
    origin: HttpOrigin, proxy: Proxy, addresses: Sequence[str], dialer: Dialer
) -> HttpConnection:
    async def to(host: str) -> HttpConnection:
        exchange = await _reach(proxy, ProxyExchange(), dialer)
        return await _hand_over(exchange, origin, exchange.open_socks(host, origin.port, proxy))

    return await _first((origin.host,) if proxy.resolves_names else addresses, to)


async def _open_through_http(origin: HttpOrigin, proxy: Proxy, dialer: Dialer) -> HttpConnection:
    if origin.scheme == "http":
        return await _reach(proxy, HttpConnection(), dialer)
    exchange = await _reach(proxy, ProxyExchange(), dialer)
    return await _hand_over(exchange, origin, exchange.open_tunnel(origin, proxy))


async def _first(hosts: Sequence[str], connect: Callable[[str], Awaitable[HttpConnection]]) -> HttpConnection:
    """Connect to the first of the hosts that can be reached."""
    for host in hosts[:-1]:
        try:
            async with asyncio.timeout(ADDRESS_SECONDS):
                return await connect(host)
        except (OSError, ProxyFailed):  # a TimeoutError is an OSError
            continue
    return await connect(hosts[-1])


async def _reach(proxy: Proxy, protocol: P, dialer: Dialer) -> P:
    tls = tls_context() if proxy.scheme == "https" else None
    try:
        await dialer.connect(protocol, proxy.host, proxy.port, tls=tls)
    except ssl.SSLError:
        raise
    except OSError as error:
        where = f"{host_in_url(proxy.host)}:{proxy.port}"
        raise ProxyUnreachable(f"cannot connect to the proxy {where} ({os_reason(error)})") from error
    return protocol


async def _hand_over(exchange: ProxyExchange, origin: HttpOrigin, asked: Awaitable[None]) -> HttpConnection:
    """Ask the proxy, then give its socket to a connection to the server."""
    connection, transport = HttpConnection(), exchange.transport
    try:
        await asked
        if origin.scheme == "http":
            transport.set_protocol(connection)
            connection.connection_made(transport)
            return connection
        secured = await asyncio.get_running_loop().start_tls(
            transport, connection, tls_context(), server_hostname=origin.host
        )
    except BaseException:
        transport.abort()
        raise
    if secured is None:
        raise ProxyFailed("the proxy closed the connection")
    connection.connection_made(secured)
    return connection


def tls_context() -> ssl.SSLContext:
    """Trust what the system trusts, or what is in SSL_CERT_FILE and SSL_CERT_DIR, which OpenSSL reads itself."""
    return _tls_context(os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", ""))


@lru_cache(maxsize=8)
def _tls_context(cert_file: str, cert_dir: str) -> ssl.SSLContext:
    del cert_file, cert_dir  # only the key: another value needs a new context
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context
