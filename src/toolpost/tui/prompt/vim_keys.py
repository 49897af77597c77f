"""Vim keys in the prompt: normal and insert mode, counts, operators, motions, and a register."""

import re
from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from textual import events

from .text_area import PromptArea

Mode = Literal["insert", "normal"]
_WORD = re.compile(r"\w+|[^\w\s]+")
MAX_COUNT = 10_000


class _Reach(Struct, frozen=True):
    """Where a motion leads, as an offset in the text. An operator takes what is at `to` too if it is inclusive, and
    whole lines if it is linewise."""

    to: int
    is_inclusive: bool = False
    is_linewise: bool = False


class VimKeys:
    """Takes the keys of normal mode. `tell` is called as the mode changes."""

    def __init__(self, area: PromptArea, tell: Callable[[], None], search: Callable[[], None]) -> None:
        self.mode: Mode = "insert"
        self._area = area
        self._tell = tell
        self._search = search
        self._register = ""
        self._found: tuple[str, str] | None = None
        self._reset()

    @property
    def pending(self) -> str:
        """What was typed of a command so far."""
        return f"{self._count or ''}{self._operator}{self._operator_count or ''}{self._prefix}"

    def take(self, event: events.Key) -> bool:
        """True if the key was vim's."""
        if self.mode == "insert":
            if event.key != "escape":
                return False
            self._to_normal()
            return True
        if event.key == "escape":
            had_pending = bool(self.pending)
            self._reset()
            self._tell()
            # Without a command half typed it is the app's.
            return had_pending
        if event.key == "ctrl+r":
            self._times(self._area.redo)
            return True
        key = {"backspace": "h", "space": " "}.get(event.key) or (event.character if event.is_printable else None)
        if key is None:
            return False
        self._type(key)
        self._tell()
        return True

    def insert(self) -> None:
        """As if `i` were pressed, for a prompt that begins anew."""
        self._reset()
        if self.mode != "insert":
            self.mode = "insert"
            self._tell()

    def _reset(self) -> None:
        self._count = self._operator_count = 0
        self._operator = ""
        self._prefix = ""

    def _type(self, key: str) -> None:
        if self._prefix in ("f", "F", "t", "T", "r"):
            self._finish_prefix(key)
        elif key.isascii() and key.isdigit() and (key != "0" or self._digits):
            self._add_digit(int(key))
        elif self._prefix == "g":
            self._prefix = ""
            self._reach(
                _Reach(self._line_start(self._row(self._count_or(1) - 1)), is_linewise=True) if key == "g" else None
            )
        elif key in "fFtTg" or (key == "r" and not self._operator):
            self._prefix = key
        elif self._operator:
            self._operate_or_reset(key)
        elif key in "dcy":
            self._operator = key
        else:
            self._command(key)

    @property
    def _digits(self) -> int:
        return self._operator_count if self._operator else self._count

    def _add_digit(self, digit: int) -> None:
        value = min(self._digits * 10 + digit, MAX_COUNT)
        if self._operator:
            self._operator_count = value
        else:
            self._count = value

    def _count_or(self, default: int) -> int:
        if not self._count and not self._operator_count:
            return default
        return min((self._count or 1) * (self._operator_count or 1), MAX_COUNT)

    # Commands without an operator.

    def _command(self, key: str) -> None:
        action = {
            "i": lambda: self._insert_at(self._at),
            "a": lambda: self._insert_at(min(self._at + 1, self._line_end())),
            "I": lambda: self._insert_at(self._first_letter()),
            "A": lambda: self._insert_at(self._line_end()),
            "o": self._open_below,
            "O": self._open_above,
            "x": lambda: self._cut(self._at, min(self._at + self._count_or(1), self._line_end())),
            "X": lambda: self._cut(max(self._at - self._count_or(1), self._line_start()), self._at),
            "D": lambda: self._cut(self._at, self._line_end()),
            "C": lambda: self._change(self._at, self._line_end()),
            "s": lambda: self._change(self._at, min(self._at + self._count_or(1), self._line_end())),
            "S": lambda: self._lines("c"),
            "p": lambda: self._put_register(after=True),
            "P": lambda: self._put_register(after=False),
            "u": lambda: self._times(self._area.undo),
            "J": self._join,
            "/": self._search,
        }.get(key)
        if action is not None:
            action()
            self._reset()
        elif key in "jk":
            self._up_or_down(key)
        else:
            self._reach(self._motion(key))

    def _up_or_down(self, key: str) -> None:
        """Along the rows on the screen, and at their end through the history."""
        step = self._area.action_cursor_down if key == "j" else self._area.action_cursor_up
        for _ in range(self._count_or(1)):
            step()
        self._reset()
        self._clamp()

    def _finish_prefix(self, letter: str) -> None:
        prefix, self._prefix = self._prefix, ""
        if prefix == "r":
            end = self._at + self._count_or(1)
            if end <= self._line_end():
                self._replace(self._at, end, letter * (end - self._at))
                self._go(end - 1)
            self._reset()
            return
        self._found = prefix, letter
        self._reach(self._find(prefix, letter))

    # Motions.

    def _motion(self, key: str) -> _Reach | None:
        at, count = self._at, self._count_or(1)
        match key:
            case "h":
                return _Reach(max(at - count, self._line_start()))
            case "l" | " ":
                return _Reach(min(at + count, self._line_end()))
            case "0":
                return _Reach(self._line_start())
            case "^":
                return _Reach(self._first_letter())
            case "$":
                return _Reach(self._line_end(self._row(self._area.cursor_location[0] + count - 1)))
            case "w":
                return _Reach(self._word_start(count))
            case "b":
                starts = [found.start() for found in _WORD.finditer(self._text, 0, at) if found.start() < at]
                return _Reach(starts[-count] if len(starts) >= count else 0)
            case "e":
                ends = [found.end() - 1 for found in _WORD.finditer(self._text) if found.end() - 1 > at]
                return _Reach(ends[min(count, len(ends)) - 1], is_inclusive=True) if ends else None
            case "G":
                row = self._row(self._count_or(self._area.document.line_count) - 1)
                return _Reach(self._line_start(row), is_linewise=True)
            case "j" | "k":
                return self._line_reach(count if key == "j" else -count)
            case ";" | ",":
                return self._find_again(key)
            case _:
                return None

    def _word_start(self, count: int) -> int:
        starts = [found.start() for found in _WORD.finditer(self._text) if found.start() > self._at]
        return starts[count - 1] if len(starts) >= count else len(self._text)

    def _line_reach(self, by: int) -> _Reach | None:
        row = self._area.cursor_location[0] + by
        return _Reach(self._line_start(row), is_linewise=True) if 0 <= row < self._area.document.line_count else None

    def _find(self, prefix: str, letter: str) -> _Reach | None:
        start, end = self._line_start(), self._line_end()
        at, text = self._at, self._text
        for _ in range(self._count_or(1)):
            at = text.find(letter, at + 1, end) if prefix in "ft" else text.rfind(letter, start, at)
            if at < 0:
                return None
        return _Reach(at - (prefix == "t") + (prefix == "T"), is_inclusive=prefix in "ft")

    def _find_again(self, key: str) -> _Reach | None:
        if self._found is None:
            return None
        prefix, letter = self._found
        if key == ",":
            prefix = prefix.swapcase()
        reach = self._find(prefix, letter)
        if reach is not None and reach.to == self._at and prefix in "tT":
            # Before the letter already: the one behind is meant.
            self._count = self._count_or(1) + 1
            reach = self._find(prefix, letter)
        return reach

    # Operators.

    def _operate_or_reset(self, key: str) -> None:
        if key == self._operator:
            self._lines(key)
            self._reset()
            return
        if self._operator == "c" and key == "w" and not self._text[self._at : self._at + 1].isspace():
            # As in vim: the space behind the word stays.
            key = "e"
            ends = [found.end() for found in _WORD.finditer(self._text) if found.end() > self._at]
            self._reach(_Reach(ends[min(self._count_or(1), len(ends)) - 1]) if ends else None)
            return
        self._reach(self._motion(key))

    def _reach(self, reach: _Reach | None) -> None:
        """Go there, or do what the operator says with all up to there."""
        operator = self._operator
        if reach is None:
            self._reset()
        elif not operator:
            self._reset()
            self._go(reach.to)
        elif reach.is_linewise:
            rows = sorted((self._area.cursor_location[0], self._location(reach.to)[0]))
            self._over_rows(operator, rows[0], rows[1])
            self._reset()
        else:
            start, end = sorted((self._at, reach.to))
            end += reach.is_inclusive and reach.to >= self._at
            if operator == "d" and self._text[start:end].count("\n") == 1 and reach.to > self._at:
                # `dw` on the last word of a line leaves the line break.
                end = min(end, self._line_end())
            self._over(operator, start, end)
            self._reset()

    def _over(self, operator: str, start: int, end: int) -> None:
        if operator == "y":
            self._register = self._text[start:end]
            self._go(start)
        elif operator == "d":
            self._cut(start, end)
        else:
            self._change(start, end)

    def _lines(self, operator: str) -> None:
        row = self._area.cursor_location[0]
        self._over_rows(operator, row, self._row(row + self._count_or(1) - 1))

    def _over_rows(self, operator: str, first: int, last: int) -> None:
        start, end = self._line_start(first), self._line_end(last)
        self._register = self._text[start:end] + "\n"
        if operator == "c":
            self._replace(start, end, "")
            self._insert_at(start)
        elif operator == "d":
            is_last = last == self._area.document.line_count - 1
            self._replace(max(start - is_last, 0), end if is_last else end + 1, "")
            self._go(self._first_letter(self._row(first)))
        else:
            self._go(start)

    def _cut(self, start: int, end: int) -> None:
        if end > start:
            self._register = self._text[start:end]
            self._replace(start, end, "")
        self._go(start)

    def _change(self, start: int, end: int) -> None:
        self._register = self._text[start:end]
        self._replace(start, end, "")
        self._insert_at(start)

    def _put_register(self, *, after: bool) -> None:
        text = self._register * self._count_or(1)
        if not text:
            return
        if text.endswith("\n"):
            row = self._area.cursor_location[0]
            end = self._line_end(row)
            place = end if after else self._line_start(row)
            self._replace(place, place, f"\n{text[:-1]}" if after else text)
            self._go(place + after)
            return
        place = min(self._at + after, self._line_end())
        self._replace(place, place, text)
        self._go(place + len(text) - 1)

    def _join(self) -> None:
        end = self._line_end()
        if end < len(self._text):
            behind = len(self._text[end + 1 :]) - len(self._text[end + 1 :].lstrip(" \t"))
            self._replace(end, end + 1 + behind, " ")
            self._go(end)

    # Modes.

    def _to_normal(self) -> None:
        self.mode = "normal"
        self._reset()
        self._area.history.checkpoint()
        row, column = self._area.cursor_location
        self._area.move_cursor((row, max(column - 1, 0)))
        self._tell()

    def _insert_at(self, offset: int) -> None:
        self._area.move_cursor(self._location(offset))
        self._area.history.checkpoint()
        self.mode = "insert"

    def _open_below(self) -> None:
        end = self._line_end()
        self._replace(end, end, "\n")
        self._insert_at(end + 1)

    def _open_above(self) -> None:
        start = self._line_start()
        self._replace(start, start, "\n")
        self._insert_at(start)

    def _times(self, action: Callable[[], None]) -> None:
        for _ in range(min(self._count_or(1), 100)):
            action()
        self._reset()
        self._clamp()

    # The text.

    @property
    def _text(self) -> str:
        return self._area.text

    @property
    def _at(self) -> int:
        row, column = self._area.cursor_location
        return self._line_start(row) + column

    def _row(self, row: int) -> int:
        return max(0, min(row, self._area.document.line_count - 1))

    def _line_start(self, row: int | None = None) -> int:
        lines = self._area.document.lines
        row = self._area.cursor_location[0] if row is None else row
        return sum(len(line) + 1 for line in lines[:row])

    def _line_end(self, row: int | None = None) -> int:
        row = self._area.cursor_location[0] if row is None else row
        return self._line_start(row) + len(self._area.document.get_line(row))

    def _first_letter(self, row: int | None = None) -> int:
        row = self._area.cursor_location[0] if row is None else row
        line = self._area.document.get_line(row)
        return self._line_start(row) + len(line) - len(line.lstrip())

    def _location(self, offset: int) -> tuple[int, int]:
        before = self._text[:offset]
        return before.count("\n"), offset - (before.rfind("\n") + 1)

    def _replace(self, start: int, end: int, text: str) -> None:
        if start != end or text:
            self._area.replace(text, self._location(start), self._location(end), maintain_selection_offset=False)

    def _go(self, offset: int) -> None:
        self._area.move_cursor(self._location(max(0, min(offset, len(self._text)))))
        self._clamp()

    def _clamp(self) -> None:
        """In normal mode the cursor is on a letter, not behind the last one."""
        row, column = self._area.cursor_location
        last = max(len(self._area.document.get_line(row)) - 1, 0)
        if self.mode == "normal" and column > last:
            self._area.move_cursor((row, last))
