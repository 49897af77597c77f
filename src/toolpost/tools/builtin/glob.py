"""`glob`: find files by name, the newest first."""

import os
from typing import Annotated, Any

from toolpost.guard.paths import FileAccess, ResolvedPath
from toolpost.tools.code_search.file_selection import HIDDEN, by_name, held_back, is_hidden, plain_name, shown_below
from toolpost.tools.code_search.matched_lines import relative
from toolpost.tools.code_search.path_globs import Glob, split_start
from toolpost.tools.code_search.ripgrep import run_ripgrep, search_target
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.files.path_permissions import allow
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError
from toolpost.types.text import counted


def make(bench: Workbench) -> Tool:
    def patterns(arguments: dict[str, Any]) -> list[str]:
        return [_start(bench.project_files, arguments["pattern"], arguments.get("path") or ".")[0].shown]

    @tool(name="glob", permission="glob", patterns=patterns, read_only=True, touches_machine=True)
    async def glob(
        ctx: ToolContext,
        pattern: Annotated[
            str, "Such as **/*.py, src/**/test_*.{ts,tsx} or Makefile; a bare name is found at any depth"
        ],
        path: Annotated[str, "Folder to search in; by default the project"] = ".",
        hidden: Annotated[bool, "Also files and folders whose names begin with a dot"] = False,
    ) -> ToolResult:
        """Find files by name, the newest first. Use it when you know what a file is called, not where it is.

        What .gitignore names and hidden files are left out, unless the pattern or the path names their folder.
        """
        place, wanted = _start(bench.project_files, pattern, path or ".")
        await allow(ctx, bench.project_files, place, "glob")
        if not bench.project_files.is_folder(place):
            raise ToolError(f"{place.shown} is not a folder; give the folder to search in.")
        return await _find(bench, ctx, place, wanted, hidden or wanted.hidden)

    return glob


def _start(project_files: FileAccess, pattern: str, path: str) -> tuple[ResolvedPath, Glob]:
    """The folder that the pattern leads to before its first wildcard, and what is wanted there."""
    start, rest = split_start(pattern.strip())
    place = project_files.resolve(os.path.join(path, os.path.expanduser(start)))  # noqa: PTH111, PTH118 - `place` checks it
    # What began with folders is anchored there; only a bare name may be at any depth.
    return place, Glob(f"./{rest}" if start and "/" not in rest else rest)


async def _find(bench: Workbench, ctx: ToolContext, place: ResolvedPath, wanted: Glob, hidden: bool) -> ToolResult:
    limit, seconds = bench.limits.search_results, bench.limits.search_seconds
    paths: list[str] = []
    left_out = held = 0

    def take(piece: bytes) -> bool:
        nonlocal left_out, held
        path = relative(piece)
        if (is_hidden(path) and not hidden) or not wanted.matches(path):
            return True
        if held_back(ctx, "glob", place, path):
            held += 1
        elif len(paths) < limit:
            paths.append(path)
        else:
            left_out += 1
        return True

    arguments = ["--files", "--null", "--sortr=modified", *by_name(wanted), *(HIDDEN if hidden else ())]
    with search_target(bench.project_files, place) as where:
        run = await run_ripgrep(arguments, ctx, where, take, end=b"\0", seconds=seconds)
    lines = [plain_name(shown_below(place, path)) for path in paths]
    if left_out:
        lines.append(f"… and {left_out:,} more. Narrow the pattern or the path to see them.")
    elif not lines:
        lines.append("No files match. Only files are found, by their whole name: *config* also finds my_config.py.")
    if held:
        lines.append(f"({counted(held, 'file')} left out that may not be found without permission)")
    lines += run.remarks(seconds)
    return ToolResult(["\n".join(lines)], {"files": len(paths) + left_out}, place.shown)
