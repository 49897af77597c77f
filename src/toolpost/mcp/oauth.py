"""Log in to MCP servers with OAuth and keep the tokens."""

import asyncio
import hashlib
import hmac
import time
from collections.abc import Awaitable, Callable
from html import escape
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Protocol
from urllib.parse import parse_qs, urlsplit

import msgspec
from msgspec import Struct

from toolpost.guard.redact import remember_named
from toolpost.types.errors import ToolpostError

from .config import McpServer
from .errors import reason_of
from .tools import one_line
from .transports import heard_failures, remote

if TYPE_CHECKING:
    from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthToken

    from .oauth_provider import LoginProvider

LOGIN_SECONDS = 300.0
EARLY_SECONDS = 30.0  # a token is taken for expired a little before it is
MAX_LOGINS = 3  # that one `login` asks a person for, where a server wants more and more
MAX_SCOPE = 2_000


class TokenStore(Protocol):
    """Where secrets are kept between runs. May block; a key that is not there is None."""

    def get(self, key: str) -> str | None: ...
    def set(self, key: str, secret: str) -> None: ...


class NeedsLogin(Exception):
    """The login needs a person."""


class LoginError(ToolpostError):
    pass


class _Kept(Struct, omit_defaults=True):
    """What a login leaves. The addresses of the login server too: without them a token could not be renewed. `scope`
    is what a server wanted that was not given yet: the next login asks for it."""

    tokens: dict[str, Any] | None = None
    expires: float | None = None
    client: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    resource: dict[str, Any] | None = None
    scope: str = ""


def vault_key(server: McpServer) -> str:
    """The address is part of it: tokens for one server are never sent to another of the same name."""
    return f"mcp-{hashlib.sha256(f'{server.name} {server.url}'.encode()).hexdigest()[:24]}"


def silent(server: McpServer, vault: TokenStore) -> "LoginProvider | None":
    """Use and renew the tokens of an earlier login, without ever asking a person; None where there was none."""
    kept = _Store(server, vault)
    by_itself = server.oauth.grant == "client_credentials"
    if any(name.lower() == "authorization" for name in server.headers) or not (kept.known.tokens or by_itself):
        return None

    async def refuse(_: str) -> None:
        raise NeedsLogin

    provider = _provider(server, kept, port=1, show=refuse, answer=_never, on_more=kept.want)
    kept.restore(provider)
    return provider


async def login(
    server: McpServer, vault: TokenStore, show: Callable[[str], Awaitable[None]], *, seconds: float = LOGIN_SECONDS
) -> bool:
    """Let a person log in at the address given to `show`, and keep the tokens. False if the server wants no login.

    Where the server then wants a wider scope, the person is asked once more, at most `MAX_LOGINS` times; a scope that
    was asked for and not given is asked for only once.
    """
    if not server.url:
        raise LoginError(f"{server.name} is a local command and has no login")
    kept = _Store(server, vault, fresh=True)
    shown: list[str] = []

    async with _Loopback(server.oauth.port) as loopback:

        async def show_wider(url: str) -> None:
            scope = _scope_of(url)
            if len(shown) >= MAX_LOGINS or (shown and set(scope.split()) <= set(_scope_of(shown[-1]).split())):
                raise LoginError(_not_given(server, scope))
            await kept.want(scope)
            shown.append(url)
            loopback.expect(url)
            await show(url)

        provider = _provider(server, kept, loopback.port, show_wider, loopback.answer)
        try:
            async with asyncio.timeout(seconds):
                failure = await _visit(server, "sse" if server.transport == "sse" else "http", provider)
                if failure and server.transport == "url" and not shown:
                    failure = await _visit(server, "sse", provider)
        except TimeoutError:
            raise LoginError(f"no login to {server.name} within {seconds:g} s") from None
    if failure:
        raise LoginError(f"the login to {server.name} failed: {failure}")
    if kept.known.tokens is None:
        return False
    kept.remember(provider)
    return True


def _not_given(server: McpServer, scope: str) -> str:
    wanted = f"the scope {one_line(scope)}" if scope else "more permissions"
    return f"{server.name} requires {wanted}, which the login did not grant: ask its owner"


def _scope_of(url: str) -> str:
    return parse_qs(urlsplit(url).query).get("scope", [""])[0]


async def _visit(server: McpServer, kind: Literal["http", "sse"], provider: "LoginProvider") -> str:
    """Connect once, so that the SDK performs the login; return the error, if any."""
    from mcp import Client

    with heard_failures() as failures:
        try:
            async with Client(remote(server, kind, provider), cache=None) as client:
                if client.server_capabilities.tools:
                    await client.list_tools()
        except Exception as error:  # noqa: BLE001 - the SDK raises its own kinds, in groups
            if failures and failures[-1].scope is not None:
                return _not_given(server, failures[-1].scope)
            return reason_of(error, failures)
    return ""


def _provider(
    server: McpServer,
    kept: "_Store",
    port: int,
    show: Callable[[str], Awaitable[None]],
    answer: "Callable[[], Awaitable[AuthorizationCodeResult]]",
    on_more: Callable[[str], Awaitable[None]] | None = None,
) -> "LoginProvider":
    # Imported here: see there.
    from .oauth_provider import LoginProvider

    kept.port = port
    wanted = dict.fromkeys(f"{server.oauth.scope} {kept.known.scope}".split())
    return LoginProvider(server, kept, _address(port), show, answer, " ".join(wanted), on_more)


def _address(port: int) -> str:
    return f"http://127.0.0.1:{port}/callback"


