"""Sessions and approvals of several users in one store: each sees its own, and only its own."""

from collections.abc import AsyncIterator

import pytest

from toolpost.store.contract import Approval, SessionChanges, SessionInfo, Store
from toolpost.types.errors import SessionNotFound
from toolpost.types.messages import Message, TextPart


async def filled(store: Store, session_id: str, owner: str, updated: float = 0.0, *, folder: str = "/f") -> None:
    info = SessionInfo(session_id, f"Title of {session_id}", folder, owner=owner, updated=updated, head="a")
    await store.create(info)
    message = Message("a", "user", (TextPart(f"a needle of {session_id}"),), None, updated)
    await store.commit(SessionChanges(session_id, info, [message]))


async def document_of(store: Store, session_id: str) -> bytes:
    return b"".join([piece async for piece in store.export(session_id)])


async def in_one_piece(document: bytes) -> AsyncIterator[bytes]:
    yield document


async def test_each_owner_is_told_of_its_own_sessions_and_none_asked_for_tells_of_all(store: Store) -> None:
    for number, owner in enumerate(["anna", "bert", "", "anna"]):
        await filled(store, f"s{number}", owner, float(number), folder=f"/f{number % 2}")
    assert [info.id async for info in store.sessions(owner="anna")] == ["s3", "s0"]
    assert [info.id async for info in store.sessions(owner="")] == ["s2"]
    assert [info.id async for info in store.sessions(owner="nobody")] == []
    assert [info.id async for info in store.sessions()] == ["s3", "s2", "s1", "s0"]
    assert [info.id async for info in store.sessions(owner="anna", folder="/f1", query="OF S")] == ["s3"]


async def test_a_long_list_of_one_owner_goes_on_over_its_pages(store: Store) -> None:
    for number in range(600):
        await store.create(SessionInfo(f"s{number}", owner="anna" if number % 2 else "bert", updated=number // 4))
    listed = [info async for info in store.sessions(owner="anna")]
    assert [info.id for info in listed] == [f"s{number}" for number in range(599, 0, -2)]


async def test_a_search_finds_what_is_the_owner_s(store: Store) -> None:
    await filled(store, "s1", "anna", 1.0)
    await filled(store, "s2", "bert", 2.0)
    await filled(store, "s3", "anna", 3.0)
    assert [hit.session_id async for hit in store.search("needle", owner="anna")] == ["s3", "s1"]
    assert [hit.session_id async for hit in store.search("needle", owner="")] == []
    assert [hit.session_id async for hit in store.search("needle")] == ["s3", "s2", "s1"]
    assert [hit.session_id async for hit in store.search("needle", session_id="s2", owner="bert")] == ["s2"]


async def test_somebody_else_s_session_is_as_one_that_is_not_there(store: Store) -> None:
    await filled(store, "s", "anna")
    for session_id in ("s", "nowhere"):
        with pytest.raises(SessionNotFound, match=f"no session {session_id}"):
            await anext(aiter(store.search("needle", session_id=session_id, owner="bert")))


async def test_an_owner_comes_back_with_the_session_and_can_be_changed(store: Store) -> None:
    await filled(store, "s", "anna")
    assert (await store.info("s")).owner == "anna"
    await store.update(SessionInfo("s", owner="bert"))
    assert [info.id async for info in store.sessions(owner="anna")] == []
    assert [info.id async for info in store.sessions(owner="bert")] == ["s"]
    await store.commit(SessionChanges("s", SessionInfo("s", owner="carl")))
    assert [info.id async for info in store.sessions(owner="carl")] == ["s"]


async def test_a_fork_is_whose_its_info_says(store: Store) -> None:
    await filled(store, "s", "anna")
    await store.fork("s", "a", SessionInfo("copy", owner="bert"))
    assert [info.id async for info in store.sessions(owner="bert")] == ["copy"]
    assert [hit.session_id async for hit in store.search("needle", owner="bert")] == ["copy"]


async def test_a_document_is_imported_for_whoever_brings_it(store: Store) -> None:
    await filled(store, "s", "anna")
    document = await document_of(store, "s")
    brought = await store.restore(in_one_piece(document), owner="bert")
    assert brought.owner == "bert"
    assert brought.id != "s"
    assert [info.id async for info in store.sessions(owner="bert")] == [brought.id]
    assert (await store.restore(in_one_piece(document))).owner == "anna"


async def test_each_owner_approves_for_itself(store: Store) -> None:
    hers = Approval("1", "p", "bash", "ls *", 1.0, "anna")
    his = Approval("2", "p", "bash", "ls *", 2.0, "bert")
    nobodys = Approval("3", "p", "bash", "ls *", 3.0)
    elsewhere = Approval("4", "q", "bash", "ls *", 4.0, "anna")
    await store.approve([hers, his, nobodys, elsewhere])
    assert await store.approvals() == [hers, his, nobodys, elsewhere]
    assert await store.approvals("p") == [hers, his, nobodys]
    assert await store.approvals("p", "anna") == [hers]
    assert await store.approvals("p", "") == [nobodys]
    assert await store.approvals(owner="anna") == [hers, elsewhere]
    again = Approval("5", "p", "bash", "ls *", 5.0, "anna")
    await store.approve([again])
    assert await store.approvals("p") == [his, nobodys, again]
