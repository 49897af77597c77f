"""The web client: checks and pins the address of every hop, and bounds the time and the decoded size of all of them.

Behind a proxy it is the proxy that connects. Names are then still checked, and resolved here where this machine can;
what the proxy resolves them to is the proxy's own business, and it has to keep private addresses out itself.
"""

import asyncio
import os
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from socket import gaierror

from msgspec import Struct

from toolpost.guard.addresses import Policy
from toolpost.guard.strict_urls import AddressRefused, Target, follow, parse_url
from toolpost.types.errors import ToolError

from .decode import ACCEPTED, Decoder, UndecodableBody, codings_of
from .network import Network, Streams
from .proxy import Proxy, ProxyRefused, open_tunnel, proxy_for
from .wire import Answer, WireBroken, request_bytes

USER_AGENT = "Mozilla/5.0 (compatible; toolpost)"
REDIRECTS = frozenset({301, 302, 303, 307, 308})
# Of several addresses, one that swallows packets must not take the time of the others.
CONNECT_SECONDS = 4.0

OnHop = Callable[[Target], Awaitable[None]]


class Request(Struct, frozen=True, kw_only=True):
    """What to ask for. `limit` bounds the decoded bytes, `seconds` everything but the waiting for `on_hop`."""

    url: str
    method: str = "GET"
    body: bytes = b""
    headers: Mapping[str, str] = {}
    limit: int = 5_000_000
    seconds: float = 30.0
    redirects: int = 5


