"""Log in through a provider of OpenID Connect: discovery, authorization code with PKCE, and a checked ID token.

What ties an answer of the provider to the browser that asked is one secret in a cookie of that browser. The state, the
nonce and the verifier of PKCE follow from it, so the server keeps nothing for logins that are never finished.
"""

import asyncio
import base64
import hashlib
import hmac
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote, urlencode, urlsplit

import msgspec
from msgspec import Struct

from toolpost.config.schema import OidcSettings
from toolpost.guard.redact import remember
from toolpost.net.client import HttpRequest, send
from toolpost.net.errors import HttpClientError
from toolpost.types.errors import ConfigError

if TYPE_CHECKING:
    from joserfc.jwk import KeySet

# No symmetric ones: for them whoever can check a token can make one.
ALGORITHMS = ("RS256", "PS256", "ES256", "RS384", "PS384", "ES384", "RS512", "PS512", "ES512", "EdDSA", "Ed25519")
KEY_TYPES = ("RSA", "EC", "OKP")
MAX_BYTES = 1_000_000
TIMEOUT_SECONDS = 15.0
DISCOVERED_SECONDS = 3600.0
# An unknown key makes the server ask for the keys again, but no more often than this.
KEYS_SECONDS = 30.0
LEEWAY_SECONDS = 60


