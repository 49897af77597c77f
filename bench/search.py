"""`grep` and `glob` beside plain ripgrep that looks for the same, on a tree of many files, both warm.

python -m bench.search [--files N] [--rounds N]
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from toolpost.guard.paths import FileAccess
from toolpost.tools.builtin import glob, grep
from toolpost.tools.code_search.ripgrep import find_ripgrep
from toolpost.tools.define import Tool, ToolContext
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.schema import check_arguments
from toolpost.tools.workbench import Workbench

LINES = 40
# One file in so many has the rare word in it, which makes 50 matches of 50,000 files.
RARE = 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _make(root, given.files)
        asyncio.run(_compare(root, given.rounds))


async def _compare(root: Path, rounds: int) -> None:
    bench = Workbench(FileAccess(root), ReadTracker())
    tools = {tool.name: tool for tool in (glob.make(bench), grep.make(bench))}
    print(f"{'medians of ' + str(rounds):38}{'ripgrep, ms':>12}{'tool, ms':>10}{'times':>7}")
    for title, words, name, arguments in (
        ("glob: 50 files of all", ["--files", "-g", "rare_*.py"], "glob", {"pattern": "**/rare_*.py"}),
        ("glob: half of all files", ["--files", "-g", "*.py"], "glob", {"pattern": "**/*.py"}),
        ("glob: all files", ["--files"], "glob", {"pattern": "**"}),
        ("grep: 50 matches", ["-n", "needle_rare"], "grep", {"pattern": "needle_rare"}),
        ("grep: no match", ["-n", "needle_none"], "grep", {"pattern": "needle_none"}),
        ("grep: a match a file, stopped at 100", ["-n", "def common"], "grep", {"pattern": "def common"}),
        ("grep: names of all files", ["-l", "def common"], "grep", {"pattern": "def common", "mode": "files"}),
        ("grep: counts of all files", ["-c", "def common"], "grep", {"pattern": "def common", "mode": "count"}),
    ):
        plain = [_seconds(lambda words=words: _ripgrep(root, words)) for _ in range(rounds)]
        ours = [await _seconds_of(_call(tools[name], arguments, root)) for _ in range(rounds)]
        first, second = statistics.median(plain) * 1000, statistics.median(ours) * 1000
        print(f"{title:38}{first:>12.0f}{second:>10.0f}{second / first:>7.1f}")


def _make(root: Path, files: int) -> None:
    for number in range(files):
        folder = root / f"package_{number % 100}" / f"part_{number // 100 % 20}"
        if number < 2_000:
            folder.mkdir(parents=True, exist_ok=True)
        rare = number % RARE == 0
        name = f"{'rare_' if rare else 'file_'}{number}.{'py' if number % 2 == 0 else 'txt'}"
        lines = [f"value_{number}_{line} = {line}" for line in range(LINES)]
        lines[LINES // 2] = f"def common_{number}(): {'needle_rare' if rare else ''}"
        (folder / name).write_text("\n".join(lines))
    (root / ".gitignore").write_text("*.log\nbuild/\n")


def _ripgrep(root: Path, words: list[str]) -> None:
    command = [find_ripgrep(), "--no-config", "--no-require-git", *words, "./"]
    subprocess.run(command, cwd=root, stdout=subprocess.PIPE, check=False)


async def _call(tool: Tool, arguments: dict[str, Any], root: Path) -> None:
    async def environ() -> dict[str, str]:
        return dict(os.environ)

    async def ask(*_: Any) -> None:
        return None

    ctx = ToolContext("ses", "msg", "call", root, lambda text, details: None, ask, environ)
    await tool.execute(check_arguments(tool, dict(arguments)), ctx)


def _seconds(work: Callable[[], None]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


async def _seconds_of(work: Awaitable[None]) -> float:
    begin = time.perf_counter()
    await work
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
