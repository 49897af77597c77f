"""`job_stop`: end a background job."""

from typing import Annotated

from toolpost.tools.command_changes import note_until_now
from toolpost.tools.commands import jobs_of
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.job_report import report
from toolpost.tools.workbench import Workbench


def make(bench: Workbench) -> Tool:
    @tool(name="job_stop", needs="bash", read_only=True, touches_machine=True)
    async def job_stop(ctx: ToolContext, job: Annotated[str, "Which job, such as job_1"]) -> ToolResult:
        """End a background job with all its processes, and read what it has written since the last time."""
        jobs = jobs_of(bench)
        known = jobs.get(ctx.session_id, job)
        await note_until_now(bench, ctx)
        await jobs.stop(known)
        return await report(bench, ctx, known)

    return job_stop
