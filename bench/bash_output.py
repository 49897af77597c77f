"""A gigabyte of output through the tool `bash`, in the sandbox: how long it takes, and how much memory it needs.

python -m bench.bash_output [--bytes N]
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from toolpost.guard.paths import FileAccess
from toolpost.tools.builtin.bash import make
from toolpost.tools.define import Tool, ToolContext, ToolResult
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.workbench import Workbench


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bytes", type=int, default=1_000_000_000)
    asyncio.run(_measure(parser.parse_args().bytes))


async def _measure(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench = Workbench(FileAccess(Path(folder)), ReadTracker(), outputs=Path(folder, "outputs"))
        shown = 0

        def update(text: str, details: dict[str, Any] | None) -> None:
            nonlocal shown
            shown += len(text)

        ctx = ToolContext("session", "message", "call", Path(folder), update, _allow, _environment)
        tool = make(bench)
        await _call(tool, ctx, "yes 0123456789abcdef | head -c 1000000")
        before, begun = _resident(), time.perf_counter()
        result = await _call(tool, ctx, f"yes 0123456789abcdef | head -c {size}")
        seconds, grown = time.perf_counter() - begun, _peak() - before
        kept = len(str(result.content[0]))
        print(f"{size:,} bytes in {seconds:.2f} s; the model gets {kept:,} characters, a face was shown {shown:,}")
        print(f"resident before: {before / 1e6:.1f} MB; growth at the peak: {grown / 1e6:.1f} MB")


async def _call(tool: Tool, ctx: ToolContext, command: str) -> ToolResult:
    assert tool.check is not None
    result: ToolResult = await tool.execute(tool.check({"command": command}), ctx)
    return result


async def _allow(
    permission: str, patterns: Sequence[str], always: Sequence[str], title: str, details: dict[str, Any] | None
) -> None:
    return


async def _environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"]}


def _resident() -> int:
    Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here
    return _status("VmRSS")


def _peak() -> int:
    return _status("VmHWM")


def _status(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))


if __name__ == "__main__":
    main()
