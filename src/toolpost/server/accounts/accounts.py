"""Accounts of people: set up, invite, sign up, log in, reset and end them.

Whatever decides about access is looked up in the store with every request, so that it holds in all workers at once: a
login of an older generation than its account, or of a disabled one, is over.
"""

import logging
import time
from collections.abc import Callable, Iterable, Mapping

import msgspec
from msgspec import Struct, structs

from toolpost.config.schema import GatewaySettings, Right, UserSettings
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.server.users import User
from toolpost.store.account_records import AccountStore

from .names import checked_name, is_reserved, name_key
from .passwords import Passwords, check_password
from .records import (
    ACCOUNT,
    IDENTITY,
    LOGIN,
    RETIRED,
    TOKEN,
    TOKEN_PREFIX,
    Account,
    ApiToken,
    Link,
    LinkKind,
    Login,
    ProviderIdentity,
    Records,
    Retired,
    digest,
    new_secret,
)
from .roles import Role, role_of, unknown_role
from .throttle import Throttle

HOUR = 3600.0
DAY = 86_400.0
SETUP_SECONDS = DAY
RESET_SECONDS = DAY
MOST_INVITATION_DAYS = 90.0
# A login that is used is noted so many times before it would be over, instead of with every request.
NOTED_PARTS = 20
MOST_LOGINS = 50
SET_UP_SECONDS = 60.0

log = logging.getLogger("toolpost.server")


class LoggedIn(Struct, frozen=True):
    """`secret` is what the cookie gets, for `seconds`."""

    account: Account
    secret: str
    seconds: float


class Directory:
    """What the configuration says of people, as it is now: roles, and the roles of users with tokens."""

    def __init__(self, roles: Mapping[str, Role], users: Mapping[str, UserSettings]) -> None:
        self.replace(roles, users)

    def replace(self, roles: Mapping[str, Role], users: Mapping[str, UserSettings]) -> None:
        self.roles = dict(roles)
        self.users = {name_key(name): role_of(given) for name, given in users.items()}

    def role(self, name: str) -> Role:
        return self.roles.get(name) or unknown_role(name)


