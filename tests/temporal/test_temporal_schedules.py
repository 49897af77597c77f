"""Schedules whose times a real Temporal server keeps: it calls in time, a worker fires, and it knows ids alone."""

import asyncio
import contextlib
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from temporal_runs import Runs, until
from temporal_server import TemporalServer
from temporalio.client import Client
from temporalio.service import RPCError

from toolpost.schedules.engine import ScheduleTicket
from toolpost.schedules.records import Schedules
from toolpost.schedules.schedule import Schedule
from toolpost.schedules.timing import Timing
from toolpost.store import open_store
from toolpost.temporal.schedules import TemporalSchedules
from toolpost.testing import Upstream, text
from toolpost.types.errors import StoreError, ToolpostError
from toolpost.types.ids import new_id

EVERY_DAY = Timing(cron="0 9 * * *", zone="Europe/Berlin")


class Fired:
    """What fires schedules in this process: it notes when."""

    def __init__(self) -> None:
        self.times: list[tuple[str, float]] = []
        self.errors: list[Exception] = []

    async def fire(self, schedule_id: str) -> None:
        if self.errors:
            raise self.errors.pop()
        self.times.append((schedule_id, time.time()))

    @property
    def ids(self) -> list[str]:
        return [schedule_id for schedule_id, _ in self.times]


@pytest.fixture
async def fired(runs: Runs) -> AsyncIterator[Fired]:
    """A worker of this process."""
    there = Fired()
    async with runs.worker(schedules=there):
        yield there


def ticket(runs: Runs, seconds: float) -> ScheduleTicket:
    return ScheduleTicket(new_id("sch"), str(runs.folder), EVERY_DAY, time.time() + seconds)


async def described(runs: Runs, schedule_id: str) -> Any:
    client = await Client.connect(runs.server.target, namespace=runs.namespace)
    return await client.get_schedule_handle(schedule_id).describe()


async def test_a_worker_fires_at_the_time_and_once(runs: Runs, fired: Fired) -> None:
    engine, soon = TemporalSchedules(runs.settings(), {}), ticket(runs, 3)
    for _ in range(2):
        await engine.put(soon)
    later = ticket(runs, 3600)
    await engine.put(later)
    await until(lambda: fired.ids)
    assert fired.ids == [soon.id]
    assert soon.next_at <= fired.times[0][1] < soon.next_at + 5
    # The next time, as each firing tells it.
    again = msgspec.structs.replace(soon, next_at=time.time() + 3)
    await engine.put(again)
    await until(lambda: len(fired.ids) == 2)
    assert fired.ids == [soon.id] * 2
    await engine.remove(later.id)
    await engine.remove(later.id)
    with pytest.raises(RPCError, match="not found"):
        await described(runs, later.id)


async def test_what_is_due_already_comes_at_once(runs: Runs, fired: Fired) -> None:
    overdue = ticket(runs, -3600)
    await TemporalSchedules(runs.settings(), {}).put(overdue)
    await until(lambda: fired.ids)
    assert fired.ids == [overdue.id]


async def test_a_firing_whose_store_is_away_is_tried_again(runs: Runs, fired: Fired) -> None:
    fired.errors = [StoreError("away"), StoreError("away")]
    soon = ticket(runs, 0)
    await TemporalSchedules(runs.settings(), {}).put(soon)
    await until(lambda: fired.ids)
    assert fired.ids == [soon.id]


async def test_temporal_knows_ids_and_times(runs: Runs) -> None:
    later = ticket(runs, 3600)
    await TemporalSchedules(runs.settings(), {}).put(later)
    told = await described(runs, later.id)
    assert [msgspec.json.decode(one.data) for one in told.schedule.action.args] == [{"schedule_id": later.id}]
    assert told.schedule.state.note == "cron 0 9 * * *, Europe/Berlin"
    (next_time,) = told.info.next_action_times
    assert 0 <= next_time.timestamp() - later.next_at < 1


async def test_a_server_that_is_away_is_an_error_that_says_so(runs: Runs) -> None:
    settings = msgspec.structs.replace(runs.settings(), url="temporal://127.0.0.1:9")
    with pytest.raises(ToolpostError, match="can't be reached"):
        await TemporalSchedules(settings, {}).put(ticket(runs, 1))


