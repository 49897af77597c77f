"""Claude Code from npm in print mode, in a folder and a home of its own, with nothing but the gateway to talk to."""

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

import msgspec
from driven import HERE

SECONDS = 60
# The package's own starter: what `claude` leads to where the package's install script was not run.
STARTER = HERE / "node_modules" / "@anthropic-ai" / "claude-code" / "cli-wrapper.cjs"


class Ran(msgspec.Struct, frozen=True):
    """How a run ended: its exit status, and the lines that it told."""

    status: int
    lines: list[dict[str, Any]]
    errors: str

    @property
    def result(self) -> dict[str, Any]:
        return self.lines[-1]


async def run(folder: Path, url: str, token: str, prompt: str, *flags: str, **variables: str) -> Ran:
    """`folder` gets a `work` folder, where it runs, and a `home`."""
    work, home = folder / "work", folder / "home"
    for place in (work, home):
        place.mkdir(exist_ok=True)
    command = ["-p", prompt, "--output-format", "stream-json", "--verbose", *flags]
    process = await asyncio.create_subprocess_exec(
        "node",
        str(STARTER),
        *command,
        cwd=work,
        env=environment(home, url, token) | variables,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(SECONDS):
            out, errors = await process.communicate()
    except TimeoutError:
        # The starter has a child, which holds the pipes.
        os.killpg(process.pid, signal.SIGKILL)
        await process.communicate()
        raise
    return Ran(process.returncode or 0, [json.loads(line) for line in out.splitlines()], errors.decode())


def environment(home: Path, url: str, token: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "CLAUDE_CONFIG_DIR": str(home / ".claude"),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_AUTH_TOKEN": token,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        # Whatever else it might want to reach ends here.
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "127.0.0.1",
    }