class Accounts:
    def __init__(
        self,
        store: Callable[[], AccountStore],
        settings: GatewaySettings,
        directory: Directory,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.records = Records(store, clock)
        self.directory = directory
        self.settings = settings
        self._logins = settings.logins
        self._passwords = Passwords()
        self.throttle = Throttle(store, clock)
        self._set_up_at = float("-inf")

    def user(self, account: Account) -> User:
        return User(account.name, self.directory.role(account.role), account=account.key)

    async def is_set_up(self) -> bool:
        """Return whether there was an admin a moment ago: everybody may ask, so not everybody makes the store look."""
        now = self.records.now()
        if now - self._set_up_at > SET_UP_SECONDS and not await self.needs_setup():
            self._set_up_at = now
        return now - self._set_up_at <= SET_UP_SECONDS

    async def needs_setup(self) -> bool:
        return not any(self.administers(one) for one in await self.records.accounts())

    async def new_setup_link(self, secret: str) -> bool:
        """Keep the link that makes the first admin, in the place of an older one. False where there is an admin."""
        if not await self.needs_setup():
            return False
        await self.records.open().delete_records("setup")
        return await self.records.add("setup", digest(secret), Link(), expires=self.records.now() + SETUP_SECONDS)

    async def set_up(self, secret: str, name: str, password: str) -> LoggedIn:
        """Make the first admin. Raises a `Refusal`."""
        name = checked_name(name)
        check_password(password, name)
        await self._link("setup", secret)
        if not await self.needs_setup():
            raise _link_invalid()
        await self._check_free(name, retired_too=False)
        hashed = await self._passwords.hash(password)
        await self._take("setup", secret)
        return await self._signed_up(name, "admin", hashed, made_by=name, reuse=True)

    async def sign_up(self, name: str, password: str, invitation: str, address: str) -> LoggedIn:
        name = checked_name(name)
        check_password(password, name)
        if not invitation and not self._logins.sign_up:
            raise Refusal(
                "permission", "sign-up is off on this server: ask an admin for an invitation", code="sign_up_off"
            )
        if invitation:
            link = await self._link("invitation", invitation)
        else:
            await self.throttle.begin_sign_up(address)
            link = Link(role=self._logins.sign_up_role)
        await self._check_free(name)
        hashed = await self._passwords.hash(password)
        if invitation:
            link = await self._take("invitation", invitation)
        return await self._signed_up(name, link.role, hashed, made_by=link.made_by)

    async def invitation(self, secret: str) -> tuple[Link, float]:
        """Return an invitation that is still good, and when it expires."""
        link = await self._link("invitation", secret)
        record = await self.records.record("invitation", digest(secret))
        return link, record.expires if record else 0.0

    async def log_in(self, name: str, password: str, address: str, old: str = "") -> LoggedIn:
        """Log in with a password. An `old` login of the same browser is over then."""
        key = name_key(name)[:200]
        await self.throttle.begin(key, address)
        account = await self.records.account(key)
        is_right = await self._passwords.is_right(account.password if account else "", password)
        if account is None or not is_right or account.disabled:
            # One text for all, or it would tell which names there are.
            raise Refusal("authentication", "the name or the password is wrong", code="wrong_login")
        await self.throttle.succeeded(key, address)
        if self._passwords.is_outdated(account.password):
            await self._rehash(account, password)
        await self.log_out(old)
        return await self.begin_login(account)

    async def begin_login(self, account: Account) -> LoggedIn:
        now, secret = self.records.now(), new_secret()
        until = now + self._logins.hours * HOUR
        login = Login(account.key, account.generation, now, now, until)
        expires = min(until, now + self._logins.idle_hours * HOUR)
        await self.records.open().delete_records(LOGIN, expired_before=now)
        await self.records.add(LOGIN, digest(secret), login, owner=account.key, expires=expires)
        await self._end_oldest(account.key)

        def edit(known: Mapping[str, Account]) -> Iterable[Account]:
            return [structs.replace(one, last_login=now) for one in known.values()]

        await self.records.change_accounts(edit, account.key)
        return LoggedIn(account, secret, self._logins.hours * HOUR)

    async def of_login(self, secret: str) -> Account | None:
        """Return whose login this is, and note that it is used."""
        login = await self.records.find(LOGIN, digest(secret), Login)
        if login is None or self.records.now() >= login.until:
            return None
        account = await self.records.account(login.account)
        if account is None or account.disabled or account.generation != login.generation:
            return None
        await self._note_use(secret, login)
        return account

    async def of_token(self, secret: str) -> Account | None:
        if not secret.startswith(TOKEN_PREFIX):
            return None
        token = await self.records.find(TOKEN, digest(secret), ApiToken)
        account = await self.records.account(token.account) if token else None
        if token is None or account is None or account.disabled:
            return None
        rights = self.directory.role(account.role).rights
        return account if await self._may_make(token.made_by, rights, account.key) else None

    async def log_out(self, secret: str) -> None:
        if secret:
            await self.records.open().take_record(LOGIN, digest(secret))

    async def change_password(self, account: Account, old: str, new: str, address: str) -> LoggedIn:
        """Set another password and end all logins; the returned one takes the place of this one."""
        check_password(new, account.name)
        # Counted apart from logins: nobody else's attempts on the name are to keep its owner from changing it.
        await self.throttle.begin_change(account.key, address)
        if not await self._passwords.is_right(account.password, old):
            raise Refusal("permission", "the old password is wrong", code="wrong_password")
        await self.throttle.changed(account.key)
        return await self._with_password(account.key, await self._passwords.hash(new), account.generation)

    async def new_reset_link(self, key: str, made_by: str) -> str:
        """Make a link with which this person sets a new password; older ones work no more."""
        secret = new_secret()
        await self.records.open().delete_records("reset", owner=key)
        link = Link(account=key, made_by=made_by)
        await self.records.add("reset", digest(secret), link, owner=key, expires=self.records.now() + RESET_SECONDS)
        return secret

    async def reset(self, secret: str, password: str) -> LoggedIn:
        link = await self._link("reset", secret)
        account = await self.records.account(link.account)
        check_password(password, account.name if account else "")
        hashed = await self._passwords.hash(password)
        link = await self._take("reset", secret)
        login = await self._with_password(link.account, hashed)
        # A reset is for an account that somebody else may have been in.
        await self.end_made(lambda owner, made_by: owner == link.account != name_key(made_by), TOKEN)
        return login

    async def is_shut_out(self, user: User) -> bool:
        """Return whether a user who runs something may not use the server any more, or has another role now."""
        if not user.name:
            return False
        if not user.account:
            return self.directory.users.get(name_key(user.name)) != user.role.name
        account = await self.records.account(user.account)
        return account is None or account.disabled or account.role != user.role.name

    async def of_identity(self, provider: str, subject: str, wanted: str, role: str | None) -> Account:
        """Return the account of a person at a provider, made at the first login. It is never one that was there before
        under the same name: who may choose a name at the provider must not become somebody here."""
        record_id = digest(f"{provider}\n{subject}")
        identity = await self.records.find(IDENTITY, record_id, ProviderIdentity)
        account = await self.records.account(identity.account) if identity else None
        if account is None:
            name = await self._free_name(wanted)
            account = await self._made(name, role or self._logins.sign_up_role, "", made_by=provider, provider=provider)
            made = ProviderIdentity(account.key)
            await self.records.open().change_records(
                IDENTITY, lambda _: [self.records.made(IDENTITY, record_id, made, owner=account.key)], ids=[record_id]
            )
        elif role is not None and role != account.role:
            account = await self._with_role(account, role)
        if account.disabled:
            raise Refusal("permission", "this account is disabled: ask an admin", code="account_disabled")
        return account

    async def end_logins(self, key: str) -> None:
        await self.records.open().delete_records(LOGIN, owner=key)

    async def end_made(self, is_over: Callable[[str, str], bool], *kinds: str) -> None:
        """Delete the links and API tokens of these kinds for which this holds of their owner and who made them."""
        for kind in kinds:
            for record in await self.records.open().records(kind):
                made: Link | ApiToken = msgspec.json.decode(record.body, type=ApiToken if kind == TOKEN else Link)
                if is_over(made.account, made.made_by):
                    await self.records.open().take_record(kind, record.id)

    async def end_made_by(self, key: str) -> None:
        """Delete what somebody has made for others who may not make it any more."""
        await self.end_made(lambda owner, by: name_key(by) == key != owner, "reset", "invitation", TOKEN)

    async def taken_by_accounts(self, names: Iterable[str]) -> list[str]:
        """Return which of these names, new in the configuration, are those of accounts."""
        new = [name for name in names if name_key(name) not in self.directory.users]
        return [name for name in new if await self.records.account(name_key(name)) is not None]

    async def is_free(self, name: str, *, retired_too: bool = True) -> bool:
        """Return whether nobody has, or had, this name. Sessions and tokens go by names."""
        key = name_key(name)
        if is_reserved(name) or key in self.directory.users:
            return False
        if retired_too and await self.records.find(RETIRED, key, Retired) is not None:
            return False
        return await self.records.account(key) is None

    async def make(self, name: str, role: str, password: str, made_by: str) -> Account:
        """Make an account for somebody, as an admin does."""
        name = checked_name(name)
        if password:
            check_password(password, name)
        await self._check_free(name, retired_too=False)
        return await self._made(name, role, await self._passwords.hash(password) if password else "", made_by=made_by)

    def administers(self, account: Account) -> bool:
        can_log_in = bool(account.password or account.provider)
        return can_log_in and not account.disabled and "administer" in self.directory.role(account.role).rights

    async def _signed_up(self, name: str, role: str, hashed: str, *, made_by: str, reuse: bool = False) -> LoggedIn:
        if role not in self.directory.roles:
            raise Refusal(
                "conflict", f"the role {role} is not there any more: ask for another invitation", code="role_unknown"
            )
        if not reuse:
            await self._check_free(name)
        return await self.begin_login(await self._made(name, role, hashed, made_by=made_by))

    async def _check_free(self, name: str, *, retired_too: bool = True) -> None:
        if not await self.is_free(name, retired_too=retired_too):
            raise _name_taken()

    async def _made(self, name: str, role: str, hashed: str, *, made_by: str, provider: str = "") -> Account:
        now = self.records.now()
        account = Account(name, name_key(name), role, hashed, created=now, created_by=made_by, provider=provider)
        if not await self.records.add(ACCOUNT, account.key, account):
            raise _name_taken()
        await self.records.open().take_record(RETIRED, account.key)
        log.info("account %s was made, with the role %s", name, role)
        return account

    async def _free_name(self, wanted: str) -> str:
        """Return the name that a provider tells, or one like it that is free."""
        try:
            name = checked_name(wanted)
        except BadRequest:
            name = "person"
        for number in range(1, 1000):
            tried = name if number == 1 else f"{name[:56]}-{number}"
            if await self.is_free(tried):
                return tried
        raise _name_taken()

    async def _with_password(self, key: str, hashed: str, generation: int | None = None) -> LoggedIn:
        """Set the password and end all logins. With a `generation` it must not have changed meanwhile."""
        changed: list[Account] = []

        def edit(known: Mapping[str, Account]) -> Iterable[Account]:
            changed[:] = [
                structs.replace(one, password=hashed, generation=one.generation + 1)
                for one in known.values()
                if not one.disabled and generation in (None, one.generation)
            ]
            return changed

        await self.records.change_accounts(edit, key)
        if not changed:
            raise _link_invalid()
        await self.end_logins(key)
        return await self.begin_login(changed[0])

    async def _with_role(self, account: Account, role: str) -> Account:
        changed = [account]

        def edit(known: Mapping[str, Account]) -> Iterable[Account]:
            changed[:] = [structs.replace(one, role=role) for one in known.values()]
            return changed

        await self.records.change_accounts(edit, account.key)
        if "administer" not in self.directory.role(role).rights:
            await self.end_made_by(account.key)
        log.info("account %s has the role %s now, as its provider says", account.name, role)
        return changed[0] if changed else account

    async def _rehash(self, account: Account, password: str) -> None:
        hashed = await self._passwords.hash(password)

        def edit(known: Mapping[str, Account]) -> Iterable[Account]:
            same = [one for one in known.values() if one.password == account.password]
            return [structs.replace(one, password=hashed) for one in same]

        await self.records.change_accounts(edit, account.key)

    async def _note_use(self, secret: str, login: Login) -> None:
        now, idle = self.records.now(), self._logins.idle_hours * HOUR
        if now - login.seen < idle / NOTED_PARTS:
            return
        noted = structs.replace(login, seen=now)
        record = self.records.made(
            LOGIN, digest(secret), noted, owner=login.account, expires=min(login.until, now + idle)
        )
        # Only where it is still there: it may have been ended meanwhile.
        await self.records.open().change_records(LOGIN, lambda there: [record] if there else [], ids=[record.id])

    async def _end_oldest(self, key: str) -> None:
        for record in (await self.records.listed(LOGIN, owner=key))[:-MOST_LOGINS]:
            await self.records.open().take_record(LOGIN, record.id)

    async def _link(self, kind: LinkKind, secret: str) -> Link:
        return await self._good(kind, await self.records.find(kind, digest(secret), Link))

    async def _take(self, kind: LinkKind, secret: str) -> Link:
        return await self._good(kind, await self.records.take(kind, digest(secret), Link))

    async def _good(self, kind: LinkKind, link: Link | None) -> Link:
        if link is None:
            raise _link_invalid()
        if kind != "setup":
            account = await self.records.account(link.account) if kind == "reset" else None
            rights = self.directory.role(account.role if account else link.role).rights
            if not await self._may_make(link.made_by, rights, link.account):
                raise _link_invalid()
        return link

    async def _may_make(self, by: str, rights: frozenset[Right], owner: str) -> bool:
        """Return whether who made a link or token could make it now. One's own stay good; "" is the person who starts
        the server."""
        key = name_key(by)
        if key in ("", owner):
            return True
        role = self.directory.users.get(key)
        if role is None:
            account = await self.records.account(key)
            if account is None or account.disabled:
                return False
            role = account.role
        return self.directory.role(role).rights >= rights | {"administer"}


def _link_invalid() -> Refusal:
    return Refusal(
        "permission",
        "this link is not valid: it was used, or has expired; ask an admin for another",
        code="link_invalid",
    )


def _name_taken() -> Refusal:
    return Refusal("conflict", "name: this name cannot be used: choose another", param="name", code="name_taken")