class Project:
    """A project with `toolpost` commands on the Temporal server, and its schedules."""

    def __init__(self, folder: Path, server: TemporalServer, up: Upstream) -> None:
        self.folder = folder / "project"
        (self.folder / ".git").mkdir(parents=True)
        config = folder / ".config" / "toolpost" / "config.toml"
        config.parent.mkdir(parents=True)
        provider = f'[providers.up]\nwire = "openai_chat"\nbase_url = "{up.base_url}"\ntool_calls = "native"\n'
        config.write_text(f'model = "up/m"\n{provider}[engine]\nurl = "{server.url()}"\npool = "{new_id("p")}"\n')
        self.environ = {
            "PATH": str(Path(sys.executable).parent),
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "TOOLPOST_DATA_DIR": str(folder / "data"),
            "TOOLPOST_TOKEN": "a-token-of-a-person",
        }
        self.store = open_store(str(folder / "data" / "toolpost.db"))
        self.schedules = Schedules(lambda: self.store)

    @contextlib.asynccontextmanager
    async def running(self, ready: bytes, *arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
        """A command that goes on, once it has said this."""
        process = await self.start(*arguments)
        assert process.stderr is not None
        try:
            async with asyncio.timeout(60):
                await process.stderr.readuntil(ready)
            yield process
        finally:
            process.terminate()
            await process.communicate()

    async def start(self, *arguments: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "toolpost", *arguments),
            cwd=self.folder,
            env=self.environ,
            stdout=PIPE,
            stderr=PIPE,
        )

    async def add(self, *arguments: str) -> str:
        out, err = await (await self.start("schedule", "add", *arguments, "--json")).communicate()
        return msgspec.json.decode(out)["id"] if out else pytest.fail(err.decode())

    async def now(self, schedule_id: str) -> Schedule:
        found = await self.schedules.find(schedule_id)
        assert found is not None
        return found

    async def outcomes(self, schedule_id: str) -> list[str]:
        process = await self.start("schedule", "show", schedule_id, "--json")
        out, _ = await process.communicate()
        return [one["outcome"] for one in msgspec.json.decode(out)["firings"]]

    async def ended(self, schedule_id: str, count: int) -> None:
        async def has_ended() -> bool:
            outcomes = await self.outcomes(schedule_id)
            return len([one for one in outcomes if one != "running"]) >= count

        await until(has_ended, 50)


@pytest.mark.parametrize("where", ["server and worker", "server that drives", "worker alone"])
async def test_schedules_fire_on_their_minute_wherever_runs_are_driven(
    temporal: TemporalServer, tmp_path: Path, where: str
) -> None:
    async with Upstream(text("done"), repeat=True) as up, contextlib.AsyncExitStack() as stack:
        project = Project(tmp_path, temporal, up)
        stack.push_async_callback(project.store.close)
        drives = ("--drive",) if where == "server that drives" else ()
        if where != "worker alone":
            await stack.enter_async_context(project.running(b"OPENAI_API_KEY=", "serve", "--port", "0", *drives))
        if where != "server that drives":
            await stack.enter_async_context(project.running(b"at once", "worker"))
        made = await project.add("look around", "--at", "in 4s")
        often = await project.add("again", "--every", "6s", "--times", "2")
        for schedule_id, count in ((made, 1), (often, 2)):
            await project.ended(schedule_id, count)
            found = await project.now(schedule_id)
            assert found.fired == count
            assert await project.outcomes(schedule_id) == ["done"] * count
            # A server without Temporal's call would have begun it a minute late.
            assert all(one.at - one.due < 30 for one in found.firings), found.firings
        assert len(up.requests) == 3


async def test_the_queued_run_of_a_firing_is_not_begun_twice(temporal: TemporalServer, tmp_path: Path) -> None:
    """Its process died after it had stored the run, and before it had noted that."""
    async with Upstream(text("done"), repeat=True) as up, contextlib.AsyncExitStack() as stack:
        project = Project(tmp_path, temporal, up)
        stack.push_async_callback(project.store.close)
        async with project.running(b"OPENAI_API_KEY=", "serve", "--port", "0"):
            made = await project.add("look around", "--every", "1d")
            await project.schedules.change(made, lambda one: one.asked(time.time()))
            await until(lambda: _is_queued(project, made))
        begun = (await project.now(made)).firings[0]

        def forgotten(known: Schedule) -> Schedule:
            taken = begun.at - 100
            known = msgspec.structs.replace(known, firings=(), fired=0).asked(begun.due)
            assert known.pending is not None
            pending = msgspec.structs.replace(known.pending, session=begun.session, taken=taken, tried=taken)
            return msgspec.structs.replace(known, pending=pending)

        await project.schedules.change(made, forgotten)
        await stack.enter_async_context(project.running(b"OPENAI_API_KEY=", "serve", "--port", "0", "--drive"))
        await project.ended(made, 1)
        assert (await project.now(made)).firings[0].run == begun.run
        assert len(up.requests) == 1


async def _is_queued(project: Project, schedule_id: str) -> bool:
    found = await project.now(schedule_id)
    return bool(found.firings)
