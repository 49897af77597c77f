"""Runs through an engine: what Temporal adds to a short run, and whether many queued runs keep to the workers' slots.

python -m bench.engine [--runs N] [--queued N] [--slots N] [--postgres]

A scripted model on a socket in this process, a store, Temporal's dev server, and two `toolpost worker` processes, all
on loopback. Every run has one step. CPU time is that of the processes measured: not of the scripted model, and
Temporal's is shown apart.
"""

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from temporalio.client import Client

from tests.postgres_server import PostgresServer
from tests.temporal_server import TemporalServer
from toolpost.guard.trust import Trust
from toolpost.store import open_store
from toolpost.store.contract import Store
from toolpost.testing import Gate, Received, Turn, Upstream, pause, text

from .report import as_text
from .sample import ROOT, SCRATCH, plain_environment
from .store import SETTINGS

WORKERS = ("first", "second")
SUBMITTER = "submitter"
# A queued run is answered after so long: long enough for two workers to fill their slots.
ANSWER_SECONDS = 0.5
# Nothing here takes so long on a machine that works.
PATIENCE = 900.0
LOOK_SECONDS = 0.1
LOOK_SECONDS_A_RUN = 0.002
HISTORIES = 20
# Of the queue, when so many have asked the model: one that Temporal gave out to nobody would come late.
PARTS = (0.1, 0.5, 0.9, 0.99, 1.0)
TICKS = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """What was promised of runs does not hold."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200, help="the runs that are compared (default 200; 0: none)")
    parser.add_argument("--queued", type=int, default=2_000, help="the runs of the queue (default 2000; 0: none)")
    parser.add_argument("--slots", type=int, default=10, help="of each of the two workers (default 10)")
    parser.add_argument("--postgres", action="store_true", help="sessions in PostgreSQL, from the wheel of the tests")
    options = parser.parse_args()
    try:
        SCRATCH.mkdir(exist_ok=True)
        with (
            tempfile.TemporaryDirectory(dir=SCRATCH, prefix="engine-") as folder,
            _store(options, folder) as store,
            temporal_server() as temporal,
        ):
            asyncio.run(_measure(options, Place(Path(folder), store, temporal, options.slots)))
    except Failed as failure:
        print(f"FAILED: {failure}")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


@contextlib.contextmanager
def _store(options: argparse.Namespace, folder: str) -> Iterator[str]:
    if not options.postgres:
        yield str(Path(folder, "sessions.db"))
        return
    with PostgresServer(settings=SETTINGS) as server:
        yield server.url()


@contextlib.contextmanager
def temporal_server() -> Iterator[TemporalServer]:
    server = TemporalServer()
    with contextlib.ExitStack() as stack:
        # Before it starts: it has to go also where that is interrupted.
        stack.push(server.__exit__)
        server.start()
        yield server


class Place:
    """A project with its store, and its engine if it has one, and the processes that work there."""

    def __init__(self, folder: Path, store: str, temporal: TemporalServer | None, slots: int) -> None:
        self.folder = folder / "project"
        self.store = store
        self._temporal = temporal
        self.slots = slots
        (self.folder / ".toolpost").mkdir(parents=True)
        settings = f'store = "{store}"\n'
        if temporal is not None:
            settings += f'[engine]\nurl = "{temporal.url()}"\npool = "bench"\nslots = {slots}\n'
        (self.folder / ".toolpost" / "config.toml").write_text(settings)

    @property
    def has_engine(self) -> bool:
        return self._temporal is not None

    @property
    def temporal(self) -> TemporalServer:
        assert self._temporal is not None
        return self._temporal

    def environment(self, base_url: str, key: str) -> dict[str, str]:
        """The model sees by the key which process asks."""
        home = str(self.folder.parent)
        own = {"HOME": home, "TOOLPOST_DATA_DIR": f"{home}/data", "TOOLPOST_MODEL": "openai/scripted"}
        environment = plain_environment(base_url) | own | {"OPENAI_API_KEY": key, "PYTHONPATH": str(ROOT)}
        Trust.of_user(environment).give(self.folder)
        return environment

    @contextlib.asynccontextmanager
    async def process(self, environment: Mapping[str, str], *command: str, log: int) -> AsyncIterator[Any]:
        # A session of its own: a Ctrl-C is for the bench, which stops it.
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            *command,
            cwd=self.folder,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            if process.returncode is None:
                process.terminate()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), 15)
            if process.returncode is None:
                process.kill()
                await process.wait()

    @contextlib.asynccontextmanager
    async def workers(self, base_url: str) -> AsyncIterator[list[int]]:
        """Two that are ready, by the ids of their processes."""
        async with contextlib.AsyncExitStack() as stack:
            logs, processes = [self.folder.parent / f"{name}.log" for name in WORKERS], []
            for name, log in zip(WORKERS, logs, strict=True):
                opened = stack.enter_context(log.open("wb"))
                environment = self.environment(base_url, f"sk-{name}")
                started = self.process(environment, "toolpost", "worker", log=opened.fileno())
                processes.append(await stack.enter_async_context(started))
            for process, log in zip(processes, logs, strict=True):
                while b" at once\n" not in log.read_bytes():
                    if process.returncode is not None:
                        raise Failed(f"a worker has ended: {log.read_text()}")
                    await asyncio.sleep(0.02)
            yield [process.pid for process in processes]
            for log in logs:
                if unexpected := log.read_text().splitlines()[1:]:
                    print(f"{log.name} has {len(unexpected)} more lines, such as {unexpected[:3]}", flush=True)

    async def begin(self, base_url: str, *arguments: str) -> dict[str, Any]:
        """What `engine_runs` says."""
        environment = self.environment(base_url, f"sk-{SUBMITTER}")
        started = self.process(environment, "bench.engine_runs", *arguments, log=sys.stderr.fileno())
        async with started as process:
            said, _ = await process.communicate()
            if process.returncode != 0:
                raise Failed(f"{' '.join(arguments)} ended with {process.returncode}")
        return json.loads(said.splitlines()[-1])


class Model:
    """Answers each prompt in one step, and counts who asks how often and how many at once."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.asked: Counter[str] = Counter()
        self.open: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.times: list[float] = []

    def __call__(self, request: Received) -> Turn:
        prompts = [message["content"] for message in request.body["messages"] if message["role"] == "user"]
        self.asked[prompts[-1]] += 1
        self.times.append(time.perf_counter())
        if not self.seconds:
            return text("a short answer")
        who, gate = request.headers["authorization"].removeprefix("Bearer sk-"), Gate()
        self._count(who, 1)
        asyncio.get_running_loop().call_later(self.seconds, self._answer, who, gate)
        return pause(gate) + text("a short answer")

    def _answer(self, who: str, gate: Gate) -> None:
        self._count(who, -1)
        gate.open()

    def _count(self, who: str, change: int) -> None:
        for name in (who, "all"):
            self.open[name] += change
            self.most[name] = max(self.most[name], self.open[name])


