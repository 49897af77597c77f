"""Repair calls that a model wrote as text: find the tool that it meant, and make the arguments fit its schema.

Half-broken JSON is mended where it has one plain reading; what was mended must fit the schema, or it is an error
that the model can read. Nothing is made up.
"""

from typing import Any, NamedTuple, cast

from toolpost.arguments.validate import shape

from .lenient_json import Unreadable
from .tool_matching import ARGUMENT_KEYS, CARRIED_KEYS, NAME_KEYS, SIDE_KEYS, PromptedTools
from .values import ReadValue, literal, object_in, plain_text, read


class RepairedCall(NamedTuple):
    """A call as it can be run. `problem` says why it can't, in words for the model."""

    name: str
    arguments: dict[str, Any]
    problem: str = ""
    mended: bool = False
    carried: str = ""


def repair_call(name: str, text: str, offer: PromptedTools, *, whole: bool = True, carried: str = "") -> RepairedCall:
    """The call of the offered tool `name` whose arguments are `text`: an object, or a JSON string of one."""
    try:
        found = read(text) if text.strip() else ReadValue(None)
        arguments = arguments_from(found.value, name, offer)
    except Unreadable as error:
        return unreadable_call(name, offer, str(error), carried)
    return fitted_call(name, arguments, offer, found.mended or not whole, carried)


def repair_lone_input(name: str, text: str, offer: PromptedTools) -> RepairedCall:
    """The call whose input is `text` as it stands: a JSON object, or the tool's one string."""
    if not text.strip() or text.lstrip().startswith("{"):
        return repair_call(name, text, offer)
    try:
        arguments = arguments_from(literal(text) if text.startswith('"') else text, name, offer)
    except Unreadable as error:
        return unreadable_call(name, offer, str(error))
    return fitted_call(name, arguments, offer)


def arguments_from(value: Any, name: str, offer: PromptedTools) -> dict[str, Any]:
    """The arguments that `value` stands for. Raises `Unreadable` where it stands for none."""
    if isinstance(value, str) and value.strip():
        inner = object_in(value)
        if inner is not None:
            return inner
        target = offer.only_parameter(name)
        if target is None:
            raise Unreadable("the arguments are a lone string")
        return {target: value}
    if isinstance(value, dict):
        return cast("dict[str, Any]", value)
    if value is None or value == [] or isinstance(value, str):
        if offer.required(name):
            raise Unreadable("the arguments are missing")
        return {}
    raise Unreadable("the arguments are not an object")


def unreadable_call(name: str, offer: PromptedTools, reason: str, carried: str = "") -> RepairedCall:
    """A call that names its tool but cannot be read; the problem is one short text for the model."""
    wanted = f" {shape(offer.schema(name))}" if offer.schema(name) else ""
    problem = f"{name}: {reason}. Write the call again with its arguments as one JSON object{wanted}."
    return RepairedCall(name, {}, problem, carried=carried)


def call_in_object(members: dict[str, str], offer: PromptedTools, *, explicit: bool) -> RepairedCall | None:
    """The call that an object is, by its keys; None where it is none. `members` holds each value as it was written.

    Without a marker around it (`explicit` is False) only what can hardly be anything else is a call.
    """
    named = _name_in(members, offer)
    if named is None and explicit:
        named = _unknown_in(members, offer)
    if named is None:
        return _keyed_by_name(members, offer, explicit)
    key, name = named
    carried = next((plain_text(members[side]) for side in CARRIED_KEYS if side in members), "")
    rest = {other: text for other, text in members.items() if other != key}
    wrapped = next((other for other in ARGUMENT_KEYS if other in rest), None)
    if wrapped is not None and _is_wrapped(wrapped, rest, name, offer):
        if not explicit and not _plainly_wrapped(rest, wrapped, name, offer):
            return None
        return repair_call(name, rest[wrapped], offer, carried=carried)
    properties = offer.properties(name)
    flat = {other: text for other, text in rest.items() if other not in SIDE_KEYS or other in properties}
    if not flat:
        return repair_call(name, "", offer, carried=carried) if explicit else None
    result = _flat(name, flat, offer, carried)
    return result if explicit or (not result.problem and offer.valid(name, result.arguments)) else None


