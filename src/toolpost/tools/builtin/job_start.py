"""`job_start`: run a command in the background."""

from typing import Annotated

from toolpost.tools.acting_watch import command_roots, watch_of
from toolpost.tools.command_changes import CommandNotes
from toolpost.tools.commands import Judge, jobs_of, launch, permit, require_command
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.job_report import report
from toolpost.tools.workbench import Workbench

# Long enough to see a command that fails at once.
FIRST_LOOK_SECONDS = 0.5


def make(bench: Workbench) -> Tool:
    judge = Judge(bench)

    @tool(
        name="job_start",
        permission="bash",
        patterns=judge.patterns,
        always=judge.always,
        heeds_read_only=True,
        touches_machine=True,
    )
    async def job_start(
        ctx: ToolContext,
        command: Annotated[str, "The command, for bash"],
        description: Annotated[str, "What it does, in five to ten words"] = "",
        workdir: Annotated[str, "Folder to run in; the project by default"] = "",
        network: Annotated[bool, "True if it needs the network, which the user is asked for"] = False,
        secrets: Annotated[
            list[str] | None, "Secret files such as .env that it needs, which the user is asked for"
        ] = None,
    ) -> ToolResult:
        """Start a command in the background, such as a server or a long build, and go on. It runs in the same sandbox
        as bash and is stopped when the session ends. See its output with job_read, wait with job_wait, end it with
        job_stop.
        """
        require_command(command)
        jobs = jobs_of(bench)
        jobs.require_room(ctx.session_id)
        allowed = await permit(bench, ctx, command, workdir, network, secrets or ())
        watch, notes = watch_of(bench), CommandNotes(bench, ctx)
        await notes.begin()
        try:
            roots = await watch.begin(command_roots(bench, ctx, allowed.granted))
        except BaseException:
            await notes.end()
            raise

        async def after() -> None:
            try:
                await watch.end(ctx.session_id, roots)
            finally:
                await notes.end()

        try:
            ready = await launch(bench, ctx, allowed)
            job = await jobs.start(ctx.session_id, command, description, ready, after)
        except BaseException:
            await after()
            raise
        await job.wait(FIRST_LOOK_SECONDS)
        return await report(bench, ctx, job)

    return job_start
