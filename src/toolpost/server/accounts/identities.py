"""Find out who sends a request: by a token of the configuration or of an account, or by the cookie of a login."""

import hashlib
import hmac

from msgspec import Struct

from toolpost.server.http import Request
from toolpost.server.refusals import Refusal
from toolpost.server.users import User, Users, tokens_of

from .accounts import Accounts, LoggedIn
from .names import name_key
from .records import Account

COOKIE = "toolpost_session"
CSRF_HEADER = "x-toolpost-csrf"
# Nothing is changed by these, so another page may make a browser send them.
SAFE_METHODS = ("GET", "HEAD")


class Identity(Struct, frozen=True):
    """`account` is None for a user of the configuration. `cookie` is the secret of the login, "" for a token."""

    user: User
    account: Account | None = None
    cookie: str = ""


class Identities:
    """`accounts` is None on a server without accounts, where cookies mean nothing."""

    def __init__(self, users: Users, accounts: Accounts | None = None) -> None:
        self._users = users
        self._accounts = accounts

    async def find(self, request: Request) -> Identity | None:
        """Return who sends the request, whatever it is for. A token counts before a cookie."""
        tokens = tokens_of(request.headers)
        if tokens and (user := self._users.find(tokens)) is not None:
            return Identity(user)
        accounts = self._accounts
        if accounts is None:
            return None
        if tokens:
            for token in tokens:
                if account := await accounts.of_token(token):
                    return Identity(accounts.user(account), account)
            return None
        secret = login_of(request)
        account = await accounts.of_login(secret) if secret else None
        return Identity(accounts.user(account), account, secret) if account else None

    async def identify(self, request: Request) -> User:
        """Return the user of a request that needs one. Raises a `Refusal`."""
        found = await self.find(request)
        if found is None:
            raise self._unknown(request)
        if found.cookie:
            _check_csrf(request, found.cookie)
        request.scope["user"], request.scope["identity"] = found.user, found
        return found.user

    async def named(self, name: str) -> User | None:
        """Return the user with this name as it is now, for what runs without a request. "" is whoever has the machine;
        None where nobody has this name, or may not come in any more."""
        known = User("") if not name else self._users.named(name)
        if known is not None or self._accounts is None:
            return known
        account = await self._accounts.records.account(name_key(name))
        is_in = account is not None and account.name == name and not account.disabled
        return self._accounts.user(account) if account is not None and is_in else None

    async def is_gone(self, request: Request) -> bool:
        """Return whether the user of a request that still runs could not send it any more."""
        began = request.scope.get("identity")
        if began is None:
            return False
        found = await self.find(request)
        return found is None or found.user.rights != began.user.rights

    async def is_out(self, user: User) -> bool:
        """Return whether somebody who runs something may not use the server any more."""
        return self._accounts is not None and await self._accounts.is_shut_out(user)

    def _unknown(self, request: Request) -> Refusal:
        if tokens_of(request.headers):
            text = "the token is not valid: send Authorization: Bearer TOKEN, or x-api-key: TOKEN"
            return Refusal("authentication", text, code="token_invalid")
        if self._accounts is None:
            text = "a token is needed: send Authorization: Bearer TOKEN, or x-api-key: TOKEN"
            return Refusal("authentication", text, code="token_missing")
        text = "log in on the page, or send a token: Authorization: Bearer TOKEN, or x-api-key: TOKEN"
        return Refusal("authentication", text, code="login_needed")


def identity_of(request: Request) -> Identity:
    """Return who sent a request that was let in."""
    return request.scope["identity"]


def login_of(request: Request) -> str:
    """Return the secret in the cookie; "" where there is none, or several: then another page may have set one."""
    if request.scope["type"] != "http":
        # A page of another origin can open a WebSocket, and the browser would send the cookie along.
        return ""
    return cookie_value(request, COOKIE)


def csrf_of(secret: str) -> str:
    """Return what a page has to send with changes. It follows from the login, which no other page can read."""
    return hmac.new(secret.encode(), b"toolpost csrf", hashlib.sha256).hexdigest()


def set_login(request: Request, login: LoggedIn, *, is_secure: bool) -> None:
    request.cookies_out.append(cookie(COOKIE, login.secret, round(login.seconds), is_secure=is_secure))


def forget_login(request: Request, *, is_secure: bool) -> None:
    request.cookies_out.append(cookie(COOKIE, "", 0, is_secure=is_secure))


def cookie(name: str, value: str, seconds: int, *, is_secure: bool, path: str = "/") -> str:
    secure = "; Secure" if is_secure else ""
    return f"{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def cookie_value(request: Request, name: str) -> str:
    """Return the value; "" where there is none, or several: then another page may have set one."""
    found = _cookies(request.headers.getlist("cookie"), name)
    return found[0] if len(found) == 1 else ""


def _cookies(lines: list[str], name: str) -> list[str]:
    pairs = [pair.partition("=") for line in lines for pair in line.split(";")]
    return [value.strip() for key, _, value in pairs if key.strip() == name]


def _check_csrf(request: Request, secret: str) -> None:
    """Refuse a change that another page made the browser send. A page of ours knows what to send along."""
    if request.method in SAFE_METHODS:
        return
    given = request.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(given.encode(), csrf_of(secret).encode()):
        text = f"the header {CSRF_HEADER} is missing or wrong: send the value of `csrf` from GET /api/auth"
        raise Refusal("permission", text, code="csrf")
