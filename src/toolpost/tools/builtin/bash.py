"""`bash`: run a command in the sandbox and wait for it."""

import re
from collections.abc import Sequence
from typing import Annotated

from toolpost.guard.sandbox.sandbox import Launch
from toolpost.tools.autorun_watch import command_roots, watch_of, watched
from toolpost.tools.command_changes import CommandNotes
from toolpost.tools.commands import AllowedCommand, CommandJudge, CommandRequest, launch, permit, require_command
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.output_collector import MAX_BYTES, MAX_LINES
from toolpost.tools.process import Finished, run_process
from toolpost.tools.threads import run_in_thread
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError
from toolpost.types.messages import TextPart

# The engine's own limit comes after the tool's, which says what there was until then.
GRACE_SECONDS = 30.0
# Room for the line that says how it ended.
ROOM_BYTES, ROOM_LINES = 2_000, 8
TITLE_CHARS = 120
SHORTEST_SECONDS = 0.1
MAX_NAMED = 5
NO_NETWORK = re.compile(
    r"EAI_AGAIN|ENETUNREACH|(?i:network is unreachable|name resolution|could not resolve|no such host|unknown host)"
)


def make(bench: Workbench) -> Tool:
    judge = CommandJudge(bench)
    longest = bench.limits.bash_seconds_max

    @tool(
        name="bash",
        permission="bash",
        patterns=judge.patterns,
        always=judge.always,
        heeds_read_only=True,
        timeout=longest + GRACE_SECONDS,
        touches_machine=True,
    )
    async def bash(
        ctx: ToolContext,
        command: Annotated[str, "The command, for bash"],
        description: Annotated[str, "What it does, in five to ten words"] = "",
        timeout: Annotated[float, f"Seconds until it is stopped, at most {longest:g}"] = bench.limits.bash_seconds,
        workdir: Annotated[str, "Folder to run in, instead of `cd`; the project by default"] = "",
        network: Annotated[bool, "True if it needs the network, which the user is asked for"] = False,
        secrets: Annotated[
            list[str] | None, "Secret files such as .env that it needs, which the user is asked for"
        ] = None,
    ) -> ToolResult:
        """Run a command in bash and wait for it: tests, builds, git. Only the project can be written; /tmp is empty
        each time, there is no network unless you ask for it, and files such as .env can't be read unless you name them
        in secrets. What it leaves in the background is stopped: use job_start for servers. To read, search or edit
        files use the tools for that.
        """
        require_command(command)
        # In this order NaN becomes the shortest time.
        seconds = min(longest, max(SHORTEST_SECONDS, timeout))
        allowed = await permit(bench, ctx, CommandRequest(command, workdir, network, secrets or ()))
        async with CommandNotes(bench, ctx) as notes:
            async with watched(bench, ctx, command_roots(bench, ctx, allowed.granted)):
                done, ready = await _run(bench, ctx, allowed, seconds)
                if ready.refused:
                    # Something was moved just then, and nothing has run yet.
                    done, ready = await _run(bench, ctx, allowed, seconds)
            # What a person lets it keep is put back by this, and is its work too.
            left = await watch_of(bench).settle(ctx)
        left = left.with_notice(notes.problem)
        if ready.refused:
            raise ToolError(f"{ready.refused} Try again.", kind="denied")
        title = description or command.strip().splitlines()[0]
        if done.timed_out:
            told = f"[stopped after {seconds:g} s: use a longer timeout, up to {longest:g}, or job_start]"
            raise ToolError(f"{_text(done)}\n{told}{left.text}", kind="timeout")
        details = {"exit_code": done.code, "network": allowed.network, "spilled": done.output.spilled}
        ended = f"exit code {done.code}" if done.code >= 0 else f"killed by signal {-done.code}"
        hint = _hint(done, allowed, ready.covered) if done.code else ""
        return left.added_to(ToolResult([f"{_text(done)}\n[{ended}]{hint}"], details, title[:TITLE_CHARS]))

    return bash


async def _run(bench: Workbench, ctx: ToolContext, allowed: AllowedCommand, seconds: float) -> tuple[Finished, Launch]:
    ready = await launch(bench, ctx, allowed)
    try:
        done = await run_process(
            ready.argv,
            ctx,
            cwd=ready.cwd,
            env=ready.env,
            pass_fds=ready.pass_fds,
            spill=bench.outputs,
            timeout=seconds,
            max_bytes=MAX_BYTES - ROOM_BYTES,
            max_lines=MAX_LINES - ROOM_LINES,
        )
    finally:
        await run_in_thread(ready.close)
    return done, ready


def _hint(done: Finished, allowed: AllowedCommand, covered: Sequence[str]) -> str:
    """What the sandbox has to do with a failure, where the output looks like it."""
    text = _text(done)
    hidden = [path for path in covered if path.rpartition("/")[2] in text]
    if hidden and "ermission denied" in text:
        named = ", ".join(path.rpartition("/")[2] for path in hidden[:MAX_NAMED])
        return f"\n[hidden from commands: {named}. If it is needed, name it in secrets]"
    if not allowed.network and NO_NETWORK.search(text):
        return "\n[there is no network here. If it is needed, set network]"
    return ""


def _text(done: Finished) -> str:
    return "\n".join(part.text for part in done.output.content if isinstance(part, TextPart)).rstrip("\n")
