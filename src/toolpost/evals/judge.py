"""The judge: which of a case's metrics a turn meets."""

from collections.abc import Sequence

from toolpost.arguments.names import repair
from toolpost.arguments.validate import Validator
from toolpost.tools.builtin.invalid import unknown_tool
from toolpost.types.errors import ToolError
from toolpost.types.stream import ToolCall
from toolpost.types.tools import ToolSpec

from .cases import Case
from .compare import pair_up, plain_text, same_tools, says
from .outcome import Got
from .turn import TimedTurn

CUT = "the call was cut off at the output limit"
NOT_AN_OBJECT = "the arguments are not one JSON object"


def take_calls(turn: TimedTurn, tools: Sequence[ToolSpec]) -> tuple[Got, ...]:
    """The calls as the engine takes them: names repaired, arguments mended where that is plain, then checked."""
    specs = {tool.name: tool for tool in tools}
    taken = [_take(call, specs) for call in turn.calls]
    half = [Got(part.name, problem=CUT) for part in turn.half_calls]
    if turn.is_cut and taken and not half:
        # The last call is the one that was cut, whole as its JSON may look.
        last = taken[-1]
        taken[-1] = Got(last.name, last.arguments, last.asked, last.raw, CUT)
    return (*taken, *half)


def positions(case: Case, calls: Sequence[Got]) -> list[int] | None:
    """Which expected call of its alternative each call is, or None where the calls are not right."""
    if any(call.problem for call in calls):
        return None
    defaults = {tool.name: _defaults(tool) for tool in case.tools}
    found = (pair_up(calls, alternative, defaults) for alternative in case.expected.calls)
    return next((places for places in found if places is not None), None)


def judge_calls(case: Case, calls: Sequence[Got], text: str) -> dict[str, bool]:
    """The scores of the first turn."""
    scores: dict[str, bool] = {}
    if case.category == "no_call":
        scores["no_call"] = not calls
    elif case.category == "missing":
        scores["asked"] = not calls and _asks(text, case.expected.asks_for)
    else:
        scores["tool"] = any(same_tools(calls, alternative) for alternative in case.expected.calls)
        scores["arguments"] = positions(case, calls) is not None
    if calls:
        scores["well_formed"] = not any(call.problem for call in calls)
    return scores


def judge_answer(case: Case, text: str) -> bool:
    return all(says(text, group) for group in case.expected.answer)


def _take(call: ToolCall, specs: dict[str, ToolSpec]) -> Got:
    name = repair(call.name, specs)
    if name is None:
        return Got(call.name, call.arguments, raw=call.raw, problem=str(unknown_tool(call.name, list(specs))))
    asked = call.name if call.name != name else ""
    if call.raw:
        # Whoever read the call from text may know what is wrong with it.
        found: dict[str, str] = (call.metadata or {}).get("prompted") or {}
        return Got(name, asked=asked, raw=call.raw, problem=found.get("problem") or NOT_AN_OBJECT)
    try:
        return Got(name, Validator(name, specs[name].parameters).check(call.arguments), asked)
    except ToolError as error:
        return Got(name, call.arguments, asked, problem=str(error))


def _defaults(tool: ToolSpec) -> dict[str, object]:
    properties = tool.parameters.get("properties", {})
    return {name: field["default"] for name, field in properties.items() if "default" in field}


def _asks(text: str, words: Sequence[str]) -> bool:
    """A question for what is missing; where the case names no words, any question."""
    return says(text, words) if words else "?" in plain_text(text)
