"""The text of the prompt: Textual's TextArea, with labels of folded texts that are one unit, and without a timer."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, ClassVar, cast

from rich.style import Style
from rich.text import Text
from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._text_area_theme import TextAreaTheme
from textual.actions import SkipAction
from textual.app import App
from textual.binding import Binding, BindingType
from textual.document._document import EditResult, Location, Selection
from textual.document._edit import Edit
from textual.geometry import Region
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.signal import Signal
from textual.strip import Strip
from textual.widgets import TextArea

from toolpost.tui.keys import bind


class _AltEnter(Enum):
    KEY = "alt+enter"


# As terminals without the Kitty protocol send it: Textual would read a bare Enter, and send the prompt.
cast("dict[str, object]", ANSI_SEQUENCES_KEYS).update({"\x1b\r": (_AltEnter.KEY,), "\x1b\n": (_AltEnter.KEY,)})

Spans = Callable[[str], Sequence[tuple[int, int]]]
LABEL = Style(reverse=True)
# Keys of Textual's text area that mean something else in a terminal, or in this app.
_OTHERS_KEYS = frozenset({"ctrl+z", "ctrl+y", "f6", "f7", "pageup", "pagedown"})


def _without_others_keys(given: BindingType) -> list[BindingType]:
    assert isinstance(given, Binding)
    keys = [key for key in given.key.split(",") if key not in _OTHERS_KEYS]
    return [replace(given, key=",".join(keys))] if keys else []


class PromptArea(TextArea, inherit_bindings=False):
    """Calls the prompt for what is more than editing. Each hook gives True where it took what happened."""

    DEFAULT_CSS = """
    PromptArea, PromptArea:focus {
        height: auto; max-height: 10; min-height: 1; width: 1fr;
        border: none; padding: 0; background: transparent;
        scrollbar-size-vertical: 1;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *(kept for given in TextArea.BINDINGS for kept in _without_others_keys(given)),
        bind("prompt.undo"),
        bind("prompt.redo"),
        # The prompt has at most ten lines: pages are those of the transcript.
        bind("prompt.page_up", "app.scroll_transcript(-1)"),
        bind("prompt.page_down", "app.scroll_transcript(1)"),
    ]

    def __init__(
        self,
        spans: Spans,
        *,
        take_key: Callable[[events.Key], bool],
        take_paste: Callable[[str], None],
        leave: Callable[[int], bool],
        paste_image: Callable[[], None],
        style_line: Callable[[int, Text], None],
    ) -> None:
        # Before the text area is made: it asks for them at once.
        self._spans = spans
        self._take_key = take_key
        self._take_paste = take_paste
        self._leave = leave
        self._paste_image = paste_image
        self._style_line = style_line
        self._colored: TextAreaTheme | None = None
        # A cursor that blinks is a timer that wakes an idle machine.
        super().__init__(highlight_cursor_line=False, compact=True)
        self.cursor_blink = False
        self.match_cursor_bracket = False

    def on_mount(self) -> None:
        # Where the prompt moves, because something else grew, the terminal's own cursor has to follow: input methods
        # show at it what is being composed.
        screen = cast("Screen[Any]", self.screen)
        moved = cast("Signal[Any]", screen.screen_layout_refresh_signal)  # pyright: ignore[reportUnknownMemberType]
        moved.subscribe(self, self._place_cursor, immediate=True)

    def put(self, text: str) -> None:
        """Insert a text at the cursor, for what is selected."""
        self.replace(text, *self.selection, maintain_selection_offset=False)

    @property
    def before_cursor(self) -> str:
        row, column = self.cursor_location
        return self.document.get_line(row)[:column]

    @property
    def is_on_first_row(self) -> bool:
        """As it is wrapped: a long line is left upwards only from its first row."""
        return self.wrapped_document.location_to_offset(self.cursor_location).y == 0

    @property
    def is_on_last_row(self) -> bool:
        return self.wrapped_document.location_to_offset(self.cursor_location).y >= self.wrapped_document.height - 1

    def label_at_cursor(self) -> tuple[Location, Location] | None:
        """Where the label is that the cursor touches, else the last one of its line, else of the text."""
        row, column = self.cursor_location
        rows = [row, *(other for other in reversed(range(self.document.line_count)) if other != row)]
        for line in rows:
            spans = self._spans(self.document.get_line(line))
            touching = [one for one in spans if line == row and one[0] <= column <= one[1]]
            if spans:
                start, end = (touching or spans)[-1]
                return (line, start), (line, end)
        return None

    def edit(self, edit: Edit) -> EditResult:
        """A label is changed as a whole."""
        start, end = sorted((edit.from_location, edit.to_location))
        if start != end:
            edit.from_location = self._outside(start, after=False)
            edit.to_location = self._outside(end, after=True)
        return super().edit(edit)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Textual reads its colours from the style sheet for every key: once is enough for each style."""
        if self._colored is not self._theme:
            self._colored = self._theme
            return super().render_lines(crop)
        return ScrollView.render_lines(self, crop)

    def notify_style_update(self) -> None:
        self._colored = None
        super().notify_style_update()

    def get_line(self, line_index: int) -> Text:
        line = super().get_line(line_index)
        self._style_line(line_index, line)
        for start, end in self._spans(line.plain):
            line.stylize(LABEL, start, end)
        return line

    def action_cursor_up(self, select: bool = False) -> None:
        if select or not self.is_on_first_row or not self._leave(-1):
            super().action_cursor_up(select)

    def action_cursor_down(self, select: bool = False) -> None:
        if select or not self.is_on_last_row or not self._leave(1):
            super().action_cursor_down(select)

    def action_delete_right(self) -> None:
        if not self.text:
            # Ctrl+D in an empty prompt is the app's.
            raise SkipAction
        super().action_delete_right()

    def action_paste(self) -> None:
        self._paste_image()

    def _validate_selection(self, selection: Selection) -> Selection:
        """The cursor steps over a label."""
        start, end = super()._validate_selection(selection)
        came_from = self.selection.end
        return Selection(self._outside(start, start > came_from), self._outside(end, end > came_from))

    def _outside(self, location: Location, after: bool) -> Location:
        row, column = location
        if row >= self.document.line_count:
            return location
        for start, end in self._spans(self.document.get_line(row)):
            if start < column < end:
                return row, end if after else start
        return location

    def _recompute_cursor_offset(self) -> None:
        """Textual asks for it in the middle of an undo, too, when the cursor may be behind the end: that is an error
        there, and ends the app."""
        self._cursor_offset = self.wrapped_document.location_to_offset(self.clamp_visitable(self.cursor_location))

    async def _on_key(self, event: events.Key) -> None:
        # xterm's `modifyOtherKeys` as Textual reads it; no binding could name it so.
        event.key = event.key.replace("+\r", "+enter")
        if self._take_key(event):
            event.stop()
            event.prevent_default()
        elif event.key == "enter" and "enter" in self.screen.active_bindings:
            # Left to the bindings, so that it can be given to another action.
            event.prevent_default()

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self._take_paste(event.text)

    def _place_cursor(self, _: Screen[Any]) -> None:
        if self.has_focus:
            app = cast("App[Any]", self.app)  # pyright: ignore[reportUnknownMemberType]
            app.cursor_position = self.cursor_screen_offset