def tool_named_in(members: dict[str, str], offer: PromptedTools) -> str | None:
    """The tool on offer that an object names."""
    found = _name_in(members, offer)
    return found[1] if found else None


def _unknown_in(members: dict[str, str], offer: PromptedTools) -> tuple[str, str] | None:
    """The key and the name of a call to a tool that is not on offer: it has a name, and arguments of their own."""
    if not any(key in members for key in ARGUMENT_KEYS):
        return None
    said = ((key, offer.called(plain_text(members[key]))) for key in NAME_KEYS if key in members)
    return next(((key, name) for key, name in said if name), None)


def _name_in(members: dict[str, str], offer: PromptedTools) -> tuple[str, str] | None:
    """The key that holds the name, and the tool. A tool's exact name goes before one that had to be repaired."""
    said = {key: text for key in NAME_KEYS if key in members and (text := plain_text(members[key]))}
    for key, text in said.items():
        if text in offer:
            return key, text
    for key, text in said.items():
        name = offer.find(text)
        if name is not None:
            return key, name
    return None


def _is_wrapped(key: str, rest: dict[str, str], name: str, offer: PromptedTools) -> bool:
    """False where `key` is plainly one of the tool's own parameters, as `input` may be."""
    if key not in offer.properties(name):
        return True
    flat = _flat(name, {other: text for other, text in rest.items() if other not in CARRIED_KEYS}, offer, "")
    return bool(flat.problem) or not offer.valid(name, flat.arguments)


def _plainly_wrapped(rest: dict[str, str], wrapped: str, name: str, offer: PromptedTools) -> bool:
    if not rest.keys() <= SIDE_KEYS | {wrapped}:
        return False
    try:
        value = read(rest[wrapped]).value
    except Unreadable:
        return True
    if not isinstance(value, dict):
        return isinstance(value, str)
    members = cast("dict[str, Any]", value)
    # A tool's definition, as a model may show it, has a schema where a call has arguments.
    return not ({"type", "properties"} <= members.keys() and not offer.fits(name, members))


def _keyed_by_name(members: dict[str, str], offer: PromptedTools, explicit: bool) -> RepairedCall | None:
    """`{"get_weather": {"city": "Oslo"}}`: the only key is the tool."""
    keys = [key for key in members if key not in SIDE_KEYS]
    if len(keys) != 1 or (offer.open and not explicit):
        return None
    name = offer.find(keys[0]) if explicit else (keys[0] if keys[0] in offer else None)
    if name is None:
        return None
    if not explicit and not members[keys[0]].lstrip().startswith("{"):
        return None
    result = repair_call(name, members[keys[0]], offer)
    sure = not result.problem and bool(result.arguments) and offer.valid(name, result.arguments)
    return result if explicit or sure else None


def _flat(name: str, members: dict[str, str], offer: PromptedTools, carried: str) -> RepairedCall:
    arguments: dict[str, Any] = {}
    mended = False
    for key, text in members.items():
        try:
            found = read(text)
        except Unreadable as error:
            return unreadable_call(name, offer, str(error), carried)
        arguments[key] = found.value
        mended = mended or found.mended
    return fitted_call(name, arguments, offer, mended, carried)


def fitted_call(
    name: str, arguments: dict[str, Any], offer: PromptedTools, mended: bool = False, carried: str = ""
) -> RepairedCall:
    """What was mended must fit: what does not may have been mended wrongly."""
    fitted = offer.fit(name, arguments)
    if mended and not offer.valid(name, fitted):
        return unreadable_call(name, offer, "the arguments are not valid JSON", carried)
    return RepairedCall(name, fitted, "", mended, carried)
