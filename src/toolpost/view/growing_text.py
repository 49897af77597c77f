"""A text that grows piece by piece. Adding a piece, and reading what is new, cost no more than that piece."""


class GrowingText:
    """`str()` joins what has come so far, once for each time that it grew; `after` reads only the end."""

    __slots__ = ("_pieces", "size")

    def __init__(self, text: str = "") -> None:
        self._pieces = [text] if text else []
        self.size = len(text)

    def add(self, piece: str) -> None:
        self._pieces.append(piece)
        self.size += len(piece)

    def after(self, start: int) -> str:
        """What came after the first `start` characters."""
        wanted, found = self.size - start, list[str]()
        for piece in reversed(self._pieces):
            if wanted <= 0:
                break
            found.append(piece[-wanted:])
            wanted -= len(piece)
        return "".join(reversed(found))

    def __str__(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def __len__(self) -> int:
        return self.size

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, GrowingText) and self.size == other.size and str(self) == str(other)

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return f"GrowingText({str(self)!r})"
