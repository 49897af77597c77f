"""Select the files that a search shows: by name, by whether they are hidden, and never those with secrets or those
that the rules hold back."""

from collections.abc import Sequence
from pathlib import Path

from toolpost.guard.paths import ResolvedPath
from toolpost.guard.secret_names import is_secret
from toolpost.tools.define import ToolContext

from .path_globs import Glob

# Hidden files, but not what git keeps to itself.
HIDDEN = ("--hidden", "--glob=!.git/")


def by_name(wanted: Glob) -> list[str]:
    """ripgrep's arguments to leave out what can't match by its name. Its own globs would overrule `.gitignore`."""
    if not wanted.names:
        return []
    return [*(f"--type-add=wanted:{name}" for name in wanted.names), "--type=wanted"]


def is_hidden(path: str) -> bool:
    return path.startswith(".") or "/." in path


def shown_below(place: ResolvedPath, path: str) -> str:
    """A path below a place, as the place is shown."""
    return _below(place.shown, path)


def held_back(ctx: ToolContext, permission: str, place: ResolvedPath, path: str) -> bool:
    """True if the rules say more against what is below a place than against the place, by either of its names."""
    return any(ctx.holds_back(permission, _below(top, path), top) for top in {place.shown, place.target})


def plain_name(path: str) -> str:
    """A path for a line of its own: a name with a line break in it, or the like, is escaped."""
    return path if path.isprintable() else ascii(path)


class Selection:
    """Selects the files of a folder that a search shows. What may hold secrets is left out and noted, unless the place
    itself is secret: then it was asked for. So is what the rules hold back, by any of the `permissions`."""

    def __init__(
        self, ctx: ToolContext, place: ResolvedPath, wanted: Glob | None, *, hidden: bool, permissions: Sequence[str]
    ) -> None:
        self._ctx = ctx
        self._place = place
        self._permissions = permissions
        self._wanted = wanted
        self._hidden = hidden
        self.secrets: list[str] = []
        self.held_back: list[str] = []

    def arguments(self) -> Sequence[str]:
        names = by_name(self._wanted) if self._wanted else []
        return [*names, *(HIDDEN if self._hidden else ())]

    def __call__(self, path: str) -> bool:
        if (is_hidden(path) and not self._hidden) or (self._wanted and not self._wanted.matches(path)):
            return False
        if not self._place.secret and is_secret(Path(self._place.target, path)):
            self.secrets.append(path)
            return False
        if any(held_back(self._ctx, permission, self._place, path) for permission in self._permissions):
            self.held_back.append(path)
            return False
        return True


def _below(top: str, path: str) -> str:
    return path if top == "." else f"{top.rstrip('/')}/{path}"
