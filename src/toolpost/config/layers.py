"""Read settings from the user's file, the project's file, the environment and the command line."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast, get_origin

from msgspec import Struct, ValidationError, convert, structs

from toolpost.arguments.suggestions import closest
from toolpost.folders import REPOSITORY, is_marked, user_folder
from toolpost.tools.limits import ToolLimits
from toolpost.tools.web.settings import WebSettings
from toolpost.types.errors import ConfigError

from .check import is_table, without_none
from .schema import (
    Config,
    EmbeddedSettings,
    EngineSettings,
    GatewaySettings,
    LimitSettings,
    OptionSettings,
    SmallSettings,
    TerminalSettings,
)
from .toml_lines import KeyPath, key_lines, line_of

PREFIX = "TOOLPOST_"
USER_FILE_VARIABLE = "TOOLPOST_CONFIG"
PROJECT_FILE = Path(".toolpost", "config.toml")
MAX_BYTES = 5_000_000

Table = dict[str, Any]


class Layer(Struct, frozen=True):
    """The settings of one place. `place(path)` says where in it a key stands; paths in it are relative to `base`."""

    name: str
    table: Table
    place: Callable[[KeyPath], str]
    base: Path
    file: Path | None = None

    def origin(self, path: KeyPath) -> str:
        return f"{self.name} {self.place(path)}".strip()


def user_layer(environ: Mapping[str, str]) -> Layer | None:
    file = user_file(environ)
    if _is_file(file):
        return _file_layer("user config", file, file.parent)
    if environ.get(USER_FILE_VARIABLE):
        raise ConfigError(
            f"{USER_FILE_VARIABLE} is {_short(file)}, which is not a file; create it or unset the variable"
        )
    return None


def project_layer(folder: Path) -> Layer | None:
    file = project_file(folder)
    return file and _file_layer("project config", file, file.parent.parent)


def environment_layer(environ: Mapping[str, str], folder: Path) -> Layer:
    table: Table = {}
    names: dict[KeyPath, str] = {}
    for name, (path, kind) in variables().items():
        if value := environ.get(name, ""):
            names[path] = name
            _put(table, path, _lenient(value, kind))
    return Layer("environment", table, lambda path: names.get(path, ""), folder)


def flag_layer(flags: Mapping[str, Any], folder: Path) -> Layer:
    table: Table = {}
    for key, value in flags.items():
        if value is not None:
            _put(table, parse_key(key), _plain(value))
    return Layer("command line", table, lambda _: "", folder)


def user_file(environ: Mapping[str, str]) -> Path:
    """Where the user's settings are: `TOOLPOST_CONFIG`, or `toolpost/config.toml` in the user's config folder."""
    if environ.get(USER_FILE_VARIABLE):
        return Path(environ[USER_FILE_VARIABLE]).expanduser().absolute()
    return user_folder("config", environ) / "config.toml"


def project_file(folder: Path) -> Path | None:
    """The nearest `.toolpost/config.toml`, looking upwards as far as the git root or the home folder.

    Outside of both only `folder` itself is looked at: what others put into `/tmp` is not this project's.
    """
    places = (folder, *folder.parents)
    ends = (place for place, one in enumerate(places) if one == Path.home() or is_marked(one, folder, REPOSITORY))
    inside = places[: next(ends, 0) + 1]
    return next((place / PROJECT_FILE for place in inside if _is_file(place / PROJECT_FILE)), None)


@cache
def variables() -> dict[str, tuple[KeyPath, Any]]:
    """The environment variables that set something: `TOOLPOST_MODEL`, `TOOLPOST_LIMITS_MAX_STEPS`, …"""
    tables: tuple[tuple[KeyPath, type[Struct]], ...] = (
        ((), Config),
        (("limits",), LimitSettings),
        (("options",), OptionSettings),
        (("small",), SmallSettings),
        (("embedded",), EmbeddedSettings),
        (("tool_limits",), ToolLimits),
        (("web",), WebSettings),
        (("server",), GatewaySettings),
        (("engine",), EngineSettings),
        (("terminal",), TerminalSettings),
    )
    return {
        PREFIX + "_".join((*map(str, path), field.name)).upper(): ((*path, field.name), without_none(field.type))
        for path, table in tables
        for field in structs.fields(table)
        if not is_table(without_none(field.type)) and get_origin(without_none(field.type)) is not tuple
    }


def suspicious(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Warn of variables that look like settings but are not. Other parts have some too, so it is not an error."""
    known = [name.removeprefix(PREFIX).lower() for name in (*variables(), USER_FILE_VARIABLE)]
    found = [name.removeprefix(PREFIX).lower() for name in environ if name.startswith(PREFIX)]
    guesses = {name: closest(name, known, 0.8) for name in found if name not in known}
    return tuple(
        f"{PREFIX}{name.upper()} is not a setting; did you mean {PREFIX}{guess.upper()}?"
        for name, guess in guesses.items()
        if guess
    )


def parse_key(key: str) -> KeyPath:
    """Read a key as TOML writes it: `agents.build."my key"`."""
    import tomllib  # here and below: most starts read no file at all

    try:
        table: Any = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError:
        raise ConfigError(f'"{key}" is not a key; write it as in the file, such as limits.max_steps') from None
    path: KeyPath = ()
    while isinstance(table, dict):
        part, table = next(iter(cast(Table, table).items()))
        path = (*path, part)
    return path


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError as error:
        # Going on without the file would go on without its denies.
        raise ConfigError(f"{_short(file)} cannot be read: {error}") from error


def _file_layer(name: str, file: Path, base: Path) -> Layer:
    import tomllib

    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ConfigError(f"{_short(file)} is too large: the limit is {MAX_BYTES:,} bytes")
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(_syntax_error(file, str(error))) from None
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{_short(file)} cannot be read: {error}") from error
    return Layer(name, table, _in_file(file, text), base, file)


def _syntax_error(file: Path, text: str) -> str:
    at = re.search(r" \(at line (\d+), column (\d+)\)$", text)
    if at is None:
        return f"{_short(file)}: {text}"
    return f"{_short(file)}:{at[1]}:{at[2]}: {text[: at.start()]}"


def _in_file(file: Path, text: str) -> Callable[[KeyPath], str]:
    lines: dict[KeyPath, int] = {}

    def place(path: KeyPath) -> str:
        if not lines:
            lines.update(key_lines(text))
        return f"{_short(file)}:{line_of(lines, path)}"

    return place


def _short(file: Path) -> str:
    home = Path.home()
    return str(Path("~") / file.relative_to(home)) if file.is_relative_to(home) else str(file)


def _lenient(value: str, kind: Any) -> Any:
    try:
        return convert(value, kind, strict=False)
    except ValidationError:
        return value


def _plain(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    items = cast(Mapping[str, Any], value).items()
    return {key: _plain(entry) for key, entry in items if entry is not None}


def _put(table: Table, path: KeyPath, value: Any) -> None:
    *tables, last = (str(part) for part in path)
    for key in tables:
        table = table.setdefault(key, {})
    table[last] = value
