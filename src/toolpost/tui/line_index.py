"""Heights of the items of a transcript, and which line is in which item: a Fenwick tree (binary indexed tree)."""


class LineIndex:
    """Add at the end in constant time (amortised), change a height or find a line in logarithmic time. What is cut off
    and added again in the middle costs as much as what comes after it: in a transcript nearly all happens at the end.
    """

    def __init__(self) -> None:
        self._heights: list[int] = []
        # Node n, counted from 1, holds the sum of the `n & -n` heights that end with its own.
        self._sums = [0]
        self._top_bit = 1

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def total(self) -> int:
        return self.start(len(self._heights))

    def add(self, height: int) -> None:
        self._heights.append(height)
        node = len(self._heights)
        total, below, bottom = height, node - 1, node - (node & -node)
        while below > bottom:
            total += self._sums[below]
            below -= below & -below
        self._sums.append(total)
        if node >= self._top_bit * 2:
            self._top_bit *= 2

    def cut(self, place: int) -> None:
        """Take out all from this place on."""
        del self._heights[place:]
        del self._sums[place + 1 :]
        while self._top_bit > max(1, len(self._heights)):
            self._top_bit //= 2

    def set(self, place: int, height: int) -> None:
        by = height - self._heights[place]
        if not by:
            return
        self._heights[place] = height
        node = place + 1
        while node < len(self._sums):
            self._sums[node] += by
            node += node & -node

    def start(self, place: int) -> int:
        """The first line of the item at a place; of the place after the last, how many lines there are."""
        total = 0
        while place:
            total += self._sums[place]
            place -= place & -place
        return total

    def find(self, line: int) -> tuple[int, int]:
        """The place of the item that has this line, and which line of it that is; beyond the end, what is beyond."""
        node, bit = 0, self._top_bit
        while bit:
            above = node + bit
            if above < len(self._sums) and self._sums[above] <= line:
                node = above
                line -= self._sums[above]
            bit //= 2
        return node, line
