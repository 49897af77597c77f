"""Convert Python types to JSON Schema, and the arguments that a model wrote back to values of those types."""

import dataclasses
import inspect
import re
import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    NamedTuple,
    NotRequired,
    Required,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec

from toolpost.arguments.coerce import coerce
from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.arguments.validate import Validator, compile_schema, explain, missing, path_text, preview, unknown
from toolpost.types.errors import ConfigError, ToolError

from .schema_tidy import REF, tidy

if TYPE_CHECKING:
    from .define import Tool


Schema = dict[str, Any]
Convert = Callable[[Any], Any]
REQUIRED: Any = object()

_CONSTRAINTS = ("gt", "ge", "lt", "le", "multiple_of", "pattern", "min_length", "max_length")


def check_arguments(tool: "Tool", arguments: dict[str, Any]) -> Any:
    """Return what the tool's `execute` takes, or raise `ToolError` of kind `invalid` with a message for the model."""
    return tool.validator.check(arguments) if tool.check is None else tool.check(arguments)


class TypedField(NamedTuple):
    """One named value that a model gives: a function's parameter, or the value of a structured output."""

    name: str
    type: Any
    default: Any = REQUIRED
    description: str = ""


class TypedFields:
    """Named, typed values: their JSON Schema, and the way from a model's arguments to them."""

    def __init__(self, owner: str, fields: Sequence[TypedField]) -> None:
        self._owner = owner
        self._fields = {field.name: field for field in fields}
        self._types = {field.name: _alternatives(field.type) for field in fields}
        self.schema = self._build()
        self._validator = Validator(owner, self.schema)

    def convert(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return typed values of the fields that were given, or raise `ToolError` of kind `invalid`."""
        values, problems = self._convert(arguments, strict=True)
        if not problems:
            return values
        mended = coerce(arguments, self.schema)
        values, problems = self._convert(mended, strict=False)
        if not problems:
            return values
        # The schema's validator names every problem at once; msgspec stops at the first of each field.
        raise ToolError(explain(self._owner, self._validator.problems(mended) or problems, self.schema), kind="invalid")

    def _convert(self, arguments: dict[str, Any], *, strict: bool) -> tuple[dict[str, Any], list[str]]:
        values: dict[str, Any] = {}
        problems: list[str] = []
        for name, field in self._fields.items():
            if name in arguments:
                try:
                    values[name] = _convert_to(arguments[name], self._types[name], strict)
                except msgspec.ValidationError as error:
                    problems.append(explain_decode_error(error, at=name))
            elif field.default is REQUIRED:
                problems.append(missing(path_text([name])))
        # Nothing can be lost on a tool without parameters, and models like to send it an empty field.
        if self._fields and not arguments.keys() <= self._fields.keys():
            strange = [name for name in arguments if name not in self._fields]
            problems += [unknown(name, path_text([name]), list(self._fields)) for name in strange]
        return values, problems

    def _build(self) -> Schema:
        flat = [option for options in self._types.values() for option in options]
        shapes, defs = type_schemas(flat)
        remaining = iter(shapes)
        properties: Schema = {}
        for name, field in self._fields.items():
            branches: list[Schema] = []
            branches.extend(shape for _ in self._types[name] if (shape := next(remaining)) not in branches)
            schema = branches[0] if len(branches) == 1 else {"anyOf": branches}
            if field.description:
                schema = {**schema, "description": field.description}
            if field.default is not REQUIRED:
                schema = _with_default(schema, field.default)
            properties[name] = schema
        required = [field.name for field in self._fields.values() if field.default is REQUIRED]
        return tidy(
            {"type": "object", "properties": properties, "required": required, "additionalProperties": False}, defs
        )


def output_schema(wanted: Any) -> tuple[Schema, Convert]:
    """Structured output: the JSON Schema to ask for, and the function that turns the model's object into the value.

    `wanted` is a msgspec Struct, dataclass, TypedDict, pydantic model or any other type that a tool may take, or a
    JSON Schema as a dict. What is not an object is asked for as `{"value": …}`. The function raises `ToolError` of
    kind `invalid`, with a message for the model, where the object does not fit.
    """
    if isinstance(wanted, dict):
        return _plain_output(cast("Schema", wanted))
    fields = TypedFields("output", [TypedField("value", wanted)])
    inner = cast("Schema", fields.schema["properties"]["value"])
    defs = cast("Schema", fields.schema.get("$defs", {}))
    whole = defs.get(str(inner["$ref"]).removeprefix(REF), inner) if "$ref" in inner else inner
    if whole.get("type") != "object":
        return fields.schema, lambda given: fields.convert(_named(given))["value"]
    schema = {**whole, "$defs": defs} if defs else whole
    return schema, _unwrapping(schema, _alternatives(wanted))


def described(metadata: Iterable[Any]) -> str:
    """The description among the metadata of an `Annotated`: a plain string, or what has a `description`."""
    for item in metadata:
        said = item if isinstance(item, str) else getattr(item, "description", None)
        said = said or getattr(item, "documentation", None)
        if isinstance(said, str):
            return said
    return ""


def constrained(hint: Any, metadata: Iterable[Any]) -> Any:
    """`hint` with the constraints of its metadata as msgspec knows them: pydantic's `Field` and annotated-types too."""
    found: dict[str, Any] = {}
    for item in metadata:
        for source in (item, *getattr(item, "metadata", ())):
            for name in _CONSTRAINTS:
                value = getattr(source, name, None)
                if value is not None and not callable(value):
                    found[name] = value
    return Annotated[hint, msgspec.Meta(**found)] if found else hint


def type_schemas(hints: Sequence[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """JSON Schemas of types, with their definitions. Raises `ConfigError` for a type that no JSON can stand for."""
    foreign: dict[str, Schema] = {}

    def hook(kind: type) -> Schema:
        if issubclass(kind, PurePath):
            return {"type": "string"}
        if _is_pydantic(kind):
            schema = cast("Schema", cast("Any", kind).model_json_schema())
            foreign.update(schema.pop("$defs", {}))
            return schema
        raise ConfigError(f"{kind.__name__} can't be written as JSON")

    try:
        schemas, defs = msgspec.json.schema_components(hints, schema_hook=hook, ref_template=REF + "{name}")
    except TypeError as error:
        raise ConfigError(str(error).splitlines()[0]) from error
    for hint in hints:
        _check_keys(hint)
    _describe(hints, cast("dict[str, Schema]", defs))
    return list(schemas), {**foreign, **defs}


def _check_keys(hint: Any) -> None:
    """A key of an object is a text: one that can't be made of a text could never be given."""
    inner = get_args(hint)
    if get_origin(hint) in (dict, Mapping) and inner:
        (shape,), defs = type_schemas([inner[0]])
        shape = defs.get(str(shape.get("$ref")).removeprefix(REF), shape)
        if shape.get("type") in ("array", "object", "null"):
            raise ConfigError(f"the keys of {hint} are not texts")
    for one in inner:
        _check_keys(one)


def _convert_to(value: Any, options: Sequence[Any], strict: bool) -> Any:
    for option in options[:-1]:
        try:
            return msgspec.convert(value, option, strict=strict, dec_hook=_from_json)
        except msgspec.ValidationError:
            continue
    return msgspec.convert(value, options[-1], strict=strict, dec_hook=_from_json)


def _from_json(kind: type, value: Any) -> Any:
    if issubclass(kind, PurePath):
        if not isinstance(value, str):
            raise ValueError(f"Expected `str`, got `{type(value).__name__}`")
        return kind(value)
    if _is_pydantic(kind):
        return cast("Any", kind).model_validate(value)
    raise NotImplementedError


def _alternatives(hint: Any) -> Sequence[Any]:
    """The one type, or the members of a union that msgspec can't tell apart: they are tried in order."""
    if get_origin(hint) not in (Union, types.UnionType):
        return (hint,)
    try:
        type_schemas([hint])
    except ConfigError:
        return get_args(hint)
    return (hint,)


def _is_pydantic(kind: Any) -> bool:
    # Only looked up: a program that has a model of pydantic has imported it, and no other should pay for the import.
    pydantic = sys.modules.get("pydantic")
    return pydantic is not None and isinstance(kind, type) and issubclass(kind, pydantic.BaseModel)


def _with_default(schema: Schema, default: Any) -> Schema:
    """Tell the default where JSON can say it. None is told by leaving the parameter out."""
    try:
        return {**schema, "default": msgspec.to_builtins(default, enc_hook=_to_json)}
    except (TypeError, NotImplementedError, ValueError):
        return schema


def _to_json(value: Any) -> Any:
    if isinstance(value, PurePath):
        return str(value)
    if _is_pydantic(type(value)):
        return value.model_dump(mode="json")
    raise NotImplementedError


def _describe(hints: Iterable[Any], defs: dict[str, Schema]) -> None:
    """Add what the fields of nested classes say of themselves, in `Annotated` or in the class's docstring."""
    by_title = {schema.get("title"): schema for schema in defs.values()}
    seen: set[int] = set()
    queue = list(hints)
    while queue:
        hint = queue.pop()
        queue.extend(get_args(hint))
        if id(hint) in seen or not _has_fields(hint):
            continue
        seen.add(id(hint))
        fields = _field_hints(hint)
        queue.extend(fields.values())
        schema = by_title.get(hint.__name__, {})
        docs = read_docstring(hint.__doc__) if "description" in schema else None
        if docs and docs.parameters:
            schema["description"] = docs.description
        encoded: dict[str, str] = dict(
            zip(getattr(hint, "__struct_fields__", ()), getattr(hint, "__struct_encode_fields__", ()), strict=True)
        )
        for name, field in fields.items():
            said = described(getattr(field, "__metadata__", ())) or (docs.parameters.get(name, "") if docs else "")
            prop = schema.get("properties", {}).get(encoded.get(name, name))
            if said and prop is not None:
                prop["description"] = said


def _field_hints(kind: type) -> dict[str, Any]:
    try:
        hints = get_type_hints(kind, include_extras=True)
    except NameError:
        return {}  # msgspec could read it, so only descriptions are lost
    return {
        name: get_args(hint)[0] if get_origin(hint) in (Required, NotRequired) else hint for name, hint in hints.items()
    }


def _has_fields(hint: Any) -> bool:
    if not isinstance(hint, type):
        return False
    return (
        dataclasses.is_dataclass(cast("Any", hint))
        or issubclass(hint, msgspec.Struct)
        or is_typeddict(cast("Any", hint))
    )


def _plain_output(schema: Schema) -> tuple[Schema, Convert]:
    try:
        compile_schema(schema)
    except ValueError as error:
        raise ConfigError(f"the JSON Schema of the output is not valid: {str(error).splitlines()[0]}") from error
    if schema.get("type") == "object" or "properties" in schema:
        return schema, _checking(Validator("output", schema))
    inner = {key: value for key, value in schema.items() if key not in ("$defs", "$schema")}
    whole: Schema = {"type": "object", "properties": {"value": inner}, "required": ["value"]}
    if "$defs" in schema:
        whole["$defs"] = schema["$defs"]
    validator = Validator("output", whole)
    return whole, lambda given: validator.check(_named(given))["value"]


def _named(given: Any) -> dict[str, Any]:
    """Some models hand in the bare value."""
    return cast("dict[str, Any]", given) if isinstance(given, dict) and "value" in given else {"value": given}


def _checking(validator: Validator) -> Convert:
    def convert(given: Any) -> Any:
        if not isinstance(given, dict):
            raise ToolError(f"output: an object is wanted, got {preview(given)}", kind="invalid")
        return validator.check(cast("dict[str, Any]", given))

    return convert


def _unwrapping(schema: Schema, options: Sequence[Any]) -> Convert:
    """The convert function of an object type: asked for as itself, not under a name."""
    validator = Validator("output", schema)

    def convert(given: Any) -> Any:
        try:
            return _convert_to(given, options, True)
        except msgspec.ValidationError:
            mended = coerce(cast("dict[str, Any]", given), schema) if isinstance(given, dict) else given
        try:
            return _convert_to(mended, options, False)
        except msgspec.ValidationError as error:
            problems = validator.problems(mended) or [explain_decode_error(error)]
            raise ToolError(explain("output", problems, schema), kind="invalid") from None

    return convert


class _Docs(NamedTuple):
    description: str
    parameters: dict[str, str]


def read_docstring(text: str | None) -> _Docs:
    """Split a docstring into what it says of the whole and what it says of each parameter."""
    cleaned = inspect.cleandoc(text or "")
    if not _SECTION.search(cleaned):
        return _Docs(cleaned, {})
    # Imported here: it takes longer than all of Toolpost's tools, and most docstrings are one plain paragraph.
    import docstring_parser

    parsed = docstring_parser.parse(cleaned)
    description = "\n\n".join(part for part in (parsed.short_description, parsed.long_description) if part)
    if parsed.returns and parsed.returns.description:
        description = f"{description}\n\nReturns: {' '.join(parsed.returns.description.split())}"
    parameters = {param.arg_name: " ".join((param.description or "").split()) for param in parsed.params}
    return _Docs(description.strip(), {name: said for name, said in parameters.items() if said})


_SECTION = re.compile(
    r"^(Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Other Parameters|Attributes|Returns|Yields"
    r"|Raises|Examples?|Notes?):?[ \t]*$|^[:@](param|parameter|arg|argument|key|keyword|type|returns?|rtype|raises)\b",
    re.MULTILINE,
)
