"""Complete `/commands` and `@files` in the prompt: what is asked for at the cursor, and the list of answers."""

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, Protocol

from msgspec import Struct
from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Offset, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from toolpost.fuzzy import FuzzyList
from toolpost.view.escape_codes import exact_line

MAX_ROWS = 8
MAX_FOUND = 50
# A file is looked for once no letter came for so long.
DEBOUNCE_SECONDS = 0.05
_COMMAND = re.compile(r"/(\S*)\Z")
_MENTION = re.compile(r"(?:^|(?<=[\s(\[{,;:，。；：（]))@(\"[^\"]*|\S*)\Z")


class CompletionSources(Protocol):
    """Where completions come from. A control is one."""

    def commands(self) -> Mapping[str, str]:
        """Commands by name, with what they do."""
        ...

    async def find_files(self, query: str, limit: int = 20) -> Sequence[str]:
        """Files, folders (these end in `/`) and resources that have the letters of the query, the best first."""
        ...


class CompletionRow(Struct, frozen=True):
    """A line of the list. `positions` are those letters of `shown` that were asked for."""

    value: str
    shown: str
    help: str = ""
    positions: tuple[int, ...] = ()


class Wanted(Struct, frozen=True):
    """What is completed: `query` begins at `start`, behind the `/` or the `@`."""

    kind: Literal["command", "file"]
    start: int
    query: str


def wanted_at(before_cursor: str, is_first_line: bool) -> Wanted | None:
    """What the text before the cursor asks for."""
    if is_first_line and (found := _COMMAND.match(before_cursor)):
        return Wanted("command", 1, found[1])
    if found := _MENTION.search(before_cursor):
        return Wanted("file", found.start(1), found[1].removeprefix('"'))
    return None


def command_rows(query: str, commands: Mapping[str, str]) -> list[CompletionRow]:
    names = sorted(commands)
    found = FuzzyList(names).best(query, MAX_FOUND)
    return [
        CompletionRow(match.text, f"/{match.text}", commands[match.text], tuple(at + 1 for at in match.positions))
        for match in found
    ]


def file_rows(query: str, paths: Sequence[str]) -> list[CompletionRow]:
    """The order is that of whoever found them."""
    marked = {match.text: match.positions for match in FuzzyList(paths).best(query, len(paths))}
    return [CompletionRow(path, path, "", marked.get(path, ())) for path in paths]


def as_mention(path: str) -> str:
    """A path behind an `@`: quoted where it has spaces."""
    return f'"{path}"' if " " in path else path


class CompletionList(Widget):
    """A list over what is above the prompt. Rows are drawn anew where they change; none is a widget."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"completion--chosen", "completion--match", "completion--help"}
    DEFAULT_CSS = """
    CompletionList {
        overlay: screen; constrain: none inside; position: absolute;
        display: none; height: auto; width: 1fr; background: $surface;
        & > .completion--chosen { text-style: reverse; }
        & > .completion--match { text-style: bold underline; }
        & > .completion--help { color: $text-muted; }
        &:ansi { background: ansi_default; }
    }
    """

    class Picked(Message):
        """A row was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[CompletionRow] = ()
        self._chosen = 0
        self._top = 0

    @property
    def is_open(self) -> bool:
        return bool(self.rows)

    @property
    def chosen(self) -> CompletionRow | None:
        return self.rows[self._chosen] if self.rows else None

    def show_rows(self, rows: Sequence[CompletionRow], *, from_end: bool = False) -> None:
        """Show other rows. The chosen one stays chosen only where the list is the same."""
        if rows == self.rows:
            return
        height_before = self._height()
        self.rows = rows
        self._chosen = len(rows) - 1 if from_end and rows else 0
        self._top = max(0, len(rows) - MAX_ROWS) if from_end else 0
        if self._height() != height_before:
            self.display = bool(rows)
            self.styles.offset = Offset(0, -self._height())
            self.refresh(layout=True)
        self.refresh()

    def close(self) -> None:
        self.show_rows(())

    def move(self, by: int) -> None:
        """Choose another row; behind the last one comes the first."""
        if not self.rows:
            return
        self._chosen = (self._chosen + by) % len(self.rows)
        self._top = min(max(self._top, self._chosen - MAX_ROWS + 1), self._chosen)
        self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._height()

    def render_line(self, y: int) -> Strip:
        at = self._top + y
        width = self.size.width
        if at >= len(self.rows):
            return Strip.blank(width, self.rich_style)
        is_chosen = at == self._chosen
        return _drawn(self.rows[at], is_chosen, width, self._style_of(is_chosen), self._names_width())

    def on_click(self, event: events.Click) -> None:
        event.stop()
        at = self._top + event.y
        if at < len(self.rows):
            self._chosen = at
            self.refresh()
            self.post_message(self.Picked())

    def _height(self) -> int:
        return min(len(self.rows), MAX_ROWS)

    def _names_width(self) -> int:
        return max((cell_len(row.shown) for row in self.rows), default=0)

    def _style_of(self, is_chosen: bool) -> tuple[Style, Style, Style]:
        base = self.rich_style
        if is_chosen:
            base += self.get_component_rich_style("completion--chosen", partial=True)
        return (
            base,
            base + self.get_component_rich_style("completion--match", partial=True),
            base + (Style() if is_chosen else self.get_component_rich_style("completion--help", partial=True)),
        )


def _drawn(
    row: CompletionRow, is_chosen: bool, width: int, styles: tuple[Style, Style, Style], names_width: int
) -> Strip:
    base, match, help = styles
    marked = frozenset(row.positions)
    # The mark is a letter, too: a style alone is not seen by everybody.
    segments = [Segment("› " if is_chosen else "  ", base)]
    segments += [Segment(exact_line(letter), match if at in marked else base) for at, letter in enumerate(row.shown)]
    if row.help:
        gap = max(0, min(names_width, width // 2) - cell_len(row.shown)) + 2
        segments.append(Segment(" " * gap, base))
        segments.append(Segment(exact_line(row.help), help))
    return Strip(segments).adjust_cell_length(width, base).simplify()


def one_line(text: str, width: int) -> str:
    """The beginning of a text with several lines."""
    return set_cell_size(" ⏎ ".join(text.split("\n", 5)), width).rstrip()
