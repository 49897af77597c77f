"""The items of a batch through an engine: they are queued, driven by another process, and collected from the store."""

import asyncio
import contextlib
import functools
from argparse import ArgumentParser

import msgspec
import pytest
from batches import BatchConsole, by_id, decoded, echo, prompt_in
from console import PATIENCE
from temporal_server import TemporalServer

from toolpost.cli.batch.batch_runner import BatchLimits, BatchRunner
from toolpost.cli.batch.command import add_arguments
from toolpost.cli.batch.engine_runs import EngineRuns
from toolpost.cli.batch.item_sessions import ItemSessions
from toolpost.cli.batch.item_setups import ItemSetups
from toolpost.cli.batch.items import ItemFile
from toolpost.cli.batch.progress import BatchProgress
from toolpost.cli.batch.results import ResultFile
from toolpost.cli.batch.run_endings import RunEndings
from toolpost.cli.shared.open_session import SessionOpener
from toolpost.engine.local_driver import LocalDriver, LocalEngine
from toolpost.store import open_store
from toolpost.testing import Gate, Upstream, http_error, pause, text
from toolpost.types.errors import ToolpostError
from toolpost.workspace import Workspace


class QueueOnly:
    """An engine that nobody works for yet. It only notes what it was given."""

    def __init__(self) -> None:
        self.tickets = []

    async def submit(self, ticket, *, delay=0.0) -> None:
        self.tickets.append(ticket)


