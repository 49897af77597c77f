"""Keep the live output of a call: its first and its last lines, whatever its size."""

from collections import deque
from typing import NamedTuple

HEAD_LINES, HEAD_CHARS = 100, 32_000
TAIL_LINES, TAIL_CHARS = 300, 96_000
# What is left once the call has ended and has a result to show.
ENDED_LINES = 50
MAX_LINE_CHARS = 4_000


class OutputLines(NamedTuple):
    """`left_out` lines are no longer kept; those in `lines` come behind them."""

    left_out: int
    lines: list[str]


class LiveOutput:
    """Lines as they came, escape sequences and all. Of a line that was written over (a progress bar) the last state
    counts. Cost is linear in what is added."""

    def __init__(self) -> None:
        self.count = 0
        self.size = 0
        self._head: list[str] = []
        self._tail: deque[str] = deque()
        self._head_chars = 0
        self._tail_chars = 0
        self._is_head_full = False
        self._line = ""
        self._is_cut = False
        self._is_returned = False
        self._has_ended = False

    def add(self, text: str) -> None:
        self.size += len(text)
        *lines, rest = text.split("\n")
        for line in lines:
            self._grow(line)
            self._end_line()
        self._grow(rest)

    def end(self) -> None:
        """The call has ended: a line that never ended is one, and less is kept."""
        if self._has_ended:
            return
        self._has_ended = True
        if self._line:
            self._end_line()
        lines = [*self._head[ENDED_LINES:], *self._tail]
        self._head = self._head[:ENDED_LINES]
        self._tail = deque(lines[-ENDED_LINES:] if self._is_whole else list(self._tail)[-ENDED_LINES:])
        self._is_head_full = True

    @property
    def unfinished(self) -> str:
        """The line that is being written."""
        return self._shown_line()

    @property
    def lines(self) -> OutputLines:
        """All that is kept. `left_out` lines are missing behind `head_count` of the first."""
        return OutputLines(self.count - len(self._head) - len(self._tail), [*self._head, *self._tail])

    @property
    def head_count(self) -> int:
        return len(self._head)

    def after(self, number: int) -> OutputLines:
        """The whole lines behind the first `number`, and how many of them are no longer kept."""
        if number >= self.count:
            return OutputLines(0, [])
        first = self._head[number:]
        start = self.count - len(self._tail)
        left_out = max(0, start - max(number, len(self._head)))
        return OutputLines(left_out, [*first, *list(self._tail)[max(0, number - start) :]])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LiveOutput):
            return NotImplemented
        return (self.count, self.lines, self.unfinished) == (other.count, other.lines, other.unfinished)

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    @property
    def _is_whole(self) -> bool:
        return self.count == len(self._head) + len(self._tail)

    def _grow(self, piece: str) -> None:
        if not piece:
            return
        written = piece.rstrip("\r")
        if written:
            if self._is_returned or "\r" in written:
                written = written.rpartition("\r")[2]
                self._line, self._is_cut = "", False
            room = MAX_LINE_CHARS - len(self._line)
            self._is_cut = self._is_cut or len(written) > room
            self._line += written[:room]
            self._is_returned = False
        self._is_returned = self._is_returned or piece.endswith("\r")

    def _end_line(self) -> None:
        line = self._shown_line()
        self._line, self._is_cut, self._is_returned = "", False, False
        self.count += 1
        if not self._is_head_full:
            self._head.append(line)
            self._head_chars += len(line)
            self._is_head_full = len(self._head) >= HEAD_LINES or self._head_chars >= HEAD_CHARS
            return
        self._tail.append(line)
        self._tail_chars += len(line)
        while len(self._tail) > TAIL_LINES or self._tail_chars > TAIL_CHARS:
            self._tail_chars -= len(self._tail.popleft())

    def _shown_line(self) -> str:
        return f"{self._line}…" if self._is_cut else self._line