async def _measure(options: argparse.Namespace, place: Place) -> None:
    print(f"load average {_load()}, {'PostgreSQL' if options.postgres else 'SQLite'}", flush=True)
    store = open_store(place.store)
    client = await Client.connect(place.temporal.target)
    try:
        if options.runs:
            await _compare(options.runs, place, store, client)
        if options.queued:
            await _queue(options.queued, place, store, client)
    finally:
        await store.close()


async def _compare(count: int, place: Place, store: Store, client: Client) -> None:
    async with Upstream(Model(), repeat=True, strict=False) as up:
        local = await place.begin(up.base_url, "local", "local", str(count), "--slots", str(2 * place.slots))
        async with place.workers(up.base_url) as workers:
            await place.begin(up.base_url, "submit", "warm-up", "40")
            await _ended(store, client)
            cpu, temporal, began = sum(map(_cpu, workers)), _cpu(place.temporal.pid), time.perf_counter()
            submitted = await place.begin(up.base_url, "submit", "through", str(count))
            seconds = await _ended(store, client) - began
            cpu, temporal = sum(map(_cpu, workers)) - cpu, _cpu(place.temporal.pid) - temporal
    rows = [["one step", "runs/s", "CPU a run, ms", "of Temporal, ms"]]
    rows.append(["in the process that accepts it", f"{count / local['seconds']:.1f}", _ms(local["cpu"], count), "–"])
    through = [f"{count / seconds:.1f}", _ms(submitted["cpu"] + cpu, count), _ms(temporal, count)]
    rows.append(["submitted, driven by two workers", *through])
    times = [local["seconds"] / seconds, (submitted["cpu"] + cpu) / local["cpu"]]
    rows.append(["ratio", *(f"{ratio:.2f}×" for ratio in times), "–"])
    print(f"\n{count} runs, load average {_load()}; of the CPU {_ms(submitted['cpu'], count)} ms to submit")
    print(as_text(rows), flush=True)
    await _histories(client, list(submitted["runs"]))


