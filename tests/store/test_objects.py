"""Objects of the gateway's API: kept for their owner, in chains, and no more of them than the limits say."""

import asyncio

import pytest

from toolpost.store.contract import ObjectLimits, Store, StoredObject

ROOM = ObjectLimits(100, 1_000_000)


def made(number: int, *, owner: str = "ann", previous: str | None = None, size: int = 2) -> StoredObject:
    return StoredObject(f"resp_{number}", owner, "response", float(number), b"x" * size, previous)


async def kept(store: Store, *numbers: int) -> list[int]:
    found = [(number, await store.find_object("ann", "response", f"resp_{number}")) for number in numbers]
    return [number for number, one in found if one is not None]


async def test_an_object_comes_back_as_it_was_put(store: Store) -> None:
    body = '{"text": "é\\u0000"}'.encode()
    stored = StoredObject("resp_1", "ann", "response", 1.5, body, "resp_0")
    await store.put_object(stored, ROOM)
    assert await store.find_object("ann", "response", "resp_1") == stored
    again = StoredObject("resp_1", "ann", "response", 2.5, b"{}")
    await store.put_object(again, ROOM)
    assert await store.find_object("ann", "response", "resp_1") == again


async def test_an_object_is_found_by_its_owner_and_under_its_kind_only(store: Store) -> None:
    await store.put_object(made(1), ROOM)
    assert await store.find_object("bob", "response", "resp_1") is None
    assert await store.find_object("ann", "conversation", "resp_1") is None
    assert await store.object_chain("bob", "response", "resp_1") == []
    assert not await store.change_object("bob", "response", "resp_1", lambda body: b"changed", 2.0, ROOM)
    assert not await store.delete_object("bob", "response", "resp_1")
    assert not await store.delete_object("ann", "conversation", "resp_1")
    assert await store.find_object("ann", "response", "resp_1") == made(1)


async def test_a_deleted_object_is_gone(store: Store) -> None:
    await store.put_object(made(1), ROOM)
    assert await store.delete_object("ann", "response", "resp_1")
    assert not await store.delete_object("ann", "response", "resp_1")
    assert await store.find_object("ann", "response", "resp_1") is None


async def test_a_chain_is_told_from_its_beginning_as_far_as_it_is_kept(store: Store) -> None:
    chain = [made(1), made(2, previous="resp_1"), made(3, previous="resp_2")]
    for one in chain:
        await store.put_object(one, ROOM)
    assert await store.object_chain("ann", "response", "resp_3") == chain
    assert await store.object_chain("ann", "response", "resp_2") == chain[:2]
    await store.delete_object("ann", "response", "resp_1")
    assert await store.object_chain("ann", "response", "resp_3") == chain[1:]
    assert await store.object_chain("ann", "response", "resp_9") == []


@pytest.mark.timeout(60)
async def test_an_object_that_follows_itself_has_an_end(store: Store) -> None:
    await store.put_object(made(1, previous="resp_1"), ROOM)
    assert (await store.object_chain("ann", "response", "resp_1"))[-1].id == "resp_1"


async def test_the_oldest_go_where_there_are_too_many(store: Store) -> None:
    await store.put_object(made(0, owner="bob"), ROOM)
    for number in range(5):
        await store.put_object(made(number), ObjectLimits(3, 1_000_000))
    assert await kept(store, 0, 1, 2, 3, 4) == [2, 3, 4]
    assert await store.find_object("bob", "response", "resp_0") is not None


async def test_the_oldest_go_where_they_are_too_large_together(store: Store) -> None:
    for number in range(4):
        await store.put_object(made(number, size=400), ObjectLimits(100, 1_000))
    assert await kept(store, 0, 1, 2, 3) == [2, 3]
    await store.put_object(made(4, size=1_001), ObjectLimits(100, 1_000))
    assert await kept(store, 2, 3, 4) == []


async def test_what_is_too_old_goes(store: Store) -> None:
    for number in range(3):
        await store.put_object(made(number), ObjectLimits(100, 1_000_000, since=float(number) - 1.0))
    assert await kept(store, 0, 1, 2) == [1, 2]


async def test_what_a_change_adds_counts_at_once(store: Store) -> None:
    for number in range(3):
        await store.put_object(made(number, size=300), ObjectLimits(100, 1_000))
    limits = ObjectLimits(100, 1_000)
    assert await store.change_object("ann", "response", "resp_0", lambda body: body + b"x" * 300, 3.0, limits)
    assert await kept(store, 0, 1, 2) == [0, 2]


async def test_changes_at_the_same_time_are_all_made(store: Store) -> None:
    await store.put_object(StoredObject("conv_1", "ann", "conversation", 1.0, b""), ROOM)

    async def add(letter: bytes) -> bool:
        return await store.change_object("ann", "conversation", "conv_1", lambda body: body + letter, 2.0, ROOM)

    letters = [bytes([letter]) for letter in b"abcdefgh"]
    assert all(await asyncio.gather(*map(add, letters)))
    found = await store.find_object("ann", "conversation", "conv_1")
    assert found is not None
    assert sorted(found.body) == list(b"abcdefgh")
    assert found.time == 2.0
