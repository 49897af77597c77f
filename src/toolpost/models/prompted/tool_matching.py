"""The tools offered to a prompted model: which one a name stands for, and how arguments are made to fit its schema."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, cast

from toolpost.arguments.coerce import coerce
from toolpost.arguments.tool_names import repair
from toolpost.arguments.validate import Validator

from .values import Schema, convert, kinds_of, object_in

NAME_KEYS = ("tool", "tool_name", "function_name", "function", "recipient_name", "recipient", "action", "name")
ARGUMENT_KEYS = (
    *("arguments", "parameters", "args", "params", "input", "tool_input", "action_input", "kwargs"),
    *("function_args", "tool_args"),
)
CARRIED_KEYS = ("id", "call_id", "tool_call_id")
SIDE_KEYS = frozenset((*CARRIED_KEYS, "type", "index", "thought", "thoughts", "reasoning"))
WRAPPING_KEYS = frozenset((*ARGUMENT_KEYS, "properties"))
MAX_NAME = 128
MAX_RESTARTS = 6


class OfferedTool(Protocol):
    """What has a name and a JSON Schema: a `Tool`, a `ToolSpec`."""

    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> dict[str, Any]: ...


class PromptedTools:
    """The tools on offer. None means that they are not known: then any name is taken."""

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
        if len(name) > MAX_NAME or not name.strip():
            return None
        if name not in self._found:
            if len(self._found) > 1_000:
                self._found.clear()
            self._found[name] = _plain_name(name) if self.open else self._repaired(name)
        return self._found[name]

    def called(self, name: str) -> str | None:
        """The tool that a call in an explicit tag names. One that was not offered is called all the same: the
        engine tells the model that there is no such tool."""
        return self.find(name) or (_plain_name(name) if self._schemas and len(name) <= MAX_NAME else None)

    def knows(self, name: str) -> bool:
        return self.open or name in self._schemas

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
        if not self.schema(name):
            return arguments
        arguments = self._unwrapped(name, arguments)
        if self.valid(name, arguments):
            return arguments
        again = self._begun_anew(name, arguments)
        if again is not None and self.fits(name, again):
            return self.fit(name, again)
        return coerce(self._decoded(name, arguments), self.schema(name))

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
        plain = name.strip().removeprefix("call:").removesuffix(".call")
        half = plain[: len(plain) // 2]
        if plain == f"{half}.{half}" or plain == f"{half}:{half}":
            plain = half
        return repair(plain, self._schemas)

    def _begun_anew(self, name: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        """The arguments of the same call where it was begun once more inside itself."""
        node: Any = arguments
        for _ in range(MAX_RESTARTS):
            if not isinstance(node, dict) or not node:
                return None
            members = cast("dict[str, Any]", node)
            names = (members[key] for key in NAME_KEYS if isinstance(members.get(key), str))
            inner = next((members[key] for key in ARGUMENT_KEYS if isinstance(members.get(key), dict)), None)
            if inner is not None and any(self.find(said) == name for said in names):
                return cast("dict[str, Any]", inner)
            node = list(members.values())[-1]
        return None

    def _decoded(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Values that are written as a string and can only be an object or an array."""
        properties = self.properties(name)
        return {
            key: convert(value, schema)
            if isinstance(value, str) and "string" not in kinds_of(schema := properties.get(key))
            else value
            for key, value in arguments.items()
        }

    def _unwrapped(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Some models put all the arguments under one more key, as `input`, which is none of the tool's own. A schema
        that allows any key must have what stands there."""
        if len(arguments) != 1:
            return arguments
        key, value = next(iter(arguments.items()))
        if key not in WRAPPING_KEYS or key in self.properties(name):
            return arguments
        inner = object_in(value) if isinstance(value, str) else value
        if not isinstance(inner, dict):
            return arguments
        known = cast("dict[str, Any]", inner).keys() <= self.properties(name).keys()
        return cast("dict[str, Any]", inner) if known or not self.valid(name, arguments) else arguments


def _plain_name(name: str) -> str | None:
    """A name as it stands where no list of tools can tell, less what its wire puts around it."""
    found = _NAME.fullmatch(name.strip())
    return found.group(1) if found else None


def _name_and_schema(tool: OfferedTool | Mapping[str, Any]) -> tuple[str, Schema]:
    if not isinstance(tool, Mapping):
        return tool.name, tool.parameters
    inner: Any = tool.get("function")
    plain = cast("Mapping[str, Any]", inner if isinstance(inner, Mapping) else tool)
    schema = next((plain[key] for key in _SCHEMA_KEYS if plain.get(key)), None)
    return str(plain["name"]), cast("Schema", schema or {})


_NAME = re.compile(r"(?:functions\.)?([^\W\d](?:[\w.:/\-]*?\w)?)(?::\d+)?")
# As a `Tool`, Anthropic and MCP write it.
_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema")
