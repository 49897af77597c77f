"""Runs whose end the store can't take: they have failed, and what they did is stored once that is possible."""

import pytest

from toolpost import Agent, RunNotStored, SqliteStore, StoreError, tool
from toolpost.testing import Gate, ScriptedModel, call, error, pause, text


class Disk:
    """SQLite's own limit of pages, which fails as a full disk does."""

    def __init__(self, store: SqliteStore) -> None:
        self._connection = store._writer._target._connection  # the limit holds for the connection that writes

    def fill(self) -> None:
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        self._connection.execute(f"PRAGMA max_page_count = {pages}")

    def free(self) -> None:
        self._connection.execute("PRAGMA max_page_count = 1000000")


@pytest.fixture
async def store(tmp_path):
    store = SqliteStore(tmp_path / "t.db")
    yield store
    await store.close()


@pytest.fixture
def disk(store):
    return Disk(store)


@pytest.fixture
def fill(disk):
    @tool
    def fill() -> str:
        """Fill the disk."""
        disk.fill()
        return "full " * 10_000

    return fill


async def test_a_run_that_could_not_be_stored_raises_and_brings_its_answer_along(store, fill):
    with ScriptedModel(call("fill"), text("the answer")) as model:
        session = Agent(model, tools=[fill], store=store).session()
        with pytest.raises(RunNotStored, match="this run could not be stored: the disk is full") as raised:
            await session.run("go")
    assert isinstance(raised.value, StoreError)
    assert (raised.value.result.text, raised.value.result.reason) == ("the answer", "error")


async def test_what_was_told_of_an_unstored_run_is_what_is_stored_later(store, disk, fill):
    with ScriptedModel(call("fill"), text("the answer")) as model:
        session = Agent(model, tools=[fill], store=store).session()
        told = [event async for event in session.stream("go")]
        assert session.is_unsaved
        # Who follows now misses nothing, though the store has not got it.
        assert [event async for event in session.events()] == told
        disk.free()
        await session.save()
    kept = [event async for event in store.events(session.id)]
    assert kept == told
    *_, end, _settled = kept
    assert (end.type, end.reason, end.error.code, end.text) == ("run_end", "error", "store", "the answer")
    info = await store.info(session.id)
    assert info.open_run is None
    assert [message.text for message in await store.branch(session.id, info.head)] == ["go", "", "the answer"]


async def test_what_waits_in_the_queue_stays_there_while_nothing_can_be_stored(store, disk, fill):
    gate = Gate()
    with ScriptedModel(call("fill") + pause(gate), text("the answer"), text("next"), text("last")) as model:
        session = Agent(model, tools=[fill], store=store).session()
        await session.begin("go")
        await gate.reached.wait()
        await session.queue("and then")
        gate.open()
        async for _ in session.events():
            pass
        assert len(model.requests) == 2
        assert [prompt.text for prompt in session.info.inbox] == ["and then"]
        disk.free()
        assert (await session.run("now")).text == "next"
    assert [message.text for message in session.messages if message.role == "user"] == ["go", "now", "and then"]


async def test_what_failed_before_stays_what_made_the_run_fail(store, fill):
    with ScriptedModel(call("fill"), error("bad_request", "the model is gone")) as model:
        session = Agent(model, tools=[fill], store=store).session()
        *_, end, _settled = [event async for event in session.stream("go")]
    assert (end.reason, end.error.code) == ("error", "bad_request")
    assert "the model is gone; and this run could not be stored" in end.error.message
