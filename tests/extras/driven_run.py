"""What the extra `temporal` is for: a run that is submitted to a Temporal server, and driven by a worker."""

import asyncio
import sys
from pathlib import Path

from toolpost.config.schema import EngineSettings
from toolpost.engine.drive import DriveOutcome, RunTicket
from toolpost.temporal.engine import TemporalEngine
from toolpost.temporal.worker import TemporalWorker


class Driver:
    def __init__(self) -> None:
        self.driven: asyncio.Future[tuple[str, str]] = asyncio.get_running_loop().create_future()

    async def drive(self, session_id: str, run_id: str) -> DriveOutcome:
        self.driven.set_result((session_id, run_id))
        return "ended"

    async def cancel(self, session_id: str, run_id: str) -> None:
        raise AssertionError

    async def give_up(self, session_id: str, run_id: str, reason: str) -> None:
        raise AssertionError(reason)

    async def release_all(self) -> None:
        pass


async def main(url: str) -> None:
    settings, driver = EngineSettings(url=url, pool="extras"), Driver()
    worker = TemporalWorker(settings, {}, Path.cwd())
    working = asyncio.create_task(worker.run(driver))
    engine = TemporalEngine(settings, {})
    await engine.submit(RunTicket("ses_1", "run_1", "ann", "chat", str(Path.cwd())))
    assert await driver.driven == ("ses_1", "run_1")
    worker.stop()
    await working
    await engine.close()


asyncio.run(main(sys.argv[1]))
sys.stdout.write("done\n")
