"""Fix a failing test, then undo the fix, with real tools and commands. Only the model is scripted.

`python examples/fix_a_test/run.py` works in a copy of `repository/`. `recording.txt` is its output. With your
own model: `python examples/fix_a_test/run.py openai/gpt-5-mini`.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec

from toolpost.testing import Upstream
from toolpost.testing.script import parse_script

HERE = Path(__file__).parent
PROMPT = "A test fails. Find out why and fix it."
RULES = ("--allow", "edit", "--allow", "bash:python3 -m unittest*", "--allow", "bash:tail*")


async def main() -> None:
    async with AsyncExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        project = Path(shutil.copytree(HERE / "repository", home / "shelf"))
        environ = {**os.environ, "TOOLPOST_DATA_DIR": str(home / "data"), "NO_COLOR": "1"}
        model = sys.argv[1] if len(sys.argv) > 1 else ""
        if not model:
            turns = parse_script(msgspec.json.decode((HERE / "turns.json").read_bytes()))
            up = await stack.enter_async_context(Upstream(*turns))
            environ |= {"OPENAI_BASE_URL": up.base_url, "OPENAI_API_KEY": "none"}
            model = "openai/scripted"
        for words in (("run", "-m", model, *RULES, PROMPT), ("diff",), ("undo", "--yes", "--steps", "9"), ("diff",)):
            await toolpost(words, project, environ)


async def toolpost(words: tuple[str, ...], project: Path, environ: dict[str, str]) -> None:
    """Run a command and show its output."""
    print(f"$ toolpost {subprocess.list2cmdline(words)}", flush=True)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "toolpost",
        *words,
        cwd=project,
        env=environ,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
    )
    await process.wait()
    print(flush=True)


if __name__ == "__main__":
    asyncio.run(main())
