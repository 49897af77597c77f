"""A workbench and a context for the tools that run commands, without an engine around them."""

import asyncio
import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from toolpost.guard.paths import FileAccess
from toolpost.guard.sandbox.sandbox import Sandbox, SandboxSettings, find_sandbox
from toolpost.tools.builtin import make
from toolpost.tools.define import ToolContext, ToolResult
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.limits import ToolLimits
from toolpost.tools.output import to_result
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import PermissionDenied
from toolpost.types.messages import TextPart

_found: list[Sandbox] = []


def sandbox() -> Sandbox:
    """The sandbox of this machine, looked for once."""
    if not _found:
        _found.append(find_sandbox(SandboxSettings()))
    assert _found[0].kind == "bubblewrap", _found[0].reason
    return _found[0]


class Bench:
    """The tools of one project, called directly. `denied` are permissions that are refused, `asked` what was asked."""

    def __init__(self, project: Path, *, denied: Sequence[str] = (), read_only: bool = False, **options: Any) -> None:
        project.mkdir(exist_ok=True)
        limits = ToolLimits(**options.pop("limits", {}))
        options = {"sandbox": sandbox(), **options}
        self.bench = Workbench(FileAccess(project), ReadTracker(), limits=limits, **options)
        self.denied = denied
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self.live: list[str] = []
        self.environ: dict[str, str] = {}
        self.ctx = ToolContext("ses", "msg", "call", project, self._update, self._ask, self._environment, read_only)

    async def call(self, name: str, **arguments: Any) -> ToolResult:
        tool = make(name, self.bench)
        assert tool.check is not None
        return to_result(await tool.execute(tool.check(arguments), self.ctx))

    async def text(self, name: str, **arguments: Any) -> str:
        result = await self.call(name, **arguments)
        return "".join(part.text for part in result.content if isinstance(part, TextPart))

    async def __call__(self, command: str, **arguments: Any) -> str:
        return await self.text("bash", command=command, **arguments)

    def _update(self, text: str, details: dict[str, Any] | None) -> None:
        self.live.append(text)

    async def _ask(
        self,
        permission: str,
        patterns: Sequence[str],
        always: Sequence[str],
        title: str,
        details: dict[str, Any] | None,
    ) -> None:
        self.asked.append((permission, tuple(patterns)))
        if permission in self.denied:
            raise PermissionDenied(f"{permission} is denied")

    async def _environment(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "GREETING": "hello", **self.environ}


async def gone(mark: str) -> None:
    """Return when no process has `mark` among its words."""
    async with asyncio.timeout(10):
        while running(mark):  # noqa: ASYNC110 - nothing else tells that a process is gone
            await asyncio.sleep(0.01)


def running(mark: str) -> list[str]:
    found: list[str] = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = entry.read_bytes().split(b"\0")
            found += [entry.parent.name] if mark.encode() in words and words[0].endswith(b"sleep") else []
    return found
