"""Convert positions to the language server protocol and back: it counts lines from 0 and columns in UTF-16, people
count both from 1."""

import re
from collections import OrderedDict
from pathlib import Path
from urllib.parse import unquote, urlsplit

from toolpost.guard.paths import FileAccess, ResolvedPath
from toolpost.tools.define import ToolContext
from toolpost.types.errors import ToolError

from .types import Position

MAX_BYTES = 5_000_000
MAX_TEXTS = 100
MAX_LINE_CHARS = 200
# Words that no question is about, at which a rough column often points.
KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """
        abstract async await class const def default enum export extends extern final fn for from func function if
        impl import in inline interface let mod mut namespace new private protected pub public return static struct
        super trait type typedef union unsafe using var virtual void while with yield
        """,
    )
)


class ProjectTexts:
    """The lines of the project's files that answers point to. What is outside, secret, or held back by the rules is not
    read for that."""

    def __init__(self, project_files: FileAccess, ctx: ToolContext) -> None:
        self._project_files = project_files
        self._ctx = ctx
        self._lines: OrderedDict[str, list[str]] = OrderedDict()

    def shown(self, uri: str) -> str:
        return self._project_files.resolve(path_of(uri)).shown

    def line(self, uri: str, line: int) -> str:
        """The text of a line, or nothing where it may not be read."""
        lines = self._read(uri)
        return lines[line] if 0 <= line < len(lines) else ""

    def spot(self, uri: str, at: Position, text: str = "") -> str:
        """`path:line:col text`, by default with the text of that line."""
        own = self.line(uri, at.line)
        column = from_wire(own, at.character) if own else at.character
        said = (text or own).strip()
        return f"{self.shown(uri)}:{at.line + 1}:{column + 1} {said[:MAX_LINE_CHARS]}".rstrip()

    def _read(self, uri: str) -> list[str]:
        if uri not in self._lines:
            place = self._project_files.resolve(path_of(uri))
            try:
                readable = place.inside and not place.secret and not self._ctx.holds_back("read", place.target)
                self._lines[uri] = text_of(self._project_files.read(place, MAX_BYTES)) if readable else []
            except ToolError:
                self._lines[uri] = []
            if len(self._lines) > MAX_TEXTS:
                self._lines.popitem(last=False)
        return self._lines[uri]


def text_of(data: bytes) -> list[str]:
    """The lines of a file, by the ends that the protocol knows."""
    return re.split(r"\r\n|\r|\n", data.decode(errors="replace"))


def uri_of(place: ResolvedPath) -> str:
    return place.real.as_uri()


def path_of(uri: str) -> str:
    parts = urlsplit(uri)
    return unquote(parts.path) if parts.scheme == "file" else str(Path("/", parts.scheme, parts.path.lstrip("/")))


def to_wire(text: str, column: int) -> int:
    """A column in characters as one in UTF-16."""
    return len(text[:column].encode("utf-16-le", errors="replace")) // 2


def from_wire(text: str, column: int) -> int:
    """A column in UTF-16 as one in characters."""
    return len(text.encode("utf-16-le", errors="replace")[: 2 * column].decode("utf-16-le", errors="ignore"))


def column_of(text: str, column: int, name: str) -> int:
    """The column to ask about in a line: a name that is in it, else the given column, or the next name from there."""
    if name:
        found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        if found is None:
            raise ToolError(f"{name} is not in that line, which is: {text.strip()[:MAX_LINE_CHARS]}")
        return found.start()
    names = [word for word in re.finditer(r"[^\W\d]\w*", text) if word.group() not in KEYWORDS]
    here = next((word for word in names if word.end() >= column), names[-1] if names else None)
    return column if here is None or here.start() <= column <= here.end() else here.start()
