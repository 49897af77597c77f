"""Draw tables that fit: columns share the width, and cells are wrapped."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from rich.cells import cell_len
from rich.segment import Segment

from .contract import Look
from .lines import Line, Piece, cells, line_of, wrap

LEAST_COLUMN = 4


class Cell(Struct, frozen=True):
    """What stands in a cell, and how many cells of the terminal it takes."""

    pieces: tuple[Piece, ...]
    width: int


def cell_of(pieces: Sequence[Piece]) -> Cell:
    text = "".join(text for text, _ in pieces)
    return Cell(tuple(pieces), max(map(cell_len, text.split("\n"))))


def column_widths(rows: Sequence[Sequence[Cell]], width: int) -> tuple[int, ...]:
    """The width of each column: what it needs, or the same for all that need more than there is."""
    needed = [max(1, *(row[place].width for row in rows)) for place in range(len(rows[0]))]
    room = width - 3 * (len(needed) - 1)
    widths = dict[int, int]()
    for count, (place, need) in enumerate(sorted(enumerate(needed), key=lambda column: column[1])):
        share = max(1, room // (len(needed) - count))
        widths[place] = min(need, share)
        room -= widths[place]
    return tuple(widths[place] for place in range(len(needed)))


def table_head(row: Sequence[Cell], widths: Sequence[int], aligns: Sequence[str], look: Look) -> Iterator[Line]:
    """The names of the columns, and the line below them."""
    yield from table_row(row, widths, aligns, look)
    if _is_too_narrow(widths):
        return
    line, cross = ("─", "─┼─") if look.has_unicode else ("-", "-+-")
    yield line_of((cross.join(line * width for width in widths), look.palette.style("border")))


def table_row(row: Sequence[Cell], widths: Sequence[int], aligns: Sequence[str], look: Look) -> Iterator[Line]:
    if _is_too_narrow(widths):
        # No room for columns: its cells stand one below the other.
        for cell in row:
            yield from wrap(cell.pieces, max(1, sum(widths) + 3 * (len(widths) - 1)))
        return
    border = look.palette.style("border")
    bar = (" │ " if look.has_unicode else " | ", border)
    columns = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
    for number in range(max(map(len, columns))):
        line: list[Line] = []
        for place, column in enumerate(columns):
            given = column[number] if number < len(column) else ()
            is_last = place == len(columns) - 1
            line.append(_aligned(given, widths[place], aligns[place], is_last))
            if not is_last:
                line.append(line_of(bar))
        yield tuple(segment for part in line for segment in part)


def _is_too_narrow(widths: Sequence[int]) -> bool:
    return len(widths) > 1 and max(widths) < LEAST_COLUMN and len(widths) * LEAST_COLUMN > sum(widths) + 20


def _wrapped(cell: Cell, width: int) -> list[Line]:
    if cell.width <= width and not any("\n" in text for text, _ in cell.pieces):
        return [line_of(*cell.pieces)]
    return wrap(cell.pieces, width)


def _aligned(line: Line, width: int, align: str, is_last: bool) -> Line:
    missing = width - cells(line)
    left = missing if align == "right" else missing // 2 if align == "center" else 0
    right = 0 if is_last else missing - left
    return (*_blanks(left), *line, *_blanks(right))


def _blanks(count: int) -> Line:
    return (Segment(" " * count),) if count > 0 else ()
