"""Collect an output of any size in little memory: its head and its tail, all of it in a file."""

from pathlib import Path

from msgspec import Struct

from toolpost.types.messages import Content, TextPart
from toolpost.types.text import clean, counted

from .file_kind import describe_bytes, kind_of
from .output_file import OutputFile

MAX_LINES = 2_000
MAX_BYTES = 50_000
# Half and half: a command says at its end how it went, a file says at its beginning what it is, and which of the
# two a text is can't be seen from outside.
HEAD_SHARE = 0.5
# Head, tail and the tail's slack together stay under the 1 MB that one output may take.
MAX_KEPT_BYTES = 200_000
NO_OUTPUT = "(no output)"


class Bounded(Struct, frozen=True):
    """The part of an output that goes to the model. `spilled` is the path of the whole text where something was left
    out."""

    content: tuple[Content, ...]
    truncated: bool = False
    spilled: str = ""


class OutputCollector:
    """Takes an output as it comes, of any size, and keeps its head and its tail.

    Memory stays under 1 MB whatever comes. Once the limits are passed everything goes to the spill file, what came
    before included.
    """

    def __init__(
        self, max_lines: int = MAX_LINES, max_bytes: int = MAX_BYTES, folder: Path | None = None, name: str = ""
    ) -> None:
        self._max_lines = max_lines
        self._max_bytes = min(max_bytes, MAX_KEPT_BYTES)
        self._spill = OutputFile(folder, name) if folder is not None else None
        self._head = bytearray()
        self._tail = bytearray()
        self._newlines = 0
        self._any_bytes = False
        self.size = 0

    @property
    def truncated(self) -> bool:
        return self.size > self._max_bytes or self._lines > self._max_lines

    @property
    def _lines(self) -> int:
        last = self._tail or self._head
        return self._newlines + bool(last and not last.endswith(b"\n"))

    def feed(self, chunk: bytes | str) -> None:
        data = clean(chunk).encode() if isinstance(chunk, str) else chunk
        if not data:
            return
        self._any_bytes |= data is chunk
        whole, held = not self.truncated, len(self._head)
        self.size += len(data)
        self._newlines += data.count(b"\n")
        self._head += data[: self._max_bytes - len(self._head)]
        self._tail += data[-self._max_bytes :]
        if len(self._tail) > 2 * self._max_bytes:
            del self._tail[: -self._max_bytes]
        if self._spill is not None and self.truncated:
            if whole:
                # Until now the head held everything, so that is what the file begins with.
                self._spill.write(bytes(self._head[:held]))
            self._spill.write(data)

    def finish(self) -> Bounded:
        """Return what goes to the model, and finish the collector."""
        head = bytes(self._head) if not self.truncated else _decodable_head(bytes(self._head))
        if self._any_bytes and is_binary_output(head):
            spilled = self._keep()
            kept = f"; kept in {spilled}" if spilled else ""
            return Bounded((TextPart(f"(binary output: {describe_bytes(head, self.size)}{kept})"),), True, spilled)
        text = head.decode(errors="replace").encode()
        # Bytes that are not valid UTF-8 grow when they are replaced, so what fitted may fit no more.
        if not self.truncated and len(text) <= self._max_bytes:
            return Bounded((TextPart(text.decode() or NO_OUTPUT),))
        spilled = self._keep()
        tail = _decodable_tail(bytes(self._tail[-self._max_bytes :])).decode(errors="replace").encode()
        return Bounded((TextPart(self._cut(text, tail, spilled)),), True, spilled)

    def _cut(self, head: bytes, tail: bytes, spilled: str) -> str:
        longest = self._marker(self.size, self._lines, self._lines, spilled)
        budget = max(0, self._max_bytes - len(longest.encode()) - 2)
        lines = max(0, self._max_lines - 1)
        head_lines = int(lines * HEAD_SHARE)
        kept_head = cut_head(head, int(budget * HEAD_SHARE), head_lines)
        kept_tail = cut_tail(tail, budget - int(budget * HEAD_SHARE), lines - head_lines)
        left_bytes = max(0, self.size - len(kept_head) - len(kept_tail))
        left_lines = max(0, self._lines - count_lines(kept_head) - count_lines(kept_tail))
        marker = self._marker(left_bytes, left_lines, count_lines(kept_head) + 1, spilled)
        gap = b"" if not kept_head or kept_head.endswith(b"\n") else b"\n"
        return (kept_head + gap + marker.encode() + b"\n" + kept_tail).decode(errors="replace")

    def _marker(self, left_bytes: int, left_lines: int, line: int, spilled: str) -> str:
        lines = f"{counted(left_lines, 'line')}, " if left_lines else ""
        said = f"[… {lines}{counted(left_bytes, 'byte')} left out here"
        if not spilled:
            reason = f" ({self._spill.error})" if self._spill and self._spill.error else ""
            return f"{said}{reason}; ask for less at once to see them …]"
        kept = f"the first {self._spill.limit:,} bytes are" if self._spill and self._spill.full else "everything is"
        return f"{said}; {kept} in {spilled}: read it in parts, from line {line:,} on, or search in it …]"

    def _keep(self) -> str:
        """Complete the file and return its path."""
        if self._spill is None:
            return ""
        if not self.truncated:
            self._spill.write(bytes(self._head))
        return self._spill.close()


def is_binary_output(data: bytes) -> bool:
    """A NUL in the first kilobytes, a known magic, or too much that is not valid UTF-8: a model could not read it."""
    sample = data[:8_192] if len(data) <= 8_192 else _decodable_head(data[:8_192])
    if not sample:
        return False
    if b"\0" in sample or kind_of(sample)[1] != "application/octet-stream":
        return True
    return sample.decode(errors="replace").count("\ufffd") * 10 > len(sample)


def count_lines(data: bytes) -> int:
    return data.count(b"\n") + bool(data and not data.endswith(b"\n"))


def cut_head(data: bytes, size: int, lines: int) -> bytes:
    """The first `lines` lines in at most `size` bytes, cut at a line's end where that keeps half or more."""
    end = 0
    for _ in range(lines):
        end = data.find(b"\n", end) + 1
        if not end:
            end = len(data)
            break
    if end <= size:
        return data[:end]
    at_line = data.rfind(b"\n", 0, size) + 1
    return data[:at_line] if at_line * 2 >= size else _decodable_head(data[:size])


def cut_tail(data: bytes, size: int, lines: int) -> bytes:
    """The last `lines` lines in at most `size` bytes, begun at a line's start where that keeps half or more."""
    start = len(data) - data.endswith(b"\n") if lines else len(data)
    for _ in range(lines):
        start = data.rfind(b"\n", 0, start)
        if start < 0:
            break
    kept = data[start + 1 :] if lines else b""
    if len(kept) <= size:
        return kept
    kept = kept[len(kept) - size :]
    at_line = kept.find(b"\n") + 1
    return kept[at_line:] if at_line and (len(kept) - at_line) * 2 >= size else _decodable_tail(kept)


def _decodable_head(data: bytes) -> bytes:
    """`data` without the beginning of a character whose end was cut off."""
    for back in range(1, min(4, len(data)) + 1):
        first = data[-back]
        if first & 0xC0 == 0x80:
            continue
        length = 4 if first >= 0xF0 else 3 if first >= 0xE0 else 2 if first >= 0xC0 else 1
        return data[:-back] if length > back else data
    return data


def _decodable_tail(data: bytes) -> bytes:
    """`data` without the end of a character at its beginning."""
    for skip in range(min(4, len(data))):
        if data[skip] & 0xC0 != 0x80:
            return data[skip:]
    return data
