"""Instruction files (AGENTS.md, CLAUDE.md) for the model, read also in folders that nobody has trusted yet.

So the folder must not decide what is read: under such a name there may be a link to anything. Only plain files of its
own go to the model. A hard link can't be told from the file that it is; a clone brings none.
"""

from pathlib import Path

from msgspec import Struct

from toolpost.guard.paths import Ground, Missing, Place
from toolpost.guard.redact import known_secrets
from toolpost.types.errors import ToolError

INSTRUCTION_FILES = ("AGENTS.md", "CLAUDE.md")


class Instructions(Struct, frozen=True):
    """What a file says. `file` is where it is, with links resolved; `is_cut` says that there is more in it."""

    file: Path
    text: str
    is_cut: bool = False


def find_in(ground: Ground, folder: Path, left_out: list[str]) -> Place | None:
    """The instruction file of a folder, AGENTS.md before CLAUDE.md. Why one can't be used is added to `left_out`."""
    for name in INSTRUCTION_FILES:
        try:
            place = ground.place(str(folder / name))
            _require_own(ground, place, folder)
            ground.open(place).close()
        except Missing:
            continue
        except ToolError as error:
            left_out.append(said_of(folder / name, error))
            continue
        return place
    return None


def find_named(ground: Ground, path: Path) -> Place:
    """A file that the user or trusted settings name. It may be anywhere; but what is in the project must not lead out
    of it, or to a secret: these are links that nobody has looked at. Raises `ToolError`."""
    place = ground.place(str(path))
    if place.leads_out:
        raise ToolError(f"it leads out of the project, to {place.real}")
    if place.inside and place.secret:
        raise ToolError(f"{place.real} may hold secrets")
    return place


def read_instructions(ground: Ground, place: Place, limit: int) -> Instructions:
    """At most `limit` bytes of a file, without the secrets of this process. Raises `ToolError`."""
    with ground.open(place) as opened:
        data = opened.read(limit + 1)
    secrets, text = known_secrets(), data[:limit].decode(errors="replace")
    is_cut = len(data) > limit
    # At the end of a text that is cut, what may be the beginning of a secret is not shown.
    text = secrets.hide_certain(text)[0] if is_cut else secrets.hide(text)
    return Instructions(place.real, text.strip(), is_cut)


def said_of(path: Path, error: ToolError) -> str:
    """What a person is told of a file that the model does not get."""
    return f"{path} is left out of the model's instructions: {str(error).removesuffix('.')}"


def _require_own(ground: Ground, place: Place, folder: Path) -> None:
    """A link may lead to a file below its folder, or to another instruction file of the project: no further, because a
    project may be as large as the home folder."""
    real, inner = place.real, Path(place.target)
    is_near = place.inside and (real.is_relative_to(folder) or real.name in INSTRUCTION_FILES)
    if not is_near:
        raise ToolError(f"it is a link that leads out of its folder, to {real}")
    # Addresses in .git/config may have passwords in them.
    if place.secret or ".git" in map(str.lower, inner.parts):
        raise ToolError(f"it is a link to {real}, which may hold secrets")
