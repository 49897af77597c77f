"""`write`: write a whole file, new or in place of one that the model has read."""

from typing import Annotated

from toolpost.guard.paths import ResolvedPath
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.files.guarded_write import Step, carry_out, content, details, diff_of, require_known
from toolpost.tools.files.path_permissions import EDIT, allow, changed_path, whole_project
from toolpost.tools.files.text import FileText, NotText, decode, with_newlines
from toolpost.tools.threads import run_in_thread
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError


def make(bench: Workbench) -> Tool:
    @tool(
        name="write",
        permission=EDIT,
        patterns=changed_path(bench.project_files),
        always=whole_project,
        parallel=False,
        touches_machine=True,
    )
    async def write(
        ctx: ToolContext,
        path: Annotated[str, "File, relative to the project or absolute; folders on the way are made"],
        content: Annotated[str, "All that the file is to hold"],
    ) -> ToolResult:
        """Write a whole file: a new one, or in place of one that you have read. To change a part of a file, edit it."""
        return await _write(bench, ctx, bench.project_files.resolve(path), content)

    return write


async def _write(bench: Workbench, ctx: ToolContext, place: ResolvedPath, text: str) -> ToolResult:
    await allow(ctx, bench.project_files, place, EDIT)
    before = await content(bench, place)
    if before is not None:
        if before and bench.read_tracker.of(ctx.session_id, place.real) is None:
            raise ToolError(f"{place.shown} exists and you have not read it; nothing was written. Read it first.")
        require_known(bench, ctx, place, before)
    step = Step(place, before, _encoded(before, text))
    if step.before == step.after:
        return ToolResult([f"{place.shown} holds exactly that already; nothing was written."], title=place.shown)
    remarks = await carry_out(bench, ctx, [step])
    diff = await run_in_thread(lambda: diff_of(step))
    stat = f" ({diff.stat})" if diff else ""
    verb = "Wrote" if before is None else "Replaced"
    return ToolResult([f"{verb} {place.shown}{stat}.{remarks}"], details([step], [diff]), place.shown)


def _encoded(before: bytes | None, text: str) -> bytes:
    """As the file was before: its encoding, its byte order mark and its line ends, unless the text has its own."""
    try:
        old = decode(before or b"")
    except NotText:
        old = FileText()
    ends_kept = text if "\r\n" in text else with_newlines(text, old.newline)
    return old.encode(ends_kept)
