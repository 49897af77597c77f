"""Check a table of settings against the schema and explain each mistake."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from msgspec import Meta, Struct, ValidationError, convert, structs

from toolpost.arguments.suggestions import closest
from toolpost.guard.redact import Redactor, is_secret_name
from toolpost.guard.rules import Rule, parse_rules
from toolpost.types.errors import ConfigError

from .toml_lines import KeyPath

RULES = tuple[Rule, ...]

# What other tools call these settings.
_OTHER_WORDS = {"prompt": "system", "instruction": "instructions", "rules": "permissions"}
_PLAIN_WORDS: dict[object, str] = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}


class Problem(Struct, frozen=True):
    path: KeyPath
    text: str


def problems(value: object, kind: Any, path: KeyPath = ()) -> Iterator[Problem]:
    """Yield what keeps `value` from being a `kind`; nothing means that `msgspec.convert` takes it."""
    kind = without_none(kind)
    if kind == RULES:
        yield from _rule_problems(value, path)
    elif is_table(kind):
        yield from _table_problems(value, kind, path)
    else:
        try:
            convert(value, kind)
        except ValidationError:
            yield Problem(path, f"{dotted(path)} must be {_expected(kind)}, got {_shown(value, path)}")


def rule_units(value: object, path: KeyPath) -> Iterator[tuple[KeyPath, object]]:
    """Split permissions into single rules, each with the path where it stands, so that each can tell its line."""
    if isinstance(value, Mapping):
        for name, given in cast(Mapping[str, object], value).items():
            if not isinstance(given, Mapping):
                yield (*path, name), {name: given}
                continue
            for pattern, action in cast(Mapping[str, object], given).items():
                yield (*path, name, pattern), {name: {pattern: action}}
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for index, entry in enumerate(cast(Sequence[object], value)):
            yield (*path, index), (entry,)
    else:
        yield path, value


def dotted(path: Iterable[str | int]) -> str:
    """Write a path as TOML does: `agents.build."my key"`."""
    return ".".join(_written(str(part)) for part in path)


def without_none(kind: Any) -> Any:
    """`X` for `X | None`: TOML has no null, so a key that is there has a value."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    kinds = [one for one in get_args(kind) if one is not NoneType]
    return kinds[0] if len(kinds) == 1 else Union[tuple(kinds)]  # noqa: UP007 (built at run time)


def is_table(kind: Any) -> bool:
    return is_struct(kind) or get_origin(kind) is dict


def is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def missing_keys(value: object, kind: Any, path: KeyPath = ()) -> Iterator[Problem]:
    """What is left out in a table, of all places together: a part of it may stand in one file, a part in another."""
    kind = without_none(kind)
    if not is_table(kind) or not isinstance(value, Mapping):
        return
    table = cast(Mapping[str, object], value)
    if not is_struct(kind):
        for key, entry in table.items():
            yield from missing_keys(entry, get_args(kind)[1], (*path, key))
        return
    for field in structs.fields(kind):
        if field.name in table:
            yield from missing_keys(table[field.name], field.type, (*path, field.name))
        elif field.required:
            yield Problem(path, f"[{dotted(path)}] needs {field.name}: {_expected(field.type)}")


def _table_problems(value: object, kind: Any, path: KeyPath) -> Iterator[Problem]:
    if not isinstance(value, Mapping):
        yield Problem(path, f"{dotted(path)} must be a table, got {_shown(value, path)}")
        return
    table = cast(Mapping[str, object], value)
    if not is_struct(kind):
        for key, entry in table.items():
            yield from problems(entry, get_args(kind)[1], (*path, key))
        return
    known: dict[str, Any] = {field.name: field.type for field in structs.fields(kind)}
    for key, entry in table.items():
        if key in known:
            yield from problems(entry, known[key], (*path, key))
        else:
            yield Problem((*path, key), _unknown(key, known, path))


def _rule_problems(value: object, path: KeyPath) -> Iterator[Problem]:
    for place, unit in rule_units(value, path):
        try:
            parse_rules(unit, "")
        except ConfigError as error:
            yield Problem(place, f"{error} (in {dotted(path)})")


def _unknown(key: str, known: Mapping[str, Any], path: KeyPath) -> str:
    place = f" in [{dotted(path)}]" if path else ""
    if is_secret_name(key):
        return _secret(key, place, path)
    return f'unknown key "{key}"{place}; {_remedy(key, known)}'


def _secret(key: str, place: str, path: KeyPath) -> str:
    provider = str(path[1]) if len(path) > 1 and path[0] == "providers" else "<provider>"
    return (
        f'"{key}"{place}: a secret must not be in a file; store it in the system keyring with '
        f'"toolpost config set-key {provider}", or in the environment variable that api_key_env names'
    )


def _remedy(key: str, known: Mapping[str, Any]) -> str:
    inside = [name for name, kind in known.items() if is_struct(kind) and key in kind.__struct_fields__]
    if inside:
        return f'did you mean "{inside[0]}.{key}"?'
    other = _OTHER_WORDS.get(key.lower())
    guess = other if other in known else closest(key.lower(), known)
    return f'did you mean "{guess}"?' if guess else f"known keys: {', '.join(sorted(known))}"


def _expected(kind: Any) -> str:
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return next((meta.description for meta in args if isinstance(meta, Meta) and meta.description), "valid")
    if origin is Literal:
        return "one of " + ", ".join(f'"{choice}"' for choice in args)
    if origin in (Union, UnionType):
        return " or ".join(_expected(one) for one in args)
    if origin is dict:
        return f"a table whose values are each {_expected(args[1])}"
    if origin is tuple:
        return f"a list whose entries are each {_expected(args[0])}"
    return _PLAIN_WORDS.get(kind, str(kind))


def _shown(value: object, path: KeyPath) -> str:
    if path and is_secret_name(str(path[-1])):
        return "***"
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
    return Redactor().text(text if len(text) <= 80 else text[:77] + "...")


def _written(part: str) -> str:
    is_bare = part.isascii() and part.replace("-", "").replace("_", "").isalnum()
    return part if is_bare else '"' + part.replace("\\", "\\\\").replace('"', '\\"') + '"'
