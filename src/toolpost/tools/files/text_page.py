"""Show a page of a text with numbered lines, and how to go on from there."""

from collections.abc import Iterator

from msgspec import Struct

from toolpost.tools.limits import ToolLimits
from toolpost.types.errors import ToolError
from toolpost.types.plurals import counted

from .text import decode, is_binary, not_text

# What stands under a page: a page and its notes together stay within the limits.
NOTE_LINES = 4
NOTE_BYTES = 500
NUMBER_BYTES = 8


class TextPage(Struct, frozen=True):
    """`first` is the number of the first line, `total` how many there are; `cut` of those shown were too long."""

    lines: tuple[str, ...]
    first: int
    total: int
    cut: int = 0
    note: str = ""

    @property
    def text(self) -> str:
        body = "".join(f"{number:>6}\t{line}\n" for number, line in enumerate(self.lines, self.first))
        return body + "\n".join(f"({note})" for note in self._notes())

    def _notes(self) -> Iterator[str]:
        if self.note:
            yield self.note
        if self.cut:
            yield f"cut because too long: {counted(self.cut, 'line')}; search in the file to see the rest"
        last = self.first + len(self.lines) - 1
        if not self.total:
            yield "the file is empty"
        elif last < self.total:
            yield f"lines {self.first:,} to {last:,} of {self.total:,}; go on with offset={last + 1}"
        else:
            yield f"end of file, {counted(self.total, 'line')}"


def page_of(data: bytes, offset: int, limit: int | None, limits: ToolLimits) -> TextPage:
    """The page from line `offset` on. Of a large file only what is shown is decoded."""
    if is_binary(data):
        raise not_text(data)
    note = ""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        wide = decode(data)
        data, note = wide.text.encode(), wide.note
    total = data.count(b"\n") + bool(data and not data.endswith(b"\n"))
    if offset < 1 or offset > max(1, total):
        raise ToolError(
            f"There is no line {offset:,}: the file has {counted(total, 'line')}. Lines begin at 1.", kind="invalid"
        )
    most = max(1, min(limit or limits.read_lines, limits.read_lines - NOTE_LINES))
    raw = _raw_lines(data, offset, most, limits)
    text = decode(b"\n".join(raw))
    lines = [line.removesuffix("\r") for line in text.text.split("\n")] if raw else []
    shown = _fitting([_cut(line, limits.read_line_chars) for line in lines], limits.read_bytes - NOTE_BYTES)
    cut = sum(len(line) > limits.read_line_chars for line in lines[: len(shown)])
    return TextPage(tuple(shown), offset, total, cut, note or text.note)


def _raw_lines(data: bytes, offset: int, most: int, limits: ToolLimits) -> list[bytes]:
    at = 0
    for _ in range(offset - 1):
        at = data.index(b"\n", at) + 1
    lines: list[bytes] = []
    room = limits.read_bytes
    while len(lines) < most and at < len(data) and room > 0:
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        lines.append(data[at:end])
        room -= min(end - at, limits.read_line_chars)
        at = end + 1
    return lines


def _cut(line: str, most: int) -> str:
    line = line if line.isprintable() else line.translate(_UNSEEN)
    return line if len(line) <= most else f"{line[:most]}… ({counted(len(line) - most, 'more character')})"


def _fitting(lines: list[str], room: int) -> list[str]:
    """As many lines as fit, but one at least, so that there is always a way on."""
    for count, line in enumerate(lines):
        room -= len(line.encode(errors="replace")) + NUMBER_BYTES
        if room < 0:
            return lines[: max(1, count)]
    return lines


# Lone surrogates stand for broken bytes, and no encoder takes them.
_UNSEEN = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
