"""Run tool calls that code makes, not the model, such as those of `batch` or `session.call`, in no message."""

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from toolpost.guard.redact import known_secrets
from toolpost.tools.define import Tool
from toolpost.tools.host import CallOutcome
from toolpost.types.errors import UsageError
from toolpost.types.events import ToolCalled
from toolpost.types.ids import new_id
from toolpost.types.messages import Completed, Failed, TextPart, ToolPart
from toolpost.types.stream import ToolCall

from .call_pipeline import CallExecution
from .permissions import CallRefused
from .repetition import RepetitionGuard
from .state import Core, OfferedTools, Run, Stop
from .turn_calls import run_side_by_side

REFUSED = "A call was refused, and with it the run was ended."


async def call_tools(
    run: Run, offer: OfferedTools, calls: Sequence[tuple[str, dict[str, Any]]], *, message_id: str, call_id: str
) -> list[CallOutcome]:
    """Make the calls, with ids below `call_id`; together they may give the model as much text as one call.

    Raises what ends the run if one of them does.
    """
    for call in (made := await _run(run, offer, calls, message_id=message_id, call_id=call_id)):
        if call.stop is not None:
            raise _ending(call.stop)
    return [_outcome(call.part) for call in made]


async def call_tool(
    core: Core, tool: str | Tool, arguments: dict[str, Any], guard: RepetitionGuard | None
) -> CallOutcome:
    """Make one call for a face: there is no run that it could end, so whatever ended it is the outcome. Raises
    `UsageError` for a mistake in how the tool or what it asks is wired."""
    given, name = ((), tool) if isinstance(tool, str) else ((tool,), tool.name)
    if isinstance(tool, str):
        await core.init_tools()
    run, offer = Run(core, guard=guard), core.offer(given, frozenset())
    (call,) = await _run(run, offer, [(name, arguments)], message_id="", call_id=new_id("call"))
    run.signal.set("ended")
    if call.stop is not None and call.stop.error is not None:
        raise UsageError(call.stop.error.message)
    missing = next((refusal.permission for refusal in run.refusals), "")
    return structs.replace(_outcome(call.part), missing=missing)


async def _run(
    run: Run, offer: OfferedTools, calls: Sequence[tuple[str, dict[str, Any]]], *, message_id: str, call_id: str
) -> list[CallExecution]:
    """Run them to their end. What happens to these calls is in the events; there is no message to store them in."""
    made: list[CallExecution] = []
    journal = run.core.journal
    for number, (name, arguments) in enumerate(calls, 1):
        call = ToolCall(f"{call_id}/{number}", name, arguments)
        shown = known_secrets().hide_in(arguments)
        journal.publish(ToolCalled(*journal.stamp(), message_id, call.id, name, shown))
        made.append(CallExecution(run, call, offer, message_id=message_id, share=len(calls)))
    try:
        await run_side_by_side(made)
    finally:
        for execution in made:
            execution.close()
            execution.remember()
    return made


def _ending(stop: Stop) -> Exception:
    return CallRefused(REFUSED, final=True) if stop.reason == "denied" else stop


def _outcome(part: ToolPart) -> CallOutcome:
    state = part.state
    if isinstance(state, Completed):
        return CallOutcome(part.name, state.content)
    assert isinstance(state, Failed)
    return CallOutcome(part.name, (TextPart(state.message),), state.kind)
