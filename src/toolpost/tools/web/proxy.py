"""The proxy that the environment names for a host, and the tunnel through it."""

import asyncio
import base64
import os
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from toolpost.guard.strict_urls import Target

TUNNEL_HEAD = 16_384


class Proxy(NamedTuple):
    host: str
    port: int
    tls: bool
    authorization: str


class ProxyRefused(Exception):
    """The proxy does not open the tunnel."""


def proxy_for(target: Target) -> Proxy | None:
    """What HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY say; never one for this machine itself."""
    if target.host in ("localhost", "::1") or target.host.startswith("127."):
        return None
    if not any(name.lower().endswith("_proxy") for name in os.environ):
        return None
    # 30 ms of import that only a machine behind a proxy needs.
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    found = proxies.get(target.scheme) or proxies.get("all") or ""
    if not found or proxy_bypass(f"{target.host}:{target.port}") or proxy_bypass(target.host):
        return None
    return _read(found if "://" in found else f"http://{found}")


async def open_tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, target: Target, proxy: Proxy) -> None:
    """Ask the proxy for a connection to the target; raises `ProxyRefused` if it says no."""
    host = f"[{target.host}]" if ":" in target.host else target.host
    lines = [f"CONNECT {host}:{target.port} HTTP/1.1", f"Host: {host}:{target.port}"]
    if proxy.authorization:
        lines.append(f"Proxy-Authorization: {proxy.authorization}")
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raise ProxyRefused("the proxy does not answer to CONNECT in HTTP") from None
    status = head[:TUNNEL_HEAD].split(b"\r\n", 1)[0].decode("latin-1")
    if status.split(" ")[1:2] != ["200"]:
        raise ProxyRefused(f"the proxy answered {status[:80]!r} to CONNECT")


def _read(url: str) -> Proxy:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        # Not the reason that it gives: that quotes the URL, and with it the password.
        raise ProxyRefused("the address of the proxy cannot be read; percent-encode its password") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ProxyRefused(f"a proxy must be one of http or https, not of {parts.scheme!r}")
    tls = parts.scheme == "https"
    return Proxy(parts.hostname, port or (443 if tls else 80), tls, _authorization(parts.username, parts.password))


def _authorization(user: str | None, password: str | None) -> str:
    if user is None:
        return ""
    pair = f"{unquote(user)}:{unquote(password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")
