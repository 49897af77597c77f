"""The OAuth flow of the SDK with our choice of grant, client authentication and scope.

Imported only where a login is near: the SDK takes a second or two.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError, TokenStorage
from mcp.client.auth.extensions.client_credentials import SignedJWTParameters
from mcp.client.auth.oauth2 import OAuthContext
from mcp.client.auth.utils import issuers_match, union_scopes
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata, OAuthMetadata
from pydantic import AnyUrl, PrivateAttr, SerializerFunctionWrapHandler, model_serializer

from toolpost.types.errors import ConfigError

from .config import McpServer, OAuth
from .transports import missing_scope

ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

Show = Callable[[str], Awaitable[None]]
Answer = Callable[[], Awaitable[AuthorizationCodeResult]]


class LoginProvider(OAuthClientProvider):
    """`scope` is asked for in addition to what the server names; `redirect` is where the browser brings the answer.

    Where nobody is there to log in, `on_more` gets the scope that a request would need, and the request is refused as
    the server refused it. An exception would end the whole connection.
    """

    def __init__(
        self,
        server: McpServer,
        storage: TokenStorage,
        redirect: str,
        show: Show,
        answer: Answer,
        scope: str,
        on_more: Show | None = None,
    ) -> None:
        metadata = _ClientMetadata(client_name="Toolpost", redirect_uris=[AnyUrl(redirect)], scope=scope or None)
        url = server.oauth.client_metadata_url or None
        super().__init__(server.url, metadata, storage, show, answer, client_metadata_url=url)
        metadata.bind(self.context)
        self._own = server.oauth
        self._scope = scope
        self._on_more = on_more if server.oauth.grant == "authorization_code" else None

    async def _auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        flow = super()._auth_flow(request)
        try:
            outgoing = await anext(flow)
            while True:
                response = yield outgoing
                if outgoing is request and self._on_more is not None and missing_scope(response) is not None:
                    if await self._has_new_tokens():
                        self._add_auth_header(request)
                        response = yield request
                    if (missing := missing_scope(response)) is not None:
                        granted = self.context.current_tokens.scope if self.context.current_tokens else None
                        await self._on_more(union_scopes(granted, missing) or "")
                    return
                outgoing = await flow.asend(response)
        except StopAsyncIteration:
            return
        finally:
            await flow.aclose()

    async def _has_new_tokens(self) -> bool:
        """True if another task or process has logged in meanwhile."""
        before = self.context.current_tokens
        await self._initialize()
        now = self.context.current_tokens
        return now is not None and bool(now.access_token) and (before is None or now != before)

    def _select_authorization_server(self, advertised: list[str]) -> str:
        issuer = self._own.issuer
        return next((one for one in advertised if issuer and issuers_match(one, issuer)), advertised[0])

    async def _perform_authorization(self) -> httpx2.Request:
        self._prepare()
        # The SDK forgets what was asked for before when a server names a scope of its own.
        self.context.client_metadata.scope = union_scopes(self.context.client_metadata.scope, self._scope)
        if self._own.grant == "client_credentials":
            return await self._request_with_credentials()
        return await super()._perform_authorization()

    async def _refresh_token(self) -> httpx2.Request:
        self._prepare()
        return await super()._refresh_token()

    def _prepare(self) -> None:
        """Check that the secret goes to the right login server, and choose how to send it."""
        metadata, client = self.context.oauth_metadata, self.context.client_info
        if self._own.issuer and (metadata is None or not issuers_match(str(metadata.issuer), self._own.issuer)):
            found = f"{metadata.issuer}" if metadata else "no login server"
            raise OAuthFlowError(f"the login must be at {self._own.issuer}, but the server redirects to {found}")
        if client is not None and not client.token_endpoint_auth_method:
            client.token_endpoint_auth_method = _method_with_secret(metadata) if client.client_secret else "none"

    async def _request_with_credentials(self) -> httpx2.Request:
        """Request a token with the client's own credentials, without a person."""
        data: dict[str, Any] = {"grant_type": "client_credentials"}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if self._own.private_key:
            data |= await self._assertion()
        else:
            data, headers = self.context.prepare_token_auth(data, headers)
        if self.context.should_include_resource_param(self.context.protocol_version):
            data["resource"] = self.context.get_resource_url()
        if self.context.client_metadata.scope:
            data["scope"] = self.context.client_metadata.scope
        return httpx2.Request("POST", self._get_token_endpoint(), data=data, headers=headers)

    async def _assertion(self) -> dict[str, str]:
        """Sign a token that proves possession of the key, valid for this login server only."""
        metadata = self.context.oauth_metadata
        if metadata is None:
            raise OAuthFlowError("the login server has no metadata, which a signed assertion needs")
        who, key = self._own.client_id, self._own.private_key
        signed = SignedJWTParameters(issuer=who, subject=who, signing_key=key, signing_algorithm=_algorithm(key))
        assertion = await signed.create_assertion_provider()(str(metadata.issuer))
        return {"client_id": who, "client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion}


class _ClientMetadata(OAuthClientMetadata):
    """What we register with: the SDK writes it out when it has just read what the login server supports."""

    _context: OAuthContext | None = PrivateAttr(default=None)

    def bind(self, context: OAuthContext) -> None:
        self._context = context

    @model_serializer(mode="wrap")
    def _with_method(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        metadata = self._context.oauth_metadata if self._context is not None else None
        return {**handler(self), "token_endpoint_auth_method": _method_to_register(metadata)}


def method_by_hand(own: OAuth) -> str | None:
    """For a client that was registered by hand; None where it follows from the login server's metadata."""
    if own.private_key:
        return "private_key_jwt"
    return None if own.client_secret else "none"


def _method_to_register(metadata: OAuthMetadata | None) -> str:
    """No secret where that is allowed: one that is on many machines is not secret."""
    supported = _supported(metadata)
    return "none" if not supported or "none" in supported else _method_with_secret(metadata)


def _method_with_secret(metadata: OAuthMetadata | None) -> str:
    """Of a server that does not say, the standard says that it takes HTTP Basic."""
    supported = _supported(metadata)
    known = ("client_secret_basic", "client_secret_post", "none")
    return next((method for method in known if method in supported), known[0])


def _supported(metadata: OAuthMetadata | None) -> list[str]:
    return (metadata.token_endpoint_auth_methods_supported or []) if metadata is not None else []


def _algorithm(key: str) -> str:
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        loaded = load_pem_private_key(key.encode(), password=None)
    except (ValueError, TypeError) as error:
        raise ConfigError(f"oauth.private_key is not a private key in PEM form: {error}") from error
    if isinstance(loaded, ec.EllipticCurvePrivateKey):
        return {256: "ES256", 384: "ES384", 521: "ES512"}.get(loaded.curve.key_size, "ES256")
    if isinstance(loaded, ed25519.Ed25519PrivateKey):
        return "EdDSA"
    if isinstance(loaded, rsa.RSAPrivateKey):
        return "RS256"
    raise ConfigError("oauth.private_key must be an RSA, EC or Ed25519 key")
