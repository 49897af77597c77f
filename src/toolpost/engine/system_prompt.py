"""The system prompt in two parts: a head that stays the same, so that providers can cache it, and a changing body."""

import os
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from msgspec import Struct

from toolpost.folders import project_root
from toolpost.guard.paths import FileAccess, ResolvedPath
from toolpost.tools.files.instructions import Instructions, find_in, find_named, read_instructions, said_of
from toolpost.types.errors import ToolError
from toolpost.types.text import Language

INSTRUCTIONS_MAX_BYTES = 64_000  # of one file
MAX_BYTES = 256_000
_WEEKDAYS: dict[Language, tuple[str, ...]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "zh": ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
}
_SYSTEMS = {"darwin": "macOS", "linux": "Linux", "win32": "Windows"}


class FoundInstructions(Struct, frozen=True):
    """The files for the prompt in their order, and what a person should be told of those that are not used."""

    files: tuple[Instructions, ...]
    left_out: tuple[str, ...] = ()


def system_prompt(
    agent_prompt: str,
    *,
    folder: Path | None,
    additions: str = "",
    instructions: Sequence[Instructions] = (),
    rules: Sequence[str] = (),
) -> tuple[str, str]:
    """Head: the agent's own prompt. Body: our rules, instructions found in the project, then the user's additions."""
    sections = [*rules, *(_section(found, folder) for found in instructions)]
    if additions:
        sections.append(additions)
    return agent_prompt, "\n\n".join(section for section in sections if section)


def environment(folder: Path) -> str:
    """The date, the folder and the operating system, which no model can know. It is made once for an open session, and
    without the time of day: what providers cache has to stay the same."""
    system = _SYSTEMS.get(sys.platform, sys.platform)
    return f"Today's date: {date.today().isoformat()}\nWorking folder: {folder}\nOperating system: {system}"


def date_alone(today: date, language: Language) -> str:
    """The date and its weekday, for an agent that need not know where it runs."""
    weekday = _WEEKDAYS[language][today.weekday()]
    if language == "zh":
        return f"今天的日期：{today.isoformat()}，{weekday}"
    return f"Today's date: {today.isoformat()}, {weekday}"


def find_instructions(folder: Path, named: Sequence[Path] = ()) -> FoundInstructions:
    """One file a folder from the outermost down to `folder`, AGENTS.md before CLAUDE.md; then those that are `named`.

    Nothing here needs trust, so nothing that a folder brings along decides what is read. Looked at are the folders of
    the project and, above it, the user's own as far as their home.
    """
    folder, files, left_out = folder.resolve(), dict[Path, Instructions](), list[str]()
    room = MAX_BYTES
    for ground, place in _places(folder, named, left_out):
        if place.real in files:
            continue
        try:
            found = read_instructions(ground, place, INSTRUCTIONS_MAX_BYTES)
        except ToolError as error:
            left_out.append(said_of(place.path, error))
            continue
        size = len(found.text.encode())
        if size > room:
            left_out.append(said_of(place.path, ToolError(f"all together have more than {MAX_BYTES:,} bytes")))
            continue
        if found.is_cut:
            left_out.append(f"{place.path} is cut for the model after {INSTRUCTIONS_MAX_BYTES:,} bytes")
        room -= size
        files[place.real] = found
    return FoundInstructions(tuple(files.values()), tuple(left_out))


def _places(folder: Path, named: Sequence[Path], left_out: list[str]) -> Iterator[tuple[FileAccess, ResolvedPath]]:
    """Where instructions are, each with the ground that it is read on."""
    root = project_root(folder)
    project = FileAccess(root)
    inner = [place for place in (folder, *folder.parents) if place.is_relative_to(root)]
    above = [(place, FileAccess(place)) for place in _own_above(root)]
    for place, ground in (*above, *((place, project) for place in inner[::-1])):
        if found := find_in(ground, place, left_out):
            yield ground, found
    for path in named:
        try:
            yield project, find_named(project, path)
        except ToolError as error:
            left_out.append(said_of(path, error))


def _own_above(root: Path) -> list[Path]:
    """The user's own folders above a project, from home down; none where it is not in their home."""
    home = Path(os.path.realpath(Path.home()))
    above = [place for place in root.parents if place.is_relative_to(home)]
    return [place for place in above[::-1] if place.lstat().st_uid == os.geteuid()]


def _section(found: Instructions, folder: Path | None) -> str:
    file = found.file
    shown = file.relative_to(folder) if folder and file.is_relative_to(folder) else file
    return f"Instructions from {shown}:\n\n{found.text}" if found.text else ""
