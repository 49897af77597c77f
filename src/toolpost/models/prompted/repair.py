"""From what a model wrote to a call that can run: the tool that it meant, and arguments that fit its schema.

Half-broken JSON is mended where it has one plain reading; what was mended must fit the schema, or it is an error
that the model can read. Nothing is made up.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol, cast

from toolpost.arguments.coerce import coerce, plain_key
from toolpost.arguments.names import repair
from toolpost.arguments.validate import Validator, shape

from .literals import Literals, Unreadable

NAME_KEYS = ("tool", "tool_name", "function_name", "function", "recipient_name", "recipient", "action", "name")
ARGUMENT_KEYS = (
    *("arguments", "parameters", "args", "params", "input", "tool_input", "action_input", "kwargs"),
    *("function_args", "tool_args"),
)
CARRIED_KEYS = ("id", "call_id", "tool_call_id")
SIDE_KEYS = frozenset((*CARRIED_KEYS, "type", "index", "thought", "thoughts", "reasoning"))
WRAPPING_KEYS = frozenset((*ARGUMENT_KEYS, "properties"))
LONGEST_NAME = 128

Schema = dict[str, Any]


class OfferedTool(Protocol):
    """What has a name and a JSON Schema: a `Tool`, a `ToolSpec`."""

    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> dict[str, Any]: ...


class Read(NamedTuple):
    """A value, and whether it had to be mended, and whether the text ended in the middle of it."""

    value: Any
    mended: bool = False
    cut: bool = False


class Written(NamedTuple):
    """A call as it can be run. `problem` says why it can't, in words for the model."""

    name: str
    arguments: dict[str, Any]
    problem: str = ""
    mended: bool = False
    carried: str = ""


