"""Execute a tool: in a task of its own, within its time, with a signal that says when to stop."""

import asyncio
import logging
import time
from typing import Any

from toolpost.tools.define import RateLimit, Tool, ToolContext, ToolResult
from toolpost.tools.output import to_result
from toolpost.tools.print_router import printed_live
from toolpost.tools.watchdog import CallWatch
from toolpost.types.errors import PermissionDenied, ToolError, WiringError
from toolpost.types.text import counted

from .asyncio_tasks import stop, uninterrupted
from .state import Run, Stop

log = logging.getLogger("toolpost.engine")


async def execute(run: Run, tool: Tool, checked: Any, ctx: ToolContext) -> ToolResult | ToolError:
    """Run the tool in a task of its own, so that a timeout or an abort does not depend on it.

    Raises `WiringError`, `PermissionDenied` and `Stop`; any other failure is given back for the model to read.
    """
    limits = run.core.setup.limits
    timeout = limits.tool_timeout if tool.timeout is None else tool.timeout
    left = run.seconds_left
    seconds = timeout if left is None else min(timeout, left)
    watch = CallWatch(tool.name, time.monotonic() + seconds, lambda: ctx.cancelled.set("timeout"))
    work = watch.over(lambda: _call(run, tool, checked, ctx))
    task = asyncio.create_task(work, name=f"tool {tool.name} {ctx.call_id}")
    try:
        await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        ctx.cancelled.set("aborted")
        # A second cancellation does not shorten the time that the tool has to clean up.
        await uninterrupted(stop(task, limits.abort_grace))
        raise
    if task.done() and not watch.overran:
        return _outcome(tool, task)
    ctx.cancelled.set("timeout")
    ended = "was stopped"
    if task.done():
        # It blocked the event loop, so it could not be stopped; its late result does not count.
        ended = "took too long, and its result was dropped"
        _ = task.cancelled() or task.exception()
    else:
        await stop(task, limits.abort_grace)
    if left is not None and left < timeout:
        return ToolError(f"{tool.name} {ended}: the time of this run (max_seconds) is up.", kind="timeout")
    return ToolError(f"{tool.name} {ended} after {timeout:g} s. Try something smaller.", kind="timeout")


async def _call(run: Run, tool: Tool, checked: Any, ctx: ToolContext) -> ToolResult:
    limiter, limit = run.core.setup.throttles.limiter(tool), tool.rate_limit
    if limiter is not None and limit is not None:
        await limiter.wait(lambda seconds: ctx.update(_waiting(tool.name, limit, seconds)))
    with printed_live(tool.name, ctx.update):
        return to_result(await tool.run(checked, ctx), f"tool {tool.name}")


def _waiting(name: str, limit: RateLimit, seconds: float) -> str:
    allowed = f"{counted(limit.calls, 'call')} in {limit.seconds:g} s"
    return f"{name} waits {max(1, round(seconds))} s: its limit is {allowed}.\n"


def _outcome(tool: Tool, task: "asyncio.Task[ToolResult]") -> ToolResult | ToolError:
    try:
        return task.result()
    except ToolError as error:
        return error
    except (PermissionDenied, Stop, WiringError):
        raise
    except asyncio.CancelledError:
        return ToolError(f"{tool.name} cancelled itself.")
    except Exception as error:  # any failure of a tool is a result for the model
        log.exception("tool %s failed", tool.name)
        return ToolError(f"{type(error).__name__}: {error}")