async def _never() -> NoReturn:
    raise NeedsLogin


class _Store:
    """The SDK's storage of tokens, over a `TokenStore`."""

    def __init__(self, server: McpServer, vault: TokenStore, *, fresh: bool = False) -> None:
        self._server = server
        self._vault = vault
        self._key = vault_key(server)
        self.port = 0
        self._fresh = fresh
        before = self._read()
        self.known = _Kept(scope=before.scope) if fresh else before

    async def want(self, scope: str) -> None:
        """Store the scope that the next login must request."""
        scope = scope[:MAX_SCOPE]
        if scope and scope != self.known.scope:
            self.known.scope = scope
            before = await asyncio.to_thread(self._read)
            before.scope = scope
            await self._write(before)

    async def get_tokens(self) -> "OAuthToken | None":
        from mcp.shared.auth import OAuthToken

        if not self._fresh:
            self.known = await asyncio.to_thread(self._read)
        if self.known.tokens is None:
            return None
        remember_named(self.known.tokens)
        tokens = OAuthToken.model_validate(self.known.tokens)
        if self.known.expires is not None and time.time() > self.known.expires - EARLY_SECONDS:
            # The SDK takes stored tokens for good; an empty one makes it renew them instead of asking for a login.
            return tokens.model_copy(update={"access_token": ""})
        return tokens

    async def set_tokens(self, tokens: "OAuthToken") -> None:
        self.known.tokens = tokens.model_dump(mode="json", exclude_none=True)
        remember_named(self.known.tokens)
        self.known.expires = None if tokens.expires_in is None else time.time() + tokens.expires_in
        await self._write(self.known)

    async def get_client_info(self) -> "OAuthClientInformationFull | None":
        from mcp.shared.auth import OAuthClientInformationFull
        from pydantic import AnyUrl

        from .oauth_provider import method_by_hand

        own = self._server.oauth
        if own.client_id:
            return OAuthClientInformationFull(
                client_id=own.client_id,
                client_secret=own.client_secret or None,
                redirect_uris=[AnyUrl(_address(self.port))],
                token_endpoint_auth_method=method_by_hand(own),
            )
        return OAuthClientInformationFull.model_validate(self.known.client) if self.known.client else None

    async def set_client_info(self, client_info: "OAuthClientInformationFull") -> None:
        self.known.client = client_info.model_dump(mode="json", exclude_none=True)

    def restore(self, provider: "LoginProvider") -> None:
        from mcp.shared.auth import OAuthMetadata, ProtectedResourceMetadata

        context = provider.context
        if self.known.metadata:
            context.oauth_metadata = OAuthMetadata.model_validate(self.known.metadata)
        if self.known.resource:
            context.protected_resource_metadata = ProtectedResourceMetadata.model_validate(self.known.resource)

    def remember(self, provider: "LoginProvider") -> None:
        context = provider.context
        found, resource = context.oauth_metadata, context.protected_resource_metadata
        self.known.metadata = found.model_dump(mode="json", exclude_none=True) if found else None
        self.known.resource = resource.model_dump(mode="json", exclude_none=True) if resource else None
        self._vault.set(self._key, msgspec.json.encode(self.known).decode())

    async def _write(self, kept: _Kept) -> None:
        await asyncio.to_thread(self._vault.set, self._key, msgspec.json.encode(kept).decode())

    def _read(self) -> _Kept:
        text = self._vault.get(self._key)
        try:
            return msgspec.json.decode(text, type=_Kept) if text else _Kept()
        except msgspec.DecodeError:
            return _Kept()


class _Loopback:
    """Waits on this machine for the browser to bring the answer of the login server.

    Any page can send a browser here. What does not carry the state of our question is overlooked, so that nobody can
    break a login off either.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self._state: str | None = None
        self._answer: asyncio.Future[AuthorizationCodeResult] = asyncio.get_running_loop().create_future()

    async def __aenter__(self) -> "_Loopback":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    def expect(self, url: str) -> None:
        """Read the expected `state` from the address that the person opens."""
        self._state = parse_qs(urlsplit(url).query).get("state", [None])[0]
        self._answer = asyncio.get_running_loop().create_future()

    async def answer(self) -> "AuthorizationCodeResult":
        return await self._answer

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            line = (await reader.readline()).decode(errors="replace").split(" ")
            said, status = self._take(line[1] if len(line) > 1 and line[0] == "GET" else "")
            page = f"<!doctype html><meta charset=utf-8><title>Toolpost</title><p>{escape(said)}</p>".encode()
            head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(page)}\r\nConnection: close"
            writer.write(head.encode() + b"\r\n\r\n" + page)
            await writer.drain()
        except (ValueError, ConnectionError):
            return
        finally:
            writer.close()

    def _take(self, target: str) -> tuple[str, str]:
        from mcp.shared.auth import AuthorizationCodeResult

        parts = urlsplit(target)
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        known = self._state is not None and hmac.compare_digest(given.get("state", "").encode(), self._state.encode())
        if parts.path != "/callback" or not given.keys() & {"code", "error"} or not known:
            return "Not found.", "404 Not Found"
        if not self._answer.done():
            if "code" in given:
                found = AuthorizationCodeResult(code=given["code"], state=given.get("state"), iss=given.get("iss"))
                self._answer.set_result(found)
            else:
                said = given.get("error_description") or given["error"]
                self._answer.set_exception(LoginError(f"the login was refused: {said}"))
        return "You can close this page and go back to Toolpost.", "200 OK"
