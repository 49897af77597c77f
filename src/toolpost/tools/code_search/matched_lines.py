"""Collect the matches that ripgrep prints until there are enough, and read the matched lines.

ripgrep is only asked where something stands. The lines are read here, through the ground: so a folder that is swapped
for a link while ripgrep walks gives nothing away, and a line of any length costs no more than what is shown of it.
"""

import codecs
import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

from msgspec import Struct

from toolpost.guard.paths import FileAccess, ResolvedPath
from toolpost.types.errors import ToolError

WHERE = ("--no-heading", "--with-filename", "--null", "--line-number", "--column", "--byte-offset", "--max-columns=1")
MAX_DECODED = 50_000_000
_FOUND = re.compile(rb"(?P<path>.*)\0(?P<line>\d+)(?::(?P<column>\d+):(?P<start>\d+):|-(?P<around>\d+)-)", re.DOTALL)
_BOMS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class MatchedLine(Struct, frozen=True):
    """A line that begins at the byte `start`; `column` is the byte in it at which a match begins, -1 for none."""

    line: int
    start: int
    column: int

    @property
    def matched(self) -> bool:
        return self.column >= 0


class MatchedLines:
    """Takes what ripgrep prints. `wanted` says whether a path counts; what it says no to leaves no trace."""

    def __init__(self, limit: int, wanted: Callable[[str], bool]) -> None:
        self._limit = limit
        self._wanted = wanted
        self._files: dict[str, list[MatchedLine] | None] = {}
        self.matches = 0
        self.binary = False

    @property
    def full(self) -> bool:
        return self.matches > self._limit

    def files(self) -> list[tuple[str, list[MatchedLine]]]:
        """By path: the order in which ripgrep comes to them differs from run to run."""
        return sorted((path, found) for path, found in self._files.items() if found)

    def take(self, piece: bytes) -> bool:
        said = _FOUND.match(piece)
        if said is None or not is_whole(said["path"]):
            self.binary |= b"binary file" in piece
            return True
        path = relative(said["path"])
        if path not in self._files:
            self._files[path] = [] if self._wanted(path) else None
        found = self._files[path]
        if found is not None:
            matched = said["column"] is not None
            # One more than enough is looked for, so that enough is not mistaken for everything.
            self.matches += matched
            if not self.full:
                start, column = (int(said["start"]), int(said["column"]) - 1) if matched else (int(said["around"]), -1)
                found.append(MatchedLine(int(said["line"]), start, column))
        return not self.full


def is_whole(path: bytes) -> bool:
    """False for the rest of a name with a line break in it, which ripgrep prints as two lines."""
    return path.startswith(b"./") or path == b"<stdin>"


def relative(path: bytes) -> str:
    """The path of a file below the searched folder, as ripgrep names it."""
    return os.fsdecode(path).removeprefix("./")


def read_lines(
    project_files: FileAccess, folder: ResolvedPath, path: str, found: Sequence[MatchedLine], width: int
) -> list[str]:
    """`12: text` for a line that matches, `11- text` for one around it, `--` between stretches.

    Nothing where a link is on the way to the file, which ripgrep would not have followed, or where it can't be read.
    """
    real = folder.real / path
    try:
        place = project_files.resolve(str(real))
        if place.real != real:
            return []
        with project_files.open(place) as opened:
            return list(_lines(opened, found, width))
    except (ToolError, OSError):
        return []


def _lines(opened: BinaryIO, found: Sequence[MatchedLine], width: int) -> Iterator[str]:
    file, begin = _as_searched(opened)
    around = any(not line.matched for line in found)
    last = 0
    for line in found:
        if around and last and line.line > last + 1:
            yield "--"
        last = line.line
        yield f"{line.line}{':' if line.matched else '-'} {_text(file, begin, line, width)}"


def _text(file: BinaryIO, begin: int, line: MatchedLine, width: int) -> str:
    """The line, or as much of it as may be shown, with its match."""
    # Where the match is far behind, a quarter of the width stands before it. A character has four bytes at most.
    skipped = max(0, line.column - width // 4) if line.column > width // 2 else 0
    file.seek(begin + line.start + skipped)
    data = file.read(4 * width + 4).partition(b"\n")[0]
    text = data.decode(errors="replace").rstrip("\r")
    if skipped:
        text = f"…{text.lstrip(_HALF)}"
    return text if len(text) <= width else f"{text[:width]}…"


def _as_searched(file: BinaryIO) -> tuple[BinaryIO, int]:
    """The file as ripgrep counts its bytes, in UTF-8, and where it begins to count."""
    first = file.read(3)
    if first == codecs.BOM_UTF8:
        return file, 3
    if encoding := _BOMS.get(first[:2]):
        text = (first[2:] + file.read(MAX_DECODED)).decode(encoding, errors="replace")
        return io.BytesIO(text.encode()), 0
    return file, 0


_HALF = "\N{REPLACEMENT CHARACTER}"
