"""`list`: list a folder and what is below it, as a tree."""

from collections.abc import Sequence
from typing import Annotated

from toolpost.guard.paths import ResolvedPath
from toolpost.tools.code_search.file_selection import held_back
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.files.folder_tree import FolderTree
from toolpost.tools.files.path_permissions import allow, shown_path
from toolpost.tools.threads import run_in_thread
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError
from toolpost.types.text import counted

DEPTH = 3
DEEPEST = 20
_REASONS = {
    "deeper": "folders lie deeper",
    "ignored": "are ignored by .gitignore",
    "no room": "found no room",
    "unreadable": "can't be read",
    "held back": "may not be listed without permission",
}


def make(bench: Workbench) -> Tool:
    @tool(
        name="list",
        permission="list",
        patterns=shown_path(bench.project_files, "."),
        read_only=True,
        touches_machine=True,
    )
    async def list_folder(
        ctx: ToolContext,
        path: Annotated[str, "Folder, relative to the project or absolute"] = ".",
        depth: Annotated[int, "How many levels of folders to show"] = DEPTH,
    ) -> ToolResult:
        """List a folder as a tree: folders end with /, links with @. What git ignores is left out, and it is said.

        To find files by their names in a large project, use glob.
        """
        place = bench.project_files.resolve(path or ".")
        await allow(ctx, bench.project_files, place, "list")
        if not await run_in_thread(lambda: bench.project_files.is_folder(place)):
            raise ToolError(f"{place.shown} is not a folder.")
        levels = min(max(depth, 1), DEEPEST)
        return await run_in_thread(lambda: _listed(bench, ctx, place, levels))

    return list_folder


def _listed(bench: Workbench, ctx: ToolContext, place: ResolvedPath, depth: int) -> ToolResult:
    def is_held_back(path: Sequence[str]) -> bool:
        return held_back(ctx, "list", place, "/".join(path))

    tree = FolderTree(bench.project_files, place, depth, bench.limits.list_entries, is_held_back)
    left = ", ".join(f"{count:,} {_REASONS[why]}" for why, count in tree.left_out.items())
    entries = counted(tree.entries, "entry", "entries")
    footer = f"({entries}; not shown: {left})" if left else f"({entries})"
    return ToolResult(["\n".join((*tree.lines(), footer))], {"entries": tree.entries}, place.shown)
