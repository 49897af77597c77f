"""Instructions that lie beside files: those of a folder are given when a file in it is first read."""

from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from toolpost.guard.paths import Ground
from toolpost.types.errors import PermissionDenied, ToolError

INSTRUCTION_FILES = ("AGENTS.md", "CLAUDE.md")
MAX_BYTES = 8_000  # of one file
MAX_NEWS_BYTES = 16_000
MAX_SESSIONS = 1_000


class News(Struct, frozen=True):
    """Instructions that a session has not got yet."""

    texts: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()

    @property
    def size(self) -> int:
        return sum(len(text.encode()) for text in self.texts)


class Beside:
    """Looks only inside a project, trusted or not: instructions are text for the model and give it no rights. `known`
    are files that every session has been given."""

    def __init__(self, ground: Ground, known: Iterable[Path] = ()) -> None:
        self._ground = ground
        self._known = frozenset(path.resolve() for path in known)
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
            file = next((file for name in INSTRUCTION_FILES if (file := folder / name).is_file()), None)
            if file is None or file == path or file in given or file in self._known:
                continue
            data = self._read(file)[:room]
            if not data.strip():
                continue
            room -= len(data)
            shown = file.relative_to(self._ground.root)
            text = data.decode(errors="replace").strip()
            texts.append(f"Instructions from {shown}, for everything in {shown.parent}/:\n\n{text}")
            files.append(file)
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

    def _read(self, file: Path) -> bytes:
        try:
            place = self._ground.place(str(file))
            if not place.inside or place.secret:
                return b""
            with self._ground.open(place) as opened:
                return opened.read(MAX_BYTES)
        except (ToolError, PermissionDenied, OSError):
            return b""
