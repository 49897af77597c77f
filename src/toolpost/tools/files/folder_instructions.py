"""Instructions that lie beside files: those of a folder are given when a file in it is first read."""

import logging
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from toolpost.guard.paths import Ground
from toolpost.types.errors import ToolError

from .instructions import INSTRUCTION_FILES, find_in, read_instructions, said_of

MAX_BYTES = 8_000  # of one file
MAX_NEWS_BYTES = 16_000
MAX_SESSIONS = 1_000

log = logging.getLogger("toolpost.tools")


class News(Struct, frozen=True):
    """Instructions that a session has not got yet."""

    texts: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()

    @property
    def size(self) -> int:
        return sum(len(text.encode()) for text in self.texts)


class Beside:
    """Looks only inside a project, trusted or not: instructions are text for the model and give it no rights. `known`
    are files that every session has been given. Of files that are left out the log says why, once."""

    def __init__(self, ground: Ground, known: Iterable[Path] = ()) -> None:
        self._ground = ground
        self._known = frozenset(known)
        self._told: set[str] = set()
        self._given: OrderedDict[str, set[Path]] = OrderedDict()

    def __call__(self, session_id: str, path: Path) -> News:
        """What is new to this session for the file at `path`, those of outer folders first.

        `path` is where its links lead. Reads files, so call it beside the loop; say `give` once the session got them.
        """
        given = self._given.get(session_id, set())
        texts: list[str] = []
        files: list[Path] = []
        room = MAX_NEWS_BYTES
        for folder in self._folders(path):
            left_out: list[str] = []
            place = find_in(self._ground, folder, left_out)
            self._tell(left_out)
            if place is None or place.real == path or place.real in given or place.real in (*self._known, *files):
                continue
            try:
                text = read_instructions(self._ground, place, min(room, MAX_BYTES)).text
            except ToolError as error:
                self._tell([said_of(place.path, error)])
                continue
            if not text:
                continue
            # What is no UTF-8 takes more room as a text than it did as bytes.
            room = max(0, room - len(text.encode()))
            inner = folder.relative_to(self._ground.root)
            texts.append(f"Instructions from {place.shown}, for everything in {inner}/:\n\n{text}")
            files.append(place.real)
        return News(tuple(texts), tuple(files))

    def give(self, session_id: str, path: Path, news: News) -> None:
        """The session has now got these, and `path` itself, which may be such a file."""
        given = self._given.setdefault(session_id, set())
        given.update(news.files, [path] if path.name in INSTRUCTION_FILES else ())
        self._given.move_to_end(session_id)
        if len(self._given) > MAX_SESSIONS:
            self._given.popitem(last=False)

    def _folders(self, path: Path) -> list[Path]:
        """From the project's own folder, which is not among them, to the one that holds the file."""
        root = self._ground.root
        inner = [folder for folder in path.parents if folder != root and folder.is_relative_to(root)]
        return inner[::-1]

    def _tell(self, left_out: list[str]) -> None:
        for text in left_out:
            if text not in self._told and len(self._told) < MAX_SESSIONS:
                self._told.add(text)
                log.warning("%s", text)
