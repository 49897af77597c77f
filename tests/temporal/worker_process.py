"""A process with a worker, as `toolpost worker` is one: it says `ready`, and stops at SIGTERM."""

import asyncio
import signal
import sys
from pathlib import Path

from scripted_driver import Ledger, ScriptedDriver

from toolpost.config.schema import EngineSettings
from toolpost.temporal.worker import TemporalWorker


async def main(url: str, pool: str, slots: int, folder: Path) -> None:
    settings = EngineSettings(url=url, pool=pool, slots=slots)
    worker = TemporalWorker(settings, {}, folder)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
    await worker.run(ScriptedDriver(Ledger(folder)), say_ready)


def say_ready() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4])))
