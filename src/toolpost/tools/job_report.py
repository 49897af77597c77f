"""What a model is told about a background job: its state, and what is new in its output."""

from toolpost.types.messages import TextPart
from toolpost.types.plurals import counted

from .acting_watch import watch_of
from .command_changes import note_until_now
from .define import ToolContext, ToolResult
from .jobs import Job
from .output_collector import MAX_BYTES, MAX_LINES, OutputCollector
from .workbench import Workbench

ROOM_BYTES, ROOM_LINES = 400, 4


async def report(bench: Workbench, ctx: ToolContext, job: Job) -> ToolResult:
    """The new output, bounded, behind a line that says how the job stands; and what it has made that acts later."""
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
