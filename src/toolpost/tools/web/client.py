"""Fetch from the public web: every hop is connected to addresses that the policy has checked, within one time limit.

Behind a proxy it is the proxy that connects. Names are then still checked, and resolved here where this machine can.
A SOCKS5 proxy with `socks5://` is given the checked address. Every other proxy is given the name: what it resolves
that to is the proxy's own business, and it has to keep private addresses out itself.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from msgspec import Struct

from toolpost.guard.addresses import Policy
from toolpost.guard.strict_urls import AddressRefused, Target, follow, parse_url
from toolpost.net.client import HttpRequest, send
from toolpost.net.dial import MACHINE, Dialer, Endpoint
from toolpost.net.errors import HttpClientError, ResponseStalled, explain
from toolpost.net.urls import location_text
from toolpost.types.errors import ToolError

USER_AGENT = "Mozilla/5.0 (compatible; toolpost)"

OnHop = Callable[[Target], Awaitable[None]]


class WebRequest(Struct, frozen=True, kw_only=True):
    """What to ask for. `limit` bounds the decoded bytes, `seconds` everything but the waiting for `on_hop`."""

    url: str
    method: str = "GET"
    body: bytes = b""
    headers: Mapping[str, str] = {}
    limit: int = 5_000_000
    seconds: float = 30.0
    redirects: int = 5


class WebResponse(Struct, frozen=True):
    """A whole response. `url` is where it came from in the end; `cut` says that there was more than the limit."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    cut: bool = False
    hosts: tuple[str, ...] = ()

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "").split(";")[0].strip().lower()


class WebClient:
    """Fetches what `policy` lets through. Raises `ToolError` with a text that says what to try, and nothing else."""

    def __init__(self, policy: Policy, dialer: Dialer = MACHINE) -> None:
        self._policy = policy
        self._dialer = dialer

    async def fetch(self, request: WebRequest, on_hop: OnHop | None = None) -> WebResponse:
        """Fetch and follow redirects. `on_hop` is awaited before each one to another host, and may refuse it."""
        return await _Fetch(self._policy, self._dialer, request, on_hop).run()


class _Fetch:
    """One fetch over all its hops: `_target` is the current one."""

    def __init__(self, policy: Policy, dialer: Dialer, request: WebRequest, on_hop: OnHop | None) -> None:
        self._policy = policy
        self._dialer = dialer
        self._request = request
        self._on_hop = on_hop
        self._target = parse_url(request.url)
        self._hosts = [self._target.host]
        self._deadline = asyncio.timeout(request.seconds)

    async def run(self) -> WebResponse:
        try:
            async with self._deadline:
                return await self._fetch()
        except (TimeoutError, ResponseStalled):
            text = f"{self._target.url} did not send its answer within {self._request.seconds:g} s"
            raise ToolError(f"{text}; give it more time, or try another page", kind="timeout") from None
        except (OSError, HttpClientError, ValueError) as error:
            raise ToolError(f"{self._target.url}: {explain(error)}") from error

    async def _fetch(self) -> WebResponse:
        request = self._request
        response = await send(
            HttpRequest(
                url=self._target.url,
                method=request.method,
                headers={"user-agent": USER_AGENT, **request.headers},
                body=request.body,
                connect_timeout=None,
                idle_timeout=request.seconds,
                decoded_limit=request.limit,
                redirects=request.redirects,
            ),
            check=self._checked_addresses,
            dialer=self._dialer,
            on_redirect=self._redirected,
        )
        try:
            body = await response.read(request.limit)
        finally:
            response.close()
        return WebResponse(
            self._target.url, response.status, response.headers, body, response.cut, hosts=tuple(self._hosts)
        )

    async def _checked_addresses(self, endpoint: Endpoint) -> Sequence[str]:
        # Checked is what will be connected to, as the client read it.
        target = Target(*endpoint.origin)
        try:
            return await self._policy.pin(target, self._dialer.resolve)
        except OSError:
            if endpoint.proxy is None or not endpoint.proxy.resolves_names:
                raise
            # Behind a proxy many machines resolve no public names: then the check of the name alone has to do.
            return ()

    async def _redirected(self, url: str, location: str) -> str:
        before = self._target
        self._target = target = follow(before, location_text(location))
        if before.scheme == "https" and target.scheme == "http":
            text = f"{before.url} redirects from https to plain http ({target.url}), which is not followed"
            raise AddressRefused(f"{text}; fetch that URL itself if it is meant")
        self._policy.check(target)
        if target.host not in self._hosts:
            self._hosts.append(target.host)
            if self._on_hop is not None:
                await self._ask(self._on_hop, target)
        return target.url

    async def _ask(self, on_hop: OnHop, target: Target) -> None:
        """Wait for a permission; the time that a person takes does not count."""
        loop, ends = asyncio.get_running_loop(), self._deadline.when()
        assert ends is not None
        left = ends - loop.time()
        self._deadline.reschedule(None)
        await on_hop(target)
        self._deadline.reschedule(loop.time() + left)
