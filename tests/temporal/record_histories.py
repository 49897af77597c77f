"""Record histories of the workflows for the replay test: `python tests/temporal/record_histories.py`.

They go to a folder named after the version of Toolpost. Run it when a workflow has changed, and keep the old folders:
runs that were begun with the old code are still open somewhere. Those that the folder has are left as they are.
"""

import asyncio
import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "temporal")]

from temporal_runs import Runs, until  # noqa: E402
from temporal_server import TemporalServer  # noqa: E402
from temporalio.client import (  # noqa: E402
    Client,
    ScheduleActionExecutionStartWorkflow,
    WorkflowExecutionStatus,
    WorkflowFailureError,
)

from toolpost import __version__  # noqa: E402
from toolpost.engine.drive import RunTicket  # noqa: E402
from toolpost.schedules.engine import ScheduleTicket  # noqa: E402
from toolpost.schedules.timing import Timing  # noqa: E402
from toolpost.temporal import activities  # noqa: E402
from toolpost.temporal.schedules import TemporalSchedules  # noqa: E402
from toolpost.types.ids import new_id  # noqa: E402

FOLDER = TESTS / "temporal" / "histories" / __version__

NAMES = ("identity", "stackTrace")


# All that there are to record.
LIVES = {
    *("ended", "answered", "continued", "given-up", "busy", "released", "open", "fired", "not-fired"),
    *("cancelled-queued", "cancelled-running", "cancelled-waiting"),
}


class Firing:
    """Fires schedules: one of them fails."""

    def __init__(self) -> None:
        self.failing = ""

    async def fire(self, schedule_id: str) -> None:
        if schedule_id == self.failing:
            raise ValueError(schedule_id)


async def record(runs: Runs) -> None:
    activities.BUSY_SECONDS = 0.1
    tickets: dict[str, RunTicket] = {}
    async with runs.worker(slots=4):
        tickets["ended"] = await runs.submit("works 2", "ann")
        tickets["answered"] = await runs.submit("asks 2", "ann")
        tickets["continued"] = await runs.submit("asks 30")
        tickets["given-up"] = await runs.submit("fails")
        tickets["cancelled-waiting"] = await runs.submit("asks 1")
        tickets["busy"] = runs.add("works 0")
        with runs.ledger.held(tickets["busy"].run_id):
            await runs.engine.submit(tickets["busy"])
            for name, count in (("answered", 2), ("continued", 30), ("cancelled-waiting", 1)):
                for number in range(1, count + 1):
                    await runs.is_at(tickets[name], "waiting", number)
                    if name != "cancelled-waiting":
                        await runs.answer(tickets[name])
        await runs.engine.cancel(tickets["cancelled-waiting"])
        for ticket in tickets.values():
            await runs.ended(ticket)
    async with runs.worker(slots=1):
        tickets["cancelled-running"] = await runs.submit("works 60")
        await runs.is_at(tickets["cancelled-running"], "begins")
        tickets["cancelled-queued"] = await runs.submit("works 60")
        for name in ("cancelled-queued", "cancelled-running"):
            await runs.engine.cancel(tickets[name])
            await runs.ended(tickets[name])
        tickets["released"] = await runs.submit("works 4")
        await runs.is_at(tickets["released"], "begins")
    async with runs.worker():
        await runs.ended(tickets["released"])
        for ticket in tickets.values():
            await until(lambda ticket=ticket: is_over(runs, ticket))
        tickets["open"] = await runs.submit("asks 1")
        await runs.is_at(tickets["open"], "waiting")
    ids = {name: ticket.run_id for name, ticket in tickets.items()} | await fired(runs)
    assert set(ids) == LIVES
    client = await Client.connect(runs.server.target)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, workflow_id in ids.items():
        file = FOLDER / f"{name}.json"
        if not file.exists():
            history = (await client.get_workflow_handle(workflow_id).fetch_history()).to_json_dict()
            file.write_text(json.dumps(without_machine(history), separators=(",", ":")) + "\n")


async def fired(runs: Runs) -> dict[str, str]:
    """The workflows of schedules whose time has come."""
    firing, schedules = Firing(), TemporalSchedules(runs.settings(), {})
    client = await Client.connect(runs.server.target)
    workflows: dict[str, str] = {}
    async with runs.worker(schedules=firing):
        for name in ("fired", "not-fired"):
            ticket = ScheduleTicket(new_id("sch"), str(runs.folder), Timing(every=3600.0), time.time())
            if name == "not-fired":
                firing.failing = ticket.id
            await schedules.put(ticket)
            workflow = await first_action(client, ticket.id)
            with contextlib.suppress(WorkflowFailureError):
                await client.get_workflow_handle(workflow).result()
            workflows[name] = workflow
    return workflows


async def first_action(client: Client, schedule_id: str) -> str:
    """The workflow that a schedule has started."""
    while True:
        done = (await client.get_schedule_handle(schedule_id).describe()).info.recent_actions
        if done and isinstance(done[0].action, ScheduleActionExecutionStartWorkflow):
            return done[0].action.workflow_id
        await asyncio.sleep(0.1)


async def is_over(runs: Runs, ticket: RunTicket) -> bool:
    description = await (await runs.handle(ticket)).describe()
    return description.status != WorkflowExecutionStatus.RUNNING


def without_machine(value: Any) -> Any:
    """Without the names of the machine and the process, and the places of files."""
    if isinstance(value, list):
        return [without_machine(one) for one in value]
    if isinstance(value, dict):
        return {key: "worker" if key in NAMES else without_machine(one) for key, one in value.items()}
    return value


async def main() -> None:
    if {file.stem for file in FOLDER.glob("*.json")} >= LIVES:
        raise SystemExit(f"{FOLDER} has all of them: what was recorded is never replaced")
    server = TemporalServer()
    await asyncio.to_thread(server.start)
    try:
        with tempfile.TemporaryDirectory() as folder:
            runs = Runs(server, Path(folder))
            await record(runs)
            await runs.close()
    finally:
        server.kill()


if __name__ == "__main__":
    asyncio.run(main())
