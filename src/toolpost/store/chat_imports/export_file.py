"""A file of JSON documents: one a line as `mongoexport` writes them, an array, or laid out over several lines."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from toolpost.arguments.decode_errors import explain_decode_error

from .chat import UnreadEntry

# An array is read whole; lines are read one by one, so that a file of them may have any size.
MAX_WHOLE_BYTES = 2_000_000_000
MAX_LINE_BYTES = 256_000_000

Progress = Callable[[int], None]

_NO_BLANK = re.compile(r"\S")


class Entry(Struct, frozen=True):
    """One document. `key` finds it again: where it stands in the file, or its number in the array."""

    place: str
    key: int
    data: bytes | msgspec.Raw


class ExportFile:
    """The documents of a file, to be read in order and, once they were, again by their keys."""

    def __init__(self, name: str, source: BinaryIO) -> None:
        self.name = name
        self._source = source
        self._whole: list[msgspec.Raw] | None = None

    def entries(self, progress: Progress) -> Iterator[Entry | UnreadEntry]:
        """`progress` is told how many bytes of this file were read."""
        self._source.seek(0)
        first = self._first_line()
        self._source.seek(0)
        # What is cut off in its first line is a bad line, and no document over several ones.
        if first.startswith(b"{") and (first.endswith(b"}") or len(first) > 1_000):
            yield from self._lines(progress)
        elif first.startswith((b"[", b"{")):
            yield from self._documents(progress)
        elif first:
            yield UnreadEntry(f"{self.name}:1", "it is not JSON")

    def fetch(self, key: int) -> bytes | msgspec.Raw:
        if self._whole is not None:
            return self._whole[key]
        self._source.seek(key)
        return self._source.readline(MAX_LINE_BYTES)

    def _first_line(self) -> bytes:
        while line := self._source.readline(MAX_LINE_BYTES):
            if text := line.removeprefix(b"\xef\xbb\xbf").strip():
                return text
        return b""

    def _lines(self, progress: Progress) -> Iterator[Entry | UnreadEntry]:
        number = place = 0
        while True:
            # Others read elsewhere in the file between two lines.
            self._source.seek(place)
            line = self._source.readline(MAX_LINE_BYTES)
            if not line:
                return
            number, key, place = number + 1, place, place + len(line)
            text = line.removeprefix(b"\xef\xbb\xbf").strip()
            progress(place)
            if text:
                yield Entry(f"{self.name}:{number}", key, text)

    def _documents(self, progress: Progress) -> Iterator[Entry | UnreadEntry]:
        data = self._source.read(MAX_WHOLE_BYTES + 1)
        if len(data) > MAX_WHOLE_BYTES:
            text = f"it is larger than {MAX_WHOLE_BYTES // 10**9} GB: export it with one document a line"
            yield UnreadEntry(self.name, text)
            return
        data = data.removeprefix(b"\xef\xbb\xbf")
        try:
            self._whole = _split(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            yield UnreadEntry(self.name, f"it is not JSON: {explain_decode_error(error)}")
            return
        except json.JSONDecodeError as error:
            yield UnreadEntry(f"{self.name}:{error.lineno}", f"it is not JSON: {error.msg}")
            return
        for number, one in enumerate(self._whole):
            progress(len(data) * (number + 1) // len(self._whole))
            yield Entry(f"{self.name}, entry {number + 1}", number, one)


def decoded(data: bytes | msgspec.Raw) -> Any:
    """The document of an entry. Raises `ValueError` with what is wrong."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"it is not JSON: {explain_decode_error(error)}") from error


def _split(data: bytes) -> list[msgspec.Raw]:
    """An array's entries; else each document, one after another."""
    if data.lstrip().startswith(b"["):
        return msgspec.json.decode(data, type=list[msgspec.Raw])
    text, place, found = data.decode(), 0, list[msgspec.Raw]()
    decoder = json.JSONDecoder()
    while (start := _NO_BLANK.search(text, place)) is not None:
        _, place = decoder.raw_decode(text, start.start())
        found.append(msgspec.Raw(text[start.start() : place].encode()))
    return found
