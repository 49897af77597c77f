"""Open runs in the store: what is kept of them, which are found, and where they come from."""

import asyncio

import msgspec
import pytest
from version_5 import SESSIONS

from toolpost.store import open_store
from toolpost.store.contract import SessionChanges, SessionInfo, Store
from toolpost.store.run_records import OpenRun, Prompt, RunRecord
from toolpost.types.errors import SessionNotFound
from toolpost.types.messages import FilePart, Usage

WHOLE = RunRecord(
    "run_1",
    "s",
    "queued",
    home="server",
    model="m/m",
    agent="build",
    prompts=(Prompt("p", "go \x00 去", steer=True, files=(FilePart("image/png", "a.png"),)),),
    asked={"effort": "high", "schema": {"type": "object"}},
    limits={"steps": 3},
    is_started=True,
    began=10.0,
    since=20.0,
    seconds=1.5,
    deaths=2,
    usage_before=Usage(1, 2),
    cost_before=None,
    head_before="msg_1",
    output_retries=1,
    insisting=True,
    nudge="go on",
    limit="max_steps",
)


async def opened(store: Store, session_id: str, state: str, began: float, **place: str) -> RunRecord:
    record = RunRecord(f"run_{session_id}", session_id, state, began=began)
    await store.create(SessionInfo(session_id, **place))
    await store.commit(SessionChanges(session_id, run=record))
    return record


async def found(store: Store, **wanted: object) -> list[str]:
    return [run.record.session_id async for run in store.open_runs(**wanted)]


async def test_an_open_run_is_kept_until_it_is_deleted(store: Store) -> None:
    await store.create(SessionInfo("s"))
    assert await store.open_run("s") is None
    await store.commit(SessionChanges("s", SessionInfo("s", open_run="run_1"), run=WHOLE))
    assert await store.open_run("s") == WHOLE
    # What says nothing of it leaves it as it is.
    await store.commit(SessionChanges("s", SessionInfo("s", title="t")))
    await store.update(SessionInfo("s", title="u"))
    assert await store.open_run("s") == WHOLE
    later = msgspec.structs.replace(WHOLE, state="waiting", prompts=())
    await store.commit(SessionChanges("s", run=later))
    assert await store.open_run("s") == later
    await store.commit(SessionChanges("s", run=None))
    assert await store.open_run("s") is None
    assert await found(store) == []


async def test_a_run_of_no_session_is_not_found(store: Store) -> None:
    for asking in (store.open_run("nowhere"), store.holder("nowhere")):
        with pytest.raises(SessionNotFound):
            await asking
    with pytest.raises(SessionNotFound):
        await store.commit(SessionChanges("nowhere", run=RunRecord("run_x", "nowhere")))


async def test_open_runs_are_found_by_state_owner_and_folder_and_the_first_begun_come_first(store: Store) -> None:
    await opened(store, "c", "running", 3.0, owner="anna", folder="/wiki")
    await opened(store, "a", "queued", 1.0, owner="anna", folder="/shop \x00")
    await opened(store, "b", "waiting", 2.0, owner="bob", folder="/wiki")
    await store.create(SessionInfo("idle", owner="anna", folder="/wiki"))
    assert await found(store) == ["a", "b", "c"]
    assert await found(store, states=("running", "queued")) == ["a", "c"]
    assert await found(store, states={"interrupted"}) == []
    assert await found(store, owner="anna") == ["a", "c"]
    assert await found(store, folder="/wiki") == ["b", "c"]
    assert await found(store, folder="/shop \x00") == ["a"]
    assert await found(store, states=("running",), owner="anna", folder="/wiki") == ["c"]
    assert await found(store, states=("running",), owner="bob") == []


async def test_an_open_run_comes_with_its_session_and_with_who_holds_that(store: Store) -> None:
    record = await opened(store, "s", "running", 1.0, owner="anna", folder="/wiki", parent="p")
    assert [run async for run in store.open_runs()] == [OpenRun(record, "/wiki", "anna", "p", None)]
    lease = await store.lease("s")
    (run,) = [run async for run in store.open_runs(states=("running",))]
    assert run.holder == await store.holder("s")
    assert run.holder is not None
    assert run.holder.is_alive
    lease.release()
    # At once, whatever the database knows of it by now.
    assert [run.holder async for run in store.open_runs()] == [None]


async def test_who_looks_at_all_open_runs_does_not_read_the_files_they_were_sent(store: Store) -> None:
    await store.create(SessionInfo("s"))
    both = (*WHOLE.prompts, Prompt("q", "no file"), Prompt("r", "two", files=(FilePart("a/b", "x"), FilePart("c/d"))))
    record = msgspec.structs.replace(WHOLE, prompts=both)
    await store.commit(SessionChanges("s", run=record))
    (run,) = [run async for run in store.open_runs()]
    assert [(prompt.text, prompt.files) for prompt in run.record.prompts] == [(prompt.text, ()) for prompt in both]
    assert await store.open_run("s") == record


async def test_many_open_runs_come_one_after_the_other(store: Store) -> None:
    ids = [f"s{number:03}" for number in range(600)]
    for number, session_id in enumerate(ids):
        await opened(store, session_id, "waiting", number // 7)
    assert sorted(await found(store)) == ids
    began = [run.record.began async for run in store.open_runs(states=("waiting",))]
    assert began == sorted(began)


async def test_neither_a_fork_nor_an_export_nor_a_deleted_session_takes_an_open_run_along(store: Store) -> None:
    await store.create(SessionInfo("s"))
    await store.commit(SessionChanges("s", SessionInfo("s", open_run="run_1"), run=WHOLE))
    await store.fork("s", None, SessionInfo("copy"))
    assert await store.open_run("copy") is None
    restored = await store.restore(store.export("s"))
    # The run itself goes on where it is; the copy says that it was cut off there.
    assert restored.open_run == "run_1"
    assert await store.open_run(restored.id) is None
    await store.delete("s")
    assert await found(store) == []
    await store.create(SessionInfo("s"))
    assert await store.open_run("s") is None


async def test_a_run_that_an_older_version_left_open_is_found(database_5: str) -> None:
    store = open_store(database_5)
    (run,) = [run async for run in store.open_runs(states=("running",))]
    assert run.record == RunRecord("run_old", "open")
    assert (run.owner, run.folder) == ("anna", "")
    async with asyncio.timeout(30):
        # A server that has just started takes nobody for dead for a few seconds.
        while (holder := await store.holder("open")) is not None and holder.is_alive:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.1)
    assert [await store.info(info.id) for info in SESSIONS] == list(SESSIONS)
    lease = await store.lease("open")
    await store.commit(SessionChanges("open", SessionInfo("open"), run=None))
    lease.release()
    assert await found(store) == []
    await store.close()
