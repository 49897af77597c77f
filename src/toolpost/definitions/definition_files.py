"""Find, read and parse the Markdown files of agents, commands and skills, of the user and of the project."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Generic, Literal, TypeVar, cast

from msgspec import Struct

from toolpost.extras import ExtraMissing, missing_text
from toolpost.folders import user_folder
from toolpost.guard.paths import FileAccess
from toolpost.types.errors import ConfigError, ToolError

MAX_BYTES = 256_000
MAX_SETTINGS_BYTES = 32_000

_FENCED = re.compile(r"\ufeff?---[ \t]*\n(.*?)(?:\n)?^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PLAIN_LINE = re.compile(r"([A-Za-z][\w-]*):(?:[ \t]+(.*))?")
T = TypeVar("T")

Level = Literal["user", "project"]
MAX_FILES = 500

# From the weakest to the strongest: a name found in a later folder takes the place of the same name in an earlier one.
_PROJECT = {
    "agents": (".opencode/agent", ".opencode/agents", ".claude/agents", ".toolpost/agents"),
    "commands": (".opencode/command", ".opencode/commands", ".claude/commands", ".toolpost/commands"),
    "skills": (".agents/skills", ".claude/skills", ".toolpost/skills"),
}
_HOME = {
    "agents": (".config/opencode/agent", ".config/opencode/agents", ".claude/agents"),
    "commands": (".config/opencode/command", ".config/opencode/commands", ".claude/commands"),
    "skills": (".agents/skills", ".claude/skills"),
}
Kind = Literal["agents", "commands", "skills"]


class MarkdownDocument(Struct, frozen=True):
    """`settings` is empty where the file has none."""

    settings: Mapping[str, Any]
    body: str


def parse(data: bytes, name: str) -> MarkdownDocument:
    """Read a file's content. Raises `ConfigError` that begins with `name` and says the line."""
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{name}: {len(data):,} bytes are too large for a definition; {MAX_BYTES:,} is the limit")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name} is not UTF-8 text: {error.reason} at byte {error.start}") from error
    fenced = _FENCED.match(text)
    if fenced is None:
        if text.startswith("---\n"):
            raise ConfigError(f"{name}: the settings that begin with --- have no --- below them")
        return MarkdownDocument({}, text.strip())
    return MarkdownDocument(_settings(fenced[1], name), text[fenced.end() :].strip())


def _settings(text: str, name: str) -> dict[str, Any]:
    if len(text.encode()) > MAX_SETTINGS_BYTES:
        raise ConfigError(
            f"{name}: the settings above its text are too large; {MAX_SETTINGS_BYTES:,} bytes is the limit"
        )
    try:
        # Imported here: most starts read no definition at all.
        import yaml
    except ImportError:
        raise ExtraMissing(missing_text("cli", f"{name}: to read the settings above its text")) from None

    try:
        value: object = yaml.load(text, Loader=_loader())
    except yaml.YAMLError as error:
        plain = _plain(text)
        if plain is None:
            raise ConfigError(_mistake(error, name)) from None
        return plain
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ConfigError(f"{name}:2: the settings must be lines such as `description: Reviews code`")
    table = cast(dict[object, Any], value)
    return {str(key): entry for key, entry in table.items()}


def _loader() -> Any:
    """Plain data and nothing else. An alias can make much of little, and no definition needs one."""
    import yaml

    class Loader(yaml.SafeLoader):
        def compose_node(self, parent: Any, index: Any) -> Any:
            if getattr(cast(Any, self).peek_event(), "anchor", None) is not None:
                raise yaml.YAMLError("anchors and aliases are not read here")
            return super().compose_node(parent, index)

    return Loader


def _plain(text: str) -> dict[str, Any] | None:
    """Lines of `key: text`, as many people write them: a colon in the text makes them no YAML, but plain to read."""
    found: dict[str, Any] = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        matched = _PLAIN_LINE.fullmatch(line.rstrip())
        value = (matched[2] or "").strip() if matched else ""
        # What only YAML can read is not guessed at.
        if matched is None or not value or value[0] in "[{&*|>!%@`\"'":
            return None
        found[matched[1]] = {"true": True, "false": False}.get(value, value)
    return found


def _mistake(error: Exception, name: str) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    # The mark counts from 0, and the settings begin in the file's second line.
    place = f"{name}:{mark.line + 2}" if mark is not None else name
    return f"{place}: the settings above its text are not valid YAML: {problem}"


