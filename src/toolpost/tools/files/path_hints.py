"""Paths that are probably meant where there is no such file."""

from collections import deque
from pathlib import PurePath

from toolpost.guard.paths import Entry, Ground, Place
from toolpost.types.errors import ToolError

from .ignore import COLLAPSED

MOST_HINTS = 3
MOST_FOLDERS = 2_000


def near_paths(ground: Ground, place: Place) -> list[str]:
    """Names like it in its own folder, then files of that very name elsewhere in the project."""
    from difflib import get_close_matches  # takes longer to import than all the rest here

    folder, name = place.path.parent, place.path.name
    close = get_close_matches(name, _names(ground, str(folder)), MOST_HINTS)
    beside = [str(PurePath(place.shown).parent / found) for found in close]
    elsewhere = [path for path in _named(ground, name) if path not in beside]
    return [*beside, *elsewhere][:MOST_HINTS]


def _names(ground: Ground, folder: str) -> list[str]:
    place = ground.place(folder)
    # What lies outside is nobody's business before it was asked for.
    return [entry.name for entry in _entries(ground, place)] if place.inside else []


def _named(ground: Ground, name: str) -> list[str]:
    """Files of this name, nearest to the project's folder first."""
    found: list[str] = []
    folders = deque([PurePath()])
    for _ in range(MOST_FOLDERS):
        if not folders or len(found) >= MOST_HINTS:
            break
        folder = folders.popleft()
        for entry in _entries(ground, ground.place(str(folder))):
            if entry.kind == "folder" and entry.name not in COLLAPSED:
                folders.append(folder / entry.name)
            elif entry.kind == "file" and entry.name.casefold() == name.casefold():
                found.append(str(folder / entry.name))
    return found


def _entries(ground: Ground, place: Place) -> list[Entry]:
    try:
        return ground.scan(place)
    except ToolError:
        return []
