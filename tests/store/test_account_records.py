"""Small records: kept once, changed by one at a time, taken by one, deleted when they expire; and uses add up."""

import asyncio
from collections.abc import Iterable, Mapping

from msgspec import structs

from toolpost.store.account_records import AccountRecord, ModelUse
from toolpost.store.contract import Store


def made(record_id: str, *, owner: str = "ann", time: float = 1.0, expires: float = 0.0) -> AccountRecord:
    return AccountRecord("login", record_id, b'{"\x00\xff', owner, time, expires)


async def ids(store: Store, owner: str | None = None) -> list[str]:
    return [one.id for one in await store.records("login", owner=owner)]


async def test_a_record_comes_back_as_it_was_added_and_is_not_added_twice(store: Store) -> None:
    first = made("1", expires=2.5)
    assert await store.add_record(first)
    assert not await store.add_record(made("1", owner="bob"))
    assert await store.find_record("login", "1") == first
    assert await store.find_record("token", "1") is None
    assert await store.find_record("login", "2") is None


async def test_of_many_who_add_the_same_id_one_succeeds(store: Store) -> None:
    added = await asyncio.gather(*(store.add_record(made("1", owner=str(n))) for n in range(8)))
    assert added.count(True) == 1


async def test_records_are_listed_by_their_time_and_owner(store: Store) -> None:
    for record in (made("late", time=3.0), made("early", time=1.0), made("bobs", owner="bob", time=2.0)):
        await store.add_record(record)
    assert await ids(store) == ["early", "bobs", "late"]
    assert await ids(store, "ann") == ["early", "late"]
    assert await ids(store, "") == []
    assert [one.id for one in await store.records("login", until=2.0)] == ["early", "bobs"]
    assert [one.id for one in await store.records("login", until=2.5, owner="ann")] == ["early"]


async def test_changes_of_one_kind_come_one_after_the_other(store: Store) -> None:
    def count(there: Mapping[str, AccountRecord]) -> Iterable[AccountRecord]:
        had = there.get("n")
        number = int(had.body) + 1 if had else 1
        return [AccountRecord("count", "n", str(number).encode())]

    await asyncio.gather(*(store.change_records("count", count, ids=["n"]) for _ in range(20)))
    assert (await store.find_record("count", "n")) == AccountRecord("count", "n", b"20")


async def test_a_change_sees_the_records_of_its_kind_or_of_the_ids_that_it_names(store: Store) -> None:
    await store.add_record(made("1"))
    await store.add_record(made("2"))
    await store.add_record(AccountRecord("token", "3", b""))
    seen: list[list[str]] = []

    def look(there: Mapping[str, AccountRecord]) -> Iterable[AccountRecord]:
        seen.append(sorted(there))
        return [structs.replace(one, owner="bob") for one in there.values()]

    await store.change_records("login", look, ids=["2", "4"])
    assert await ids(store, "bob") == ["2"]
    await store.change_records("login", look)
    assert await ids(store, "bob") == ["1", "2"]
    assert seen[0] == ["2"]
    assert seen[-1] == ["1", "2"]


async def test_of_many_who_take_a_record_one_gets_it(store: Store) -> None:
    await store.add_record(made("1"))
    taken = await asyncio.gather(*(store.take_record("login", "1") for _ in range(8)))
    assert [one for one in taken if one is not None] == [made("1")]
    assert await ids(store) == []


async def test_records_are_deleted_by_their_owner_and_by_their_end(store: Store) -> None:
    for record in (made("1"), made("2", expires=10.0), made("3", expires=20.0), made("4", owner="bob", expires=10.0)):
        await store.add_record(record)
    assert await store.delete_records("login", expired_before=10.0, owner="ann") == 1
    assert await ids(store) == ["1", "3", "4"]
    assert await store.delete_records("login", expired_before=10.0) == 1
    assert await store.delete_records("login", owner="ann") == 2
    assert await store.delete_records("login") == 0


async def test_uses_of_a_day_add_up(store: Store) -> None:
    first = ModelUse("2026-01-02", "ann", "up/m", 1, 10, 20, 0.5)
    await store.add_uses([first, ModelUse("2026-01-01", "ann", "up/m", 1)])
    await store.add_uses([ModelUse("2026-01-02", "ann", "up/m", 2, 1, 1, 0.25), ModelUse("2026-01-02", "", "up/m", 1)])
    assert await store.uses("2026-01-02") == [
        ModelUse("2026-01-02", "", "up/m", 1),
        ModelUse("2026-01-02", "ann", "up/m", 3, 11, 21, 0.75),
    ]
    assert len(await store.uses("2026-01-01")) == 3
    assert await store.uses("2026-01-03") == []