class Fetched(Struct, frozen=True):
    """An answer. `url` is where it came from in the end; `cut` says that there was more than the limit."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    cut: bool = False
    hosts: tuple[str, ...] = ()

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "").split(";")[0].strip().lower()


class Client:
    """Fetches what `policy` lets through. Raises `ToolError` with a text that says what to try, and nothing else."""

    def __init__(self, policy: Policy, network: Network | None = None) -> None:
        self.policy = policy
        self.network = network or Network()

    async def fetch(self, request: Request, on_hop: OnHop | None = None) -> Fetched:
        """Fetch and follow redirects. `on_hop` is awaited before each one to another host, and may refuse it."""
        target = parse_url(request.url)
        hosts = [target.host]
        left = request.seconds
        for _ in range(request.redirects + 1):
            started = asyncio.get_running_loop().time()
            fetched = await self._within(left, request, target)
            left -= asyncio.get_running_loop().time() - started
            if fetched.status not in REDIRECTS or not fetched.headers.get("location"):
                return Fetched(target.url, fetched.status, fetched.headers, fetched.body, fetched.cut, tuple(hosts))
            if request.method != "GET":
                raise ToolError(f"{target.url} redirects elsewhere, which only a GET may follow")
            target = _next(target, fetched.headers["location"])
            self.policy.check(target)
            if target.host not in hosts:
                hosts.append(target.host)
                if on_hop is not None:
                    await on_hop(target)
        raise ToolError(f"{request.url} redirects more than {request.redirects} times; the last was to {target.url}")

    async def _within(self, seconds: float, request: Request, target: Target) -> Fetched:
        try:
            async with asyncio.timeout(max(0.0, seconds)):
                return await self._exchange(request, target)
        except TimeoutError:
            text = f"{target.url} did not send its answer within {request.seconds:g} s"
            raise ToolError(f"{text}; give it more time, or try another page", kind="timeout") from None
        except (OSError, WireBroken, ProxyRefused, UndecodableBody, ValueError) as error:
            raise ToolError(f"{target.url}: {_explain(error)}") from error

    async def _exchange(self, request: Request, target: Target) -> Fetched:
        async with self._connection(target) as ((reader, writer), proxy):
            writer.write(_head(request, target, proxy))
            # Framing and headers of a body may take room beside it, but not without end.
            answer = Answer(reader, 2 * request.limit + 65_536)
            await answer.read_head()
            if answer.status in REDIRECTS:
                return Fetched(target.url, answer.status, answer.headers, b"")
            body, cut = await _read(answer, request.limit)
            return Fetched(target.url, answer.status, answer.headers, body, cut)

    @asynccontextmanager
    async def _connection(self, target: Target) -> AsyncGenerator[tuple[Streams, Proxy | None]]:
        proxy = proxy_for(target)
        if proxy is None:
            addresses = await self.policy.pin(target, self.network.resolve)
            streams = await self._connect_first(addresses, target.port)
        else:
            await self._check_behind(target)
            streams = await self.network.connect(proxy.host, proxy.port)
        try:
            await _secure(streams, target, proxy)
            yield streams, proxy
        finally:
            streams[1].transport.abort()

    async def _check_behind(self, target: Target) -> None:
        """Behind a proxy many machines resolve no public names: then the check of the name alone has to do."""
        with suppress(OSError):
            await self.policy.pin(target, self.network.resolve)

    async def _connect_first(self, addresses: tuple[str, ...], port: int) -> Streams:
        for address in addresses[:-1]:
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    return await self.network.connect(address, port)
            except OSError:  # a TimeoutError is one
                continue
        return await self.network.connect(addresses[-1], port)


async def _secure(streams: Streams, target: Target, proxy: Proxy | None) -> None:
    reader, writer = streams
    if proxy is not None and proxy.tls:
        await writer.start_tls(tls_context(), server_hostname=proxy.host)
    if target.scheme == "http":
        return
    if proxy is not None:
        await open_tunnel(reader, writer, target, proxy)
    await writer.start_tls(tls_context(), server_hostname=target.host)


def _head(request: Request, target: Target, proxy: Proxy | None) -> bytes:
    carrier = proxy if target.scheme == "http" else None
    headers = {"host": target.netloc, "user-agent": USER_AGENT, "accept": "*/*", "accept-encoding": ACCEPTED}
    headers |= {name.lower(): value for name, value in request.headers.items()}
    if carrier and carrier.authorization:
        headers["proxy-authorization"] = carrier.authorization
    headers["connection"] = "close"
    return request_bytes(request.method, target.url if carrier else target.path, list(headers.items()), request.body)


async def _read(answer: Answer, limit: int) -> tuple[bytes, bool]:
    decoder = Decoder(codings_of(answer.headers.get("content-encoding", "")), limit)
    body = bytearray()
    while piece := await answer.read():
        for decoded in decoder.feed(piece):
            body += decoded
        if decoder.cut:
            return bytes(body), True
    if answer.cut:
        return bytes(body), True
    decoder.finish()
    return bytes(body), False


def _next(target: Target, location: str) -> Target:
    # A header is Latin-1 by the book, but servers put UTF-8 there.
    found = follow(target, location.encode("latin-1").decode("utf-8", "replace"))
    if target.scheme == "https" and found.scheme == "http":
        text = f"{target.url} redirects from https to plain http ({found.url}), which is not followed"
        raise AddressRefused(f"{text}; fetch that URL itself if it is meant")
    return found


def _explain(error: Exception) -> str:
    match error:
        case ssl.SSLCertVerificationError():
            return f"its certificate is not trusted ({error.verify_message})"
        case ssl.SSLError():
            return f"TLS failed ({error.reason}); does it speak http:// there?"
        case gaierror():
            return "the host name is not known; is it spelt right, and is there a network?"
        case ConnectionResetError() | BrokenPipeError():
            return "the connection was reset"
        case OSError():
            return f"cannot connect ({error.strerror or error})"
        case ProxyRefused():
            return f"{error}; the user can check HTTPS_PROXY and NO_PROXY"
        case UnicodeError():
            return "the URL or a header holds characters that HTTP cannot carry"
        case _:
            return str(error)


def tls_context() -> ssl.SSLContext:
    """The system's trust, or that of SSL_CERT_FILE and SSL_CERT_DIR, which OpenSSL reads itself."""
    return _tls_context(os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", ""))


@lru_cache(maxsize=8)
def _tls_context(cert_file: str, cert_dir: str) -> ssl.SSLContext:
    del cert_file, cert_dir  # only the key: another value needs a new context
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context
