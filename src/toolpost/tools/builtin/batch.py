"""`batch`: make several calls of other tools at once, for models that make one call a turn."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.host import CallOutcome
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError
from toolpost.types.messages import Content, FilePart, TextPart
from toolpost.types.text import counted

NAME = "batch"
# Beyond what the slowest of its calls may take, so that a call's own limit is the one that ends it.
MARGIN_SECONDS = 60.0


class BatchedCall(Struct, frozen=True):
    tool: Annotated[str, Meta(description="The name of a tool")]
    arguments: Annotated[dict[str, Any], Meta(description="Its arguments")] = {}


def make(bench: Workbench) -> Tool:
    limits = bench.limits
    slowest = max(limits.task_seconds, limits.bash_seconds_max, limits.fetch_seconds_max)

    @tool(
        name=NAME,
        timeout=slowest + MARGIN_SECONDS,
        heeds_read_only=True,
        description=(
            f"Call up to {limits.batch_calls} tools at once, side by side; the results come back in the order of the "
            "calls. Use it for calls that do not depend on each other, such as reading several files. It can't call "
            "itself."
        ),
        touches_machine=False,
    )
    async def batch(ctx: ToolContext, calls: Annotated[list[BatchedCall], "The calls"]) -> ToolResult:
        if not calls:
            raise ToolError("The list of calls is empty: give at least one.", kind="invalid")
        if len(calls) > limits.batch_calls:
            raise ToolError(f"{len(calls)} calls are too many: {limits.batch_calls} is the limit.", kind="invalid")
        if any(call.tool == NAME for call in calls):
            raise ToolError("batch can't call itself: put all calls into one list.", kind="invalid")
        outcomes = await ctx.host.call_tools([(call.tool, call.arguments) for call in calls])
        failed = sum(outcome.error_kind is not None for outcome in outcomes)
        title = f"{len(outcomes) - failed} of {counted(len(outcomes), 'call')} completed"
        details = {"calls": [{"tool": one.name, "error": one.error_kind} for one in outcomes]}
        return ToolResult(_content(outcomes), details, title)

    return batch


def _content(outcomes: list[CallOutcome]) -> list[Content]:
    """One text with a heading for each call, then the files that came with them."""
    texts = [
        f"[{number}] {outcome.name}: {outcome.error_kind or 'completed'}\n{outcome.text}"
        for number, outcome in enumerate(outcomes, 1)
    ]
    files = [part for outcome in outcomes for part in outcome.content if isinstance(part, FilePart)]
    return [TextPart("\n\n".join(texts)), *files]
