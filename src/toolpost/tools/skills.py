"""A skill: a folder with instructions for one kind of work, which a model reads when it needs them."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from msgspec import Struct

MOST_FILES = 50
DEEPEST = 4


class Skill(Struct, frozen=True):
    """`body` is what its SKILL.md said when it was found, which is what was trusted."""

    name: str
    description: str
    folder: Path
    body: str
    source: str = ""

    def files(self) -> list[str]:
        """What else is in its folder, relative to it; the last entry says if there is more."""
        found = list(islice(_files(self.folder, Path(), 0), MOST_FILES + 1))
        return [*found[:MOST_FILES], "…"] if len(found) > MOST_FILES else found


def _files(folder: Path, below: Path, depth: int) -> Iterator[str]:
    try:
        entries = sorted((folder / below).iterdir())
    except OSError:
        return
    for entry in entries:
        name = below / entry.name
        if entry.is_symlink() or entry.name.startswith("."):
            continue
        if entry.is_dir():
            if depth < DEEPEST:
                yield from _files(folder, name, depth + 1)
        elif entry.is_file() and str(name) != "SKILL.md":
            yield name.as_posix()