class LostAfter(QueueOnly):
    """One that is out of reach once it has been given so many runs."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    async def submit(self, ticket, *, delay=0.0) -> None:
        if len(self.tickets) == self._count:
            raise ToolpostError("the engine can't be reached")
        await super().submit(ticket)


async def open_runs(path) -> set[str]:
    store = open_store(str(path))
    try:
        return {found.record.id async for found in store.open_runs()}
    finally:
        await store.close()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder = tmp_path / "project"
    (folder / ".toolpost").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TOOLPOST_MODEL", "openai/scripted")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
    return folder


@pytest.fixture
async def model(monkeypatch):
    """Starts a model server with these turns, which `folder` asks from then on."""
    async with contextlib.AsyncExitStack() as stack:

        async def start(*turns, **options):
            up = await stack.enter_async_context(Upstream(*turns, **options))
            monkeypatch.setenv("OPENAI_BASE_URL", up.base_url)
            return up

        yield start


@contextlib.asynccontextmanager
async def driving(folder):
    """A process that drives what it is given, with a store and a workspace of its own."""
    workspace = Workspace(folder)

    async def open_session(info, record):
        setup = workspace.setup(workspace.model(record.model))
        return workspace.session(setup, info.id)

    engine = LocalEngine(LocalDriver(workspace.store, open_session), workspace.store)
    try:
        yield engine
    finally:
        await engine.close()
        await workspace.close()


async def run_batch(folder, engine, items, *, is_detached=False, then=None, retry_failed=False):
    """A batch of these items through an engine; `then` happens beside it."""
    (folder / "items.jsonl").write_bytes(b"".join(msgspec.json.encode(item) + b"\n" for item in items))
    parser = ArgumentParser()
    add_arguments(parser)
    args = parser.parse_args(["items.jsonl", "--quiet"])
    async with contextlib.AsyncExitStack() as stack:
        opener = SessionOpener(args, stack, lambda text: None)
        workspace = opener.workspace
        sessions = ItemSessions(workspace.store, workspace.project, "results.jsonl")
        results = stack.enter_context(ResultFile(folder / "results.jsonl", sessions.id_of, without_failed=retry_failed))
        results.mend()
        endings = await stack.enter_async_context(RunEndings(workspace.store))
        setups = ItemSetups(opener, None, folder)
        runs = EngineRuns(workspace, setups, sessions, engine, endings, is_detached=is_detached)
        runner = BatchRunner(results, BatchProgress(is_quiet=True), BatchLimits(100), retry_failed=retry_failed)
        file = stack.enter_context(ItemFile(folder / "items.jsonl"))
        beside = None if then is None else asyncio.create_task(then(runner))
        await runner.go(iter(file), runs)
        if beside is not None:
            await beside
    return by_id(decoded((folder / "results.jsonl").read_bytes()))


async def test_items_are_driven_elsewhere_and_their_results_come_back(folder, model):
    up = await model(echo, echo)
    async with driving(folder) as engine:
        item = {"prompt": "a", "id": "x", "system": "Be terse.", "metadata": {"row": 1}}
        results = await run_batch(folder, engine, [item, "b"])
    assert {name: result["text"] for name, result in results.items()} == {"x": "answer to a", "2": "answer to b"}
    assert results["x"]["metadata"] == {"row": 1}
    heads = {prompt_in(request): request.body["messages"][0]["content"] for request in up.requests}
    assert heads["a"].startswith("Be terse.")
    assert not heads["b"].startswith("Be terse.")


async def test_what_was_submitted_is_collected_by_the_same_command(folder, model):
    up, queue = await model(echo, echo), QueueOnly()
    assert await run_batch(folder, queue, ["a", "b"], is_detached=True) == {}
    assert up.requests == []
    async with driving(folder) as engine:
        for ticket in queue.tickets:
            await engine.submit(ticket)
        results = await run_batch(folder, engine, ["a", "b"])
        assert len(results) == 2
        assert await run_batch(folder, engine, ["a", "b"]) == results
    assert len(up.requests) == 2


async def test_a_run_that_is_queued_is_submitted_again_and_not_stored_twice(folder):
    """The process may have died between the two."""
    first, second = QueueOnly(), QueueOnly()
    await run_batch(folder, first, ["a"], is_detached=True)
    await run_batch(folder, second, ["a"], is_detached=True)
    assert [ticket.run_id for ticket in first.tickets] == [ticket.run_id for ticket in second.tickets]


async def test_a_signal_lets_the_engine_go_on_and_the_command_stop(folder, model):
    gate = Gate()
    await model(pause(gate) + text("late"))

    async def stop(runner):
        await gate.reached.wait()
        runner.stop("signal")

    async with driving(folder) as engine:
        assert await run_batch(folder, engine, ["a"], then=stop) == {}
        gate.open()
        results = await run_batch(folder, engine, ["a"])
    assert results["1"]["text"] == "late"


async def test_what_failed_is_submitted_again_only_when_that_is_asked_for(folder, model):
    await model(http_error(400, "no"), echo)
    async with driving(folder) as engine:
        run = functools.partial(run_batch, folder, engine, ["a"])
        assert (await run())["1"]["reason"] == "error"
        assert (await run())["1"]["reason"] == "error"
        assert (await run(retry_failed=True))["1"]["text"] == "answer to a"


async def test_what_the_engine_was_not_given_is_not_left_queued_and_is_run_by_the_next_start(folder, model):
    up, lost = await model(echo, echo, echo), LostAfter(1)
    with pytest.raises(ToolpostError, match="can't be reached"):
        await run_batch(folder, lost, ["a", "b", "c"], is_detached=True)
    assert await open_runs(folder.parent / "data" / "toolpost.db") == {ticket.run_id for ticket in lost.tickets}
    async with driving(folder) as engine:
        for ticket in lost.tickets:
            await engine.submit(ticket)
        results = await run_batch(folder, engine, ["a", "b", "c"])
    assert [results[name]["text"] for name in "123"] == ["answer to a", "answer to b", "answer to c"]
    assert sorted(map(prompt_in, up.requests)) == ["a", "b", "c"]


async def test_a_run_that_a_worker_has_taken_up_is_left_to_it_although_its_submission_seemed_to_fail(folder, model):
    gate = Gate()
    await model(pause(gate) + text("late"))
    async with driving(folder) as engine:

        class NoAnswer(QueueOnly):
            async def submit(self, ticket, *, delay=0.0) -> None:
                await engine.submit(ticket)
                await gate.reached.wait()
                raise ToolpostError("no answer in time")

        with pytest.raises(ToolpostError, match="no answer in time"):
            await run_batch(folder, NoAnswer(), ["a"])
        gate.open()
        results = await run_batch(folder, engine, ["a"])
    assert results["1"]["text"] == "late"


async def test_what_failed_before_is_run_when_the_engine_is_back(folder, model):
    await model(http_error(400, "no"), echo)
    async with driving(folder) as engine:
        await run_batch(folder, engine, ["a"])
        with pytest.raises(ToolpostError, match="can't be reached"):
            await run_batch(folder, LostAfter(0), ["a"], retry_failed=True)
        assert (await run_batch(folder, engine, ["a"]))["1"]["text"] == "answer to a"


# With a Temporal server and a worker, as processes


@pytest.fixture(scope="module")
def temporal():
    with TemporalServer() as server:
        yield server


@contextlib.asynccontextmanager
async def working(console):
    """A worker that drives the runs of the console's folder."""
    process = await console.start("worker")
    try:
        async with asyncio.timeout(PATIENCE):
            assert b"driving runs of" in await process.stderr.readline()
        yield
    finally:
        process.terminate()
        await process.communicate()


