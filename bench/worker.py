"""Measure one framework in a process of its own: `python -m bench.worker FRAMEWORK MEASURE BASE_URL`. Prints JSON.

Imports nothing but the standard library and the adapter, so that a cold start counts the framework only.
"""

import asyncio
import importlib
import json
import os
import resource
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from types import ModuleType
from typing import Any

REPEATS = 3
STEPS, CHUNKS, RUNS, STEPS_A_RUN, LONG_STEPS, CALLS, CALL_SECONDS = 50, 5_000, 200, 5, 400, 8, 0.1


async def once(framework: ModuleType) -> dict[str, Any]:
    """One call, then a short answer: what a script does that is started from a shell."""
    return {"chunks": (await _timed(framework.run(_prompt(1), 20)))[2]}


async def steps(framework: ModuleType) -> dict[str, Any]:
    rows = [await _timed(framework.run(_prompt(STEPS), STEPS + 20)) for _ in range(REPEATS)]
    wall, cpu = (min(row[place] for row in rows) * 1e3 / (STEPS + 1) for place in (0, 1))
    return {"wall_ms": wall, "cpu_ms": cpu, "rss_mb": _peak_mb()}


async def chunks(framework: ModuleType) -> dict[str, Any]:
    rows = [await _timed(framework.run(_prompt(0, m=CHUNKS), 20)) for _ in range(REPEATS)]
    wall, cpu, delivered = min(rows)
    return {"per_s": CHUNKS / wall, "cpu_us": cpu * 1e6 / CHUNKS, "delivered": delivered, "rss_mb": _peak_mb()}


async def many(framework: ModuleType) -> dict[str, Any]:
    prompts = [_prompt(STEPS_A_RUN - 1) for _ in range(RUNS)]
    wall, cpu, _ = await _timed(_fewest(framework.run(prompt, 30) for prompt in prompts))
    return {"per_s": RUNS * STEPS_A_RUN / wall, "cpu_ms": cpu * 1e3 / (RUNS * STEPS_A_RUN), "rss_mb": _peak_mb()}


async def growth(framework: ModuleType) -> dict[str, Any]:
    """From one call to the next is a step; an eighth of the steps at each end says how much slower they became."""
    # Imported here: a cold start should not pay for them.
    from itertools import pairwise
    from statistics import median

    from bench.frameworks.tools import MARKS

    MARKS.clear()
    wall, cpu, _ = await _timed(framework.run(_prompt(LONG_STEPS), LONG_STEPS + 20))
    gaps = [(later - earlier) * 1e3 for earlier, later in pairwise(MARKS)]
    eighth = len(gaps) // 8
    first, last = median(gaps[:eighth]), median(gaps[-eighth:])
    return {"cpu_s": cpu, "wall_s": wall, "first_ms": first, "last_ms": last, "times": last / first}


async def parallel(framework: ModuleType) -> dict[str, Any]:
    rows = [await _timed(framework.run(_prompt(1, p=CALLS, n="sleepy", s=CALL_SECONDS), 20)) for _ in range(REPEATS)]
    return {"wall_ms": min(row[0] for row in rows) * 1e3}


MEASURES: dict[str, Callable[[ModuleType], Awaitable[dict[str, Any]]]] = {
    "once": once,
    "steps": steps,
    "chunks": chunks,
    "many": many,
    "growth": growth,
    "parallel": parallel,
}


async def measure(name: str, what: str, base: str) -> None:
    framework = importlib.import_module(f"bench.frameworks.{name}")
    await framework.start(base)
    if what != "once":
        # The first run pays for connections and caches; a cold start is a measure of its own.
        await framework.run(_prompt(2), 20)
    print(json.dumps(await MEASURES[what](framework)), flush=True)


async def _fewest(runs: Iterable[Awaitable[int]]) -> int:
    return min(await asyncio.gather(*runs))


async def _timed(work: Awaitable[int]) -> tuple[float, float, int]:
    """Wall and CPU seconds of a run, and its chunks: a run that failed quickly must not count as a quick one."""
    wall, cpu = time.perf_counter(), time.process_time()
    chunks = await work
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    if chunks < 1:
        raise RuntimeError("a run gave no text")
    return wall, cpu, chunks


def _prompt(turns: int, **script: object) -> str:
    fields = {"run": os.urandom(6).hex(), "t": turns, **script}
    return f"@@{';'.join(f'{key}={value}' for key, value in fields.items())}@@ go"


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    asyncio.run(measure(*sys.argv[1:4]))
    sys.stdout.flush()
    # Some peers leave threads or unclosed clients behind; their shutdown is not measured.
    os._exit(0)
