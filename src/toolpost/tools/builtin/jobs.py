"""`job_start`, `job_read`, `job_wait` and `job_stop`: run a command in the background, read its output, end it."""

from typing import Annotated

from toolpost.tools.autorun_watch import command_roots, watch_of
from toolpost.tools.command_changes import CommandNotes, note_until_now
from toolpost.tools.commands import CommandJudge, CommandRequest, jobs_of, launch, permit, require_command
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.jobs import BackgroundJob
from toolpost.tools.output_collector import MAX_BYTES, MAX_LINES, OutputCollector
from toolpost.tools.workbench import Workbench
from toolpost.types.messages import TextPart
from toolpost.types.text import counted

# Long enough to see a command that fails at once.
FIRST_LOOK_SECONDS = 0.5
WAIT_SECONDS = 60.0
# The engine's own limit comes after the tool's.
GRACE_SECONDS = 30.0
# Room for the line that says how the job stands.
ROOM_BYTES, ROOM_LINES = 400, 4


def make_job_start(bench: Workbench) -> Tool:
    judge = CommandJudge(bench)

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
        allowed = await permit(bench, ctx, CommandRequest(command, workdir, network, secrets or ()))
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
        return await _report(bench, ctx, job)

    return job_start


def make_job_read(bench: Workbench) -> Tool:
    @tool(name="job_read", needs="bash", read_only=True, touches_machine=True)
    async def job_read(ctx: ToolContext, job: Annotated[str, "Which job, such as job_1"]) -> ToolResult:
        """Read what a background job has written since the last time, and whether it still runs."""
        return await _report(bench, ctx, jobs_of(bench).get(ctx.session_id, job))

    return job_read


def make_job_wait(bench: Workbench) -> Tool:
    longest = bench.limits.bash_seconds_max

    @tool(name="job_wait", needs="bash", read_only=True, timeout=longest + GRACE_SECONDS, touches_machine=True)
    async def job_wait(
        ctx: ToolContext,
        job: Annotated[str, "Which job, such as job_1"],
        timeout: Annotated[float, "Seconds to wait at most, up to 600; the job runs on after that"] = WAIT_SECONDS,
    ) -> ToolResult:
        """Wait until a background job has ended, or for some seconds, and read what it has written meanwhile."""
        known = jobs_of(bench).get(ctx.session_id, job)
        await note_until_now(bench, ctx)
        await known.wait(min(max(timeout, 0.0), longest))
        return await _report(bench, ctx, known)

    return job_wait


def make_job_stop(bench: Workbench) -> Tool:
    @tool(name="job_stop", needs="bash", read_only=True, touches_machine=True)
    async def job_stop(ctx: ToolContext, job: Annotated[str, "Which job, such as job_1"]) -> ToolResult:
        """End a background job with all its processes, and read what it has written since the last time."""
        jobs = jobs_of(bench)
        known = jobs.get(ctx.session_id, job)
        await note_until_now(bench, ctx)
        await jobs.stop(known)
        return await _report(bench, ctx, known)

    return job_stop


async def _report(bench: Workbench, ctx: ToolContext, job: BackgroundJob) -> ToolResult:
    """Report the new output, bounded, behind a line that says how the job stands; and what it has made that runs
    later."""
    watch = watch_of(bench)
    if job.running:
        await watch.check(ctx.session_id)
    left = await watch.settle(ctx)
    await note_until_now(bench, ctx)
    data, lost = job.read()
    collector = OutputCollector(MAX_LINES - ROOM_LINES, MAX_BYTES - ROOM_BYTES)
    collector.feed(data)
    text = "\n".join(part.text for part in collector.finish().content if isinstance(part, TextPart))
    before = f"\n[not kept before this: {counted(lost, 'byte')}; read more often]" if lost else ""
    details = {"job": job.id, "running": job.running, "exit_code": job.code, "bytes": job.size}
    new = text if data else "(no new output)"
    result = ToolResult([f"[{job.id} {job.status}]{before}\n{new}"], details, job.description or job.command[:120])
    return left.added_to(result)
