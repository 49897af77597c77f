"""What a project says is not worth a look: `.gitignore` files, and folders that are never written by hand."""

import re
from collections.abc import Sequence
from fnmatch import translate
from functools import lru_cache

from msgspec import Struct

COLLAPSED = frozenset((".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache"))
MAX_RULES = 1_000
DEEP = "**"


class Line(Struct, frozen=True):
    """One line of a `.gitignore`, by the parts of its path; `folder` holds the parts of where it stands."""

    folder: tuple[str, ...]
    parts: tuple[str, ...]
    negated: bool
    folders_only: bool

    def matches(self, path: tuple[str, ...]) -> bool:
        own = len(self.folder)
        return path[:own] == self.folder and _matches(self.parts, path[own:])


class Ignored:
    """The lines that hold in a folder; deeper ones are stronger."""

    def __init__(self, lines: tuple[Line, ...] = ()) -> None:
        self._lines = lines

    def with_file(self, folder: Sequence[str], text: str) -> "Ignored":
        """These lines and those of the file in `folder`."""
        read = [_read(line, tuple(folder)) for line in text.splitlines()[:MAX_RULES]]
        return Ignored((*self._lines, *(line for line in read if line is not None))[-MAX_RULES:])

    def covers(self, path: Sequence[str], *, folder: bool) -> bool:
        """True if the last line that matches says so."""
        for line in reversed(self._lines):
            if (folder or not line.folders_only) and line.matches(tuple(path)):
                return not line.negated
        return False


def _read(text: str, folder: tuple[str, ...]) -> Line | None:
    pattern = text.strip()
    if not pattern or pattern.startswith("#"):
        return None
    negated = pattern.startswith("!")
    pattern = pattern.removeprefix("!")
    folders_only = pattern.endswith("/")
    pattern = pattern.rstrip("/")
    # A path is anchored to its folder, a bare name may stand anywhere below.
    parts = pattern.removeprefix("/").split("/")
    anchored = "/" in pattern
    return Line(folder, tuple(parts) if anchored else (DEEP, *parts), negated, folders_only)


def _matches(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Part by part, where `**` stands for any number of parts: the places reached, not the ways to them."""
    reached = _past_deep(pattern, {0})
    for part in path:
        stepped = {
            at if pattern[at] == DEEP else at + 1
            for at in reached
            if at < len(pattern) and (pattern[at] == DEEP or _part(pattern[at]).match(part))
        }
        reached = _past_deep(pattern, stepped)
    return len(pattern) in reached


def _past_deep(pattern: tuple[str, ...], places: set[int]) -> set[int]:
    found = set(places)
    for place in places:
        while place < len(pattern) and pattern[place] == DEEP:
            place += 1
            found.add(place)
    return found


@lru_cache(maxsize=4_096)
def _part(pattern: str) -> re.Pattern[str]:
    escaped = re.sub(r"\\(.)", lambda match: f"[{match.group(1)}]" if match.group(1) != "^" else "^", pattern)
    try:
        return re.compile(translate(escaped))
    except re.error:
        return re.compile(re.escape(pattern))
