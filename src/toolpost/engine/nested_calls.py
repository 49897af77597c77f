"""Calls that are not the model's own: made by another call, or by a face. They live like any other, in no message."""

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from toolpost.guard.redact import known_secrets
from toolpost.tools.host import CallOutcome
from toolpost.types.errors import UsageError
from toolpost.types.events import ToolCalled
from toolpost.types.ids import new_id
from toolpost.types.messages import Completed, Failed, Part, Pending, TextPart, ToolPart
from toolpost.types.stream import ToolCall

from .calls import Life, live_side_by_side
from .permissions import Refused
from .state import Offer, Run, Stop

REFUSED = "A call was refused, and with it the run was ended."


async def call_tools(
    run: Run, offer: Offer, calls: Sequence[tuple[str, dict[str, Any]]], *, message_id: str, call_id: str
) -> list[CallOutcome]:
    """Make the calls, with ids below `call_id`; together they may give the model as much text as one call.

    Raises what ends the run if one of them does.
    """
    lives, parts = await _live(run, offer, calls, message_id=message_id, call_id=call_id)
    for life in lives:
        if life.stop is not None:
            raise _ending(life.stop)
    return [_outcome(part) for part in parts]


async def call_tool(run: Run, offer: Offer, name: str, arguments: dict[str, Any]) -> CallOutcome:
    """Make one call for a face: there is no run that it could end, so whatever ended it is the outcome. Raises
    `UsageError` for a mistake in how the tool or what it asks is wired."""
    (life,), (part,) = await _live(run, offer, [(name, arguments)], message_id="", call_id=new_id("call"))
    run.signal.set("ended")
    if life.stop is not None and life.stop.error is not None:
        raise UsageError(life.stop.error.message)
    missing = next((refusal.permission for refusal in run.refusals), "")
    return structs.replace(_outcome(part), missing=missing)


async def _live(
    run: Run, offer: Offer, calls: Sequence[tuple[str, dict[str, Any]]], *, message_id: str, call_id: str
) -> tuple[list[Life], list[ToolPart]]:
    made = [ToolCall(f"{call_id}/{number}", name, arguments) for number, (name, arguments) in enumerate(calls, 1)]
    sheet = _Sheet(message_id, offer, made)
    journal = run.core.journal
    for call in made:
        arguments = known_secrets().hide_in(call.arguments)
        journal.publish(ToolCalled(*journal.stamp(), message_id, call.id, call.name, arguments))
    lives = [Life(run, sheet, place, call, share=len(made)) for place, call in enumerate(made)]
    try:
        await live_side_by_side(lives)
    finally:
        for life in lives:
            life.close()
            life.remember()
    return lives, [part for part in sheet.parts if isinstance(part, ToolPart)]


class _Sheet:
    """Where such calls keep their state, as a message does for the model's."""

    def __init__(self, message_id: str, offer: Offer, calls: Sequence[ToolCall]) -> None:
        self.id = message_id
        self.offer = offer
        self.parts: list[Part] = [ToolPart(call.id, call.name, Pending()) for call in calls]

    def replace(self, place: int, part: Part) -> None:
        self.parts[place] = part

    def save(self) -> None:
        """Nothing to store: what happens to these calls is in the events."""


def _ending(stop: Stop) -> Exception:
    return Refused(REFUSED, final=True) if stop.reason == "denied" else stop


def _outcome(part: ToolPart) -> CallOutcome:
    state = part.state
    if isinstance(state, Completed):
        return CallOutcome(part.name, state.content)
    assert isinstance(state, Failed)
    return CallOutcome(part.name, (TextPart(state.message),), state.kind)
