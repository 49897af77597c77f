"""The routes with which people get in: set up, sign up, log in and out, and set passwords."""

from typing import Annotated, TypeVar

from msgspec import Meta, Struct

from toolpost.server.api.me import Me, me_of
from toolpost.server.gateway.targets import Targets
from toolpost.server.http import JSON, Request
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.server.routing import Doc, Route
from toolpost.workspace import Workspace

from .accounts import Accounts, LoggedIn
from .identities import Identities, Identity, csrf_of, forget_login, identity_of, login_of, set_login
from .links import address_of, is_secure
from .oidc_routes import OidcLogins

T = TypeVar("T")

TAG = "accounts"
# Longer than any password may be, so that its own error is told.
Password = Annotated[str, Meta(max_length=4096)]
Name = Annotated[str, Meta(max_length=256)]
Secret = Annotated[str, Meta(min_length=1, max_length=256)]


class Provider(Struct, frozen=True):
    id: str
    name: str


class AuthState(Struct, frozen=True):
    """What a page has to know before anybody has logged in. `accounts`: people log in with names; without, they need a
    token. `needs_setup`: there is no admin yet, and the server has printed a link that makes one. `csrf` is to be sent
    as `x-toolpost-csrf` with every request that is not a GET; null where no cookie has logged in."""

    accounts: bool
    needs_setup: bool
    sign_up: bool
    providers: tuple[Provider, ...]
    user: Me | None
    csrf: str | None


class SetupBody(Struct, frozen=True, forbid_unknown_fields=True):
    token: Secret
    name: Name
    password: Password


class LoginBody(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    password: Password


class SignUpBody(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    password: Password
    invitation: Annotated[str, Meta(max_length=256)] | None = None


class ResetBody(Struct, frozen=True, forbid_unknown_fields=True):
    token: Secret
    password: Password


class PasswordBody(Struct, frozen=True, forbid_unknown_fields=True):
    old: Password
    new: Password


class InvitationShown(Struct, frozen=True):
    """`expires` is in seconds since 1970."""

    role: str
    expires: float
    invited_by: str


class AuthRoutes:
    def __init__(
        self,
        workspace: Workspace,
        targets: Targets,
        identities: Identities,
        accounts: Accounts | None,
        oidc: OidcLogins,
    ) -> None:
        self._workspace = workspace
        self._targets = targets
        self._identities = identities
        self._known = accounts
        self._oidc = oidc

    def routes(self) -> list[Route]:
        """Those for nobody in particular are open; what they do needs the token of a link, or a password."""
        state = Doc("Get who is logged in, and how to log in", TAG, gives=AuthState)
        token = {"token": "The end of the link"}
        setup, sign_up = _inside("Make the first admin", SetupBody), _inside("Make an account for oneself", SignUpBody)
        login = _inside("Log in", LoginBody, 401)
        reset = _inside("Set a new password with a link", ResetBody)
        looked = Doc("Look at an invitation", TAG, gives=InvitationShown, errors=(409,), params=token)
        return [
            Route("GET", "/api/auth", self._state, state, is_open=True),
            Route("POST", "/api/auth/setup", self._setup, setup, is_open=True),
            Route("POST", "/api/auth/login", self._login, login, is_open=True),
            Route("POST", "/api/auth/sign-up", self._sign_up, sign_up, is_open=True),
            Route("GET", "/api/auth/invitations/{token}", self._invitation, looked, is_open=True),
            Route("POST", "/api/auth/reset", self._reset, reset, is_open=True),
            Route("POST", "/api/auth/logout", self._logout, Doc("Log out", TAG, status=204)),
            Route("POST", "/api/auth/password", self._password, _inside("Change one's password", PasswordBody)),
            *self._oidc.routes(),
        ]

    @property
    def _accounts(self) -> Accounts:
        if self._known is None:
            text = "this server has no accounts: set `accounts = true` in [server], or start it with --accounts"
            raise Refusal("conflict", text, code="accounts_off")
        return self._known

    async def _state(self, request: Request) -> None:
        await self._reply(request, await self._identities.find(request))

    async def _setup(self, request: Request) -> None:
        body = _body(request, SetupBody)
        await self._in(request, await self._accounts.set_up(body.token, body.name, body.password))

    async def _login(self, request: Request) -> None:
        body = _body(request, LoginBody)
        address = address_of(request)
        login = await self._accounts.log_in(body.name, body.password, address, old=login_of(request))
        await self._in(request, login)

    async def _sign_up(self, request: Request) -> None:
        body = _body(request, SignUpBody)
        login = await self._accounts.sign_up(body.name, body.password, body.invitation or "", address_of(request))
        await self._in(request, login)

    async def _invitation(self, request: Request) -> None:
        link, expires = await self._accounts.invitation(request.params["token"])
        await request.reply_json(InvitationShown(link.role, expires, link.made_by), headers=NOT_KEPT)

    async def _reset(self, request: Request) -> None:
        body = _body(request, ResetBody)
        await self._in(request, await self._accounts.reset(body.token, body.password))

    async def _logout(self, request: Request) -> None:
        identity = identity_of(request)
        if identity.cookie:
            await self._accounts.log_out(identity.cookie)
            forget_login(request, is_secure=self._is_secure(request))
        await request.reply(status=204)

    async def _password(self, request: Request) -> None:
        body, account = _body(request, PasswordBody), identity_of(request).account
        if account is None:
            text = "your token is in the server's configuration, and has no password"
            raise Refusal("conflict", text, code="no_account")
        if not account.password:
            text = "you log in without a password here: ask an admin for a link that sets one"
            raise Refusal("conflict", text, code="no_password")
        await self._in(request, await self._accounts.change_password(account, body.old, body.new, address_of(request)))

    async def _in(self, request: Request, login: LoggedIn) -> None:
        set_login(request, login, is_secure=self._is_secure(request))
        accounts = self._accounts
        await self._reply(request, Identity(accounts.user(login.account), login.account, login.secret))

    async def _reply(self, request: Request, identity: Identity | None) -> None:
        accounts = self._known
        state = AuthState(
            accounts is not None,
            accounts is not None and not await accounts.is_set_up(),
            accounts is not None and accounts.settings.logins.sign_up,
            tuple(Provider(one.id, one.title) for one in self._oidc.providers),
            me_of(self._workspace, self._targets, identity) if identity else None,
            csrf_of(identity.cookie) if identity and identity.cookie else None,
        )
        await request.reply_json(state, headers=NOT_KEPT)

    def _is_secure(self, request: Request) -> bool:
        return is_secure(request, self._accounts.settings)


NOT_KEPT = {"cache-control": "no-store"}


def _inside(summary: str, takes: type[Struct], *errors: int) -> Doc:
    """What OpenAPI says of a route that ends with a person logged in."""
    return Doc(summary, TAG, takes=takes, gives=AuthState, errors=(403, 409, 429, *errors))


def _body(request: Request, kind: type[T]) -> T:
    """Read a body that can only be sent by a page that we let call us: other pages can't send this type."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != JSON:
        raise BadRequest("send the body as application/json", code="not_json")
    if request.headers.get("sec-fetch-site", "") == "cross-site":
        raise Refusal("permission", "another page may not do this", code="csrf")
    return request.json(kind)