class OidcFailed(Exception):
    """The login did not succeed. `code` is for the page; the text is for the server's log."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Person(Struct, frozen=True):
    """Who has logged in at a provider. `role` is what its groups give; None where they decide nothing."""

    subject: str
    name: str
    role: str | None


class _Endpoints(Struct, frozen=True):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    authorization_response_iss_parameter_supported: bool = False


class _Tokens(Struct, frozen=True):
    id_token: str
    access_token: str = ""


class OidcProvider:
    def __init__(self, provider_id: str, settings: OidcSettings, environ: Mapping[str, str]) -> None:
        place = f"[server.oidc.{provider_id}]"
        if not settings.issuer or not settings.client_id:
            raise ConfigError(f"{place} needs issuer and client_id")
        if not _is_safe(settings.issuer):
            raise ConfigError(f"{place} issuer must be an https:// address: over http anybody could answer")
        if "openid" not in settings.scopes:
            raise ConfigError(f'{place} scopes needs "openid"')
        secret = environ.get(settings.client_secret_env, "").strip() if settings.client_secret_env else ""
        if settings.client_secret_env and not secret:
            raise ConfigError(f"{place} takes its secret from {settings.client_secret_env}, which is not set")
        if secret:
            remember(secret)
        self.id = provider_id
        self.title = settings.title or provider_id
        self._settings = settings
        self._secret = secret
        self._endpoints: _Endpoints | None = None
        self._endpoints_at = 0.0
        self._keys: KeySet | None = None
        self._keys_at = -KEYS_SECONDS
        self._one_at_a_time = asyncio.Lock()

    async def authorization_url(self, secret: str, redirect_uri: str) -> str:
        """Return where the browser is sent to log in."""
        endpoint = (await self._discovered()).authorization_endpoint
        verifier = self._derived(secret, "verifier")
        asked = {
            "response_type": "code",
            "client_id": self._settings.client_id,
            "redirect_uri": redirect_uri,
            "scope": " ".join(self._settings.scopes),
            "state": self._derived(secret, "state"),
            "nonce": self._derived(secret, "nonce"),
            "code_challenge": _encoded(hashlib.sha256(verifier.encode()).digest()),
            "code_challenge_method": "S256",
        }
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(asked, quote_via=quote)}"

    async def person(self, secret: str, answer: Mapping[str, str], redirect_uri: str) -> Person:
        """Return who has logged in, from the provider's answer in the query of the callback."""
        state = self._derived(secret, "state")
        if not secret or not hmac.compare_digest(answer.get("state", "").encode(), state.encode()):
            raise OidcFailed("oidc_state", "the answer does not belong to a login that this browser has begun")
        endpoints = await self._discovered()
        issuer = answer.get("iss", "")
        if (issuer or endpoints.authorization_response_iss_parameter_supported) and issuer != endpoints.issuer:
            raise OidcFailed("oidc_failed", "the answer comes from another issuer")
        if answer.get("error") or not answer.get("code"):
            raise OidcFailed("oidc_refused", f"the provider refused: {answer.get('error', 'no code')[:100]!r}")
        tokens = await self._exchanged(endpoints, answer["code"], self._derived(secret, "verifier"), redirect_uri)
        claims = await self._checked(endpoints, tokens.id_token, self._derived(secret, "nonce"))
        wanted = [self._settings.name_claim, *([self._settings.groups_claim] if self._settings.roles else [])]
        if not claims.keys() >= {*wanted} and endpoints.userinfo_endpoint and tokens.access_token:
            # Many providers tell groups and names only there.
            claims = {**await self._user_info(endpoints, tokens.access_token, str(claims["sub"])), **claims}
        return Person(str(claims["sub"]), _name_in(claims, self._settings.name_claim), self._role_in(claims))

    def _role_in(self, claims: Mapping[str, Any]) -> str | None:
        roles = self._settings.roles
        if not roles:
            return None
        given = claims.get(self._settings.groups_claim, ())
        listed = cast("list[Any]", given) if isinstance(given, list) else [given]
        groups = {group for group in listed if isinstance(group, str)}
        for group, role in roles.items():
            if group in groups:
                return role
        if "*" not in roles:
            raise OidcFailed("oidc_no_role", f"{claims['sub']} is in none of the groups that have a role here")
        return roles["*"]

    def _derived(self, secret: str, what: str) -> str:
        told = f"{what}\n{self.id}\n{self._settings.issuer}"
        return _encoded(hmac.new(secret.encode(), told.encode(), hashlib.sha256).digest())

    async def _discovered(self) -> _Endpoints:
        async with self._one_at_a_time:
            now = time.monotonic()
            if self._endpoints is not None and now - self._endpoints_at < DISCOVERED_SECONDS:
                return self._endpoints
            url = self._settings.issuer.rstrip("/") + "/.well-known/openid-configuration"
            found = _decoded(await _fetched(HttpRequest(url=url)), _Endpoints, "the provider's configuration")
            if found.issuer != self._settings.issuer:
                raise OidcFailed("oidc_failed", f"the provider calls itself {found.issuer}: write that as its issuer")
            for endpoint in (found.authorization_endpoint, found.token_endpoint, found.jwks_uri):
                if not _is_safe(endpoint):
                    raise OidcFailed("oidc_failed", f"the provider has an address that is not https: {endpoint}")
            self._endpoints, self._endpoints_at = found, now
            return found

    async def _exchanged(self, endpoints: _Endpoints, code: str, verifier: str, redirect_uri: str) -> _Tokens:
        client, headers = self._settings.client_id, {"content-type": "application/x-www-form-urlencoded"}
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        methods = endpoints.token_endpoint_auth_methods_supported
        if not self._secret:
            form["client_id"] = client
        elif "client_secret_basic" in methods or "client_secret_post" not in methods:
            both = f"{quote(client, safe='')}:{quote(self._secret, safe='')}"
            headers["authorization"] = f"Basic {base64.b64encode(both.encode()).decode()}"
        else:
            form |= {"client_id": client, "client_secret": self._secret}
        body = urlencode(form).encode()
        request = HttpRequest(url=endpoints.token_endpoint, method="POST", headers=headers, body=body)
        return _decoded(await _fetched(request), _Tokens, "the provider's tokens")

    async def _checked(self, endpoints: _Endpoints, id_token: str, nonce: str) -> dict[str, Any]:
        """Return the claims of an ID token: signed by the provider, for us, for this login, and still good."""
        # Imported here: only a server with such a provider needs it.
        from joserfc.errors import JoseError

        failure: Exception | None = None
        for fresh in (False, True):
            keys = await self._known_keys(endpoints, fresh=fresh)
            try:
                return self._claims(id_token, keys, endpoints.issuer, nonce)
            except (JoseError, ValueError, KeyError) as error:
                failure = error
        raise OidcFailed("oidc_failed", f"the ID token is not valid: {failure}")

    def _claims(self, id_token: str, keys: "KeySet", issuer: str, nonce: str) -> dict[str, Any]:
        from joserfc import jwt

        client = self._settings.client_id
        registry = jwt.JWTClaimsRegistry(
            leeway=LEEWAY_SECONDS,
            iss={"essential": True, "value": issuer},
            aud={"essential": True, "value": client},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        claims = jwt.decode(id_token, keys, algorithms=ALGORITHMS).claims
        registry.validate(claims)
        several = isinstance(claims["aud"], list) and len(cast("list[Any]", claims["aud"])) > 1
        if claims.get("azp", None if several else client) != client:
            raise OidcFailed("oidc_failed", "the ID token was made for somebody else")
        return claims

    async def _known_keys(self, endpoints: _Endpoints, *, fresh: bool) -> "KeySet":
        from joserfc.errors import JoseError
        from joserfc.jwk import JWKRegistry, KeySet

        async with self._one_at_a_time:
            age = time.monotonic() - self._keys_at
            if self._keys is not None and (age < KEYS_SECONDS or not (fresh or age > DISCOVERED_SECONDS)):
                return self._keys
            told = _decoded(await _fetched(HttpRequest(url=endpoints.jwks_uri)), dict[str, Any], "the provider's keys")
            keys: list[Any] = []
            for one in told.get("keys", ()):
                try:
                    if one.get("kty") in KEY_TYPES and one.get("use", "sig") == "sig":
                        keys.append(JWKRegistry.import_key(one))
                except (JoseError, ValueError, KeyError, AttributeError):
                    # Of a kind that we do not know; a token that was signed with it is refused.
                    continue
            self._keys, self._keys_at = KeySet(keys), time.monotonic()
            return self._keys

    async def _user_info(self, endpoints: _Endpoints, access_token: str, subject: str) -> dict[str, Any]:
        if not _is_safe(endpoints.userinfo_endpoint):
            return {}
        request = HttpRequest(url=endpoints.userinfo_endpoint, headers={"authorization": f"Bearer {access_token}"})
        told = _decoded(await _fetched(request), dict[str, Any], "the provider's user")
        if told.get("sub") != subject:
            raise OidcFailed("oidc_failed", "the provider tells of another person than its ID token")
        return told


def _is_safe(url: str) -> bool:
    """Return whether only the one who is meant can answer: over TLS, or on this machine."""
    try:
        parts = urlsplit(url)
        return parts.scheme == "https" or (
            parts.scheme == "http" and parts.hostname in ("127.0.0.1", "::1", "localhost")
        )
    except ValueError:
        return False


def _name_in(claims: Mapping[str, Any], name_claim: str) -> str:
    for claim in (name_claim, "preferred_username", "email", "name", "sub"):
        if isinstance(value := claims.get(claim), str) and value.strip():
            return value.partition("@")[0].replace(" ", ".") if claim in ("email", "name") else value
    return "person"


async def _fetched(request: HttpRequest) -> bytes:
    """Return the body of a response. Redirects are not followed: nothing here needs one."""
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            response = await send(request)
            try:
                body = await response.read(MAX_BYTES)
            finally:
                response.release()
    except (HttpClientError, OSError, ValueError, TimeoutError) as error:
        raise OidcFailed("oidc_unreachable", f"{request.url} cannot be reached: {error or 'no answer'}") from error
    if response.status != 200 or response.cut:
        raise OidcFailed("oidc_failed", f"{request.url} answered {response.status}: {body[:200]!r}")
    return body


def _decoded(body: bytes, kind: type[Any], what: str) -> Any:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise OidcFailed("oidc_failed", f"{what} cannot be read: {error}") from None


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