class DefinitionFolder(Struct, frozen=True):
    """A folder of definitions. `is_own` is said of Toolpost's own, where an unknown key is a mistake. A
    project's has the `ground` that it is read on: no link in it leads out of the project. The user's links are theirs.
    """

    folder: Path
    level: Level
    is_own: bool
    ground: FileAccess | None = None

    @property
    def leads_out(self) -> bool:
        return self.ground is not None and not self.ground.resolve(str(self.folder)).inside


class FoundDefinitions(Struct, Generic[T], frozen=True):
    """What was found, by name, and what a person should be told of files that could not be used. `broken` are those of
    them that would have had a name, with what is wrong."""

    items: Mapping[str, T]
    warnings: Sequence[str] = ()
    broken: Mapping[str, str] = {}


class DefinitionFile(Struct, frozen=True):
    """A definition, read. `name` is its path below the folder without the suffix, with `:` between folders."""

    path: Path
    name: str
    shown: str
    document: MarkdownDocument
    place: DefinitionFolder


def places(kind: Kind, project: Path, environ: Mapping[str, str], *, trusted: bool) -> list[DefinitionFolder]:
    """The folders that exist, the weakest first. A project's are looked at only where it is trusted."""
    home = Path.home()
    found = [DefinitionFolder(home / name, "user", False) for name in _HOME[kind]]
    found.append(DefinitionFolder(user_folder("config", environ) / kind, "user", True))
    if trusted:
        ground = FileAccess(project)
        found += [
            DefinitionFolder(project / name, "project", name.startswith(".toolpost"), ground) for name in _PROJECT[kind]
        ]
    # A home folder may be the project; its folders are then the user's.
    unique = {place.folder.resolve(): place for place in reversed(found) if place.folder.is_dir()}
    return list(reversed(unique.values()))


def collect(
    wanted: Sequence[DefinitionFolder],
    files: Callable[[DefinitionFolder], Iterator[tuple[str, Path]]],
    read: Callable[[DefinitionFile, list[str]], tuple[str, T] | None],
    *,
    needed: bool = False,
) -> FoundDefinitions[T]:
    """Read all files of all places. One that is broken is told of and passed over.

    Where they are `needed`, because something that may do more takes the place of what is passed over, it raises
    `ExtraMissing` for a package that reads them.
    """
    items: dict[str, T] = {}
    warnings: list[str] = []
    broken: dict[str, str] = {}
    for place in wanted:
        if place.leads_out:
            warnings.append(f"{_short(place.folder)} is a link that leads out of the project; it is left out")
            continue
        for name, path in files(place):
            try:
                file = _file(name, path, place)
                found = read(file, warnings)
            except ConfigError as error:
                if needed and isinstance(error, ExtraMissing):
                    raise
                warnings.append(f"{error}; the file is left out")
                broken[name.rpartition(":")[2]] = str(error)
                continue
            if found is not None:
                items[found[0]] = found[1]
                broken.pop(found[0], None)
    return FoundDefinitions(items, tuple(warnings), broken)


def markdown_files(place: DefinitionFolder) -> Iterator[tuple[str, Path]]:
    """The `.md` files of a folder and those below it, by name."""
    paths = sorted(path for path in place.folder.rglob("*.md") if path.is_file())
    for path in paths[:MAX_FILES]:
        yield ":".join(path.relative_to(place.folder).with_suffix("").parts), path


def _file(name: str, path: Path, place: DefinitionFolder) -> DefinitionFile:
    shown = _short(path)
    try:
        with _open(path, place.ground) as opened:
            data = opened.read(MAX_BYTES + 1)
    except (OSError, ToolError) as error:
        raise ConfigError(f"{shown} cannot be read: {getattr(error, 'strerror', error)}") from error
    return DefinitionFile(path, name, shown, parse(data, shown), place)


def _open(path: Path, ground: FileAccess | None) -> BinaryIO:
    if ground is None:
        return path.open("rb")
    found = ground.resolve(str(path))
    if not found.inside or found.secret:
        raise ToolError(
            f"it is a link to {found.real}, which is {'a secret' if found.inside else 'not in the project'}"
        )
    return ground.open(found)


def _short(path: Path) -> str:
    home = Path.home()
    return str(Path("~") / path.relative_to(home)) if path.is_relative_to(home) else str(path)
