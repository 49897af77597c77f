"""The routes of a login through a provider: to it, and back from it."""

import logging
import secrets
from collections.abc import Mapping, Sequence

from toolpost.config.schema import GatewaySettings
from toolpost.server.http import Request
from toolpost.server.refusals import Refusal
from toolpost.server.routing import Doc, ResponseDoc, Route
from toolpost.types.errors import ConfigError

from .accounts import Accounts
from .identities import cookie, cookie_value, login_of, set_login
from .links import base_url, is_secure
from .oidc import OidcFailed, OidcProvider

COOKIE = "toolpost_oidc"
PATH = "/api/auth/oidc"
# As long as a person may take to log in at the provider.
SECONDS = 900
NOT_KEPT = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
ABOUT = (
    "A browser is sent there by the page. Whatever happens, it ends at the page, with `#login-error=CODE` on failure."
)

log = logging.getLogger("toolpost.server")


class OidcLogins:
    """`accounts` is None on a server without accounts."""

    def __init__(self, settings: GatewaySettings, environ: Mapping[str, str], accounts: Accounts | None) -> None:
        self._settings = settings
        self._accounts = accounts
        given = settings.oidc.items() if accounts is not None else ()
        self.providers: Sequence[OidcProvider] = [OidcProvider(name, one, environ) for name, one in given]
        if self.providers and not settings.url:
            raise ConfigError('[server.oidc] needs `url` in [server], such as "https://chat.example.com"')
        known = accounts.directory.roles if accounts is not None else {}
        for name, one in given:
            if unknown := [role for role in one.roles.values() if role not in known]:
                raise ConfigError(
                    f"[server.oidc.{name}] roles: there is no role {unknown[0]!r}; add it to [server.roles]"
                )

    def routes(self) -> list[Route]:
        sent = {303: ResponseDoc("To the provider, or to the page")}
        params = {"id": "The provider's id"}
        starting = Doc("Log in at a provider", "accounts", status=303, params=params, description=ABOUT, also=sent)
        ending = Doc("Come back from a provider", "accounts", status=303, params=params, description=ABOUT, also=sent)
        return [
            Route("GET", PATH + "/{id}", self._start, starting, is_open=True),
            Route("GET", PATH + "/{id}/callback", self._end, ending, is_open=True),
        ]

    async def _start(self, request: Request) -> None:
        provider, secret = self._provider(request), secrets.token_urlsafe(32)
        try:
            url = await provider.authorization_url(secret, self._callback(request, provider))
        except OidcFailed as failure:
            await self._fail(request, provider, failure)
            return
        self._set(request, secret, SECONDS)
        await _redirect(request, url)

    async def _end(self, request: Request) -> None:
        provider, accounts = self._provider(request), self._accounts
        assert accounts is not None
        try:
            # It is for one answer, whatever that is.
            self._set(request, "", 0)
            secret, back = cookie_value(request, self._cookie(request)), self._callback(request, provider)
            person = await provider.person(secret, request.query, back)
            account = await accounts.of_identity(provider.id, person.subject, person.name, person.role)
        except (OidcFailed, Refusal) as failure:
            await self._fail(request, provider, failure)
            return
        await accounts.log_out(login_of(request))
        login = await accounts.begin_login(account)
        set_login(request, login, is_secure=is_secure(request, self._settings))
        # Always there, whatever the query says: it must not lead anywhere else.
        await _redirect(request, f"{base_url(request, self._settings)}/")

    def _cookie(self, request: Request) -> str:
        """Return the cookie's name. Over TLS it has one that no other host of the domain can set."""
        return f"__Host-{COOKIE}" if is_secure(request, self._settings) else COOKIE

    def _set(self, request: Request, value: str, seconds: int) -> None:
        # A name with the prefix is taken for the whole host only.
        secure = is_secure(request, self._settings)
        path = "/" if secure else PATH
        request.cookies_out.append(cookie(self._cookie(request), value, seconds, is_secure=secure, path=path))

    async def _fail(self, request: Request, provider: OidcProvider, failure: OidcFailed | Refusal) -> None:
        log.warning("%s a login at %s failed: %s", request.id, provider.id, failure)
        code = failure.code or "oidc_failed"
        await _redirect(request, f"{base_url(request, self._settings)}/#login-error={code}")

    def _provider(self, request: Request) -> OidcProvider:
        found = next((one for one in self.providers if one.id == request.params["id"]), None)
        if found is None:
            raise Refusal("not_found", "there is no such provider: GET /api/auth lists them", code="provider_unknown")
        return found

    def _callback(self, request: Request, provider: OidcProvider) -> str:
        return f"{base_url(request, self._settings)}{PATH}/{provider.id}/callback"


async def _redirect(request: Request, url: str) -> None:
    await request.reply(status=303, content_type="text/plain", headers={"location": url, **NOT_KEPT})
