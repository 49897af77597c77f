"""What every store does, whichever it is."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import aclosing
from typing import Any, TypeVar

import msgspec
import pytest
import strategies
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolpost.store.contract import Approval, EventNotice, Exchange, SessionChanges, SessionInfo, Store
from toolpost.types.errors import SessionBusy, SessionNotFound, StoreError
from toolpost.types.events import Event, MessageUpdate, Settled
from toolpost.types.ids import new_id
from toolpost.types.messages import (
    CompactionPart,
    Completed,
    ErrorInfo,
    Failed,
    Message,
    Part,
    Pending,
    ReasoningPart,
    RetryPart,
    TextPart,
    ToolPart,
)

T = TypeVar("T")

same_store = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


async def gather(items: AsyncIterator[T]) -> list[T]:
    return [item async for item in items]


def message(message_id: str, parent: str | None = None, *parts: Part, time: float = 0.0) -> Message:
    return Message(message_id, "assistant", parts or (TextPart(f"text of {message_id}"),), parent, time)


def chain(*ids: str) -> list[Message]:
    return [message(this, parent) for this, parent in zip(ids, [None, *ids], strict=False)]


def deltas(session_id: str, seqs: Iterable[int]) -> list[Event]:
    return [MessageUpdate(seq, session_id, 1.0, "m", 0, "text", f"delta {seq}") for seq in seqs]


async def filled(store: Store, session_id: str, messages: list[Message], events: Iterable[Event] = ()) -> SessionInfo:
    info = SessionInfo(session_id, head=messages[-1].id if messages else None)
    await store.create(info)
    await store.commit(SessionChanges(session_id, info, messages, list(events)))
    return info


async def ids_of(messages: AsyncIterator[Message]) -> list[str]:
    return [found.id async for found in messages]


async def pieces(document: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(document), size):
        yield document[start : start + size]


async def exported(store: Store, session_id: str) -> bytes:
    return b"".join(await gather(store.export(session_id)))


@same_store
@given(data=st.data())
async def test_what_is_committed_comes_back_as_it_was(store: Store, data: st.DataObject) -> None:
    session_id = new_id("ses")
    info = data.draw(strategies.session_infos(st.just(session_id)))
    messages = data.draw(st.lists(strategies.messages(), max_size=4, unique_by=lambda m: m.id))
    drawn = data.draw(st.lists(strategies.events(session_ids=st.just(session_id)), max_size=6))
    events = [msgspec.structs.replace(event, seq=seq) for seq, event in enumerate(drawn, start=1)]
    await store.create(SessionInfo(session_id))
    await store.commit(SessionChanges(session_id, info, messages, events))
    assert await store.info(session_id) == msgspec.structs.replace(info, seq=max(info.seq, len(events)))
    assert await gather(store.messages(session_id)) == messages
    assert await gather(store.events(session_id)) == events
    for kept in messages:
        assert await store.message(session_id, kept.id) == kept
    await store.delete(session_id)


@same_store
@given(data=st.data())
async def test_an_exported_session_is_restored_whole(store: Store, data: st.DataObject) -> None:
    session_id = new_id("ses")
    info = data.draw(strategies.session_infos(st.just(session_id)))
    ids = data.draw(st.lists(strategies.names, max_size=4, unique=True))
    info = msgspec.structs.replace(info, head=data.draw(st.sampled_from([None, *ids])))
    messages = [
        data.draw(strategies.messages(st.just(this), st.sampled_from([None, *ids[:index]])))
        for index, this in enumerate(ids)
    ]
    drawn = data.draw(st.lists(strategies.events(session_ids=st.just(session_id)), max_size=4))
    events = [msgspec.structs.replace(event, seq=seq * 3) for seq, event in enumerate(drawn, start=1)]
    await store.create(SessionInfo(session_id))
    await store.commit(SessionChanges(session_id, info, messages, events))
    document = await exported(store, session_id)
    before = await store.info(session_id)
    await store.delete(session_id)

    size = data.draw(st.integers(1, len(document)))
    assert await store.restore(pieces(document, size)) == before
    assert await gather(store.messages(session_id)) == messages
    assert await gather(store.events(session_id)) == events
    assert await exported(store, session_id) == document
    await store.delete(session_id)


async def test_a_session_that_does_not_exist_is_said_so_everywhere(store: Store) -> None:
    asked: list[Any] = [
        store.info("no"),
        store.update(SessionInfo("no")),
        store.commit(SessionChanges("no")),
        store.branch("no", None),
        store.message("no", "m"),
        gather(store.messages("no")),
        gather(store.events("no")),
        gather(store.exchanges("no")),
        gather(store.search("x", session_id="no")),
        store.fork("no", None, SessionInfo("copy")),
        store.delete("no"),
        gather(store.export("no")),
    ]
    for question in asked:
        with pytest.raises(SessionNotFound, match="no session no"):
            await question
    with pytest.raises(SessionNotFound):
        await store.info("copy")


async def test_a_message_that_does_not_exist_is_said_so(store: Store) -> None:
    await filled(store, "s", chain("a"))
    asked: list[Any] = [store.message("s", "b"), store.branch("s", "b"), store.fork("s", "b", SessionInfo("copy"))]
    for question in asked:
        with pytest.raises(StoreError, match="session s has no message b"):
            await question
    with pytest.raises(SessionNotFound):
        await store.info("copy")


async def test_two_sessions_cannot_have_one_id(store: Store) -> None:
    await filled(store, "s", chain("a"))
    await store.create(SessionInfo("t"))
    for attempt in (store.create(SessionInfo("s")), store.fork("t", None, SessionInfo("s"))):
        with pytest.raises(StoreError, match="already a session s"):
            await attempt
    assert await ids_of(store.messages("s")) == ["a"]


async def test_an_update_replaces_the_info(store: Store) -> None:
    await store.create(SessionInfo("s", title="old"))
    await store.update(SessionInfo("s", title="new", updated=5.0))
    assert await store.info("s") == SessionInfo("s", title="new", updated=5.0)


async def test_a_message_keeps_its_place_and_its_last_state_wins(store: Store) -> None:
    await filled(store, "s", chain("a", "b"))
    states = [message("a", None, TextPart(text)) for text in ("one", "two", "three")]
    await asyncio.gather(*(store.commit(SessionChanges("s", messages=[state])) for state in states))
    assert [found.text async for found in store.messages("s")] == ["three", "text of b"]


async def test_a_commit_that_cannot_be_kept_leaves_nothing(store: Store) -> None:
    await filled(store, "s", [], deltas("s", [1, 2]))
    with pytest.raises(StoreError, match="already has an event 2"):
        await store.commit(SessionChanges("s", SessionInfo("s", title="new"), chain("a"), deltas("s", [2, 3])))
    assert (await store.info("s")).title == ""
    assert await gather(store.messages("s")) == []
    assert [event.seq async for event in store.events("s")] == [1, 2]


@same_store
@given(data=st.data())
async def test_a_subscriber_gets_every_event_after_its_last_and_no_other(store: Store, data: st.DataObject) -> None:
    session_id = new_id("ses")
    sizes = data.draw(st.lists(st.integers(1, 5), max_size=6))
    await store.create(SessionInfo(session_id))
    seq = 0
    for size in sizes:
        await store.commit(SessionChanges(session_id, events=deltas(session_id, range(seq + 1, seq + size + 1))))
        seq += size
    after = data.draw(st.integers(0, seq + 2))
    assert await gather(store.events(session_id, after)) == deltas(session_id, range(after + 1, seq + 1))


async def test_events_that_failed_and_come_late_stand_in_their_order(store: Store) -> None:
    await filled(store, "s", [], deltas("s", [4, 5]))
    await store.commit(SessionChanges("s", events=deltas("s", [1, 2, 3, 6, 7])))
    assert [event.seq async for event in store.events("s")] == [1, 2, 3, 4, 5, 6, 7]
    assert [event.seq async for event in store.events("s", 2)] == [3, 4, 5, 6, 7]
    assert (await store.info("s")).seq == 7


async def test_a_branch_is_the_path_from_the_root_to_its_head(store: Store) -> None:
    await filled(store, "s", [*chain("a", "b", "c"), message("b2", "a"), message("c2", "b2")])
    assert [found.id for found in await store.branch("s", "c2")] == ["a", "b2", "c2"]
    assert [found.id for found in await store.branch("s", "b")] == ["a", "b"]
    assert await store.branch("s", None) == []


async def test_the_end_of_a_path_is_read_page_by_page_over_compactions_too(store: Store) -> None:
    compaction = message("sum", "c", CompactionPart("so far", "c"))
    await filled(store, "s", [*chain("a", "b", "c"), message("other", "b"), compaction, message("d", "sum")])
    assert [found.id for found in await store.last_messages("s", "d", 2)] == ["sum", "d"]
    assert [found.id for found in await store.last_messages("s", "c", 2)] == ["b", "c"]
    assert [found.id for found in await store.last_messages("s", "c", 100)] == ["a", "b", "c"]
    assert await store.last_messages("s", None, 5) == []
    with pytest.raises(StoreError, match="no message gone"):
        await store.last_messages("s", "gone", 5)
    with pytest.raises(SessionNotFound):
        await store.last_messages("nowhere", "a", 5)


async def test_a_branch_with_a_missing_ancestor_is_not_passed_off_as_whole(store: Store) -> None:
    await filled(store, "s", [message("b", "gone"), message("c", "b")])
    with pytest.raises(StoreError, match="no message gone"):
        await store.branch("s", "c")
    with pytest.raises(StoreError, match="no message gone"):
        await store.fork("s", "c", SessionInfo("copy"))


@pytest.mark.parametrize(
    ("kept_from", "expected"),
    [("b", ["b", "c", "sum", "d"]), (None, ["sum", "d"]), ("nowhere", ["a", "b", "c", "sum", "d"])],
)
async def test_a_branch_begins_where_its_compaction_says(
    store: Store, kept_from: str | None, expected: list[str]
) -> None:
    compaction = message("sum", "c", CompactionPart("so far", kept_from))
    await filled(store, "s", [*chain("a", "b", "c"), compaction, message("d", "sum")])
    assert [found.id for found in await store.branch("s", "d")] == expected
    assert [found.id for found in await store.branch("s", "c")] == ["a", "b", "c"]


async def test_of_two_compactions_the_one_nearest_to_the_head_decides(store: Store) -> None:
    first = message("one", "b", CompactionPart("first", None))
    second = message("two", "c", CompactionPart("second", "b"))
    await filled(store, "s", [*chain("a", "b"), first, message("c", "one"), second, message("d", "two")])
    assert [found.id for found in await store.branch("s", "d")] == ["b", "one", "c", "two", "d"]


async def test_a_fork_copies_its_path_whole_and_goes_its_own_way(store: Store) -> None:
    compaction = message("sum", "b", CompactionPart("so far", "b"))
    await filled(store, "s", [*chain("a", "b"), message("other", "a"), compaction, message("c", "sum")])
    await store.fork("s", "sum", SessionInfo("copy", title="copy"))
    await store.commit(SessionChanges("copy", messages=[message("a", None, TextPart("changed")), message("d", "sum")]))
    assert await store.info("copy") == SessionInfo("copy", title="copy", head="sum", forked_from="s")
    assert await ids_of(store.messages("copy")) == ["a", "b", "sum", "d"]
    assert (await store.message("s", "a")).text == "text of a"
    assert await ids_of(store.messages("s")) == ["a", "b", "other", "sum", "c"]
    await store.delete("s")
    assert [found.id for found in await store.branch("copy", "d")] == ["b", "sum", "d"]


async def test_a_fork_at_no_message_is_empty(store: Store) -> None:
    await filled(store, "s", chain("a"))
    await store.fork("s", None, SessionInfo("copy"))
    assert await gather(store.messages("copy")) == []


async def test_a_deleted_session_is_gone_whole(store: Store) -> None:
    exchange = Exchange("a", "http://localhost", 200, 1.0, 2.0, 3.0, 4, 5)
    await filled(store, "s", chain("a"), deltas("s", [1]))
    await store.commit(SessionChanges("s", exchanges=[exchange]))
    await filled(store, "t", chain("a"), deltas("t", [1]))
    await store.delete("s")
    assert [info.id async for info in store.sessions()] == ["t"]
    assert [hit.session_id async for hit in store.search("text of a")] == ["t"]
    await store.create(SessionInfo("s"))
    for left in (store.messages("s"), store.events("s"), store.exchanges("s")):
        assert await gather(left) == []
    assert await ids_of(store.messages("t")) == ["a"]


async def test_sessions_are_listed_newest_first(store: Store) -> None:
    for number in range(600):
        updated = float(number % 300)
        await store.create(
            SessionInfo(f"s{number}", title=f"Title {number}", folder=f"/f{number % 2}", updated=updated)
        )
    listed = await gather(store.sessions())
    assert len(listed) == 600
    assert [info.updated for info in listed] == sorted((info.updated for info in listed), reverse=True)
    assert {info.folder async for info in store.sessions(folder="/f1")} == {"/f1"}
    found = [info.id async for info in store.sessions(query="tITLE 59", folder="/f1")]
    assert found == ["s599", "s597", "s595", "s593", "s591", "s59"]


@pytest.mark.parametrize(
    ("query", "found"),
    [("100%", ["a"]), ("100", ["b", "a"]), ("会话", ["c"]), ("_", []), ("É", []), ("", ["c", "b", "a"])],
)
async def test_a_title_is_looked_for_as_it_is_written(store: Store, query: str, found: list[str]) -> None:
    for number, (session_id, title) in enumerate([("a", "100% sure"), ("b", "1000 é"), ("c", "新会话")]):
        await store.create(SessionInfo(session_id, title=title, updated=float(number)))
    assert [info.id async for info in store.sessions(query=query)] == found


SEARCHED: dict[str, tuple[str, Callable[[str], Part]]] = {
    "text": ("needle", TextPart),
    "reasoning": ("needle", ReasoningPart),
    "an argument": ("needle", lambda text: ToolPart("c", "t", Completed({"deep": [{"x": text}]}, (), 1.0, 2.0))),
    "arguments as JSON": ('"city":"', lambda text: ToolPart("c", "t", Completed({"city": text}, (), 1.0, 2.0))),
    "a result": ("needle", lambda text: ToolPart("c", "t", Completed({}, (TextPart(text),), 1.0, 2.0))),
    "raw arguments": ("needle", lambda text: ToolPart("c", "t", Pending(text))),
    "a call's error": ("needle", lambda text: ToolPart("c", "t", Failed("failed", text))),
    "a summary": ("needle", CompactionPart),
    "a retry": ("needle", lambda text: RetryPart(1, ErrorInfo("server", text), 1.0)),
}


@pytest.mark.parametrize("place", SEARCHED)
async def test_a_search_looks_at(store: Store, place: str) -> None:
    query, part = SEARCHED[place]
    await filled(store, "s", [message("a", None, part("a NEEDLE in it")), message("b", "a", part("no such thing"))])
    found = [(hit.session_id, hit.message_id, hit.role) async for hit in store.search(query)]
    expected = [("s", "b", "assistant"), ("s", "a", "assistant")] if query != "needle" else [("s", "a", "assistant")]
    assert found == expected


async def test_a_search_looks_at_the_error_of_a_message(store: Store) -> None:
    await filled(store, "s", [Message("a", "assistant", (), error=ErrorInfo("server", "the NEEDLE broke"))])
    assert [hit.snippet async for hit in store.search("needle")] == ["the NEEDLE broke"]


@pytest.mark.parametrize(
    "text",
    [
        "天气怎么样",
        'say "hi" \\ here',
        "two\nlines\tand more",
        "50% of a_b!",
        "naïve 🎉",
        "x" * 3000,
        "\x00\x1b[0m",
        "a/b",
    ],
)
async def test_a_search_finds_any_text(store: Store, text: str) -> None:
    arguments = ToolPart("c", "t", Completed({"q": f"before {text} after"}, (), 1.0, 2.0))
    await filled(store, "s", [message("a", None, TextPart(f"before {text} after")), message("b", "a", arguments)])
    hits = await gather(store.search(text))
    assert [hit.message_id for hit in hits] == ["b", "a"]
    assert all(hit.snippet == f"before {text} after" for hit in hits)


@pytest.mark.parametrize("query", ["parts", "assistant", '"type"', "no such", "", "\ud800", "%", "metadata-value"])
async def test_a_search_never_finds_what_nobody_said(store: Store, query: str) -> None:
    await filled(store, "s", [message("a", None, TextPart("hello there", {"k": "metadata-value"}))])
    assert await gather(store.search(query)) == []


async def test_a_snippet_is_the_text_around_the_hit(store: Store) -> None:
    await filled(store, "s", [message("a", None, TextPart("a" * 500 + "here" + "b" * 500))])
    (hit,) = await gather(store.search("HERE"))
    assert hit.snippet == "…" + "a" * 60 + "here" + "b" * 60 + "…"


async def test_hits_come_newest_first(store: Store) -> None:
    for session, offset in (("s", 0), ("t", 1)):
        many = [message(f"{session}{n}", None, TextPart("needle"), time=2.0 * n + offset) for n in range(300)]
        await filled(store, session, many)
    hits = await gather(store.search("needle"))
    assert [hit.time for hit in hits] == [float(n) for n in reversed(range(600))]
    assert [hit.message_id async for hit in store.search("needle", session_id="s")] == [
        f"s{n}" for n in reversed(range(300))
    ]


async def test_a_restored_session_gets_a_new_id_if_its_own_is_taken(store: Store) -> None:
    info = await filled(store, "s", chain("a", "b"), deltas("s", [1, 2]))
    document = await exported(store, "s")
    copy = await store.restore(pieces(document, 7))
    assert copy.id != "s"
    assert copy == msgspec.structs.replace(info, id=copy.id, seq=2)
    assert await ids_of(store.messages(copy.id)) == ["a", "b"]
    assert await gather(store.events(copy.id)) == deltas(copy.id, [1, 2])
    assert await gather(store.events("s")) == deltas("s", [1, 2])


async def test_events_that_came_while_a_session_was_written_out_are_not_restored(store: Store) -> None:
    await filled(store, "s", chain("a", "b"), deltas("s", [1, 2, 3]))
    document = (await exported(store, "s")).replace(b'"seq":3}', b'"seq":2}', 1)
    await store.delete("s")
    info = await store.restore(pieces(document, 1000))
    assert [event.seq async for event in store.events("s")] == [1, 2]
    await store.commit(SessionChanges("s", info, [], deltas("s", [3])))
    assert [event.seq async for event in store.events("s")] == [1, 2, 3]


async def test_an_export_is_one_json_document(store: Store) -> None:
    await filled(store, "s", [message("a", time=3.0)], [Settled(1, "s", 2.0)])
    assert msgspec.json.decode(await exported(store, "s")) == {
        "format": "toolpost-session",
        "version": 1,
        "info": {"id": "s", "head": "a", "seq": 1},
        "messages": [{"id": "a", "role": "assistant", "parts": [{"type": "text", "text": "text of a"}], "time": 3.0}],
        "events": [{"type": "settled", "seq": 1, "session_id": "s", "time": 2.0}],
    }


async def test_a_torn_export_leaves_nothing(store: Store) -> None:
    await filled(store, "s", chain("a", "b"), deltas("s", [1, 2]))
    document = await exported(store, "s")
    await store.delete("s")
    for cut in range(len(document) - 1):
        with pytest.raises(StoreError, match="not a whole exported session"):
            await store.restore(pieces(document[:cut], 64))
    assert await gather(store.sessions()) == []
    assert await gather(store.search("text of")) == []


def _laid_out_anew(document: bytes) -> bytes:
    return msgspec.json.format(document, indent=2)


def _twice(document: bytes) -> bytes:
    return document + document


def _with_a_message_twice(document: bytes) -> bytes:
    return document.replace(b'"id":"b"', b'"id":"a"')


def _with_an_unknown_parent(document: bytes) -> bytes:
    return document.replace(b'"parent_id":"a"', b'"parent_id":"z"')


def _with_an_unknown_head(document: bytes) -> bytes:
    return document.replace(b'"head":"b"', b'"head":"z"')


def _with_itself_as_parent(document: bytes) -> bytes:
    return document.replace(b'"parent_id":"a"', b'"parent_id":"b"')


def _with_a_call_by_the_user(document: bytes) -> bytes:
    call = b'{"type":"tool","call_id":"c","name":"t","state":{"status":"pending"}}'
    user = b'{"id":"b","role":"user","parts":[' + call + b'],"parent_id":"a"}'
    return b"\n".join(user if line.startswith(b'{"id":"b"') else line for line in document.split(b"\n"))


def _with_a_summary_by_the_assistant(document: bytes) -> bytes:
    return document.replace(b'{"type":"text","text":"text of b"}', b'{"type":"compaction","summary":"x"}')


def _with_a_huge_number(document: bytes) -> bytes:
    return document.replace(b'"seq":2}', b'"seq":99999999999999999999}')


def _with_an_event_twice(document: bytes) -> bytes:
    return document.replace(b'"seq":2,"session', b'"seq":1,"session')


def _of_a_newer_version(document: bytes) -> bytes:
    return document.replace(b'"version":1', b'"version":2')


def _of_another_format(document: bytes) -> bytes:
    return document.replace(b'"toolpost-session"', b'"other"')


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_laid_out_anew, "line 1: it does not begin like an exported session"),
        (_twice, "more data after the end"),
        (_with_a_message_twice, "line 3: message a appears twice"),
        (_with_an_unknown_parent, "line 3: message b follows z"),
        (_with_an_unknown_head, "line 4: its head is z, which is not one of its messages"),
        (_with_itself_as_parent, "line 3: message b follows b"),
        (_with_a_call_by_the_user, "line 3: message b is a user's and has a part of type tool"),
        (_with_a_summary_by_the_assistant, "line 3: message b is an assistant's and has a part of type compaction"),
        (_with_a_huge_number, "line 1: its seq is"),
        (_with_an_event_twice, "line 6: event 1 comes after event 1"),
        (_of_a_newer_version, "newer Toolpost"),
        (_of_another_format, "'other'"),
        (lambda _: b"\x00\x01not a session\n", "line 1"),
        (lambda _: b"[1,\n2]", "line 1"),
    ],
)
async def test_a_foreign_file_is_refused_and_leaves_nothing(
    store: Store, change: Callable[[bytes], bytes], said: str
) -> None:
    await filled(store, "s", chain("a", "b"), deltas("s", [1, 2]))
    document = change(await exported(store, "s"))
    await store.delete("s")
    with pytest.raises(StoreError, match=said):
        await store.restore(pieces(document, 1000))
    assert await gather(store.sessions()) == []


async def test_a_session_is_leased_once_at_a_time(store: Store) -> None:
    lease = await store.lease("s")
    other = await store.lease("t")
    with pytest.raises(SessionBusy, match=r"session s has a run in this process: .* fork"):
        await store.lease("s")
    lease.release()
    again = await store.lease("s")
    lease.release()
    with pytest.raises(SessionBusy):
        await store.lease("s")
    again.release()
    other.release()


async def test_approvals_are_kept_per_project_and_can_be_taken_back(store: Store) -> None:
    one = Approval("1", "p", "bash", "ls *", 1.0)
    two = Approval("2", "q", "edit", "*", 2.0)
    await store.approve([one, two])
    assert await store.approvals() == [one, two]
    assert await store.approvals("q") == [two]
    assert await store.revoke("1")
    assert not await store.revoke("1")
    assert await store.approvals() == [two]


async def test_an_approval_given_twice_is_one(store: Store) -> None:
    await store.approve([Approval("1", "p", "bash", "ls *", 1.0), Approval("2", "p", "bash", "ls *", 2.0)])
    assert await store.approvals() == [Approval("2", "p", "bash", "ls *", 2.0)]
    described = Approval("3", "p", "bash", "ls *", 3.0, "", "digest", "what it says\nof itself: 你好")
    await store.approve([described])
    assert await store.approvals() == [described]


async def test_iterators_may_be_left_midway(store: Store) -> None:
    await filled(store, "s", [message(f"m{n}") for n in range(600)], deltas("s", range(1, 600)))
    for iterator in (store.messages("s"), store.events("s"), store.sessions(), store.search("text"), store.export("s")):
        async for _ in iterator:
            break
    await store.delete("s")
    assert await gather(store.sessions()) == []


async def test_messages_made_while_they_are_read_do_no_harm(store: Store) -> None:
    await filled(store, "s", [message(f"m{n}") for n in range(300)])
    seen: list[str] = []
    async for found in store.messages("s"):
        seen.append(found.id)
        if len(seen) == 10:
            await store.commit(SessionChanges("s", messages=[message("late")]))
    assert seen[:300] == [f"m{n}" for n in range(300)]


async def test_a_follower_hears_of_new_events_and_of_nothing_else(store: Store) -> None:
    await filled(store, "s", chain("a"), deltas("s", [1]))
    await store.create(SessionInfo("t"))
    async with aclosing(store.follow()) as noticed, asyncio.timeout(20):
        assert await anext(noticed) == EventNotice(None)
        await store.commit(SessionChanges("s", SessionInfo("s", title="new"), [message("b", "a")]))
        await store.commit(SessionChanges("t", events=deltas("t", [1, 2])))
        assert await anext(noticed) == EventNotice("t", 2)
        await store.commit(SessionChanges("s", events=deltas("s", [2])))
        assert await anext(noticed) == EventNotice("s", 2)


async def test_every_follower_hears_everything_and_a_slow_one_the_last_word_of_each_session(store: Store) -> None:
    for session_id in ("s", "t"):
        await store.create(SessionInfo(session_id))
    async with aclosing(store.follow()) as one, aclosing(store.follow()) as two, asyncio.timeout(20):
        assert [await anext(one), await anext(two)] == [EventNotice(None)] * 2
        for seq in range(1, 101):
            await store.commit(SessionChanges("s", events=deltas("s", [seq])))
        await store.commit(SessionChanges("t", events=deltas("t", [1])))
        for follower in (one, two):
            last: dict[str | None, int] = {}
            while last != {"s": 100, "t": 1}:
                notice = await anext(follower)
                last[notice.session_id] = notice.seq
