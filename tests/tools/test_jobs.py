"""Commands in the background: started, read, waited for and stopped, and never left behind."""

import asyncio
import secrets
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bash_bench import Bench, gone, running

from toolpost.guard.sandbox.sandbox import PlainLaunch
from toolpost.tools.commands import jobs_of
from toolpost.tools.jobs import BackgroundJobs
from toolpost.types.errors import ToolError


@pytest.fixture
def run(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "project")


@pytest.fixture
def mark() -> str:
    return f"6{secrets.randbelow(10**6)}.{secrets.randbelow(10**6)}"


async def test_a_job_goes_on_while_other_calls_are_made(run: Bench) -> None:
    started = await run.text("job_start", command="echo ready; while [ ! -e go ]; do sleep 0.05; done; echo went")
    assert started.startswith("[job_1 running")
    assert "ready" in started
    assert "(no new output)" in await run.text("job_read", job="job_1")
    await run("touch go")
    ended = await run.text("job_wait", job="job_1", timeout=30)
    assert ended == "[job_1 ended with exit code 0]\nwent\n"
    assert "(no new output)" in await run.text("job_read", job="job_1")


async def test_a_job_that_fails_at_once_says_so_at_once(run: Bench) -> None:
    said = await run.text("job_start", command="echo broken >&2; exit 7")
    if "running" in said:
        said += await run.text("job_wait", job="job_1", timeout=30)
    assert "broken" in said
    assert "ended with exit code 7" in said


async def test_waiting_ends_at_its_time_and_the_job_goes_on(run: Bench) -> None:
    await run.text("job_start", command="sleep 600")
    begun = time.monotonic()
    assert (await run.text("job_wait", job="job_1", timeout=0.2)).startswith("[job_1 running")
    assert time.monotonic() - begun < 5
    assert jobs_of(run.bench).of("ses")[0].running
    await jobs_of(run.bench).close_all()


async def test_a_stopped_job_leaves_no_process(run: Bench, mark: str) -> None:
    await run.text("job_start", command=f"echo up; trap '' TERM; (setsid sleep {mark} &) ; sleep {mark}")
    assert running(mark)
    assert (await run.text("job_stop", job="job_1")).startswith("[job_1 stopped]")
    await gone(mark)
    assert list(run.bench.project_files.root.iterdir()) == []
    assert (await run.text("job_stop", job="job_1")).startswith("[job_1 stopped]")


async def test_only_the_newest_output_is_kept(tmp_path: Path) -> None:
    run = Bench(tmp_path, limits={"job_output_bytes": 10_000})
    await run.text("job_start", command="while [ ! -e go ]; do sleep 0.05; done; seq 1 200000; echo the end")
    await run("touch go")
    said = await run.text("job_wait", job="job_1", timeout=30)
    assert said.rstrip().endswith("the end")
    assert "[not kept before this: " in said
    assert len(said) < 12_000


async def test_jobs_are_listed_by_session_and_belong_to_it(run: Bench) -> None:
    await run.text("job_start", command="sleep 600", description="Sleep")
    jobs = jobs_of(run.bench)
    assert [(job.id, job.command, job.description) for job in jobs.of("ses")] == [("job_1", "sleep 600", "Sleep")]
    assert jobs.of("other") == ()
    with pytest.raises(ToolError, match="Jobs of this session: none"):
        jobs.get("other", "job_1")
    with pytest.raises(ToolError, match="job_1 \\(running"):
        await run.text("job_read", job="job_9")
    await jobs.close("ses")
    assert jobs.of("ses") == ()


async def test_there_is_a_limit_of_running_jobs(tmp_path: Path) -> None:
    run = Bench(tmp_path, limits={"jobs": 2})
    for _ in range(2):
        await run.text("job_start", command="sleep 600")
    with pytest.raises(ToolError, match="job_1, job_2"):
        await run.text("job_start", command="sleep 600")
    await run.text("job_stop", job="job_1")
    assert "job_3" in await run.text("job_start", command="sleep 600")
    await jobs_of(run.bench).close_all()


async def test_jobs_that_are_started_side_by_side_keep_to_the_limit(tmp_path: Path) -> None:
    jobs = BackgroundJobs(most=2, keep=1_000)
    launch = PlainLaunch(["/bin/sleep", "600"], {}, tmp_path)
    results = await asyncio.gather(*(jobs.start("ses", "", "", launch) for _ in range(6)), return_exceptions=True)
    assert sum(isinstance(result, ToolError) for result in results) == 4
    assert [job.id for job in jobs.of("ses")] == ["job_1", "job_2"]
    await jobs.close_all()


async def test_closing_a_session_ends_its_jobs(run: Bench, mark: str) -> None:
    await run.text("job_start", command=f"setsid sleep {mark} & sleep {mark}")
    await run.text("job_start", command=f"sleep {mark}")
    await jobs_of(run.bench).close("ses")
    await gone(mark)


def test_the_end_of_the_loop_ends_jobs(tmp_path: Path, mark: str) -> None:
    async def forget() -> None:
        await Bench(tmp_path).text("job_start", command=f"setsid sleep {mark} & sleep {mark}")

    asyncio.run(forget())
    asyncio.run(gone(mark))


def test_a_process_that_is_killed_leaves_no_job(tmp_path: Path, mark: str) -> None:
    code = f"""
import asyncio, os, signal, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from bash_bench import Bench, running

async def main():
    await Bench(Path({str(tmp_path)!r})).text("job_start", command="setsid sleep {mark} & sleep {mark}")
    assert running("{mark}")
    print("started", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())"""
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, timeout=60, check=False)
    assert done.stdout == "started\n"
    asyncio.run(gone(mark))
