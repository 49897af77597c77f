"""What an ID token must be: signed by a key of the provider, for us, for this login, and still good."""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from gateway_play import listening
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from toolpost.config.schema import OidcSettings
from toolpost.server.accounts.oidc import OidcFailed, OidcProvider

BACK = "http://chat.test/api/auth/oidc/p/callback"
SECRET = "the-secret-in-the-browsers-cookie"
KEY, OTHER = RSAKey.generate_key(2048, {"kid": "one"}), RSAKey.generate_key(2048, {"kid": "one"})
CURVE = ECKey.generate_key("P-256", {"kid": "two"})


class Hostile:
    """A provider that answers as a test says."""

    def __init__(self) -> None:
        self.url = ""
        self.nonce = ""
        self.keys: list[Any] = [KEY]
        self.claims: dict[str, Any] = {}
        self.sign: Callable[[dict[str, Any]], str] = lambda claims: signed(claims, KEY)
        self.discovered: dict[str, Any] = {}
        self.user_info: dict[str, Any] = {}

    async def discovery(self, request: Request) -> Response:
        told = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/auth",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "userinfo_endpoint": f"{self.url}/me",
        }
        return JSONResponse(told | self.discovered)

    async def token(self, request: Request) -> Response:
        now = int(time.time())
        claims = {"iss": self.url, "aud": "us", "sub": "s-1", "nonce": self.nonce, "iat": now, "exp": now + 60}
        claims |= {"preferred_username": "ann", "groups": ["staff"], **self.claims}
        given = {name: value for name, value in claims.items() if value is not None}
        return JSONResponse({"id_token": self.sign(given), "access_token": "x", "token_type": "Bearer"})

    async def jwks(self, request: Request) -> Response:
        odd = [{"kty": "oct", "k": "c2VjcmV0"}, {"kty": "of-tomorrow"}]
        return JSONResponse({"keys": [*odd, *(key.as_dict(private=False) for key in self.keys)]})

    async def me(self, request: Request) -> Response:
        return JSONResponse(self.user_info)


def signed(claims: dict[str, Any], key: Any, algorithm: str = "RS256", kid: str = "one") -> str:
    return jwt.encode({"alg": algorithm, "kid": kid}, claims, key, algorithms=[algorithm])


@asynccontextmanager
async def hostile() -> AsyncGenerator[tuple[Hostile, OidcProvider]]:
    one = Hostile()
    app = Starlette(
        routes=[
            Route("/.well-known/openid-configuration", one.discovery),
            Route("/token", one.token, methods=["POST"]),
            Route("/keys", one.jwks),
            Route("/me", one.me),
            Route("/elsewhere", lambda request: RedirectResponse("/keys")),
        ]
    )
    async with listening(app) as url:
        one.url = url
        settings = OidcSettings(issuer=url, client_id="us", roles={"staff": "member"})
        yield one, OidcProvider("p", settings, {})


async def come_back(one: Hostile, provider: OidcProvider, **answer: str) -> Any:
    asked = parse_qs(urlsplit(await provider.authorization_url(SECRET, BACK)).query)
    one.nonce = asked["nonce"][0]
    return await provider.person(SECRET, {"state": asked["state"][0], "code": "c", **answer}, BACK)


async def test_a_good_token_says_who_it_is() -> None:
    async with hostile() as (one, provider):
        person = await come_back(one, provider)
        assert (person.subject, person.name, person.role) == ("s-1", "ann", "member")
        one.keys, one.sign = [CURVE], lambda claims: signed(claims, CURVE, "ES256", "two")
        provider._keys_at -= 60  # as if a minute had passed since the keys were read
        assert (await come_back(one, provider)).subject == "s-1"


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "of another login"},
        {"nonce": None},
        {"aud": "somebody-else"},
        {"aud": ["us", "somebody-else"]},
        {"aud": ["us", "somebody-else"], "azp": "somebody-else"},
        {"azp": "somebody-else"},
        {"iss": "https://another.example"},
        {"iss": None},
        {"exp": 1},
        {"exp": None},
        {"iat": None},
        {"sub": None},
        {"sub": 7},
        {"nbf": int(time.time()) + 86_400},
    ],
)
async def test_a_token_that_is_not_for_this_login_is_refused(claims: dict[str, Any]) -> None:
    async with hostile() as (one, provider):
        one.claims = claims
        with pytest.raises(OidcFailed) as failed:
            await come_back(one, provider)
        assert failed.value.code == "oidc_failed"


def _unsigned(claims: dict[str, Any]) -> str:
    _, body, _ = signed(claims, KEY).split(".")
    return f"eyJhbGciOiJub25lIn0.{body}."


def _with_public_key(claims: dict[str, Any]) -> str:
    """The old trick: the public key, which everybody has, as the secret of a symmetric signature."""
    return signed(claims, OctKey.import_key(KEY.as_pem(private=False)), "HS256")


@pytest.mark.parametrize(
    "sign",
    [
        lambda claims: signed(claims, OTHER),
        lambda claims: signed(claims, OctKey.import_key("secret"), "HS256"),
        _with_public_key,
        _unsigned,
        lambda claims: signed(claims, KEY)[:-4] + "AAAA",
        lambda claims: "not a token",
        lambda claims: "",
    ],
)
async def test_a_token_that_the_provider_has_not_signed_is_refused(sign: Callable[[dict[str, Any]], str]) -> None:
    async with hostile() as (one, provider):
        one.sign = sign
        with pytest.raises(OidcFailed) as failed:
            await come_back(one, provider)
        assert failed.value.code == "oidc_failed"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"state": "another"}, "oidc_state"),
        ({"state": ""}, "oidc_state"),
        ({"error": "access_denied"}, "oidc_refused"),
        ({"code": ""}, "oidc_refused"),
        ({"iss": "https://another.example"}, "oidc_failed"),
    ],
)
async def test_an_answer_that_was_not_asked_for_is_refused(answer: dict[str, str], code: str) -> None:
    async with hostile() as (one, provider):
        with pytest.raises(OidcFailed) as failed:
            await come_back(one, provider, **answer)
        assert failed.value.code == code
        with pytest.raises(OidcFailed):
            await provider.person("", {"state": "", "code": "c"}, BACK)


async def test_a_provider_that_is_another_or_unsafe_is_refused() -> None:
    for discovered in (
        {"issuer": "https://another.example"},
        {"token_endpoint": "http://another.example/token"},
        {"jwks_uri": "http://another.example/keys"},
    ):
        async with hostile() as (one, provider):
            one.discovered = discovered
            with pytest.raises(OidcFailed):
                await come_back(one, provider)


async def test_keys_are_not_fetched_from_where_a_redirect_leads() -> None:
    async with hostile() as (one, provider):
        one.discovered = {"jwks_uri": f"{one.url}/elsewhere"}
        with pytest.raises(OidcFailed):
            await come_back(one, provider)


async def test_groups_are_read_of_the_same_person_only() -> None:
    async with hostile() as (one, provider):
        one.claims = {"groups": None}
        one.user_info = {"sub": "s-1", "groups": ["staff"]}
        assert (await come_back(one, provider)).role == "member"
        one.user_info = {"sub": "somebody-else", "groups": ["staff"]}
        with pytest.raises(OidcFailed):
            await come_back(one, provider)
        one.user_info = {"sub": "s-1", "groups": [{"staff": True}]}
        with pytest.raises(OidcFailed) as failed:
            await come_back(one, provider)
        assert failed.value.code == "oidc_no_role"
