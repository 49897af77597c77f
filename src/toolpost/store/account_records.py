"""The contract of a store for small records, as of accounts, logins and schedules; and how much each person has used.

What a record means is the business of its kind: a store keeps its `body`, finds it by its kind and id, and changes it
with nobody else changing it in between. Ids are hashes wherever they stand for something secret.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct


class AccountRecord(Struct, frozen=True, omit_defaults=True):
    """`owner` is whom it belongs to, "" for nobody. It may be deleted once it is past its `expires`, in seconds since
    1970; 0 means never. `time` is what records are listed by: when it was made, or when it has to be looked at."""

    kind: str
    id: str
    body: bytes
    owner: str = ""
    time: float = 0.0
    expires: float = 0.0


class ModelUse(Struct, frozen=True, omit_defaults=True):
    """What a user has used of a model on one day, written as 2026-01-31. `cost` is in US dollars."""

    day: str
    user: str
    model: str
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0


# Given the records that are there by id, returns those to write. It may be called twice, and in another thread, and
# must not raise.
RecordEdit = Callable[[Mapping[str, AccountRecord]], Iterable[AccountRecord]]


class AccountStore(Protocol):
    async def add_record(self, record: AccountRecord) -> bool:
        """Keep a new record. False where there is already one of its kind and id, which then stays."""
        ...

    async def find_record(self, kind: str, record_id: str) -> AccountRecord | None:
        """Return a record, also one that has expired."""
        ...

    async def records(self, kind: str, *, owner: str | None = None, until: float | None = None) -> list[AccountRecord]:
        """The oldest first, up to those of the time `until`. Without an owner, everybody's."""
        ...

    async def change_records(self, kind: str, edit: RecordEdit, *, ids: Sequence[str] | None = None) -> None:
        """Read the records of a kind, or those of these ids, and write what `edit` returns, as one transaction.

        No other `change_records` of this kind comes in between, in any process.
        """
        ...

    async def take_record(self, kind: str, record_id: str) -> AccountRecord | None:
        """Delete a record and return it. Of several who take it at once, one gets it."""
        ...

    async def delete_records(self, kind: str, *, owner: str | None = None, expired_before: float | None = None) -> int:
        """Delete the records of a kind, of this owner and that have expired by then where it is said; return how
        many."""
        ...

    async def add_uses(self, uses: Sequence[ModelUse]) -> None:
        """Add these to what is counted for the same day, user and model."""
        ...

    async def uses(self, since_day: str) -> list[ModelUse]:
        """What was used on this day and later, by day, user and model."""
        ...
