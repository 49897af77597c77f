"""The tables of a web page: their cells while they are read, and their lines as Markdown."""


class Table:
    """The rows of a table while it is read; a table inside a table is part of its cell."""

    MOST_COLUMNS = 100

    def __init__(self) -> None:
        self.depth = 0
        self._rows: list[list[list[str]]] = []

    @property
    def in_cell(self) -> bool:
        return self.depth > 0 and bool(self._rows) and bool(self._rows[-1])

    def enter(self, name: str) -> None:
        if name == "table":
            self.depth += 1
        elif self.depth != 1:
            return
        elif name == "tr":
            self._rows.append([])
        elif self._rows and len(self._rows[-1]) < self.MOST_COLUMNS:
            self._rows[-1].append([])

    def add(self, text: str) -> None:
        self._rows[-1][-1].append(text)

    def leave(self) -> list[list[str]]:
        """The rows that have any text, once the outermost table is left."""
        self.depth = max(0, self.depth - 1)
        if self.depth:
            return []
        rows, self._rows = self._rows, []
        cells = [[" ".join(cell) for cell in row] for row in rows]
        return [row for row in cells if any(row)]


def table_line(cells: list[str], width: int) -> str:
    shown = [" ".join(cell.split()).replace("|", "\\|") for cell in cells]
    return "| " + " | ".join(shown + [""] * (width - len(shown))) + " |"
