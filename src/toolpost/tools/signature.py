"""Read the signature of a typed function: its parameters as fields, where its context goes, and how it is called."""

import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from types import UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin

from toolpost.types.errors import ConfigError

from .schema import REQUIRED, TypedField, TypedFields, constrained, described, read_docstring


class Signature:
    """The signature of a tool function. `context` is the type whose parameter gets the call's context."""

    def __init__(self, name: str, function: Callable[..., Any], context: type, namespace: Mapping[str, Any]) -> None:
        parameters = list(_parameters(name, function).values())
        # The context's name is known even where it was imported for type checkers only.
        hints = _hints(name, function, parameters, {context.__name__: context, **namespace})
        docs = read_docstring(inspect.getdoc(_plain(function)))
        self.description = docs.description
        self.context = [p.name for p in parameters if _is_context(hints.get(p.name), context)]
        self._positional = [p for p in parameters if p.kind is p.POSITIONAL_ONLY]
        taken = [p for p in parameters if p.name not in self.context]
        self.fields = _fields(name, [_field(p, hints.get(p.name, Any), docs.parameters) for p in taken])

    def bind(self, values: dict[str, Any], context: Any) -> tuple[list[Any], dict[str, Any]]:
        """Positional and keyword arguments of the call."""
        named = {**values, **dict.fromkeys(self.context, context)}
        # Positional-only parameters can't be left out in the middle, so their defaults are given.
        positional = [named.pop(p.name, p.default) for p in self._positional]
        return positional, named


def local_names(function: Callable[..., Any], frame_locals: Mapping[str, Any]) -> Mapping[str, Any]:
    """The names that string annotations of `function` may refer to beside its module: the scope it was made in."""
    plain = _plain(function)
    if not any(isinstance(hint, str) for hint in getattr(plain, "__annotations__", {}).values()):
        return {}
    return {**frame_locals, **_closure(plain)}


def _plain(function: Any) -> Any:
    """The function beneath wrappers, partials and bound methods: it holds the annotations and the docstring."""
    function = inspect.unwrap(function)
    while isinstance(function, functools.partial):
        function = inspect.unwrap(cast("Any", function.func))
    function = getattr(function, "__func__", function)
    return function if inspect.isroutine(function) else type(function).__call__


def _parameters(name: str, function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    plain = _plain(function)
    if inspect.isgeneratorfunction(plain) or inspect.isasyncgenfunction(plain):
        raise ConfigError(
            f"tool {name}: a generator can't be a tool: return the result, and show progress by ctx.update"
        )
    parameters = inspect.signature(function).parameters
    for parameter in parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
            raise ConfigError(
                f"tool {name}: {stars}{parameter.name} can't be described to a model: "
                f"name each parameter, or take one list or dict"
            )
    first = next(iter(parameters.values()), None)
    if first is not None and first.name in ("self", "cls") and first.annotation is first.empty:
        raise ConfigError(
            f"tool {name}: `{first.name}` is not bound: make the tool of the bound method, tool(thing.{name})"
        )
    return parameters


def _hints(name: str, function: Any, parameters: list[inspect.Parameter], namespace: dict[str, Any]) -> dict[str, Any]:
    """The types of the parameters, each resolved by itself so that an error can name it."""
    plain = _plain(function)
    module_names: dict[str, Any] = getattr(plain, "__globals__", {})
    hints: dict[str, Any] = {}
    for parameter in parameters:
        if parameter.annotation is parameter.empty:
            continue
        carrier = _carrier(parameter.annotation)
        try:
            hints[parameter.name] = typing.get_type_hints(carrier, module_names, namespace, include_extras=True)["it"]
        except (NameError, AttributeError, SyntaxError, TypeError) as error:
            raise ConfigError(
                f'tool {name}: the type of parameter "{parameter.name}" can\'t be resolved: {error}. '
                "Define or import it, at run time, above the tool"
            ) from error
    return hints


def _carrier(annotation: Any) -> Any:
    def carrier() -> None: ...

    carrier.__annotations__ = {"it": annotation}
    return carrier


def _closure(function: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    names = getattr(getattr(function, "__code__", None), "co_freevars", ())
    for name, cell in zip(names, getattr(function, "__closure__", None) or (), strict=False):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return found


def _is_context(hint: Any, context: type) -> bool:
    """True for the context itself, optional or annotated too; a list of contexts does not count."""
    return hint is context or (get_origin(hint) in (Union, UnionType, Annotated) and context in get_args(hint))


def _field(parameter: inspect.Parameter, hint: Any, documented: dict[str, str]) -> TypedField:
    said = documented.get(parameter.name, "")
    if get_origin(hint) is Annotated:
        metadata = cast("tuple[Any, ...]", hint.__metadata__)
        said = described(metadata) or said
        hint = constrained(hint.__origin__, metadata)
    default = REQUIRED if parameter.default is parameter.empty else parameter.default
    return TypedField(parameter.name, hint, default, said)


def _fields(name: str, fields: list[TypedField]) -> TypedFields:
    try:
        return TypedFields(name, fields)
    except ConfigError as whole:
        for field in fields:
            _try_alone(name, field)
        raise ConfigError(f"tool {name}: {whole}") from whole


def _try_alone(name: str, field: TypedField) -> None:
    """Find the parameter to blame."""
    try:
        TypedFields(name, [field])
    except ConfigError as error:
        shown = getattr(field.type, "__name__", str(field.type))
        raise ConfigError(
            f'tool {name}: parameter "{field.name}" has the unsupported type {shown}: {error}. '
            "Use plain types, dataclasses, TypedDicts, msgspec Structs or pydantic models"
        ) from error
