"""Merge the settings from all layers, and remember where each came from."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from msgspec import Struct, convert

from toolpost.guard.redact import HIDDEN, Redactor, is_secret_name
from toolpost.guard.rules import Rule, parse_rules
from toolpost.types.errors import ConfigError

from .check import Problem, dotted, is_struct, problems, rule_units
from .layers import Layer, Table, environment_layer, flag_layer, parse_key, project_layer, suspicious, user_layer
from .schema import Config
from .toml_lines import KeyPath

NAMED_STORES = ("memory", "sqlite")


def load(
    folder: Path,
    *,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
    project: bool = True,
) -> "LoadedConfig":
    """Read the configuration that holds in `folder`; `project=False` leaves out the folder's own file.

    `flags` has the shape of the file, or dotted keys; a None in it counts as not given.
    """
    env = os.environ if environ is None else environ
    folder = folder.absolute()
    user, own = user_layer(env), project_layer(folder) if project else None
    if user and own and user.file == own.file:
        own = None
    found = (user, own, environment_layer(env, folder), flag_layer(flags or {}, folder))
    layers = tuple(layer for layer in found if layer is not None)
    merged: Table = {}
    for layer in layers:
        merged = _merged(merged, _settled(layer))
    return LoadedConfig(convert(merged, Config), layers, suspicious(env))


class LoadedSetting(Struct, frozen=True):
    """One line of `toolpost config show --origin`; a secret is already hidden in `value`."""

    key: str
    value: Any
    origin: str


class LoadedConfig:
    """The configuration, and where each part of it came from."""

    def __init__(self, config: Config, layers: tuple[Layer, ...], warnings: tuple[str, ...] = ()) -> None:
        self.config = config
        self.warnings = warnings
        self._layers = layers

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that were read, the weakest first."""
        return tuple(layer.file for layer in self._layers if layer.file is not None)

    def origin(self, key: str) -> str:
        """Where the value of `limits.max_steps` comes from, such as "user config ~/.config/toolpost/config.toml:7"."""
        return self._origin(parse_key(key))

    def settings(self) -> Iterator[LoadedSetting]:
        """Every setting that has a value, in the order of the schema."""
        for path, value in _leaves(self.config, ()):
            if isinstance(value, Rule):
                yield LoadedSetting(dotted((*path, value.permission, value.pattern)), value.action, value.source)
            else:
                yield LoadedSetting(dotted(path), _without_secrets(value, path), self._origin(path))

    def _origin(self, path: KeyPath) -> str:
        return next((layer.origin(path) for layer in reversed(self._layers) if _has(layer.table, path)), "default")


def _settled(layer: Layer) -> Table:
    """Check a layer and make its rules and paths independent of where they stood."""
    found = list(problems(layer.table, Config)) or list(_host_problems(layer.table))
    if found:
        raise ConfigError("\n".join(_report(layer, problem) for problem in found))
    table = dict(layer.table)
    _read_rules(layer, table, ())
    if "agents" in table:
        table["agents"] = {name: dict(agent) for name, agent in table["agents"].items()}
        for name, agent in table["agents"].items():
            _read_rules(layer, agent, ("agents", name))
    if roles := table.get("server", {}).get("roles"):
        table["server"] = {**table["server"], "roles": {name: dict(role) for name, role in roles.items()}}
        for name, role in table["server"]["roles"].items():
            _read_rules(layer, role, ("server", "roles", name))
    if "store" in table:
        table["store"] = _store(table["store"], layer.base)
    if "instructions" in table:
        table["instructions"] = [_anchored(path, layer.base) for path in table["instructions"]]
    return table


def _host_problems(table: Table) -> Iterator[Problem]:
    """Invalid hosts in `web.allow_hosts`, which only the guard can check."""
    hosts: list[str] = table.get("web", {}).get("allow_hosts", [])
    if not hosts:
        return
    # Imported here: most have no such entry.
    from toolpost.guard.addresses import Policy

    for index, host in enumerate(hosts):
        try:
            Policy([host])
        except ConfigError as error:
            yield Problem(("web", "allow_hosts", index), f"web.{error}")


def _report(layer: Layer, problem: Problem) -> str:
    return f"{layer.place(problem.path) or layer.name}: {problem.text}"


def _read_rules(layer: Layer, table: Table, path: KeyPath) -> None:
    if "permissions" in table:
        units = rule_units(table["permissions"], (*path, "permissions"))
        table["permissions"] = tuple(rule for at, unit in units for rule in parse_rules(unit, layer.origin(at)))


def _store(spec: str, base: Path) -> str:
    """`memory`, `sqlite` and a server's address stay as they are; anything else is a path."""
    return spec if spec in NAMED_STORES or "://" in spec else _anchored(spec, base)


def _anchored(path: str, base: Path) -> str:
    return str(base / Path(path).expanduser())


def _merged(base: Table, over: Table) -> Table:
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            merged[key] = _merged(cast(Table, old), cast(Table, value))
        elif isinstance(old, tuple) and isinstance(value, tuple):
            # Only rules are tuples here: theirs add up, where a later list replaces the earlier one.
            merged[key] = (*cast(tuple[Any, ...], old), *cast(tuple[Any, ...], value))
        else:
            merged[key] = value
    return merged


def _has(table: Any, path: KeyPath) -> bool:
    for part in path:
        if not isinstance(table, dict) or part not in table:
            return False
        table = cast(Table, table)[str(part)]
    return True


def _leaves(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, Any]]:
    if is_struct(type(value)) and not isinstance(value, Rule):
        value = _fields(value)
    if isinstance(value, dict):
        for key, entry in cast(Table, value).items():
            yield from _leaves(entry, (*path, key))
    elif isinstance(value, tuple) and value and isinstance(value[0], Rule):
        yield from ((path, rule) for rule in cast(tuple[Rule, ...], value))
    elif value not in (None, ()):
        yield path, value


def _fields(table: Any) -> Table:
    """What a table holds; of one that has a default for everything only what differs from it."""
    held = {field: getattr(table, field) for field in table.__struct_fields__}
    if not table.__struct_config__.omit_defaults:
        return held
    usual = type(table)()
    return {field: value for field, value in held.items() if value != getattr(usual, field)}


def _without_secrets(value: Any, path: KeyPath) -> Any:
    if isinstance(value, (list, tuple)):
        return [_without_secrets(entry, path) for entry in cast(list[Any], value)]
    if not isinstance(value, str):
        return value
    return HIDDEN if is_secret_name(str(path[-1])) else Redactor().text(value)
