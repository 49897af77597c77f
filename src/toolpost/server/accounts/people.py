"""What admins do with accounts: list them, change roles, disable, reset and delete; invite, and make API tokens.

Nobody gives or takes rights that they do not have themselves, nobody changes the own account here, and one admin
always stays.
"""

import logging
from collections.abc import Callable, Iterable, Mapping

import msgspec
from msgspec import structs

from toolpost.server.refusals import BadRequest, Refusal
from toolpost.server.users import User
from toolpost.store.account_records import AccountRecord
from toolpost.types.ids import new_id

from .accounts import DAY, Accounts
from .names import name_key
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
    Retired,
    digest,
    new_secret,
)
from .roles import Role

log = logging.getLogger("toolpost.server")


class People:
    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._records = accounts.records

    async def listed(self) -> list[Account]:
        return sorted(await self._records.accounts(), key=lambda one: one.key)

    async def find(self, name: str) -> Account:
        account = await self._records.account(name_key(name))
        if account is None:
            raise Refusal(
                "not_found", f"there is no account {name}: GET /api/admin/users lists them", code="user_unknown"
            )
        return account

    async def make(self, by: User, name: str, role: str, password: str) -> Account:
        self._check_role(by, role)
        account = await self._accounts.make(name, role, password, by.name)
        log.info("%s made the account %s", by.name, account.name)
        return account

    async def change(self, by: User, name: str, *, role: str | None, disabled: bool | None) -> Account:
        account = await self.find(name)
        self._check_may_change(by, account)
        if role is not None:
            self._check_role(by, role)
        changed = await self._edited(
            account,
            lambda one: structs.replace(
                one,
                role=one.role if role is None else role,
                disabled=one.disabled if disabled is None else disabled,
                # A disabled account that is opened again has no logins left.
                generation=one.generation + (1 if disabled else 0),
            ),
        )
        if disabled:
            await self._end_all(account, tokens=False)
        elif role is not None and "administer" not in self._role(role).rights:
            # What an admin has made for others is not to outlive the right to.
            await self._accounts.end_made_by(account.key)
        log.info(
            "%s changed the account %s: role %s, disabled %s", by.name, account.name, changed.role, changed.disabled
        )
        return changed

    async def delete(self, by: User, name: str) -> None:
        account = await self.find(name)
        self._check_may_change(by, account)
        # First closed like a disabled one: whatever fails after that, nobody gets in.
        await self._edited(account, lambda one: structs.replace(one, disabled=True, generation=one.generation + 1))
        await self._end_all(account, tokens=True)
        retired = self._records.made(RETIRED, account.key, Retired(account.name))
        await self._records.open().change_records(RETIRED, lambda _: [retired], ids=[account.key])
        await self._records.open().take_record(ACCOUNT, account.key)
        log.info("%s deleted the account %s", by.name, account.name)

    async def new_reset_link(self, by: User, name: str) -> tuple[Account, str]:
        account = await self.find(name)
        self._check_rights(by, self._role(account.role), account.name)
        if account.provider:
            text = f"{account.name} logs in at {account.provider}, and has no password here"
            raise Refusal("conflict", text, code="no_password")
        if account.disabled:
            raise Refusal("conflict", f"{account.name} is disabled: enable it first", code="account_disabled")
        log.info("%s made a link that sets the password of %s", by.name, account.name)
        return account, await self._accounts.new_reset_link(account.key, by.name)

    async def invite(self, by: User, role: str, days: float) -> tuple[AccountRecord, str]:
        """Return an invitation and its secret, which nobody can read again."""
        self._check_role(by, role)
        secret, link = new_secret(), Link(role=role, made_by=by.name)
        expires = self._records.now() + days * DAY
        record = self._records.made("invitation", digest(secret), link, owner=name_key(by.name), expires=expires)
        await self._records.open().delete_records("invitation", expired_before=record.time)
        await self._records.open().add_record(record)
        log.info("%s made an invitation, with the role %s", by.name, role)
        return record, secret

    async def new_token(self, by: User, user: str, name: str) -> tuple[ApiToken, str]:
        account = await self.find(user)
        self._check_rights(by, self._role(account.role), account.name)
        secret = new_secret(TOKEN_PREFIX)
        token = ApiToken(new_id("tok"), account.key, name, by.name)
        await self._records.add(TOKEN, digest(secret), token, owner=account.key)
        log.info("%s made the token %s for %s", by.name, token.id, account.name)
        return token, secret

    async def delete_token(self, by: User, token_id: str) -> None:
        for record in await self._records.listed(TOKEN):
            if msgspec.json.decode(record.body, type=ApiToken).id == token_id:
                await self._records.open().take_record(TOKEN, record.id)
                log.info("%s deleted the token %s", by.name, token_id)
                return
        raise Refusal("not_found", f"there is no token {token_id}: GET /api/admin/tokens lists them")

    def _role(self, name: str) -> Role:
        return self._accounts.directory.role(name)

    def _check_role(self, by: User, role: str) -> None:
        known = self._accounts.directory.roles
        if role not in known:
            names = ", ".join(known)
            raise BadRequest(f"role: there is no role {role!r}; there are: {names}", param="role", code="role_unknown")
        self._check_rights(by, known[role], f"the role {role}")

    def _check_rights(self, by: User, role: Role, what: str) -> None:
        if not role.rights <= by.rights:
            text = f"{what} has rights that you do not have: ask somebody who has them"
            raise Refusal("permission", text, code="more_rights_than_yours")

    def _check_may_change(self, by: User, account: Account) -> None:
        if account.key == name_key(by.name):
            text = "this is your own account: ask another admin, so that nobody locks themselves out"
            raise Refusal("conflict", text, code="own_account")
        self._check_rights(by, self._role(account.role), account.name)

    async def _edited(self, account: Account, edit: Callable[[Account], Account]) -> Account:
        """Change an account, unless no admin would be left."""
        changed: list[Account] = []
        is_last = False

        def change(known: Mapping[str, Account]) -> Iterable[Account]:
            nonlocal is_last
            changed.clear()
            if account.key not in known:
                return []
            after = {**known, account.key: edit(known[account.key])}
            administers = self._accounts.administers
            is_last = any(map(administers, known.values())) and not any(map(administers, after.values()))
            if not is_last:
                changed.append(after[account.key])
            return changed

        await self._records.change_accounts(change)
        if is_last:
            raise Refusal("conflict", "this is the last admin: make another one first", code="last_admin")
        if not changed:
            raise Refusal("not_found", f"there is no account {account.name}", code="user_unknown")
        return changed[0]

    async def _end_all(self, account: Account, *, tokens: bool) -> None:
        store, key = self._records.open(), account.key
        for kind in (LOGIN, "reset", "invitation", *((TOKEN, IDENTITY) if tokens else ())):
            await store.delete_records(kind, owner=key)
        await self._accounts.end_made_by(key)
