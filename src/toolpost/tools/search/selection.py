"""Which files a search looks at and shows: by name, by whether they are hidden, and never those with secrets."""

from collections.abc import Sequence
from pathlib import Path

from toolpost.guard.paths import Place
from toolpost.guard.secrets import is_secret

from .patterns import Glob

# Hidden files, but not what git keeps to itself.
HIDDEN = ("--hidden", "--glob=!.git/")


def by_name(wanted: Glob) -> list[str]:
    """ripgrep's arguments to leave out what can't match by its name. Its own globs would overrule `.gitignore`."""
    if not wanted.names:
        return []
    return [*(f"--type-add=wanted:{name}" for name in wanted.names), "--type=wanted"]


def is_hidden(path: str) -> bool:
    return path.startswith(".") or "/." in path


def shown_below(place: Place, path: str) -> str:
    """A path below a place, as the place is shown."""
    return path if place.shown == "." else f"{place.shown.rstrip('/')}/{path}"


class Selection:
    """What a search of contents shows of a folder. What may hold secrets is left out and noted, unless the place itself
    is secret: then it was asked for."""

    def __init__(self, place: Place, wanted: Glob | None, *, hidden: bool) -> None:
        self._place = place
        self._wanted = wanted
        self._hidden = hidden
        self.secrets: list[str] = []

    def arguments(self) -> Sequence[str]:
        names = by_name(self._wanted) if self._wanted else []
        return [*names, *(HIDDEN if self._hidden else ())]

    def __call__(self, path: str) -> bool:
        if (is_hidden(path) and not self._hidden) or (self._wanted and not self._wanted.matches(path)):
            return False
        if not self._place.secret and is_secret(Path(path)):
            self.secrets.append(path)
            return False
        return True
