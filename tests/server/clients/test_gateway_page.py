"""What docs/gateway.md tells people to run in front of the gateway is run in front of one."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest
from claude_code import STARTER, environment
from driven import HERE
from stage import Stage

from toolpost.testing import text

PAGE = HERE.parents[2] / "docs" / "gateway.md"
ADDRESS = "http://127.0.0.1:8642"
BLOCK = re.compile(r"^```(python|js|sh)\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = [(match[1], match[2]) for match in BLOCK.finditer(PAGE.read_text()) if ADDRESS in match[2]]
COMMANDS = {"python": [sys.executable, "snippet.py"], "js": ["node", "snippet.mjs"], "sh": ["sh", "-e", "snippet.sh"]}
pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_every_kind_of_client_is_shown() -> None:
    shown = "".join(code for _, code in BLOCKS)
    names = ("claude -p", "import Anthropic", "from openai", "@anthropic-ai/sdk", "@ai-sdk/anthropic", "curl")
    assert all(name in shown for name in names)


@pytest.mark.parametrize(("language", "code"), BLOCKS, ids=lambda value: value.strip().splitlines()[0])
async def test_a_snippet_works(stage: Stage, tmp_path: Path, language: str, code: str) -> None:
    stage.says.always = lambda request: text("Hello from the model.")
    command = COMMANDS[language]
    (tmp_path / command[-1]).write_text(code.replace(ADDRESS, stage.url))
    (tmp_path / "node_modules").symlink_to(HERE / "node_modules")
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=tmp_path,
        env=_environment(tmp_path, stage),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        out, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    assert b"Hello from the model." in out
    assert stage.asked


def _environment(folder: Path, stage: Stage) -> dict[str, str]:
    """What Claude Code needs, where `claude` is on the path as npm puts it there."""
    starter = folder / "bin" / "claude"
    starter.parent.mkdir()
    starter.write_text(f'#!/bin/sh\nexec node "{STARTER}" "$@"\n')
    starter.chmod(0o755)
    path = f"{starter.parent}{os.pathsep}{os.environ['PATH']}"
    return environment(folder, stage.url, stage.token) | {"PATH": path, "TOOLPOST_TOKEN": stage.token}
