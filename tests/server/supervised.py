"""A supervisor with workers that do as a test wants: `python supervised.py HOW COUNT`. They say what they do."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable

from toolpost.server import workers
from toolpost.server.workers import Worker, supervise
from toolpost.types.errors import ToolpostError


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def listen(worker: Worker, signals: int = 1) -> int:
    """Until so many signals have come."""

    async def serve() -> int:
        heard = asyncio.Semaphore(0)
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, heard.release)
        worker.end_with_parent()
        say("worker", worker.number, os.getpid(), "first" if worker.is_first else "")
        worker.tell_listening(f"told by {worker.number}")
        for count in range(signals):
            await heard.acquire()
            say("heard", worker.number, count + 1)
        return 0

    return asyncio.run(serve())


def stubborn(worker: Worker) -> int:
    return listen(worker, signals=2)


def second_fails(worker: Worker) -> int:
    if worker.number == 1:
        return listen(worker)
    say("begun", worker.number)
    return 3


def second_is_killed(worker: Worker) -> int:
    if worker.number == 2:
        worker.tell_listening()
        os.kill(os.getpid(), signal.SIGKILL)
    return listen(worker)


def cannot_begin(worker: Worker) -> int:
    say("begun", worker.number)
    return 2


def raises(worker: Worker) -> int:
    raise RuntimeError("a bug")


def deaf(worker: Worker) -> int:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    worker.tell_listening()
    while True:
        signal.pause()


def slow(worker: Worker) -> int:
    say("begun", worker.number)
    signal.pause()
    return 0


HOW: dict[str, Callable[[Worker], int]] = {
    work.__name__: work for work in (listen, stubborn, second_fails, second_is_killed, cannot_begin, raises, deaf, slow)
}

if __name__ == "__main__":
    if sys.argv[1] == "deaf":
        workers.STOP_SECONDS = 0.3
    workers.FIRST_PAUSE_SECONDS = 0.01
    try:
        status = supervise(int(sys.argv[2]), HOW[sys.argv[1]], lambda told: say("all listen,", told), say)
    except ToolpostError as error:
        say("gave up:", error)
        status = 1
    sys.exit(status)
