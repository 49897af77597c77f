"""`task`: start a sub-agent, which works in a session of its own and reports back."""

from collections.abc import Mapping
from typing import Annotated, Any

from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.host import SELF, SubAgentReport, SubAgentTask
from toolpost.tools.limits import ToolLimits
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError

DESCRIPTION = """\
Send a sub-agent to do a part of the work in a session of its own, and get its last message back. Use it for work \
that takes many calls whose results you need not see, such as a broad search, and send several at once for parts that \
do not depend on each other. It knows nothing of this conversation: put all that it needs into the prompt, and say \
what it should report. It may do no more than you may."""
MAX_LISTED_CALLS = 30
AGENT_LINE_CHARS = 300


def make(bench: Workbench) -> Tool:
    return task_tool(bench.agents, bench.limits)


def task_tool(agents: Mapping[str, str], limits: ToolLimits) -> Tool:
    """`agents` are the descriptions of those that can be sent, by name."""

    @tool(
        name="task",
        description=DESCRIPTION + _listed(agents),
        timeout=limits.task_seconds,
        heeds_read_only=True,
        # A sub-agent whose process died goes on in its own session.
        idempotent=True,
        patterns=_pattern,
        always=_pattern,
        touches_machine=False,
    )
    async def task(
        ctx: ToolContext,
        description: Annotated[str, "What it is about, in three to five words"],
        prompt: Annotated[str, "What to do and what to report, completely"],
        agent: Annotated[str, "Which agent to send; by default one like you"] = "",
        session_id: Annotated[str, "To go on with a sub-agent that you sent before: the session_id it reported"] = "",
    ) -> ToolResult:
        if not prompt.strip():
            raise ToolError("The prompt is empty.", kind="invalid")
        errand = SubAgentTask(
            prompt=prompt,
            title=description,
            seconds=limits.task_seconds,
            steps=limits.task_steps,
            depth=limits.task_depth,
            agent="" if agent == SELF else agent,
            session_id=session_id,
        )
        report = await ctx.host.send(errand, ctx.update)
        if report.ending not in ("done", "limit"):
            raise ToolError(_unfinished(report), kind="timeout" if report.ending == "timeout" else "failed")
        return ToolResult([_told(report)], _details(report), description)

    return task


def _pattern(arguments: dict[str, Any]) -> list[str]:
    return [arguments.get("agent") or SELF]


def _listed(agents: Mapping[str, str]) -> str:
    if not agents:
        return ""
    lines = [f"- {name}: {_one_line(text)}" for name, text in sorted(agents.items())]
    return "\n\nAgents:\n" + "\n".join(lines)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= AGENT_LINE_CHARS else line[: AGENT_LINE_CHARS - 1] + "…"


def _told(report: SubAgentReport) -> str:
    text = report.text.strip() or "(it ended without a message)"
    limit = f"It was stopped at a limit ({report.error}) and may not be done.\n\n" if report.ending == "limit" else ""
    return f"{limit}{text}\n\n(session_id: {report.session_id})"


def _unfinished(report: SubAgentReport) -> str:
    """What it has, for the model to go on with."""
    why = report.error or report.ending
    lines = [f"The sub-agent did not finish: {why}"]
    if report.text.strip():
        lines.append(f"What it said so far:\n{report.text.strip()}")
    if report.calls:
        left = len(report.calls) - MAX_LISTED_CALLS
        more = f"\n(and {left} before them)" if left > 0 else ""
        lines.append("Its calls:\n" + "\n".join(report.calls[-MAX_LISTED_CALLS:]) + more)
    lines.append(f"To let it go on, call task again with session_id: {report.session_id}")
    return "\n\n".join(lines)


def _details(report: SubAgentReport) -> dict[str, Any]:
    return {
        "session_id": report.session_id,
        "agent": report.agent,
        "ending": report.ending,
        "calls": len(report.calls),
        "tokens": report.usage.total,
        "cost": report.cost,
    }