async def _histories(client: Client, runs: list[str]) -> None:
    """What Temporal keeps of a run."""
    sizes, events = [], []
    for run in runs[:HISTORIES]:
        history = await client.get_workflow_handle(run).fetch_history()
        sizes.append(sum(event.ByteSize() for event in history.events))
        events.append(len(history.events))
    print(
        f"\nhistory of a run: {statistics.median(sizes):,.0f} bytes in {statistics.median(events):.0f} events, ", end=""
    )
    print(f"at most {max(sizes):,} (of {len(sizes)})", flush=True)


async def _queue(count: int, place: Place, store: Store, client: Client) -> None:
    model = Model(ANSWER_SECONDS)
    async with Upstream(model, repeat=True, strict=False) as up:
        submitted = await place.begin(up.base_url, "submit", "queued", str(count))
        print(f"\n{count} runs queued in {submitted['seconds']:.1f} s, load average {_load()}", flush=True)
        temporal, began = _cpu(place.temporal.pid), time.perf_counter()
        async with place.workers(up.base_url) as workers:
            ready = time.perf_counter() - began
            seconds = await _ended(store, client) - began
            cpu, temporal = sum(map(_cpu, workers)), _cpu(place.temporal.pid) - temporal
    print(f"driven in {seconds:.1f} s ({count / seconds:.1f} runs/s) by two workers of {place.slots} slots, ", end="")
    print(f"with their start, which took {ready:.1f} s, load average {_load()}")
    print(f"CPU a run: {_ms(cpu, count)} ms of the workers with their start, {_ms(temporal, count)} ms of Temporal")
    asked = ", ".join(f"{part:.0%} {model.times[int(count * part) - 1] - began:.1f} s" for part in PARTS)
    print(f"asked the model: {asked}")
    print(f"at once at the model, at most: {dict(model.most)}", flush=True)
    if uncompleted := await _workflows(client, "!= 'Completed'"):
        raise Failed(f"{uncompleted} workflows were not completed")
    await _check(model, count, place, store, submitted["runs"])


async def _check(model: Model, count: int, place: Place, store: Store, runs: Mapping[str, str]) -> None:
    """None lost, none twice, and no worker beyond its slots."""
    problems = [f"{who}: {model.most[who]} at once" for who in WORKERS if model.most[who] > place.slots]
    wanted = Counter(f"queued {number}" for number in range(count))
    if model.asked != wanted:
        lost, twice = wanted - model.asked, model.asked - wanted
        problems.append(f"the model was not asked for {lost.total()}, and {twice.total()} times too often: {twice}")
    for run, session in runs.items():
        events = [event async for event in store.events(session)]
        kinds = Counter(event.type for event in events)
        is_whole = [event.seq for event in events] == list(range(1, len(events) + 1))
        if (kinds["run_start"], kinds["run_end"], kinds["run_resumed"]) != (1, 1, 0) or not is_whole:
            problems.append(f"{run}: {[(event.seq, event.type) for event in events]}")
        reasons = [msgspec.to_builtins(event).get("reason") for event in events if event.type == "run_end"]
        if reasons != ["done"]:
            problems.append(f"{run} ended: {reasons}")
    if problems:
        raise Failed(f"{len(problems)} problems, such as\n" + "\n".join(problems[:5]))
    print(f"each of {len(runs)} runs began once, asked the model once and ended once, and no slot was exceeded")


async def _ended(store: Store, client: Client) -> float:
    """When no run was open any more. Temporal then takes note of it, which belongs to what they cost."""
    try:
        async with asyncio.timeout(PATIENCE):
            await _until_none(lambda: _open_runs(store))
            at = time.perf_counter()
            await _until_none(lambda: _workflows(client, "= 'Running'"))
    except TimeoutError:
        raise Failed(f"after {PATIENCE:.0f} s {await _open_runs(store)} runs are open") from None
    return at


async def _until_none(count: Callable[[], Awaitable[int]]) -> None:
    while left := await count():  # noqa: ASYNC110 - others end them
        # To look at many costs something too, and they take longer.
        await asyncio.sleep(max(LOOK_SECONDS, left * LOOK_SECONDS_A_RUN))


async def _open_runs(store: Store) -> int:
    return len([found async for found in store.open_runs()])


async def _workflows(client: Client, status: str) -> int:
    return (await client.count_workflows(f"ExecutionStatus {status}")).count


def _cpu(process: int) -> float:
    """Seconds of a process with all its threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _ms(seconds: float, count: int) -> str:
    return f"{seconds / count * 1000:.1f}"


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    sys.exit(main())
