"""`edit` on a large file beside the least that could be done: read it, replace, write it beside, rename.

python -m bench.edit [--megabytes N] [--rounds N]
"""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from toolpost.guard.paths import FileAccess
from toolpost.tools.builtin import edit, read
from toolpost.tools.define import Tool, ToolContext
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.schema import check_arguments
from toolpost.tools.workbench import Workbench

LINE = "    value_{number} = compute(value_{number}, other)  # a line as there are many\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "large.py")
        lines = given.megabytes * 1_000_000 // len(LINE.format(number=100_000))
        file.write_text("".join(LINE.format(number=number) for number in range(lines)))
        asyncio.run(_compare(file, lines, given.rounds))


async def _compare(file: Path, lines: int, rounds: int) -> None:
    bench = Workbench(FileAccess(file.parent), ReadTracker())
    context = _context(file.parent)
    await _call(read.make(bench), {"path": file.name, "limit": 1}, context)
    tool = edit.make(bench)
    title = f"medians of {rounds}, {lines * len(LINE) // 1_000_000} MB"
    print(f"{title:42}{'plain':>9}{'tool':>9}{'times':>7}")
    for title, place in (("a line at its beginning", 10), ("in its middle", lines // 2), ("at its end", lines - 10)):
        old = LINE.format(number=place)
        plain, ours = [], []
        for number in range(rounds):
            new = old.replace("other", f"other_{number}")
            began = time.perf_counter()
            _plain(file, old, new)
            plain.append(time.perf_counter() - began)
            _plain(file, new, old)
            await _call(read.make(bench), {"path": file.name, "limit": 1}, context)
            began = time.perf_counter()
            await _call(tool, {"path": file.name, "old_text": old, "new_text": new}, context)
            ours.append(time.perf_counter() - began)
            await _call(tool, {"path": file.name, "old_text": new, "new_text": old}, context)
        first, second = statistics.median(plain) * 1000, statistics.median(ours) * 1000
        print(f"{title:42}{first:>6.0f} ms{second:>6.0f} ms{second / first:>7.1f}")


def _plain(file: Path, old: str, new: str) -> None:
    """Atomic and durable too, but without a check, a diff or a journal."""
    text = file.read_text()
    assert text.count(old) == 1
    beside = file.with_suffix(".new")
    with beside.open("w") as opened:
        opened.write(text.replace(old, new))
        opened.flush()
        os.fsync(opened.fileno())
    beside.replace(file)


async def _call(tool: Tool, arguments: dict[str, Any], context: ToolContext) -> None:
    await tool.execute(check_arguments(tool, arguments), context)


def _context(folder: Path) -> ToolContext:
    async def allow(*_: object) -> None: ...

    async def environment() -> dict[str, str]:
        return dict(os.environ)

    return ToolContext("ses", "msg", "call", folder, lambda *_: None, allow, environment)


if __name__ == "__main__":
    main()
