"""Record histories of the workflow for the replay test: `python tests/temporal/record_histories.py`.

They go to a folder named after the version of Toolpost. Run it when the workflow has changed, and keep the old folders:
runs that were begun with the old code are still open somewhere.
"""

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "temporal")]

from temporal_runs import Runs, until  # noqa: E402
from temporal_server import TemporalServer  # noqa: E402
from temporalio.client import WorkflowExecutionStatus  # noqa: E402

from toolpost import __version__  # noqa: E402
from toolpost.engine.drive import RunTicket  # noqa: E402
from toolpost.temporal import activities  # noqa: E402

FOLDER = TESTS / "temporal" / "histories" / __version__

NAMES = ("identity", "stackTrace")


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
    FOLDER.mkdir(parents=True)
    for name, ticket in tickets.items():
        handle = await runs.handle(ticket)
        history = (await handle.fetch_history()).to_json_dict()
        (FOLDER / f"{name}.json").write_text(json.dumps(without_machine(history), separators=(",", ":")) + "\n")


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
    if FOLDER.exists():
        raise SystemExit(f"{FOLDER} is there already: what was recorded is never replaced")
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
