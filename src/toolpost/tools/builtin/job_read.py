"""`job_read`: what a background job has written since the last look."""

from typing import Annotated

from toolpost.tools.commands import jobs_of
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.job_report import report
from toolpost.tools.workbench import Workbench


def make(bench: Workbench) -> Tool:
    @tool(name="job_read", needs="bash", read_only=True, touches_machine=True)
    async def job_read(ctx: ToolContext, job: Annotated[str, "Which job, such as job_1"]) -> ToolResult:
        """Read what a background job has written since the last time, and whether it still runs."""
        return await report(bench, ctx, jobs_of(bench).get(ctx.session_id, job))

    return job_read
