"""The parent of several workers: when they count as started, what follows on the end of one, and how all are ended."""

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("supervised.py")
PATIENCE = 30.0

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="workers are forks")


class Supervised:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.said: list[str] = []

    async def says(self, words: str) -> list[str]:
        """Wait for a line that begins so; gives its words."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while True:
                line = (await self.process.stdout.readline()).decode()
                assert line, f"it never said {words!r}, but: {self.said}"
                self.said.append(line.strip())
                if line.startswith(words):
                    return line.split()

    async def all_listen(self) -> dict[str, int]:
        """The processes of all workers, by their numbers."""
        await self.says("all listen")
        return {number: int(process) for number, process in re.findall(r"worker (\d+) (\d+)", "\n".join(self.said))}

    async def ended(self) -> int:
        """Its exit status; all that it said is then in `said`."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            self.said += (await self.process.stdout.read()).decode().splitlines()
            return await self.process.wait()


@contextlib.asynccontextmanager
async def supervised(how: str, count: int) -> AsyncIterator[Supervised]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(SCRIPT), how, str(count), stdout=asyncio.subprocess.PIPE, start_new_session=True
    )
    try:
        yield Supervised(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def gone(*processes: int) -> None:
    async with asyncio.timeout(PATIENCE):
        for process in processes:
            while is_alive(process):  # noqa: ASYNC110 - nothing tells of a process that is not our child
                await asyncio.sleep(0.01)


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    # One that nobody waits for any more stays a zombie where the first process of the machine reaps nobody.
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


async def test_it_counts_as_listening_when_all_do_and_the_first_speaks_for_them() -> None:
    async with supervised("listen", 3) as parent:
        workers = await parent.all_listen()
        assert sorted(workers) == ["1", "2", "3"]
        assert parent.said[0].endswith("first")
        assert sum(line.endswith("first") for line in parent.said) == 1
        assert parent.said[-1] == "all listen, told by 1"
        parent.process.send_signal(signal.SIGTERM)
        assert await parent.ended() == 0
        assert {"heard 1 1", "heard 2 1", "heard 3 1"} < set(parent.said)
        await gone(*workers.values())


async def test_ctrl_c_in_a_terminal_reaches_the_workers_through_their_parent_alone() -> None:
    async with supervised("listen", 2) as parent:
        workers = await parent.all_listen()
        # A terminal sends it to a group, and who hears it twice would end at once.
        assert parent.process.pid not in map(os.getpgid, workers.values())
        os.killpg(parent.process.pid, signal.SIGINT)
        assert await parent.ended() == 0
        assert {"heard 1 1", "heard 2 1"} < set(parent.said)


async def test_a_second_signal_is_passed_on() -> None:
    async with supervised("stubborn", 1) as parent:
        await parent.all_listen()
        parent.process.send_signal(signal.SIGTERM)
        await parent.says("heard 1 1")
        parent.process.send_signal(signal.SIGINT)
        assert await parent.ended() == 0
        assert parent.said[-1] == "heard 1 2"


async def test_a_signal_before_anybody_listens_ends_it_too() -> None:
    async with supervised("slow", 2) as parent:
        await parent.says("begun")
        parent.process.send_signal(signal.SIGTERM)
        assert await parent.ended() == 0
        assert parent.said == ["begun 1"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_worker_that_ends_is_followed_by_another_in_its_place(number: signal.Signals) -> None:
    async with supervised("listen", 2) as parent:
        workers = await parent.all_listen()
        os.kill(workers["2"], number)
        _, place, process, *_ = await parent.says("worker 2 ")
        while process == "(process":
            _, place, process, *_ = await parent.says("worker 2 ")
        assert place == "2"
        assert int(process) not in workers.values()
        assert any("another takes its place" in line for line in parent.said)
        parent.process.send_signal(signal.SIGTERM)
        assert await parent.ended() == 0
        assert sum(line.startswith("all listen") for line in parent.said) == 1


async def test_a_worker_that_cannot_begin_ends_all_with_its_own_status() -> None:
    async with supervised("cannot_begin", 3) as parent:
        assert await parent.ended() == 2
        assert parent.said == ["begun 1"]


async def test_the_status_of_one_that_fails_later_but_before_all_listen_is_ours_too() -> None:
    async with supervised("second_fails", 2) as parent:
        assert await parent.ended() == 3
        assert "begun 2" in parent.said
        assert "heard 1 1" in parent.said


async def test_a_bug_in_a_worker_is_a_failure() -> None:
    async with supervised("raises", 2) as parent:
        assert await parent.ended() == 1


async def test_a_worker_that_ends_at_once_again_and_again_is_given_up() -> None:
    async with supervised("second_is_killed", 2) as parent:
        assert await parent.ended() == 1
        assert sum("another takes its place" in line for line in parent.said) == 4
        (why,) = [line for line in parent.said if line.startswith("gave up")]
        assert "worker 2 was ended by SIGKILL, as soon as it was started, 5 times one after another" in why
        assert "heard 1 1" in parent.said


async def test_a_worker_that_does_not_end_is_killed() -> None:
    async with supervised("deaf", 2) as parent:
        await parent.says("all listen")
        parent.process.send_signal(signal.SIGTERM)
        assert await parent.ended() == 0
        assert "2 workers did not end within 0.3 s and will be killed" in parent.said


async def test_no_worker_outlives_a_parent_that_is_killed() -> None:
    async with supervised("listen", 3) as parent:
        workers = await parent.all_listen()
        parent.process.kill()
        await parent.ended()
        await gone(*workers.values())
        assert {"heard 1 1", "heard 2 1", "heard 3 1"} < set(parent.said)
