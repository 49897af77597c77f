"""Read `.gitignore` files, and name folders that are never written by hand."""

from collections.abc import Sequence

from msgspec import Struct

from toolpost.tools.code_search.path_globs import DEEP, fits, require_parts
from toolpost.types.errors import ToolError

COLLAPSED = frozenset((".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache"))
MAX_RULES = 1_000


class IgnoreLine(Struct, frozen=True):
    """One line of a `.gitignore`, by the parts of its path; `folder` holds the parts of where it stands."""

    folder: tuple[str, ...]
    parts: tuple[str, ...]
    negated: bool
    folders_only: bool

    def matches(self, path: tuple[str, ...]) -> bool:
        own = len(self.folder)
        return path[:own] == self.folder and fits(self.parts, path[own:])


class IgnoreRules:
    """The lines that hold in a folder; deeper ones are stronger."""

    def __init__(self, lines: tuple[IgnoreLine, ...] = ()) -> None:
        self._lines = lines

    def with_file(self, folder: Sequence[str], text: str) -> "IgnoreRules":
        """These lines and those of the file in `folder`."""
        read = [_read(line, tuple(folder)) for line in text.splitlines()[:MAX_RULES]]
        return IgnoreRules((*self._lines, *(line for line in read if line is not None))[-MAX_RULES:])

    def covers(self, path: Sequence[str], *, folder: bool) -> bool:
        """True if the last line that matches says so."""
        for line in reversed(self._lines):
            if (folder or not line.folders_only) and line.matches(tuple(path)):
                return not line.negated
        return False


def _read(text: str, folder: tuple[str, ...]) -> IgnoreLine | None:
    pattern = text.strip()
    if not pattern or pattern.startswith("#"):
        return None
    negated = pattern.startswith("!")
    pattern = pattern.removeprefix("!")
    folders_only = pattern.endswith("/")
    pattern = pattern.rstrip("/")
    # A path is anchored to its folder, a bare name may stand anywhere below.
    parts = tuple(pattern.removeprefix("/").split("/"))
    if len(parts) > 1 and parts[-1] == DEEP:
        # What is in a folder is meant, not the folder.
        parts = (*parts, "*")
    try:
        require_parts(parts)
    except ToolError:
        return None
    return IgnoreLine(folder, parts if "/" in pattern else (DEEP, *parts), negated, folders_only)
