"""The records of accounts as values: people, their logins, links that work once, and API tokens.

Only hashes of what is secret are stored: who reads the store can log in as nobody.
"""

import hashlib
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from toolpost.store.account_records import AccountRecord, AccountStore

ACCOUNT, LOGIN, TOKEN, RETIRED, IDENTITY = "account", "login", "token", "retired name", "identity"
LinkKind = Literal["setup", "invitation", "reset"]
TOKEN_PREFIX = "toolpost-"

T = TypeVar("T", bound=Struct)


class Account(Struct, frozen=True, omit_defaults=True):
    """A person. `key` is the name without its case. `password` is an Argon2 hash, "" where there is none. Logins of an
    older `generation` are over. `provider` is where the person logs in instead of here, if anywhere."""

    name: str
    key: str
    role: str
    password: str = ""
    disabled: bool = False
    generation: int = 0
    created: float = 0.0
    created_by: str = ""
    last_login: float = 0.0
    provider: str = ""


class Login(Struct, frozen=True, omit_defaults=True):
    """`until` is when it is over whatever happens; it is over sooner if it is not used."""

    account: str
    generation: int
    created: float
    seen: float
    until: float


class Link(Struct, frozen=True, omit_defaults=True):
    """A link that works once. `account` is whose password it resets; `role` is what an invitation gives."""

    account: str = ""
    role: str = ""
    made_by: str = ""


class ApiToken(Struct, frozen=True, omit_defaults=True):
    id: str
    account: str
    name: str
    made_by: str = ""


class ProviderIdentity(Struct, frozen=True, omit_defaults=True):
    """A person at a provider, and the account here."""

    account: str


class Retired(Struct, frozen=True, omit_defaults=True):
    """A name that somebody had whose sessions may still be stored. Only an admin gives it to somebody again."""

    name: str


def new_secret(prefix: str = "") -> str:
    return prefix + secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


class Records:
    """Reads and writes the values in a store."""

    def __init__(self, store: Callable[[], AccountStore], clock: Callable[[], float] = time.time) -> None:
        self.open = store
        self.now = clock

    async def find(self, kind: str, record_id: str, of: type[T]) -> T | None:
        """Return a value that has not expired."""
        record = await self.open().find_record(kind, record_id)
        return None if record is None or self._is_over(record) else msgspec.json.decode(record.body, type=of)

    async def record(self, kind: str, record_id: str) -> AccountRecord | None:
        record = await self.open().find_record(kind, record_id)
        return None if record is None or self._is_over(record) else record

    async def listed(self, kind: str, *, owner: str | None = None) -> list[AccountRecord]:
        return [one for one in await self.open().records(kind, owner=owner) if not self._is_over(one)]

    async def add(self, kind: str, record_id: str, value: Struct, *, owner: str = "", expires: float = 0.0) -> bool:
        return await self.open().add_record(self.made(kind, record_id, value, owner=owner, expires=expires))

    async def take(self, kind: str, record_id: str, of: type[T]) -> T | None:
        """Delete a value and return it, if it has not expired; of several who take it one gets it."""
        record = await self.open().take_record(kind, record_id)
        return None if record is None or self._is_over(record) else msgspec.json.decode(record.body, type=of)

    def made(self, kind: str, record_id: str, value: Struct, *, owner: str = "", expires: float = 0.0) -> AccountRecord:
        return AccountRecord(kind, record_id, msgspec.json.encode(value), owner, self.now(), expires)

    def _is_over(self, record: AccountRecord) -> bool:
        return 0 < record.expires <= self.now()

    async def accounts(self) -> list[Account]:
        return [msgspec.json.decode(one.body, type=Account) for one in await self.open().records(ACCOUNT)]

    async def account(self, key: str) -> Account | None:
        return await self.find(ACCOUNT, key, Account)

    async def change_accounts(self, edit: Callable[[Mapping[str, Account]], Iterable[Account]], *keys: str) -> None:
        """Change accounts while nobody else does; `edit` sees those of these keys, or all of them, by their keys."""

        def change(there: Mapping[str, AccountRecord]) -> Iterable[AccountRecord]:
            known = {key: msgspec.json.decode(record.body, type=Account) for key, record in there.items()}
            return [AccountRecord(ACCOUNT, one.key, msgspec.json.encode(one), time=one.created) for one in edit(known)]

        await self.open().change_records(ACCOUNT, change, ids=keys or None)
