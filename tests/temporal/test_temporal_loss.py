"""Temporal itself is killed while runs are driven, wait and are queued, and comes back."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from temporal_runs import Runs
from temporal_server import TemporalServer

from toolpost.types.errors import ToolpostError


@pytest.fixture
def server() -> Iterator[TemporalServer]:
    with TemporalServer() as server:
        yield server


async def test_runs_go_on_while_temporal_is_away_and_after_it(server: TemporalServer, tmp_path: Path) -> None:
    runs = Runs(server, tmp_path)
    async with runs.worker(slots=2):
        waiting = await runs.submit("asks 1")
        await runs.is_at(waiting, "waiting")
        short, long = [await runs.submit(kind) for kind in ("works 2", "works 8")]
        for ticket in (short, long):
            await runs.is_at(ticket, "begins")
        queued = await runs.submit("works 0")
        server.kill()
        refused = runs.add("works 0")
        with pytest.raises(ToolpostError, match="can't be reached"):
            await runs.engine.submit(refused)
        # It ends while nobody can be told.
        assert await runs.ended(short) == "done"
        await asyncio.to_thread(server.start)
        for ticket in (long, queued):
            assert await runs.ended(ticket) == "done"
        await runs.answer(waiting)
        assert await runs.ended(waiting) == "done"
        await runs.engine.submit(refused)
        assert await runs.ended(refused) == "done"
        results = [await (await runs.handle(ticket)).result() for ticket in (short, long, queued, waiting, refused)]
        assert set(results) <= {"ended", "elsewhere"}
    assert all(runs.ledger.begun(ticket.run_id) == 1 for ticket in (short, long, queued, refused))
    await runs.close()


async def test_a_worker_can_be_stopped_while_temporal_is_away(server: TemporalServer, tmp_path: Path) -> None:
    runs = Runs(server, tmp_path)
    process = await runs.process()
    ticket = await runs.submit("works 60")
    await runs.is_at(ticket, "begins")
    server.kill()
    process.send_signal(signal.SIGTERM)
    await runs.is_at(ticket, "released", seconds=5.0)
    assert await asyncio.wait_for(process.wait(), 20.0) == 0
    await asyncio.to_thread(server.start)
    async with runs.worker():
        await runs.is_at(ticket, "begins", 2)
    await runs.close()