async def test_a_batch_is_submitted_driven_by_a_worker_and_collected(tmp_path, temporal):
    async with Upstream(echo, echo, echo) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b")
        engine = ("--engine", temporal.url())
        sent = await console.batch_to_file(*engine, "--detach")
        assert (sent.status, console.results) == (0, [])
        assert "with the engine: 2 runs; to collect the results: the same command without --detach" in sent.err
        async with working(console_with(console, temporal)):
            done = await console.batch_to_file(*engine)
            assert (done.status, len(by_id(console.results))) == (0, 2)
            console.write("a", "b", "c")
            more = await console.batch_to_file(*engine)
    assert more.status == 0
    assert by_id(console.results)["3"]["text"] == "answer to c"


async def test_what_was_submitted_can_be_run_here_instead(tmp_path, temporal):
    async with Upstream(echo) as up:
        console = console_with(BatchConsole(tmp_path, up.base_url), temporal)
        console.write("a")
        await console.batch_to_file("--detach")
        done = await console.batch_to_file("--here")
    assert (done.status, console.results[0]["text"]) == (0, "answer to a")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--detach"], "--detach needs an engine"),
        (["--engine", "http://127.0.0.1"], "[engine] url must begin with temporal://"),
        (["--engine", "temporal://127.0.0.1", "--allow", "*"], "--tools, --allow and --deny hold in this process only"),
        (["--engine", "temporal://127.0.0.1", "--here"], "not allowed with argument"),
    ],
)
async def test_an_engine_that_can_not_be_meant_gives_2(tmp_path, arguments, said):
    console = BatchConsole(tmp_path)
    console.write("a")
    done = await console.batch(*arguments)
    assert done.status == 2
    assert said in done.err


async def test_a_server_that_is_away_stops_the_batch_and_loses_nothing(tmp_path, temporal):
    async with Upstream(echo) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a")
        done = await console.batch_to_file("--engine", "temporal://127.0.0.1:9")
        assert (done.status, console.results) == (1, [])
        assert "can't be reached (Connection refused): start it, or correct [engine] url and tls" in done.err
        assert "to go on: the same command, or with --here to run the items in this process" in done.err
        assert await open_runs(console.data / "toolpost.db") == set()
        again = await console.batch_to_file()
    assert (again.status, console.results[0]["text"]) == (0, "answer to a")


def console_with(console, temporal):
    """The console, with the engine in its configuration."""
    console.environ["TOOLPOST_ENGINE_URL"] = temporal.url()
    return console
