"""What the built-in tools of one project share: its files, settings, limits and running services."""

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from .define import ToolContext
from .limits import ToolLimits

if TYPE_CHECKING:
    from pathlib import Path

    from toolpost.guard.paths import FileAccess, ResolvedPath
    from toolpost.guard.sandbox.sandbox import Sandbox

    from .autorun_watch import AutorunWatch
    from .builtin.skill import Skill
    from .command_changes import CommandChanges
    from .files.apply import Step
    from .files.instructions import FolderInstructions
    from .files.read_tracker import ReadTracker
    from .jobs import BackgroundJobs
    from .lsp.servers import LanguageServers
    from .shared_cache import SharedCache

# Finds the key of a service by its name in the keyring and the variable that may hold it; "" if there is none.
FindKey = Callable[[str, str], str]


class ChangeJournal(Protocol):
    """The journal of changed files, which `toolpost undo` reads."""

    async def record(self, ctx: ToolContext, step: "Step") -> None:
        """Note a change of a file before it is made. A change that failed after all is followed by its inverse."""
        ...


def key_in_environment(service: str, variable: str) -> str:
    """Find a key in the environment alone, for tools that are named in code."""
    return os.environ.get(variable, "").strip()


@dataclass
class Workbench:
    """`after_edit` are asked after each change of a file; what they say is added to the result. `settings` are the
    tables of the configuration that belong to tools, such as `web`. `sandbox`, `jobs`, `watch` and
    `command_changes` are made at the first command.
    `outputs` is where an output that is too long is kept whole. `agents` are the descriptions of those that can be
    sent, by name; `beside` finds instructions beside files that are read. `search_cache` is where
    several processes keep the results of searches."""

    project_files: "FileAccess"
    read_tracker: "ReadTracker"
    limits: ToolLimits = field(default_factory=ToolLimits)
    changes: ChangeJournal | None = None
    after_edit: list[Callable[[ToolContext, "ResolvedPath"], Awaitable[str]]] = field(default_factory=list)  # pyright: ignore[reportUnknownVariableType]
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    sandbox: "Sandbox | None" = None
    jobs: "BackgroundJobs | None" = None
    watch: "AutorunWatch | None" = None
    command_changes: "CommandChanges | None" = None
    lsp: "LanguageServers | None" = None
    outputs: "Path | None" = None
    agents: Mapping[str, str] = field(default_factory=dict[str, str])
    skills: "Sequence[Skill]" = ()
    beside: "FolderInstructions | None" = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    find_key: FindKey = key_in_environment
    search_cache: "SharedCache | None" = None

    async def record(self, ctx: ToolContext, step: "Step") -> None:
        """Note a change that is about to be made, where there is a journal."""
        if self.changes is not None:
            await self.changes.record(ctx, step)

    async def diagnose(self, ctx: ToolContext, place: "ResolvedPath") -> str:
        """The diagnostics of a language server for a file that was changed."""
        # Imported here: most runs change nothing.
        from .lsp.servers import servers_of

        return await servers_of(self).after_edit(ctx, place)

    async def close(self) -> None:
        """End the background jobs and the language servers."""
        if self.jobs is not None:
            await self.jobs.close_all()
        if self.command_changes is not None:
            await self.command_changes.close()
        if self.lsp is not None:
            await self.lsp.close()


def bench_at(folder: "Path") -> Workbench:
    """A workbench for tools that are named in code."""
    from toolpost.guard.paths import FileAccess

    from .files.read_tracker import ReadTracker

    bench = Workbench(FileAccess(folder), ReadTracker())
    bench.after_edit.append(bench.diagnose)
    return bench


@cache
def here() -> Workbench:
    """The workbench of the folder that this process was started in."""
    from pathlib import Path

    return bench_at(Path.cwd())
