"""Read instruction files (AGENTS.md, CLAUDE.md) for the model, also in folders that are not trusted yet.

So the folder must not decide what is read: under such a name there may be a link to anything. Only plain files of its
own go to the model. A hard link can't be told from the file that it is; a clone brings none.
"""

import logging
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from toolpost.guard.paths import FileAccess, Missing, ResolvedPath
from toolpost.guard.redact import known_secrets
from toolpost.types.errors import ToolError

INSTRUCTION_FILES = ("AGENTS.md", "CLAUDE.md")
MAX_BYTES = 8_000  # of one file
MAX_NEWS_BYTES = 16_000
MAX_SESSIONS = 1_000
log = logging.getLogger("toolpost.tools")


class Instructions(Struct, frozen=True):
    """The text of an instruction file. `file` is where it is, with links resolved; `is_cut` says that there is more in
    it."""

    file: Path
    text: str
    is_cut: bool = False


def find_in(project_files: FileAccess, folder: Path, left_out: list[str]) -> ResolvedPath | None:
    """The instruction file of a folder, AGENTS.md before CLAUDE.md. Why one can't be used is added to `left_out`."""
    for name in INSTRUCTION_FILES:
        try:
            place = project_files.resolve(str(folder / name))
            _require_own(project_files, place, folder)
            project_files.open(place).close()
        except Missing:
            continue
        except ToolError as error:
            left_out.append(said_of(folder / name, error))
            continue
        return place
    return None


def find_named(project_files: FileAccess, path: Path) -> ResolvedPath:
    """A file that the user or trusted settings name. It may be anywhere; but what is in the project must not lead out
    of it, or to a secret: these are links that no person has looked at. Raises `ToolError`."""
    place = project_files.resolve(str(path))
    if place.leads_out:
        raise ToolError(f"it leads out of the project, to {place.real}")
    if place.inside and place.secret:
        raise ToolError(f"{place.real} may hold secrets")
    return place


def read_instructions(project_files: FileAccess, place: ResolvedPath, limit: int) -> Instructions:
    """At most `limit` bytes of a file, without the secrets of this process. Raises `ToolError`."""
    with project_files.open(place) as opened:
        data = opened.read(limit + 1)
    secrets, text = known_secrets(), data[:limit].decode(errors="replace")
    is_cut = len(data) > limit
    # At the end of a text that is cut, what may be the beginning of a secret is not shown.
    text = secrets.hide_certain(text)[0] if is_cut else secrets.hide(text)
    return Instructions(place.real, text.strip(), is_cut)


def said_of(path: Path, error: ToolError) -> str:
    """Explain to a person why the model does not get a file."""
    return f"{path} is left out of the model's instructions: {str(error).removesuffix('.')}"


class NewInstructions(Struct, frozen=True):
    """Instructions that a session has not got yet."""

    texts: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()

    @property
    def size(self) -> int:
        return sum(len(text.encode()) for text in self.texts)


class FolderInstructions:
    """Looks only inside a project, trusted or not: instructions are text for the model and give it no rights. `known`
    are files that every session has been given. Of files that are left out the log says why, once."""

    def __init__(self, project_files: FileAccess, known: Iterable[Path] = ()) -> None:
        self._project_files = project_files
        self._known = frozenset(known)
        self._told: set[str] = set()
        self._given: OrderedDict[str, set[Path]] = OrderedDict()

    def __call__(self, session_id: str, path: Path) -> NewInstructions:
        """What is new to this session for the file at `path`, those of outer folders first.

        `path` is where its links lead. Reads files, so call it beside the loop; say `give` once the session got them.
        """
        given = self._given.get(session_id, set())
        texts: list[str] = []
        files: list[Path] = []
        room = MAX_NEWS_BYTES
        for folder in self._folders(path):
            left_out: list[str] = []
            place = find_in(self._project_files, folder, left_out)
            self._tell(left_out)
            if place is None or place.real == path or place.real in given or place.real in (*self._known, *files):
                continue
            try:
                text = read_instructions(self._project_files, place, min(room, MAX_BYTES)).text
            except ToolError as error:
                self._tell([said_of(place.path, error)])
                continue
            if not text:
                continue
            # What is not valid UTF-8 takes more room as a text than it did as bytes.
            room = max(0, room - len(text.encode()))
            inner = folder.relative_to(self._project_files.root)
            texts.append(f"Instructions from {place.shown}, for everything in {inner}/:\n\n{text}")
            files.append(place.real)
        return NewInstructions(tuple(texts), tuple(files))

    def give(self, session_id: str, path: Path, news: NewInstructions) -> None:
        """The session has now got these, and `path` itself, which may be such a file."""
        given = self._given.setdefault(session_id, set())
        given.update(news.files, [path] if path.name in INSTRUCTION_FILES else ())
        self._given.move_to_end(session_id)
        if len(self._given) > MAX_SESSIONS:
            self._given.popitem(last=False)

    def _folders(self, path: Path) -> list[Path]:
        """From the project's own folder, which is not among them, to the one that holds the file."""
        root = self._project_files.root
        inner = [folder for folder in path.parents if folder != root and folder.is_relative_to(root)]
        return inner[::-1]

    def _tell(self, left_out: list[str]) -> None:
        for text in left_out:
            if text not in self._told and len(self._told) < MAX_SESSIONS:
                self._told.add(text)
                log.warning("%s", text)


def _require_own(project_files: FileAccess, place: ResolvedPath, folder: Path) -> None:
    """A link may lead to a file below its folder, or to another instruction file of the project: no further, because a
    project may be as large as the home folder."""
    real, inner = place.real, Path(place.target)
    is_near = place.inside and (real.is_relative_to(folder) or real.name in INSTRUCTION_FILES)
    if not is_near:
        raise ToolError(f"it is a link that leads out of its folder, to {real}")
    # Addresses in .git/config may have passwords in them.
    if place.secret or ".git" in map(str.lower, inner.parts):
        raise ToolError(f"it is a link to {real}, which may hold secrets")
