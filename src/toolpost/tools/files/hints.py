"""Suggest the path, or the lines of a file, that a model probably meant."""

from collections import deque
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from toolpost.guard.paths import FileAccess, FolderEntry, ResolvedPath
from toolpost.types.errors import ToolError

from .gitignore import COLLAPSED
from .loose_lines import windows

if TYPE_CHECKING:
    from difflib import SequenceMatcher

MAX_HINTS = 3
MAX_FOLDERS = 2_000
MAX_CANDIDATES = 100
MAX_COMPARED_LINES = 5_000
MAX_SHOWN_LINES = 20
MAX_COMPARED_CHARS = 1_000
MAX_COMPARED = 5
SHORTEST_CLUE = 4
LEAST_LIKENESS = 0.5


def near_paths(project_files: FileAccess, place: ResolvedPath) -> list[str]:
    """Names like it in its own folder, then files of that very name elsewhere in the project."""
    from difflib import get_close_matches  # takes longer to import than all the rest here

    folder, name = place.path.parent, place.path.name
    close = get_close_matches(name, _names(project_files, str(folder)), MAX_HINTS)
    beside = [str(PurePath(place.shown).parent / found) for found in close]
    elsewhere = [path for path in _named(project_files, name) if path not in beside]
    return [*beside, *elsewhere][:MAX_HINTS]


def nearest(lines: Sequence[str], wanted: str) -> str:
    """A hint: the most similar lines with their numbers, or what else to do."""
    old = [line.strip() for line in wanted.strip("\n").split("\n")]
    stripped = [line.strip() for line in lines]
    matchers = {first: _matcher(stripped[first : first + len(old)], old) for first in _starts(stripped, old)}
    # The true likeness takes long to find out, so only the best by a rough one are held against each other.
    best = sorted(matchers, key=lambda first: -matchers[first].quick_ratio())[:MAX_COMPARED]
    score, first = max(((matchers[first].ratio(), -first) for first in best), default=(0.0, 0))
    if score < LEAST_LIKENESS:
        return "Nothing in the file is like it: read the file again, or look for it in another one."
    first = -first
    shown = lines[first : first + min(len(old), MAX_SHOWN_LINES)]
    body = "\n".join(f"{first + at:>6}\t{line.rstrip()[:300]}" for at, line in enumerate(shown, 1))
    return f"The nearest is at line {first + 1}; copy the old text from there:\n{body}"


def _names(project_files: FileAccess, folder: str) -> list[str]:
    place = project_files.resolve(folder)
    # A folder outside the project is not looked into before permission was asked for.
    return [entry.name for entry in _entries(project_files, place)] if place.inside else []


def _named(project_files: FileAccess, name: str) -> list[str]:
    """Files of this name, nearest to the project's folder first."""
    found: list[str] = []
    folders = deque([PurePath()])
    for _ in range(MAX_FOLDERS):
        if not folders or len(found) >= MAX_HINTS:
            break
        folder = folders.popleft()
        for entry in _entries(project_files, project_files.resolve(str(folder))):
            if entry.kind == "folder" and entry.name not in COLLAPSED:
                folders.append(folder / entry.name)
            elif entry.kind == "file" and entry.name.casefold() == name.casefold():
                found.append(str(folder / entry.name))
    return found


def _entries(project_files: FileAccess, place: ResolvedPath) -> list[FolderEntry]:
    try:
        return project_files.scan(place)
    except ToolError:
        return []


def _starts(lines: Sequence[str], old: Sequence[str]) -> list[int]:
    """Where a stretch could begin: wherever one of the old lines stands, longest first, or one much like it."""
    found: dict[int, None] = {}
    clues = sorted(((line, at) for at, line in enumerate(old) if len(line) >= SHORTEST_CLUE), key=lambda c: -len(c[0]))
    for line, at in clues[:5]:
        for place in windows(lines, [line]):
            found[max(0, place - at)] = None
            if len(found) >= MAX_CANDIDATES:
                return list(found)
    if found or not clues:
        return list(found)
    line, at = clues[0]
    return [max(0, place - at) for place in _similar(lines[:MAX_COMPARED_LINES], line)]


def _similar(lines: Sequence[str], line: str) -> list[int]:
    matcher = _matcher((), [line])
    found: list[int] = []
    for place, other in enumerate(lines):
        matcher.set_seq1(other[:MAX_COMPARED_CHARS])
        if matcher.real_quick_ratio() >= LEAST_LIKENESS and matcher.quick_ratio() >= LEAST_LIKENESS:
            found.append(place)
    return found[:MAX_CANDIDATES]


def _matcher(window: Sequence[str], old: Sequence[str]) -> "SequenceMatcher[str]":
    from difflib import SequenceMatcher  # takes longer to import than all the rest here

    one, other = ("\n".join(lines)[:MAX_COMPARED_CHARS] for lines in (window, old))
    return SequenceMatcher(None, one, other, autojunk=False)
