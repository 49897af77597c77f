"""Find and read the files of agents, commands and skills, in the user's folders and in the project's."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Generic, Literal, TypeVar

from msgspec import Struct

from toolpost.extras import ExtraMissing
from toolpost.folders import user_folder
from toolpost.guard.paths import FileAccess
from toolpost.types.errors import ConfigError, ToolError

from .front_matter import MAX_BYTES, MarkdownDocument, parse

T = TypeVar("T")

Level = Literal["user", "project"]
MOST_FILES = 500

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
    """What was found, by name, and what a person should be told of files that could not be used."""

    items: Mapping[str, T]
    warnings: Sequence[str] = ()


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
                continue
            if found is not None:
                items[found[0]] = found[1]
    return FoundDefinitions(items, tuple(warnings))


def markdown_files(place: DefinitionFolder) -> Iterator[tuple[str, Path]]:
    """The `.md` files of a folder and those below it, by name."""
    paths = sorted(path for path in place.folder.rglob("*.md") if path.is_file())
    for path in paths[:MOST_FILES]:
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
