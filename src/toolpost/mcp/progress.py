"""How far a call is, as its server tells it: shown as it comes, but not without end."""

from typing import TYPE_CHECKING

from toolpost.tools.define import ToolContext

from .call_timeout import Patience
from .tools import one_line

if TYPE_CHECKING:
    from mcp.shared.dispatcher import ProgressFnT

LONGEST_MESSAGE = 500
MOST_UPDATES = 1_000


def progress_of(ctx: ToolContext, patience: Patience) -> "ProgressFnT":
    """What the SDK calls for one call: each is kept with the session, so a server that never stops is not heard."""
    left = MOST_UPDATES

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        nonlocal left
        patience.renew()
        left -= 1
        if left < 0:
            return
        share = f"{progress:g}/{total:g}" if total else f"{progress:g}"
        said = one_line((message or "")[:LONGEST_MESSAGE])
        ctx.update(f"{said or share}\n", {"progress": progress, "total": total, "message": said or None})

    return on_progress
