"""`job_wait`: wait until a background job has ended."""

from typing import Annotated

from toolpost.tools.command_changes import note_until_now
from toolpost.tools.commands import jobs_of
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.job_report import report
from toolpost.tools.workbench import Workbench

SECONDS = 60.0
GRACE_SECONDS = 30.0


def make(bench: Workbench) -> Tool:
    longest = bench.limits.bash_seconds_max

    @tool(name="job_wait", needs="bash", read_only=True, timeout=longest + GRACE_SECONDS, touches_machine=True)
    async def job_wait(
        ctx: ToolContext,
        job: Annotated[str, "Which job, such as job_1"],
        timeout: Annotated[float, "Seconds to wait at most, up to 600; the job runs on after that"] = SECONDS,
    ) -> ToolResult:
        """Wait until a background job has ended, or for some seconds, and read what it has written meanwhile."""
        known = jobs_of(bench).get(ctx.session_id, job)
        await note_until_now(bench, ctx)
        await known.wait(min(max(timeout, 0.0), longest))
        return await report(bench, ctx, known)

    return job_wait