class Offer:
    """The tools on offer. None means that nobody said which: then any name is taken."""

    def __init__(self, tools: Iterable[OfferedTool | Mapping[str, Any]] | None) -> None:
        self.open = tools is None
        self._schemas = dict(map(_name_and_schema, tools or ()))
        self._validators: dict[str, Validator] = {}
        self._found: dict[str, str | None] = {}
        self.keys = frozenset(key for name in self._schemas for key in self.properties(name))

    def __contains__(self, name: str) -> bool:
        return name in self._schemas

    def find(self, name: str) -> str | None:
        """The tool that `name` stands for, spelled as it was offered."""
        if len(name) > LONGEST_NAME or not name.strip():
            return None
        if name not in self._found:
            if len(self._found) > 1_000:
                self._found.clear()
            self._found[name] = name.strip() if self.open else self._repaired(name)
        return self._found[name]

    def schema(self, name: str) -> Schema:
        return self._schemas.get(name, {})

    def properties(self, name: str) -> Schema:
        properties = self.schema(name).get("properties")
        return cast("Schema", properties) if isinstance(properties, dict) else {}

    def required(self, name: str) -> list[str]:
        return list(self.schema(name).get("required") or ())

    def valid(self, name: str, arguments: dict[str, Any]) -> bool:
        validator = self._validators.get(name)
        if validator is None:
            validator = self._validators[name] = Validator(name, self.schema(name))
        return validator.valid(arguments)

    def fit(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments mended by the schema where they do not fit as they stand."""
        if not self.schema(name) or self.valid(name, arguments):
            return arguments
        return coerce(self._unwrapped(name, arguments), self.schema(name))

    def fit_one(self, name: str, key: str, value: Any) -> Any:
        """The value of one argument, mended by its schema."""
        return coerce({key: value}, self.schema(name)).get(key, value)

    def fits(self, name: str, arguments: dict[str, Any]) -> bool:
        return self.valid(name, self.fit(name, arguments))

    def guess(self, arguments: dict[str, Any]) -> str | None:
        """The one tool that these arguments fit, where the text does not name it."""
        fitting = [
            name
            for name in self._schemas
            if arguments and arguments.keys() <= self.properties(name).keys() and self.valid(name, arguments)
        ]
        return fitting[0] if len(fitting) == 1 else None

    def only_parameter(self, name: str) -> str | None:
        """Where a lone string goes: the only parameter, else the only one that is required."""
        for names in (list(self.properties(name)), self.required(name)):
            if len(names) == 1:
                return names[0]
        return None

    def _repaired(self, name: str) -> str | None:
        plain = name.strip().removeprefix("call:")
        half = plain[: len(plain) // 2]
        if plain == f"{half}.{half}" or plain == f"{half}:{half}":
            plain = half
        return repair(plain, self._schemas)

    def _unwrapped(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Some models put all the arguments under one more key."""
        if len(arguments) != 1:
            return arguments
        key, value = next(iter(arguments.items()))
        if key not in WRAPPING_KEYS or key in self.properties(name):
            return arguments
        if isinstance(value, str):
            value = _object_in(value)
        return cast("dict[str, Any]", value) if isinstance(value, dict) else arguments


def read(text: str, *, bare_values: bool = False) -> Read:
    """Read JSON, or what was meant as JSON. Raises `Unreadable` where there is no one plain reading."""
    try:
        return Read(_strict.decode(text))
    except (ValueError, RecursionError):
        pass
    try:
        return Read(_with_newlines.decode(text), mended=True)
    except (ValueError, RecursionError):
        pass
    literals = Literals(text, bare_values=bare_values)
    value = literals.value()
    return Read(value, mended=True, cut=literals.cut)


def written(name: str, text: str, offer: Offer, *, whole: bool = True, carried: str = "") -> Written:
    """The call of the offered tool `name` whose arguments are `text`: an object, or a JSON string of one."""
    try:
        found = read(text) if text.strip() else Read(None)
        arguments = arguments_in(found.value, name, offer)
    except Unreadable as error:
        return failed(name, offer, str(error), carried)
    return checked(name, arguments, offer, found.mended or not whole, carried)


def lone(name: str, text: str, offer: Offer) -> Written:
    """The call whose input is `text` as it stands: a JSON object, or the tool's one string."""
    if not text.strip() or text.lstrip().startswith("{"):
        return written(name, text, offer)
    try:
        arguments = arguments_in(literal(text) if text.startswith('"') else text, name, offer)
    except Unreadable as error:
        return failed(name, offer, str(error))
    return checked(name, arguments, offer)


def arguments_in(value: Any, name: str, offer: Offer) -> dict[str, Any]:
    """The arguments that `value` stands for. Raises `Unreadable` where it stands for none."""
    if isinstance(value, str):
        inner = _object_in(value)
        if inner is not None:
            return inner
        target = offer.only_parameter(name)
        if target is None:
            raise Unreadable("the arguments are a lone string")
        return {target: value}
    if isinstance(value, dict):
        return cast("dict[str, Any]", value)
    if value is None or value == []:
        if offer.required(name):
            raise Unreadable("the arguments are missing")
        return {}
    raise Unreadable("the arguments are not an object")


def failed(name: str, offer: Offer, reason: str, carried: str = "") -> Written:
    """A call that names its tool but cannot be read; the problem is one short text for the model."""
    wanted = f" {shape(offer.schema(name))}" if offer.schema(name) else ""
    problem = f"{name}: {reason}. Write the call again with its arguments as one JSON object{wanted}."
    return Written(name, {}, problem, carried=carried)


def call_in(members: dict[str, str], offer: Offer, *, explicit: bool) -> Written | None:
    """The call that an object is, by its keys; None where it is none. `members` holds each value as it was written.

    Without a marker around it (`explicit` is False) only what can hardly be anything else is a call.
    """
    named = _name_in(members, offer)
    if named is None:
        return _keyed_by_name(members, offer, explicit)
    key, name = named
    carried = next((plain_text(members[side]) for side in CARRIED_KEYS if side in members), "")
    rest = {other: text for other, text in members.items() if other != key}
    wrapped = next((other for other in ARGUMENT_KEYS if other in rest), None)
    if wrapped is not None and _is_wrapped(wrapped, rest, name, offer):
        if not explicit and not _plainly_wrapped(rest, wrapped, name, offer):
            return None
        return written(name, rest[wrapped], offer, carried=carried)
    properties = offer.properties(name)
    flat = {other: text for other, text in rest.items() if other not in SIDE_KEYS or other in properties}
    if not flat:
        return written(name, "", offer, carried=carried) if explicit else None
    result = _flat(name, flat, offer, carried)
    return result if explicit or (not result.problem and offer.valid(name, result.arguments)) else None


def name_in(members: dict[str, str], offer: Offer) -> str | None:
    found = _name_in(members, offer)
    return found[1] if found else None


def _name_in(members: dict[str, str], offer: Offer) -> tuple[str, str] | None:
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


def _is_wrapped(key: str, rest: dict[str, str], name: str, offer: Offer) -> bool:
    """False where `key` is plainly one of the tool's own parameters, as `input` may be."""
    if key not in offer.properties(name):
        return True
    flat = _flat(name, {other: text for other, text in rest.items() if other not in CARRIED_KEYS}, offer, "")
    return bool(flat.problem) or not offer.valid(name, flat.arguments)


def _plainly_wrapped(rest: dict[str, str], wrapped: str, name: str, offer: Offer) -> bool:
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


def _keyed_by_name(members: dict[str, str], offer: Offer, explicit: bool) -> Written | None:
    """`{"get_weather": {"city": "Oslo"}}`: the only key is the tool."""
    keys = [key for key in members if key not in SIDE_KEYS]
    if len(keys) != 1 or (offer.open and not explicit):
        return None
    name = offer.find(keys[0]) if explicit else (keys[0] if keys[0] in offer else None)
    if name is None:
        return None
    if not explicit and not members[keys[0]].lstrip().startswith("{"):
        return None
    result = written(name, members[keys[0]], offer)
    sure = not result.problem and bool(result.arguments) and offer.valid(name, result.arguments)
    return result if explicit or sure else None


def _flat(name: str, members: dict[str, str], offer: Offer, carried: str) -> Written:
    arguments: dict[str, Any] = {}
    mended = False
    for key, text in members.items():
        try:
            found = read(text)
        except Unreadable as error:
            return failed(name, offer, str(error), carried)
        arguments[key] = found.value
        mended = mended or found.mended
    return checked(name, arguments, offer, mended, carried)


def checked(name: str, arguments: dict[str, Any], offer: Offer, mended: bool = False, carried: str = "") -> Written:
    """What was mended must fit: what does not may have been mended wrongly."""
    fitted = offer.fit(name, arguments)
    if mended and not offer.valid(name, fitted):
        return failed(name, offer, "the arguments are not valid JSON", carried)
    return Written(name, fitted, "", mended, carried)


def convert(text: str, schema: Any) -> Any:
    """A value that was written without quotes, by its schema: the text itself where a string is wanted."""
    kinds = kinds_of(schema)
    plain = text.strip()
    if "null" in kinds and plain.lower() in ("null", "none"):
        return None
    refers = isinstance(schema, dict) and "$ref" in schema
    if plain[:1] in ("{", "[") and (refers or kinds & {"object", "array"}):
        try:
            return read(plain).value
        except Unreadable:
            return text
    return text


def literal(text: str) -> Any:
    """A value of which no schema tells the kind: JSON where it is JSON, else the text."""
    try:
        return _strict.decode(text)
    except (ValueError, RecursionError):
        return text


def kinds_of(schema: Any, depth: int = 0) -> set[str]:
    """The types that a schema allows; empty where it does not say."""
    if not isinstance(schema, dict) or depth > 8:
        return set()
    node = cast("Schema", schema)
    kinds: set[str] = set()
    said = node.get("type")
    kinds.update([said] if isinstance(said, str) else cast("list[str]", said or []))
    for branch in (*(node.get("anyOf") or ()), *(node.get("oneOf") or ()), *(node.get("allOf") or ())):
        kinds |= kinds_of(branch, depth + 1)
    if "properties" in node:
        kinds.add("object")
    if node.get("nullable") is True:
        kinds.add("null")
    return kinds


def property_for(key: str, properties: Schema) -> str:
    """The property that `key` stands for: itself, or the only one that differs in case or separators."""
    if key in properties:
        return key
    near = [name for name in properties if plain_key(name) == plain_key(key)]
    return near[0] if len(near) == 1 else key


def _object_in(text: str) -> dict[str, Any] | None:
    """Arguments that were encoded twice."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = read(text).value
    except Unreadable:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def plain_text(raw: str) -> str:
    """The string that the JSON text `raw` stands for, or ""."""
    try:
        value = read(raw, bare_values=True).value
    except Unreadable:
        return ""
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def _name_and_schema(tool: OfferedTool | Mapping[str, Any]) -> tuple[str, Schema]:
    if not isinstance(tool, Mapping):
        return tool.name, tool.parameters
    inner: Any = tool.get("function")
    plain = cast("Mapping[str, Any]", inner if isinstance(inner, Mapping) else tool)
    return str(plain["name"]), cast("Schema", plain.get("parameters") or plain.get("input_schema") or {})


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        for key, value in pairs:
            if members[key] != value:
                raise ValueError(f"{key[:40]!r} is given twice")
    return members


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


_strict = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
_with_newlines = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, strict=False)
