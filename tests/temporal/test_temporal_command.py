"""`toolpost worker` as a process of its own; what it drives is tested with `toolpost serve`."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process

from temporal_runs import Runs

from toolpost.temporal.queues import queue_of


async def worker(runs: Runs, *arguments: str, **environ: str) -> Process:
    """In the folder of the runs, with a home of its own, and a model that is never asked."""
    variables = {
        "PATH": os.environ["PATH"],
        "HOME": str(runs.folder),
        "LANG": "C.UTF-8",
        "TOOLPOST_MODEL": "openai/scripted",
        "OPENAI_API_KEY": "sk-test-0123456789abcdef",
        **environ,
    }
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "toolpost", "worker", *arguments), cwd=runs.folder, env=variables, stderr=PIPE
    )


async def told(process: Process) -> tuple[int | None, str]:
    assert process.stderr is not None
    text = (await process.stderr.read()).decode()
    return await process.wait(), text


async def test_it_says_whose_runs_it_drives_until_it_is_stopped(runs: Runs) -> None:
    config = runs.folder / ".config" / "toolpost" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'[engine]\nurl = "{runs.server.url()}"\nslots = 3\n')
    process = await worker(runs)
    assert process.stderr is not None
    ready = (await process.stderr.readline()).decode()
    queue = queue_of(runs.folder, None)
    assert ready == f"driving runs of {queue} (namespace default at {runs.server.target}), 3 at once\n"
    process.send_signal(signal.SIGTERM)
    assert await told(process) == (0, "")


async def test_it_names_its_pool_in_chinese_too(runs: Runs) -> None:
    process = await worker(
        runs, "--pool", runs.pool, "--slots", "1", LANG="zh_CN.UTF-8", TOOLPOST_ENGINE_URL=runs.server.url()
    )
    assert process.stderr is not None
    ready = (await process.stderr.readline()).decode()
    assert ready.startswith(f"正在执行 toolpost/{runs.pool} 的运行")
    process.send_signal(signal.SIGINT)
    assert await told(process) == (0, "")


async def test_without_a_server_it_says_how_to_name_one(runs: Runs) -> None:
    status, text = await told(await worker(runs))
    assert status == 2
    assert "add `url` to [engine]" in text


async def test_a_server_that_is_away_is_one_line(runs: Runs) -> None:
    status, text = await told(await worker(runs, TOOLPOST_ENGINE_URL="temporal://127.0.0.1:9"))
    assert status == 1
    assert "the Temporal server at 127.0.0.1:9 can't be reached" in text
    assert len(text.splitlines()) == 1


async def test_a_store_that_nobody_shares_is_refused(runs: Runs) -> None:
    status, text = await told(await worker(runs, "--store", "memory", TOOLPOST_ENGINE_URL=runs.server.url()))
    assert status == 2
    assert "needs the store of those who submit runs" in text
