"""What of the lines of a drawing is text, for copying and searching: without padding, borders and the ends of lines
that were only wrapped."""

from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct
from rich.cells import cell_len, split_graphemes
from textual.strip import Strip

from toolpost.tui.drawing.contract import Drawing


class CopiedLine(Struct, frozen=True):
    """The cells of a line that are text: from `start` to `end`, or to what is written last. `joint` is what stood
    between the line before and this one: "\\n", or where that was too long for the width "" or " "."""

    start: int = 0
    end: int | None = None
    joint: str = "\n"


WHOLE_LINE = CopiedLine()


class TellsCopies(Protocol):
    """A drawing that says what of its lines is text. Of others all is, without blanks at the end."""

    def copied(self, line: int) -> CopiedLine: ...


def copied_line(drawing: Drawing, line: int) -> CopiedLine:
    # `isinstance` with a protocol takes longer than all else that is done for a line.
    tell: Callable[[int], CopiedLine] | None = getattr(drawing, "copied", None)
    return tell(line) if tell is not None else WHOLE_LINE


def text_in_cells(strip: Strip, start: int, end: int | None = None) -> str:
    """The text from one cell to another; a character that is cut in half is taken whole."""
    text = strip.text
    if start <= 0 and end is None:
        return text
    if text.isascii():
        return text[max(0, start) : end]
    at, taken = 0, list[str]()
    for first, last, width in split_graphemes(text)[0]:
        if end is not None and at >= end:
            break
        if at + width > start:
            taken.append(text[first:last])
        at += width
    return "".join(taken)


def text_of_line(drawing: Drawing, line: int, start: int = 0, end: int | None = None) -> str:
    """The text of a line, between two cells of it. Blanks at its end are padding where nothing says otherwise."""
    rule = copied_line(drawing, line)
    last = rule.end if end is None else end if rule.end is None else min(end, rule.end)
    text = text_in_cells(drawing.lines[line], max(start, rule.start), last)
    return text.rstrip() if rule.end is None else text


def logical_line(drawing: Drawing, line: int) -> tuple[int, int]:
    """The first line, and the one after the last, of a line that was wrapped."""
    first, count = line, len(drawing.lines)
    while first > 0 and copied_line(drawing, first).joint != "\n":
        first -= 1
    last = line + 1
    while last < count and copied_line(drawing, last).joint != "\n":
        last += 1
    return first, last


def joined_lines(drawing: Drawing, lines: Sequence[int]) -> str:
    """The text of lines that follow each other, as it was before it was wrapped."""
    parts: list[str] = []
    for line in lines:
        if parts:
            parts.append(copied_line(drawing, line).joint)
        parts.append(text_of_line(drawing, line))
    return "".join(parts)


def cell_of(text: str, index: int) -> int:
    """The cell in which a character of a text begins."""
    return index if text.isascii() else cell_len(text[:index])
