"""Slow down whoever guesses passwords: by the name that is tried, by the address that tries, and by both together.

Failures are counted in the store, so that they count in all workers and over a restart. An attempt counts as failed
from its beginning, so that many at once are no way around; a login that succeeds takes it back.
"""

import hashlib
import ipaddress
import time
from collections.abc import Callable, Iterable, Mapping

import msgspec
from msgspec import Struct

from toolpost.server.refusals import Refusal
from toolpost.store.account_records import AccountRecord, AccountStore

KIND = "failures"
# So many failures are free; each one more doubles the wait, up to the longest; seconds.
FREE = {"both": 5, "name": 20, "address": 30}
LONGEST_WAIT = {"both": 900.0, "name": 60.0, "address": 900.0}
# Failures are forgotten after so long without another.
FORGET_SECONDS = 3600.0
# All people behind a proxy that is not trusted come from there.
FREE_ON_LOOPBACK = 300


class _Failures(Struct, frozen=True):
    count: int = 0
    until: float = 0.0


class Throttle:
    def __init__(self, store: Callable[[], AccountStore], clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    async def begin(self, name: str, address: str) -> None:
        """Count an attempt to log in. Raises a `Refusal` if there were too many."""
        await self._count(_ids(name, address), address)

    async def begin_sign_up(self, address: str) -> None:
        """Count an account that somebody makes without being invited."""
        await self._count({"address": _digest(f"sign-up\n{_network(address)}")}, address)

    async def begin_change(self, key: str, address: str) -> None:
        """Count an attempt of somebody logged in to change the own password."""
        await self._count({"both": _digest(f"change\n{key}")}, address)

    async def changed(self, key: str) -> None:
        await self._store().take_record(KIND, _digest(f"change\n{key}"))

    async def succeeded(self, name: str, address: str) -> None:
        """Forget the failures of a name. Those of the address stay but for this attempt: whoever has one account there
        must not get more guesses at others."""
        now, ids = self._clock(), _ids(name, address)

        def edit(there: Mapping[str, AccountRecord]) -> Iterable[AccountRecord]:
            failures = _read(there.get(ids["address"]), now)
            left = _Failures(max(0, failures.count - 1))
            return [
                _record(ids["address"], left, now),
                *(_record(ids[which], _Failures(), now) for which in ("both", "name")),
            ]

        await self._store().change_records(KIND, edit, ids=list(ids.values()))

    async def forget_old(self) -> None:
        await self._store().delete_records(KIND, expired_before=self._clock())

    async def _count(self, ids: Mapping[str, str], address: str) -> None:
        now = self._clock()
        waits: list[float] = []

        def edit(there: Mapping[str, AccountRecord]) -> Iterable[AccountRecord]:
            known = {which: _read(there.get(one), now) for which, one in ids.items()}
            waits[:] = [failures.until - now for failures in known.values() if failures.until > now]
            if waits:
                return []
            return [_counted(which, ids[which], failures, now, address) for which, failures in known.items()]

        await self._store().change_records(KIND, edit, ids=list(ids.values()))
        if waits:
            raise Refusal(
                "rate_limit",
                "too many attempts: wait before you try again, or ask an admin for a link that sets a new password",
                retry_after=max(waits),
                code="too_many_attempts",
            )


def _ids(name: str, address: str) -> dict[str, str]:
    place = _network(address)
    told = {"both": f"{name}\n{place}", "name": name, "address": place}
    return {which: _digest(f"{which}\n{text}") for which, text in told.items()}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _network(address: str) -> str:
    """Return what one person has of IPv6: whole networks of addresses."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def _read(record: AccountRecord | None, now: float) -> _Failures:
    if record is None or record.expires <= now:
        return _Failures()
    return msgspec.json.decode(record.body, type=_Failures)


def _counted(which: str, record_id: str, failures: _Failures, now: float, address: str) -> AccountRecord:
    free = FREE_ON_LOOPBACK if which == "address" and _is_loopback(address) else FREE[which]
    count = failures.count + 1
    beyond = count - free
    wait = min(LONGEST_WAIT[which], 2.0 ** min(beyond, 20)) if beyond >= 0 else 0.0
    return _record(record_id, _Failures(count, now + wait if wait else 0.0), now)


def _record(record_id: str, failures: _Failures, now: float) -> AccountRecord:
    return AccountRecord(KIND, record_id, msgspec.json.encode(failures), "", now, now + FORGET_SECONDS)


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return True
