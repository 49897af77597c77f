"""Run the tool calls of a model's turn: side by side, unless a tool says otherwise.

Their results go back in the order in which the model asked. `call_pipeline.py` has the steps of each call.
"""

import asyncio
from collections.abc import Sequence
from functools import partial

from toolpost.types.errors import ToolpostError
from toolpost.types.messages import Failed, Pending, ToolPart

from .call_pipeline import ABORTED, CallExecution
from .message_draft import Draft
from .state import Run, Stop

TRUNCATED = (
    "The call was cut off at the output limit and was not run. Split it: write less at once, in several smaller calls."
)


async def run_calls(run: Run, draft: Draft) -> None:
    """Run the calls of a draft; each ends up as `Completed` or `Failed` in it. Raises `Stop` if one ends the run."""
    calls = [
        CallExecution(
            run,
            call,
            draft.offer,
            message_id=draft.id,
            store=partial(draft.replace, place),
            begun=draft.begun.get(call.id, 0.0),
        )
        for place, call in draft.calls.items()
    ]
    if draft.reason == "length" and calls and not _half_written(draft):
        # The last call is the one that was cut, whole as its JSON may look.
        calls.pop().fail("truncated", TRUNCATED)
    handed = [call for call in calls if call.is_handed_over]
    own = [call for call in calls if not call.is_handed_over]
    for call in handed:
        call.hand_over()
    why = ABORTED
    try:
        await run_side_by_side(own)
    except ToolpostError as error:
        why = f"The call was not done: {error}"
        raise
    finally:
        if not run.leaving:
            for call in own:
                call.close(why)
                call.remember()
            close_open_calls(draft, why)
    stops = [call.stop for call in own if call.stop is not None]
    if stops:
        raise stops[0]
    if handed:
        raise Stop("handed_over")


async def run_side_by_side(calls: Sequence[CallExecution]) -> None:
    """Run the calls, those together that may; after one that ends the run no other begins."""
    for group in _groups(calls):
        await _run_group(group)
        if any(call.stop for call in group):
            break


def close_open_calls(draft: Draft, why: str = ABORTED) -> None:
    """Mark the calls that never became whole, or were never begun: whatever happened, no call stays open."""
    cut = draft.reason == "length"
    for place, part in enumerate(draft.parts):
        if isinstance(part, ToolPart) and isinstance(part.state, Pending):
            failed = Failed("truncated" if cut else "aborted", TRUNCATED if cut else why, raw=part.state.raw)
            draft.replace(place, ToolPart(part.call_id, part.name, failed))


def _groups(calls: Sequence[CallExecution]) -> list[list[CallExecution]]:
    """Neighbours that may run side by side are one group; a call that may not is a group of its own."""
    groups: list[list[CallExecution]] = []
    for call in calls:
        if groups and call.parallel and groups[-1][-1].parallel:
            groups[-1].append(call)
        else:
            groups.append([call])
    return groups


async def _run_group(group: Sequence[CallExecution]) -> None:
    if len(group) == 1:
        await group[0].run()
        return
    try:
        async with asyncio.TaskGroup() as tasks:
            for call in group:
                tasks.create_task(call.run())
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None


def _half_written(draft: Draft) -> bool:
    """True if the stream was cut inside a call: then its part has no whole call."""
    return any(isinstance(part, ToolPart) and place not in draft.calls for place, part in enumerate(draft.parts))
